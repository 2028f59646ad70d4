// Rays: those of the world's ref, and those that fiber casts at the meshes for pointer events, on what is deformed.
import { createRef } from 'react'
import { BoxGeometry, type Group, type Intersection, Mesh, Raycaster, SphereGeometry, Vector3 } from 'three'
import { describe, expect, it } from 'vitest'
import { Cloth, Collider, Ground, SoftBody, type SoftBodyRef } from '../../src/index.js'
import { seededRandom } from '../support/random.js'
import { mount } from './mount.js'

const weightless = { gravity: [0, 0, 0], updateLoop: 'manual' } as const
const box = new BoxGeometry()

describe("the world's ref", () => {
  it('says what a ray meets: a body with its ref and mesh, a collider with its group', async () => {
    const [ball, sheet, wall] = [createRef<SoftBodyRef>(), createRef<SoftBodyRef>(), createRef<Group>()]
    const mounted = await mount(
      <>
        <SoftBody ref={ball} geometry={box} resolution={3} position={[0, 2, 0]} />
        <Cloth ref={sheet} args={[1, 1, 4, 4]} position={[3, 0, 0]} />
        <Collider.Box ref={wall} position={[-3, 0, 0]} />
      </>,
      weightless,
    )
    const { world } = mounted
    const down = world.raycast([0.1, 5, 0.1], [0, -1, 0])!
    expect([down.ref, down.object, down.body]).toEqual([ball.current, ball.current!.mesh, ball.current!.body])
    expect(down.distance).toBeCloseTo(2.5, 6)
    const front = world.raycast([3.1, 0.1, 5], [0, 0, -1])!
    expect([front.ref, front.object]).toEqual([sheet.current, sheet.current!.mesh])
    const side = world.raycast([-9, 0, 0], [1, 0, 0])!
    expect([side.ref, side.object, side.distance]).toEqual([null, wall.current, 5.5])
    expect(world.raycast([0, 9, 0], [0, 1, 0])).toBeNull()
    // What was hit can be followed, and pushed.
    ball.current!.applyImpulse([0, 0, 5], down.region!)
    world.step(30)
    expect(ball.current!.pointOf(down.region!, [0, 0, 0])[2]).toBeGreaterThan(down.point[2])
    const near = world.overlapSphere([0, 2, 0], 1.2)
    expect(near.bodies.map(({ ref, object }) => [ref, object])).toEqual([[ball.current, ball.current!.mesh]])
    expect(near.bodies[0]!.particles.length).toBe(ball.current!.particleCount)
    expect(world.overlapSphere([-3, 0, 0], 0.1).colliders.map(({ object }) => object)).toEqual([wall.current])
    await mounted.unmount()
    expect(world.raycast([0.1, 5, 0.1], [0, -1, 0])).toBeNull()
    expect(world.overlapSphere([0, 2, 0], 1)).toEqual({ bodies: [], colliders: [] })
    world.applyRadialImpulse([0, 0, 0], 1, 1)
  })

  it('blasts bodies apart, and asks for a frame on demand', async () => {
    const refs = [createRef<SoftBodyRef>(), createRef<SoftBodyRef>()]
    const mounted = await mount(
      refs.map((ref, k) => (
        <SoftBody
          key={k === 0 ? 'left' : 'right'}
          ref={ref}
          geometry={box}
          resolution={3}
          position={[2 * k - 1, 0, 0]}
        />
      )),
      weightless,
    )
    mounted.world.applyRadialImpulse([0, 0, 0], 1000, 5)
    const [left, right] = refs.map((ref) => ref.current!.velocity([0, 0, 0])[0])
    expect(right).toBeGreaterThan(0.3)
    expect(left! / right!).toBeCloseTo(-1, 6)
    await mounted.unmount()
  })
})

/** What three would find for a mesh with the same vertices where they are drawn, with bounds of its own. */
function expected(mesh: Mesh, raycaster: Raycaster): Intersection[] {
  const geometry = mesh.geometry.clone()
  geometry.boundingSphere = null
  geometry.boundingBox = null
  const copy = new Mesh(geometry, mesh.material)
  copy.matrixWorld.copy(mesh.matrixWorld)
  return raycaster.intersectObject(copy)
}

describe('a ray of a pointer event at a body that has moved and is deformed', () => {
  it.each([
    [
      'a solid',
      <SoftBody key="solid" geometry={new SphereGeometry(0.5, 32, 20)} resolution={5} position={[0, 1.2, 0]} />,
    ],
    ['a cloth', <Cloth key="cloth" args={[1, 1, 12, 12]} position={[0, 1.2, 0]} rotation-x={-1.2} />],
  ])('meets %s where it is drawn, and nowhere else, seed 3', async (_, body) => {
    const mounted = await mount(
      <>
        {body}
        <Ground />
      </>,
      { updateLoop: 'manual' },
    )
    const [engine] = mounted.world.world.bodies
    const random = seededRandom(3)
    const mesh = mounted.state.scene.getObjectByProperty('isMesh', true) as Mesh
    const start = mesh.geometry.boundingSphere!.center.clone().applyMatrix4(mesh.matrixWorld)
    // Thrown aside, and pressed flat by the ground meanwhile: far from where its bounds were at mount.
    engine!.setVelocity([6, -2, 0], [0, 2, 3])
    const raycaster = new Raycaster()
    let met = 0
    for (const steps of [20, 25]) {
      mounted.world.step(steps)
      const center = new Vector3(...engine!.centerOfMass([0, 0, 0]))
      expect(center.distanceTo(start)).toBeGreaterThan(1)
      for (let k = 0; k < 60; k++) {
        const aside = new Vector3(random() - 0.5, random() - 0.5, random() - 0.5).multiplyScalar(1.4)
        const origin = center.clone().add(new Vector3(random() - 0.5, random() + 0.2, random() - 0.5).setLength(4))
        raycaster.set(origin, center.clone().add(aside).sub(origin).normalize())
        const hits = raycaster.intersectObject(mesh)
        const right = expected(mesh, raycaster)
        expect(hits.map(({ distance, faceIndex }) => [distance, faceIndex])).toEqual(
          right.map(({ distance, faceIndex }) => [distance, faceIndex]),
        )
        met += hits.length
      }
      // Where it was, nothing is left to hit.
      raycaster.set(start.clone().add(new Vector3(0, 0, 4)), new Vector3(0, 0, -1))
      expect(raycaster.intersectObject(mesh)).toEqual([])
    }
    expect(met).toBeGreaterThan(40)
    await mounted.unmount()
  })
})
