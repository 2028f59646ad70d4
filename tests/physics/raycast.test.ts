// Rays and spheres among bodies as they are deformed, and colliders.
import { IcosahedronGeometry, PlaneGeometry, Quaternion, TorusGeometry, Vector3 } from 'three'
import { describe, expect, it } from 'vitest'
import {
  type Body,
  box,
  type Collider,
  type ColliderShape,
  capsule,
  clothModel,
  cylinder,
  heightfield,
  hull,
  ModelBuilder,
  mesh,
  plane,
  presets,
  type RayHit,
  ropeModel,
  sphere,
  type TriangleMesh,
  type Vec3,
  World,
} from '../../src/headless.js'
import { Random, seeds } from '../support/draw.js'
import { ball, cube } from '../support/lattice.js'
import { particle, positionsOf, run } from '../support/laws.js'
import { fromGeometry } from '../support/meshes.js'

const still = { gravity: [0, 0, 0] } as const
const dot = (a: readonly number[], b: readonly number[]) => a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!
const minus = (a: readonly number[], b: readonly number[]): Vec3 => [a[0]! - b[0]!, a[1]! - b[1]!, a[2]! - b[2]!]
const cross = (a: Vec3, b: Vec3): Vec3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
]

function trianglesOf({ index, positions }: TriangleMesh): Uint32Array {
  return index ? Uint32Array.from(index) : Uint32Array.from({ length: positions.length / 3 }, (_, vertex) => vertex)
}

/** Where a point of a body's rest shape is at the body's initial pose. */
function centerTo(body: Body, [x, y, z]: Vec3): Vec3 {
  const { position, rotation } = body.settings
  return new Vector3(x, y, z)
    .applyQuaternion(new Quaternion(...rotation))
    .add(new Vector3(...position))
    .toArray()
}

/** Distance of the nearest triangle on a ray, by the sides of its edges on which the ray passes. */
function nearestOf(body: Body, origin: Vec3, direction: Vec3): number {
  const x = positionsOf(body)
  const at = (i: number): Vec3 => [x[3 * i]!, x[3 * i + 1]!, x[3 * i + 2]!]
  let nearest = Number.POSITIVE_INFINITY
  const { triangles } = body.model
  for (let t = 0; t < triangles.length; t += 3) {
    const corners = [0, 1, 2].map((k) => minus(at(triangles[t + k]!), origin)) as [Vec3, Vec3, Vec3]
    const sides = corners.map((corner, k) => dot(direction, cross(corner, corners[(k + 1) % 3]!)))
    if (!(sides.every((side) => side > 0) || sides.every((side) => side < 0))) continue
    const normal = cross(minus(corners[1], corners[0]), minus(corners[2], corners[0]))
    const distance = dot(normal, corners[0]) / dot(normal, direction)
    if (distance >= 0) nearest = Math.min(nearest, distance)
  }
  return nearest
}

/** A jelly that was struck, and so is far from its rest shape. */
function deformed(random: Random, world: World): Body {
  const body = world.addBody(ball(0.5, 4), { ...presets.jelly, rotation: random.rotation() })
  body.applyImpulse([0, body.mass * 0.8, 0], [0, -0.5, 0])
  body.applyImpulse([body.mass * 0.5, 0, 0], [-0.5, 0.2, 0])
  run(world, 0.05)
  return body
}

