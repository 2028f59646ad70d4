import { Air } from '../../core/air.js'
import { Attachments } from '../../core/attachments.js'
import { Attraction } from '../../core/attraction.js'
import { ColliderContacts } from '../../core/collision/colliderContacts.js'
import { noticeSensors } from '../../core/collision/sensors.js'
import { SoftContacts } from '../../core/collision/soft/softContacts.js'
import { Touches } from '../../core/collision/touches.js'
import { chain, membrane, neoHookean, span } from '../../core/constraints/index.js'
import type { ConstraintKind } from '../../core/constraints/kind.js'
import type { Stats } from '../../core/counters.js'
import { type Anchors, dampShape } from '../../core/damping.js'
import { joins } from '../../core/jointRecord.js'
import { Joints } from '../../core/joints.js'
import { PlasticFlow } from '../../core/plasticity.js'
import { PinDistances } from '../../core/reach/pinDistances.js'
import { Recoil } from '../../core/reach/recoil.js'
import { StrainLimits } from '../../core/reach/strainLimits.js'
import { Tethers } from '../../core/reach/tethers.js'
import { Rescue } from '../../core/rescue.js'
import type { WorldSettings } from '../../core/settings.js'
import type { Solver } from '../../core/solver.js'
import { Spin } from '../../core/spin.js'
import { type StageTimes, stages } from '../../core/stageTimes.js'
import { type BodyRecord, type State, UNSTABLE } from '../../core/state.js'
import { Support } from '../../core/support.js'
import { dampSway } from '../../core/sway.js'
import { Snaps } from '../../core/tear/snap.js'
import { Tears } from '../../core/tear/tears.js'
import { Limbs } from './limbs.js'
import { type Batch, bake, bakeDecay, type Decay, retie } from './workspace.js'

/**
 * A kernel that is entered often is compiled as a whole. One that loops for long is compiled from within its loop, and
 * after a garbage collection allocates until it is compiled once more.
 */
const ROWS_A_CALL = 256

/** Sweeps over spans more than one: limbs are rigid by then, and a chain of them is held as rigid bodies are. */
const SPAN_SWEEPS = 6
/** How often limbs that are pushed out of their joints take turns with their contacts, and sweeps over spans in a turn. */
const LIMB_TURNS = 4
const LIMB_SWEEPS = 3
/** All of the way to the rigid motion, of what pins alone hold. */
const whole = Float64Array.of(1)
const noAnchors: Anchors = { count: 0, points: new Float64Array(0) }
/** How often joints and the ropes that they hold take turns in a sweep. */
const TURNS = 8

const SEARCH = stages.indexOf('search')
const INTEGRATE = stages.indexOf('integrate')
const CONSTRAINTS = stages.indexOf('constraints')
const CONTACTS = stages.indexOf('contacts')
const VELOCITIES = stages.indexOf('velocities')

/** The readable backend: XPBD with substeps (Macklin et al. 2016, 2019) in Float64. `step` is the whole method. */
export class ReferenceSolver implements Solver {
  readonly name = 'reference'
  readonly synchronous = true
  readonly deterministic = true
  readonly touches = new Touches()

  private readonly contacts = new ColliderContacts(this.touches)
  private readonly soft = new SoftContacts()
  private readonly attachments = new Attachments()
  private readonly joints = new Joints()
  private readonly air = new Air()
  private readonly attraction = new Attraction()
  private readonly spin = new Spin()
  private readonly rescue = new Rescue()
  private readonly support = new Support()
  private readonly pinDistances = new PinDistances()
  private readonly strainLimits = new StrainLimits(this.pinDistances)
  private readonly recoil = new Recoil()
  private readonly plasticFlow = new PlasticFlow()
  private readonly tethers = new Tethers(this.pinDistances)
  private readonly tears = new Tears(this.strainLimits)
  private readonly snaps = new Snaps()
  private readonly limbs = new Limbs()
  private batches: Batch[] = []
  private decay: Decay = { shapeShares: [], swayShares: [], factors: [], slipShares: [] }
  private bakedVersion = -1
  private bakedTears = -1
  private bakedSettings: Readonly<WorldSettings> | undefined
  /** Numbers of a step by array, since a call with a number allocates. */
  private readonly timeStep = new Float64Array(1)
  private readonly h = new Float64Array(1)

