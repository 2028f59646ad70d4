import { expect, it } from 'vitest'
import { clothModel, type Model, ragdollModel, room, ropeModel, World } from '../../src/headless.js'
import { Random, seeds } from '../support/draw.js'
import { ball, cube } from '../support/lattice.js'
import { expectHealthy, run } from '../support/laws.js'

const kinds: Record<string, () => Model> = {
  'a ball': () => ball(0.2, 4),
  'a cube': () => cube(0.3, 3),
  'a cloth': () => clothModel({ width: 0.6, height: 0.6, segmentsX: 8, segmentsY: 8 }).model,
  'a rope': () =>
    ropeModel({
      points: [
        [-0.4, 0, 0],
        [0.4, 0, 0],
      ],
      segments: 12,
    }).model,
  'a ragdoll': () => ragdollModel({ height: 0.8 }).model,
}

it.each(Object.keys(kinds).flatMap((kind) => seeds(2).map((seed) => [kind, seed] as const)))(
  'a room keeps %s that is thrown about in it at 20 m/s, seed %i',
  (kind, seed) => {
    const random = new Random(seed)
    const world = new World()
    const half = [random.uniform(0.8, 1.6), random.uniform(0.8, 1.6), random.uniform(0.8, 1.6)] as const
    world.addCollider(room(half))
    const body = world.addBody(kinds[kind]!(), { rotation: random.rotation(), restitution: random.uniform() })
    body.setVelocity(random.vector(20), random.vector(20))
    const box = new Float64Array(6)
    run(world, 4, () => {
      body.bounds(box)
      for (let d = 0; d < 3; d++) {
        expect(box[3 + d]!).toBeLessThan(half[d]! + 1e-3)
        expect(-box[d]!).toBeLessThan(half[d]! + 1e-3)
      }
    })
    expectHealthy(world)
  },
)
