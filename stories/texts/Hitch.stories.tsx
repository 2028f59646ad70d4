import type { Meta, StoryObj } from '@storybook/react-vite'
import { useEffect, useMemo, useRef, useState } from 'react'
import { expect } from 'storybook/test'
import type { Attachment } from '../../src/headless.js'
import { Ground, SoftBody, SoftBodyWorld, type SoftBodyWorldRef, useAfterStep } from '../../src/index.js'
import { Label } from '../support/Label.js'
import { Jelly } from '../support/materials.js'
import { positionsOf, run } from '../support/play.js'
import { roundedBox } from '../support/shapes.js'
import { palette } from '../support/themes.js'
import { StoryWorld } from '../support/World.js'

/** Frames in a second of each lane. */
const rates = [15, 30, 60, 144] as const
const colors = [palette.coral, palette.apricot, palette.mint, palette.azure]
/** When the machine of each lane stands still, and for how long [s]. */
const HITCH = 0.5
const LASTS = 2
/** How far the hand flings its body to and fro [m], and how often [1/s]. */
const FLING = 0.35
const OFTEN = 1.2

interface Lane {
  world: SoftBodyWorldRef
  hand: Attachment
}

/** The worlds of the lanes, for the test below. */
const lanes = new Map<number, Lane>()

/** A world of its own that is flung by a hand, in frames of 1 / rate; at `HITCH` one frame takes `LASTS` seconds more. */
function LaneWorld({ rate, x, color, hitch }: { rate: number; x: number; color: string; hitch: boolean }) {
  const shape = useMemo(() => roundedBox(0.6), [])
  const ref = useRef<SoftBodyWorldRef>(null)
  const frames = useRef(0)
  const hand = useRef<Attachment>(null)
  const [dropped, setDropped] = useState(0)
  useEffect(() => () => void lanes.delete(rate), [rate])
  useAfterStep(({ time, stepIndex, settings: { gravity, substeps } }) => {
    const lane = ref.current
    const body = lane?.world.bodies[0]
    if (!lane || !body) return
    if (stepIndex === 1) {
      lane.reset()
      frames.current = 0
      hand.current?.remove()
      hand.current = body.attach(body.region([x, 1.5, 0], 0.3), { compliance: 1e-4, damping: 800 })
      lanes.set(rate, { world: lane, hand: hand.current })
    }
    lane.world.set({ gravity, substeps })
    while ((frames.current + 1) / rate <= time + 1e-9) {
      const now = ++frames.current / rate
      const late = hitch && frames.current === Math.ceil(HITCH * rate) ? LASTS : 0
      hand.current!.setTarget(x, 1.2, FLING * Math.sin(2 * Math.PI * OFTEN * now))
      lane.world.advance(1 / rate + late)
    }
    if (stepIndex % 15 === 0) setDropped(lane.stats.droppedTime)
  })
  return (
    <SoftBodyWorld ref={ref} updateLoop="manual">
      <SoftBody position={[x, 1.2, 0]} rotation={[0.4, 0.5, 0.3]} resolution={4} preset="rubber" density={300}>
        <mesh geometry={shape} castShadow receiveShadow>
          <Jelly color={color} pattern="grid" scale={7} />
        </mesh>
      </SoftBody>
      <Label position={[x, 0.12, 0.95]} width={1}>{`${rate} Hz\n${dropped.toFixed(2)} s dropped`}</Label>
      <Ground />
    </SoftBodyWorld>
  )
}

interface Args {
  /** At half a second every machine stands still for two. */
  hitch: boolean
}

function Scene({ hitch }: Args) {
  return (
    <StoryWorld
      world={{ keyboard: false }}
      floor={6.5}
      camera={{ position: [0, 1.9, 7.6], target: [0, 0.75, 0.1], fov: 24 }}
    >
      {rates.map((rate, k) => (
        <LaneWorld key={`${rate} ${hitch}`} rate={rate} x={(k - 1.5) * 1.2} color={colors[k]!} hitch={hitch} />
      ))}
    </StoryWorld>
  )
}

const meta = {
  title: 'From the texts/Frame rates and a hitch',
  component: Scene,
  args: { hitch: false },
  parameters: {
    docs: {
      description: {
        component:
          'Bodies flung by a hand on machines of 15, 30, 60 and 144 frames a second: steps are always 1/60 s, so they stay in ' +
          'step. With `hitch` each machine stands still for two seconds in the middle of a fling: the world takes `maxSteps` ' +
          'steps, drops the rest and says so in `stats.droppedTime`; hand and body go on.',
      },
    },
  },
} satisfies Meta<typeof Scene>

export default meta
type Story = StoryObj<typeof meta>

export const FrameRatesAndAHitch: Story = { parameters: { shots: { steps: 24 } } }

/** What hangs on the hand, each lane's own x taken off. */
function shapes(): Float64Array[] {
  return rates.map((rate) => positionsOf(lanes.get(rate)!.world.world.bodies[0]!))
}

export const AllStayInStep: Story = {
  tags: ['!dev', '!autodocs'],
  async play() {
    await run(60)
    for (const rate of rates) {
      await expect(lanes.get(rate)!.world.world.stepIndex).toBe(60)
      await expect(lanes.get(rate)!.world.stats.droppedTime).toBe(0)
    }
    const centers = rates.map((rate) => lanes.get(rate)!.world.world.bodies[0]!.centerOfMass([0, 0, 0]))
    // The hand of a slow machine is seen at fewer places, and led evenly between them: a part of its way in a frame.
    const slack = FLING * 2 * Math.PI * OFTEN * (1 / rates[0])
    for (const [, y, z] of centers) {
      await expect(Math.abs(y - centers[2]![1])).toBeLessThan(slack)
      await expect(Math.abs(z - centers[2]![2])).toBeLessThan(slack)
    }
  },
}

export const AHitchDropsTimeAndNothingElse: Story = {
  args: { hitch: true },
  tags: ['!dev', '!autodocs'],
  async play() {
    await run(90)
    for (const rate of rates) {
      const { world, hand } = lanes.get(rate)!
      // Five steps of the frame that took 2 s more are taken; the rest is dropped, and said so.
      await expect(world.stats.droppedTime).toBeGreaterThan(LASTS - 6 / 60)
      await expect(world.stats.droppedTime).toBeLessThan(LASTS + 1 / rate)
      await expect(world.world.bodies.length).toBe(1)
      await expect(hand.alive).toBe(true)
      await expect(world.stats.nonFiniteRescues).toBe(0)
    }
    for (const shape of shapes()) await expect(shape.every(Number.isFinite)).toBe(true)
    // The hand still has its body.
    for (const rate of rates) {
      const [, y, z] = lanes.get(rate)!.world.world.bodies[0]!.centerOfMass([0, 0, 0])
      await expect(Math.abs(y - 1.2)).toBeLessThan(0.5)
      await expect(Math.abs(z)).toBeLessThan(1)
    }
  },
}
