import { type ConstraintSet, type Model, sealed, type Torn } from '../model.js'
import { tornEdges, wingsBefore } from './edges.js'
import { Fans, lastCorner, nextCorner } from './fans.js'
import { piecesOf } from './pieces.js'
import { elementsOf, LINKS, MATCHES, NONE, type Ties, through, weaveOf, wholeOf } from './weave.js'

/** A set with more dead rows than this, and than this part of its rows, is compacted. */
const DEAD = 64
const DEAD_SHARE = 0.25

/** A model after a tear. */
export interface Parting {
  readonly model: Model
  /** Of each particle that is new: which one of the model before it was split off, ascending numbers. */
  readonly parents: readonly number[]
  /** True where sets have lost rows, so that those that are left have other numbers. */
  readonly compacted: boolean
}

/**
 * The model with the edges open that begin at some corners of its membrane. A particle whose triangles no longer hang
 * together by edges that are closed is split: the part with the largest area at rest keeps it, each other part gets a
 * copy. So no triangle spans a gap, none holds another by a point alone, and mass is dealt out by area.
 *
 * No row is added: those of triangles follow their corners, and since the rows of a copy are some of those of its
 * particle, which all have different colours, each keeps its own. A row that would span the gap dies: it names one
 * particle throughout, which no kind moves. Where many have died, sets are compacted.
 */
export function partEdges(model: Model, corners: Iterable<number>): Parting {
  const weave = weaveOf(model)
  const whole = wholeOf(model)
  const before = elementsOf(model)
  const elements = before.slice()
  const open = model.torn ? model.torn.open.slice() : new Uint8Array(elements.length)
  const fans = new Fans(before, model.particleCount)
  const ends = new Set<number>()
  for (const corner of corners) {
    const [i, j] = [before[corner]!, before[nextCorner(corner)]!]
    for (const one of fans.edgeCorners(i, j)) open[one] = 1
    ends.add(i).add(j)
  }
  const parents: number[] = []
  const shares = Array.from(model.massShares)
  for (const particle of [...ends].sort((i, j) => i - j)) {
    const fan = fans.of(particle)
    const groups = groupsOf(fan, before, open, weave.shares)
    const total = groups.reduce((sum, { area }) => sum + area, 0)
    for (const { members, area } of groups.slice(1)) {
      const copy = model.particleCount + parents.length
      parents.push(particle)
      for (const k of members) elements[fan[k]!] = copy
      shares[copy] = (model.massShares[particle]! * area) / total
      shares[particle]! -= shares[copy]
    }
  }
  const particleCount = model.particleCount + parents.length
  const split = new Uint8Array(particleCount)
  for (const parent of parents) split[parent] = 1
  const origins = new Uint32Array(particleCount - whole.particleCount)
  origins.set(model.torn?.origins ?? [])
  const positions = new Float64Array(particleCount * 3)
  positions.set(model.positions)
  parents.forEach((parent, k) => {
    const copy = model.particleCount + k
    origins[copy - whole.particleCount] = parent < whole.particleCount ? parent : origins[parent - whole.particleCount]!
    for (let d = 0; d < 3; d++) positions[copy * 3 + d] = positions[parent * 3 + d]!
  })
  const rowsBefore = model.torn?.rows ?? model.sets.map(() => null)
  const rows: (Uint32Array | null)[] = []
  let compacted = false
  const sets = model.sets.map((set, index) => {
    const tied =
      index === weave.membrane ? elements : retied(set, weave.ties[index]!, rowsBefore[index]!, elements, open, split)
    const next = { ...set, indices: tied }
    const left = index === weave.membrane ? null : leftRows(next)
    rows.push(left ? throughRows(rowsBefore[index]!, left) : rowsBefore[index]!)
    if (!left) return Object.freeze(next)
    compacted = true
    return Object.freeze(withRows(next, left))
  })
  const edges = tornEdges(model.edges, wingsBefore(model), before, elements, fans, split)
  const torn: Torn = Object.freeze({
    whole,
    origins,
    open,
    wings: edges.wings,
    rows,
    ...piecesOf(elements, particleCount),
  })
  return {
    parents,
    compacted,
    model: sealed({
      ...model,
      particleCount,
      positions,
      massShares: Float64Array.from(shares),
      triangles: through(weave.surface, elements),
      edges: edges.edges,
      sets: Object.freeze(sets),
      contactParticles: touchable(model, parents),
      torn,
    }),
  }
}

interface Group {
  /** Places in the fan. */
  readonly members: number[]
  /** Area at rest that is nearest to the particle [m^2]. */
  area: number
}

/** The triangles of a fan that hang together by edges that are closed, the largest group first, the others as they come. */
function groupsOf(fan: Uint32Array, elements: Uint32Array, open: Uint8Array, shares: Float64Array): Group[] {
  const group = Int32Array.from(fan, (_, k) => k)
  const root = (k: number): number => {
    let at = k
    while (group[at] !== at) at = group[at]!
    return at
  }
  for (let k = 0; k < fan.length; k++) {
    for (let l = 0; l < k; l++) {
      if (!hangTogether(fan[k]!, fan[l]!, elements, open)) continue
      const [a, b] = [root(k), root(l)]
      group[Math.max(a, b)] = Math.min(a, b)
    }
  }
  const groups = new Map<number, Group>()
  for (let k = 0; k < fan.length; k++) {
    const at = root(k)
    const one = groups.get(at) ?? { members: [], area: 0 }
    groups.set(at, one)
    one.members.push(k)
    one.area += shares[fan[k]!]!
  }
  const all = [...groups.values()]
  let largest = 0
  for (let k = 1; k < all.length; k++) if (all[k]!.area > all[largest]!.area * (1 + 1e-9)) largest = k
  return [all[largest]!, ...all.filter((_, k) => k !== largest)]
}

