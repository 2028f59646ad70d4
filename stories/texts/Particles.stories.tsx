import type { Meta, StoryObj } from '@storybook/react-vite'
import { useMemo } from 'react'
import { expect } from 'storybook/test'
import { Bounds, Particles, SoftBody, type Vec3 } from '../../src/index.js'
import { Jelly } from '../support/materials.js'
import { bodyOf, boundsOf, positionsOf, run } from '../support/play.js'
import { ball } from '../support/shapes.js'
import { palette } from '../support/themes.js'
import { StoryWorld } from '../support/World.js'

interface Args {
  /** Free particles. */
  count: number
  /** [m] */
  radius: number
  restitution: number
  friction: number
  /** [1/s] */
  contactDamping: number
}

const ROOM: Vec3 = [2.6, 2.4, 1.6]

/** Places on a grid with rows that are shifted, so that no two fall alike. */
function cloud(count: number): Vec3[] {
  return Array.from({ length: count }, (_, k) => {
    const [x, y, z] = [k % 12, Math.floor(k / 84), Math.floor(k / 12) % 7]
    return [(x - 5.5) * 0.18 + 0.03 * Math.sin(k), y * 0.16, (z - 3) * 0.18 + 0.03 * Math.cos(3 * k)]
  })
}

function Scene({ count, radius, ...surface }: Args) {
  const places = useMemo(() => cloud(count), [count])
  const shape = useMemo(() => ball(0.42), [])
  return (
    <StoryWorld floor={6} camera={{ position: [1.6, 2.3, 6.4], target: [0, 0.85, 0], fov: 27 }}>
      <Bounds args={ROOM} position={[0, ROOM[1] / 2, 0]} restitution={0.4}>
        <mesh>
          <boxGeometry args={[...ROOM]} />
          <meshBasicMaterial color="#9db8d8" transparent opacity={0.13} depthWrite={false} />
        </mesh>
      </Bounds>
      {[-0.55, 0.6].map((x, k) => (
        <SoftBody key={x} position={[x, 0.45, 0.1 - 0.2 * k]} resolution={5} density={300}>
          <mesh geometry={shape} castShadow receiveShadow>
            <Jelly color={k === 0 ? palette.azure : palette.plum} pattern="grid" scale={8} />
          </mesh>
        </SoftBody>
      ))}
      <Particles positions={places} position={[0, 1.3, 0]} radius={radius} castShadow receiveShadow {...surface}>
        <meshStandardMaterial color={palette.apricot} roughness={0.35} />
      </Particles>
    </StoryWorld>
  )
}

const meta = {
  title: 'From the texts/Free particles',
  component: Scene,
  args: { count: 420, radius: 0.04, restitution: 0.5, friction: 0.3, contactDamping: 0 },
  argTypes: {
    count: { control: { type: 'range', min: 12, max: 2000, step: 12 } },
    radius: { control: { type: 'range', min: 0.01, max: 0.08, step: 0.005 } },
    restitution: { control: { type: 'range', min: 0, max: 1, step: 0.05 } },
    friction: { control: { type: 'range', min: 0, max: 2, step: 0.05 } },
    contactDamping: { control: { type: 'range', min: 0, max: 100, step: 1 } },
  },
  parameters: {
    docs: {
      description: {
        component:
          'Point masses in a room of planes: symplectic Euler, a bounce by the elasticity, friction along the wall. They are ' +
          'stopped by walls and soft bodies, not by each other, and are drawn in one call.',
      },
    },
  },
} satisfies Meta<typeof Scene>

export default meta
type Story = StoryObj<typeof meta>

export const FreeParticles: Story = { parameters: { shots: { steps: 30 } } }

export const AllStayInTheRoom: Story = {
  tags: ['!dev', '!autodocs'],
  async play({ args }) {
    const hook = await run(0)
    const sand = hook.world.world.bodies.find(({ particleCount }) => particleCount === args.count)!
    sand.setVelocity([9, 5, -7], [0, 12, 3])
    hook.world.step(120)
    const x = positionsOf(sand)
    const half = [ROOM[0] / 2, ROOM[1] / 2, ROOM[2] / 2]
    let outside = 0
    let inside = 0
    for (let p = 0; p < x.length; p += 3) {
      const at = [x[p]!, x[p + 1]! - half[1]!, x[p + 2]!]
      if (at.some((part, d) => Math.abs(part) > half[d]! + 0.01)) outside++
      for (const body of hook.world.world.bodies) {
        if (body === sand) continue
        const c = body.centerOfMass([0, 0, 0])
        if (Math.hypot(x[p]! - c[0], x[p + 1]! - c[1], x[p + 2]! - c[2]) < 0.25) inside++
      }
    }
    await expect(outside).toBe(0)
    await expect(inside).toBe(0)
    for (let k = 0; k < 2; k++) await expect(boundsOf(bodyOf(hook, k))[1]!).toBeGreaterThan(-0.02)
  },
}