describe('a ray', () => {
  for (const seed of seeds(4)) {
    it(`meets a deformed body where its nearest triangle is, from outside and from within, seed ${seed}`, () => {
      const random = new Random(seed)
      const world = new World(still)
      const body = deformed(random, world)
      expect(body.maxStrain()).toBeGreaterThan(0.1)
      const middle = body.centerOfMass([0, 0, 0])
      let met = 0
      for (let k = 0; k < 200; k++) {
        const towards = random.direction()
        const aside = random.vector(0.8)
        const far = k % 4 === 0 ? 0 : 3
        const origin = middle.map(
          (x, d) => x - far * towards[d]! + (far === 0 ? 0.1 : 1) * aside[d]!,
        ) as unknown as Vec3
        const expected = nearestOf(body, origin, towards)
        // Any length of the direction will do.
        const length = random.scale(1e-3, 1e3)
        const hit = world.raycast(origin, towards.map((x) => length * x) as unknown as Vec3)
        expect(hit === null).toBe(expected === Number.POSITIVE_INFINITY)
        if (!hit) continue
        met++
        expect(hit.body).toBe(body)
        expect(Math.abs(hit.distance - expected)).toBeLessThan(1e-9)
        const onRay = origin.map((x, d) => x + expected * towards[d]!)
        expect(Math.hypot(...minus(hit.point, onRay))).toBeLessThan(1e-9)
        const x = positionsOf(body)
        const [a, b, c] = [0, 1, 2].map((k) => x.subarray(3 * body.model.triangles[3 * hit.triangle + k]!).slice(0, 3))
        const outward = cross(minus([...b!], [...a!]), minus([...c!], [...a!]))
        expect(dot(hit.normal, outward) / Math.hypot(...outward)).toBeCloseTo(1, 12)
      }
      expect(met).toBeGreaterThan(80)
    })

    it(`gives a point of the matter, which follows the body, seed ${seed}`, () => {
      const random = new Random(seed)
      const world = new World(still)
      const body = deformed(random, world)
      const hit = world.raycast([0, 5, 0.1], [0, -1, 0])!
      const now: [number, number, number] = [0, 0, 0]
      expect(Math.hypot(...minus(body.pointOf(hit.region!, now), hit.point))).toBeLessThan(1e-12)
      expect(hit.region!.weights.every((w) => w > -1e-9)).toBe(true)
      expect(hit.region!.particles).toEqual(body.model.triangles.slice(3 * hit.triangle, 3 * hit.triangle + 3))
      // A teleport carries matter as a rigid motion does: a shift, here.
      const settled = body.model.positions
      const rest = [0, 1, 2].map((d) =>
        hit.region!.particles.reduce((sum, i, k) => sum + hit.region!.weights[k]! * settled[3 * i + d]!, 0),
      )
      body.teleport([7, 1, 2], [0, 0, 0, 1])
      body.pointOf(hit.region!, now)
      expect(Math.hypot(...minus(now, [7 + rest[0]!, 1 + rest[1]!, 2 + rest[2]!]))).toBeLessThan(1e-12)
    })
  }

  it('from within a solid meets the way out', () => {
    const world = new World(still)
    world.addBody(cube(1, 2))
    const hit = world.raycast([0.1, 0.2, 0.05], [0, 0, 1])!
    expect(hit.distance).toBeCloseTo(0.45, 12)
    expect(hit.normal[2]).toBeCloseTo(1, 12)
    expect(world.raycast([0.1, 0.2, -2], [0, 0, 1])!.normal[2]).toBeCloseTo(-1, 12)
  })

  it('sees where a body is now: after a step, a teleport, a restore, a reset, beside others', () => {
    const world = new World(still)
    const other = world.addBody(cube(1, 2), { position: [0, 0, -5] })
    const body = world.addBody(cube(1, 2), { ...presets.rubber })
    const down = (x: number) => world.raycast([x, 9, 0.1], [0, -1, 0])
    expect(down(0)!.distance).toBeCloseTo(8.5, 9)
    expect(down(4)).toBeNull()
    body.setVelocity([4, 0, 0])
    run(world, 1)
    expect(down(0)).toBeNull()
    expect(down(4)!.body).toBe(body)
    const there = world.snapshot()
    body.teleport([-3, 2, 0])
    expect(down(-3)!.distance).toBeCloseTo(6.5, 9)
    expect(down(4)).toBeNull()
    world.restore(there)
    expect(down(4)!.body).toBe(body)
    world.reset()
    expect(down(0)!.body).toBe(body)
    body.remove()
    expect(down(0)).toBeNull()
    // A body in the place of the one that went.
    const next = world.addBody(cube(1, 2), { position: [0, 3, 0] })
    expect(down(0)!.body).toBe(next)
    expect(down(0)!.distance).toBeCloseTo(5.5, 9)
    expect(world.raycast([0, 0, -9], [0, 0, 1])!.body).toBe(other)
  })

  it('meets a cloth from both sides, its normal towards where the ray comes from', () => {
    const world = new World(still)
    const cloth = world.addBody(clothModel({ width: 1, height: 1, segmentsX: 4, segmentsY: 4 }).model)
    for (const side of [1, -1]) {
      const hit = world.raycast([0.1, 0.2, 3 * side], [0, 0, -side])!
      expect(hit.body).toBe(cloth)
      expect(hit.distance).toBeCloseTo(3, 12)
      expect(hit.normal[2]).toBeCloseTo(side, 12)
    }
    // Along the sheet there is nothing to meet; at a corner of its triangles there is.
    expect(world.raycast([3, 0, 0], [-1, 0, 0])).toBeNull()
    expect(world.raycast([0, 0, 1], [0, 0, -1])!.distance).toBeCloseTo(1, 12)
  })

  const shapes: [string, ColliderShape, Vec3, Vec3, number, Vec3][] = [
    ['plane', plane(), [1, 3, 2], [0.6, -0.8, 0], 3 / 0.8, [0, 1, 0]],
    ['plane, from within', plane(), [1, -2, 0], [0, 1, 0], 2, [0, 1, 0]],
    ['sphere', sphere(0.5), [3, 0.3, 0], [-1, 0, 0], 3 - 0.4, [0.8, 0.6, 0]],
    ['sphere, from within', sphere(0.5), [0, 0.3, 0], [1, 0, 0], 0.4, [0.8, 0.6, 0]],
    ['box', box([0.5, 1, 2]), [0, 4, 1], [0, -1, 0], 3, [0, 1, 0]],
    ['box, past an edge', box([0.5, 1, 2]), [-2.5, 3, 0], [Math.SQRT1_2, -Math.SQRT1_2, 0], 2 * Math.SQRT2, [-1, 0, 0]],
    ['capsule', capsule(0.5, 1), [0.3, 4, 0], [0, -1, 0], 4 - 0.9, [0.6, 0.8, 0]],
    ['cylinder', cylinder(0.5, 2), [3, 0.5, 0.3], [-1, 0, 0], 3 - 0.4, [0.8, 0, 0.6]],
    ['hollow', hollow(), [0, 0, 0], [0, 0, 1], 1, [0, 0, -1]],
    ['hollow, from outside', hollow(), [0, 0, 3], [0, 0, -1], 1, [0, 0, 1]],
  ]
  it.each(shapes)('meets a %s', (_, shape, origin, direction, distance, normal) => {
    // Turned by a third about the diagonal, x goes to y to z to x, and moved.
    const world = new World(still)
    const collider = world.addCollider(shape, { position: [1, 2, 3], rotation: [0.5, 0.5, 0.5, 0.5] })
    const turned = ([x, y, z]: Vec3): Vec3 => [z, x, y]
    const [x, y, z] = turned(origin)
    const hit = world.raycast([x + 1, y + 2, z + 3], turned(direction))!
    expect(hit.collider).toBe(collider)
    expect([hit.body, hit.region, hit.triangle]).toEqual([null, null, -1])
    expect(Math.abs(hit.distance - distance)).toBeLessThan(1e-7)
    expect(Math.hypot(...minus(hit.normal, turned(normal)))).toBeLessThan(1e-6)
  })

  it.each([
    ['plane', plane(), [0, 1, 0], [1, 0, 0]],
    ['plane, away from it', plane(), [0, 1, 0], [0.1, 1, 0]],
    ['plane, from its surface', plane(), [0, 0, 0], [0.1, 1, 0]],
    ['sphere', sphere(0.5), [3, 0.6, 0], [-1, 0, 0]],
    ['box', box([0.5, 0.5, 0.5]), [-2, 0, 0], [0.5, 1, 0]],
    ['hollow', hollow(), [3, 2.1, 0], [-1, 0, 0]],
  ] as [string, ColliderShape, Vec3, Vec3][])('passes by a %s', (_, shape, origin, direction) => {
    const world = new World(still)
    world.addCollider(shape)
    expect(world.raycast(origin, direction)).toBeNull()
  })

  for (const seed of seeds(3)) {
    it(`meets a mesh, a sheet, a hull and a heightfield where their nearest face is, seed ${seed}`, () => {
      const random = new Random(seed)
      const [width, count] = [3, 7]
      const rows = Array.from({ length: count }, () => random.array(count, 0.4).map(Math.fround))
      const plane = new PlaneGeometry(width, width, count - 1, count - 1).rotateX(-Math.PI / 2)
      const heights = plane.getAttribute('position')
      rows.flatMap((row) => [...row]).forEach((y, k) => heights.setY(k, y))
      const torus = fromGeometry(new TorusGeometry(1, 0.4, 8, 14))
      const land = fromGeometry(plane)
      const round = fromGeometry(new IcosahedronGeometry(1, 1))
      const half = 1e-3
      const cases: [ColliderShape, TriangleMesh, number][] = [
        [mesh(torus), torus, 0],
        [mesh(land, { thickness: 2 * half }), land, half],
        [hull(round.positions), round, 0],
        [heightfield(rows, width, width), land, 0],
      ]
      for (const [shape, surface, thickness] of cases) {
        const world = new World(still)
        const pose = { position: random.vector(2), rotation: random.rotation() }
        const collider = world.addCollider(shape, pose)
        // The same surface as a body's, at the same pose: its triangles are met one by one.
        const model = new ModelBuilder(Float64Array.from(surface.positions))
          .with({ triangles: trianglesOf(surface) })
          .build()
        const body = world.addBody(model, pose)
        let met = 0
        for (let k = 0; k < 60; k++) {
          // From above, so that only the surface of a heightfield is met and not its sides.
          const [a, b] = [random.vector(1), random.vector(1)]
          const point = (p: Vec3, y: number) => centerTo(body, [p[0], y, p[2]])
          const origin = point(a, 2 + random.uniform())
          const direction = minus(point(b, 0), origin)
          const seen = (target: Body | Collider) =>
            world.raycast(origin, direction, { filter: (one) => one === target })
          const [expected, hit] = [seen(body), seen(collider)]
          if (!expected) continue
          met++
          // A sheet is met half its thickness before, more where the ray comes flat.
          const flat = Math.abs(dot(expected.normal, direction)) / Math.hypot(...direction)
          expect(Math.abs(hit!.distance - expected.distance)).toBeLessThan(1e-6 + (2 * thickness) / flat)
        }
        expect(met).toBeGreaterThan(20)
      }
    })
  }

  for (const seed of seeds(3)) {
    it(`meets the nearest of free particles, each a ball of their radius, seed ${seed}`, () => {
      const random = new Random(seed)
      const world = new World(still)
      const radius = 0.1
      const places = Array.from({ length: 60 }, () => random.vector(1))
      const body = world.addParticles(places.flat(), { radius })
      for (let k = 0; k < 200; k++) {
        const origin = random.direction().map((x) => 3 * x) as unknown as Vec3
        const target = random.vector(1)
        const hit = world.raycast(origin, minus(target, origin))
        // |o + t v - x| = radius has its first root where the nearest ball begins.
        const length = Math.hypot(...minus(target, origin))
        const v = minus(target, origin).map((x) => x / length) as unknown as Vec3
        const distances = places.map((place) => {
          const along = dot(minus(place, origin), v)
          const square = radius * radius - (dot(minus(place, origin), minus(place, origin)) - along * along)
          return square >= 0 ? along - Math.sqrt(square) : Number.POSITIVE_INFINITY
        })
        const first = Math.min(...distances)
        expect(hit === null).toBe(first === Number.POSITIVE_INFINITY)
        if (!hit) continue
        expect(hit.body).toBe(body)
        expect(hit.distance).toBeCloseTo(first, 9)
        expect([...hit.region!.particles]).toEqual([distances.indexOf(first)])
        expect([...hit.region!.weights]).toEqual([1])
        expect(Math.hypot(...hit.normal)).toBeCloseTo(1, 9)
        const center = places[distances.indexOf(first)]!
        for (let d = 0; d < 3; d++) expect(hit.point[d]).toBeCloseTo(center[d]! + radius * hit.normal[d]!, 9)
        expect(hit.triangle).toBe(-1)
      }
      world.dispose()
    })
  }

  it('takes the nearest of all, as far as it is asked to, of those it is asked to see', () => {
    const world = new World(still)
    const ground = world.addCollider(plane(), { position: [0, -2, 0] })
    const upper = world.addBody(cube(1, 1), { position: [0, 3, 0] })
    const lower = world.addBody(cube(1, 1), { position: [0, 1, 0] })
    const ball = world.addCollider(sphere(0.4), { position: [0.1, 5, 0.1] })
    const cast = (options = {}): RayHit | null => world.raycast([0.1, 9, 0.1], [0, -1, 0], options)
    expect(cast()!.collider).toBe(ball)
    expect(cast({ filter: (target: unknown) => target !== ball })!.body).toBe(upper)
    expect(cast({ filter: (target: unknown) => target === lower })!.distance).toBeCloseTo(7.5, 9)
    expect(cast({ filter: (target: unknown) => target === ground })!.distance).toBeCloseTo(11, 7)
    expect(cast({ filter: (target: unknown) => target === ground, maxDistance: 10.9 })).toBeNull()
    expect(cast({ maxDistance: 3.5 })).toBeNull()
    expect(cast({ maxDistance: 3.7 })!.collider).toBe(ball)
  })

  it('sees what is in the groups that it asks for', () => {
    const world = new World(still)
    const [one, two] = [0b01, 0b10].map((member) =>
      world.addBody(cube(1, 1), { position: [0, member, 0], collisionGroups: [member, 0xffffffff] }),
    )
    const cast = (mask: number) => world.raycast([0.1, 9, 0.1], [0, -1, 0], { collisionGroups: [0xffffffff, mask] })
    expect(cast(0b11)!.body).toBe(two)
    expect(cast(0b01)!.body).toBe(one)
    expect(cast(0b100)).toBeNull()
    const within = (mask: number) => world.overlapSphere([0, 1.5, 0], 1, { collisionGroups: [0xffffffff, mask] }).bodies
    expect(within(0b11).map(({ body }) => body)).toEqual([one, two])
    expect(within(0b10).map(({ body }) => body)).toEqual([two])
  })

  it('is refused where it makes no sense', () => {
    const world = new World(still)
    expect(() => world.raycast([Number.NaN, 0, 0], [1, 0, 0])).toThrow(/raycast.origin/)
    expect(() => world.raycast([0, 0, 0], [0, Number.POSITIVE_INFINITY, 0])).toThrow(/raycast.direction/)
    expect(() => world.raycast([0, 0, 0], [0, 0, 0])).toThrow(/has no length/)
    expect(() => world.raycast([0, 0, 0], [0, 0, 1], { maxDistance: -1 })).toThrow(/maxDistance=\{-1\}/)
    expect(() => world.raycast([0, 0, 0], [0, 0, 1], { collisionGroups: [1, -1] })).toThrow(/collisionGroups/)
    expect(world.raycast([0, 0, 0], [0, 0, 1])).toBeNull()
    world.addBody(particle())
    expect(world.raycast([0, 0, -1], [0, 0, 1])).toBeNull()
    world.dispose()
    expect(world.raycast([0, 0, 0], [0, 0, 1])).toBeNull()
  })
})