/** Whether the triangles of two corners at one particle have a closed edge there in common. */
function hangTogether(one: number, two: number, elements: Uint32Array, open: Uint8Array): boolean {
  for (const a of [nextCorner(one), lastCorner(one)]) {
    if (open[a === nextCorner(one) ? one : a] === 1) continue
    for (const b of [nextCorner(two), lastCorner(two)]) {
      if (elements[a] === elements[b] && open[b === nextCorner(two) ? two : b] === 0) return true
    }
  }
  return false
}

/** A set's indices after the tear. */
function retied(
  { indices, offsets, count }: ConstraintSet,
  ties: Ties,
  rows: Uint32Array | null,
  elements: Uint32Array,
  open: Uint8Array,
  split: Uint8Array,
): Uint32Array {
  const next = indices.slice()
  for (let row = 0; row < count; row++) {
    const from = offsets[row]!
    const to = offsets[row + 1]!
    retieRow(indices, next, from, to, rows ? rows[row]! : row, ties, elements, open, split)
  }
  return next
}

/** Writes the entries `from` to `to` of a row that was number `original` in the whole model, where it lives. */
function retieRow(
  indices: Uint32Array,
  next: Uint32Array,
  from: number,
  to: number,
  original: number,
  ties: Ties,
  elements: Uint32Array,
  open: Uint8Array,
  split: Uint8Array,
): void {
  let touched = false
  for (let k = from; k < to; k++) touched = touched || split[indices[k]!] === 1
  const first = original * (to - from)
  const tied = ties.corners[first] !== NONE
  if (!touched && !tied) return
  if (isDead(indices, from, to)) return
  if (tied) for (let k = from; k < to; k++) next[k] = elements[ties.corners[first + k - from]!]!
  if (tied ? endsWith(ties, original, elements, open) : touched) next.fill(indices[from]!, from, to)
}

function endsWith({ matches, links }: Ties, row: number, elements: Uint32Array, open: Uint8Array): boolean {
  for (let k = row * LINKS; k < (row + 1) * LINKS; k++) if (links[k] !== NONE && open[links[k]!] === 1) return true
  for (let k = row * 2 * MATCHES; k < (row + 1) * 2 * MATCHES; k += 2) {
    if (matches[k] !== NONE && elements[matches[k]!] !== elements[matches[k + 1]!]) return true
  }
  return false
}

/** A dead row names one particle throughout. */
function isDead(indices: Uint32Array, from: number, to: number): boolean {
  return indices[from] === indices[from + 1] && indices[from] === indices[to - 1]
}

/** The rows of a set that are to be kept, where enough have died. */
function leftRows({ indices, offsets, count }: ConstraintSet): Uint32Array | null {
  let dead = 0
  for (let row = 0; row < count; row++) if (isDead(indices, offsets[row]!, offsets[row + 1]!)) dead++
  if (dead <= DEAD || dead <= DEAD_SHARE * count) return null
  return Uint32Array.from({ length: count }, (_, row) => row).filter(
    (row) => !isDead(indices, offsets[row]!, offsets[row + 1]!),
  )
}

function throughRows(before: Uint32Array | null, left: Uint32Array): Uint32Array {
  return before ? through(left, before) : left
}

/** A set of fixed arity with some of its rows. */
function withRows(set: ConstraintSet, rows: Uint32Array): ConstraintSet {
  const arity = set.count === 0 ? 0 : set.indices.length / set.count
  const { restSize } = set.kind
  const starts = set.colors.map((start) => {
    let at = 0
    while (at < rows.length && rows[at]! < start) at++
    return at
  })
  return {
    ...set,
    count: rows.length,
    indices: Uint32Array.from(
      { length: rows.length * arity },
      (_, k) => set.indices[rows[Math.floor(k / arity)]! * arity + (k % arity)]!,
    ),
    offsets: Uint32Array.from({ length: rows.length + 1 }, (_, row) => row * arity),
    rest: Float64Array.from(
      { length: rows.length * restSize },
      (_, k) => set.rest[rows[Math.floor(k / restSize)]! * restSize + (k % restSize)]!,
    ),
    unitCompliance: Float64Array.from(rows, (row) => set.unitCompliance[row]!),
    colors: starts,
  }
}

/** A copy is stopped by colliders where its particle is. */
function touchable({ contactParticles, particleCount }: Model, parents: readonly number[]): Uint32Array {
  const stopped = new Uint8Array(particleCount)
  for (let k = 0; k < contactParticles.length; k++) stopped[contactParticles[k]!] = 1
  const copies = parents.map((_, k) => particleCount + k).filter((_, k) => stopped[parents[k]!] === 1)
  const all = new Uint32Array(contactParticles.length + copies.length)
  all.set(contactParticles)
  all.set(copies, contactParticles.length)
  return all
}
