import { touchOf } from './bodyGap.js'
import { distanceBetween, linkPoint, meanOf, pointOf, positionOf } from './jointPoints.js'
import { type JointRecord, LINK } from './jointRecord.js'
import { quaternionToMatrix } from './math/rotation.js'
import { NearestPoint } from './nearest.js'
import type { BodyRecord } from './records.js'
import { regionAt } from './region.js'
import type { State } from './state.js'
import type { Vec3 } from './vectors.js'

/** What a joint's links hold: see `JointRecord`. */
export type Links = Pick<
  JointRecord,
  'count' | 'rounds' | 'particles' | 'weights' | 'otherParticles' | 'otherWeights' | 'locals' | 'rest' | 'parallels'
>

/** Radius of the joined region where none is given, as a share of the smaller body's size. */
const REGION_SHARE = 0.15
/** Beyond this share of the region's radius the bodies are too far apart for links side by side: these would swing. */
const GAP_SHARE = 0.25
/** Particles that are farther apart than the nearest by this share of the smaller body's size touch as well. */
const TOUCH_SHARE = 0.05
/** Fewer particles than these on either side do not keep one body from turning against the other. */
const FEWEST = 3
/** Most particles of either side that are braced with each other. */
const BRACED = 8
/**
 * What braces two sides is far from square to them, and so are the links from each other: taken once, in one order, they
 * leave a rest that turns a body which hangs by them, ever faster.
 */
const ROUNDS = 4
/** Points nearer than this share of a body's size coincide: the way from one to the other says nothing. */
const COINCIDE = 1e-6

const a = new NearestPoint()
const b = new NearestPoint()
const R = new Float64Array(9)
const p = new Float64Array(3)
const q = new Float64Array(3)
const axis = new Float64Array(3)

class LinkList {
  readonly particles: number[] = []
  readonly weights: number[] = []
  readonly otherParticles: number[] = []
  readonly otherWeights: number[] = []

  add(one: { particles: ArrayLike<number>; weights: ArrayLike<number> }, other?: typeof one): void {
    for (let k = 0; k < LINK; k++) {
      this.particles.push(one.particles[k] ?? one.particles[0]!)
      this.weights.push(one.weights[k] ?? 0)
      if (!other) continue
      this.otherParticles.push(other.particles[k] ?? other.particles[0]!)
      this.otherWeights.push(other.weights[k] ?? 0)
    }
  }

  build(rounds = 0): Links {
    const count = this.particles.length / LINK
    const toBody = this.otherParticles.length > 0
    return {
      count,
      rounds,
      particles: Uint32Array.from(this.particles),
      weights: Float64Array.from(this.weights),
      otherParticles: Uint32Array.from(this.otherParticles),
      otherWeights: Float64Array.from(this.otherWeights),
      locals: new Float64Array(toBody ? 0 : count * 3),
      rest: new Float64Array(count),
      parallels: new Float64Array(1),
    }
  }
}

type Ends = Pick<JointRecord, 'body' | 'other' | 'collider' | 'frame' | 'spring' | 'whole' | 'otherWhole'>

/** Adds a joint or a spring to the state: one literal, so that all are one kind of object. */
export function addRecord(
  state: State,
  { body, other, collider, frame, spring, whole, otherWhole }: Ends,
  links: Links,
  settings: Float64Array,
): JointRecord {
  return state.joints.add((slot, generation) => ({
    slot,
    generation,
    body,
    other,
    collider,
    frame,
    spring,
    whole,
    otherWhole,
    count: links.count,
    rounds: links.rounds,
    particles: links.particles,
    weights: links.weights,
    otherParticles: links.otherParticles,
    otherWeights: links.otherWeights,
    locals: links.locals,
    rest: links.rest,
    parallels: links.parallels,
    settings,
    force: new Float64Array(3),
    load: new Float64Array(3),
    broken: new Uint8Array(1),
  }))
}

const single = (particle: number) => ({ particles: [particle], weights: [1] })

/**
 * Links between a body and a frame: one at the point of the body nearest to `at` where the radius is 0, else one at each
 * particle within the radius of that point, or at each of those named.
 */
export function linksToFrame(
  state: State,
  body: BodyRecord,
  at: ArrayLike<number>,
  radius: number = REGION_SHARE * body.model.size,
  particles?: Uint32Array,
): Links {
  const links = new LinkList()
  if (particles) for (const particle of particles) links.add(single(particle))
  else {
    a.find(state, body, at)
    if (radius === 0) links.add(a)
    else for (const particle of around(state, body, pointOf(state, body, a), radius)) links.add(single(particle))
  }
  return links.build()
}

