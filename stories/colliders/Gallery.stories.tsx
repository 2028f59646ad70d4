import type { Meta, StoryObj } from '@storybook/react-vite'
import { type ReactNode, useMemo } from 'react'
import { expect } from 'storybook/test'
import { Collider, Ground, SoftBody } from '../../src/index.js'
import { Label } from '../support/Label.js'
import { Jelly, Rubber } from '../support/materials.js'
import { bodyOf, positionsOf, run } from '../support/play.js'
import { lentil } from '../support/shapes.js'
import { palette, wood } from '../support/themes.js'
import { StoryWorld } from '../support/World.js'

const BOX = [0.42, 0.5, 0.42] as const
const BALL = 0.3
const CAPSULE = [0.24, 0.4] as const
const CYLINDER = [0.2, 0.6] as const

/** What draws a collider is its child. */
function Drawn({ children }: { children: ReactNode }) {
  return (
    <mesh castShadow receiveShadow>
      {children}
      <Rubber color={wood} />
    </mesh>
  )
}

const shapes: { name: string; color: string; collider: ReactNode; top: number }[] = [
  { name: 'Ground', color: palette.azure, collider: null, top: 0 },
  {
    name: 'Collider.Box',
    color: palette.mint,
    top: BOX[1],
    collider: (
      <Collider.Box args={BOX} position-y={BOX[1] / 2} rotation-y={0.4}>
        <Drawn>
          <boxGeometry args={[...BOX]} />
        </Drawn>
      </Collider.Box>
    ),
  },
  {
    name: 'Collider.Sphere',
    color: palette.butter,
    top: 2 * BALL,
    collider: (
      <Collider.Sphere args={[BALL]} position-y={BALL}>
        <Drawn>
          <sphereGeometry args={[BALL, 48, 32]} />
        </Drawn>
      </Collider.Sphere>
    ),
  },
  {
    name: 'Collider.Capsule',
    color: palette.apricot,
    top: 2 * CAPSULE[0],
    collider: (
      <Collider.Capsule args={CAPSULE} position-y={CAPSULE[0]} rotation={[0, 0.7, Math.PI / 2]}>
        <Drawn>
          <capsuleGeometry args={[...CAPSULE, 12, 32]} />
        </Drawn>
      </Collider.Capsule>
    ),
  },
  {
    name: 'Collider.Cylinder',
    color: palette.coral,
    top: CYLINDER[1],
    collider: (
      <Collider.Cylinder args={CYLINDER} position-y={CYLINDER[1] / 2}>
        <Drawn>
          <cylinderGeometry args={[CYLINDER[0], CYLINDER[0], CYLINDER[1], 48]} />
        </Drawn>
      </Collider.Cylinder>
    ),
  },
]

function Scene() {
  const blob = useMemo(() => lentil(0.5, 0.36), [])
  return (
    <StoryWorld floor={7.5} camera={{ position: [0, 2.9, 10.5], target: [0, 0.3, 0.2], fov: 24 }}>
      {shapes.map(({ name, color, collider, top }, k) => (
        <group key={name} position-x={(k - 2) * 1.24}>
          {collider}
          <SoftBody position={[0, top + 0.55, 0]} resolution={5} youngsModulus={9e3} shapeDamping={6} friction={1}>
            <mesh geometry={blob} castShadow receiveShadow>
              <Jelly color={color} pattern="grid" scale={6} />
            </mesh>
          </SoftBody>
          <Label position={[0, 0.1, 1.5]} width={1.15}>
            {name}
          </Label>
        </group>
      ))}
      <Ground />
    </StoryWorld>
  )
}

const meta = {
  title: 'Colliders/Gallery',
  component: Scene,
  parameters: {
    docs: {
      description: {
        component:
          'Soft jelly on a plane, a box, a sphere, a capsule and a cylinder.\n\n' +
          'Their args are those of three’s geometries. A collider draws its children, and stops bodies without them too.',
      },
    },
  },
} satisfies Meta<typeof Scene>

export default meta
type Story = StoryObj<typeof meta>

export const Gallery: Story = { parameters: { shots: { steps: 64 } } }

/** Distance of a point from the axis of what stands or lies at `x` [m]; no particle may come nearer than the radius. */
const clearances: Record<number, (x: number, y: number, z: number) => number> = {
  2: (x, y, z) => Math.hypot(x, y - BALL, z) - BALL,
  4: (x, y, z) => Math.max(Math.hypot(x, z) - CYLINDER[0], y - CYLINDER[1]),
}

export const NothingSinksIn: Story = {
  tags: ['!dev', '!autodocs'],
  async play() {
    const hook = await run(60)
    for (const k of shapes.keys()) {
      const points = positionsOf(bodyOf(hook, k))
      const clear = clearances[k] ?? ((_x: number, y: number) => y)
      let least = Number.POSITIVE_INFINITY
      let highest = 0
      for (let p = 0; p < points.length; p += 3) {
        least = Math.min(least, clear(points[p]! - (k - 2) * 1.24, points[p + 1]!, points[p + 2]!))
        highest = Math.max(highest, points[p + 1]!)
      }
      await expect(least).toBeGreaterThan(-0.005)
      // It is held up by what is below it.
      await expect(highest).toBeGreaterThan(shapes[k]!.top)
    }
  },
}
