import { turn } from '../math/elementary.js'

/** A tube about a curve of particles; rest data. */
export interface Tube {
  /** Particles of the curve, in order. */
  readonly particleCount: number
  /** [m] */
  readonly radius: number
  /** Cosine and sine of each point of a ring [2 n]. */
  readonly around: Float64Array
  /** Rings from one particle to the next. */
  readonly perSegment: number
  /** By particle: 1 where the segment that begins there is broken; null where none is. */
  readonly broken?: Uint8Array | null
}

/** A tube's mesh in its rest pose. */
export interface TubeMesh {
  /** [3 n] m */
  readonly positions: Float64Array
  /** [2 n] u around, 0 to 1; v along, in circumferences, so that a square stays one. */
  readonly uvs: Float64Array
  readonly index: Uint32Array
  /** [n] point of each vertex: ring by ring, then the two poles. */
  readonly vertexToPoint: Uint32Array
}

/** Angles of the rings of a rounded end above its equator, from the pole down, in quarter turns. */
const DOME = [2 / 3, 1 / 3]
const QUARTER = 1.5707963267948966
/** How far along and how wide those rings are, in radii. */
const domeAlong = DOME.map((share) => turn(share * QUARTER)[1])
const domeWide = DOME.map((share) => turn(share * QUARTER)[0])

/** Square of a length below which a unit vector's rest says nothing of a direction. */
const NO_NORMAL = 1e-6

/** Of the present ring: its centre [m], its tangent, and the normal from which its points are counted. */
const center = new Float64Array(3)
const tangent = new Float64Array(3)
const normal = new Float64Array(3)
const binormal = new Float64Array(3)
/** Tangent of the ring before. */
const before = new Float64Array(3)
const way = new Float64Array(3)
const point = new Float64Array(3)

export function createTube(particleCount: number, radius: number, sides: number, perSegment: number): Tube {
  const around = Float64Array.from(
    { length: sides * 2 },
    (_, k) => turn((Math.floor(k / 2) / sides) * 4 * QUARTER)[k % 2]!,
  )
  return { particleCount, radius, around, perSegment }
}

/** Rings, those of both ends included. */
function ringsOf({ particleCount, perSegment }: Tube): number {
  return (particleCount - 1) * perSegment + 1 + 2 * DOME.length
}

/** Points that carry the mesh: those of the rings, and the two poles. */
export function pointsOfTube(tube: Tube): number {
  return (ringsOf(tube) * tube.around.length) / 2 + 2
}

/** The particle that a point of the tube is nearest to. */
export function particleOfPoint(tube: Tube, point: number): number {
  const { particleCount, perSegment, around } = tube
  const ring = Math.floor((2 * point) / around.length)
  const rings = ringsOf(tube)
  if (ring >= rings) return point === pointsOfTube(tube) - 1 ? particleCount - 1 : 0
  return Math.min(particleCount - 1, Math.max(0, Math.round((ring - DOME.length) / perSegment)))
}

/**
 * The tube's mesh about the curve at rest, open along a seam for its texture.
 * @param positions [3 n] m of the particles
 * @param segment length at rest between two particles [m]
 */
export function tubeMesh(tube: Tube, positions: Float64Array, segment: number): TubeMesh {
  const { around, radius, perSegment, particleCount } = tube
  const sides = around.length / 2
  const rings = ringsOf(tube)
  const points = new Float64Array(pointsOfTube(tube) * 3)
  const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
  placeTube(tube, positions, identity, new Float64Array(3), points)
  const circumference = 4 * QUARTER * radius
  /** How far along the tube a ring is [m]. */
  const along = (ring: number) => {
    const k = ring - DOME.length
    const end = (particleCount - 1) * perSegment
    if (k < 0) return -domeAlong[ring]! * radius
    if (k > end) return (particleCount - 1) * segment + domeAlong[rings - 1 - ring]! * radius
    return (k / perSegment) * segment
  }
  const vertexToPoint: number[] = []
  const uvs: number[] = []
  const index: number[] = []
  for (let ring = 0; ring < rings; ring++) {
    for (let side = 0; side <= sides; side++) {
      vertexToPoint.push(ring * sides + (side % sides))
      uvs.push(side / sides, along(ring) / circumference)
      if (side === sides || ring === rings - 1) continue
      const a = ring * (sides + 1) + side
      const b = a + sides + 1
      index.push(a, a + 1, b, b, a + 1, b + 1)
    }
  }
  for (const end of [0, 1]) {
    const ring = end * (rings - 1)
    for (let side = 0; side < sides; side++) {
      const pole = vertexToPoint.length
      vertexToPoint.push(rings * sides + end)
      uvs.push(
        (side + 0.5) / sides,
        (along(ring) + (end === 0 ? -1 : 1) * (1 - domeAlong[0]!) * radius) / circumference,
      )
      const a = ring * (sides + 1) + side
      if (end === 0) index.push(pole, a + 1, a)
      else index.push(pole, a, a + 1)
    }
  }
  return {
    positions: Float64Array.from({ length: vertexToPoint.length * 3 }, (_, k) => {
      return points[vertexToPoint[Math.floor(k / 3)]! * 3 + (k % 3)]!
    }),
    uvs: Float64Array.from(uvs),
    index: Uint32Array.from(index),
    vertexToPoint: Uint32Array.from(vertexToPoint),
  }
}

