import type { Enclosure } from './enclosure.js'
import type { TetMesh } from './tetrahedralize.js'

/** Part of a side of the bounding box that a surface must cover, there and opposite, to count as flat along that axis. */
const FLAT = 0.25
/** A point this near to a side lies on it [part of the longest side]. */
const ON = 1e-6
/** The most that a surface is stretched, so that it is a cell thick; whole cells press it by 1.5 at most. */
const MOST = 2

/**
 * By axis, the factor that makes whole cells of a surface that is flat on both sides along it: a box comes out with its
 * faces and edges, whatever its sides are, where a lattice of cubes would cut them off. Null where nothing is to be done.
 * @param cell side of the cells [m]
 */
export function* stretchOf(
  { surface: { positions, triangles } }: Enclosure,
  min: readonly number[],
  max: readonly number[],
  cell: number,
): Generator<void, readonly number[] | null> {
  const sides = min.map((low, axis) => max[axis]! - low)
  const near = ON * Math.max(...sides)
  /** Twice the area on the lower side and the upper one, by axis. */
  const covered = new Float64Array(6)
  for (let t = 0; t < triangles.length; t += 3) {
    for (let axis = 0; axis < 3; axis++) {
      for (let side = 0; side < 2; side++) {
        const at = (side === 0 ? min : max)[axis]!
        const lies = (k: number) => Math.abs(positions[3 * triangles[t + k]! + axis]! - at) <= near
        if (lies(0) && lies(1) && lies(2)) {
          covered[2 * axis + side] = covered[2 * axis + side]! + doubleArea(positions, triangles, t, axis)
        }
      }
    }
    if ((t & 0xfff) === 0xfff) yield
  }
  const factors = sides.map((side, axis) => {
    const whole = 2 * FLAT * sides[(axis + 1) % 3]! * sides[(axis + 2) % 3]!
    const flat = covered[2 * axis]! > whole && covered[2 * axis + 1]! > whole
    const factor = (Math.max(1, Math.round(side / cell)) * cell) / side
    return flat && Math.abs(factor - 1) > ON && factor <= MOST + ON ? factor : 1
  })
  return factors.every((factor) => factor === 1) ? null : factors
}

/** Twice the area of a triangle as it is seen along an axis. */
function doubleArea(x: Float64Array, triangles: Uint32Array, t: number, axis: number): number {
  const [u, v] = [(axis + 1) % 3, (axis + 2) % 3]
  const [a, b, c] = [3 * triangles[t]!, 3 * triangles[t + 1]!, 3 * triangles[t + 2]!]
  const [bu, bv] = [x[b + u]! - x[a + u]!, x[b + v]! - x[a + v]!]
  return Math.abs(bu * (x[c + v]! - x[a + v]!) - bv * (x[c + u]! - x[a + u]!))
}

/** A closed surface stretched along the axes. */
export function stretched(enclosure: Enclosure, factors: readonly number[]): Enclosure {
  const { surface, volume } = enclosure
  const positions = surface.positions.map((x, p) => x * factors[p % 3]!)
  return { ...enclosure, surface: { ...surface, positions }, volume: volume * factors[0]! * factors[1]! * factors[2]! }
}

/** Presses what fills such a surface back. */
export function pressedBack({ positions }: Pick<TetMesh, 'positions'>, factors: readonly number[]): Float64Array {
  return positions.map((x, p) => x / factors[p % 3]!)
}
