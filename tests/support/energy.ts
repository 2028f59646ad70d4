import { type Body, World } from '../../src/headless.js'
import { positionsOf, velocitiesOf } from './laws.js'

/** Kinetic energy, height in gravity above y = 0 and the energy of all scalar constraints C^2 / (2 alpha) [J]. */
export function energyOf(world: World, body: Body): number {
  const { model, mass, settings } = body
  const x = positionsOf(body)
  const v = velocitiesOf(body)
  let energy = 0
  for (let p = 0; p < x.length; p++) {
    const m = mass * model.massShares[Math.floor(p / 3)]!
    energy += m * (0.5 * v[p]! * v[p]! - settings.gravityScale * world.settings.gravity[p % 3]! * x[p]!)
  }
  for (const set of model.sets) {
    const setting = settings.elastic[set.name] ?? model.elastic[set.name]
    if (!setting) continue
    if (set.kind.contract !== 'scalar') throw new Error(`${set.name}: its energy is not that of a scalar row`)
    for (let row = 0; row < set.count; row++) {
      // alphaTilde at a substep of one second is the compliance.
      const compliance = set.kind.alphaTilde(setting, set.unitCompliance[row]!, mass, 1)
      const C = set.kind.evaluate(x, set.indices, set.offsets[row]!, set.rest, row * set.kind.restSize)
      energy += (0.5 * C * C) / compliance
    }
  }
  return energy
}
