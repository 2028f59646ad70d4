import { turn } from '../math/elementary.js'
import type { Vec3 } from '../vectors.js'

const TURN = 6.283185307179586

/** A rounded bar between two points [m]. */
export interface Capsule {
  readonly from: Vec3
  readonly to: Vec3
  readonly radii: readonly [number, number]
}

/** A closed surface, ring by ring between two poles. */
export interface CapsuleMesh {
  /** [3 n] m; the poles come last. */
  readonly positions: number[]
  /** [3 t] outward. */
  readonly triangles: number[]
  /** [2 n] around, 0 to 1, and along [m]. */
  readonly uvs: number[]
}

/** Unit vector from a to b, and two across it that make a right-handed frame with it. */
export function frameAlong(a: Vec3, b: Vec3): readonly [along: Vec3, x: Vec3, y: Vec3] {
  const d = minus(b, a)
  const along = scaled(d, 1 / lengthOf(d))
  // Across the axis of the world that is most across.
  const [p, q, r] = along.map(Math.abs) as [number, number, number]
  const axis: Vec3 = p <= q && p <= r ? [1, 0, 0] : q <= r ? [0, 1, 0] : [0, 0, 1]
  const across = cross(axis, along)
  const x = scaled(across, 1 / lengthOf(across))
  return [along, x, cross(along, x)]
}

/**
 * The surface of a capsule, open along a seam if it is to be textured.
 * @param sides points of a ring
 * @param rounds rings of each rounded end, its equator included
 */
export function capsuleMesh({ from, to, radii }: Capsule, sides: number, rounds: number, seam: boolean): CapsuleMesh {
  const [along, x, y] = frameAlong(from, to)
  const middle = lengthOf(minus(to, from))
  const positions: number[] = []
  const uvs: number[] = []
  const columns = seam ? sides + 1 : sides
  const add = (center: Vec3, far: number, wide: number, share: number, way: number) => {
    const [c, s] = turn(share * TURN)
    for (let d = 0; d < 3; d++) positions.push(center[d]! + far * along[d]! + wide * (c * x[d]! + s * y[d]!))
    uvs.push(share, way)
  }
  for (const end of [0, 1] as const) {
    const center = end === 0 ? from : to
    const radius = radii[end]
    for (let k = 0; k < rounds; k++) {
      const [wide, far] = turn(((end === 0 ? rounds - 1 - k : k) / rounds) * (TURN / 4))
      const side = end === 0 ? -1 : 1
      for (let c = 0; c < columns; c++) {
        add(center, side * far * radius, wide * radius, c / sides, end * middle + side * far * radius)
      }
    }
  }
  const rings = 2 * rounds
  const triangles: number[] = []
  for (let ring = 0; ring + 1 < rings; ring++) {
    for (let c = 0; c < sides; c++) {
      const [a, b] = [ring * columns + c, ring * columns + ((c + 1) % columns)]
      triangles.push(a, b, a + columns, b, b + columns, a + columns)
    }
  }
  const poles = rings * columns
  add(from, -radii[0], 0, 0.5, -radii[0])
  add(to, radii[1], 0, 0.5, middle + radii[1])
  for (let c = 0; c < sides; c++) {
    const next = (c + 1) % columns
    triangles.push(poles, next, c)
    triangles.push(poles + 1, (rings - 1) * columns + c, (rings - 1) * columns + next)
  }
  return { positions, triangles, uvs }
}

export function minus(a: Vec3, b: Vec3): Vec3 {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

export function scaled(a: Vec3, s: number): Vec3 {
  return [a[0] * s, a[1] * s, a[2] * s]
}

export function cross(a: Vec3, b: Vec3): Vec3 {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

export function lengthOf(a: Vec3): number {
  return Math.sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])
}
