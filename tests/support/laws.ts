import { expect } from 'vitest'
import {
  type Body,
  distance,
  isHealthy,
  type Model,
  ModelBuilder,
  type MutableVec3,
  type Vec3,
  type World,
} from '../../src/headless.js'

/** No guard has fired: a law holds by the method alone. */
export function expectHealthy(world: World): void {
  const { speedClamps, nonFiniteRescues } = world.stats
  expect({ healthy: isHealthy(world.stats), speedClamps, nonFiniteRescues }).toEqual({
    healthy: true,
    speedClamps: 0,
    nonFiniteRescues: 0,
  })
}

/** Steps through `seconds`, and calls `each` after every step. */
export function run(world: World, seconds: number, each?: (time: number) => void): void {
  const steps = Math.round(seconds / world.settings.timeStep)
  for (let k = 1; k <= steps; k++) {
    world.step()
    each?.(k * world.settings.timeStep)
  }
}

/** Length of a substep [s]. */
export const substepOf = (world: World): number => world.settings.timeStep / world.settings.substeps

/** A body that is one particle. */
export function particle(): Model {
  return new ModelBuilder(new Float64Array(3)).build()
}

/** Two particles with a spring between them: the first at the origin, the second `length` m below it. */
export function springPair(length: number): Model {
  return new ModelBuilder(Float64Array.of(0, 0, 0, 0, -length, 0))
    .with({ elastic: { spring: { compliance: 0 } } })
    .constrain('spring', distance, Uint32Array.of(0, 1))
    .build()
}

export const positionsOf = (body: Body): Float64Array => body.readPositions(new Float64Array(3 * body.particleCount))
export const velocitiesOf = (body: Body): Float64Array => body.readVelocities(new Float64Array(3 * body.particleCount))
export const centerOf = (body: Body): MutableVec3 => body.centerOfMass([0, 0, 0])
export const velocityOf = (body: Body): MutableVec3 => body.velocity([0, 0, 0])

/** Root of the mean square speed of the particles, by mass [m/s]. */
export function rmsSpeed(body: Body): number {
  const v = velocitiesOf(body)
  let sum = 0
  for (let p = 0; p < v.length; p++) sum += body.model.massShares[Math.floor(p / 3)]! * v[p]! * v[p]!
  return Math.sqrt(sum)
}

/** Speed of the fastest particle [m/s]. */
export function largestSpeed(body: Body): number {
  const v = velocitiesOf(body)
  let largest = 0
  for (let p = 0; p < v.length; p += 3) largest = Math.max(largest, Math.hypot(v[p]!, v[p + 1]!, v[p + 2]!))
  return largest
}

/** How far a centre of mass is from where it was in `from`, by body, at most [m]. */
export function driftFrom({ bodies }: World, from: readonly Vec3[]): number {
  return Math.max(...bodies.map((body, b) => Math.hypot(...centerOf(body).map((at, d) => at - from[b]![d]!))))
}

/** Height of the lowest particle [m]. */
export function lowest(body: Body): number {
  return body.bounds(new Float64Array(6))[1]!
}

export interface Motion {
  mass: number
  center: number[]
  /** [kg m/s] */
  momentum: number[]
  /** About the centre of mass [kg m^2/s]. */
  angularMomentum: number[]
  /** Sums of the sizes of what is added, to compare rounding with. */
  momentumSize: number
  angularSize: number
}

/** Momentum of particles with masses m [n], positions x and velocities (or moves) v [3 n], about `about` or the centre. */
export function motionOf(m: ArrayLike<number>, x: Float64Array, v: Float64Array, about?: readonly number[]): Motion {
  let mass = 0
  const center = [0, 0, 0]
  for (let i = 0; i < m.length; i++) {
    mass += m[i]!
    for (let d = 0; d < 3; d++) center[d]! += m[i]! * x[i * 3 + d]!
  }
  const c = about ?? center.map((sum) => sum / mass)
  const motion: Motion = {
    mass,
    center: center.map((sum) => sum / mass),
    momentum: [0, 0, 0],
    angularMomentum: [0, 0, 0],
    momentumSize: 0,
    angularSize: 0,
  }
  for (let i = 0; i < m.length; i++) {
    const [rx, ry, rz] = [x[i * 3]! - c[0]!, x[i * 3 + 1]! - c[1]!, x[i * 3 + 2]! - c[2]!]
    const [vx, vy, vz] = [m[i]! * v[i * 3]!, m[i]! * v[i * 3 + 1]!, m[i]! * v[i * 3 + 2]!]
    const spin = [ry * vz - rz * vy, rz * vx - rx * vz, rx * vy - ry * vx]
    for (let d = 0; d < 3; d++) {
      motion.momentum[d]! += [vx, vy, vz][d]!
      motion.angularMomentum[d]! += spin[d]!
    }
    motion.momentumSize += Math.hypot(vx, vy, vz)
    motion.angularSize += Math.hypot(rx, ry, rz) * Math.hypot(vx, vy, vz)
  }
  return motion
}

/** Momentum of a body's particles. */
export function bodyMotion(body: Body): Motion {
  return motionOf(
    body.model.massShares.map((share) => share * body.mass),
    positionsOf(body),
    velocitiesOf(body),
  )
}
