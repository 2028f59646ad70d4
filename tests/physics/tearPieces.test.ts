import { describe, expect, it } from 'vitest'
import { type Body, clothModel, type Region, SettingError, type Vec3, World } from '../../src/headless.js'
import { Random, seeds } from '../support/draw.js'
import { expectHealthy, run, velocitiesOf } from '../support/laws.js'

/** A sheet of 2 m, cut in two at a height; particle 0 is in the upper piece. */
function halves(world: World, at: number): { body: Body; upper: Region; lower: Region } {
  const body = world.addBody(clothModel({ width: 2, height: 2, segmentsX: 16, segmentsY: 16 }).model)
  body.cut({ point: [0, at, 0], normal: [0.02, 1, 0] })
  return { body, upper: body.pieceOf([0]), lower: body.pieceOf([17 * 17 - 1]) }
}

const massOf = (body: Body, { particles }: Region) =>
  particles.reduce((sum, i) => sum + body.mass * body.model.massShares[i]!, 0)

function meanOf(numbers: Float64Array, { particles, weights }: Region): number[] {
  return [0, 1, 2].map((d) => particles.reduce((sum, i, k) => sum + weights[k]! * numbers[3 * i + d]!, 0))
}

describe('a piece', () => {
  it('is what hangs together: all of a whole body, and of a torn one as much as its particles say', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const whole = world.addBody(clothModel({ width: 1, height: 1, segmentsX: 4, segmentsY: 4 }).model)
    expect(Array.from(whole.pieceOf([3]).particles)).toEqual(Array.from({ length: 25 }, (_, i) => i))
    expect(whole.pieceOf([3]).weights).toEqual(whole.model.massShares)
    expect(() => whole.pieceOf([25])).toThrow(SettingError)
    const { body, upper, lower } = halves(world, -0.5)
    expect(upper.particles.length + lower.particles.length).toBe(body.particleCount)
    expect(upper.particles.length).toBeGreaterThan(2 * lower.particles.length)
    expect(upper.weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 12)
    expect(massOf(body, upper) + massOf(body, lower)).toBeCloseTo(body.mass, 12)
    expect(body.pieceOf([0, 17 * 17 - 1]).particles.length).toBe(body.particleCount)
    const sand = world.addParticles([0, 0, 0, 1, 0, 0, 2, 0, 0])
    expect(Array.from(sand.pieceOf([2, 0]).particles)).toEqual([0, 2])
  })

  for (const seed of seeds(4)) {
    it(`takes an impulse alone, as a whole: dv = J / m, seed ${seed}`, () => {
      const random = new Random(seed)
      const world = new World({ gravity: [0, 0, 0] })
      const { body, upper, lower } = halves(world, random.uniform(-0.7, 0.7))
      const impulse = random.vector(3)
      body.applyImpulse(impulse, lower)
      const v = velocitiesOf(body)
      meanOf(v, lower).forEach((speed, d) => expect(speed).toBeCloseTo(impulse[d]! / massOf(body, lower), 10))
      for (const i of upper.particles) for (let d = 0; d < 3; d++) expect(v[3 * i + d]).toBe(0)
    })

    it(`that is held is led as a body of its own mass, while the other one falls, seed ${seed}`, () => {
      const random = new Random(seed)
      const world = new World({ sleeping: false })
      const { body, upper, lower } = halves(world, random.uniform(-0.4, 0.4))
      body.set({ shapeDamping: 5 })
      const mass = massOf(body, upper)
      // As a pointer takes it: 8 Hz, critically damped.
      const stiffness = mass * (16 * Math.PI) ** 2
      const damping = 2 * Math.sqrt(stiffness * mass)
      const grip = body.attach(body.region([0, 0.9, 0], 0.3), { compliance: 1 / stiffness, damping })
      const at = grip.point([0, 0, 0])
      let [below, force] = [0, 0]
      run(world, 3, (time) => {
        grip.setTarget(at[0], at[1] + 0.5 * Math.min(1, time), at[2])
        if (time < 2) return
        below += (at[1] + 0.5 - grip.point([0, 0, 0])[1]) / 60
        force += grip.force([0, 0, 0])[1] / 60
      })
      // It hangs m g / k below, with its own weight, however fast the other piece is by then: 29 m/s. Means of a second,
      // in which what is soft still sways; the sweep that follows draws the point on by less than a millimetre.
      expect(Math.abs(below - (mass * 9.81) / stiffness)).toBeLessThan(1e-3)
      expect(Math.abs(force / (mass * 9.81) - 1)).toBeLessThan(0.05)
      expect(meanOf(velocitiesOf(body), lower)[1]).toBeCloseTo(-9.81 * 3, 6)
      expectHealthy(world)
    })
  }

  for (const seed of seeds(4)) {
    it(`that hangs on what holds others too is held for itself, with its own weight, seed ${seed}`, () => {
      const random = new Random(seed)
      const world = new World({ sleeping: false })
      const { body, upper, lower } = halves(world, random.uniform(-0.1, 0.1))
      body.set({ shapeDamping: 5 })
      const compliance = seed % 2 === 0 ? 0 : 0.05
      const fast = seed > 2 // the upper one hangs fast, and does not come along
      if (fast) body.pin(Array.from({ length: 17 }, (_, i) => i))
      const region = body.region([0, 0, 0], 0.3)
      const grip = body.attach(region, { compliance, damping: compliance > 0 ? 1 : 0 })
      const at = grip.point([0, 0, 0])
      const atRest = meanOf(body.readPositions(new Float64Array(3 * body.particleCount)), region)
      const pieces = (fast ? [lower] : [upper, lower]).map(({ particles }) => {
        const places = region.particles.map((i, k) => (particles.includes(i) ? k : -1)).filter((k) => k !== 2 ** 32 - 1)
        const weight = places.reduce((sum, k) => sum + region.weights[k]!, 0)
        const held = {
          particles: places.map((k) => region.particles[k]!),
          weights: Float64Array.from(places, (k) => region.weights[k]! / weight),
        }
        const mass = massOf(body, { particles, weights: new Float64Array(particles.length) })
        return { held, mass }
      })
      const offOf = (x: Float64Array, { held }: { held: Region }, from: readonly number[]) =>
        Math.hypot(...meanOf(x, held).map((one, d) => one - from[d]!))
      const first = body.readPositions(new Float64Array(3 * body.particleCount))
      const away = pieces.map((piece) => offOf(first, piece, atRest))
      let force = 0
      run(world, 4, (time) => {
        const [x, y] = [at[0] + 0.2 * Math.min(1, time), at[1] - 0.2 * Math.min(1, time)]
        grip.setTarget(x, y, at[2])
        if (time < 3) return
        force += grip.force([0, 0, 0])[1] / 60
        const now = body.readPositions(new Float64Array(3 * body.particleCount))
        pieces.forEach((piece, k) => {
          const sag = compliance * piece.mass * 9.81
          expect(offOf(now, piece, [x, y, at[2]])).toBeLessThan(away[k]! + 1.5 * sag + 0.01)
        })
      })
      const weight = pieces.reduce((sum, { mass }) => sum + mass * 9.81, 0)
      const borne = fast ? [] : [force / weight] // pins bear the rest
      for (const share of borne) expect(Math.abs(share - 1)).toBeLessThan(0.1) // they still swing
      expectHealthy(world)
    })
  }

  it('is met by a ray where it is now, and the gap by none', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const { body, lower } = halves(world, 0)
    body.applyImpulse([0, -massOf(body, lower), 0], lower)
    run(world, 1)
    const met = (y: number) => world.raycast([0.1, y, 5], [0, 0, -1])
    expect(met(0.5)?.body).toBe(body)
    expect(met(-0.5)).toBeNull()
    expect(met(-1.5)?.body).toBe(body)
    expect(met(-1.5)!.point[2]).toBeCloseTo(0, 1)
    expect(met(-2.2)).toBeNull()
  })

  it('is held on where it tears further and is mended', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const { body } = halves(world, 0)
    const target: Vec3 = [0, -0.9, 0.5]
    const grip = body.attach(body.region([0, -0.9, 0], 0.15), { compliance: 1e-3, damping: 10, target })
    run(world, 0.5)
    body.cut({ point: [0.03, 0, 0], normal: [1, 0, 0] })
    run(world, 0.5)
    body.reset()
    run(world, 2)
    expect(body.model.torn).toBeUndefined()
    grip.point([0, 0, 0]).forEach((x, d) => expect(x).toBeCloseTo(target[d]!, 1))
    expectHealthy(world)
  })
})
