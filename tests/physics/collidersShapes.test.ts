// What shapes are made of: hulls of any cloud, meshes as packages bring them, sheets, sizes, and what is refused.
import { BoxGeometry, IcosahedronGeometry, PlaneGeometry, SphereGeometry, TorusKnotGeometry } from 'three'
import { describe, expect, it } from 'vitest'
import { quickhull } from '../../src/core/collision/quickhull.js'
import { found, TriangleTree } from '../../src/core/collision/triangleTree.js'
import {
  box,
  type ColliderShape,
  compound,
  heightfield,
  hull,
  mesh,
  plane,
  type Quat,
  SettingError,
  scaled,
  sphere,
  type TriangleMesh,
} from '../../src/headless.js'
import { angleMesh } from '../support/colliderCases.js'
import { Random, seeds } from '../support/draw.js'
import { fromGeometry, insideOut, primitives, realMesh, together } from '../support/meshes.js'
import { rotate, toLocal } from '../support/poses.js'

function ask(shape: ColliderShape, place: ArrayLike<number>): Float64Array {
  const q = new Float64Array(7)
  for (let d = 0; d < 3; d++) q[d] = place[d]!
  shape.distance(q)
  return q
}

/** Winding number of a closed mesh about a place: 1 inside. */
function winding({ positions: x, index }: TriangleMesh, p: readonly number[]): number {
  let sum = 0
  for (let t = 0; t < index!.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => [0, 1, 2].map((d) => x[3 * index![t + k]! + d]! - p[d]!)) as [
      number[],
      number[],
      number[],
    ]
    const [la, lb, lc] = [Math.hypot(...a), Math.hypot(...b), Math.hypot(...c)]
    const dot = (u: number[], v: number[]) => u[0]! * v[0]! + u[1]! * v[1]! + u[2]! * v[2]!
    const volume =
      a[0]! * (b[1]! * c[2]! - b[2]! * c[1]!) +
      a[1]! * (b[2]! * c[0]! - b[0]! * c[2]!) +
      a[2]! * (b[0]! * c[1]! - b[1]! * c[0]!)
    sum += Math.atan2(volume, la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb) / (2 * Math.PI)
  }
  return sum
}

