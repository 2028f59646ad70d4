/** Sources of one group that a point keeps apart, so that a front is carried on by both ends of an edge. */
const PER_GROUP = 6
/** Groups of sources that a point keeps. */
const GROUPS = 4
const LABELS = PER_GROUP * GROUPS
/** What is shorter by less than this part is the same. */
const SHORTER = 1 - 1e-9

/** For each point and each of the nearest groups of sources: the nearest source of the group. */
export interface NearSources {
  readonly points: Uint32Array
  readonly sources: Uint32Array
  /** Along the surface [m]. */
  readonly distances: Float64Array
}

/**
 * Shortest ways along a triangle mesh from points to sources. A front runs from every source over the mesh: a corner of a
 * triangle is reached through the opposite edge, whose ends say where the source lies in the plane of the triangle when
 * all between is laid flat (Kimmel and Sethian 1998, with the front of a point: Novotni and Klein 2002), or along an
 * edge, from whose end the front starts anew where the way bends, at a hole or a notch. Corners are taken up again
 * whenever a shorter way is found. Exact on what can be laid flat; a corner's obtuse triangles need no care.
 *
 * Sources that are joined by edges are one group. A point gets the nearest source of each of its `most` nearest groups.
 * @param x [3 n] m
 * @param triangles [3 t]
 */
export function nearSources(
  x: Float64Array,
  triangles: Uint32Array,
  sources: ArrayLike<number>,
  most: number,
): NearSources {
  const fronts = new Fronts(x, triangles, sources)
  fronts.run()
  return fronts.result(most)
}

class Fronts {
  private readonly count: number
  /** Triangles at a point: corners[starts[i]..starts[i + 1]] are places in `triangles`. */
  private readonly starts: Uint32Array
  private readonly corners: Uint32Array
  /** Group of each point that is a source; -1 elsewhere. */
  private readonly groups: Int32Array
  /** By point, `LABELS` each: the source, its distance, and the last point where the way bends, with its distance. */
  private readonly sourceOf: Int32Array
  private readonly distance: Float64Array
  private readonly bend: Int32Array
  private readonly bendDistance: Float64Array
  private readonly heap = new Heap()

  constructor(
    private readonly x: Float64Array,
    private readonly triangles: Uint32Array,
    private readonly sources: ArrayLike<number>,
  ) {
    this.count = x.length / 3
    this.starts = new Uint32Array(this.count + 1)
    for (const i of triangles) this.starts[i + 1]!++
    for (let i = 0; i < this.count; i++) this.starts[i + 1]! += this.starts[i]!
    const cursor = this.starts.slice(0, this.count)
    this.corners = new Uint32Array(triangles.length)
    triangles.forEach((i, corner) => (this.corners[cursor[i]!++] = corner))
    this.groups = this.findGroups()
    this.sourceOf = new Int32Array(this.count * LABELS).fill(-1)
    this.distance = new Float64Array(this.count * LABELS)
    this.bend = new Int32Array(this.count * LABELS)
    this.bendDistance = new Float64Array(this.count * LABELS)
  }

  run(): void {
    for (let k = 0; k < this.sources.length; k++) this.reach(this.sources[k]!, this.sources[k]!, 0, this.sources[k]!, 0)
    while (this.heap.size > 0) {
      const label = this.heap.pop()
      if (this.sourceOf[label] === this.heap.source && this.distance[label] === this.heap.key) this.spread(label)
    }
  }

  /** Carries the front at a label on to the corners about it. */
  private spread(label: number): void {
    const i = Math.floor(label / LABELS)
    const source = this.sourceOf[label]!
    for (let c = this.starts[i]!; c < this.starts[i + 1]!; c++) {
      const corner = this.corners[c]!
      const first = corner - (corner % 3)
      const a = this.triangles[first + ((corner + 1) % 3)]!
      const b = this.triangles[first + ((corner + 2) % 3)]!
      for (let side = 0; side < 2; side++) {
        const to = side === 0 ? a : b
        const other = this.find(side === 0 ? b : a, source)
        if (other >= 0) this.cross(label, other, to)
        const distance = this.distance[label]!
        this.reach(to, source, distance + this.between(i, to), i, distance)
      }
    }
  }

  /** The way to `to` through the edge between the points of two labels of one source. */
  private cross(one: number, two: number, to: number): void {
    const i = Math.floor(one / LABELS)
    const j = Math.floor(two / LABELS)
    const bent = this.bend[one] === this.bend[two] ? this.bend[one]! : this.sourceOf[one]!
    const before = this.bend[one] === this.bend[two] ? this.bendDistance[one]! : 0
    const r = this.distance[one]! - before
    const s = this.distance[two]! - before
    const l = this.between(i, j)
    if (l === 0 || r + s < l || Math.abs(r - s) > l) return
    // In the plane of the triangle, i at the origin and j at (l, 0); the source lies below, `to` above.
    const sx = (r * r - s * s + l * l) / (2 * l)
    const sy = Math.sqrt(Math.max(0, r * r - sx * sx))
    const d = this.between(i, to)
    const e = this.between(j, to)
    const tx = (d * d - e * e + l * l) / (2 * l)
    const ty = Math.sqrt(Math.max(0, d * d - tx * tx))
    if (sy + ty === 0) return
    const at = sx + ((tx - sx) * sy) / (sy + ty)
    if (at < -1e-9 * l || at > (1 + 1e-9) * l) return
    const way = Math.sqrt((tx - sx) * (tx - sx) + (ty + sy) * (ty + sy))
    this.reach(to, this.sourceOf[one]!, before + way, bent, before)
  }

