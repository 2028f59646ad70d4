import { membrane } from '../constraints/index.js'
import type { Rows } from '../constraints/kind.js'
import type { ElasticSetting } from '../elastic.js'
import type { ConstraintSet, Model } from '../model.js'
import { type BodyRecord, FOLDS } from '../records.js'
import type { State } from '../state.js'
import { wholeOf } from '../tear/weave.js'
import { type LevelSource, levelOver } from './coarseGrid.js'
import type { Level } from './coarseLevel.js'
import { CoarseLoads } from './coarseLoads.js'
import { type BorneRows, GridRows } from './gridRows.js'
import type { Holds } from './holds.js'
import { isSheet } from './pinDistances.js'
import type { Recoil } from './recoil.js'
import { scatteredGround } from './scattered.js'
import { threadGridOf } from './threadGrid.js'

/**
 * Points along one side, or along both, beyond which a level has a coarser one. What bears shear about corners wants two
 * cells a side; a strip that is as long in cells would be told of the shear at its ends.
 */
const FINE = 6
const FINE_BOTH = 3

const PINNED = 1
const HELD = 2

/** Rows of the membrane of one body, as a backend has baked them. */
export interface MembranePart {
  readonly body: BodyRecord
  readonly set: ConstraintSet
  readonly setting: ElasticSetting
  readonly rows: Rows
  /** The first of them. */
  readonly row: number
}

interface Sheet {
  /** From fine to coarse. */
  readonly levels: readonly Level[]
  /** Of what is held singly; undefined where nothing is. */
  readonly loads: CoarseLoads | undefined
  readonly borne: BorneRows
}

interface Known {
  readonly model: Model
  readonly masses: Float64Array
  /** By particle: `PINNED` or `HELD`; 0 where it is free. */
  readonly pins: Uint8Array
  readonly sheet: Sheet | undefined
}

/**
 * One sweep hands a load on by an edge or two, so that a fine cloth hangs too long. In a cloth whose points stand in rows
 * and columns coarser grids bear first what is wide: a multigrid method (Brandt 1977) of XPBD. A point of a coarser grid
 * is the mean of the finer ones about it; a side between two has the length and the compliance of the threads along it,
 * C = |x0 - x1| / L - 1, and what moves its ends moves those points by their weights in the mean, so that momentum is kept
 * and nothing is driven.
 *
 * The cloth stays the one that it is: each level takes up the multipliers of the one above as its own, the membrane those
 * of the last, so that the strain of a triangle belongs to what all of them pull together.
 *
 * A mean over folds is nearer than the cloth is long: sides pull, and do not push, and cells resist shear only where they
 * are not folded (`CoarseShear`). What covers a tear rests. So does all of a sheet that is wound up in itself until it is
 * strung: its contacts, of which the grids know nothing, would put back in each substep what they have drawn.
 */
export class CoarseLevels {
  private parts: readonly MembranePart[] = []
  private sheets: readonly Sheet[] = []
  private readonly known = new WeakMap<BodyRecord, Known>()

  constructor(
    private readonly holds: Holds,
    private readonly recoil: Recoil,
  ) {}

  /** To be called where bodies have come or gone, or their settings or pins have changed; `h` [s]. */
  bake(state: State, parts: readonly MembranePart[], h: number): void {
    this.parts = parts.filter(({ body }) => isSheet(body) && this.sheetOf(state, body))
    this.sheets = this.parts.map(({ body }) => this.known.get(body)!.sheet!)
    this.parts.forEach(({ body, setting }, s) => {
      const compliances = compliancesOf(setting, h)
      remember(body, this.sheets[s]!.levels)
      for (const level of this.sheets[s]!.levels) level.soften(compliances)
    })
    this.follow()
  }

  /** The grids of a sheet, which stay while its pins and masses do. */
  private sheetOf(state: State, body: BodyRecord): Sheet | undefined {
    const model = wholeOf(body.model)
    const masses = state.masses.slice(body.start, body.start + model.particleCount)
    const pins = Uint8Array.from(masses, (_, i) => {
      if (state.inverseMasses[body.start + i] === 0) return PINNED
      return this.holds.isStill(state, body.start + i) ? HELD : 0
    })
    const known = this.known.get(body)
    const same =
      known?.model === model && masses.every((mass, i) => known.masses[i] === mass && known.pins[i] === pins[i])
    if (!same) this.known.set(body, { model, masses, pins, sheet: sheetOf(model, masses, pins) })
    return this.known.get(body)!.sheet
  }

  /** To be called where bodies have torn, or are whole again. */
  follow(): void {
    this.parts.forEach(({ body }, s) => {
      let torn: ReadonlySet<number> = new Set(body.model.torn?.origins)
      for (const level of this.sheets[s]!.levels) torn = level.rest(torn)
    })
  }

