import type { Body, BodySettings, World } from '../../src/headless.js'
import { centerOf, run, velocityOf } from './laws.js'

/** Drops a body so that it touches the ground, y = 0, after 1 m: how far its centre of mass rises from where it was then [m]. */
export function rebound(world: World, body: Body, rotation: BodySettings['rotation']): number {
  body.teleport([0, 10, 0], rotation)
  body.teleport([0, 11 - body.bounds()[1]! + body.model.thickness, 0], rotation)
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
