import { describe, expect, it } from 'vitest'
import { type PresetName, plane, presets, type Quat, World } from '../../src/headless.js'
import { Random } from '../support/draw.js'
import { rebound } from '../support/drop.js'
import { ball, cube } from '../support/lattice.js'
import { expectHealthy } from '../support/laws.js'

const shares = [0, 0.5, 0.9]
const near = 0.08

/** A turn of up to `most` degrees about a level axis. */
function tilt(random: Random, most: number): Quat {
  const half = (random.uniform(0, most) * Math.PI) / 360
  const [x, , z] = random.direction()
  const length = Math.hypot(x, z)
  return [(Math.sin(half) * x) / length, 0, (Math.sin(half) * z) / length, Math.cos(half)]
}

const falls: Record<string, { model: () => ReturnType<typeof ball>; turn: (random: Random) => Quat; spins: boolean }> =
  {
    'a ball as it comes': { model: () => ball(0.3, 4), turn: () => [0, 0, 0, 1], spins: false },
    'a ball, turned': { model: () => ball(0.3, 4), turn: (random) => random.rotation(), spins: false },
    'a finer ball, turned': { model: () => ball(0.3, 6), turn: (random) => random.rotation(), spins: false },
    'a cube, tilted by up to 10 degrees': {
      model: () => cube(0.5, 3),
      turn: (random) => tilt(random, 10),
      spins: false,
    },
    'a cube, turned': { model: () => cube(0.5, 3), turn: (random) => random.rotation(), spins: true },
  }

describe.each(Object.keys(presets) as PresetName[])('what falls 1 m, of %s', (name) => {
  for (const [seed, [what, { model, turn, spins }]] of Object.entries(falls).entries()) {
    it(`rises by e^2${spins ? ', spin taken as height' : ''}: ${what}, seed ${seed}`, () => {
      const built = model()
      for (const restitution of shares) {
        const world = new World({ sleeping: false })
        world.addCollider(plane())
        const body = world.addBody(built, { ...presets[name], restitution })
        const { rise, spin } = rebound(world, body, turn(new Random(seed)))
        const expected = restitution * restitution
        // A rigid cube on a corner would turn the most of it into spin; a soft one goes up as far as its energy takes it.
        expect(rise).toBeLessThan(expected + near)
        expect(rise + (spins ? spin : 0)).toBeGreaterThan(expected - near)
        expectHealthy(world)
      }
    })
  }
})
