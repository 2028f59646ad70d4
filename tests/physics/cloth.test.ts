import { describe, expect, it } from 'vitest'
import { clothModel, type Elastic, sphere, World } from '../../src/headless.js'
import { Random, seeds } from '../support/draw.js'
import { expectHealthy, positionsOf, rmsSpeed, run } from '../support/laws.js'

interface Strip {
  width: number
  height: number
  grid: readonly [number, number]
  elastic: Elastic
  load: number
  modulus: number
}

/**
 * Substeps at which chi^2 = h^2 modulus / (density l^2) is at most one, l the side of a cell. One iteration of XPBD
 * stretches a chain by chi^2 too much, for every substep starts from multipliers of zero; ten iterations at chi = 1
 * leave a thousandth of that.
 */
function enoughSubsteps({ height, grid, modulus }: Strip): number {
  return Math.ceil((Math.sqrt(modulus / 0.2) / 60) * (grid[1] / height))
}

/** How far a strip that hangs by its upper edge is drawn out by a load on its lower edge, without gravity [m]. */
function drawnOut(strip: Strip): number {
  const { width, height, elastic, load } = strip
  const [nx, ny] = strip.grid
  const world = new World({ gravity: [0, 0, 0], substeps: enoughSubsteps(strip), iterations: 10 })
  const { model } = clothModel({ width, height, segmentsX: nx, segmentsY: ny })
  const body = world.addBody(model, { elastic, damping: 20 })
  body.pin(Array.from({ length: nx + 1 }, (_, i) => i))
  const particles = Uint32Array.from({ length: nx + 1 }, (_, i) => (nx + 1) * ny + i)
  // The outer threads stand for half as wide a strip.
  const weights = Float64Array.from(particles, (_, i) => (i === 0 || i === nx ? 0.5 : 1) / nx)
  world.onBeforeStep(() => body.addForce([0, -load, 0], { particles, weights }))
  run(world, 3)
  expect(rmsSpeed(body)).toBeLessThan(1e-3)
  expectHealthy(world)
  const x = positionsOf(body)
  let lower = 0
  particles.forEach((i, k) => {
    lower += weights[k]! * x[i * 3 + 1]!
  })
  return height / 2 - lower - height
}

describe('a hanging strip', () => {
  for (const grid of [
    [2, 8],
    [4, 16],
    [8, 32],
  ] as const) {
    for (const seed of seeds(2)) {
      it(`stretches by load x length / (modulus x width) on a grid of ${grid.join(' x ')}, seed ${seed}`, () => {
        const random = new Random(seed)
        const width = random.uniform(0.2, 0.6)
        const height = random.uniform(0.8, 1.6)
        const modulus = random.scale(100, 1000)
        const load = random.uniform(0.02, 0.05) * modulus * width
        const elastic: Elastic = { stretch: { modulus }, shear: false, bend: false }
        const expected = (load * height) / (modulus * width)
        expect(Math.abs(drawnOut({ width, height, grid, elastic, load, modulus }) / expected - 1)).toBeLessThan(0.03)
      })
    }
  }

  it('stretches twice as far at twice the load, and at half the modulus', () => {
    const elastic: Elastic = { stretch: { modulus: 500 }, shear: false, bend: false }
    const strip: Strip = { width: 0.3, height: 1, grid: [3, 10], load: 3, modulus: 500, elastic }
    const once = drawnOut(strip)
    expect(drawnOut({ ...strip, load: 6 }) / once).toBeCloseTo(2, 2)
    expect(drawnOut({ ...strip, elastic: { ...strip.elastic, stretch: { modulus: 250 } } }) / once).toBeCloseTo(2, 2)
  })

  it('of all springs is the same cloth on every grid of square cells', () => {
    const elastic: Elastic = { stretch: { modulus: 400 }, shear: { modulus: 40 }, bend: { modulus: 0.4 } }
    // The diagonals of the shear springs are drawn out too: along, and less for what the strip gets narrower.
    const expected = 4 / (0.25 * (400 + 40 - 40 ** 2 / 440))
    const drawn = (
      [
        [2, 8],
        [4, 16],
        [8, 32],
      ] as const
    ).map((grid) => drawnOut({ width: 0.25, height: 1, grid, elastic, load: 4, modulus: 400 }))
    for (const one of drawn) expect(Math.abs(one / expected - 1)).toBeLessThan(0.03)
  })
})

describe('a cloth that falls on a ball', () => {
  for (const seed of seeds(2)) {
    it(`lies on it with no particle inside, seed ${seed}`, () => {
      const random = new Random(seed)
      const world = new World()
      const radius = random.uniform(0.3, 0.5)
      world.addCollider(sphere(radius))
      const { model } = clothModel({ width: 2, height: 2, segmentsX: 20, segmentsY: 20 })
      const turn = Math.SQRT1_2
      const body = world.addBody(model, {
        position: [random.uniform(-0.1, 0.1), radius + 0.3, random.uniform(-0.1, 0.1)],
        rotation: [-turn, 0, 0, turn],
        friction: 0.8,
        damping: 1,
      })
      run(world, 3, () => {
        const x = positionsOf(body)
        let least = Number.POSITIVE_INFINITY
        for (let p = 0; p < x.length; p += 3) least = Math.min(least, Math.hypot(x[p]!, x[p + 1]!, x[p + 2]!))
        // Contacts have the last word in a substep.
        expect(least).toBeGreaterThan(radius + model.thickness - 1e-9)
      })
      // It hangs over the ball: its middle lies on top, its rim far below.
      const bounds = body.bounds(new Float64Array(6))
      expect(bounds[4]!).toBeGreaterThan(radius)
      expect(bounds[1]!).toBeLessThan(0)
      expectHealthy(world)
    })
  }
})
