import { describe, expect, it } from 'vitest'
import * as exported from '../../src/core/collision/index.js'
import { box, type ColliderShape, capsule, cylinder, plane, room, SettingError, sphere } from '../../src/headless.js'
import {
  type ColliderCase,
  compoundCase,
  facesOf,
  heightfieldCase,
  hullCase,
  meshCase,
  type Point,
} from '../support/colliderCases.js'
import { Random, seeds } from '../support/draw.js'

function query(shape: ColliderShape, [x, y, z]: Point): { distance: number; normal: Point } {
  const q = Float64Array.of(x, y, z, Number.NaN, Number.NaN, Number.NaN, Number.NaN)
  shape.distance(q)
  return { distance: q[3]!, normal: [q[4]!, q[5]!, q[6]!] }
}

const between = (a: Point, b: Point) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])

function cases(random: Random): ColliderCase[] {
  const half = [random.uniform(0.2, 2), random.uniform(0.2, 2), random.uniform(0.2, 2)] as const
  const radius = random.uniform(0.2, 2)
  const height = random.uniform(0.2, 2)
  const faces = facesOf(half)
  return [
    { name: 'plane', shape: plane(), inside: (p) => p[1] < 0, patches: [(u, v) => [10 * u - 5, 0, 10 * v - 5]] },
    { name: 'box', shape: box(half), inside: (p) => p.every((x, d) => Math.abs(x) < half[d]!), patches: faces },
    { name: 'room', shape: room(half), inside: (p) => !p.every((x, d) => Math.abs(x) < half[d]!), patches: faces },
    {
      name: 'sphere',
      shape: sphere(radius),
      inside: (p) => Math.hypot(...p) < radius,
      // The faces of a cube, drawn onto the ball.
      patches: faces.map((face) => (u, v) => {
        const p = face(u, v).map((x, d) => x / half[d]!)
        return p.map((x) => (x * radius) / Math.hypot(...p)) as unknown as Point
      }),
    },
    {
      name: 'capsule',
      shape: capsule(radius, height),
      inside: ([x, y, z]) => Math.hypot(x, Math.max(0, Math.abs(y) - height / 2), z) < radius,
      patches: quarters.flatMap((turn) =>
        [-1, 0, 1].map((side) => (u: number, v: number) => {
          if (side === 0) return round(radius, (v - 0.5) * height, turn(u))
          const up = (v * Math.PI) / 2
          return round(radius * Math.cos(up), side * (height / 2 + radius * Math.sin(up)), turn(u))
        }),
      ),
    },
    {
      name: 'cylinder',
      shape: cylinder(radius, height),
      inside: ([x, y, z]) => Math.hypot(x, z) < radius && Math.abs(y) < height / 2,
      patches: quarters.flatMap((turn) =>
        [-1, 0, 1].map((side) => (u: number, v: number) => {
          if (side === 0) return round(radius, (v - 0.5) * height, turn(u))
          return round(radius * v, (side * height) / 2, turn(u))
        }),
      ),
    },
    meshCase(random),
    heightfieldCase(random),
    hullCase(random),
    compoundCase(random),
  ]
}

/** A place at distance r from the y axis. */
const round = (r: number, y: number, angle: number): Point => [r * Math.cos(angle), y, r * Math.sin(angle)]
const quarters = [0, 1, 2, 3].map((k) => (u: number) => ((k + u) * Math.PI) / 2)

/** The least distance to the surface, by a grid that closes in on its best point. */
function searched(patches: ColliderCase['patches'], p: Point): number {
  let least = Number.POSITIVE_INFINITY
  for (const patch of patches) {
    let [u, v, width] = [0.5, 0.5, 0.5]
    let near = Number.POSITIVE_INFINITY
    for (let round = 0; round < 16; round++) {
      const [cu, cv] = [u, v]
      for (let i = -6; i <= 6; i++) {
        for (let j = -6; j <= 6; j++) {
          const a = Math.min(1, Math.max(0, cu + (width * i) / 6))
          const b = Math.min(1, Math.max(0, cv + (width * j) / 6))
          const d = between(patch(a, b), p)
          if (d < near) [near, u, v] = [d, a, b]
        }
      }
      width *= 0.5
    }
    least = Math.min(least, near)
  }
  return least
}