  step(state: State, settings: Readonly<WorldSettings>, stats: Stats, times: StageTimes): void {
    const { substeps, iterations } = settings
    times.start()
    this.prepare(state, settings)
    this.touches.begin()
    stats.constraints = this.findRuns()
    keepStart(state)
    aimPins(state, settings) // before the search, which goes by the particles' speeds
    this.attraction.begin(state)
    this.contacts.search(state, settings)
    this.soft.begin(state, settings)
    this.attachments.begin(state)
    this.joints.begin(state)
    this.air.begin(state, settings)
    this.spin.begin(state, this.decay.factors)
    this.rescue.begin(state, this.timeStep, this.h, stats)
    this.tears.begin()
    this.snaps.begin()
    this.strainLimits.begin()
    this.recoil.begin(state)
    times.end(SEARCH)
    for (let substep = 0; substep < substeps; substep++) {
      this.contacts.beginSubstep(substep, substeps, this.h)
      this.soft.beginSubstep(substep, substeps, this.h)
      this.attachments.beginSubstep()
      this.joints.beginSubstep(state, substep, substeps, this.h)
      this.air.blow(state, settings, this.h)
      this.attraction.act(state, substep, substeps, this.h)
      integrate(state, settings)
      this.spin.remember(state)
      this.resetLambda()
      times.end(INTEGRATE)
      for (let iteration = 0; iteration < iterations; iteration++) {
        this.attachments.project(state, substep, substeps, this.timeStep)
        this.projectConstraints(state)
        this.support.project(state)
        this.joints.project(state, this.h) // after what is elastic, so that joined points stay together
        if (this.joints.holdChains) this.pullByTurns(state)
        this.strainLimits.project(state)
        this.tethers.project(state)
        this.rescue.project(state)
        times.end(CONSTRAINTS)
        this.soft.project(state) // contacts last: else friction never holds
        this.contacts.project(state)
        this.joinLimbs(state)
        this.soft.confirm(state, this.contacts)
        times.end(CONTACTS)
      }
      this.tears.note()
      this.snaps.note()
      this.attachments.endSubstep(substeps, this.timeStep)
      this.joints.endSubstep(state, substeps, this.h)
      this.soft.note(state, this.touches, this.contacts)
      this.contacts.meet(state, settings)
      this.restoreSpin(state)
      updateVelocities(state, this.h)
      this.recoil.damp(state, this.h)
      this.contacts.bounce(state, settings)
      this.soft.bounce(state, this.decay.slipShares)
      this.contacts.part(state, settings)
      this.contacts.dampSlips(state, this.decay.slipShares)
      this.damp(state)
      this.rescue.damp(state, this.contacts, this.h)
      limitSpeed(state, settings, stats)
      this.contacts.log(state)
      times.end(VELOCITIES)
    }
    this.attachments.end()
    noticeSensors(state, this.touches)
    this.joints.end()
    this.attraction.end(state)
    arrive(state)
    keepFinite(state, stats)
    this.plasticFlow.flow(state, this.timeStep)
    this.tears.tear(state)
    this.snaps.tear(state)
    stats.steps++
    stats.substeps += substeps
    stats.candidates = this.contacts.count
    stats.contacts = this.contacts.active
    stats.sweptContacts += this.contacts.impacts + this.soft.impacts
    this.soft.count(stats)
  }

  readContacts(state: State, out: Float64Array): number {
    if (this.bakedVersion !== state.version || this.bakedTears !== state.tears) return 0
    return this.soft.readContacts(state, out, this.contacts.readContacts(state, out))
  }

  dispose(): void {
    this.batches = []
    this.bakedVersion = -1
  }

