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
  /** How far the towel lies from the middle of the rail [m]. */
  offset: number
}

const WIDTH = 0.7
const LENGTH = 2.4
const COLUMNS = 14
const ROWS = 48
const RAIL = 0.62
const RADIUS = 0.04
const THICKNESS = 0.01

function Scene({ selfCollision, offset }: Args) {
  return (
    <StoryWorld floor={4.5} camera={{ position: [2.6, 1.5, 3.2], target: [0, 0.3, 0.1], fov: 20 }}>
      <Collider.Capsule args={[RADIUS, 1.2]} position={[0, RAIL, 0]} rotation-z={Math.PI / 2} friction={0.5} />
      <Rail width={1.05} height={RAIL} />
      <Cloth
        args={[WIDTH, LENGTH, COLUMNS, ROWS]}
        position={[0, RAIL + 0.3, offset]}
        rotation-x={-Math.PI / 2}
        selfCollision={selfCollision}
        thickness={THICKNESS}
        bendRigidity={2e-4}
        damping={0.5}
        friction={0.6}
        castShadow
        receiveShadow
      >
        <Fabric color="#f7efe0" ink={palette.mint} weave="check" repeat={[4, 13]} />
      </Cloth>
      <Ground friction={0.8} />
    </StoryWorld>
  )
}

const meta = {
  title: 'Contact/Towel fold',
  component: Scene,
  args: { selfCollision: true, offset: 0.05 },
  argTypes: { offset: { control: { type: 'range', min: -0.4, max: 0.4, step: 0.05 } } },
  parameters: {
    docs: {
      description: {
        component:
          'A towel falls over a rail: its halves lie against each other, and its ends fold upon themselves on the floor. With ' +
          'selfCollision a cloth does not pass through itself; it is off unless it is asked for.\n\n' +
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
    await expect(layerDistance(towel, COLUMNS, 5)).toBeGreaterThan(1.5 * THICKNESS)
    // The front half hangs before the back half, row by row from the rail on.
    const points = positionsOf(towel)
    const z = (row: number) => points[3 * (row * (COLUMNS + 1) + COLUMNS / 2) + 2]!
    for (let row = 2; row <= 8; row++) await expect(z(ROWS / 2 + 1 + row)).toBeGreaterThan(z(ROWS / 2 + 1 - row))
    // And there it stays.
    const before = positionsOf(towel)
    await run(60)
    const after = positionsOf(towel)
    const moved = after.map((value, k) => Math.abs(value - before[k]!))
    await expect(Math.max(...moved)).toBeLessThan(0.05)
  },
}