/** A shell between two spheres of 1 m and 2 m: not convex. */
function hollow(): ColliderShape {
  return {
    name: 'hollow',
    inradius: 0.5,
    convex: false,
    distance(query) {
      const r = Math.hypot(query[0]!, query[1]!, query[2]!)
      const sign = r > 1.5 ? 1 : -1
      query[3] = Math.abs(r - 1.5) - 0.5
      for (let d = 0; d < 3; d++) query[4 + d] = r === 0 ? Number(d === 2) * sign : (sign * query[d]!) / r
    },
  }
}

describe('a sphere', () => {
  it('holds the particles that are nearer to its centre than its radius', () => {
    const random = new Random(5)
    const world = new World(still)
    const body = deformed(random, world)
    const x = positionsOf(body)
    const center = random.vector(0.3)
    const found = world.overlapSphere(center, 0.4).bodies
    const expected = Array.from({ length: body.particleCount }, (_, i) => i).filter(
      (i) => Math.hypot(...minus([x[3 * i]!, x[3 * i + 1]!, x[3 * i + 2]!], center)) < 0.4,
    )
    expect(found.length).toBe(1)
    expect(found[0]!.body).toBe(body)
    expect(expected.length).toBeGreaterThan(3)
    expect([...found[0]!.particles]).toEqual(expected)
  })

  it('meets a body between its particles: in its midst, and at its surface', () => {
    const world = new World(still)
    const body = world.addBody(cube(1, 1))
    const cloth = world.addBody(clothModel({ width: 1, height: 1, segmentsX: 1, segmentsY: 1 }).model, {
      position: [3, 0, 0],
    })
    const bodies = (center: Vec3, radius: number) => world.overlapSphere(center, radius).bodies.map((one) => one.body)
    expect(bodies([0.1, 0.05, 0], 0.01)).toEqual([body])
    expect(bodies([0.1, 0.6, 0], 0.11)).toEqual([body])
    expect(bodies([0.1, 0.6, 0], 0.09)).toEqual([])
    expect(bodies([0.6, 0.6, 0.1], 0.15)).toEqual([body])
    expect(bodies([0.6, 0.6, 0.1], 0.14)).toEqual([])
    expect(bodies([3.1, 0.2, 0.05], 0.06)).toEqual([cloth])
    expect(bodies([3.1, 0.2, -0.05], 0.04)).toEqual([])
  })

  it('meets ropes and free particles by their radius, as rays do', () => {
    const world = new World(still)
    const radius = 0.1
    const rope = world.addBody(
      ropeModel({ points: [[-1, 0, 0] as const, [1, 0, 0] as const], radius, segments: 10 }).model,
    )
    const balls = world.addParticles([0, 3, 0, 1, 3, 0], { radius: 0.3 })
    const found = (center: Vec3, reach: number) =>
      world
        .overlapSphere(center, reach)
        .bodies.map(({ body, particles }) => ({ body, particles: Array.from(particles) }))
    // Halfway between two particles; over one; beyond an end.
    expect(found([0.1, 0.12, 0], 0.05)).toEqual([{ body: rope, particles: [] }])
    expect(found([0.1, 0.16, 0], 0.05)).toEqual([])
    expect(found([0, 0.12, 0], 0.03)).toEqual([{ body: rope, particles: [5] }])
    expect(found([1.12, 0, 0], 0.03)).toEqual([{ body: rope, particles: [10] }])
    expect(found([1.12, 0, 0], 0.01)).toEqual([])
    expect(found([0.32, 3, 0], 0.05)).toEqual([{ body: balls, particles: [0] }])
    expect(found([0.5, 3, 0], 0.21)).toEqual([{ body: balls, particles: [0, 1] }])
    expect(found([0.5, 3, 0], 0.19)).toEqual([])
    // What a small sphere meets just below the surface, and not above it, a ray meets there.
    const random = new Random(3)
    for (let k = 0; k < 40; k++) {
      const from = [random.uniform(-0.9, 0.9), 0, 0] as const
      const angle = random.uniform(0, 6.28)
      const outward: Vec3 = [0, Math.cos(angle), Math.sin(angle)]
      const origin = from.map((x, d) => x + 5 * outward[d]!) as unknown as Vec3
      const { point } = world.raycast(origin, minus([0, 0, 0], outward), { filter: (one) => one === rope })!
      const at = (share: number) => point.map((x, d) => x + share * outward[d]!) as unknown as Vec3
      expect(found(at(-1e-4), 1e-6).length).toBe(1)
      expect(found(at(1e-4), 1e-6).length).toBe(0)
    }
  })

  it('meets colliders by their distance, of those it is asked to see', () => {
    const world = new World(still)
    const ground = world.addCollider(plane())
    const ball = world.addCollider(sphere(0.5), { position: [0, 2, 0] })
    const found = (center: Vec3, radius: number, filter?: (target: unknown) => boolean) =>
      world.overlapSphere(center, radius, filter && { filter }).colliders
    expect(found([0, 1, 0], 0.6)).toEqual([ball])
    expect(found([0, 1, 0], 1.1)).toEqual([ground, ball])
    expect(found([0, 1, 0], 0.4)).toEqual([])
    expect(found([0, 1, 0], 1.1, (target) => target === ground)).toEqual([ground])
    expect(() => world.overlapSphere([0, 0, 0], 0)).toThrow(/radius=\{0\}/)
    expect(() => world.overlapSphere([0, Number.NaN, 0], 1)).toThrow(/center/)
  })
})