  /** Bakes the rows again where something they hold has changed. */
  private prepare(state: State, settings: Readonly<WorldSettings>): void {
    if (this.bakedVersion === state.version && this.bakedTears !== state.tears) this.followTears(state)
    if (this.bakedVersion === state.version && this.bakedSettings === settings) return
    const sameSweeps = this.bakedSettings?.iterations === settings.iterations
    this.bakedSettings = settings
    this.timeStep[0] = settings.timeStep
    const h = settings.timeStep / settings.substeps
    if (this.bakedVersion === state.version && this.h[0] === h && sameSweeps) return
    this.h[0] = h
    this.batches = bake(state, h, settings.iterations)
    this.decay = bakeDecay(state, h)
    this.rescue.bake(state)
    this.support.bake(state, h)
    this.contacts.rigid = this.support.rigid
    this.contacts.others = this.soft
    this.plasticFlow.bake(this.batches.find(({ kind }) => kind === neoHookean)?.parts ?? [], h)
    this.strainLimits.bake(state)
    this.recoil.bake(state)
    this.tethers.bake(state)
    const parts = this.batches.find(({ kind }) => kind === membrane)?.parts ?? []
    this.tears.bake(state, parts, h, settings.substeps)
    this.snaps.bake(this.batches.find(({ kind }) => kind === chain)?.parts ?? [], h, settings.substeps)
    this.limbs.bake(this.batches)
    this.bakedVersion = state.version
    this.bakedTears = state.tears
  }

  /** What a tear has changed where rows stay where they are: who hangs on whom, and how far pins are. */
  private followTears(state: State): void {
    retie(this.batches)
    this.strainLimits.follow(state)
    this.recoil.bake(state)
    this.tethers.follow(state)
    this.tears.follow()
    this.bakedTears = state.tears
  }

  /** Finds which rows the step projects: those of bodies that are awake. Returns how many. */
  private findRuns(): number {
    let count = 0
    for (let b = 0; b < this.batches.length; b++) count += this.batches[b]!.runs.find()
    return count
  }

  private resetLambda(): void {
    for (let b = 0; b < this.batches.length; b++) {
      const { rows, runs } = this.batches[b]!
      if (rows.lambda.length === 0) continue
      for (let r = 0; r < runs.length; r++) rows.lambda.fill(0, runs.lambdas[r * 2], runs.lambdas[r * 2 + 1])
    }
  }

  private projectConstraints(state: State): void {
    for (let b = 0; b < this.batches.length; b++) this.projectBatch(state, this.batches[b]!)
    for (let sweep = 0; sweep < SPAN_SWEEPS; sweep++) this.projectKind(state, span)
  }

  private projectKind(state: State, kind: ConstraintKind): void {
    for (let b = 0; b < this.batches.length; b++) {
      if (this.batches[b]!.kind === kind) this.projectBatch(state, this.batches[b]!)
    }
  }

  private projectBatch(state: State, { kind, rows, runs }: Batch): void {
    for (let r = 0; r < runs.length; r++) {
      const end = runs.rows[r * 2 + 1]!
      for (let start = runs.rows[r * 2]!; start < end; start += ROWS_A_CALL) {
        kind.project(rows, start, Math.min(start + ROWS_A_CALL, end), state)
      }
    }
  }

  /**
   * What hangs on a rope pulls at the light particle at its end, which passes on what it can in one go: its own mass times
   * the gap, over h^2. Rope and joint take turns, so that the gap is as much smaller.
   */
  private pullByTurns(state: State): void {
    for (let turn = 0; turn < TURNS; turn++) {
      this.projectKind(state, chain)
      this.joints.project(state, this.h)
    }
  }

  /** What colliders have pushed out of its joints gets back into them; contacts have the last word again. */
  private joinLimbs(state: State): void {
    for (let k = 0; k < this.limbs.count; k++) {
      const b = this.limbs.bodyOf(k, state)
      if (b < 0 || !this.contacts.touches(b)) continue
      for (let turn = 0; turn < LIMB_TURNS && this.limbs.strained(k, state); turn++) {
        this.limbs.join(k, LIMB_SWEEPS, state)
        this.contacts.projectBody(state, b)
      }
    }
  }

