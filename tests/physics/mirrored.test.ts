import { describe, expect, it } from 'vitest'
import { type Body, type Elastic, World } from '../../src/headless.js'
import { Random, seeds } from '../support/draw.js'
import { ball, cube } from '../support/lattice.js'
import { expectHealthy, positionsOf, run } from '../support/laws.js'
import { determinant } from '../support/rotations.js'

/** Every other model is switched off: what is left is springs along edges, or the shape. */
const of = (elastic: Elastic): Elastic => ({ neoHookean: false, ...elastic })

/** det of the linear map that is nearest to what became of the rest shape, over what it is at rest: -1 for a mirror image. */
function handedness(body: Body): number {
  const { positions: rest, massShares } = body.model
  const x = positionsOf(body)
  const center = (p: Float64Array) =>
    [0, 1, 2].map((d) => massShares.reduce((sum, share, i) => sum + share * p[3 * i + d]!, 0))
  const [c, c0] = [center(x), center(rest)]
  const moment = (p: Float64Array, from: number[]) =>
    Array.from({ length: 9 }, (_, k) => {
      const [row, column] = [Math.floor(k / 3), k % 3]
      return massShares.reduce(
        (sum, share, i) => sum + share * (p[3 * i + row]! - from[row]!) * (rest[3 * i + column]! - c0[column]!),
        0,
      )
    })
  return determinant(moment(x, c)) / determinant(moment(rest, c0))
}

/** A body that starts as its mirror image in a plane through its centre, a little crumpled. */
function mirrored(seed: number, world: World, elastic: Elastic): Body {
  const random = new Random(seed)
  const model = seed % 2 === 0 ? ball(0.4, 5) : cube(0.8, 3)
  const rotation = random.rotation()
  const body = world.addBody(model, { elastic: of(elastic), rescue: false, shapeDamping: 2, rotation })
  const snapshot = world.snapshot()
  const x = snapshot.bodies[0]!.vectors[0]!
  const c = body.centerOfMass([0, 0, 0])
  const normal = random.direction()
  for (let p = 0; p < x.length; p += 3) {
    const depth = normal.reduce((sum, n, d) => sum + n * (x[p + d]! - c[d]!), 0)
    for (let d = 0; d < 3; d++) x[p + d] = x[p + d]! - 2 * depth * normal[d]! + random.uniform(-0.02, 0.02)
  }
  world.restore(snapshot)
  return body
}

describe('a body that starts as its mirror image', () => {
  for (const seed of seeds(4)) {
    it.each([
      ['springs', { edges: { compliance: 10 ** -(seed + 1) } }],
      ['springs that relax', { edges: { relaxation: 20 } }],
    ])(`stays one with %s: det < 0 for five seconds, seed ${seed}`, (_, elastic) => {
      const world = new World({ gravity: [0, 0, 0], sleeping: false })
      const body = mirrored(seed, world, elastic)
      run(world, 5, () => expect(handedness(body)).toBeLessThan(-0.8))
      // As large as at rest: lengths are all that springs know.
      expect(handedness(body)).toBeCloseTo(-1, 1)
      expectHealthy(world)
    })

    it(`comes back with shape matching, seed ${seed}`, () => {
      const world = new World({ gravity: [0, 0, 0], sleeping: false })
      const body = mirrored(seed, world, { shape: { rate: 15 * seed } })
      expect(handedness(body)).toBeLessThan(-0.9)
      run(world, 5)
      expect(handedness(body)).toBeCloseTo(1, 2)
      expectHealthy(world)
    })
  }
})