describe('a mesh', () => {
  it('that packages bring tells inside from outside as winding numbers do: the bunny', async () => {
    const bunny = await realMesh('bunny')
    const shape = mesh(bunny)
    const random = new Random(7)
    const { bounds } = shape
    let inside = 0
    for (let k = 0; k < 300; k++) {
      const p = [0, 1, 2].map((d) => random.uniform(bounds![d], bounds![3 + d]))
      const within = winding(bunny, p) > 0.5
      if (within) inside++
      expect(ask(shape, p)[3]! < 0).toBe(within)
    }
    expect(inside).toBeGreaterThan(50)
  })

  for (const seed of seeds(3)) {
    it(`tells inside from outside at sharp edges and spikes, seed ${seed}`, () => {
      const random = new Random(seed)
      for (let k = 0; k < 60; k++) {
        // A tetrahedron of any shape, one face of which is cut in three, unevenly.
        const positions = random.array(12)
        const share = [random.uniform(0.02, 0.3), random.uniform(0.02, 0.3)] as const
        const cut = [0, 1, 2].map(
          (d) =>
            positions[d]! * (1 - share[0] - share[1]) + positions[3 + d]! * share[0] + positions[6 + d]! * share[1],
        )
        const given = {
          positions: Float64Array.of(...positions, ...cut),
          index: [0, 1, 4, 1, 2, 4, 2, 0, 4, 0, 3, 1, 1, 3, 2, 2, 3, 0],
        }
        const shape = mesh(given, { solid: true })
        for (let trial = 0; trial < 60; trial++) {
          const p = random.vector(1.2)
          expect(ask(shape, p)[3]! < 0).toBe(Math.abs(winding(given, p)) > 0.5)
        }
      }
    })
  }

  for (const [name, given] of Object.entries(primitives())) {
    it(`is the same solid inside out: three's ${name}`, () => {
      const [shape, other] = [mesh(given, { solid: true }), mesh(insideOut({ ...given, index: given.index ?? null }))]
      const random = new Random(3)
      for (let k = 0; k < 50; k++) {
        const p = random.vector(1.2)
        expect([...ask(other, p)]).toEqual([...ask(shape, p)])
      }
    })
  }

  it('keeps its hollows: a ball in a box, turned inwards', () => {
    const shell = together(
      fromGeometry(new BoxGeometry(2, 2, 2)),
      insideOut(fromGeometry(new IcosahedronGeometry(0.5, 3))),
    )
    for (const given of [shell, insideOut(shell)]) {
      const shape = mesh(given)
      expect(ask(shape, [0, 0, 0])[3]).toBeGreaterThan(0.4)
      expect(ask(shape, [0.75, 0, 0])[3]).toBeLessThan(-0.2)
      expect(ask(shape, [1.5, 0, 0])[3]).toBeCloseTo(0.5, 12)
    }
  })

  it('is a sheet where it is open: as far on either side', () => {
    const sheet = mesh(fromGeometry(new PlaneGeometry(2, 2, 3, 3)), { thickness: 0.02 })
    for (const side of [-1, 1]) {
      const q = ask(sheet, [0.1, 0.2, 0.5 * side])
      expect(q[3]).toBeCloseTo(0.49, 12)
      expect(q[6]).toBeCloseTo(side, 12)
    }
    // Beyond the rim it is round, and on the sheet itself one of the two sides.
    expect(ask(sheet, [1.3, 0, 0.4])[3]).toBeCloseTo(0.49, 12)
    expect(Math.abs(ask(sheet, [0.1, 0.2, 0])[6]!)).toBe(1)
    // A closed mesh may be one too.
    const room = mesh(fromGeometry(new BoxGeometry(2, 2, 2)), { solid: false, thickness: 0.02 })
    expect(ask(room, [0.5, 0, 0])[3]).toBeCloseTo(0.49, 12)
  })

  it('has a unit normal everywhere, also at its corners and edges', () => {
    const shapes = [
      mesh(angleMesh(1)),
      mesh(fromGeometry(new SphereGeometry(1, 8, 6))),
      mesh(angleMesh(1), { solid: false }),
    ]
    for (const shape of shapes) {
      for (const p of [
        [0, 0, 0],
        [0, 0, 0.5],
        [-1, -1, -0.5],
        [0, 1, 0],
        [0.5, 0, 0.5],
        [1, 0, 0],
      ]) {
        const q = ask(shape, p)
        expect(Math.hypot(q[4]!, q[5]!, q[6]!)).toBeCloseTo(1, 12)
      }
    }
  })

  it('is refused where nothing can be made of it', () => {
    const open = fromGeometry(new PlaneGeometry(1, 1))
    expect(() => mesh(open, { solid: true })).toThrow(
      /<Collider.Mesh> solid=\{true\}: the mesh is open.*Close its holes/,
    )
    expect(() => mesh(open, { thickness: 0 })).toThrow(/<Collider.Mesh> thickness=\{0\}: must be above zero/)
    expect(() => mesh({ positions: [] })).toThrow(/<Collider.Mesh> geometry/)
    expect(() => mesh({ positions: [0, 0, 0, 1, 0, 0, 1, 0, 0] })).toThrow(SettingError)
    expect(() => mesh({ positions: [0, 0, 0, 1, 0, 0, 0, Number.NaN, 0] })).toThrow(/not a finite number/)
    expect(() => mesh({ positions: [0, 0, 0, 1, 0, 0, 0, 1, 0], index: [0, 1, 9] })).toThrow(/index 9/)
  })
})

