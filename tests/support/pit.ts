import { plane, World } from '../../src/headless.js'

/** A world with four walls, along x and z from `low` to `high` [m]. */
export function pit(low = -0.33, high = 0.77): World {
  const world = new World()
  const r = Math.SQRT1_2
  world.addCollider(plane(), { position: [low, 0, 0], rotation: [0, 0, -r, r] })
  world.addCollider(plane(), { position: [high, 0, 0], rotation: [0, 0, r, r] })
  world.addCollider(plane(), { position: [0, 0, low], rotation: [r, 0, 0, r] })
  world.addCollider(plane(), { position: [0, 0, high], rotation: [-r, 0, 0, r] })
  return world
}
