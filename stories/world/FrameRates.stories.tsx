import type { Meta, StoryObj } from '@storybook/react-vite'
import { useEffect, useMemo, useRef } from 'react'
import { expect } from 'storybook/test'
import { Ground, SoftBody, SoftBodyWorld, type SoftBodyWorldRef, useAfterStep } from '../../src/index.js'
import { Label } from '../support/Label.js'
import { Jelly } from '../support/materials.js'
import { positionsOf, run } from '../support/play.js'
import { roundedBox } from '../support/shapes.js'
import { palette } from '../support/themes.js'
import { StoryWorld } from '../support/World.js'

/** Frames in a second. */
const rates = [15, 30, 60, 144] as const
const colors = [palette.coral, palette.apricot, palette.mint, palette.azure]

/** The worlds of the lanes, for the test below. */
const lanes = new Map<number, SoftBodyWorldRef>()

/** A world of its own, given its time in frames of 1 / rate: the story's world is only its clock. */
function Lane({ rate, x, color }: { rate: number; x: number; color: string }) {
  const shape = useMemo(() => roundedBox(0.7), [])
  const ref = useRef<SoftBodyWorldRef>(null)
  const frames = useRef(0)
  useEffect(() => {
    lanes.set(rate, ref.current!)
    return () => void lanes.delete(rate)
  }, [rate])
  useAfterStep(({ time, stepIndex, settings: { gravity, substeps } }) => {
    const lane = ref.current
    if (!lane) return
    if (stepIndex === 1) {
      lane.reset()
      frames.current = 0
    }
    lane.world.set({ gravity, substeps })
    while ((frames.current + 1) / rate <= time + 1e-9) {
      lane.world.advance(1 / rate)
      frames.current++
    }
  })
  return (
    <SoftBodyWorld ref={ref} updateLoop="manual">
      <SoftBody position={[x, 1.5, 0]} rotation={[0.4, 0.5, 0.3]} resolution={4}>
        <mesh geometry={shape} castShadow receiveShadow>
          <Jelly color={color} pattern="grid" scale={7} />
        </mesh>
      </SoftBody>
      <Label position={[x, 0.1, 0.95]} width={0.9}>{`${rate} Hz`}</Label>
      <Ground />
    </SoftBodyWorld>
  )
}

function Scene() {
  return (
    <StoryWorld
      world={{ keyboard: false }}
      floor={6.5}
      camera={{ position: [0, 1.9, 7.6], target: [0, 0.55, 0.1], fov: 23 }}
    >
      {rates.map((rate, k) => (
        <Lane key={rate} rate={rate} x={(k - 1.5) * 1.2} color={colors[k]!} />
      ))}
    </StoryWorld>
  )
}

const meta = {
  title: 'World/Frame rates',
  component: Scene,
  parameters: {
    docs: {
      description: {
        component:
          'Four worlds with updateLoop="manual", advanced as by a machine that draws 15, 30, 60 or 144 frames a second.\n\n' +
          'A slow one shows fewer pictures, but of the same fall: a step is always 1/60 s.',
      },
    },
  },
} satisfies Meta<typeof Scene>

export default meta
type Story = StoryObj<typeof meta>

export const FrameRates: Story = { parameters: { shots: { steps: 44 } } }

export const AllFallAlike: Story = {
  tags: ['!dev', '!autodocs'],
  async play() {
    // One second, after which every rate has drawn a whole number of frames.
    await run(60)
    const worlds = rates.map((rate) => lanes.get(rate)!.world)
    await expect(worlds.map(({ stepIndex }) => stepIndex)).toEqual(rates.map(() => 60))
    const shapes = worlds.map((world) => {
      const points = positionsOf(world.bodies[0]!)
      // They stand beside each other, so only heights and depths are alike.
      return points.filter((_, p) => p % 3 > 0)
    })
    for (const shape of shapes) {
      const apart = shape.map((y, p) => Math.abs(y - shapes[0]![p]!))
      // What rounding makes of another place in a second.
      await expect(Math.max(...apart)).toBeLessThan(1e-6)
    }
    await expect(Math.min(...shapes[0]!)).toBeLessThan(0.1)
  },
}
