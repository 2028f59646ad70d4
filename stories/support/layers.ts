import type { Body } from '../../src/index.js'
import { positionsOf } from './play.js'

/**
 * The least distance between particles of a cloth from `args` that are `apart` segments or more from each other along it
 * [m]. Layers that lie on each other keep both their thicknesses; where they cross they come nearer.
 */
export function layerDistance(cloth: Body, segmentsX: number, apart: number): number {
  const points = positionsOf(cloth)
  const columns = segmentsX + 1
  let nearest = Number.POSITIVE_INFINITY
  for (let i = 0; i < cloth.particleCount; i++) {
    for (let j = 0; j < i; j++) {
      const across = Math.abs((i % columns) - (j % columns))
      const down = Math.floor(i / columns) - Math.floor(j / columns)
      if (Math.max(across, down) < apart) continue
      const [x, y, z] = [0, 1, 2].map((d) => points[3 * i + d]! - points[3 * j + d]!)
      nearest = Math.min(nearest, Math.hypot(x!, y!, z!))
    }
  }
  return nearest
}
