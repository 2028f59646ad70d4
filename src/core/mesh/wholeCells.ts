import type { Enclosure } from './enclosure.js'
import type { TetMesh } from './tetrahedralize.js'

/** A factor this near to 1 is none. */
const NONE = 1e-6
/** The most that a surface is stretched, so that it is a cell thick; whole cells press it by 1.5 at most. */
const MOST = 2

/**
 * By axis, the factor that makes whole cells of a surface that is flat on both sides along it: a box comes out with its
 * faces and edges, whatever its sides are, where a lattice of cubes would cut them off. Null where nothing is to be done.
 * @param sides of the bounding box [m]
 * @param cell side of the cells [m]
 */
export function stretchOf({ flat }: Enclosure, sides: readonly number[], cell: number): readonly number[] | null {
  const factors = sides.map((side, axis) => {
    const factor = (Math.max(1, Math.round(side / cell)) * cell) / side
    return flat[axis]! && Math.abs(factor - 1) > NONE && factor <= MOST + NONE ? factor : 1
  })
  return factors.every((factor) => factor === 1) ? null : factors
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
