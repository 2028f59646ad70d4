import type { Meta, StoryObj } from '@storybook/react-vite'
import { useMemo } from 'react'
import { expect } from 'storybook/test'
import type { Body } from '../../src/headless.js'
import { Ground, SoftBody, useBeforeStep } from '../../src/index.js'
import { arrange } from '../support/arrange.js'
import { Label } from '../support/Label.js'
import { Jelly } from '../support/materials.js'
import { bodyOf, boundsOf, positionsOf, run } from '../support/play.js'
import { roundedBox } from '../support/shapes.js'
import { palette } from '../support/themes.js'
import { StoryWorld } from '../support/World.js'

interface Args {
  /** Of the cube in the middle; the left one has none, the right one four times this [1/s]. */
  shapeDamping: number
  /** Of all three about the vertical [rad/s]. */
  spin: number
}

const SIZE = 0.8
const stretch = [0.75, 1.5, 0.75] as const
const cubes = [
  { times: 0, color: palette.coral, label: 'none:\nwobbles on' },
  { times: 1, color: palette.azure, label: 'some:\na few swings' },
  { times: 4, color: palette.mint, label: 'four times:\nspins on, still' },
] as const

/** At the start the cubes are drawn out, and spin. */
function Start({ spin }: Pick<Args, 'spin'>) {
  useBeforeStep((world) => {
    if (world.stepIndex > 0) return
    for (const body of world.bodies) {
      const c = body.centerOfMass([0, 0, 0])
      arrange(world, body, (from) => from.map((at, k) => c[k % 3]! + stretch[k % 3]! * (at - c[k % 3]!)))
    }
    for (const body of world.bodies) body.setVelocity([0, 0, 0], [0, spin, 0])
  })
  return null
}

function Scene({ shapeDamping, spin }: Args) {
  const shape = useMemo(() => roundedBox(SIZE), [])
  return (
    <StoryWorld floor={6.5} camera={{ position: [0, 2.3, 6.6], target: [0, 0.95, 0], fov: 28 }}>
      {cubes.map(({ times, color, label }, k) => (
        <group key={label}>
          <SoftBody
            position={[1.6 * (k - 1), 1.3, 0]}
            gravityScale={0}
            resolution={5}
            shapeDamping={times * shapeDamping}
          >
            <mesh geometry={shape} castShadow receiveShadow>
              <Jelly color={color} pattern="grid" scale={8} />
            </mesh>
          </SoftBody>
          <Label position={[1.6 * (k - 1), 0.3, 0.6]}>{label}</Label>
        </group>
      ))}
      <Start spin={spin} />
      <Ground />
    </StoryWorld>
  )
}

const meta = {
  title: 'From the texts/Wobble',
  component: Scene,
  args: { shapeDamping: 2, spin: 3 },
  argTypes: {
    shapeDamping: { control: { type: 'range', min: 0, max: 20, step: 0.5 } },
    spin: { control: { type: 'range', min: -10, max: 10, step: 0.5 } },
  },
  parameters: {
    docs: {
      description: {
        component:
          '`shapeDamping` [1/s] draws the speeds of a body towards those of its rigid motion: the wobble goes, the flight ' +
          'and the spin stay. `damping` would brake all of them.',
      },
    },
  },
} satisfies Meta<typeof Scene>

export default meta
type Story = StoryObj<typeof meta>

export const Wobble: Story = { parameters: { shots: { steps: 45 } } }

/** Angular momentum about the vertical through its centre, of one kilogram [m^2/s]. */
function spinOf(body: Body): number {
  const x = positionsOf(body)
  const v = body.readVelocities(new Float64Array(x.length))
  const [cx, , cz] = body.centerOfMass([0, 0, 0])
  return body.model.massShares.reduce(
    (sum, share, i) => sum + share * ((x[3 * i + 2]! - cz) * v[3 * i]! - (x[3 * i]! - cx) * v[3 * i + 2]!),
    0,
  )
}

/** By how much of its height it is drawn out or squashed. */
function wobbleOf(body: Body): number {
  const bounds = boundsOf(body)
  return Math.abs((bounds[4]! - bounds[1]!) / SIZE - 1)
}

export const SpinsOnWithoutAWobble: Story = {
  tags: ['!dev', '!autodocs'],
  async play() {
    const hook = await run(1)
    const bodies = cubes.map((_, k) => bodyOf(hook, k))
    const spins = bodies.map(spinOf)
    hook.world.step(60)
    // Over a swing, which passes its rest shape twice.
    const wobbles = bodies.map(() => 0)
    for (let step = 0; step < 20; step++) {
      hook.world.step(1)
      for (const [k, body] of bodies.entries()) wobbles[k] = Math.max(wobbles[k]!, wobbleOf(body))
    }
    const [free, damped, still] = wobbles as [number, number, number]
    await expect(free).toBeGreaterThan(0.05)
    await expect(damped).toBeLessThan(0.5 * free)
    await expect(still).toBeLessThan(0.05 * free)
    for (const [k, body] of bodies.entries()) await expect(Math.abs(spinOf(body) / spins[k]! - 1)).toBeLessThan(1e-6)
  },
}
