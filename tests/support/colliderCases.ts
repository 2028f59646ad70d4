// Shapes whose surface is known point by point: what a collider's distance is held against.
import { box, type ColliderShape, compound, heightfield, hull, mesh, type Quat, sphere } from '../../src/headless.js'
import type { Random } from './draw.js'

export type Point = readonly [number, number, number]
/** A piece of surface with two coordinates in 0..1. */
export type Patch = (u: number, v: number) => Point

/** A shape, whether a point is inside, and its surface. */
export interface ColliderCase {
  name: string
  shape: ColliderShape
  inside: (p: Point) => boolean
  patches: Patch[]
}

const minus = (a: Point, b: Point): Point => [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
const plus = (a: Point, b: Point): Point => [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
const times = (a: Point, s: number): Point => [a[0] * s, a[1] * s, a[2] * s]
const dot = (a: Point, b: Point) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
const cross = (a: Point, b: Point): Point => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
]

function turn([x, y, z, w]: Quat, p: Point): Point {
  const t = times(cross([x, y, z], p), 2)
  return plus(plus(p, times(t, w)), cross([x, y, z], t))
}

/** The faces of a box. */
export function facesOf(half: Point): Patch[] {
  return [0, 1, 2].flatMap((axis) =>
    [-1, 1].map((side) => (u: number, v: number): Point => {
      const p = [0, 0, 0] as [number, number, number]
      p[axis] = side * half[axis]!
      p[(axis + 1) % 3] = (2 * u - 1) * half[(axis + 1) % 3]!
      p[(axis + 2) % 3] = (2 * v - 1) * half[(axis + 2) % 3]!
      return p
    }),
  )
}

/** A triangle, folded over so that both coordinates may run from 0 to 1. */
function triangle(a: Point, b: Point, c: Point): Patch {
  return (u, v) => {
    const [s, t] = u + v > 1 ? [1 - u, 1 - v] : [u, v]
    return plus(a, plus(times(minus(b, a), s), times(minus(c, a), t)))
  }
}

/** Corners of an L, about it. */
const outline = [0, 0, 2, 0, 2, 1, 1, 1, 1, 2, 0, 2]

/** An L: a box out of which a smaller one is cut, so that it has an edge that runs inwards. Faces run outwards. */
export function angleMesh(size: number): { positions: number[]; index: number[] } {
  const positions = [-0.5, 0.5].flatMap((z) =>
    [0, 1, 2, 3, 4, 5].flatMap((k) => [outline[2 * k]! - 1, outline[2 * k + 1]! - 1, z].map((x) => x * size)),
  )
  const front = [0, 1, 3, 1, 2, 3, 0, 3, 5, 3, 4, 5]
  const index = [...front.slice().reverse(), ...front.map((k) => k + 6)]
  for (let k = 0; k < 6; k++) {
    const next = (k + 1) % 6
    index.push(k, next, k + 6, next, next + 6, k + 6)
  }
  return { positions, index }
}

export function meshCase(random: Random): ColliderCase {
  const size = random.uniform(0.5, 1)
  const { positions, index } = angleMesh(size)
  const corner = (k: number) => positions.slice(3 * index[k]!, 3 * index[k]! + 3) as unknown as Point
  const patches = index.flatMap((_, k) => (k % 3 ? [] : [triangle(corner(k), corner(k + 1), corner(k + 2))]))
  const inside = ([x, y, z]: Point) =>
    Math.abs(z) < size / 2 && Math.abs(x) < size && Math.abs(y) < size && !(x > 0 && y > 0)
  return { name: 'mesh', shape: mesh({ positions, index }), inside, patches }
}

/** Four rows of three heights. It ends with its rectangle, and far below. */
export function heightfieldCase(random: Random): ColliderCase {
  const rows = [0, 1, 2, 3].map(() => [0, 1, 2].map(() => random.uniform(-0.5, 0.5)))
  const heights = rows.flat()
  const [low, high] = [Math.min(...heights), Math.max(...heights)]
  const floor = low - Math.max(2, 3, high - low)
  const corner = (r: number, c: number): Point => [c - 1, rows[r]![c]!, r - 1.5]
  const patches: Patch[] = [(u, v) => [2 * u - 1, floor, 3 * v - 1.5]]
  for (let r = 0; r < 3; r++) {
    for (let c = 0; c < 2; c++) {
      patches.push(triangle(corner(r, c), corner(r + 1, c), corner(r, c + 1)))
      patches.push(triangle(corner(r + 1, c), corner(r + 1, c + 1), corner(r, c + 1)))
    }
  }
  const wall = (a: Point, b: Point) =>
    patches.push((u, v) => {
      const [x, y, z] = plus(a, times(minus(b, a), u))
      return [x, y + v * (floor - y), z]
    })
  for (let r = 0; r < 3; r++) for (const c of [0, 2]) wall(corner(r, c), corner(r + 1, c))
  for (let c = 0; c < 2; c++) for (const r of [0, 3]) wall(corner(r, c), corner(r, c + 1))
  const height = (x: number, z: number) => {
    const [c, r] = [Math.min(1, Math.floor(x + 1)), Math.min(2, Math.floor(z + 1.5))]
    const [u, v] = [x + 1 - c, z + 1.5 - r]
    const [a, b, d, e] = [rows[r]![c]!, rows[r + 1]![c]!, rows[r]![c + 1]!, rows[r + 1]![c + 1]!]
    return u + v < 1 ? a + u * (d - a) + v * (b - a) : e + (1 - u) * (b - e) + (1 - v) * (d - e)
  }
  const inside = ([x, y, z]: Point) => Math.abs(x) < 1 && Math.abs(z) < 1.5 && y > floor && y < height(x, z)
  return { name: 'heightfield', shape: heightfield(rows, 2, 3), inside, patches }
}

/** An octahedron out of shape, with points within it and one that comes twice. */
export function hullCase(random: Random): ColliderCase {
  const end = (d: number, side: number) => [0, 1, 2].map((k) => (k === d ? side : 0)) as unknown as Point
  const corners = [0, 1, 2].map((d) => [-1, 1].map((side) => plus(end(d, side), random.vector(0.15))))
  const faces = [0, 1, 2, 3, 4, 5, 6, 7].map(
    (k) => [corners[0]![k & 1]!, corners[1]![(k >> 1) & 1]!, corners[2]![k >> 2]!] as const,
  )
  const inside = (p: Point) =>
    faces.every(([a, b, c]) => {
      const n = cross(minus(b, a), minus(c, a))
      return dot(n, minus(p, a)) * dot(n, minus([0, 0, 0], a)) > 0
    })
  const within = Array.from({ length: 20 }, () => random.vector(0.3))
  const shape = hull([...within, ...corners.flat(), corners[1]![0]!].flat())
  return { name: 'hull', shape, inside, patches: faces.map(([a, b, c]) => triangle(a, b, c)) }
}

/** A ball, and a turned box beside it. */
export function compoundCase(random: Random): ColliderCase {
  const rotation = random.rotation()
  const back: Quat = [-rotation[0], -rotation[1], -rotation[2], rotation[3]]
  const half: Point = [0.3, 0.4, 0.5]
  const left: Point = [-1, 0, 0]
  const right: Point = [1, 0.2, 0]
  const radius = random.uniform(0.2, 0.9)
  const shape = compound([
    { shape: sphere(radius), position: left },
    { shape: box(half), position: right, rotation },
  ])
  const inside = (p: Point) =>
    Math.hypot(...minus(p, left)) < radius || turn(back, minus(p, right)).every((x, d) => Math.abs(x) < half[d]!)
  const patches = [
    ...facesOf(half).map((face) => (u: number, v: number) => plus(right, turn(rotation, face(u, v)))),
    ...facesOf([1, 1, 1]).map((face) => (u: number, v: number) => {
      const p = face(u, v)
      return plus(left, times(p, radius / Math.hypot(...p)))
    }),
  ]
  return { name: 'compound', shape, inside, patches }
}