/**
 * Links between two bodies, at the offset that they have: one between the points nearest to `at` where the radius is 0,
 * else from each particle of either body in the region to the matter of the other that is there. Where the bodies are
 * apart, such links would swing like the ropes of a swing boat, and all are braced with all instead.
 * @param at default where the bodies are nearest to each other
 * @param radius default where they touch, or REGION_SHARE about `at`
 * @param particles of `body`, instead of a radius
 * @param ends a place of either body: one link between their points nearest to these
 */
export function linksBetween(
  state: State,
  body: BodyRecord,
  other: BodyRecord,
  at: ArrayLike<number> | undefined,
  radius: number | undefined,
  particles?: Uint32Array,
  ends?: readonly [Vec3, Vec3],
): Links {
  const links = new LinkList()
  if (ends) {
    a.find(state, body, ends[0])
    b.find(state, other, ends[1])
    links.add(a, b)
    return links.build()
  }
  const size = Math.min(body.model.size, other.model.size)
  const reach = radius ?? REGION_SHARE * size
  const touch = at || particles ? undefined : touchOf(state, body, other, TOUCH_SHARE * size)
  const place = at ?? touch?.middle ?? meanOf(state, body, particles!)
  a.find(state, body, place)
  b.find(state, other, place)
  if (radius === 0 && !particles) {
    links.add(a, b)
    return links.build()
  }
  const ourPoint = pointOf(state, body, a)
  const theirPoint = pointOf(state, other, b)
  const area = radius === undefined && touch && touch.ours.length >= FEWEST && touch.theirs.length >= FEWEST
  const ours = particles ?? (area ? touch.ours : around(state, body, ourPoint, reach))
  const theirs = area ? touch.theirs : around(state, other, theirPoint, reach)
  if (distanceBetween(ourPoint, theirPoint) > GAP_SHARE * reach) {
    for (const i of few(ours)) for (const j of few(theirs)) links.add(single(i), single(j))
    return links.build(ROUNDS)
  }
  for (const i of ours) {
    b.find(state, other, positionOf(state, body, i))
    links.add(single(i), b)
  }
  if (particles) return links.build()
  for (const j of theirs) {
    a.find(state, body, positionOf(state, other, j))
    links.add(a, single(j))
  }
  return links.build()
}

/** Notes the offset that the two sides have now: distances to a body, places in a frame. */
export function measureLinks(
  state: State,
  record: Links & Pick<JointRecord, 'body' | 'other' | 'frame' | 'spring'>,
): void {
  if (record.spring) return // it has a length of its own
  const body = state.bodies.get(record.body)
  const other = record.other && state.bodies.get(record.other)
  if (!body || !(other || record.frame)) return
  axis.fill(0)
  const ways: Vec3[] = []
  if (record.frame) quaternionToMatrix(record.frame.pose, 3, R)
  for (let link = 0; link < record.count; link++) {
    linkPoint(state, body, record.particles, record.weights, link, p)
    if (!other) {
      for (let d = 0; d < 3; d++) {
        record.locals[link * 3 + d] = 0
        for (let e = 0; e < 3; e++) record.locals[link * 3 + d]! += R[e * 3 + d]! * (p[e]! - record.frame!.pose[e]!)
      }
      continue
    }
    linkPoint(state, other, record.otherParticles, record.otherWeights, link, q)
    const length = distanceBetween(p, q)
    record.rest[link] = length > COINCIDE * body.model.size ? length : 0
    if (record.rest[link] === 0) continue
    const way: Vec3 = [(p[0]! - q[0]!) / length, (p[1]! - q[1]!) / length, (p[2]! - q[2]!) / length]
    ways.push(way)
    for (let d = 0; d < 3; d++) axis[d] = axis[d]! + way[d]!
  }
  // A link at an angle to the joint resists by the square of its cosine.
  const length = Math.sqrt(axis[0]! * axis[0]! + axis[1]! * axis[1]! + axis[2]! * axis[2]!) || 1
  record.parallels[0] = record.count - ways.length
  for (const way of ways) {
    const cosine = (way[0] * axis[0]! + way[1] * axis[1]! + way[2] * axis[2]!) / length
    record.parallels[0] += cosine * cosine
  }
}

function around(state: State, { start, model }: BodyRecord, point: ArrayLike<number>, radius: number): Uint32Array {
  const center: Vec3 = [point[0]!, point[1]!, point[2]!]
  return regionAt(state.positions, start, model.particleCount, center, radius, 'constant').particles
}

/** At most `BRACED` of them, evenly chosen. */
function few(particles: Uint32Array): Uint32Array {
  const count = Math.min(BRACED, particles.length)
  return Uint32Array.from({ length: count }, (_, k) => particles[Math.floor((k * particles.length) / count)]!)
}