describe('the tree of triangles', () => {
  for (const seed of seeds(3)) {
    it(`finds what a search through all of them finds, seed ${seed}`, () => {
      const random = new Random(seed)
      const count = random.integer(1, 120)
      const positions = random.array(count * 9)
      for (let k = 0; k < count * 9; k += 9)
        for (let d = 3; d < 9; d++) positions[k + d] = positions[k + (d % 3)]! + random.uniform(-0.1, 0.1)
      const all = Uint32Array.from({ length: count * 3 }, (_, k) => k)
      const tree = new TriangleTree(positions, all)
      for (let k = 0; k < 60; k++) {
        const p = Float64Array.from(random.vector(1.5))
        tree.nearest(p)
        const square = found[3]!
        let least = Number.POSITIVE_INFINITY
        for (let t = 0; t < count; t++) {
          new TriangleTree(positions, all.slice(3 * t, 3 * t + 3)).nearest(p)
          least = Math.min(least, found[3]!)
        }
        expect(square).toBe(least)
      }
    })
  }

  it('of triangles in one place, or in a row, is built and searched all the same', () => {
    const same = new TriangleTree(
      Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0),
      new Uint32Array(900).map((_, k) => k % 3),
    )
    same.nearest(Float64Array.of(0.2, 0.2, 2))
    expect(found[3]).toBeCloseTo(4, 12)
    // Each twice as far as the one before: as uneven as numbers get.
    const row = Float64Array.from(
      { length: 9 * 200 },
      (_, k) => 2 ** (Math.floor(k / 9) / 2) * (k % 3 === 0 ? 1 : 1e-3 * (k % 9)),
    )
    const uneven = new TriangleTree(
      row,
      Uint32Array.from({ length: 600 }, (_, k) => k),
    )
    uneven.nearest(Float64Array.of(1, 0, 0))
    expect(found[3]).toBeLessThan(1e-4)
  })
})

describe('a hull', () => {
  /** Every point is within each face, and each face is on the side away from the middle. */
  function check(points: Float64Array): number {
    const triangles = quickhull(points)!
    const size = Math.max(...points) - Math.min(...points)
    const edges = new Map<string, number>()
    let highest = 0
    for (let t = 0; t < triangles.length; t += 3) {
      const [a, b, c] = [0, 1, 2].map((k) => 3 * triangles[t + k]!) as [number, number, number]
      for (const [from, to] of [
        [a, b],
        [b, c],
        [c, a],
      ] as const) {
        expect(edges.get(`${from},${to}`)).toBeUndefined()
        edges.set(`${from},${to}`, t)
      }
      const u = [0, 1, 2].map((d) => points[b + d]! - points[a + d]!)
      const v = [0, 1, 2].map((d) => points[c + d]! - points[a + d]!)
      const n = [u[1]! * v[2]! - u[2]! * v[1]!, u[2]! * v[0]! - u[0]! * v[2]!, u[0]! * v[1]! - u[1]! * v[0]!]
      const length = Math.hypot(...n)
      for (let p = 0; p < points.length; p += 3) {
        const height = [0, 1, 2].reduce((sum, d) => sum + (n[d]! / length) * (points[p + d]! - points[a + d]!), 0)
        highest = Math.max(highest, height)
      }
    }
    expect(highest).toBeLessThan(1e-7 * size)
    // Closed: each edge is run once either way.
    for (const key of edges.keys()) expect(edges.has(key.split(',').reverse().join())).toBe(true)
    return triangles.length / 3
  }

  for (const seed of seeds(6)) {
    it(`holds every point of a cloud, seed ${seed}`, () => {
      const random = new Random(seed)
      check(random.array(3 * random.integer(4, 200)))
      // On a ball, where all of them are corners.
      const ball = Array.from({ length: 100 }, () => random.direction()).flat()
      expect(check(Float64Array.from(ball))).toBe(2 * 100 - 4)
      // Flat to 1 part in 10,000, and far from the origin.
      check(random.array(300).map((x, k) => 1000 + (k % 3 === 1 ? 1e-4 * x : x)))
    })
  }

  it('of grids, doubled and coplanar points has no slivers', () => {
    const grid = Array.from({ length: 216 }, (_, k) => [k % 6, Math.floor(k / 6) % 6, Math.floor(k / 36)]).flat()
    expect(check(Float64Array.from(grid))).toBe(12)
    expect(check(Float64Array.from([...grid, ...grid]))).toBe(12)
    for (const seed of seeds(8)) {
      // Turned, the same grid is coplanar to rounding alone.
      const turn = new Random(seed).rotation()
      const turned = grid.flatMap((_, k) =>
        k % 3 ? [] : Array.from(rotate(turn, [grid[k]!, grid[k + 1]!, grid[k + 2]!])),
      )
      // A point of an edge may be one of the four that it starts from, and then stays.
      expect(check(Float64Array.from(turned))).toBeLessThan(20)
    }
    check(Float64Array.from(new SphereGeometry(1, 24, 16).getAttribute('position').array))
    check(Float64Array.from(new TorusKnotGeometry(1, 0.3).getAttribute('position').array))
  })

  it('of the corners of a box is the box', () => {
    const random = new Random(5)
    const shape = hull(new BoxGeometry(1, 2, 3, 2, 2, 2).getAttribute('position').array)
    const exact = box([0.5, 1, 1.5])
    for (let k = 0; k < 200; k++) {
      const p = random.vector(2)
      const [a, b] = [ask(shape, p), ask(exact, p)]
      expect(a[3]).toBeCloseTo(b[3]!, 12)
    }
    expect(shape.inradius).toBeCloseTo(0.5, 12)
  })

  it('of too few or flat points is refused', () => {
    const flat = Array.from({ length: 30 }, (_, k) => (k % 3 === 2 ? 0 : Math.sin(k)))
    for (const bad of [[], [0, 0, 0], [0, 0, 0, 1, 0, 0, 0, 1, 0], Array.from({ length: 30 }, () => 1), flat]) {
      expect(() => hull(bad)).toThrow(/<Collider.Hull> points.*not in one plane/)
    }
    expect(() => hull([...flat.slice(0, 29), Number.POSITIVE_INFINITY])).toThrow(/finite/)
  })
})

