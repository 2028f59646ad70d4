// Contact at rest makes no noise: the corners of one cube lie at the rim of another's face, a little within it or beyond.
import { describe, expect, it } from 'vitest'
import { type Body, plane, type Quat, type Vec3, World } from '../../src/headless.js'
import { Random } from '../support/draw.js'
import { material } from '../support/elastic.js'
import { gapOf } from '../support/gap.js'
import { cube } from '../support/lattice.js'
import { expectHealthy, rmsSpeed, run } from '../support/laws.js'
import { long } from '../support/long.js'

/** Cubes on each other, each shifted by up to `off` of an edge along x and z, and turned by up to `turn` rad about y. */
function stack(random: Random, count: number, side: number, modulus: number, off: number, turn: number): World {
  const world = new World({ sleeping: false })
  world.addCollider(plane())
  for (let k = 0; k < count; k++) {
    const angle = random.uniform(-turn, turn)
    const rotation: Quat = [0, Math.sin(angle / 2), 0, Math.cos(angle / 2)]
    const shift = () => random.uniform(-off, off) * side
    const position: Vec3 = [shift(), 0.505 * side + 1.01 * k * side, shift()]
    const elastic = material(modulus, 0.45)
    world.addBody(cube(side, random.integer(2, 3)), { shapeDamping: 6, elastic, rotation, position })
  }
  return world
}

/** Largest RMS speed of a body from 10 s to 11 s [m/s]. */
function noiseOf(world: World): number {
  run(world, 10)
  let most = 0
  run(world, 1, () => {
    most = Math.max(most, ...world.bodies.map(rmsSpeed))
  })
  return most
}

/** How far two neighbours are nearer than both their thicknesses, at most [m]. */
function penetration({ bodies }: World): number {
  const missing = (one: Body, other: Body) => one.model.thickness + other.model.thickness - gapOf(one, other)
  return Math.max(...bodies.slice(1).flatMap((body, k) => [missing(body, bodies[k]!), missing(bodies[k]!, body)]))
}

describe('a stiff stack, after 10 s, sleeping off: RMS speed under 2 mm/s, penetration under 1% of thickness plus 1 mm', () => {
  const quiet = (world: World) => {
    expect(noiseOf(world)).toBeLessThan(2e-3)
    expect(penetration(world)).toBeLessThan(0.01 * 2 * world.bodies[0]!.model.thickness + 1e-3)
    expectHealthy(world)
  }

  it.each(long(1))('five cubes of half a metre, 2 MPa, corners within 5 mm of each other, seed %i', (seed) => {
    quiet(stack(new Random(seed), 5, 0.5, 2e6, 0.01, 0))
  })

  for (const seed of [3, ...long(1, 2)]) {
    it(`two to four of any size, off by up to 8% of an edge, turned, seed ${seed}`, () => {
      const random = new Random(seed)
      const count = random.integer(2, 4)
      quiet(stack(random, count, random.uniform(0.3, 0.8), random.scale(1e6, 3e6), 0.08, 0.3))
    })
  }
})