/**
 * Places the points of a tube about its curve, a Catmull-Rom spline through the particles. The frame of a ring is that of
 * the one before, turned as little as the tangent turns (parallel transport), and the first ring's is that of the last
 * call, likewise: the texture neither jumps nor twists by itself. Allocates nothing.
 * @param particles [3 n] m
 * @param m [16] affine map that the points go through, column by column
 * @param start the first ring's normal [3], kept from call to call; zeros at first
 */
export function placeTube(
  tube: Tube,
  particles: Float64Array,
  m: ArrayLike<number>,
  start: Float64Array,
  points: Float64Array,
): void {
  const steps = (tube.particleCount - 1) * tube.perSegment
  const sides = tube.around.length / 2
  const dome = DOME.length
  const rings = steps + 1 + 2 * dome
  const pole = rings * sides
  for (let d = 0; d < 3; d++) normal[d] = start[d]!
  for (let step = 0; step <= steps; step++) {
    locate(tube, particles, step)
    if (step === 0) straighten()
    else carry()
    const end = endAt(tube, step)
    for (let d = 0; d < 3; d++) binormal[d] = cross(d)
    if (step === 0) {
      for (let d = 0; d < 3; d++) start[d] = normal[d]!
      for (let k = 0; k < dome; k++) writeRing(tube, k, k, -1, m, points)
      writePole(tube, pole, -1, m, points)
    }
    if (end === 0) writeRing(tube, step + dome, -1, 0, m, points)
    else writeTip(tube, step + dome, end, m, points)
    if (step < steps) continue
    for (let k = 0; k < dome; k++) writeRing(tube, rings - 1 - k, k, 1, m, points)
    writePole(tube, pole + 1, 1, m, points)
  }
}

/**
 * 1 for a ring in which the piece before a break ends, -1 for one in which the next begins: those between the particles of
 * a broken segment, which close both ends and leave nothing in between.
 */
function endAt({ perSegment, broken }: Tube, step: number): number {
  const between = step % perSegment
  if (!broken || between === 0 || broken[(step - between) / perSegment] !== 1) return 0
  return 2 * between < perSegment + 1 ? 1 : -1
}

/** Sets `center` and the tangents to where the curve is at a ring. Where it has no direction the one before stays. */
function locate(tube: Tube, x: Float64Array, step: number): void {
  const { particleCount, perSegment, broken } = tube
  const last = Math.min(particleCount - 2, Math.floor(step / perSegment))
  const end = endAt(tube, step)
  // A broken segment has no curve: its rings are at the ends of the pieces on either side.
  const isBroken = broken ? broken[last] === 1 : false
  const back = isBroken && end >= 0 && last > 0
  const ahead = isBroken && end < 0 && last + 2 < particleCount
  const segment = back ? last - 1 : ahead ? last + 1 : last
  // A particle without any segment has a place, and looks to the next piece.
  const t = back ? 1 : ahead ? 0 : isBroken ? (end < 0 ? 1 : 0) : step / perSegment - segment
  const t2 = t * t
  const t3 = t2 * t
  const p = segment * 3
  const isFirst = segment === 0 || broken?.[segment - 1] === 1
  const isLast = segment === particleCount - 2 || broken?.[segment + 1] === 1
  let square = 0
  for (let d = 0; d < 3; d++) {
    const p1 = x[p + d]!
    const p2 = x[p + 3 + d]!
    const p0 = isFirst ? 2 * p1 - p2 : x[p - 3 + d]!
    const p3 = isLast ? 2 * p2 - p1 : x[p + 6 + d]!
    const slope = p2 - p0
    const bend = 2 * p0 - 5 * p1 + 4 * p2 - p3
    const rest = 3 * (p1 - p2) + p3 - p0
    center[d] = p1 + 0.5 * (slope * t + bend * t2 + rest * t3)
    way[d] = 0.5 * (slope + 2 * bend * t + 3 * rest * t2)
    square += way[d]! * way[d]!
  }
  const scale = square > 0 ? 1 / Math.sqrt(square) : 0
  for (let d = 0; d < 3; d++) {
    before[d] = tangent[d]!
    if (scale > 0) tangent[d] = way[d]! * scale
  }
}