  private restoreSpin(state: State): void {
    for (let b = 0; b < state.bodies.live.length; b++) {
      if (state.bodies.live[b]!.asleep) continue
      const touched = this.contacts.touches(b)
      if (!touched && this.soft.touches(b)) this.spin.forget(b)
      else this.spin.restore(state, b, touched, this.h)
    }
  }

  /**
   * Draws velocities towards each body's rigid motion, of stacks towards that of what bears them, then towards rest. A figure
   * that is held farther apart than its limbs reach has none but that: what limbs and joints take from each other in turns is
   * no motion.
   */
  private damp(state: State): void {
    const { shapeShares, swayShares, factors } = this.decay
    for (let k = 0; k < this.limbs.count; k++) {
      const b = this.limbs.bodyOf(k, state)
      if (b >= 0 && this.limbs.racked(k, state)) dampShape(state, state.bodies.live[b]!, whole, noAnchors)
    }
    for (let b = 0; b < state.bodies.live.length; b++) {
      const body = state.bodies.live[b]!
      if (body.asleep || shapeShares[b]![0] === 0) continue
      this.contacts.anchor(state, b)
      this.soft.anchor(state, b, this.contacts.anchors)
      dampShape(state, body, shapeShares[b]!, this.contacts.anchors)
    }
    dampSway(state, this.contacts, this.soft, swayShares)
    for (let b = 0; b < state.bodies.live.length; b++) {
      const body = state.bodies.live[b]!
      if (!body.asleep && factors[b]![0] !== 1) scaleVelocities(state, body, factors[b]!)
    }
  }
}

/** Notes where the step starts; what sleeps has been there since before. */
function keepStart(state: State): void {
  const { positions: x, stepStart } = state
  for (let b = 0; b < state.bodies.live.length; b++) {
    const body = state.bodies.live[b]!
    if (body.asleep) continue
    for (let p = body.start * 3; p < (body.start + body.model.particleCount) * 3; p++) stepStart[p] = x[p]!
  }
}

/** A pinned particle moves evenly to its target over the step. */
function aimPins(state: State, settings: Readonly<WorldSettings>): void {
  const { positions: x, velocities: v, inverseMasses: w, targets } = state
  for (let b = 0; b < state.bodies.live.length; b++) {
    const body = state.bodies.live[b]!
    if (body.asleep) continue
    for (let i = body.start; i < body.start + body.model.particleCount; i++) {
      if (w[i] !== 0) continue
      for (let p = i * 3; p < i * 3 + 3; p++) v[p] = (targets[p]! - x[p]!) / settings.timeStep
    }
  }
}

/** v += h (g + f / m), x += h v. */
function integrate(state: State, settings: Readonly<WorldSettings>): void {
  const { positions: x, previous, velocities: v, inverseMasses: w, forces } = state
  const h = settings.timeStep / settings.substeps
  const { gravity } = settings
  for (let b = 0; b < state.bodies.live.length; b++) {
    const body = state.bodies.live[b]!
    if (body.asleep) continue
    const scale = body.settings.gravityScale * h
    const gx = gravity[0] * scale
    const gy = gravity[1] * scale
    const gz = gravity[2] * scale
    for (let i = body.start; i < body.start + body.model.particleCount; i++) {
      const wi = w[i]!
      const p = i * 3
      if (wi !== 0) {
        v[p] = v[p]! + gx + h * wi * forces[p]!
        v[p + 1] = v[p + 1]! + gy + h * wi * forces[p + 1]!
        v[p + 2] = v[p + 2]! + gz + h * wi * forces[p + 2]!
      }
      previous[p] = x[p]!
      previous[p + 1] = x[p + 1]!
      previous[p + 2] = x[p + 2]!
      x[p] = x[p]! + h * v[p]!
      x[p + 1] = x[p + 1]! + h * v[p + 1]!
      x[p + 2] = x[p + 2]! + h * v[p + 2]!
    }
  }
}

