import { Air } from '../../core/air.js'
import { Attachments } from '../../core/attachments.js'
import { Attraction } from '../../core/attraction.js'
import { ColliderContacts } from '../../core/collision/colliderContacts.js'
import { noticeSensors } from '../../core/collision/sensors.js'
import { SoftContacts } from '../../core/collision/soft/softContacts.js'
import { Touches } from '../../core/collision/touches.js'
import { chain, distance, membrane, neoHookean, pressure, shapeMatching, volume } from '../../core/constraints/index.js'
import type { ConstraintKind } from '../../core/constraints/kind.js'
import type { Stats } from '../../core/counters.js'
import { Crushed } from '../../core/crushed.js'
import { Inflation } from '../../core/inflation.js'
import { Inverted } from '../../core/inverted.js'
import { Joints } from '../../core/joints.js'
import { LedSpin } from '../../core/ledSpin.js'
import { MeanStrain } from '../../core/meanStrain.js'
import { PinnedStrain } from '../../core/pinnedStrain.js'
import { PlasticFlow } from '../../core/plasticity.js'
import { CoarseLevels } from '../../core/reach/coarseLevels.js'
import { Holds } from '../../core/reach/holds.js'
import { LonePins } from '../../core/reach/lonePins.js'
import { PinDistances } from '../../core/reach/pinDistances.js'
import { Recoil } from '../../core/reach/recoil.js'
import { StrainLimits } from '../../core/reach/strainLimits.js'
import { Tethers } from '../../core/reach/tethers.js'
import { SLEEP } from '../../core/records.js'
import { Rescue } from '../../core/rescue.js'
import { Rolling } from '../../core/rolling.js'
import { settle } from '../../core/settling.js'
import type { Solver } from '../../core/solver.js'
import { Spin } from '../../core/spin.js'
import { type StageTimes, stages } from '../../core/stageTimes.js'
import type { State } from '../../core/state.js'
import { Support } from '../../core/support.js'
import { Snaps } from '../../core/tear/snap.js'
import { Tears } from '../../core/tear/tears.js'
import { Unresolved } from '../../core/unresolved.js'
import { Upright } from '../../core/upright.js'
import type { WorldSettings } from '../../core/worldSettings.js'
import { bakeDecay, type Decay, damp } from './decay.js'
import { keepFinite, limitSpeed } from './guards.js'
import { Limbs } from './limbs.js'
import { accelerate, aimPins, arrive, keepStart, move, updateVelocities } from './motion.js'
import { Sweeps } from './sweeps.js'
import { bake, retie } from './workspace.js'

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
  private readonly ledSpin = new LedSpin()
  private readonly inverted = new Inverted()
  private readonly rescue = new Rescue(this.inverted)
  private readonly crushed = new Crushed(this.inverted)
  private readonly upright = new Upright(this.inverted)
  private readonly support = new Support()
  private readonly holds = new Holds()
  private readonly pinDistances = new PinDistances(this.holds)
  private readonly recoil = new Recoil()
  private readonly coarseLevels = new CoarseLevels(this.holds, this.recoil)
  private readonly lonePins = new LonePins(this.holds)
  private readonly strainLimits = new StrainLimits(this.pinDistances, this.holds)
  private readonly plasticFlow = new PlasticFlow()
  private readonly inflation = new Inflation()
  private readonly tethers = new Tethers(this.pinDistances)
  private readonly tears = new Tears(this.strainLimits)
  private readonly snaps = new Snaps()
  private readonly limbs = new Limbs(this.attachments, this.joints)
  private readonly rolling = new Rolling()
  private readonly unresolved = new Unresolved()
  private readonly meanStrain = new MeanStrain(this.unresolved)
  private readonly pinnedStrain = new PinnedStrain(this.unresolved)
  private readonly sweeps = new Sweeps(this.unresolved, this.meanStrain, this.pinnedStrain)
  private decay: Decay = { shapeShares: [], swayShares: [], factors: [], slipShares: [] }
  private bakedVersion = -1
  private bakedTears = -1
  private bakedHolds = -1
  private bakedSettings: Readonly<WorldSettings> | undefined
  /** Numbers of a step by array, since a call with a number allocates. */
  private readonly timeStep = new Float64Array(1)
  private readonly h = new Float64Array(1)

  step(state: State, settings: Readonly<WorldSettings>, stats: Stats, times: StageTimes): void {
    const { substeps, iterations } = settings
    times.start()
    this.prepare(state, settings)
    this.touches.begin()
    stats.constraints = this.sweeps.findRuns()
    keepStart(state)
    aimPins(state, settings) // before the search, which goes by the particles' speeds
    this.inflation.begin(state, this.timeStep)
    this.attraction.begin(state)
    this.contacts.search(state, settings)
    this.soft.begin(state, settings)
    this.attachments.begin(state)
    this.joints.begin(state)
    this.air.begin(state, settings)
    this.spin.begin(state, this.decay.factors)
    this.ledSpin.begin(state, settings)
    this.rescue.begin(state, this.timeStep, this.h, stats)
    this.tears.begin()
    this.snaps.begin()
    this.strainLimits.begin()
    this.recoil.begin(state)
    this.coarseLevels.begin(state, this.timeStep)
    this.meanStrain.begin(state)
    times.end(SEARCH)
    for (let substep = 0; substep < substeps; substep++) {
      this.limbs.settle(state, substep, this.contacts, this.soft)
      this.contacts.beginSubstep(state, substep, substeps, this.h)
      this.soft.beginSubstep(substep, substeps, this.h)
      this.attachments.beginSubstep()
      this.joints.beginSubstep(state, substep, substeps, this.h)
      this.air.blow(state, settings, this.h)
      this.attraction.act(state, substep, substeps, this.h)
      this.rolling.act(state)
      accelerate(state, settings)
      limitSpeed(state, settings, stats)
      move(state, this.h)
      this.spin.remember(state)
      this.sweeps.resetLambda()
      this.meanStrain.beginSubstep()
      this.pinnedStrain.beginSubstep()
      times.end(INTEGRATE)
      for (let iteration = 0; iteration < iterations; iteration++) {
        const last = iteration + 1 === iterations
        this.attachments.project(state, substep, substeps, this.timeStep, null)
        this.joints.projectHolds(state, this.h, this.holds, false)
        this.holds.grip(state, this.h)
        if (iteration > 0) this.noteSpin(state)
        this.ledSpin.note(state)
        if (iteration === 0) this.coarseLevels.project(state)
        this.lonePins.project(state)
        this.sweeps.project(state)
        this.support.project(state, this.inflation.grown)
        this.ledSpin.takeBack(state)
        this.joints.project(state, this.h) // after what is elastic, so that joined points stay together
        if (this.joints.holdChains) this.pullByTurns(state)
        this.limbs.hold(state, substeps, this.h) // after joints, which push single particles
        this.strainLimits.project(state)
        this.tethers.project(state)
        this.attachments.project(state, substep, substeps, this.timeStep, this.holds)
        this.joints.projectHolds(state, this.h, this.holds, true)
        this.holds.release(state)
        this.rescue.project(state, this.inflation.grown)
        this.spin.restore(state, this.h) // before contacts, which turn what they push
        times.end(CONSTRAINTS)
        this.soft.project(state, this.contacts, last) // contacts last: else friction never holds
        this.contacts.project(state, this.soft.near)
        this.limbs.rejoin(state, this.contacts)
        this.soft.confirm(state, this.contacts, last)
        times.end(CONTACTS)
      }
      this.tears.note()
      this.snaps.note()
      this.attachments.endSubstep(substeps, this.timeStep)
      this.joints.endSubstep(state, substeps, this.h)
      this.soft.note(state, this.touches, this.contacts)
      this.contacts.meet(state, settings)
      this.forgetSpin(state)
      updateVelocities(state, this.h)
      this.recoil.damp(state, this.h)
      this.contacts.bounce(state, settings)
      this.soft.bounce(state, this.touches, this.decay.slipShares, this.spin)
      this.contacts.part(state, settings, this.spin)
      this.contacts.dampSlips(state, this.decay.slipShares)
      damp(state, this.decay, this.limbs, this.rolling, this.contacts, this.soft, substeps, this.h)
      this.rescue.damp(state, this.contacts, this.soft, this.h)
      settle(state, this.h)
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
    this.crushed.watch(state, this.contacts, this.soft, this.inflation.grown, this.timeStep, this.h, stats)
    this.upright.turnBack(state, this.timeStep, stats)
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
    this.sweeps.batches = []
    this.bakedVersion = -1
  }

  /** Bakes the rows again where something they hold has changed. */
  private prepare(state: State, settings: Readonly<WorldSettings>): void {
    if (this.inflation.hasEnded()) state.version++ // rows of gas that is gone
    this.holds.follow(state)
    if (this.bakedHolds !== this.holds.version) this.bakedVersion = -1
    if (this.bakedVersion === state.version && this.bakedTears !== state.tears) this.followTears(state)
    if (this.bakedVersion === state.version && this.bakedSettings === settings) return
    const sameSweeps = this.bakedSettings?.iterations === settings.iterations
    this.bakedSettings = settings
    this.timeStep[0] = settings.timeStep
    const h = settings.timeStep / settings.substeps
    if (this.bakedVersion === state.version && this.h[0] === h && sameSweeps) return
    this.h[0] = h
    const batches = bake(state, h, settings.iterations)
    const partsOf = (kind: ConstraintKind) => batches.find((batch) => batch.kind === kind)?.parts ?? []
    this.sweeps.batches = batches
    this.decay = bakeDecay(state, h)
    this.inverted.bake(state)
    this.rescue.bake(state)
    this.support.bake(state, h)
    this.rolling.bake(state, h)
    this.contacts.rigid = this.support.rigid
    this.contacts.others = this.soft
    this.unresolved.bake(state, partsOf(neoHookean), h)
    this.meanStrain.bake()
    this.pinnedStrain.bake(state)
    this.plasticFlow.bake(partsOf(neoHookean), h)
    this.inflation.bake(
      state,
      partsOf(neoHookean),
      partsOf(distance),
      partsOf(volume),
      partsOf(shapeMatching),
      partsOf(pressure),
    )
    this.coarseLevels.bake(state, partsOf(membrane), h)
    this.lonePins.bake(state, partsOf(membrane))
    this.strainLimits.bake(state)
    this.recoil.bake(state)
    this.tethers.bake(state)
    this.tears.bake(state, partsOf(membrane), h, settings.substeps)
    this.snaps.bake(partsOf(chain), h, settings.substeps)
    this.limbs.bake(batches)
    this.bakedVersion = state.version
    this.bakedTears = state.tears
    this.bakedHolds = this.holds.version
  }

  /** What a tear has changed where rows stay where they are: who hangs on whom, and how far pins are. */
  private followTears(state: State): void {
    retie(this.sweeps.batches)
    this.coarseLevels.follow()
    this.lonePins.follow(state)
    this.strainLimits.follow(state)
    this.recoil.bake(state)
    this.tethers.follow(state)
    this.tears.follow()
    this.bakedTears = state.tears
  }

  /**
   * What hangs on a rope pulls at the light particle at its end, which passes on what it can in one go: its own mass times
   * the gap, over h^2. Rope and joint take turns, so that the gap is as much smaller.
   */
  private pullByTurns(state: State): void {
    for (let turn = 0; turn < TURNS; turn++) {
      this.sweeps.projectKind(state, chain)
      this.joints.project(state, this.h)
    }
  }

  /** What contacts of the last iteration have pushed has another spin. */
  private noteSpin(state: State): void {
    for (let b = 0; b < state.bodies.live.length; b++) {
      const body = state.bodies.live[b]!
      if (body.asleep) continue
      const touches = this.contacts.touches(b)
      if (touches) body.sleep[SLEEP.PUSHED] = 1
      if (touches || this.soft.isNear(b)) this.spin.rememberWay(state, b, this.h)
    }
  }

  /** What the substep has pushed has another spin in the next one. */
  private forgetSpin(state: State): void {
    for (let b = 0; b < state.bodies.live.length; b++) {
      const touches = this.contacts.touches(b)
      state.bodies.live[b]!.sleep[SLEEP.PUSHED] = touches ? 1 : 0
      if (touches || this.soft.touches(b) || this.soft.turns(b)) this.spin.forget(b)
    }
  }
}