it('a heightfield of odd rows or heights is refused', () => {
  expect(() => heightfield([[0, 0]], 1, 1)).toThrow(/<Collider.Heightfield> heights.*two rows/)
  expect(() => heightfield([[0], [0]], 1, 1)).toThrow(/two heights a row/)
  expect(() =>
    heightfield(
      [
        [0, 0],
        [0, 0, 0],
      ],
      1,
      1,
    ),
  ).toThrow(/row 1 is not as long as the first/)
  expect(() =>
    heightfield(
      [
        [0, 0],
        [0, Number.NaN],
      ],
      1,
      1,
    ),
  ).toThrow(/row 1, column 1/)
  for (const bad of [0, -1, Number.NaN]) {
    expect(() =>
      heightfield(
        [
          [0, 0],
          [0, 0],
        ],
        bad,
        1,
      ),
    ).toThrow(/<Collider.Heightfield> args/)
    expect(() =>
      heightfield(
        [
          [0, 0],
          [0, 0],
        ],
        1,
        bad,
      ),
    ).toThrow(/<Collider.Heightfield> args/)
  }
})

it('a compound without parts, or with a part nowhere, is refused', () => {
  expect(() => compound([])).toThrow(/<Collider.Compound> children/)
  expect(() => compound([{ shape: sphere(1), position: [0, Number.NaN, 0] }])).toThrow(/<Collider.Compound> position/)
})

it('a compound of a compound is where both put it', () => {
  const random = new Random(9)
  const [inner, outer]: [Quat, Quat] = [random.rotation(), random.rotation()]
  const shape = compound([
    {
      shape: compound([{ shape: box([0.2, 0.3, 0.4]), position: [1, 0, 0], rotation: inner }, { shape: sphere(0.1) }]),
      position: [0, 2, 0],
      rotation: outer,
    },
  ])
  for (let k = 0; k < 50; k++) {
    const p = random.vector(3)
    const q = toLocal([[0, 2, 0], outer], p)
    const expected = Math.min(ask(box([0.2, 0.3, 0.4]), toLocal([[1, 0, 0], inner], q))[3]!, ask(sphere(0.1), q)[3]!)
    expect(ask(shape, p)[3]).toBeCloseTo(expected, 12)
  }
  // A plane has no end, and so has what it is part of.
  expect(shape.bounds).toBeDefined()
  expect(compound([{ shape: plane() }, { shape: sphere(1) }]).bounds).toBeUndefined()
})

it('a shape at another size has distances of that size, normals as before', () => {
  const random = new Random(4)
  const shape = mesh(angleMesh(1))
  const large = scaled(shape, 3)
  for (let k = 0; k < 50; k++) {
    const p = random.vector(2)
    const [a, b] = [
      ask(shape, p),
      ask(
        large,
        p.map((x) => 3 * x),
      ),
    ]
    expect(b[3]).toBeCloseTo(3 * a[3]!, 12)
    for (let d = 4; d < 7; d++) expect(b[d]).toBeCloseTo(a[d]!, 9)
  }
  expect([...large.bounds!]).toEqual([...shape.bounds!].map((x) => 3 * x))
  expect(scaled(shape, 1)).toBe(shape)
})
