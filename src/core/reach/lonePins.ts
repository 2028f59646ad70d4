import { membrane } from '../constraints/index.js'
import { isSliver } from '../constraints/membrane.js'
import type { State } from '../state.js'
import type { MembranePart } from './coarseLevels.js'
import type { Holds } from './holds.js'

/** How often the rows about a lone pin are swept before all are; and where slivers are among them, whose points are light. */
const SWEEPS = 4
const SLIVER_SWEEPS = 16
/** Rings of triangles about it that count; and with slivers. */
const RINGS = 2
const SLIVER_RINGS = 4

interface Crowd {
  readonly part: MembranePart
  /** Rows of the membrane of all bodies. */
  readonly rows: Uint32Array
  readonly sweeps: number
}

/**
 * Where a cloth hangs from single points, each of them bears what the cells about it gather: most of a sheet's load between
 * a few light points, which one sweep hands on worst. So the triangles there are swept several times more.
 */
export class LonePins {
  private parts: readonly MembranePart[] = []
  private crowds: readonly Crowd[] = []

  constructor(private readonly holds: Holds) {}

  /** To be called where bodies have come or gone, or their pins have changed. */
  bake(state: State, parts: readonly MembranePart[]): void {
    this.parts = parts
    this.follow(state)
  }

  /** To be called where bodies have torn, or are whole again. */
  follow(state: State): void {
    this.crowds = this.parts.map((part) => this.crowdIn(state, part)).filter(({ rows }) => rows.length > 0)
  }

  /** Rows near particles that are pinned or held and share no triangle with another such one. */
  private crowdIn(state: State, part: MembranePart): Crowd {
    const { body, set, rows, row } = part
    const { start } = body
    const corner = (r: number, c: number) => rows.indices[(row + r) * 3 + c]! - start
    const still = Uint8Array.from({ length: body.model.particleCount }, (_, i) =>
      this.holds.isStill(state, start + i) ? 1 : 0,
    )
    const near = still.slice()
    for (let r = 0; r < set.count; r++) {
      const [a, b, c] = [corner(r, 0), corner(r, 1), corner(r, 2)]
      if (still[a]! + still[b]! + still[c]! < 2) continue
      for (const i of [a, b, c]) near[i] = 0
    }
    let found = new Uint32Array(0)
    const isThin = (r: number) => isSliver(body.model.positions, corner(r, 0), corner(r, 1), corner(r, 2))
    let thin = false
    for (let ring = 0; near.includes(1) && ring < (thin ? SLIVER_RINGS : RINGS); ring++) {
      found = Uint32Array.from({ length: set.count }, (_, r) => r).filter((r) =>
        [0, 1, 2].some((c) => near[corner(r, c)] === 1),
      )
      for (const r of found) for (let c = 0; c < 3; c++) near[corner(r, c)] = 1
      thin ||= found.some(isThin)
    }
    return { part, rows: found.map((r) => row + r), sweeps: thin ? SLIVER_SWEEPS : SWEEPS }
  }

  /** To be called before a sweep over all rows; allocates nothing. */
  project(state: State): void {
    for (let k = 0; k < this.crowds.length; k++) {
      const { part, rows, sweeps } = this.crowds[k]!
      if (part.body.asleep) continue
      for (let sweep = 0; sweep < sweeps; sweep++) {
        for (let e = 0; e < rows.length; e++) membrane.project(part.rows, rows[e]!, rows[e]! + 1, state)
      }
    }
  }
}
