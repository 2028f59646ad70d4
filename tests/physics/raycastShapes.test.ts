// Rays at colliders, above all along their surfaces: where they meet is where a search without a limit finds it.
import { IcosahedronGeometry, TorusGeometry } from 'three'
import { describe, expect, it } from 'vitest'
import { scaled } from '../../src/core/collision/scaled.js'
import {
  box,
  type ColliderShape,
  capsule,
  compound,
  cylinder,
  heightfield,
  hull,
  mesh,
  plane,
  type RayHit,
  room,
  sphere,
  type TriangleMesh,
  type Vec3,
  World,
} from '../../src/headless.js'
import { Random, seeds } from '../support/draw.js'
import { fromGeometry } from '../support/meshes.js'

const dot = (a: Vec3, b: Vec3) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
const minus = (a: Vec3, b: Vec3): Vec3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
const along = (o: Vec3, far: number, d: Vec3): Vec3 => [o[0] + far * d[0], o[1] + far * d[1], o[2] + far * d[2]]
const cross = (a: Vec3, b: Vec3): Vec3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
]

const [columns, width] = [41, 40]
const height = (x: number, z: number) => 0.5 * Math.sin(0.3 * x) * Math.cos(0.25 * z)
const at = (k: number) => k - width / 2
const rows = Array.from({ length: columns }, (_, r) => Array.from({ length: columns }, (_, c) => height(at(c), at(r))))
const hills = hillsOf()
const faces = trianglesOf(hills)
/** Height of the hills at a place, by their triangles. */
const heightAt = (x: number, z: number) => 9 - brute(faces, [x, 9, z], [0, -1, 0]).distance

/** The surface of the heightfield of `rows`. */
function hillsOf(): TriangleMesh {
  const positions: number[] = []
  const index: number[] = []
  for (let r = 0; r < columns; r++) {
    for (let c = 0; c < columns; c++) {
      positions.push(at(c), rows[r]![c]!, at(r))
      const a = r * columns + c
      if (r + 1 < columns && c + 1 < columns) index.push(a, a + columns, a + 1, a + columns, a + columns + 1, a + 1)
    }
  }
  return { positions, index }
}

function trianglesOf({ positions, index }: TriangleMesh): [Vec3, Vec3, Vec3][] {
  const list = index ? Array.from(index) : Array.from({ length: positions.length / 3 }, (_, k) => k)
  const corner = (k: number): Vec3 => [0, 1, 2].map((d) => positions[3 * list[k]! + d]!) as unknown as Vec3
  return Array.from({ length: list.length / 3 }, (_, t) => [corner(3 * t), corner(3 * t + 1), corner(3 * t + 2)])
}

/** Distance of the nearest triangle on a ray, from either side, and its unit normal (Moeller, Trumbore 1997). */
function brute(triangles: [Vec3, Vec3, Vec3][], o: Vec3, d: Vec3): { distance: number; normal: Vec3 } {
  let distance = Number.POSITIVE_INFINITY
  let normal: Vec3 = [0, 0, 0]
  for (const [a, b, c] of triangles) {
    const [u, v, s] = [minus(b, a), minus(c, a), minus(o, a)]
    const p = cross(d, v)
    const det = dot(u, p)
    const q = cross(s, u)
    const [x, y, far] = [dot(s, p) / det, dot(d, q) / det, dot(v, q) / det]
    if (!(x >= -1e-12 && y >= -1e-12 && x + y <= 1 + 1e-12 && far >= 0 && far < distance)) continue
    const n = cross(u, v)
    distance = far
    normal = n.map((one) => one / Math.hypot(...n)) as unknown as Vec3
  }
  return { distance, normal }
}

/** Distance at which a ray meets a shape: steps of the distance itself, as many as it takes. */
function marched(shape: ColliderShape, o: Vec3, d: Vec3, end: number): number {
  const query = new Float64Array(7)
  for (let far = 0; far < end; far += Math.abs(query[3]!)) {
    query.set(along(o, far, d))
    shape.distance(query)
    if (Math.abs(query[3]!) < 1e-9) return far
  }
  return Number.POSITIVE_INFINITY
}

function cast(shape: ColliderShape, o: Vec3, d: Vec3): RayHit | null {
  const world = new World()
  world.addCollider(shape)
  const hit = world.raycast(o, d)
  world.dispose()
  return hit
}

/** Holds a hit to where a ray has to meet; `sharp` [m] is how well that is known where the ray comes straight. */
function expectMet(shape: ColliderShape, o: Vec3, d: Vec3, distance: number, sharp: number): boolean {
  const hit = cast(shape, o, d)
  expect(hit !== null, `${shape.name} from ${o.join()} along ${d.join()}: ${hit?.distance} for ${distance}`).toBe(
    distance < Number.POSITIVE_INFINITY,
  )
  if (!hit) return false
  const flat = Math.max(1e-4, Math.abs(dot(hit.normal, d)))
  expect(Math.abs(hit.distance - distance), `${shape.name} from ${o.join()} along ${d.join()}`).toBeLessThan(
    sharp / flat,
  )
  expect(Math.abs(Math.hypot(...hit.normal) - 1)).toBeLessThan(1e-9)
  return true
}

