import { isInPieces, type Model } from '../model.js'
import type { BodyRecord, ColliderRecord } from '../records.js'
import type { State } from '../state.js'

/** Places in a body's surface numbers. */
export const THICKNESS = 0
const FRICTION = 1
const RESTITUTION = 2
export const GRAVITY_SCALE = 3
const WHOLE = 4
export const SIZE = 5
export const STRETCH = 6

/**
 * Share of a collider's inradius that a point may move in a substep by its velocity, and be judged by where it ends: the
 * nearest surface is then the one where it came in. What its body presses in may come as deep as the middle.
 */
export const CAUGHT = 0.25

/** Numbers a collider has in `sway`. */
export const SWAY = 4
/** How far the collider's surface moves at a point in a substep at most [m]. */
export const drift = new Float64Array(1)

/** Pairs of a particle or feeler and a collider, in columns, and what body and collider say of them. */
export class Pairs {
  /** Pairs found by the last search. */
  count = 0
  protected colliders: readonly ColliderRecord[] = []
  protected capacity = 0
  /**
   * By live body: thickness, friction, restitution, gravity scale, 1 where it bounces as a whole, size, and how many times as
   * far as its particles its feelers may be from a place, which may be beside the tetrahedra that they belong to.
   */
  protected surfaces: readonly Float64Array[] = []
  private bakedVersion = -1
  private bakedTears = -1
  /** Four particles a pair, and their weights; a plain particle has weights 1, 0, 0, 0 on itself. */
  protected particles = new Uint32Array(0)
  protected weights = new Float64Array(0)
  protected collider = new Uint32Array(0)
  /** Pairs of the same point follow each other; the first says how many. */
  protected group = new Uint32Array(0)
  protected thickness = new Float64Array(0)
  protected friction = new Float64Array(0)
  protected restitution = new Float64Array(0)
  protected gravityScale = new Float64Array(0)
  /** By how much attractors pull a pair's body [m/s^2]. */
  protected pulled = new Float64Array(0)
  /**
   * Squares of the way in a substep up to which a point cannot pass the collider [m^2]: by its velocity, and in all.
   * Below 0 it always might. The first pair of a point has the least of them.
   */
  protected slow = new Float64Array(0)
  protected pressed = new Float64Array(0)
  /** Where the point was in the collider's frame when its distance was last asked for [m], and that distance [m]. */
  protected known = new Float64Array(0)
  /** By the first pair of a point: how far its particles may get from where they were listed before it can touch [m]. */
  protected clearTo = new Float64Array(0)
  /** False where no listed collider can be passed at any speed. */
  protected passable = false
  /**
   * By collider: how far it shifts until the end of the step [m], how far its turn moves what is 1 m off its origin
   * [m], what share of that a substep may have, and its inradius [m].
   */
  protected sway = new Float64Array(0)

  /** Settings of the live bodies as numbers in arrays: reading a number that may be absent allocates. */
  protected bakeSurfaces(state: State): void {
    if (this.bakedVersion === state.version && this.bakedTears === state.tears) return
    this.surfaces = state.bodies.live.map((body) => {
      const { settings, model } = body
      return Float64Array.of(
        settings.thickness ?? model.thickness,
        settings.friction,
        settings.restitution,
        settings.gravityScale,
        isElastic(body) && isFree(state, body) && !isInPieces(model) ? 1 : 0,
        model.size,
        stretchOf(model),
      )
    })
    this.bakedVersion = state.version
    this.bakedTears = state.tears
  }

  /** True where restitution is of the `b`-th live body as a whole, not of each particle. */
  protected bouncesWhole(b: number): boolean {
    return this.surfaces[b]![WHOLE] === 1
  }

  /** Lists a pair of the point at `at` of a list of particles and the collider `c`; `surface` is its body's. */
  protected addPair(
    body: BodyRecord,
    surface: Float64Array,
    particles: Uint32Array,
    weights: Float64Array,
    at: number,
    arity: number,
    c: number,
  ): void {
    if (this.count === this.capacity) this.grow()
    const pair = this.count++
    const collider = this.colliders[c]!
    for (let k = 0; k < 4; k++) {
      this.particles[pair * 4 + k] = body.start + particles[k < arity ? at + k : at]!
      this.weights[pair * 4 + k] = k < arity ? (arity === 1 ? 1 : weights[at + k]!) : 0
    }
    this.collider[pair] = c
    this.group[pair] = 0
    const friction = surface[FRICTION]!
    const restitution = surface[RESTITUTION]!
    // A collider that says nothing of its own takes the body's.
    this.friction[pair] = collider.friction === undefined ? friction : Math.sqrt(friction * collider.friction)
    this.restitution[pair] = surface[WHOLE] === 1 ? 0 : Math.max(restitution, collider.restitution ?? 0)
    const inradius = this.sway[c * SWAY + 3]!
    const way = CAUGHT * inradius - drift[0]!
    const press = inradius - drift[0]!
    this.slow[pair] = way > 0 ? way * way : -1
    this.pressed[pair] = press > 0 ? press * press : -1
  }

  /** Makes room for more pairs. */
  protected grow(): void {
    this.capacity = Math.max(256, this.capacity * 2)
    const n = this.capacity
    this.particles = widerUint(this.particles, n * 4)
    this.weights = wider(this.weights, n * 4)
    this.collider = widerUint(this.collider, n)
    this.group = widerUint(this.group, n)
    this.thickness = wider(this.thickness, n)
    this.friction = wider(this.friction, n)
    this.restitution = wider(this.restitution, n)
    this.gravityScale = wider(this.gravityScale, n)
    this.pulled = wider(this.pulled, n)
    this.slow = wider(this.slow, n)
    this.pressed = wider(this.pressed, n)
    this.known = wider(this.known, n * 4)
    this.clearTo = wider(this.clearTo, n)
  }
}

/** The largest sum of the weights of a feeler, without their signs; 1 where there is none. */
function stretchOf({ feelers: { weights } }: Model): number {
  let most = 1
  for (let f = 0; f < weights.length; f += 4) {
    const sum =
      Math.abs(weights[f]!) + Math.abs(weights[f + 1]!) + Math.abs(weights[f + 2]!) + Math.abs(weights[f + 3]!)
    most = Math.max(most, sum)
  }
  return most
}

/** True where anything gives a body back its shape. */
export function isElastic({ model, settings }: BodyRecord): boolean {
  return model.particleCount > 1 && model.sets.some(({ name }) => settings.elastic[name] ?? model.elastic[name])
}

function isFree({ inverseMasses }: State, { start, model }: BodyRecord): boolean {
  return inverseMasses.subarray(start, start + model.particleCount).every((w) => w !== 0)
}

function wider(column: Float64Array<ArrayBuffer>, length: number): Float64Array<ArrayBuffer> {
  const out = new Float64Array(length)
  out.set(column)
  return out
}

function widerUint(column: Uint32Array<ArrayBuffer>, length: number): Uint32Array<ArrayBuffer> {
  const out = new Uint32Array(length)
  out.set(column)
  return out
}
