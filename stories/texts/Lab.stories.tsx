import type { Meta, StoryObj } from '@storybook/react-vite'
import { useEffect, useMemo, useRef, useState } from 'react'
import { expect, waitFor, within } from 'storybook/test'
import { stages } from '../../src/headless.js'
import { type Body, Ground, SoftBody, useAfterStep, useSoftBodyWorld, type Vec3 } from '../../src/index.js'
import { arrange } from '../support/arrange.js'
import { Buttons } from '../support/Buttons.js'
import { useBunny } from '../support/bunny.js'
import { Jelly } from '../support/materials.js'
import { bodyOf, boundsOf, mouseOn, run, storyHook } from '../support/play.js'
import { palette } from '../support/themes.js'
import { StoryWorld } from '../support/World.js'

interface Args {
  substeps: number
  paused: boolean
  /** Of every edge [m/N]. */
  edgeCompliance: number
  /** Of every tetrahedron's volume [m^5/N]. */
  volumeCompliance: number
  /** How many bunnies. */
  bodies: number
  /** Taken hold of by the pointer. */
  grabber: boolean
}

const colors = Object.values(palette)

/** Where the k-th bunny starts: in rows of three, layer upon layer. */
function placeOf(k: number): Vec3 {
  return [((k % 3) - 1) * 0.95, 0.55 + Math.floor(k / 3) * 1.1, (Math.floor(k / 3) % 2) * 0.15]
}

/** Presses a body flat onto its lowest point. */
function flattened(body: Body): (from: Float64Array) => Float64Array {
  const low = boundsOf(body)[1]!
  return (from) => from.map((at, k) => (k % 3 === 1 ? low + 0.01 + (at - low) * 0.001 : at))
}

