import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect } from 'storybook/test'
import { Cloth, Collider, Ground } from '../../src/index.js'
import { layerDistance } from '../support/layers.js'
import { Fabric } from '../support/materials.js'
import { bodyOf, boundsOf, positionsOf, run } from '../support/play.js'
import { Rail } from '../support/Rail.js'
import { palette } from '../support/themes.js'
import { StoryWorld } from '../support/World.js'

interface Args {
  selfCollision: boolean
  /** How far before the rail the middle of the towel is at first [m]. */
  distance: number
}

const WIDTH = 0.7
const LENGTH = 2
const COLUMNS = 12
const ROWS = 48
const RAIL = 0.4
const RADIUS = 0.04
const THICKNESS = 0.01
/** How far it leans over the rail at first [rad]. */
const LEAN = 0.5

function Scene({ selfCollision, distance }: Args) {
  return (
    <StoryWorld floor={4.5} camera={{ position: [2.3, 1.25, 2.6], target: [0, 0.19, 0.08], fov: 20 }}>
      <Collider.Capsule args={[RADIUS, 1.2]} position={[0, RAIL, 0]} rotation-z={Math.PI / 2} friction={0.5} />
      <Rail width={1.05} height={RAIL} />
      <Cloth
        args={[WIDTH, LENGTH, COLUMNS, ROWS]}
        position={[0, (LENGTH / 2) * Math.cos(LEAN) + 0.05, distance]}
        rotation-x={LEAN}
        selfCollision={selfCollision}
        thickness={THICKNESS}
        bendRigidity={2e-4}
        damping={0.5}
        friction={0.8}
        castShadow
        receiveShadow
      >
        <Fabric color="#f7efe0" ink={palette.mint} weave="check" repeat={[4, 13]} />
      </Cloth>
      <Ground />
    </StoryWorld>
  )
}

const meta = {
  title: 'Contact/Towel fold',
  component: Scene,
  args: { selfCollision: true, distance: 0.2 },
  argTypes: { distance: { control: { type: 'range', min: 0.1, max: 0.3, step: 0.02 } } },
  parameters: {
    docs: {
      description: {
        component:
          'A towel that stood on its end falls over a rail, and what is too long folds upon itself on the floor. ' +
          'With selfCollision a cloth does not pass through itself; it is off unless it is asked for.\n\n' +
          'Switch it off and the layers sink into each other.',
      },
    },
  },
} satisfies Meta<typeof Scene>

export default meta
type Story = StoryObj<typeof meta>

export const TowelFold: Story = { parameters: { shots: { steps: 75 } } }

export const LiesOnItself: Story = {
  tags: ['!dev', '!autodocs'],
  async play() {
    const hook = await run(100)
    const towel = bodyOf(hook)
    // It hangs over the rail and reaches the floor.
    const [, bottom, , , top] = boundsOf(towel)
    await expect(top).toBeGreaterThan(RAIL + RADIUS)
    await expect(bottom).toBeLessThan(0.03)
    await expect(bottom).toBeGreaterThan(-0.005)
    // No layer has come through another one.
    await expect(layerDistance(towel, COLUMNS, 4)).toBeGreaterThan(1.5 * THICKNESS)
    // What was above has come before the rail, what was below is behind it, row by row.
    const points = positionsOf(towel)
    const middle = (row: number, d: number) => points[3 * (row * (COLUMNS + 1) + COLUMNS / 2) + d]!
    const rows = Array.from({ length: ROWS + 1 }, (_, row) => row)
    const highest = rows.reduce((best, row) => (middle(row, 1) > middle(best, 1) ? row : best))
    for (let k = 2; k <= 7; k++) {
      await expect(middle(highest + k, 2)).toBeLessThan(middle(highest - k, 2))
    }
    // A last fold tips over, and there it stays.
    await run(80)
    const before = positionsOf(towel)
    await run(60)
    const after = positionsOf(towel)
    const moved = after.map((value, k) => Math.abs(value - before[k]!))
    await expect(Math.max(...moved)).toBeLessThan(0.05)
  },
}
