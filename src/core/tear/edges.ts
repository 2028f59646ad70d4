import { edgeKey } from '../bodies/diagonals.js'
import type { Model } from '../model.js'
import { type Fans, lastCorner, nextCorner } from './fans.js'
import { elementsOf } from './weave.js'

interface Edges {
  /** [2 e] */
  readonly edges: Uint32Array
  /** [2 e] third corners, + 1, of the first two triangles; 0 where there is none. */
  readonly wings: Uint32Array
}

const wingsOfWholes = new WeakMap<Model, Uint32Array>()

/** Wings of a model's edges: known of a torn one, found once for a whole one. */
export function wingsBefore(model: Model): Uint32Array {
  if (model.torn) return model.torn.wings
  const known = wingsOfWholes.get(model)
  if (known) return known
  const { edges } = model
  const wings = new Uint32Array(edges.length)
  const elements = elementsOf(model)
  const numbers = new Map<number, number>()
  for (let e = 0; e < edges.length; e += 2) numbers.set(edgeKey(edges[e]!, edges[e + 1]!), e)
  for (let corner = 0; corner < elements.length; corner++) {
    const e = numbers.get(edgeKey(elements[corner]!, elements[nextCorner(corner)]!))
    if (e !== undefined) addWing(wings, e, elements[lastCorner(corner)]!)
  }
  wingsOfWholes.set(model, wings)
  return wings
}

/**
 * The edges after a tear, each where it was; the second side of one that has come apart follows after all of them.
 * @param split 1 for a particle that has been split
 * @param before [3 t] particles of the triangles before, whose `fans` are given
 */
export function tornEdges(
  edges: Uint32Array,
  wings: Uint32Array,
  before: Uint32Array,
  elements: Uint32Array,
  fans: Fans,
  split: Uint8Array,
): Edges {
  const next = edges.slice()
  const nextWings = wings.slice()
  const more: number[] = []
  const moreWings: number[] = []
  const isSplit = (wing: number) => wing > 0 && split[wing - 1] === 1
  for (let e = 0; e < edges.length; e += 2) {
    const i = edges[e]!
    const j = edges[e + 1]!
    if (!split[i] && !split[j] && !isSplit(wings[e]!) && !isSplit(wings[e + 1]!)) continue
    const sides = new Map<number, number[]>()
    for (const corner of fans.edgeCorners(i, j)) {
      const ends = [elements[corner]!, elements[nextCorner(corner)]!]
      if (before[corner] !== i) ends.reverse()
      const key = edgeKey(ends[0]!, ends[1]!)
      const side = sides.get(key) ?? [...ends, 0, 0]
      sides.set(key, side)
      addWing(side, 2, elements[lastCorner(corner)]!)
    }
    let first = true
    for (const [a, b, c, d] of sides.values()) {
      if (first) {
        next.set([a!, b!], e)
        nextWings.set([c!, d!], e)
      } else {
        more.push(a!, b!)
        moreWings.push(c!, d!)
      }
      first = false
    }
  }
  return { edges: concatenated(next, more), wings: concatenated(nextWings, moreWings) }
}

function addWing(wings: Uint32Array | number[], at: number, third: number): void {
  if (wings[at] === 0) wings[at] = third + 1
  else if (wings[at + 1] === 0) wings[at + 1] = third + 1
}

function concatenated(list: Uint32Array, more: readonly number[]): Uint32Array {
  const out = new Uint32Array(list.length + more.length)
  out.set(list)
  out.set(more, list.length)
  return out
}
