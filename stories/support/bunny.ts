import bunny from 'bunny'
import { useMemo } from 'react'
import { BufferAttribute, BufferGeometry } from 'three'
import { withRest } from './materials.js'

/** A surface as plain arrays, for the two operations below. */
interface Surface {
  positions: number[]
  index: number[]
}

/** Every triangle in four, by the middles of its edges. */
function subdivide({ positions, index }: Surface): Surface {
  const points = positions.slice()
  const middles = new Map<number, number>()
  const count = positions.length / 3
  const middle = (a: number, b: number): number => {
    const key = Math.min(a, b) * count + Math.max(a, b)
    const known = middles.get(key)
    if (known !== undefined) return known
    for (let k = 0; k < 3; k++) points.push((positions[a * 3 + k]! + positions[b * 3 + k]!) / 2)
    middles.set(key, points.length / 3 - 1)
    return points.length / 3 - 1
  }
  const finer: number[] = []
  for (let t = 0; t < index.length; t += 3) {
    const [a, b, c] = [index[t]!, index[t + 1]!, index[t + 2]!]
    const [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)]
    finer.push(a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca)
  }
  return { positions: points, index: finer }
}

/** Evens a surface out without shrinking it (Taubin 1995): glossy materials show every facet of a scan. */
function smooth({ positions, index }: Surface, rounds: number): void {
  const neighbours = Array.from({ length: positions.length / 3 }, () => new Set<number>())
  for (let t = 0; t < index.length; t += 3) {
    for (let k = 0; k < 3; k++) {
      neighbours[index[t + k]!]!.add(index[t + ((k + 1) % 3)]!).add(index[t + ((k + 2) % 3)]!)
    }
  }
  for (let pass = 0; pass < rounds * 2; pass++) {
    const share = pass % 2 === 0 ? 0.5 : -0.53
    const old = positions.slice()
    for (const [i, near] of neighbours.entries()) {
      for (let k = 0; k < 3; k++) {
        let mean = 0
        for (const j of near) mean += old[j * 3 + k]! / near.size
        positions[i * 3 + k] = old[i * 3 + k]! + share * (mean - old[i * 3 + k]!)
      }
    }
  }
}

/** The Stanford bunny, smooth, `height` tall [m], standing on y = 0 around the origin. */
export function bunnyGeometry(height: number): BufferGeometry {
  const scan = { positions: bunny.positions.flat(), index: bunny.cells.flat() }
  smooth(scan, 4)
  const fine = subdivide(scan)
  smooth(fine, 3)
  const geometry = new BufferGeometry()
  geometry.setAttribute('position', new BufferAttribute(new Float32Array(fine.positions), 3))
  geometry.setIndex(fine.index)
  geometry.computeBoundingBox()
  const { min, max } = geometry.boundingBox!
  const scale = height / (max.y - min.y)
  geometry.translate(-(min.x + max.x) / 2, -min.y, -(min.z + max.z) / 2).scale(scale, scale, scale)
  geometry.computeVertexNormals()
  return withRest(geometry)
}

export function useBunny(height: number): BufferGeometry {
  return useMemo(() => bunnyGeometry(height), [height])
}
