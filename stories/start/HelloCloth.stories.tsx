import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect } from 'storybook/test'
import { Cloth, Ground } from '../../src/index.js'
import { Fabric } from '../support/materials.js'
import { bodyOf, boundsOf, centerOf, mouseOn, positionsOf, run } from '../support/play.js'
import { Rail } from '../support/Rail.js'
import { palette } from '../support/themes.js'
import { StoryWorld } from '../support/World.js'

const source = `
import { Canvas } from '@react-three/fiber'
import { Cloth, SoftBodyWorld } from 'react-three-softbody'
import { DoubleSide } from 'three'

<Canvas camera={{ position: [0, 0.5, 3] }}>
  <ambientLight />
  <directionalLight position={[-2, 4, 3]} />
  <SoftBodyWorld>
    <Cloth args={[1.6, 1.4, 40, 35]} pins="top">
      <meshStandardMaterial color="royalblue" side={DoubleSide} />
    </Cloth>
  </SoftBodyWorld>
</Canvas>`

const ROD = 1.7
const HEIGHT = 1.4
/** [1/s] */
const DAMPING = 0.4
/** The cloth begins swung back by this angle [rad] and falls. */
const TILT = 1.15

function Scene() {
  return (
    <StoryWorld floor={5} camera={{ position: [1.4, 1.2, 4.6], target: [0, 0.88, 0], fov: 26 }}>
      <Rail width={1.9} height={ROD} />
      <Cloth
        args={[1.6, HEIGHT, 40, 35]}
        position={[0, ROD - (HEIGHT / 2) * Math.cos(TILT), -(HEIGHT / 2) * Math.sin(TILT)]}
        rotation={[TILT, 0, 0]}
        pins="top"
        damping={DAMPING}
        castShadow
        receiveShadow
      >
        <Fabric ink={palette.azure} weave="stripes" repeat={[10, 9]} />
      </Cloth>
      <Ground />
    </StoryWorld>
  )
}

const meta = {
  title: 'Start/Hello cloth',
  component: Scene,
  parameters: {
    docs: {
      description: {
        component:
          'A Cloth is a plane that hangs, swings and folds; its children are its material.\n\n' +
          'pins="top" holds the upper edge. Pull at it anywhere.',
      },
      source: { code: source.trim(), language: 'tsx' },
    },
  },
} satisfies Meta<typeof Scene>

export default meta
type Story = StoryObj<typeof meta>

export const HelloCloth: Story = { parameters: { shots: { steps: 33 } } }

export const IsPulled: Story = {
  tags: ['!dev', '!autodocs'],
  async play({ canvasElement }) {
    const hook = await run(0)
    const cloth = bodyOf(hook)
    // To hang still it takes a quarter of a minute by itself.
    cloth.set({ damping: 6 })
    hook.world.step(100)
    cloth.set({ damping: DAMPING })
    const top = positionsOf(cloth).slice(0, 41 * 3)
    const before = centerOf(cloth)
    const [x, y] = hook.screenOf(before)
    const mouse = mouseOn(canvasElement.querySelector('canvas')!)
    mouse.down([x, y])
    for (let k = 1; k <= 10; k++) {
      mouse.move([x + 8 * k, y])
      hook.world.step(3)
    }
    // Pulled to the side by some 30 cm: the cloth follows, its pinned edge stays, bit for bit.
    await expect(centerOf(cloth)[0] - before[0]).toBeGreaterThan(0.05)
    await expect(positionsOf(cloth).slice(0, 41 * 3)).toEqual(top)
    mouse.up([x + 80, y])
    cloth.set({ damping: 6 })
    await run(100)
    await expect(Math.abs(centerOf(cloth)[0] - before[0])).toBeLessThan(0.03)
    await expect(boundsOf(cloth)[4]).toBeCloseTo(ROD, 2)
  },
}