const names = Object.keys(exported)

it('has a case for every collider that is exported', () => {
  expect(
    cases(new Random(1))
      .map(({ name }) => name)
      .sort(),
  ).toEqual(names.slice().sort())
})

describe.each(names)('%s', (name) => {
  for (const seed of seeds(3)) {
    it(`has the distance and the normal of its nearest surface, seed ${seed}`, () => {
      const random = new Random(seed)
      const { shape, inside, patches } = cases(random).find((one) => one.name === name)!
      expect(shape.name).toBe(name)
      let ridges = 0
      for (let trial = 0; trial < 60; trial++) {
        const p = random.vector(trial % 2 === 0 ? 3 : 1)
        const { distance, normal } = query(shape, p)
        // The search halves its grid 16 times: 1e-5 of the patch, and second order in that near the foot.
        expect(Math.abs(Math.abs(distance) - searched(patches, p))).toBeLessThan(1e-4)
        expect(distance < 0).toBe(inside(p))
        expect(Math.hypot(...normal)).toBeCloseTo(1, 12)
        // A step of -distance along the normal leads to the surface.
        const foot = p.map((x, d) => x - distance * normal[d]!) as unknown as Point
        expect(Math.abs(query(shape, foot).distance)).toBeLessThan(1e-12)
        // A step outwards makes the distance greater by as much.
        const out = p.map((x, d) => x + 1e-3 * normal[d]!) as unknown as Point
        expect(query(shape, out).distance - distance).toBeCloseTo(1e-3, 12)
        // It is the gradient: elsewhere than at a ridge, where two ways out are as short, central differences give it.
        const gradient = [0, 1, 2].map((d) => {
          const at = (step: number) => query(shape, p.map((x, k) => (k === d ? x + step : x)) as unknown as Point)
          return (at(1e-6).distance - at(-1e-6).distance) / 2e-6
        }) as unknown as Point
        const smooth = Math.abs(Math.hypot(...gradient) - 1) < 1e-6
        expect(smooth ? between(gradient, normal) : 0).toBeLessThan(1e-6)
        if (!smooth) ridges++
      }
      expect(ridges).toBeLessThan(3)
    })
  }

  it('gives a unit normal at its centre, on its faces, edges and corners', () => {
    const { shape } = cases(new Random(1)).find((one) => one.name === name)!
    for (const p of [
      [0, 0, 0],
      [1, 0, 0],
      [0, -1, 0],
    ] as Point[])
      expect(Math.hypot(...query(shape, p).normal)).toBeCloseTo(1, 12)
    // The rim of a cylinder, as the edges of a box: one of the two faces.
    expect(query(cylinder(1, 2), [1, 1, 0])).toEqual({ distance: 0, normal: [1, 0, 0] })
    expect(Math.hypot(...query(capsule(1, 2), [0, 1, 0]).normal)).toBe(1)
    const unit = box([1, 1, 1])
    for (const p of [
      [1, 0, 0],
      [1, 1, 0],
      [-1, 1, 1],
    ] as Point[]) {
      expect(query(unit, p).distance).toBe(0)
      expect(Math.hypot(...query(unit, p).normal)).toBe(1)
    }
  })
})

it('refuses sizes that are no size', () => {
  for (const bad of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
    for (const make of [() => sphere(bad), () => capsule(bad, 1), () => capsule(1, bad), () => cylinder(bad, 1)])
      expect(make).toThrow(SettingError)
    expect(() => cylinder(1, bad)).toThrow(SettingError)
    for (const d of [0, 1, 2])
      expect(() => box([d === 0 ? bad : 1, d === 1 ? bad : 1, d === 2 ? bad : 1])).toThrow(SettingError)
  }
})
