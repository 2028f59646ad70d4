// Two bodies put into each other at random: they come apart, at a walk, and keep their momentum.
import {
  type Body,
  clothModel,
  type Model,
  type Quat,
  ropeModel,
  softBodyModel,
  type TriangleMesh,
  tetMeshModel,
  type Vec3,
  World,
} from '../../src/headless.js'
import { crossings } from '../support/crossings.js'
import { Random } from '../support/draw.js'
import { material } from '../support/elastic.js'
import { inside } from '../support/inside.js'
import { ball, boxLattice } from '../support/lattice.js'
import { bodyMotion, largestSpeed, positionsOf } from '../support/laws.js'
import { ring } from '../support/rings.js'

export const overlapKinds = ['box', 'bar', 'ball', 'ring', 'plate', 'cloth', 'rope', 'bunny'] as const
export type OverlapKind = (typeof overlapKinds)[number]

/** What two bodies that were put into each other have come to. */
export interface OverlapReport {
  name: string
  /** Edges of one through triangles of the other at first, and at the end. */
  before: number
  crossed: number
  /** Particles of one within the other at the end. */
  within: number
  /** Speed of the fastest particle at any step [m/s]. */
  fastest: number
  /** When nothing crossed any more for the first time [s], looked for each tenth of a second. */
  apart: number
  speedClamps: number
  contactClamps: number
  /** Momentum, and angular momentum about the origin, that has come about, over the sizes of all that moves, or would at 1 cm/s. */
  momentum: number
  angular: number
}

const box = (size: Vec3, cells: Vec3): Model => tetMeshModel(boxLattice(size, cells)).model

export function modelOf(kind: OverlapKind, random: Random, bunny?: TriangleMesh): Model {
  const n = random.integer(1, 4)
  const pieces = random.integer(2, 8)
  const tetCount = random.integer(150, 500)
  if (kind === 'box') return box([0.5, 0.4, 0.45], [n, n, n])
  if (kind === 'bar') return box([1, 0.2, 0.16], [pieces, n > 2 ? 2 : 1, 1])
  if (kind === 'plate') return box([0.8, 0.08, 0.7], [pieces, 1, pieces])
  if (kind === 'ball') return ball(0.25, n + 1)
  if (kind === 'ring') return softBodyModel(ring(0.3, 0.1), { tetCount }).model
  if (kind === 'bunny') return softBodyModel(bunny!, { tetCount }).model
  if (kind === 'cloth') return clothModel({ width: 1, height: 1, segmentsX: 6 + n, segmentsY: 8 + n }).model
  return ropeModel({ length: 1, radius: 0.02, segments: 4 * (n + 1) }).model
}

export const isSolid = ({ model }: Body): boolean => model.tets.length > 0

/** Edges of one through triangles of the other. */
export const between = (one: Body, other: Body): number => crossings(one, other) + crossings(other, one)

/** Particles of a body within a solid. */
export function within(body: Body, solid: Body): number {
  if (!isSolid(solid)) return 0
  const x = positionsOf(body)
  const y = positionsOf(solid)
  let count = 0
  for (let p = 0; p < x.length; p += 3) if (inside(y, solid.model.triangles, [x[p]!, x[p + 1]!, x[p + 2]!])) count++
  return count
}

/** Two bodies of the seed, in each other. @param kinds of these, in place of any two */
export function putTogether(
  seed: number,
  bunny: TriangleMesh,
  kinds?: readonly [OverlapKind, OverlapKind],
): { world: World; one: Body; other: Body; name: string } {
  const random = new Random(seed)
  while (true) {
    const any = () => overlapKinds[random.integer(0, overlapKinds.length - 1)]!
    const [first, second] = kinds ?? [any(), any()]
    const world = new World({ gravity: [0, 0, 0], sleeping: false })
    const add = (kind: OverlapKind, rotation: Quat, position: Vec3) => {
      const thin = kind === 'cloth' || kind === 'rope'
      return world.addBody(modelOf(kind, random, bunny), {
        rotation,
        position,
        friction: random.uniform(0, 1),
        ...(thin ? {} : { elastic: material(random.scale(5e4, 4e5), 0.4), density: random.scale(100, 1000) }),
      })
    }
    const one = add(first, [0, 0, 0, 1], [0, 0, 0])
    const other = add(second, random.rotation(), random.vector(0.3))
    if (between(one, other) + within(one, other) + within(other, one) > 0) {
      return { world, one, other, name: `${first} and ${second}` }
    }
  }
}

/** Lets go of two bodies in each other, and watches them for `seconds`. */
export function playOverlap(
  seed: number,
  bunny: TriangleMesh,
  kinds?: readonly [OverlapKind, OverlapKind],
  seconds = 3,
): OverlapReport {
  const { world, one, other, name } = putTogether(seed, bunny, kinds)
  const before = between(one, other)
  let fastest = 0
  let apart = Number.POSITIVE_INFINITY
  for (let k = 1; k <= Math.round(seconds * 60); k++) {
    world.step()
    fastest = Math.max(fastest, largestSpeed(one), largestSpeed(other))
    if (k % 6 === 0 && apart === Number.POSITIVE_INFINITY && between(one, other) === 0) apart = k / 60
  }
  const motions = [one, other].map((body) => bodyMotion(body))
  // What hardly moves is compared with a motion of a centimetre a second.
  const size = motions.reduce((sum, motion) => sum + Math.max(motion.momentumSize, 0.01 * motion.mass), 0)
  const momentum = [0, 1, 2].map((d) => motions.reduce((sum, motion) => sum + motion.momentum[d]!, 0))
  // About the origin: L of each about its own centre, and that of its centre.
  const angular = [0, 0, 0]
  for (const { angularMomentum: own, center: c, momentum: p } of motions) {
    const around = [c[1]! * p[2]! - c[2]! * p[1]!, c[2]! * p[0]! - c[0]! * p[2]!, c[0]! * p[1]! - c[1]! * p[0]!]
    for (let d = 0; d < 3; d++) angular[d]! += own[d]! + around[d]!
  }
  const { speedClamps, contactClamps } = world.stats
  return {
    name,
    before,
    crossed: between(one, other),
    within: within(one, other) + within(other, one),
    fastest,
    apart,
    speedClamps,
    contactClamps,
    momentum: Math.hypot(...momentum) / size,
    angular: Math.hypot(...angular) / size,
  }
}
