import type { Body, BodySettings, World } from '../../src/headless.js'
import { centerOf, lowest, positionsOf, run, velocityOf } from './laws.js'

/**
 * Height of the lowest point that colliders stop [m]: a particle, or a drawn point that stands out of the tetrahedra. The
 * tips of coarse bodies stand out by a third of a cell and more, and touch by as much sooner than any particle.
 */
function lowestPoint(body: Body): number {
  const x = positionsOf(body)
  const { particles, weights } = body.model.feelers
  let least = lowest(body)
  for (let f = 0; f < particles.length; f += 4) {
    let y = 0
    for (let k = f; k < f + 4; k++) y += weights[k]! * x[particles[k]! * 3 + 1]!
    least = Math.min(least, y)
  }
  return least
}

/** Drops a body so that it touches the ground, y = 0, after 1 m: how far its centre of mass rises from where it was then [m]. */
export function rebound(world: World, body: Body, rotation: BodySettings['rotation']): number {
  body.teleport([0, 10, 0], rotation)
  body.teleport([0, 11 - lowestPoint(body) + body.model.thickness, 0], rotation)
  const touch = centerOf(body)[1] - 1
  let hit = false
  let rising = false
  let rise = 0
  // The fall takes 0.45 s, the way up as long at most; what tips before it turns back may be late.
  run(world, 1.4, () => {
    const height = centerOf(body)[1] - touch
    hit ||= height < 0.01
    rising ||= hit && velocityOf(body)[1] > 0
    if (rising) rise = Math.max(rise, height)
  })
  return rise
}
