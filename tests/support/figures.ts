import { figureJoints } from '../../src/core/bodies/figure.js'
import { type Body, type Limb, limbNames, type RagdollModel } from '../../src/headless.js'
import { positionsOf } from './laws.js'
import { maximiser } from './rotations.js'

/** How a limb lies: its centre of mass now and at rest [m], and the rotation between. */
interface Pose {
  readonly center: readonly number[]
  readonly rest: readonly number[]
  readonly rotation: readonly number[]
}

/** Where each limb is, as the rigid placement of its rest shape that is nearest to it. */
export function posesIn(doll: RagdollModel, body: Body): Record<Limb, Pose> {
  const x = positionsOf(body)
  const { positions: rest, massShares } = body.model
  return Object.fromEntries(
    limbNames.map((name) => {
      const members = doll.particles[name]
      const mass = members.reduce((sum, i) => sum + massShares[i]!, 0)
      const mean = (p: Float64Array) =>
        [0, 1, 2].map((d) => members.reduce((sum, i) => sum + (massShares[i]! / mass) * p[i * 3 + d]!, 0))
      const [center, restCenter] = [mean(x), mean(rest)]
      const A = Array.from({ length: 9 }, (_, k) => {
        const [row, column] = [Math.floor(k / 3), k % 3]
        const product = (i: number) => (x[i * 3 + row]! - center[row]!) * (rest[i * 3 + column]! - restCenter[column]!)
        return members.reduce((sum, i) => sum + (massShares[i]! / mass) * product(i), 0)
      })
      return [name, { center, rest: restCenter, rotation: maximiser(A).rotation! }]
    }),
  ) as unknown as Record<Limb, Pose>
}

const turned = (rotation: readonly number[], v: readonly number[]) =>
  [0, 3, 6].map((row) => rotation[row]! * v[0]! + rotation[row + 1]! * v[1]! + rotation[row + 2]! * v[2]!)

function degreesBetween(u: readonly number[], v: readonly number[]): number {
  const dot = u.reduce((sum, value, d) => sum + value * v[d]!, 0) / (Math.hypot(...u) * Math.hypot(...v))
  return (Math.acos(Math.max(-1, Math.min(1, dot))) * 180) / Math.PI
}

/** By how much limits are passed and hinges askew [degrees], and joints apart [m], at most. */
export interface Faults {
  beyond: number
  askew: number
  apart: number
}

/** What is wrong with a figure of that height [m] now. */
export function faultsOf(doll: RagdollModel, body: Body, height: number): Faults {
  const poses = posesIn(doll, body)
  const worst = { beyond: 0, askew: 0, apart: 0 }
  for (const { parent, child, at, axis, limits } of figureJoints) {
    const [one, other] = [poses[parent], poses[child]]
    const place = ({ center, rest, rotation }: Pose) =>
      turned(
        rotation,
        at.map((value, d) => value * height - rest[d]!),
      ).map((value, d) => value + center[d]!)
    const [p, q] = [place(one), place(other)]
    worst.apart = Math.max(worst.apart, Math.hypot(...p.map((value, d) => value - q[d]!)))
    for (const limit of limits) {
      const angle = degreesBetween(turned(one.rotation, limit.parent), turned(other.rotation, limit.child))
      worst.beyond = Math.max(worst.beyond, angle - limit.most)
    }
    if (axis)
      worst.askew = Math.max(worst.askew, degreesBetween(turned(one.rotation, axis), turned(other.rotation, axis)))
  }
  return worst
}