/** v = (x - previous) / h. */
function updateVelocities(state: State, h: Float64Array): void {
  const { positions: x, previous, velocities: v, inverseMasses: w } = state
  const rate = 1 / h[0]!
  for (let b = 0; b < state.bodies.live.length; b++) {
    const body = state.bodies.live[b]!
    if (body.asleep) continue
    for (let i = body.start; i < body.start + body.model.particleCount; i++) {
      if (w[i] === 0) continue // a pin keeps the velocity of its way to the target
      const p = i * 3
      v[p] = (x[p]! - previous[p]!) * rate
      v[p + 1] = (x[p + 1]! - previous[p + 1]!) * rate
      v[p + 2] = (x[p + 2]! - previous[p + 2]!) * rate
    }
  }
}

function scaleVelocities({ velocities: v, inverseMasses: w }: State, body: BodyRecord, factor: Float64Array): void {
  const k = factor[0]!
  for (let i = body.start; i < body.start + body.model.particleCount; i++) {
    if (w[i] === 0) continue
    for (let p = i * 3; p < i * 3 + 3; p++) v[p] = v[p]! * k
  }
}

function limitSpeed(state: State, settings: Readonly<WorldSettings>, stats: Stats): void {
  const { velocities: v, inverseMasses: w } = state
  const limit = settings.maxSpeed
  for (let b = 0; b < state.bodies.live.length; b++) {
    const body = state.bodies.live[b]!
    if (body.asleep) continue
    for (let i = body.start; i < body.start + body.model.particleCount; i++) {
      const p = i * 3
      const speed2 = v[p]! * v[p]! + v[p + 1]! * v[p + 1]! + v[p + 2]! * v[p + 2]!
      if (!(speed2 > limit * limit) || w[i] === 0) continue
      const scale = limit / Math.sqrt(speed2)
      v[p] = v[p]! * scale
      v[p + 1] = v[p + 1]! * scale
      v[p + 2] = v[p + 2]! * scale
      stats.speedClamps++
      body.unstable |= UNSTABLE.SPEED
    }
  }
}

/** Targets are reached: pins stand exactly on theirs, colliders at the end of their sweep; forces are spent. */
function arrive(state: State): void {
  const { positions: x, inverseMasses: w, targets, forces } = state
  for (let b = 0; b < state.bodies.live.length; b++) {
    const body = state.bodies.live[b]!
    if (body.asleep) continue
    for (let i = body.start; i < body.start + body.model.particleCount; i++) {
      for (let p = i * 3; p < i * 3 + 3; p++) {
        if (w[i] === 0) x[p] = targets[p]!
        forces[p] = 0
      }
    }
  }
  for (let c = 0; c < state.colliders.live.length; c++) {
    const { pose, target } = state.colliders.live[c]!
    pose.set(target)
  }
}

/** Sum of coordinates [m] and speeds [m/s] beyond which a body is gone: what a geometry holds in 32 bits ends at 3e38. */
const MOST = 1e30

/** Guard: a body that is no longer finite goes back to where the step found it, at rest. */
function keepFinite(state: State, stats: Stats): void {
  const { positions: x, velocities: v, stepStart, rotations } = state
  for (let b = 0; b < state.bodies.live.length; b++) {
    const body = state.bodies.live[b]!
    if (body.asleep) continue
    const from = body.start * 3
    const to = from + body.model.particleCount * 3
    let sum = 0
    for (let p = from; p < to; p++) sum += Math.abs(x[p]!) + Math.abs(v[p]!)
    if (sum < MOST) continue
    stats.nonFiniteRescues++
    body.unstable |= UNSTABLE.NON_FINITE
    for (let p = from; p < to; p++) {
      x[p] = stepStart[p]!
      v[p] = 0
    }
    body.impacts.fill(0)
    for (let a = 0; a < state.attachments.live.length; a++) {
      const attachment = state.attachments.live[a]!
      if (attachment.body.slot === body.slot) attachment.force.fill(0)
    }
    for (let j = 0; j < state.joints.live.length; j++) {
      if (joins(state.joints.live[j]!, body)) state.joints.live[j]!.force.fill(0)
    }
    for (let k = 0; k < body.rotationCount * 4; k++) rotations[body.rotationStart * 4 + k] = k % 4 === 3 ? 1 : 0
  }
}
