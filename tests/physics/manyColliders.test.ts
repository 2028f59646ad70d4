// Colliders that are far from a body cost it nothing, and change nothing, however many they are and however they move.
import { describe, expect, it } from 'vitest'
import { box, type ColliderShape, capsule, plane, type Quat, sphere, type Vec3, World } from '../../src/headless.js'
import { Random } from '../support/draw.js'
import { cube } from '../support/lattice.js'

const model = cube(0.3, 2)
const shapes = [() => box([0.4, 0.05, 0.3]), () => sphere(0.3), () => capsule(0.1, 0.5)]

/** Six cubes fall onto colliders that stand, shift and turn, with `far` others 300 m off that do so too. */
function scene(seed: number, far: number, origin: number): World {
  const world = new World({ sleeping: false })
  const random = new Random(seed)
  world.addCollider(plane())
  const movers = Array.from({ length: 6 + far }, (_, k) => {
    const [x, y, z] = random.vector(k < 6 ? 0.8 : 3)
    const at: Vec3 = [origin + x + (k < 6 ? 0 : 300), 0.3 + Math.abs(y), origin + z]
    const rotation = random.rotation()
    const collider = world.addCollider(shapes[k % 3]!(), { position: at, rotation })
    // What turns far in a step could sweep anything: those that are far turn by some degrees.
    const by = k % 2 === 0 ? 0 : k % 4 === 1 && k < 6 ? 1 : 0.05
    const turned = rotation.map((q, d) => q + by * (d === 3 ? -0.7 : 0.5)) as unknown as Quat
    return { collider, at, rotation, turned, way: k % 3 === 0 ? 0 : random.uniform() }
  })
  const drawn = new Random(seed + 1000)
  for (let k = 0; k < 6; k++) {
    const [x, , z] = drawn.vector(0.8)
    world.addBody(model, { position: [origin + x, 1.2 + 0.4 * k, origin + z], rotation: drawn.rotation() })
  }
  world.onBeforeStep(() => {
    const phase = Math.floor(world.stats.steps / 5) % 4
    for (const { collider, at, rotation, turned, way } of movers) {
      collider.setPose([at[0] + (phase % 2) * way, at[1], at[2]], phase < 2 ? rotation : turned)
    }
  })
  return world
}

describe('what is far changes nothing, to the bit', () => {
  it.each([
    [1, 0],
    [2, 0],
    [4, 1e6],
  ])('twenty colliders that move 300 m off, seed %i, %d m from the origin', (seed, origin) => {
    const [alone, among] = [scene(seed, 0, origin), scene(seed, 20, origin)]
    for (let step = 0; step < 40; step++) {
      alone.step()
      among.step()
      expect(among.stats.candidates).toBe(alone.stats.candidates)
    }
    expect(alone.stats.contacts).toBeGreaterThan(0)
    const places = (world: World) =>
      world.bodies.map((body) => body.readPositions(new Float64Array(body.particleCount * 3)))
    expect(places(among)).toEqual(places(alone))
  })
})

describe('each body looks at those that it may come near', () => {
  it.each(['a row', 'a wall'])('ten times as many bodies and colliders, in %s: ten times as many looks', (layout) => {
    const looks = [20, 200].map((count) => {
      let asked = 0
      const { bounds, ...ball } = sphere(0.2)
      const counted: ColliderShape = {
        ...ball,
        get bounds() {
          asked++
          return bounds
        },
      }
      const world = new World({ sleeping: false })
      const side = layout === 'a row' ? count : 20
      for (let k = 0; k < count; k++) {
        const [x, z] = [(k % side) * 2, Math.floor(k / side) * 2]
        world.addCollider(counted, { position: [0, x, z] })
        world.addBody(model, { position: [0, x + 0.36, z] })
      }
      world.step()
      asked = 0
      for (let step = 0; step < 3; step++) world.step()
      return asked
    })
    expect(looks[1]! / looks[0]!).toBeLessThan(11)
  })
})
