import type { Meta, StoryObj } from '@storybook/react-vite'
import { useMemo, useRef } from 'react'
import { expect } from 'storybook/test'
import { Collider, Ground, SoftBody, type SoftBodyRef, useBeforeStep } from '../../src/index.js'
import { Jelly, Rubber } from '../support/materials.js'
import { bodyOf, boundsOf, run } from '../support/play.js'
import { ball } from '../support/shapes.js'
import { palette, wood } from '../support/themes.js'
import { StoryWorld } from '../support/World.js'

interface Args {
  /** Seconds of the simulation in a second of the clock. */
  timeScale: number
}

/** Time from one fall to the next [s]. */
const PERIOD = 2.5
const BAR = 0.09
const HEIGHT = 0.75

function Falling() {
  const shape = useMemo(() => ball(0.42), [])
  const body = useRef<SoftBodyRef>(null)
  useBeforeStep(({ stepIndex }, dt) => {
    if (stepIndex > 0 && stepIndex % Math.round(PERIOD / dt) === 0) body.current?.reset()
  })
  return (
    <SoftBody ref={body} position={[0.03, 1.75, 0]} resolution={6} youngsModulus={1.5e4} shapeDamping={1}>
      <mesh geometry={shape} castShadow receiveShadow>
        <Jelly color={palette.coral} pattern="grid" scale={8} />
      </mesh>
    </SoftBody>
  )
}

function Scene({ timeScale }: Args) {
  return (
    <StoryWorld
      world={{ timeScale }}
      theme="dark"
      floor={4.5}
      camera={{ position: [0.9, 1.3, 4.7], target: [0, 0.72, 0], fov: 24 }}
    >
      <Falling />
      <Collider.Capsule args={[BAR, 1.5]} position={[0, HEIGHT, 0]} rotation-x={Math.PI / 2}>
        <mesh castShadow receiveShadow>
          <capsuleGeometry args={[BAR, 1.5, 12, 32]} />
          <Rubber color={wood} />
        </mesh>
      </Collider.Capsule>
      {[-0.72, 0.72].map((z) => (
        <mesh key={z} position={[0, HEIGHT / 2, z]} castShadow receiveShadow>
          <cylinderGeometry args={[0.035, 0.035, HEIGHT, 20]} />
          <Rubber color={wood} />
        </mesh>
      ))}
      <Ground />
    </StoryWorld>
  )
}

const meta = {
  title: 'World/Slow motion',
  component: Scene,
  args: { timeScale: 0.2 },
  argTypes: { timeScale: { control: { type: 'range', min: 0, max: 2, step: 0.05 } } },
  parameters: {
    docs: {
      description: {
        component:
          'timeScale is how many seconds pass in the world in a second of the clock. The steps stay as long as they are, ' +
          'only fewer are taken: slow motion shows the same motion, and costs less.\n\n' +
          'What is drawn lies between two steps, so it stays smooth.',
      },
    },
  },
} satisfies Meta<typeof Scene>

export default meta
type Story = StoryObj<typeof meta>

export const SlowMotion: Story = { parameters: { shots: { steps: 37 } } }

export const TakesFewerSteps: Story = {
  tags: ['!dev', '!autodocs'],
  args: { timeScale: 0.25 },
  async play() {
    const { world } = (await run(0)).world
    world.set({ paused: false })
    let steps = 0
    // A frame of one step at full speed: at a quarter of it every fourth takes one.
    for (let frame = 0; frame < 40; frame++) steps += world.advance(1 / 60)
    world.set({ paused: true })
    await expect(steps).toBe(10)
    // The jelly has hit the bar after a step count that the scale does not change.
    const ball = bodyOf(await run(0))
    await expect(ball.maxStrain()).toBeLessThan(0.2)
    const hit = bodyOf(await run(25))
    await expect(hit.maxStrain()).toBeGreaterThan(0.3)
    await expect(boundsOf(hit)[4]).toBeGreaterThan(HEIGHT)
  },
}
