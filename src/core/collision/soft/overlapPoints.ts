import { roomy } from './columns.js'

/** What is added to the side of a point where surfaces cross. */
const CROSSING = 4

/** Points of overlaps, as they are found; `gather` takes together those of one pair. */
export class OverlapPoints {
  /** Those of the pair that was gathered last: places [3 n] m, and whose each is. */
  own = new Float64Array(0)
  ownSides = new Uint8Array(0)
  private count = 0
  /** Of all: places [3 n] m, whose each is, and of which pair. */
  private places = new Float64Array(0)
  private sides = new Uint8Array(0)
  private pairs = new Uint32Array(0)
  private crossings = new Uint32Array(0)

  clear(): void {
    this.count = 0
  }

  /** A point at `place` that lies in an overlap. */
  add(pair: number, side: number, place: Float64Array): void {
    const at = this.count++
    this.places = roomy(this.places, this.count * 3)
    this.sides = roomy(this.sides, this.count)
    this.pairs = roomy(this.pairs, this.count)
    this.sides[at] = side
    this.pairs[at] = pair
    for (let d = 0; d < 3; d++) this.places[at * 3 + d] = place[d]!
  }

  /** A point at `place` where surfaces cross: half way between two of them is a point of the overlap. */
  addCrossing(pair: number, side: number, place: Float64Array): void {
    this.add(pair, side + CROSSING, place)
  }

  /** Gathers the points of a pair, those half way between two crossings for the crossings; returns how many they are. */
  gather(pair: number): number {
    const { places, sides } = this
    this.own = roomy(this.own, this.count * 3)
    this.ownSides = roomy(this.ownSides, this.count)
    this.crossings = roomy(this.crossings, this.count)
    const { own, ownSides, crossings } = this
    let count = 0
    let crossed = 0
    for (let k = 0; k < this.count; k++) {
      if (this.pairs[k] !== pair) continue
      if (sides[k]! >= CROSSING) {
        crossings[crossed++] = k
        continue
      }
      for (let d = 0; d < 3; d++) own[count * 3 + d] = places[k * 3 + d]!
      ownSides[count++] = sides[k]!
    }
    for (let k = 0; k < crossed; k++) {
      const p = crossings[k]! * 3
      // One that is as far from it in the list as can be: of the other body, or on the other side.
      const q = crossings[(k + (crossed >> 1)) % crossed]! * 3
      for (let d = 0; d < 3; d++) own[count * 3 + d] = 0.5 * (places[p + d]! + places[q + d]!)
      ownSides[count++] = sides[crossings[k]!]! - CROSSING
    }
    return count
  }
}
