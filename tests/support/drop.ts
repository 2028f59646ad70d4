import type { Body, BodySettings, World } from '../../src/headless.js'
import { centerOf, lowest, positionsOf, run, velocitiesOf, velocityOf } from './laws.js'

/** How a body bounces. */
export interface Rebound {
  /** How far its centre of mass rises from where it was when it touched [m]. */
  rise: number
  /** Energy of its rotation, as a rigid body of that angular momentum, at the top: the height that it would lift to [m]. */
  spin: number
}

/** Drops a body so that it touches the ground, y = 0, after 1 m. */
export function rebound(world: World, body: Body, rotation: BodySettings['rotation']): Rebound {
  body.teleport([0, 10, 0], rotation)
  body.teleport([0, 11 - lowest(body) + body.model.thickness, 0], rotation)
  const touch = centerOf(body)[1] - 1
  let hit = false
  let rising = false
  const found = { rise: 0, spin: 0 }
  // The fall takes 0.45 s, the way up as long at most.
  run(world, 1.2, () => {
    const height = centerOf(body)[1] - touch
    hit ||= height < 0.01
    rising ||= hit && velocityOf(body)[1] > 0
    if (!rising || height < found.rise) return
    found.rise = height
    found.spin = spinEnergy(body) / (9.81 * body.mass)
  })
  return found
}

/** L I^-1 L / 2 [J]. */
function spinEnergy(body: Body): number {
  const [x, v, c, u] = [positionsOf(body), velocitiesOf(body), centerOf(body), velocityOf(body)]
  const L = [0, 0, 0]
  const I = [
    [0, 0, 0],
    [0, 0, 0],
    [0, 0, 0],
  ]
  for (let i = 0; i < body.particleCount; i++) {
    const m = body.mass * body.model.massShares[i]!
    const r = [0, 1, 2].map((d) => x[3 * i + d]! - c[d]!)
    const w = [0, 1, 2].map((d) => v[3 * i + d]! - u[d]!)
    for (let a = 0; a < 3; a++) {
      const [b, e] = [(a + 1) % 3, (a + 2) % 3]
      L[a]! += m * (r[b]! * w[e]! - r[e]! * w[b]!)
      for (let d = 0; d < 3; d++)
        I[a]![d]! += m * ((a === d ? r[0]! ** 2 + r[1]! ** 2 + r[2]! ** 2 : 0) - r[a]! * r[d]!)
    }
  }
  const det = (m: number[][]) =>
    [0, 1, 2].reduce((sum, k) => {
      const [b, e] = [(k + 1) % 3, (k + 2) % 3]
      return sum + m[0]![k]! * (m[1]![b]! * m[2]![e]! - m[1]![e]! * m[2]![b]!)
    }, 0)
  // By Cramer's rule.
  const omega = [0, 1, 2].map((k) => det(I.map((row, a) => row.map((entry, d) => (d === k ? L[a]! : entry)))) / det(I))
  return omega.reduce((sum, w, d) => sum + (w * L[d]!) / 2, 0)
}