/** Makes `normal` a unit vector across the tangent, any one where it says nothing. */
function straighten(): void {
  const along = normal[0]! * tangent[0]! + normal[1]! * tangent[1]! + normal[2]! * tangent[2]!
  for (let d = 0; d < 3; d++) normal[d] = normal[d]! - along * tangent[d]!
  let square = normal[0]! * normal[0]! + normal[1]! * normal[1]! + normal[2]! * normal[2]!
  if (!(square > NO_NORMAL)) {
    // The axis that is most across.
    const [x, y, z] = [Math.abs(tangent[0]!), Math.abs(tangent[1]!), Math.abs(tangent[2]!)]
    const axis = y <= x && y <= z ? 1 : x <= z ? 0 : 2
    for (let d = 0; d < 3; d++) normal[d] = (d === axis ? 1 : 0) - tangent[axis]! * tangent[d]!
    square = 1 - tangent[axis]! * tangent[axis]!
  }
  const scale = 1 / Math.sqrt(square)
  for (let d = 0; d < 3; d++) normal[d] = normal[d]! * scale
}

/** Turns `normal` as little as takes the tangent before to the present one. */
function carry(): void {
  let along = 1
  let off = 0
  for (let d = 0; d < 3; d++) {
    along += before[d]! * tangent[d]!
    off += normal[d]! * tangent[d]!
  }
  // Half a turn leaves what is across it as it is.
  if (along > NO_NORMAL) {
    for (let d = 0; d < 3; d++) normal[d] = normal[d]! - (off / along) * (before[d]! + tangent[d]!)
  }
  straighten()
}

/** Coordinate d of tangent x normal. */
function cross(d: number): number {
  const e = (d + 1) % 3
  const f = (d + 2) % 3
  return tangent[e]! * normal[f]! - tangent[f]! * normal[e]!
}

/** Writes the points of a ring: one of the tube, or for `dome` 0 and up one of the end that `side` leads to. */
function writeRing(
  { radius, around }: Tube,
  ring: number,
  dome: number,
  side: number,
  m: ArrayLike<number>,
  points: Float64Array,
): void {
  const wide = dome < 0 ? radius : radius * domeWide[dome]!
  const far = dome < 0 ? 0 : side * radius * domeAlong[dome]!
  const first = (ring * around.length) / 2
  for (let k = 0; k < around.length; k += 2) {
    const c = wide * around[k]!
    const s = wide * around[k + 1]!
    for (let d = 0; d < 3; d++) {
      point[d] = center[d]! + far * tangent[d]! + c * normal[d]! + s * binormal[d]!
    }
    write(first + k / 2, m, points)
  }
}

/** Writes all points of a ring to one place, a radius beyond the end of a piece. */
function writeTip(tube: Tube, ring: number, side: number, m: ArrayLike<number>, points: Float64Array): void {
  const sides = tube.around.length / 2
  for (let k = 0; k < sides; k++) writePole(tube, ring * sides + k, side, m, points)
}

function writePole({ radius }: Tube, index: number, side: number, m: ArrayLike<number>, points: Float64Array): void {
  for (let d = 0; d < 3; d++) point[d] = center[d]! + side * radius * tangent[d]!
  write(index, m, points)
}

function write(index: number, m: ArrayLike<number>, points: Float64Array): void {
  for (let d = 0; d < 3; d++) {
    points[index * 3 + d] = m[d]! * point[0]! + m[4 + d]! * point[1]! + m[8 + d]! * point[2]! + m[12 + d]!
  }
}
