import type { Meta, StoryObj } from '@storybook/react-vite'
import { useMemo, useRef } from 'react'
import { expect } from 'storybook/test'
import { Color, type Mesh, type MeshStandardMaterial } from 'three'
import { Ground, SoftBody, type SoftBodyRef, useAfterStep } from '../../src/index.js'
import { Label } from '../support/Label.js'
import { bodyOf, run, runUntilAsleep } from '../support/play.js'
import { roundedBox } from '../support/shapes.js'
import { palette } from '../support/themes.js'
import { StoryWorld } from '../support/World.js'

const SIZE = 0.3
const SPACE = 0.42
const ROWS = 5
const places = Array.from({ length: ROWS * ROWS }, (_, k): [number, number] => [
  ((k % ROWS) - (ROWS - 1) / 2) * SPACE,
  (Math.floor(k / ROWS) - (ROWS - 1) / 2) * SPACE,
])
const awake = new Color(palette.coral)
const asleep = new Color(palette.azure)

/** A cube that is red while it is awake, and blue while it sleeps. */
function Sleeper({ x, z, height, geometry }: { x: number; z: number; height: number; geometry: Mesh['geometry'] }) {
  const body = useRef<SoftBodyRef>(null)
  const material = useRef<MeshStandardMaterial>(null)
  useAfterStep(() => {
    // A short way from one to the other, so that the eye sees it happen.
    if (body.current && material.current) material.current.color.lerp(body.current.asleep ? asleep : awake, 0.6)
  })
  return (
    <SoftBody
      ref={body}
      position={[x, SIZE / 2 + height, z]}
      resolution={3}
      density={300}
      youngsModulus={6e4}
      shapeDamping={8}
    >
      <mesh geometry={geometry} castShadow receiveShadow>
        <meshStandardMaterial ref={material} color={awake} roughness={0.45} />
      </mesh>
    </SoftBody>
  )
}

function Scene() {
  const geometry = useMemo(() => roundedBox(SIZE), [])
  return (
    <StoryWorld floor={7} camera={{ position: [1.2, 2.4, 4.6], target: [0, 0.2, 0], fov: 27 }}>
      {places.map(([x, z], k) => (
        <Sleeper key={`${x} ${z}`} x={x} z={z} height={0.02 + 0.05 * ((k * 7) % ROWS)} geometry={geometry} />
      ))}
      {[
        { x: -0.55, name: 'awake', color: awake },
        { x: 0.35, name: 'asleep', color: asleep },
      ].map(({ x, name, color }) => (
        <group key={name} position={[x, 0.06, 1.45]}>
          <mesh>
            <sphereGeometry args={[0.06, 24, 16]} />
            <meshStandardMaterial color={color} roughness={0.45} />
          </mesh>
          <Label position={[0.28, 0, 0]} width={0.6}>
            {name}
          </Label>
        </group>
      ))}
      <Ground />
    </StoryWorld>
  )
}

const meta = {
  title: 'World/Sleeping field',
  component: Scene,
  parameters: {
    docs: {
      description: {
        component:
          'What rests for half a second falls asleep (blue) and costs nothing any more: no integration, no constraint, no search ' +
          'for contacts.\n\nPoke one: it wakes (red), alone, and sleeps again. Push it against its neighbour and both are awake.',
      },
    },
  },
} satisfies Meta<typeof Scene>

export default meta
type Story = StoryObj<typeof meta>

export const SleepingField: Story = { parameters: { shots: { steps: 88 } } }

export const OneIsWoken: Story = {
  tags: ['!dev', '!autodocs'],
  async play() {
    const hook = await run(60)
    const { constraints } = hook.world.stats
    await expect(constraints).toBeGreaterThan(0)
    runUntilAsleep(hook, 300)
    await expect(hook.world.stats.sleeping).toBe(places.length)
    hook.world.step(1)
    await expect(hook.world.stats.constraints).toBe(0)
    bodyOf(hook, 12).applyImpulse([0, 6, 0])
    await run(2)
    await expect(bodyOf(hook, 12).asleep).toBe(false)
    await expect(hook.world.stats.sleeping).toBe(places.length - 1)
    // One body's share of the work of all.
    await expect(hook.world.stats.constraints * places.length).toBe(constraints)
    runUntilAsleep(hook, 300)
    await expect(hook.world.stats.sleeping).toBe(places.length)
  },
}
