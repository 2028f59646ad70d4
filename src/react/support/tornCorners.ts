import type { Skin, TornSkin } from '../../headless.js'
import type { Part } from './bodySource.js'
import { cornersOf } from './triangleMesh.js'

/** The triangles of each part's geometry as a torn skin has them, in the geometry's order, so that groups stay. */
export class TornCorners {
  /** [3 t] of each part: what was left out of the skin, since its corners are at one place, stays as it is. */
  readonly ofParts: readonly Uint32Array[]
  /** Of each part: where in these the triangles start that the skin has. */
  private readonly places: readonly Uint32Array[]

  /** @param whole the skin before the first tear */
  constructor(
    private readonly parts: readonly Part[],
    { vertexToPoint }: Skin,
  ) {
    this.ofParts = parts.map(({ geometry }) => cornersOf(geometry))
    this.places = parts.map(({ firstVertex }, part) => {
      const corners = this.ofParts[part]!
      const places = new Uint32Array(Math.floor(corners.length / 3))
      let count = 0
      for (let i = 0; i + 2 < corners.length; i += 3) {
        const a = vertexToPoint[firstVertex + corners[i]!]
        const b = vertexToPoint[firstVertex + corners[i + 1]!]
        const c = vertexToPoint[firstVertex + corners[i + 2]!]
        if (a !== b && b !== c && c !== a) places[count++] = i
      }
      return places.slice(0, count)
    })
  }

  /** Takes the vertices of a skin over into `ofParts`. */
  take({ corners: from, torn: { firsts } }: TornSkin): void {
    let corner = 0
    this.places.forEach((places, part) => {
      const corners = this.ofParts[part]!
      const first = firsts[part]!
      const turn = this.parts[part]!.mirrored ? 1 : 0
      for (const i of places) {
        corners[i] = from[corner]! - first
        corners[i + 1 + turn] = from[corner + 1]! - first
        corners[i + 2 - turn] = from[corner + 2]! - first
        corner += 3
      }
    })
  }
}