  /** Notes a way to a point, if it is shorter than what is known of this source and near enough to be kept. */
  private reach(i: number, source: number, distance: number, bend: number, bendDistance: number): void {
    let label = this.find(i, source)
    if (label >= 0) {
      if (!(distance < this.distance[label]! * SHORTER)) return
    } else {
      label = this.place(i, source, distance)
      if (label < 0) return
    }
    this.sourceOf[label] = source
    this.distance[label] = distance
    this.bend[label] = bend
    this.bendDistance[label] = bendDistance
    this.heap.push(distance, label, source)
  }

  /** Where a new source of a point goes: a free place, or that of one farther off; -1 where there is none. */
  private place(i: number, source: number, distance: number): number {
    const group = this.groups[source]
    let free = -1
    let ofGroup = 0
    let farthestOfGroup = -1
    let farthest = -1
    for (let label = i * LABELS; label < (i + 1) * LABELS; label++) {
      const known = this.sourceOf[label]!
      if (known < 0) {
        free = label
        continue
      }
      if (farthest < 0 || this.distance[label]! > this.distance[farthest]!) farthest = label
      if (this.groups[known] !== group) continue
      ofGroup++
      if (farthestOfGroup < 0 || this.distance[label]! > this.distance[farthestOfGroup]!) farthestOfGroup = label
    }
    if (ofGroup < PER_GROUP && free >= 0) return free
    const victim = ofGroup < PER_GROUP ? farthest : farthestOfGroup
    return distance < this.distance[victim]! * SHORTER ? victim : -1
  }

  private find(i: number, source: number): number {
    for (let label = i * LABELS; label < (i + 1) * LABELS; label++) if (this.sourceOf[label] === source) return label
    return -1
  }

  private between(i: number, j: number): number {
    const { x } = this
    const dx = x[i * 3]! - x[j * 3]!
    const dy = x[i * 3 + 1]! - x[j * 3 + 1]!
    const dz = x[i * 3 + 2]! - x[j * 3 + 2]!
    return Math.sqrt(dx * dx + dy * dy + dz * dz)
  }

  /** Numbers the sources by what of them edges join. */
  private findGroups(): Int32Array {
    const groups = new Int32Array(this.count).fill(-1)
    const isSource = new Uint8Array(this.count)
    for (let k = 0; k < this.sources.length; k++) isSource[this.sources[k]!] = 1
    const open: number[] = []
    let group = 0
    for (let k = 0; k < this.sources.length; k++) {
      if (groups[this.sources[k]!]! >= 0) continue
      groups[this.sources[k]!] = group
      open.push(this.sources[k]!)
      for (let i = open.pop(); i !== undefined; i = open.pop()) {
        for (let c = this.starts[i]!; c < this.starts[i + 1]!; c++) {
          const first = this.corners[c]! - (this.corners[c]! % 3)
          for (let corner = first; corner < first + 3; corner++) {
            const j = this.triangles[corner]!
            if (isSource[j] === 0 || groups[j]! >= 0) continue
            groups[j] = group
            open.push(j)
          }
        }
      }
      group++
    }
    return groups
  }

  /** Every point but the sources, with the nearest source of each of its `most` nearest groups. */
  result(most: number): NearSources {
    const points: number[] = []
    const sources: number[] = []
    const distances: number[] = []
    for (let i = 0; i < this.count; i++) {
      if (this.groups[i]! >= 0) continue
      const labels: number[] = []
      for (let label = i * LABELS; label < (i + 1) * LABELS; label++) if (this.sourceOf[label]! >= 0) labels.push(label)
      labels.sort((a, b) => this.distance[a]! - this.distance[b]! || this.sourceOf[a]! - this.sourceOf[b]!)
      const taken: number[] = []
      for (const label of labels) {
        const group = this.groups[this.sourceOf[label]!]!
        if (taken.length === most || taken.includes(group)) continue
        taken.push(group)
        points.push(i)
        sources.push(this.sourceOf[label]!)
        distances.push(this.distance[label]!)
      }
    }
    return {
      points: Uint32Array.from(points),
      sources: Uint32Array.from(sources),
      distances: Float64Array.from(distances),
    }
  }
}

/** The nearest first; those at one distance in the order of their labels, so that the outcome does not hang on chance. */
class Heap {
  private readonly keys: number[] = []
  private readonly labels: number[] = []
  private readonly sources: number[] = []
  /** Of the last that was taken out. */
  key = 0
  source = 0

  get size(): number {
    return this.keys.length
  }

  push(key: number, label: number, source: number): void {
    let k = this.keys.length
    this.keys.push(key)
    this.labels.push(label)
    this.sources.push(source)
    while (k > 0) {
      const parent = (k - 1) >> 1
      if (!this.isBefore(k, parent)) break
      this.swap(k, parent)
      k = parent
    }
  }

  pop(): number {
    const last = this.keys.length - 1
    this.swap(0, last)
    this.key = this.keys.pop()!
    this.source = this.sources.pop()!
    const label = this.labels.pop()!
    for (let k = 0; ; ) {
      let least = k
      for (let child = 2 * k + 1; child < Math.min(2 * k + 3, last); child++) {
        if (this.isBefore(child, least)) least = child
      }
      if (least === k) return label
      this.swap(k, least)
      k = least
    }
  }

  private isBefore(a: number, b: number): boolean {
    return this.keys[a]! < this.keys[b]! || (this.keys[a] === this.keys[b] && this.labels[a]! < this.labels[b]!)
  }

  private swap(a: number, b: number): void {
    for (const column of [this.keys, this.labels, this.sources]) {
      const kept = column[a]!
      column[a] = column[b]!
      column[b] = kept
    }
  }
}
