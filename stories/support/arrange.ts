import type { Body, Snapshot, World } from '../../src/index.js'

/** Where a body's particles are put: coordinates [m], three each, from those they have. */
export type Arrangement = (from: Float64Array) => Float64Array

/** The state of a world with one of its bodies put elsewhere, at rest. */
function rearranged(world: World, body: Body, arrangement: Arrangement): Snapshot {
  const snapshot = world.snapshot()
  const [positions, starts, velocities] = snapshot.bodies[world.bodies.indexOf(body)]!.vectors
  positions!.set(arrangement(positions!.slice()))
  starts!.set(positions!)
  velocities!.fill(0)
  return snapshot
}

/** Puts the particles of a body elsewhere, at rest, whatever becomes of its shape. */
export function arrange(world: World, body: Body, arrangement: Arrangement): void {
  world.restore(rearranged(world, body, arrangement))
}
