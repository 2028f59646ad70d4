import { BoxGeometry } from 'three'
import { describe, expect, it } from 'vitest'
import { type Body, plane, presets, SettingError, softBodyModel, type Vec3, World } from '../../src/headless.js'
import { Random, seeds } from '../support/draw.js'
import { material } from '../support/elastic.js'
import { cube } from '../support/lattice.js'
import { expectHealthy, largestSpeed, positionsOf, run, velocitiesOf } from '../support/laws.js'
import { long } from '../support/long.js'
import { fromGeometry } from '../support/meshes.js'
import { sized } from '../support/sized.js'

const { log, exp } = Math
const model = cube(1, 4)
const elastic = material(5e4, 0.4)
const all = Array.from({ length: model.particleCount }, (_, i) => i)
const none: Vec3 = [0, 0, 0]

/** True strain of a bar of one volume by which principal stretches are off a ball. */
function strainOf(stretches: readonly number[]): number {
  const mean = stretches.reduce((sum, value) => sum + log(value), 0) / 3
  return Math.sqrt((2 / 3) * stretches.reduce((sum, value) => sum + (log(value) - mean) ** 2, 0))
}

/** Holds the whole body in its rest shape times `stretches` through `seconds`. */
function hold(world: World, body: Body, stretches: readonly number[], seconds: number): void {
  body.pin(all)
  for (const i of all) {
    const at = [0, 1, 2].map((d) => model.positions[i * 3 + d]! * stretches[d]!)
    body.movePin(i, at as [number, number, number])
  }
  run(world, seconds)
}

/** Mean stretches of the rest shape along the axes. */
function stretchesOf(body: Body): number[] {
  const x = positionsOf(body)
  return [0, 1, 2].map((d) => {
    let both = 0
    let squared = 0
    for (let p = d; p < x.length; p += 3) {
      both += x[p]! * model.positions[p]!
      squared += model.positions[p]! * model.positions[p]!
    }
    return both / squared
  })
}

/** Lets go, and waits for rest. Nothing flows any more: on its way back a body rings, and may yield to that. */
function release(world: World, body: Body): number[] {
  body.set({ plasticity: false })
  body.unpin()
  run(world, 4)
  expect(Math.max(...velocitiesOf(body).map(Math.abs))).toBeLessThan(1e-3)
  expectHealthy(world)
  return stretchesOf(body)
}

