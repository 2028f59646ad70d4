import type { Meta, StoryObj } from '@storybook/react-vite'
import { useMemo, useRef } from 'react'
import { expect } from 'storybook/test'
import type { Group } from 'three'
import { Attractor, Collider, Particles, SoftBody, useBeforeStep, type Vec3 } from '../../src/index.js'
import { Jelly } from '../support/materials.js'
import { bodyOf, centerOf, positionsOf, run, speedOf } from '../support/play.js'
import { ball, roundedBox } from '../support/shapes.js'
import { palette } from '../support/themes.js'
import { StoryWorld } from '../support/World.js'

interface Args {
  falloff: 'constant' | 'linear' | 'newtonian'
  /** Acceleration at 1 m [m/s^2]. */
  strength: number
  /** Beyond it a planet pulls nothing [m]. */
  range: number
  /** The smaller planet goes to and fro. */
  moving: boolean
}

interface Planet {
  position: Vec3
  radius: number
  color: string
}

/** The second and the third overlap: whichever something is deeper in pushes it out. */
const planets: readonly Planet[] = [
  { position: [-1.35, 1.25, 0], radius: 0.62, color: palette.mint },
  { position: [1.1, 1.2, 0], radius: 0.5, color: palette.apricot },
  { position: [1.55, 1.75, 0], radius: 0.34, color: palette.butter },
]

function World_({ planet, args, moves }: { planet: Planet; args: Args; moves: boolean }) {
  const group = useRef<Group>(null)
  const { position, radius, color } = planet
  useBeforeStep(({ time }) => {
    if (moves) group.current!.position.x = position[0] + 0.3 * Math.sin(0.6 * time)
  })
  return (
    <group ref={group} position={position}>
      <Collider.Sphere args={[radius]}>
        <mesh castShadow receiveShadow>
          <sphereGeometry args={[radius, 64, 40]} />
          <meshStandardMaterial color={color} roughness={0.75} />
        </mesh>
      </Collider.Sphere>
      <Attractor strength={args.strength * radius} falloff={args.falloff} radius={radius} range={args.range} />
    </group>
  )
}

function dust(count: number): Vec3[] {
  return Array.from({ length: count }, (_, k) => {
    const angle = k * 2.399963
    const r = 0.35 + 0.9 * Math.sqrt((k + 0.5) / count)
    return [r * Math.cos(angle), 0.5 * Math.sin(7 * k), r * Math.sin(angle)]
  })
}

function Scene(args: Args) {
  const [round, square] = useMemo(() => [ball(0.2), roundedBox(0.34)], [])
  const places = useMemo(() => dust(160), [])
  return (
    <StoryWorld
      world={{ gravity: [0, 0, 0] }}
      floor={7}
      camera={{ position: [0, 1.9, 7.2], target: [0, 1.3, 0], fov: 27 }}
      contact={false}
    >
      {planets.map((planet, k) => (
        <World_ key={planet.color} planet={planet} args={args} moves={args.moving && k === 0} />
      ))}
      <SoftBody position={[-0.2, 2.2, 0]} resolution={4} density={300} shapeDamping={3}>
        <mesh geometry={round} castShadow receiveShadow>
          <Jelly color={palette.coral} pattern="dots" scale={10} />
        </mesh>
      </SoftBody>
      <SoftBody position={[2.3, 1, 0.1]} rotation={[0.3, 0.4, 0]} resolution={4} density={300} shapeDamping={3}>
        <mesh geometry={square} castShadow receiveShadow>
          <Jelly color={palette.azure} pattern="grid" scale={10} />
        </mesh>
      </SoftBody>
      <Particles
        positions={places}
        position={[-1.35, 1.25, 0]}
        radius={0.025}
        restitution={0.3}
        contactDamping={3}
        castShadow
      >
        <meshStandardMaterial color={palette.plum} roughness={0.5} />
      </Particles>
    </StoryWorld>
  )
}

const meta = {
  title: 'From the texts/Planets',
  component: Scene,
  args: { falloff: 'newtonian', strength: 9.81, range: 6, moving: false },
  argTypes: {
    falloff: { control: 'inline-radio', options: ['constant', 'linear', 'newtonian'] },
    strength: { control: { type: 'range', min: -20, max: 40, step: 0.5 } },
    range: { control: { type: 'range', min: 0.5, max: 10, step: 0.1 } },
  },
  parameters: {
    docs: {
      description: {
        component:
          'Radial gravity: each planet is an `<Attractor>` and a sphere that stands still. Where planets overlap, of a point’s ' +
          'colliders the deepest counts first. Switch `moving` on, and the first takes along what lies on it.',
      },
    },
  },
} satisfies Meta<typeof Scene>

export default meta
type Story = StoryObj<typeof meta>

export const Planets: Story = { parameters: { shots: { steps: 50 } } }

export const WhatFallsStaysOnAPlanet: Story = {
  tags: ['!dev', '!autodocs'],
  async play() {
    const hook = await run(0)
    hook.world.step(420)
    /** How far a point is above the nearest planet [m]. */
    const height = (x: number, y: number, z: number) =>
      Math.min(
        ...planets.map(
          ({ position, radius }) => Math.hypot(x - position[0], y - position[1], z - position[2]) - radius,
        ),
      )
    for (let k = 0; k < 2; k++) {
      const body = bodyOf(hook, k)
      const x = positionsOf(body)
      for (let p = 0; p < x.length; p += 3) await expect(height(x[p]!, x[p + 1]!, x[p + 2]!)).toBeGreaterThan(-0.01)
      const [cx, cy, cz] = centerOf(body)
      await expect(height(cx, cy, cz)).toBeLessThan(0.25)
      await expect(speedOf(body)).toBeLessThan(0.3)
    }
    const dustNow = positionsOf(bodyOf(hook, 2))
    for (let p = 0; p < dustNow.length; p += 3) {
      await expect(height(dustNow[p]!, dustNow[p + 1]!, dustNow[p + 2]!)).toBeGreaterThan(0.02)
    }
  },
}
