// The nearest surface of a collider is not always where a point came in: of what is round it turns, at a rim it changes.
import { BoxGeometry, ConeGeometry, IcosahedronGeometry, OctahedronGeometry, TetrahedronGeometry } from 'three'
import { describe, expect, it } from 'vitest'
import { type Body, box, capsule, presets, type Quat, softBodyModel, sphere, World } from '../../src/headless.js'
import { Random } from '../support/draw.js'
import { positionsOf, run } from '../support/laws.js'
import { long } from '../support/long.js'
import { fromGeometry } from '../support/meshes.js'

const seedsOf = (quick: readonly number[], count: number) => [
  ...quick,
  ...long(...Array.from({ length: count }, (_, k) => 100 + k)),
]

/** How deep the surface of a body is in something, `distance` from it [m]. */
function depthOf(body: Body, distance: (x: number, y: number, z: number) => number): number {
  const x = positionsOf(body)
  let most = 0
  for (const i of new Set(body.model.triangles)) {
    most = Math.max(most, -distance(x[i * 3]!, x[i * 3 + 1]!, x[i * 3 + 2]!))
  }
  return most
}

const thrown = [
  new BoxGeometry(0.25, 0.25, 0.25),
  new BoxGeometry(0.3, 0.2, 0.15),
  new IcosahedronGeometry(0.14, 2),
].map(fromGeometry)

describe('a solid thrown at something round, at 5 to 60 m/s, is nowhere in it', () => {
  const LENGTH = 0.6
  const round = {
    'a capsule, across': (r: number) =>
      [
        capsule(r, LENGTH),
        (x: number, y: number, z: number) => Math.hypot(x, y - Math.max(-LENGTH / 2, Math.min(LENGTH / 2, y)), z) - r,
      ] as const,
    'a ball': (r: number) => [sphere(r), (x: number, y: number, z: number) => Math.hypot(x, y, z) - r] as const,
  }
  for (const [name, make] of Object.entries(round)) {
    for (const seed of seedsOf([1, 2, 3, 4], 30)) {
      it(`${name}, seed ${seed}`, () => {
        const random = new Random(seed)
        const r = random.uniform(0.05, 0.15)
        const [shape, distance] = make(r)
        const world = new World({ gravity: [0, 0, 0], maxSpeed: 500 })
        world.addCollider(shape)
        const { model } = softBodyModel(thrown[random.integer(0, 2)]!, { resolution: random.integer(4, 7) })
        const body = world.addBody(model, {
          ...presets[(['firm', 'rubber', 'jelly'] as const)[random.integer(0, 2)]!],
          rotation: random.rotation(),
          position: [-r - 0.4, random.uniform(-0.1, 0.1), random.uniform(-0.1, 0.1)],
        })
        const speed = random.uniform(5, 60)
        body.applyImpulse([speed * body.mass, 0, 0])
        let deepest = 0
        run(world, 0.6 / speed + 0.2, () => {
          deepest = Math.max(deepest, depthOf(body, distance))
        })
        expect(deepest).toBeLessThan(1e-3)
        expect(world.stats).toMatchObject({ contactClamps: 0, nonFiniteRescues: 0 })
      })
    }
  }
})

describe('a solid dropped on the rim of a box, at 1 to 8 m/s, is nowhere in it', () => {
  const dropped = [
    new BoxGeometry(0.4, 0.4, 0.4),
    new ConeGeometry(0.25, 0.5, 10),
    new OctahedronGeometry(0.3),
    new TetrahedronGeometry(0.35),
  ].map(fromGeometry)
  const half = [3, 0.5, 3] as const
  const distance = (x: number, y: number, z: number) =>
    Math.max(Math.abs(x) - half[0], Math.abs(y) - half[1], Math.abs(z) - half[2])
  for (const seed of seedsOf([1, 2, 3, 4, 5, 6], 40)) {
    it(`seed ${seed}`, () => {
      const random = new Random(seed)
      const world = new World()
      world.addCollider(box(half))
      const { model } = softBodyModel(dropped[random.integer(0, 3)]!, { resolution: random.integer(2, 4) })
      const rotation: Quat = random.rotation()
      const body = world.addBody(model, { ...presets[(['firm', 'rubber'] as const)[random.integer(0, 1)]!], rotation })
      const bottom = body.bounds(new Float64Array(6))[1]!
      body.teleport([3 + random.uniform(-0.15, 0.05), half[1] + 0.02 - bottom, random.uniform(-1, 1)], rotation)
      body.applyImpulse([0, -random.uniform(1, 8) * body.mass, 0])
      let deepest = 0
      run(world, 0.5, () => {
        deepest = Math.max(deepest, depthOf(body, distance))
      })
      expect(deepest).toBeLessThan(1e-3)
    })
  }
})
