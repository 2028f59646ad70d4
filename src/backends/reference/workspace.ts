import { chain, neoHookean, shapeMatching, span } from '../../core/constraints/index.js'
import type { ConstraintKind, Rows } from '../../core/constraints/kind.js'
import { settingOf } from '../../core/inflation.js'
import { type PlasticPart, writeRest } from '../../core/plasticity.js'
import type { BodyRecord } from '../../core/records.js'
import type { State } from '../../core/state.js'
import { type Part, Runs } from './runs.js'

interface MutableRows extends Rows {
  count: number
}

interface TiedPart extends PlasticPart {
  /** The body's own indices that the rows have. */
  tied: Uint32Array
}

/** Rows of one kind. */
export interface Batch {
  readonly kind: ConstraintKind
  readonly rows: Rows
  readonly runs: Runs
  /** True for the limbs and the joints of figures, which are not swept: see `Limbs`. */
  readonly figures: boolean
  /** Where each body's rows are, for plastic flow and tears. */
  readonly parts: readonly TiedPart[]
}

/**
 * All constraint rows of all bodies, a batch a kind, baked from the models: made anew whenever bodies, masses, pins,
 * stiffness or the substep change, and disposable at any step boundary.
 */
export function bake(state: State, h: number, iterations: number): Batch[] {
  const kinds = new Map<ConstraintKind, BodyRecord[]>()
  for (const body of state.bodies.live) {
    for (const set of body.model.sets) {
      const users = kinds.get(set.kind) ?? []
      if (!users.includes(body)) users.push(body)
      kinds.set(set.kind, users)
    }
  }
  return [...kinds]
    .sort(([a], [b]) => order(a, b))
    .flatMap(([kind, bodies]) => {
      const figures = kind === span || kind === shapeMatching ? bodies.filter(isFigure) : []
      const others = bodies.filter((body) => !figures.includes(body))
      return [others, figures]
        .filter(({ length }) => length > 0)
        .map((some) => bakeKind(state, kind, some, some === figures, h, iterations))
    })
}

/** True for a body of rigid limbs that spans join. */
function isFigure({ model, settings }: BodyRecord): boolean {
  const has = (kind: ConstraintKind) =>
    model.sets.some((set) => set.kind === kind && (settings.elastic[set.name] ?? model.elastic[set.name]))
  return has(span) && has(shapeMatching)
}

/**
 * Goals last, then chains, then by name: a body's bits must not depend on which kinds other bodies brought first. Bending
 * asks for equal tangents, of whatever length, so that it draws a crumpled rope together: its lengths come after.
 */
function order(a: ConstraintKind, b: ConstraintKind): number {
  if (a.contract !== b.contract) return a.contract === 'goal' ? 1 : -1
  if ((a === chain) !== (b === chain)) return a === chain ? 1 : -1
  return a.name < b.name ? -1 : 1
}

function bakeKind(
  state: State,
  kind: ConstraintKind,
  bodies: readonly BodyRecord[],
  figures: boolean,
  h: number,
  iterations: number,
): Batch {
  const iterated = iterations > 1
  const active = bodies.flatMap((body) =>
    body.model.sets
      .map((set, order) => ({
        body,
        set,
        order,
        setting: settingOf(body, set),
      }))
      .filter(({ set, setting }) => set.kind === kind && setting),
  )
  const rowCount = active.reduce((sum, { set }) => sum + set.count, 0)
  const entryCount = active.reduce((sum, { set }) => sum + set.indices.length, 0)
  const blocks = kind.arity === 'variable' ? entryCount : rowCount
  const rows: MutableRows = {
    count: 0,
    indices: new Uint32Array(entryCount),
    offsets: new Uint32Array(rowCount + 1),
    rest: new Float64Array(blocks * kind.restSize),
    material: new Float64Array(rowCount * kind.materialSize),
    lambda: new Float64Array(kind.contract === 'energy' && !iterated ? 0 : blocks * kind.lambdaSize),
    iterated,
    rotations: new Uint32Array(kind.contract === 'goal' ? rowCount : 0),
  }
  const parts: Part[] = []
  const flowing: TiedPart[] = []
  const lambdaSize = rows.lambda.length === 0 ? 0 : kind.lambdaSize
  let entry = 0
  let rest = 0
  for (const { body, set, order, setting } of active) {
    if (!setting) continue
    for (let k = 0; k < set.indices.length; k++) rows.indices[entry + k] = body.start + set.indices[k]!
    rows.rest.set(set.rest, rest)
    if (kind === neoHookean && body.plastic.length > 0) {
      for (let r = 0; r < set.count; r++) writeRest(set, body.plastic, r, rows.rest, rest + r * kind.restSize)
    }
    const later = kind.laterOf?.(set, body.model.particleCount)
    flowing.push({ body, set, setting, rows, row: rows.count, tied: set.indices, later })
    for (let r = 0; r < set.count; r++) {
      const row = rows.count + r
      const [from, to] = [entry + set.offsets[r]!, entry + set.offsets[r + 1]!]
      rows.offsets[row + 1] = to
      const context = {
        unitCompliance: set.unitCompliance[r]!,
        bodyMass: body.mass,
        h,
        sweeps: iterations,
        inverseMasses: Array.from(rows.indices.subarray(from, to), (i) => state.inverseMasses[i]!),
        rest: rows.rest,
        restAt: (kind.arity === 'variable' ? from : row) * kind.restSize,
        later,
        laterAt: r * (kind.laterSize ?? 0),
      }
      kind.bake(setting, context, rows.material, row * kind.materialSize)
      if (kind.contract === 'goal') rows.rotations[row] = body.rotationStarts[order]! + r
    }
    rows.count += set.count
    entry += set.indices.length
    rest += set.rest.length
    const lambdaEnd = (kind.arity === 'variable' ? entry : rows.count) * lambdaSize
    parts.push({ body, rowEnd: rows.count, lambdaEnd })
  }
  return { kind, rows, runs: new Runs(parts), figures, parts: flowing }
}

/** Lets the rows of bodies that have torn follow their particles: each is where it was. */
export function retie(batches: readonly Batch[]): void {
  for (const { parts } of batches) {
    for (const part of parts) {
      const { body, rows, row, set } = part
      const { indices } = body.model.sets.find(({ name }) => name === set.name)!
      if (indices === part.tied) continue
      part.tied = indices
      const at = rows.offsets[row]!
      rows.indices.set(indices, at)
      shift(rows.indices, at, at + indices.length, body.start)
    }
  }
}

/** Adds a number to a stretch of a list. */
function shift(list: Uint32Array, from: number, to: number, by: number): void {
  if (by === 0) return
  for (let k = from; k < to; k++) list[k] = list[k]! + by
}