const level = (angle: number, rise: number): Vec3 => {
  const d: Vec3 = [Math.cos(angle), rise, Math.sin(angle)]
  return d.map((x) => x / Math.hypot(...d)) as unknown as Vec3
}

describe('a ray along a surface', () => {
  for (const seed of seeds(3)) {
    it(`meets the hills behind, however low it runs, seed ${seed}`, () => {
      const random = new Random(seed)
      const land = heightfield(rows, width, width)
      let met = 0
      for (let k = 0; k < 300; k++) {
        const [x, z] = [random.uniform(-16, 16), random.uniform(-16, 16)]
        const o: Vec3 = [x, heightAt(x, z) + random.scale(1e-3, 1), z]
        const d = level(random.uniform(0, 6.28), random.uniform(-0.02, 0.02))
        const expected = brute(faces, o, d)
        if (!expectMet(land, o, d, expected.distance, 1e-9)) continue
        met++
        expect(dot(cast(land, o, d)!.normal, expected.normal)).toBeCloseTo(1, 9)
      }
      expect(met).toBeGreaterThan(100)
    })

    it(`meets a sheet at half its thickness, from outside and from within, seed ${seed}`, () => {
      const random = new Random(seed)
      const half = 0.01
      const sheet = mesh(hills, { thickness: 2 * half })
      let met = 0
      for (let k = 0; k < 60; k++) {
        const [x, z] = [random.uniform(-16, 16), random.uniform(-16, 16)]
        const side = k % 2 === 0 ? 1 : -1
        const away = k % 4 < 2 ? random.scale(0.005, 1) : -0.5 * half
        const o: Vec3 = [x, heightAt(x, z) + side * (half + away), z]
        const d = level(random.uniform(0, 6.28), random.uniform(-0.3, 0.3))
        if (expectMet(sheet, o, d, marched(sheet, o, d, 60), 1e-8)) met++
      }
      expect(met).toBeGreaterThan(30)
    })

    it(`meets meshes, hulls and what is scaled where their nearest face is, seed ${seed}`, () => {
      const random = new Random(seed)
      const torus = fromGeometry(new TorusGeometry(1, 0.4, 12, 24))
      const round = fromGeometry(new IcosahedronGeometry(1, 2))
      const larger = (by: number, { positions, ...rest }: TriangleMesh): TriangleMesh => ({
        ...rest,
        positions: Array.from(positions, (x) => by * x),
      })
      const cases: [ColliderShape, TriangleMesh, number][] = [
        [mesh(torus), torus, 1],
        [hull(round.positions), round, 1],
        [scaled(mesh(torus), 7), larger(7, torus), 7],
        [scaled(hull(round.positions), 1e-2), larger(1e-2, round), 1e-2],
        [compound([{ shape: mesh(torus) }]), torus, 1],
        [scaled(compound([{ shape: mesh(torus) }]), 3), larger(3, torus), 3],
      ]
      for (const [shape, surface, size] of cases) {
        const triangles = trianglesOf(surface)
        let met = 0
        for (let k = 0; k < 120; k++) {
          let o: Vec3 = random.vector(2 * size)
          let d: Vec3 = random.direction()
          if (k % 2 === 0) {
            // From just off a face, along it.
            const [a, b, c] = triangles[random.integer(0, triangles.length - 1)]!
            const n = cross(minus(b, a), minus(c, a)).map((x) => x / Math.hypot(...cross(minus(b, a), minus(c, a))))
            const side = random.scale(1e-4, 1e-2) * size * (k % 4 === 0 ? 1 : -1)
            o = a.map((x, k) => (x + b[k]! + c[k]!) / 3 + side * n[k]!) as unknown as Vec3
            d = minus(along(a, random.uniform(), minus(b, a)), o)
            d = d.map((x, k) => x - dot(d, n as unknown as Vec3) * n[k]!) as unknown as Vec3
            d = d.map((x) => x / Math.hypot(...d)) as unknown as Vec3
          }
          const expected = brute(triangles, o, d)
          if (!expectMet(shape, o, d, expected.distance, 1e-9 * size)) continue
          met++
          expect(dot(cast(shape, o, d)!.normal, expected.normal)).toBeCloseTo(1, 6)
        }
        expect(met).toBeGreaterThan(30)
      }
    })

    it(`meets boxes, round shapes, rooms and compounds from outside, from within and along their faces, seed ${seed}`, () => {
      const random = new Random(seed)
      const torus = mesh(fromGeometry(new TorusGeometry(1, 0.4, 8, 14)))
      const pile = compound([
        { shape: box([1, 0.3, 1]), position: [0, -0.3, 0] },
        { shape: box([0.3, 1, 1]), position: [0.9, 0.2, 0], rotation: random.rotation() },
        { shape: sphere(0.7), position: [-1, 0, 0.2] },
        { shape: torus, position: [0, 0.1, 0], rotation: random.rotation() },
      ])
      const shapes: ColliderShape[] = [
        box([1, 0.5, 2]),
        sphere(1),
        capsule(0.5, 1),
        cylinder(0.8, 1),
        plane(),
        room([1, 2, 1.5]),
        pile,
        compound([{ shape: pile, position: [0.3, 0, 0], rotation: random.rotation() }, { shape: plane() }]),
        scaled(room([1, 1, 1]), 2),
        scaled(box([1, 1, 1]), 0.3),
      ]
      for (const shape of shapes) {
        let met = 0
        for (let k = 0; k < 100; k++) {
          const o: [number, number, number] = [...random.vector(2.5)]
          const query = Float64Array.of(...o, 0, 0, 0, 0)
          let d = random.direction()
          shape.distance(query)
          if (k % 3 > 0) {
            // Nearly at the surface, on either side, and along it.
            const off = query[3]! + random.scale(1e-3, 1e-1) * (k % 3 === 1 ? 1 : -1)
            const n: Vec3 = [query[4]!, query[5]!, query[6]!]
            for (let e = 0; e < 3; e++) o[e] = o[e]! - off * n[e]!
            d = along(d, -dot(d, n) * (1 - 1e-3), n)
            d = d.map((x) => x / Math.hypot(...d)) as unknown as Vec3
          }
          if (expectMet(shape, o, d, marched(shape, o, d, 1e4), 2e-8)) met++
        }
        expect(met, shape.name).toBeGreaterThan(25)
      }
    })

    it(`slips through between no two faces, seed ${seed}`, () => {
      const random = new Random(seed)
      const torus = fromGeometry(new TorusGeometry(1, 0.4, 12, 24))
      const round = fromGeometry(new IcosahedronGeometry(1, 2))
      const cases: [ColliderShape, TriangleMesh][] = [
        [mesh(torus), torus],
        [mesh(torus, { solid: false }), torus],
        [hull(round.positions), round],
        [heightfield(rows, width, width), hills],
      ]
      for (const [shape, surface] of cases) {
        const triangles = trianglesOf(surface)
        const normals = triangles.map(([a, b, c]) => cross(minus(b, a), minus(c, a)))
        const about = facesByCorner(triangles)
        let through = 0
        for (let k = 0; k < 400; k++) {
          const [a, b] = triangles[random.integer(0, triangles.length - 1)]!
          // A corner, or a place on an edge, that is no rim of the hills.
          const place = k % 2 === 0 ? a : along(a, random.uniform(), minus(b, a))
          if (surface === hills && Math.max(Math.abs(place[0]), Math.abs(place[2])) > 19) continue
          // Not past an outline: inwards of all faces that share the corner or the edge.
          const sharing = about.get(keyOf(a))!.filter((t) => k % 2 === 0 || about.get(keyOf(b))!.includes(t))
          const d = random.direction()
          if (!sharing.every((t) => dot(d, normals[t]!) < -1e-3 * Math.hypot(...normals[t]!))) continue
          through++
          const o = along(place, -100, d)
          const hit = cast(shape, o, d)
          expect(hit, `${shape.name} through ${place.join()}`).not.toBeNull()
          expect(hit!.distance).toBeLessThan(100 + 1e-9)
        }
        expect(through).toBeGreaterThan(60)
      }
    })
  }

  it('that starts on a surface and leaves it meets what is behind, and one that enters meets it there', () => {
    const step = Array.from({ length: 9 }, () => [0, 0, 0, 0, 0, 0, 0, 1, 1])
    const land = heightfield(step, 8, 8)
    expect(cast(land, [-3, 0, 0.3], [1, 0, 0])!.distance).toBeCloseTo(5, 9)
    expect(cast(land, [-3, 0, 0.3], [0, 1, 0])).toBeNull()
    expect(cast(land, [-3.1, 0, 0.3], [0.1, -1, 0])!.distance).toBe(0)
    const closed = mesh(fromGeometry(new TorusGeometry(1, 0.4, 8, 14)))
    const hit = cast(closed, [5, 0.1, 0.05], [-1, 0, 0])!
    const out = cast(closed, [...hit.point], [1, 0, 0])
    expect(out).toBeNull()
    const next = cast(closed, along(hit.point, 1e-6, [-1, 0, 0]), [-1, 0, 0])!
    expect(next.normal[0]).toBeLessThan(0)
  })

  it('goes through where two parts of a compound meet, and meets the way out of both', () => {
    const two = compound([
      { shape: box([1, 1, 1]), position: [-1, 0, 0] },
      { shape: box([1, 1, 1]), position: [1, 0, 0] },
    ])
    expect(cast(two, [-1.5, 0.2, 0.1], [1, 0, 0])!.distance).toBeCloseTo(3.5, 8)
    expect(cast(two, [1.5, 0.2, 0.1], [-1, 0, 0])!.normal[0]).toBeCloseTo(-1, 9)
  })
})

const keyOf = (corner: Vec3) => corner.map((x) => Math.round(1e6 * x)).join()

function facesByCorner(triangles: [Vec3, Vec3, Vec3][]): Map<string, number[]> {
  const about = new Map<string, number[]>()
  triangles.forEach((corners, t) => {
    for (const corner of corners) about.set(keyOf(corner), [...(about.get(keyOf(corner)) ?? []), t])
  })
  return about
}
