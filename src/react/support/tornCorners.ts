import type { Skin, TornSkin } from '../../headless.js'
import type { Part } from './bodySource.js'
import { cornersOf } from './triangleMesh.js'

/**
 * The vertices of each part's triangles in a torn skin, in the order in which its geometry has them, so that groups stay.
 * What the skin has left out, since its corners are at one place, is as it was.
 * @param whole the skin before the first tear
 */
export function cornersByPart(skin: TornSkin, parts: readonly Part[], whole: Skin): Uint32Array[] {
  let corner = 0
  return parts.map(({ geometry, firstVertex, mirrored }, part) => {
    const corners = cornersOf(geometry)
    for (let i = 0; i + 2 < corners.length; i += 3) {
      const points = [0, 1, 2].map((k) => whole.vertexToPoint[firstVertex + corners[i + k]!])
      if (new Set(points).size < 3) continue
      const [a, b, c] = [0, 1, 2].map((k) => skin.corners[corner + k]! - skin.firsts[part]!) as [number, number, number]
      corners.set(mirrored ? [a, c, b] : [a, b, c], i)
      corner += 3
    }
    return corners
  })
}
