import type { Meta, StoryObj } from '@storybook/react-vite'
import { useRef } from 'react'
import { expect } from 'storybook/test'
import { type Body, Ground, SoftBody, type SoftBodyRef, useBeforeStep } from '../../src/index.js'
import { useBunny } from '../support/bunny.js'
import { prefersReducedMotion } from '../support/controls.js'
import { Balloon } from '../support/materials.js'
import { bodyOf, boundsOf, run } from '../support/play.js'
import { palette } from '../support/themes.js'
import { StoryWorld } from '../support/World.js'

interface Args {
  /** The volume over that at rest. */
  pressure: number
  /** Let it breathe, from half of `pressure` to all of it. */
  breathe: boolean
}

/** Of one breath [s]. */
const PERIOD = 5

function Pumped({ pressure, breathe }: Args) {
  const bunny = useBunny(0.8)
  const body = useRef<SoftBodyRef>(null)
  useBeforeStep(({ time }) => {
    const breath = 0.75 - 0.25 * Math.cos((2 * Math.PI * time) / PERIOD)
    body.current?.body?.set({ elastic: { pressure: { ratio: breathe ? pressure * breath : pressure, modulus: 3e5 } } })
  })
  return (
    <SoftBody
      ref={body}
      position={[0, 0.03, 0]}
      rotation-y={-0.1}
      resolution={6}
      youngsModulus={2e4}
      poissonRatio={0.2}
      density={300}
      shapeDamping={8}
    >
      <mesh geometry={bunny} castShadow receiveShadow>
        <Balloon color={palette.mint} />
      </mesh>
    </SoftBody>
  )
}

function Scene(args: Args) {
  return (
    <StoryWorld floor={4.5} camera={{ position: [0.5, 1.05, 4.4], target: [-0.05, 0.46, 0], fov: 19.5 }}>
      <Pumped {...args} />
      <Ground />
    </StoryWorld>
  )
}

const meta = {
  title: 'Bodies/Pressure',
  component: Scene,
  args: { pressure: 1.8, breathe: !prefersReducedMotion() },
  argTypes: { pressure: { control: { type: 'range', min: 0.5, max: 3, step: 0.05 } } },
  parameters: {
    docs: {
      description: {
        component:
          'pressure is the volume over that at rest: 1 keeps it, 1.8 pumps it up to nearly double, 0.5 lets the air out.\n\n' +
          'It is live: here it rises and falls slowly. Switch that off to set it by hand.',
      },
    },
  },
} satisfies Meta<typeof Scene>

export default meta
type Story = StoryObj<typeof meta>

export const Pressure: Story = { parameters: { shots: { steps: 150 } } }

const widthOf = (body: Body): number => {
  const [left, , , right] = boundsOf(body)
  return right! - left!
}

export const FollowsThePressure: Story = {
  tags: ['!dev', '!autodocs'],
  args: { pressure: 1.8, breathe: true },
  async play({ args }) {
    const start = bodyOf(await run(0))
    const rest = start.volume()
    const width = widthOf(start)
    // Half a breath: from half of the pressure to all of it. The material takes a part of what the pressure wants.
    const full = bodyOf(await run((60 * PERIOD) / 2))
    await expect(full.volume() / rest).toBeGreaterThan(0.75 * args.pressure)
    await expect(full.volume() / rest).toBeLessThan(1.05 * args.pressure)
    await expect(widthOf(full)).toBeGreaterThan(1.15 * width)
    // A quarter further it wants three quarters of the pressure, and lets air out.
    const most = full.volume()
    await run((60 * PERIOD) / 4)
    await expect(full.volume()).toBeLessThan(0.85 * most)
  },
}
