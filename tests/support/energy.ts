import type { Body, World } from '../../src/headless.js'
import { positionsOf, velocitiesOf } from './laws.js'

/** Kinetic energy of all particles and their height in gravity, from the origin [J]. */
export function mechanicalEnergy(world: World, body: Body): number {
  const { model, mass, settings } = body
  const x = positionsOf(body)
  const v = velocitiesOf(body)
  let energy = 0
  for (let p = 0; p < x.length; p++) {
    const m = mass * model.massShares[Math.floor(p / 3)]!
    energy += m * (0.5 * v[p]! * v[p]! - settings.gravityScale * world.settings.gravity[p % 3]! * x[p]!)
  }
  return energy
}

/** Of all particles [J]. */
export function kineticEnergy(bodies: readonly Body[]): number {
  let energy = 0
  for (const body of bodies) {
    const v = velocitiesOf(body)
    for (let p = 0; p < v.length; p++) {
      energy += 0.5 * body.mass * body.model.massShares[Math.floor(p / 3)]! * v[p]! * v[p]!
    }
  }
  return energy
}