describe('a solid that yields', () => {
  for (const seed of seeds(3)) {
    const random = new Random(seed)
    const plasticity = { yield: random.uniform(0.05, 0.2), creep: random.uniform(1, 20), max: 1 }
    const axis = random.integer(0, 2)
    /** A pull to `length` along one axis that keeps the volume. */
    const pull = (length: number) => [0, 1, 2].map((d) => (d === axis ? length : 1 / Math.sqrt(length)))

    it(`springs back within 0.1% from below its yield, seed ${seed}`, () => {
      const world = new World({ gravity: none })
      const body = world.addBody(model, { elastic, plasticity, shapeDamping: 20 })
      hold(world, body, pull(exp(0.95 * plasticity.yield)), 1)
      body.unpin()
      run(world, 4)
      for (const stretch of stretchesOf(body)) expect(Math.abs(stretch - 1)).toBeLessThan(0.001)
    })

    it(`keeps (g - yield) (1 - exp(-creep t)) of a strain g above it, and its volume, seed ${seed}`, () => {
      const world = new World({ gravity: none })
      const body = world.addBody(model, { elastic, plasticity, shapeDamping: 20 })
      const g = plasticity.yield + random.uniform(0.05, 0.25)
      const seconds = 0.2
      hold(world, body, pull(exp(g)), seconds)
      const kept = (g - plasticity.yield) * (1 - exp(-plasticity.creep * seconds))
      const stretches = release(world, body)
      const expected = pull(exp(kept))
      stretches.forEach((stretch, d) => expect(Math.abs(stretch / expected[d]! - 1)).toBeLessThan(0.001))
      expect(Math.abs(body.volume() - 1)).toBeLessThan(0.001)
    })
  }

  it('stays awake while it yields, however still it is held, and sleeps then', () => {
    const world = new World({ gravity: none })
    const plasticity = { yield: 0.1, creep: 0.3, max: 1 }
    const body = world.addBody(model, { elastic, plasticity, shapeDamping: 20 })
    const pull = (length: number) => [length, 1 / Math.sqrt(length), 1 / Math.sqrt(length)]
    hold(world, body, pull(exp(0.3)), 8)
    const [along] = release(world, body)
    expect(Math.abs(along! / exp(0.2 * (1 - exp(-0.3 * 8))) - 1)).toBeLessThan(0.002)
    body.set({ plasticity })
    hold(world, body, pull(exp(0.3)), 30)
    expect(body.asleep).toBe(true)
  })

  it('does not yield to an even pressure, however large', () => {
    const world = new World({ gravity: none })
    const body = world.addBody(model, { elastic, plasticity: { yield: 0.01, creep: 100, max: 1 }, shapeDamping: 20 })
    hold(world, body, [0.8, 0.8, 0.8], 0.5)
    for (const stretch of release(world, body)) expect(Math.abs(stretch - 1)).toBeLessThan(0.001)
  })

  it('keeps at most max', () => {
    const world = new World({ gravity: none })
    const body = world.addBody(model, { elastic, plasticity: { yield: 0.05, creep: 100, max: 0.1 }, shapeDamping: 20 })
    hold(world, body, [1.5, 1 / Math.sqrt(1.5), 1 / Math.sqrt(1.5)], 0.5)
    expect(Math.abs(strainOf(release(world, body)) - 0.1)).toBeLessThan(0.001)
  })

  it('keeps a shear as well', () => {
    const world = new World({ gravity: none })
    const body = world.addBody(model, { elastic, plasticity: { yield: 0, creep: 1000, max: 2 }, shapeDamping: 20 })
    body.pin(all)
    for (const i of all) {
      const [x, y, z] = [0, 1, 2].map((d) => model.positions[i * 3 + d]!) as [number, number, number]
      body.movePin(i, [x + 0.5 * y, y, z])
    }
    run(world, 0.1)
    const held = positionsOf(body)
    body.unpin()
    run(world, 1)
    const x = positionsOf(body)
    x.forEach((value, k) => expect(Math.abs(value - held[k]!)).toBeLessThan(1e-6))
  })

  it('stays as it was left by a snapshot, and comes back whole by a reset', () => {
    const world = new World({ gravity: none })
    const body = world.addBody(model, { elastic, plasticity: { yield: 0.05, creep: 5, max: 1 }, shapeDamping: 20 })
    const stretches = [1.3, 1 / Math.sqrt(1.3), 1 / Math.sqrt(1.3)]
    hold(world, body, stretches, 0.1)
    const snapshot = world.snapshot()
    const further = () => {
      run(world, 0.1)
      body.unpin()
      run(world, 0.5)
      return positionsOf(body)
    }
    const first = further()
    world.restore(snapshot)
    expect(further()).toEqual(first)
    expect(Math.max(...stretchesOf(body))).toBeGreaterThan(1.1)
    world.reset()
    run(world, 1)
    for (const stretch of stretchesOf(body)) expect(Math.abs(stretch - 1)).toBeLessThan(1e-6)
    // What flows no more stays as it is.
    world.restore(snapshot)
    body.set({ plasticity: false })
    const kept = Math.log(1.3) - 0.05
    const dent = stretchesAfter(world, body)
    expect(dent).toBeGreaterThan(exp(0.2 * kept))
    run(world, 1)
    expect(Math.abs(Math.max(...stretchesOf(body)) - dent)).toBeLessThan(1e-4)
  })

  const stretchesAfter = (world: World, body: Body) => {
    body.unpin()
    run(world, 3)
    return Math.max(...stretchesOf(body))
  }

  it('bakes the same rows from its state as it flowed into: a change of settings changes nothing', () => {
    const play = (touch: boolean) => {
      const world = new World({ gravity: none })
      const body = world.addBody(model, { elastic, plasticity: { yield: 0.02, creep: 5, max: 1 } })
      hold(world, body, [1.2, 1 / Math.sqrt(1.2), 1 / Math.sqrt(1.2)], 0.1)
      body.unpin()
      run(world, 0.1)
      if (touch) body.set({ friction: 0.3 })
      run(world, 0.2)
      return positionsOf(body)
    }
    expect(play(true)).toEqual(play(false))
  })
})

