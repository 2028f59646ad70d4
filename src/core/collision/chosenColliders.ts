import { particleBoundsOf } from '../measures.js'
import type { BodyRecord, ColliderRecord } from '../records.js'
import type { State } from '../state.js'
import { ColliderBoxes } from './colliderBoxes.js'
import { pushEachOther } from './groups.js'
import { STRETCH, SWAY } from './pairs.js'
import { POSE } from './poses.js'
import { BOX } from './soft/boxTree.js'
import { roomy } from './soft/columns.js'

/** Up to so many colliders are looked at one by one for each body. */
const FEW = 8

/** Where a body's points are [m]. */
const around = new Float64Array(BOX)
const query = new Float64Array(7)

/** The colliders that push a body and may come near it until the end of a step. */
export class ChosenColliders {
  /** In ascending order, the first `count` of them. */
  found = new Uint32Array(0)
  count = 0
  private colliders: readonly ColliderRecord[] = []
  private data = new Float64Array(0)
  private sway = new Float64Array(0)
  private readonly boxes = new ColliderBoxes()
  /** How near a collider must come to be chosen [m]. */
  private readonly reach = new Float64Array(1)

  /** Takes colliders at the poses where their ways begin, and how they move from there on: `Poses.data` and `Pairs.sway`. */
  bake(colliders: readonly ColliderRecord[], data: Float64Array, sway: Float64Array): void {
    this.colliders = colliders
    this.data = data as Float64Array<ArrayBuffer>
    this.sway = sway as Float64Array<ArrayBuffer>
    if (colliders.length > FEW) this.boxes.bake(colliders, data, sway)
  }

  /**
   * Chooses those that the points of a body are to be held against. @param surface see `Pairs.surfaces` @param margin how
   * near a point must be to a collider to be listed [m]
   */
  choose(state: State, body: BodyRecord, surface: Float64Array, margin: Float64Array): void {
    const { boxes, colliders } = this
    this.found = roomy(this.found, colliders.length)
    this.findAround(state, body, surface)
    if (colliders.length <= FEW) {
      this.count = 0
      for (let c = 0; c < colliders.length; c++) this.take(body, c)
      this.leaveFar(margin)
      return
    }
    this.reach[0] = margin[0]!
    for (let round = 0; round < 2; round++) {
      boxes.find(around, this.reach, margin)
      this.count = 0
      for (let k = 0; k < boxes.count; k++) this.take(body, boxes.found[k]!)
      // What moves may carry a point to others: see `searchPoint`.
      this.findReach(margin)
      if (this.reach[0] === margin[0]) return
    }
  }

  /** A box that holds a body's points, which may be farther from its middle than its particles, into `around`. */
  private findAround(state: State, body: BodyRecord, surface: Float64Array): void {
    particleBoundsOf(body, state, around)
    for (let d = 0; d < 3; d++) {
      const beyond = ((surface[STRETCH]! - 1) * (around[3 + d]! - around[d]!)) / 2
      around[d] = around[d]! - beyond
      around[3 + d] = around[3 + d]! + beyond
    }
  }

  /** Of the chosen colliders leaves out those that are far from all points of the body in hand. */
  private leaveFar(margin: Float64Array): void {
    this.findReach(margin) // what moves may carry a point to others: see `searchPoint`
    let square = 0
    for (let d = 0; d < 3; d++) square += (around[3 + d]! - around[d]!) * (around[3 + d]! - around[d]!)
    const radius = Math.sqrt(square) / 2
    // What itself moves is as much nearer, at most half of what `findReach` has added.
    const reach = radius + 1.5 * this.reach[0]! - 0.5 * margin[0]!
    let kept = 0
    for (let k = 0; k < this.count; k++) {
      const c = this.found[k]!
      this.look(c)
      if (query[3]! > reach) continue
      this.found[kept++] = c
    }
    this.count = kept
  }

  /** How far a collider is from the middle of `around` at least, into query[3] [m]. */
  private look(c: number): void {
    const { data } = this
    const o = c * POSE
    const rx = (around[0]! + around[3]!) / 2 - data[o]!
    const ry = (around[1]! + around[4]!) / 2 - data[o + 1]!
    const rz = (around[2]! + around[5]!) / 2 - data[o + 2]!
    query[0] = data[o + 3]! * rx + data[o + 6]! * ry + data[o + 9]! * rz
    query[1] = data[o + 4]! * rx + data[o + 7]! * ry + data[o + 10]! * rz
    query[2] = data[o + 5]! * rx + data[o + 8]! * ry + data[o + 11]! * rz
    const { shape } = this.colliders[c]!
    if (shape.bounds) findBeyond(shape.bounds, query)
    else shape.distance(query)
  }

  private take({ settings }: BodyRecord, c: number): void {
    if (pushEachOther(settings, this.colliders[c]!)) this.found[this.count++] = c
  }

  /** Finds `reach`: beyond the margin twice the way of any of the chosen, at the farthest point of the body in hand. */
  private findReach(margin: Float64Array): void {
    const { found, sway, data } = this
    let most = 0
    for (let k = 0; k < this.count; k++) {
      const c = found[k]!
      if (sway[c * SWAY] === 0 && sway[c * SWAY + 1] === 0) continue
      let square = 0
      for (let d = 0; d < 3; d++) {
        const at = data[c * POSE + d]!
        const far = Math.max(around[3 + d]! - at, at - around[d]!)
        square += far * far
      }
      most = Math.max(most, sway[c * SWAY]! + sway[c * SWAY + 1]! * (Math.sqrt(square) + margin[0]!))
    }
    this.reach[0] = margin[0]! + 2 * most
  }

  /** Leaves out what does not push: by collider 1 for what does. */
  leave(pushes: Uint8Array): void {
    let kept = 0
    for (let k = 0; k < this.count; k++) {
      const c = this.found[k]!
      if (pushes[c] === 1) this.found[kept++] = c
    }
    this.count = kept
  }
}

/** Distance of query[0..2] from a box, into query[3] [m]. */
export function findBeyond(bounds: Float64Array, query: Float64Array): void {
  const x = Math.max(bounds[0]! - query[0]!, query[0]! - bounds[3]!, 0)
  const y = Math.max(bounds[1]! - query[1]!, query[1]! - bounds[4]!, 0)
  const z = Math.max(bounds[2]! - query[2]!, query[2]! - bounds[5]!, 0)
  query[3] = Math.sqrt(x * x + y * y + z * z)
}
