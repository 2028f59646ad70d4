import type { Meta, StoryObj } from '@storybook/react-vite'
import { useEffect, useState } from 'react'
import { expect, waitFor } from 'storybook/test'
import { Cloth, Ground, useSoftBodyWorld, Wind } from '../../src/index.js'
import { Keys } from '../support/Keys.js'
import { Fabric } from '../support/materials.js'
import { bodyOf, boundsOf, mouseOn, run } from '../support/play.js'
import { Rail } from '../support/Rail.js'
import { palette } from '../support/themes.js'
import { StoryWorld } from '../support/World.js'

interface Args {
  /** Every how manieth point of the upper edge is pinned; 0 for none. */
  pinEvery: number
  /** Tension per strain [N/m]. */
  stiffness: number
  /** Sweeps of the solver in each substep. */
  iterations: number
  /** Strain at which the curtain tears. */
  tearStrain: number
}

const [WIDTH, HEIGHT, COLUMNS, ROWS] = [2.4, 1.6, 48, 32]
const ROD = 2

/** R mends everything; it listens to the page. */
function Mending() {
  const { world } = useSoftBodyWorld()
  useEffect(() => {
    const onKey = ({ key, repeat }: KeyboardEvent) => {
      if (key.toLowerCase() === 'r' && !repeat) world.reset()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [world])
  return null
}

function Scene({ pinEvery, stiffness, iterations, tearStrain }: Args) {
  const [falls, setFalls] = useState(true)
  useEffect(() => {
    const onKey = ({ key, repeat }: KeyboardEvent) => {
      if (key.toLowerCase() === 'g' && !repeat) setFalls((now) => !now)
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
  const pins = Array.from({ length: COLUMNS + 1 }, (_, i) => i).filter((i) => pinEvery > 0 && i % pinEvery === 0)
  return (
    <>
      <StoryWorld
        floor={6}
        camera={{ position: [0.6, 1.35, 5.6], target: [0, 1.08, 0], fov: 27 }}
        world={{ iterations, gravity: falls ? [0, -9.81, 0] : [0, 0, 0] }}
      >
        <Rail width={WIDTH + 0.2} height={ROD} />
        <Cloth
          args={[WIDTH, HEIGHT, COLUMNS, ROWS]}
          position={[0, ROD - 0.03 - HEIGHT / 2, 0]}
          pins={pins.length > 0 ? pins : undefined}
          stretchModulus={stiffness}
          shearModulus={stiffness / 10}
          tearStrain={tearStrain}
          tearWeakening={0.3}
          damping={0.3}
          castShadow
          receiveShadow
        >
          <Fabric ink={palette.coral} weave="stripes" repeat={[12, 8]} />
        </Cloth>
        <Wind velocity={[0, 0, 1.6]} turbulence={1} turbulenceSize={0.8} />
        <Mending />
        <Ground />
      </StoryWorld>
      <Keys keys={{ Drag: 'pull until it rips', R: 'mend', G: falls ? 'switch gravity off' : 'switch gravity on' }} />
    </>
  )
}

const range = (min: number, max: number, step: number) => ({ control: { type: 'range', min, max, step } }) as const

const meta = {
  title: 'From the texts/Tearable curtain',
  component: Scene,
  args: { pinEvery: 4, stiffness: 1000, iterations: 1, tearStrain: 0.5 },
  argTypes: {
    pinEvery: range(0, 16, 1),
    stiffness: range(100, 5000, 100),
    iterations: range(1, 10, 1),
    tearStrain: range(0.1, 2, 0.05),
  },
  parameters: {
    docs: {
      description: {
        component:
          'A curtain of points and links, hung by some of its points, that rips where it is pulled too far: drag it apart.\n\n' +
          'R mends it, G switches gravity. tearStrain is how far a link gives; more iterations make the cloth stiffer, as ' +
          'does stiffness.',
      },
    },
  },
} satisfies Meta<typeof Scene>

export default meta
type Story = StoryObj<typeof meta>

export const TearableCurtain: Story = { parameters: { shots: { steps: 70 } } }

export const IsRippedAndMended: Story = {
  tags: ['!dev', '!autodocs'],
  async play({ canvasElement }) {
    const hook = await run(60)
    const curtain = bodyOf(hook)
    const whole = curtain.particleCount
    await expect(whole).toBe((COLUMNS + 1) * (ROWS + 1))
    const [x, y] = hook.screenOf([0.2, 1.1, 0])
    const mouse = mouseOn(canvasElement.querySelector('canvas')!)
    mouse.down([x, y])
    for (let k = 1; k <= 30; k++) {
      mouse.move([x + 3 * k, y + 5 * k])
      hook.world.step(2)
    }
    mouse.up([x + 90, y + 150])
    await expect(curtain.particleCount).toBeGreaterThan(whole + 10)
    await expect(curtain.isPinned(0)).toBe(true)
    window.dispatchEvent(new KeyboardEvent('keydown', { key: 'r' }))
    await expect(curtain.particleCount).toBe(whole)
    window.dispatchEvent(new KeyboardEvent('keydown', { key: 'g' }))
    await waitFor(() => expect(hook.world.world.settings.gravity[1]).toBe(0))
    // Nothing draws it down: the air alone moves it, and it is whole.
    hook.world.step(60)
    await expect(boundsOf(curtain)[1]).toBeGreaterThan(ROD - 0.04 - HEIGHT)
    await expect(curtain.particleCount).toBe(whole)
  },
}