  /** To be called where a step of timeStep[0] [s] begins: cells follow the folds that they lie over. */
  begin(state: State, timeStep: Float64Array): void {
    for (let s = 0; s < this.sheets.length; s++) {
      const { body } = this.parts[s]!
      if (body.asleep) continue
      const { levels } = this.sheets[s]!
      gather(levels, state.positions, body.start)
      for (let l = 0; l < levels.length; l++) levels[l]!.shear.follow(levels[l]!.x, timeStep)
    }
  }

  /** One sweep, from the coarsest level to the finest; then the membrane has what they bear as its multipliers. */
  project(state: State): void {
    for (let s = 0; s < this.sheets.length; s++) {
      const sheet = this.sheets[s]!
      const { levels, loads } = sheet
      const { body, rows, row } = this.parts[s]!
      if (body.asleep || loads?.isFlung(this.holds, body.start)) continue
      if (body.wound && this.recoil.isStrung(body)) continue
      const last = levels.length - 1
      gather(levels, state.positions, body.start)
      levels[last]!.given.fill(0)
      levels[last]!.shear.given.fill(0)
      for (let l = last; l >= 0; l--) {
        const level = levels[l]!
        loads?.note(l, level.x)
        level.pull()
        loads?.add(l, level.x)
        if (l > 0) {
          level.tell(levels[l - 1]!.given)
          level.shear.tell(levels[l - 1]!.shear.given)
          level.move(levels[l - 1]!.x, 0)
        } else level.move(state.positions, body.start)
      }
      loads?.draw(state.positions, state.inverseMasses, body.start)
      sheet.borne.give(levels[0]!, rows.lambda, row)
    }
  }
}

/** Sets their points to the means of the cloth's, which start at x[3 first]. */
function gather(levels: readonly Level[], x: Float64Array, first: number): void {
  levels[0]!.gather(x, first)
  for (let l = 1; l < levels.length; l++) levels[l]!.gather(levels[l - 1]!.x, 0)
}

/** Lets the cells of its levels keep in the body what they know of their folds. */
function remember(body: BodyRecord, levels: readonly Level[]): void {
  const size = levels.reduce((sum, { shear }) => sum + shear.count * FOLDS.SIZE, 0)
  if (body.folds.length !== size) body.folds = new Float64Array(size).fill(-1)
  let at = 0
  for (const { shear } of levels) shear.folds = body.folds.subarray(at, (at += shear.count * FOLDS.SIZE))
}

/** What a sheet's first level is over, that level where it is known, and what it bears of the membrane. */
interface Ground {
  readonly finest: LevelSource
  readonly first?: Level
  readonly borne: BorneRows
}

function sheetOf(model: Model, masses: Float64Array, pins: Uint8Array): Sheet | undefined {
  const membraneRows = model.sets.find(({ kind }) => kind === membrane)
  const ground =
    membraneRows &&
    (gridGround(model, membraneRows, masses, pins) ?? scatteredGround(model, membraneRows, masses, pins))
  if (!ground) return undefined
  const { finest, first, borne } = ground
  const levels: Level[] = first ? [first] : []
  let finer = first ? first.source : finest
  const isFine = (one: number, two: number) => Math.max(one, two) > FINE || Math.min(one, two) > FINE_BOTH
  while (isFine(finer.columns.length, finer.rows.length)) {
    const level = levelOver(finer)
    levels.push(level)
    finer = level.source
  }
  if (levels.length === 0) return undefined
  const held = Array.from(finest.points, (_, place) => place).filter((place) => pins[finest.points[place]!] === HELD)
  const particles = held.map((place) => finest.points[place]!)
  const loads = held.length > 0 ? new CoarseLoads(levels, finest, held, particles) : undefined
  return { levels, loads, borne }
}

/** Of a cloth whose points stand in rows and columns. */
function gridGround(
  model: Model,
  membraneRows: ConstraintSet,
  masses: Float64Array,
  pins: Uint8Array,
): Ground | undefined {
  const grid = threadGridOf(model, membraneRows)
  if (!grid) return undefined
  const { columns, rows, points } = grid
  const finest: LevelSource = {
    columns,
    rows,
    points,
    u: Float64Array.from(points, (_, place) => columns[place % columns.length]!),
    v: Float64Array.from(points, (_, place) => rows[Math.floor(place / columns.length)]!),
    masses: Float64Array.from(points, (point) => masses[point]!),
    free: Float64Array.from(points, (point) => (pins[point] === 0 ? 1 : 0)),
  }
  return { finest, borne: new GridRows(grid, membraneRows) }
}

/** Compliances / h^2 of a square metre along u and v, and of their shear. */
function compliancesOf(setting: ElasticSetting, h: number): Float64Array {
  const material = new Float64Array(membrane.materialSize)
  const rest = new Float64Array(membrane.restSize)
  membrane.bake(setting, { unitCompliance: 1, bodyMass: 0, h, inverseMasses: [], rest, restAt: 0 }, material, 0)
  return material
}
