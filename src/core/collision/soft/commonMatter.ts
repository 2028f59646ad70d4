import type { State } from '../../state.js'
import { windingNumber } from './axisRays.js'
import { BOX } from './boxTree.js'
import { roomy } from './columns.js'
import { MEETING, type Surfaces } from './surfaces.js'

/** Share of the smaller one's matter that two bodies have in common where they are deep in each other. */
const DEEP = 1 / 8

/** Tetrahedra of a body that are looked for in another one, at most. */
const SAMPLES = 16

/** Likewise of two that contact holds in each other: how much of either, and the tetrahedra to be looked for. */
const HOOKED = 1 / 40
const HOOKED_SAMPLES = 64

const point = new Float64Array(3)

/** Boxes about live bodies with their reach, and which of these meet: those of b from partnerStarts[b] on. */
export interface Neighbours {
  readonly boxes: Float64Array
  readonly reach: Float64Array
  readonly partners: Uint32Array
  readonly partnerStarts: Uint32Array
}

/** How much two bodies have in common: by contact hardly anything, however hard they are pressed together. */
export class CommonMatter {
  /** The sides of what the boxes of two bodies have in common, without what they reach beyond [m]. */
  readonly sides = new Float64Array(3)
  /** By live body: the volume of its box [m^3]. */
  private volumes = new Float64Array(0)

  constructor(private readonly surfaces: Surfaces) {}

  /** Measures the boxes. */
  measure({ boxes, reach }: Neighbours): void {
    const count = this.surfaces.bodies.length
    this.volumes = roomy(this.volumes, count)
    for (let b = 0; b < count; b++) {
      const o = b * BOX
      const off = 2 * reach[b]!
      this.volumes[b] =
        (boxes[o + 3]! - boxes[o]! - off) *
        (boxes[o + 4]! - boxes[o + 1]! - off) *
        (boxes[o + 5]! - boxes[o + 2]! - off)
    }
  }

  /** True for two solids that push each other and whose boxes have as much in common as what is deep. */
  sharesMuch(neighbours: Neighbours, a: number, b: number): boolean {
    const { surfaces, sides, volumes } = this
    if (surfaces.solid[a] === 0 || surfaces.solid[b] === 0 || surfaces.meeting(a, b) !== MEETING.PUSH) return false
    if (!this.findSides(neighbours, a, b)) return false
    return sides[0]! * sides[1]! * sides[2]! > DEEP * Math.min(volumes[a]!, volumes[b]!)
  }

  /** Finds the sides of what the boxes of two bodies have in common; false where that is nothing. */
  findSides({ boxes, reach }: Neighbours, a: number, b: number): boolean {
    const { sides } = this
    for (let d = 0; d < 3; d++) {
      const low = Math.max(boxes[a * BOX + d]! + reach[a]!, boxes[b * BOX + d]! + reach[b]!)
      const high = Math.min(boxes[a * BOX + 3 + d]! - reach[a]!, boxes[b * BOX + 3 + d]! - reach[b]!)
      sides[d] = high - low
    }
    return sides[0]! > 0 && sides[1]! > 0 && sides[2]! > 0
  }

  /** True where the smaller of two bodies has so much of its matter in the other. */
  isDeep(state: State, neighbours: Neighbours, a: number, b: number): boolean {
    const small = this.volumes[b]! < this.volumes[a]! ? b : a
    return this.isWithin(state, neighbours, small, small === a ? b : a, SAMPLES, DEEP)
  }

  /** True where either of two bodies has so much of its matter in the other that contact must hold it there. */
  isHooked(state: State, neighbours: Neighbours, a: number, b: number): boolean {
    if (!this.findSides(neighbours, a, b)) return false
    return (
      this.isWithin(state, neighbours, a, b, HOOKED_SAMPLES, HOOKED) ||
      this.isWithin(state, neighbours, b, a, HOOKED_SAMPLES, HOOKED)
    )
  }

  /** True where more than a share of body a is in b, asked of `most` tetrahedra at most by their middles. */
  private isWithin(
    { previous: x }: State,
    neighbours: Neighbours,
    a: number,
    b: number,
    most: number,
    share: number,
  ): boolean {
    const { start, model } = this.surfaces.bodies[a]!
    const { tets } = model
    const samples = Math.min(most, tets.length / 4)
    let within = 0
    for (let k = 0; k < samples; k++) {
      const t = Math.floor((k * tets.length) / (4 * samples)) * 4
      for (let d = 0; d < 3; d++) {
        point[d] =
          0.25 *
          (x[(start + tets[t]!) * 3 + d]! +
            x[(start + tets[t + 1]!) * 3 + d]! +
            x[(start + tets[t + 2]!) * 3 + d]! +
            x[(start + tets[t + 3]!) * 3 + d]!)
      }
      if (this.isInside(x, neighbours, b)) within++
      if (within > share * samples) return true
    }
    return false
  }

  /** True where `point` is in a live body: a ray leaves it more often than it enters. */
  private isInside(x: Float64Array, { boxes }: Neighbours, b: number): boolean {
    for (let d = 0; d < 3; d++) {
      if (point[d]! < boxes[b * BOX + d]! || point[d]! > boxes[b * BOX + 3 + d]!) return false
    }
    const { triangles, triangleStarts } = this.surfaces
    return windingNumber(x, triangles, triangleStarts[b]! * 3, triangleStarts[b + 1]! * 3, point, 0) > 0
  }
}