describe('a body far smaller than substeps resolve', () => {
  it('keeps what it has yielded by, though its shape is supported', () => {
    const world = new World({ gravity: none })
    const small = cube(0.01, 4)
    const body = world.addBody(small, {
      elastic: material(3e5, 0.4),
      plasticity: { yield: 0.1, creep: 1000, max: 1 },
      shapeDamping: 20,
    })
    const stretches = [1.35, 1 / Math.sqrt(1.35), 1 / Math.sqrt(1.35)]
    const everything = Array.from({ length: small.particleCount }, (_, i) => i)
    body.pin(everything)
    for (const i of everything) {
      const at = [0, 1, 2].map((d) => small.positions[i * 3 + d]! * stretches[d]!)
      body.movePin(i, at as [number, number, number])
    }
    run(world, 0.2)
    body.unpin()
    body.set({ plasticity: false })
    run(world, 2)
    // ln 1.35 less the yield. The shape as a whole goes by strains, not by their logarithms: a tenth of the strain squared.
    const kept = log(1.35) - 0.1
    const bounds = body.bounds(new Float64Array(6))
    expect(Math.abs((bounds[3]! - bounds[0]!) / 0.01 / exp(kept) - 1)).toBeLessThan(0.015)
    expect(Math.abs((bounds[4]! - bounds[1]!) / 0.01 / exp(-kept / 2) - 1)).toBeLessThan(0.015)
    expectHealthy(world)
  })
})

describe('the clay preset', () => {
  it('stands by its own weight, and keeps the dent of a fall, within 1% of its volume', () => {
    const world = new World({ gravity: none })
    const fallen = (preset: 'clay' | 'clay-soft') => {
      const body = world.addBody(model, { ...presets[preset], position: [0, 0, 0] })
      body.pin(all.filter((i) => model.positions[i * 3 + 1]! < -0.49))
      const top = all.filter((i) => model.positions[i * 3 + 1]! > 0.49)
      body.pin(top)
      for (const i of top) {
        body.movePin(i, [model.positions[i * 3]!, 0.1, model.positions[i * 3 + 2]!])
      }
      run(world, 0.5)
      body.unpin()
      run(world, 2)
      const height = body.bounds(new Float64Array(6))[4]! - body.bounds(new Float64Array(6))[1]!
      expect(Math.abs(body.volume() - 1)).toBeLessThan(0.01)
      body.remove()
      return height
    }
    expect(Math.abs(fallen('clay-soft') - 1)).toBeLessThan(0.01)
    expect(fallen('clay')).toBeLessThan(0.75)
    expectHealthy(world)
  })

  const crushed = [3, ...long(1, 2)].flatMap((seed) => [
    { resolution: 5, yieldStrain: 0.12, seed },
    { resolution: 6, yieldStrain: 0.06, seed },
  ])
  it.each(crushed)('lies still that has fallen on its corners until they are crushed flat: %o', (drawn) => {
    const { resolution, yieldStrain, seed } = drawn
    const world = new World({ sleeping: false })
    world.addCollider(plane())
    const box = sized(fromGeometry(new BoxGeometry(1, 1, 1)), 0.08)
    const body = world.addBody(softBodyModel(box, { resolution }).model, {
      ...presets.clay,
      plasticity: { yield: yieldStrain, creep: 30, max: 1.5 },
      position: [0, 0.1, 0],
      rotation: new Random(seed).rotation(),
    })
    let fastest = 0
    run(world, 4, (time) => {
      if (time > 3) fastest = Math.max(fastest, largestSpeed(body))
    })
    expect(fastest).toBeLessThan(0.02)
  })
})

describe('plasticity that means nothing', () => {
  const world = new World()
  it.each([
    ['a body without the material', { elastic: { neoHookean: false as const } }, { yield: 0.1, creep: 1, max: 1 }],
    ['a negative yield', {}, { yield: -1, creep: 1, max: 1 }],
    ['a max beyond 2', {}, { yield: 0.1, creep: 1, max: 3 }],
    ['a creep that is no number', {}, { yield: 0.1, creep: Number.NaN, max: 1 }],
  ])('is refused: %s', (_, settings, plasticity) => {
    expect(() => world.addBody(model, { ...settings, plasticity })).toThrow(SettingError)
    expect(() => world.addBody(model, { ...settings, plasticity })).toThrow(/plasticity/)
  })
})
