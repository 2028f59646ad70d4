import type { Mesh, Vector3 } from 'three'
import type { Attachment, Body, Model, MutableVec3, Region } from '../../headless.js'
import type { WorldRuntime } from './worldRuntime.js'

/** The spring of a grab swings what hangs on it about its target at this rate [Hz], damped critically. */
const frequency = 8
/** A grab pulls with at most this acceleration [m/s^2]. */
const acceleration = 400
/**
 * What its force has beyond this acceleration [m/s^2] pulls at the whole of a solid: no place of one bears much more than
 * the weight. One that is pinned is pulled in order to be stretched, cloth to be torn, a figure to be led by a limb.
 */
const localAcceleration = 15
/** A throw is at most what the grab's largest force does in this time [s]. */
const throwTime = 0.1

/** What pointers reach: a body, or free particles. */
export interface Graspable {
  readonly runtime: WorldRuntime
  readonly body: Body | null
  /** What shows it. */
  readonly meshes: readonly Mesh[]
  readonly options: GraspOptions
}

export interface GraspOptions {
  readonly grabbable: boolean
  readonly pokeForce: number
  readonly grabForce?: number | undefined
}

/**
 * A place of a body that may be taken hold of, led about and let go: of one piece, where the body is torn apart. While it
 * exists the world does not rest.
 */
export class Grasp {
  readonly body: Body
  readonly region: Region
  /** The largest number of a particle in the region. */
  private readonly last: number
  private attachment: Attachment | null = null
  /** What hangs together with the region, null for all of the body, and its share of the mass; as `model` was torn. */
  private piece: Region | null = null
  private share = 1
  private model: Model | null = null
  private readonly letGo: () => void

  /** @param point where on the body [m]; a body that is not alive cannot be grasped */
  constructor(
    readonly instance: Graspable,
    point: Vector3,
  ) {
    this.body = instance.body!
    this.region = ofOnePiece(this.body, this.body.region([point.x, point.y, point.z], 0.15 * this.body.model.size))
    this.last = this.region.particles.reduce((most, particle) => Math.max(most, particle), 0)
    this.letGo = instance.runtime.hold()
  }

  /** True once the body has been taken hold of. */
  get taken(): boolean {
    return this.attachment !== null
  }

  /**
   * False once the body is gone, was made anew with other particles, or is not to be grabbed; and before it is taken, once
   * what would be was torn off and is mended.
   */
  get valid(): boolean {
    const there = this.taken || this.last < this.body.particleCount
    return this.instance.body === this.body && there && this.instance.options.grabbable
  }

  /** Of what hangs together with the place [kg]: of the body, unless it is torn apart. */
  get mass(): number {
    this.look()
    return this.share * this.body.mass
  }

  /**
   * Takes hold of the place where it is now, which it writes into `where`. k = m w^2 and c = 2 sqrt(k m): what hangs on it
   * settles without swinging.
   */
  take(where: MutableVec3): void {
    const { body, mass } = this
    const stiffness = mass * (2 * Math.PI * frequency) ** 2
    this.attachment = body.attach(this.region, {
      compliance: 1 / stiffness,
      damping: 2 * Math.sqrt(stiffness * mass),
      maxForce: this.maxForce,
      localForce: this.isFreeSolid ? mass * localAcceleration : Number.POSITIVE_INFINITY,
    })
    this.attachment.point(where)
  }

  /** Leads what was taken to a place of the world [m]. */
  lead(target: MutableVec3): void {
    this.attachment?.setTarget(target[0], target[1], target[2])
  }

  /** Lets go. What was taken leaves with `velocity` [m/s], if there is one; what is pinned stays. */
  release(velocity: MutableVec3 | null): void {
    const { body, taken } = this
    this.attachment?.remove()
    this.attachment = null
    this.letGo()
    if (!velocity || !taken || !this.valid) return
    const { mass, piece } = this
    if (isPinned(body, piece)) return
    const impulse = piece ? velocityOf(body, piece) : body.velocity([0, 0, 0])
    for (let d = 0; d < 3; d++) impulse[d] = mass * (velocity[d]! - impulse[d]!)
    const size = Math.hypot(...impulse)
    const most = this.maxForce * throwTime
    if (size > most) for (let d = 0; d < 3; d++) impulse[d]! *= most / size
    body.applyImpulse(impulse, piece ?? undefined)
  }

  /** True for one piece of matter that nothing pins; the limbs of a figure hang on the one that leads. */
  private get isFreeSolid(): boolean {
    const { model } = this.body
    return model.tets.length > 0 && model.sets.every(({ name }) => name !== 'limbs') && !isPinned(this.body, null)
  }

  private get maxForce(): number {
    return this.instance.options.grabForce ?? this.mass * acceleration
  }

  /** Finds `piece` and `share` anew where the body has been torn or mended. */
  private look(): void {
    const { body } = this
    const { model } = body
    if (this.model === model) return
    this.model = model
    const there = this.region.particles.filter((particle) => particle < model.particleCount)
    const piece = body.pieceOf(there.length > 0 ? there : [0])
    const whole = piece.particles.length === model.particleCount
    this.piece = whole ? null : piece
    this.share = whole ? 1 : piece.particles.reduce((sum, particle) => sum + model.massShares[particle]!, 0)
  }
}

/** Of a region the part in the piece that most of it is in: at a rip the nearest particles are of both sides. */
function ofOnePiece(body: Body, region: Region): Region {
  let best = region
  let most = 0
  const seen = new Set<number>()
  for (const particle of region.particles) {
    if (seen.has(particle)) continue
    const together = body.pieceOf([particle]).particles
    if (together.length === body.particleCount) return region
    const piece = new Set(together)
    const places = Array.from(region.particles.keys()).filter((k) => piece.has(region.particles[k]!))
    for (const k of places) seen.add(region.particles[k]!)
    const sum = places.reduce((total, k) => total + region.weights[k]!, 0)
    if (!(sum > most)) continue
    most = sum
    best = {
      particles: Uint32Array.from(places, (k) => region.particles[k]!),
      weights: Float64Array.from(places, (k) => region.weights[k]! / sum),
    }
  }
  return best
}

/** @param piece null for all of the body */
function isPinned(body: Body, piece: Region | null): boolean {
  if (piece) return piece.particles.some((particle) => body.isPinned(particle))
  for (let i = 0; i < body.particleCount; i++) if (body.isPinned(i)) return true
  return false
}

function velocityOf(body: Body, { particles, weights }: Region): MutableVec3 {
  const v = body.readVelocities(new Float64Array(3 * body.particleCount))
  const mean: MutableVec3 = [0, 0, 0]
  for (let k = 0; k < particles.length; k++) {
    for (let d = 0; d < 3; d++) mean[d]! += weights[k]! * v[3 * particles[k]! + d]!
  }
  return mean
}
