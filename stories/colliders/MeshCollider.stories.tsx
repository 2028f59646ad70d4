import type { Meta, StoryObj } from '@storybook/react-vite'
import { useMemo } from 'react'
import { expect } from 'storybook/test'
import { DoubleSide, LatheGeometry, Vector2 } from 'three'
import { TeapotGeometry } from 'three/addons/geometries/TeapotGeometry.js'
import { Cloth, Collider, Ground, SoftBody } from '../../src/index.js'
import { Balloon, Fabric, Jelly } from '../support/materials.js'
import { bodyOf, boundsOf, centerOf, positionsOf, run } from '../support/play.js'
import { ball } from '../support/shapes.js'
import { palette, wood } from '../support/themes.js'
import { StoryWorld } from '../support/World.js'

const POT = 0.32
const POT_X = -0.7
const BOWL = 0.62
const BOWL_X = 0.85

/** Part of a sphere, open above, that stands on the ground. */
function bowlGeometry(): LatheGeometry {
  const profile = Array.from({ length: 17 }, (_, k) => {
    const angle = (k / 16) * 1.25
    return new Vector2(BOWL * Math.sin(angle), BOWL * (1 - Math.cos(angle)))
  })
  return new LatheGeometry(profile, 48)
}

function Scene() {
  const teapot = useMemo(() => new TeapotGeometry(POT, 8), [])
  const bowl = useMemo(() => bowlGeometry(), [])
  const jelly = useMemo(() => ball(0.26), [])
  return (
    <StoryWorld floor={6} camera={{ position: [0.2, 3.3, 5], target: [0.05, 0.25, 0], fov: 21.5 }}>
      <Collider.Mesh position={[POT_X, POT, 0]} rotation-y={-0.5} friction={0.4}>
        <mesh geometry={teapot} castShadow receiveShadow>
          <Balloon color={palette.mint} />
        </mesh>
      </Collider.Mesh>
      <Cloth
        position={[POT_X, 1, 0]}
        rotation-x={-Math.PI / 2}
        args={[0.9, 0.9, 28, 28]}
        damping={0.6}
        bendRigidity={4e-4}
        castShadow
        receiveShadow
      >
        <Fabric color="#fbf3e4" ink={palette.coral} weave="check" repeat={[5, 5]} />
      </Cloth>
      <Collider.Mesh position={[BOWL_X, 0, 0]}>
        <mesh geometry={bowl} castShadow receiveShadow>
          <meshPhysicalMaterial color={wood} roughness={0.5} clearcoat={0.4} side={DoubleSide} />
        </mesh>
      </Collider.Mesh>
      <SoftBody position={[BOWL_X + 0.28, 0.85, 0.05]} resolution={6} youngsModulus={3e4} shapeDamping={3}>
        <mesh geometry={jelly} castShadow receiveShadow>
          <Jelly color={palette.coral} pattern="grid" scale={7} />
        </mesh>
      </SoftBody>
      <Ground />
    </StoryWorld>
  )
}

const meta = {
  title: 'Colliders/Mesh',
  component: Scene,
  parameters: {
    docs: {
      description: {
        component:
          'Any triangle mesh stops bodies: wrap it in a Collider.Mesh. A closed mesh is solid; an open one, as the teapot ' +
          'and the bowl are, is a thin sheet that is hit from either side.\n\n' +
          'The geometry is searched through a tree that is built once, however many colliders share it. Collider.Hull is ' +
          'the convex hull of a mesh, for less.',
      },
    },
  },
} satisfies Meta<typeof Scene>

export default meta
type Story = StoryObj<typeof meta>

export const MeshCollider: Story = { name: 'Mesh', parameters: { shots: { steps: 90 } } }

export const DrapesAndHolds: Story = {
  tags: ['!dev', '!autodocs'],
  async play() {
    const hook = await run(72)
    // The cloth lies on the pot, whose knob is at 1.5 times its size and more, and hangs down beside it.
    const [, low, , , high] = boundsOf(bodyOf(hook, 0))
    await expect(high!).toBeGreaterThan(1.4 * POT)
    await expect(low!).toBeLessThan(1.1 * POT)
    // The jelly is in the bowl, none of it through.
    const jelly = bodyOf(hook, 1)
    const x = positionsOf(jelly)
    let farthest = 0
    for (let p = 0; p < x.length; p += 3) {
      farthest = Math.max(farthest, Math.hypot(x[p]! - BOWL_X, x[p + 1]! - BOWL, x[p + 2]!))
    }
    await expect(farthest).toBeLessThan(BOWL)
    await expect(Math.hypot(centerOf(jelly)[0] - BOWL_X, centerOf(jelly)[2])).toBeLessThan(0.25)
  },
}
