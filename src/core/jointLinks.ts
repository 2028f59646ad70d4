import { type JointRecord, LINK } from './jointRecord.js'
import { quaternionToMatrix } from './math/rotation.js'
import { NearestPoint } from './nearest.js'
import { regionAt } from './region.js'
import type { BodyRecord, State } from './state.js'
import type { Vec3 } from './vectors.js'

/** What a joint's links hold: see `JointRecord`. */
export type Links = Pick<
  JointRecord,
  'count' | 'particles' | 'weights' | 'otherParticles' | 'otherWeights' | 'locals' | 'rest' | 'parallels'
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

  build(): Links {
    const count = this.particles.length / LINK
    const toBody = this.otherParticles.length > 0
    return {
      count,
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
    return links.build()
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

/** Where two bodies are nearest: the distance there [m]. */
export function gapBetween(state: State, body: BodyRecord, other: BodyRecord): number {
  return touchOf(state, body, other, 0).least
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
    place(state, body, record.particles, record.weights, link, p)
    if (!other) {
      for (let d = 0; d < 3; d++) {
        record.locals[link * 3 + d] = 0
        for (let e = 0; e < 3; e++) record.locals[link * 3 + d]! += R[e * 3 + d]! * (p[e]! - record.frame!.pose[e]!)
      }
      continue
    }
    place(state, other, record.otherParticles, record.otherWeights, link, q)
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

/** Where two bodies are nearest: half way between, and which of their particles are as near but for `slack` [m]. */
function touchOf(state: State, body: BodyRecord, other: BodyRecord, slack: number) {
  const from = gapsTo(state, body, other, slack, Number.POSITIVE_INFINITY)
  const back = gapsTo(state, other, body, slack, from.least)
  const least = Math.min(from.least, back.least)
  const near = ({ gaps }: Gaps) => gaps.filter(({ gap }) => gap <= least + slack)
  const [ours, theirs] = [near(from), near(back)]
  const middle = new Float64Array(3)
  const count = ours.length + theirs.length
  for (const { middle: half } of [...ours, ...theirs]) for (let d = 0; d < 3; d++) middle[d]! += half[d]! / count
  const sorted = (list: Gaps['gaps']) => Uint32Array.from(list, ({ particle }) => particle).sort()
  return { middle, least, ours: sorted(ours), theirs: sorted(theirs) }
}

interface Gaps {
  readonly least: number
  readonly gaps: readonly { particle: number; gap: number; middle: Float64Array }[]
}

/** The particles of a body that are nearest to another, nearest box first: none that is `slack` farther than the nearest. */
function gapsTo(state: State, body: BodyRecord, other: BodyRecord, slack: number, known: number): Gaps {
  const box = boxOf(state, other)
  const order = Array.from({ length: body.model.particleCount }, (_, particle) => {
    const point = positionOf(state, body, particle)
    return { particle, point, atLeast: distanceToBox(point, box) }
  }).sort((one, two) => one.atLeast - two.atLeast || one.particle - two.particle)
  let least = known
  const gaps: Gaps['gaps'][number][] = []
  for (const { particle, point, atLeast } of order) {
    if (atLeast > least + slack) break
    b.find(state, other, point)
    if (b.distance > least + slack) continue
    least = Math.min(least, b.distance)
    const there = pointOf(state, other, b)
    gaps.push({ particle, gap: b.distance, middle: there.map((x, d) => (x + point[d]!) / 2) })
  }
  return { least, gaps }
}

function boxOf({ positions: x }: State, { start, model }: BodyRecord): Float64Array {
  const box = Float64Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity)
  for (let k = 0; k < model.particleCount * 3; k++) {
    box[k % 3] = Math.min(box[k % 3]!, x[start * 3 + k]!)
    box[3 + (k % 3)] = Math.max(box[3 + (k % 3)]!, x[start * 3 + k]!)
  }
  return box
}

function distanceToBox(point: ArrayLike<number>, box: Float64Array): number {
  let square = 0
  for (let d = 0; d < 3; d++) {
    const outside = Math.max(box[d]! - point[d]!, 0, point[d]! - box[3 + d]!)
    square += outside * outside
  }
  return Math.sqrt(square)
}

function positionOf({ positions: x }: State, { start }: BodyRecord, particle: number): Float64Array {
  return x.slice((start + particle) * 3, (start + particle) * 3 + 3)
}

function pointOf(state: State, body: BodyRecord, { particles, weights }: NearestPoint): Float64Array {
  const point = new Float64Array(3)
  place(state, body, particles, weights, 0, point)
  return point
}

function meanOf(state: State, body: BodyRecord, particles: Uint32Array): Float64Array {
  const mean = new Float64Array(3)
  for (const particle of particles) {
    const point = positionOf(state, body, particle)
    for (let d = 0; d < 3; d++) mean[d] = mean[d]! + point[d]! / particles.length
  }
  return mean
}

function place(
  { positions: x }: State,
  { start }: BodyRecord,
  particles: Uint32Array,
  weights: Float64Array,
  link: number,
  out: Float64Array,
): void {
  out.fill(0)
  for (let k = link * LINK; k < link * LINK + LINK; k++) {
    for (let d = 0; d < 3; d++) out[d] = out[d]! + weights[k]! * x[(start + particles[k]!) * 3 + d]!
  }
}

function distanceBetween(one: ArrayLike<number>, two: ArrayLike<number>): number {
  const [x, y, z] = [one[0]! - two[0]!, one[1]! - two[1]!, one[2]! - two[2]!]
  return Math.sqrt(x * x + y * y + z * z)
}