/** Lengths of a body's edges [m]. */
function edgesOf(body: Body): number[] {
  const { edges } = body.model
  const x = body.readPositions(new Float64Array(3 * body.particleCount))
  return Array.from({ length: edges.length / 2 }, (_, e) => {
    const [p, q] = [edges[e * 2]! * 3, edges[e * 2 + 1]! * 3]
    return Math.hypot(x[p]! - x[q]!, x[p + 1]! - x[q + 1]!, x[p + 2]! - x[q + 2]!)
  })
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

interface Reading {
  tets: number
  /** Of a step [ms]. */
  time: number
}

/** Tells how many tetrahedra there are, and what a step takes: measured, a mean of half a second. */
function Meter({ onRead, squash }: { onRead: (reading: Reading) => void; squash: number }) {
  const { world } = useSoftBodyWorld()
  const seen = useRef(squash)
  const times = useRef(new Float64Array(stages.length))
  const last = useRef({ seconds: 0, steps: 0 })
  useEffect(() => {
    world.measure(() => performance.now() / 1000)
    return () => world.measure(null)
  }, [world])
  useEffect(() => {
    if (seen.current === squash) return
    seen.current = squash
    for (const body of world.bodies) arrange(world, body, flattened(body))
  }, [world, squash])
  useAfterStep(({ bodies, stats }) => {
    if (stats.steps % 30 !== 1) return
    const seconds = world.readStageTimes(times.current).reduce((sum, time) => sum + time, 0)
    const steps = stats.steps - last.current.steps
    const tets = bodies.reduce((sum, { model }) => sum + model.tets.length / 4, 0)
    onRead({ tets, time: (1000 * (seconds - last.current.seconds)) / Math.max(1, steps) })
    last.current = { seconds, steps: stats.steps }
  })
  return null
}

function Scene({ substeps, paused, edgeCompliance, volumeCompliance, bodies, grabber }: Args) {
  const bunny = useBunny(0.8)
  const [reading, setReading] = useState<Reading>({ tets: 0, time: 0 })
  const [squash, setSquash] = useState(0)
  const world = useMemo(() => ({ substeps, paused }), [substeps, paused])
  return (
    <div style={{ position: 'relative' }}>
      <StoryWorld world={world} floor={6.5} camera={{ position: [0.6, 1.8, 6.4], target: [0, 0.75, 0], fov: 27 }}>
        {Array.from({ length: bodies }, (_, k) => (
          <SoftBody
            // biome-ignore lint/suspicious/noArrayIndexKey: the k-th is the k-th.
            key={k}
            position={placeOf(k)}
            rotation-y={0.4 * k}
            resolution={6}
            density={300}
            youngsModulus={false}
            edgeCompliance={edgeCompliance}
            volumeCompliance={volumeCompliance}
            shapeDamping={1}
            grabbable={grabber}
            rescue={false}
          >
            <mesh geometry={bunny} castShadow receiveShadow>
              <Jelly color={colors[k % colors.length]} />
            </mesh>
          </SoftBody>
        ))}
        <Meter onRead={setReading} squash={squash} />
        <Ground />
      </StoryWorld>
      <output
        style={{
          position: 'absolute',
          inset: '12px auto auto 12px',
          font: '600 13px/1.5 ui-monospace, monospace',
          color: '#3c332e',
          background: '#fffdf9e6',
          padding: '6px 10px',
          borderRadius: 8,
        }}
      >
        {`${reading.tets} tetrahedra, ${reading.time.toFixed(2)} ms a step`}
      </output>
      <Buttons actions={{ Squash: () => setSquash((n) => n + 1) }} />
    </div>
  )
}

const meta = {
  title: 'From the texts/Ten minute lab',
  component: Scene,
  args: { substeps: 10, paused: false, edgeCompliance: 1e-4, volumeCompliance: 0, bodies: 3, grabber: true },
  argTypes: {
    substeps: { control: { type: 'range', min: 1, max: 40, step: 1 } },
    edgeCompliance: { control: { type: 'range', min: 0, max: 0.01, step: 1e-4 } },
    volumeCompliance: { control: { type: 'range', min: 0, max: 1e-6, step: 1e-8 } },
    bodies: { control: { type: 'range', min: 0, max: 9, step: 1 } },
  },
  parameters: {
    docs: {
      description: {
        component:
          'The laboratory of the ten-minute lesson on XPBD: edges with a compliance, volumes with another, and every knob. ' +
          'Squash presses the bodies flat; as they are springs and volumes alone, they rise by themselves.',
      },
    },
  },
} satisfies Meta<typeof Scene>

export default meta
type Story = StoryObj<typeof meta>

export const TenMinuteLab: Story = { parameters: { shots: { steps: 30 } } }

export const ASquashedBunnyRises: Story = {
  tags: ['!dev', '!autodocs', 'long'],
  async play({ canvasElement }) {
    const hook = await run(90)
    const page = within(canvasElement.ownerDocument.body)
    const body = bodyOf(hook)
    const volume = body.volume()
    const height = () => boundsOf(body)[4]! - boundsOf(body)[1]!
    const before = height()
    const shape = edgesOf(body)
    const strain = () => Math.sqrt(mean(edgesOf(body).map((length, k) => (length / shape[k]! - 1) ** 2)))
    page.getByRole('button', { name: 'Squash' }).click()
    await waitFor(() => expect(height()).toBeLessThan(0.1 * before))
    let highest = 0
    for (let k = 0; k < 150; k++) {
      hook.world.step(1)
      highest = Math.max(highest, height())
    }
    // It has its shape again, whether it stands then or has tipped over.
    await expect(highest).toBeGreaterThan(0.75 * before)
    await expect(strain()).toBeLessThan(0.05)
    await expect(body.volume() / volume).toBeGreaterThan(0.9)
    const tets = hook.world.world.bodies.reduce((sum, { model }) => sum + model.tets.length / 4, 0)
    await waitFor(() => expect(page.getByRole('status').textContent).toContain(`${tets} tetrahedra`))
    // What a step takes has been measured by now.
    const [, time] = /([\d.]+) ms/.exec(page.getByRole('status').textContent ?? '') ?? []
    await expect(Number(time)).toBeGreaterThan(0)
  },
}

/** Drags the first bunny upwards, without letting go, and tells by how much it rose [m]. */
async function lifted(canvasElement: HTMLElement): Promise<number> {
  const hook = await run(60)
  const body = bodyOf(hook)
  const before = body.centerOfMass([0, 0, 0])
  const mouse = mouseOn(canvasElement.querySelector('canvas')!)
  const [x, y] = hook.screenOf(before)
  mouse.down([x, y])
  for (let k = 1; k <= 10; k++) {
    mouse.move([x, y - 6 * k])
    hook.world.step(4)
  }
  return body.centerOfMass([0, 0, 0])[1] - before[1]
}

export const EveryKnob: Story = {
  args: { substeps: 4, bodies: 5, edgeCompliance: 2e-3, volumeCompliance: 1e-7 },
  tags: ['!dev', '!autodocs'],
  async play() {
    const { world } = await run(1)
    await expect(world.world.bodies.length).toBe(5)
    await expect(world.world.settings.substeps).toBe(4)
    for (const { settings } of world.world.bodies) {
      await expect(settings.elastic.edges).toEqual({ compliance: 2e-3 })
      await expect(settings.elastic.volumes).toEqual({ compliance: 1e-7 })
    }
  },
}

export const TheGrabberLifts: Story = {
  args: { bodies: 1 },
  tags: ['!dev', '!autodocs'],
  async play({ canvasElement }) {
    await expect(await lifted(canvasElement)).toBeGreaterThan(0.1)
  },
}

export const WithoutItNothingIsLifted: Story = {
  args: { bodies: 1, grabber: false },
  tags: ['!dev', '!autodocs'],
  async play({ canvasElement }) {
    await expect(await lifted(canvasElement)).toBeLessThan(0.02)
  },
}

export const PausedStandsStill: Story = {
  args: { paused: true, bodies: 1 },
  tags: ['!dev', '!autodocs'],
  async play() {
    const { world } = await storyHook()
    for (let frame = 0; frame < 10; frame++) await new Promise(requestAnimationFrame)
    await expect(world.stats.steps).toBe(0)
  },
}
