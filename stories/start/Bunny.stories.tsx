import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect } from 'storybook/test'
import { Ground, SoftBody } from '../../src/index.js'
import { useBunny } from '../support/bunny.js'
import { Curtain } from '../support/Curtain.js'
import { Jelly } from '../support/materials.js'
import { bodyOf, centerOf, deformation, mouseOn, positionsOf, run } from '../support/play.js'
import { palette } from '../support/themes.js'
import { StoryWorld } from '../support/World.js'

const source = `
<SoftBodyWorld>
  <SoftBody position={[-0.8, 0.6, 0]}>
    <primitive object={useGLTF('/bunny.glb').scene} />
  </SoftBody>
  <Cloth args={[1.3, 1.4, 40, 40]} position={[1.2, 1, -0.2]} pins="top">
    <meshStandardMaterial map={fabric} side={DoubleSide} />
  </Cloth>
  <Ground />
</SoftBodyWorld>`

function Scene() {
  const bunny = useBunny(1.05)
  return (
    <StoryWorld floor={5} camera={{ position: [0.3, 0.98, 4.7], target: [0.13, 0.61, 0], fov: 25.5 }}>
      <SoftBody position={[-0.42, 0.6, 0.4]} rotation={[0, 0.3, 0.1]} resolution={8}>
        <mesh geometry={bunny} castShadow receiveShadow>
          <Jelly color={palette.mint} />
        </mesh>
      </SoftBody>
      <Curtain
        position={[0.86, 0, -0.35]}
        width={1.3}
        height={1.25}
        rod={1.4}
        look={{ ink: palette.coral, weave: 'stripes', repeat: [12, 10] }}
      />
      <Ground />
    </StoryWorld>
  )
}

const meta = {
  title: 'Start/Bunny',
  component: Scene,
  parameters: {
    docs: {
      description: {
        component:
          'Any mesh, with its own material: this one is a scan of a rabbit. Poke it, drag it by the ears, throw it.\n\n' +
          'Beside it hangs a cloth that can be pulled.',
      },
      source: { code: source.trim(), language: 'tsx' },
    },
  },
} satisfies Meta<typeof Scene>

export default meta
type Story = StoryObj<typeof meta>

export const Bunny: Story = { parameters: { shots: { steps: 16 } } }

/** Bodies in the order of mounting. */
const BUNNY = 0
const CURTAIN = 1
/** Below it are no ears [m]: they may come to rest on either side. */
const NECK = 0.5

export const PressDents: Story = {
  tags: ['!dev', '!autodocs'],
  async play({ canvasElement }) {
    const hook = await run(150)
    const bunny = bodyOf(hook, BUNNY)
    const rest = positionsOf(bunny)
    await run(30)
    // What is left of the wobble.
    const calm = deformation(bunny, rest, NECK)
    const mouse = mouseOn(canvasElement.querySelector('canvas')!)
    const at = hook.screenOf(centerOf(bunny))
    mouse.down(at)
    await run(40)
    const dent = deformation(bunny, rest, NECK)
    await expect(dent).toBeGreaterThan(0.02)
    await expect(dent).toBeGreaterThan(5 * calm)
    mouse.up(at)
  },
}

export const IsDraggedAndThrown: Story = {
  tags: ['!dev', '!autodocs'],
  async play({ canvasElement }) {
    const hook = await run(120)
    const bunny = bodyOf(hook, BUNNY)
    const [x0, y0, z0] = centerOf(bunny)
    const mouse = mouseOn(canvasElement.querySelector('canvas')!)
    const [x, y] = hook.screenOf([x0, y0, z0])
    const [goalX, goalY] = hook.screenOf([x0 + 0.2, y0 + 0.8, z0])
    mouse.down([x, y])
    for (let k = 1; k <= 20; k++) {
      mouse.move([x + ((goalX - x) * k) / 20, y + ((goalY - y) * k) / 20])
      hook.world.step(2)
    }
    await run(60)
    // 0.2 m to the right and 0.8 m up: the body swings below the pointer, stretched by its own weight.
    const [x1, y1] = centerOf(bunny)
    await expect(x1 - x0).toBeGreaterThan(0.05)
    await expect(y1 - y0).toBeGreaterThan(0.3)
    mouse.up([goalX, goalY])
    await run(60)
    await expect(centerOf(bunny)[1]).toBeLessThan(y1 - 0.1)
  },
}

export const CurtainIsPulled: Story = {
  tags: ['!dev', '!autodocs'],
  async play({ canvasElement }) {
    const hook = await run(120)
    const curtain = bodyOf(hook, CURTAIN)
    const before = centerOf(curtain)
    const mouse = mouseOn(canvasElement.querySelector('canvas')!)
    const [x, y] = hook.screenOf(before)
    mouse.down([x, y])
    for (let k = 1; k <= 10; k++) {
      mouse.move([x + 6 * k, y])
      hook.world.step(3)
    }
    await expect(centerOf(curtain)[0] - before[0]).toBeGreaterThan(0.03)
    mouse.up([x + 60, y])
    // By itself it swings for longer than that.
    curtain.set({ damping: 6 })
    await run(90)
    await expect(Math.abs(centerOf(curtain)[0] - before[0])).toBeLessThan(0.03)
  },
}
