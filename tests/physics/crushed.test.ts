import { BoxGeometry, Euler, Matrix4, Quaternion } from 'three'
import { describe, expect, it } from 'vitest'
import {
  type Body,
  type BodySettings,
  box,
  type Model,
  plane,
  presets,
  softBodyModel,
  type TriangleMesh,
  World,
} from '../../src/headless.js'
import { invertedCount } from '../fuzz/starts.js'
import { Random } from '../support/draw.js'
import { expectHealthy, largestSpeed, positionsOf, run } from '../support/laws.js'
import { long } from '../support/long.js'
import { fromGeometry, moved, realMesh, together } from '../support/meshes.js'

type Box = readonly [size: readonly [number, number, number], at: readonly [number, number, number]]

function joined(boxes: readonly Box[]): TriangleMesh {
  return boxes.map(([size, at]) => fromGeometry(new BoxGeometry(...size).translate(...at))).reduce(together)
}

/** Furniture on legs so thin that the load at their foot is more than ten substeps pass on. */
const furniture = {
  stool: (leg: number) =>
    joined([
      [
        [0.3, 0.04, 0.3],
        [0, 0.32, 0],
      ],
      ...[0, 1, 2].map((k): Box => {
        const angle = (2 * Math.PI * k) / 3
        return [
          [leg, 0.31, leg],
          [0.11 * Math.cos(angle), 0.155, 0.11 * Math.sin(angle)],
        ]
      }),
    ]),
}

type Case = readonly [keyof typeof furniture, number, number, keyof typeof presets, number, number]

const cases: readonly Case[] = [
  ['stool', 0.012, 9, 'jelly', 0.16, 0],
  ...long<Case>(['stool', 0.015, 9, 'rubber', 0.3, 0]),
]

const models = new Map<string, Model>()
function modelOf(shape: keyof typeof furniture, leg: number, resolution: number): Model {
  const key = `${shape} ${leg} ${resolution}`
  const model = models.get(key) ?? softBodyModel(furniture[shape](leg), { resolution }).model
  models.set(key, model)
  return model
}

/** One of the cases, dropped on the ground. */
function dropped(
  [shape, leg, resolution, preset, height, seed]: Case,
  settings: Partial<BodySettings> = {},
  ground = plane(),
): { world: World; body: Body } {
  const world = new World({ sleeping: false })
  world.addCollider(ground)
  const rotation = seed === 0 ? ([0, 0, 0, 1] as const) : new Random(seed).rotation()
  const body = world.addBody(modelOf(shape, leg, resolution), { ...presets[preset], ...settings })
  body.teleport([0, 0, 0], rotation)
  world.flush()
  body.teleport([0, height - body.bounds(new Float64Array(6))[1]!, 0], rotation)
  return { world, body }
}

const inverted = (body: Body): number => invertedCount(body.model, positionsOf(body))

/** The particle that is highest. */
const highest = (body: Body): number =>
  positionsOf(body).reduce((best, y, p, x) => (p % 3 === 1 && y > x[best * 3 + 1]! ? (p - 1) / 3 : best), 0)

/** The largest speed in the last second of `seconds` [m/s]. */
function lastSpeed(world: World, body: Body, seconds: number): number {
  let last = 0
  run(world, seconds, (time) => {
    if (time > seconds - 1) last = Math.max(last, largestSpeed(body))
  })
  return last
}

describe('what its own load has crushed', () => {
  it.each(cases)('stands up, once, and is still: %s, legs of %f m, resolution %i, %s, from %f m, seed %i', (...one) => {
    const { world, body } = dropped(one)
    const told: { body: Body; reason: string }[] = []
    world.onUnstable((who, reason) => told.push({ body: who, reason }))
    run(world, 9)
    expect(lastSpeed(world, body, 2)).toBeLessThan(0.02)
    expect(inverted(body)).toBe(0)
    expect(world.stats).toMatchObject({ inversionRescues: 1, speedClamps: 0, contactClamps: 0, nonFiniteRescues: 0 })
    // And of each time that it lay with a few inverted, which were turned back.
    const times = 1 + world.stats.turnedBack
    expect(told).toEqual(Array.from({ length: times }, () => ({ body, reason: 'inverted' })))
  })

  it('is left to its material where its rescue is off', () => {
    const { world, body } = dropped(cases[0]!, { rescue: false })
    let crushed = 0
    run(world, 4, () => {
      if (inverted(body) > 0) crushed++
    })
    expect(crushed).toBeGreaterThan(60)
    expect(world.stats.inversionRescues).toBe(0)
  })

  it('stays on what it lay on, however thin, and is not thrown', () => {
    const { world, body } = dropped(cases[0]!, {}, box([2, 0.01, 2]))
    let low = 0
    let rise = 0
    run(world, 6, () => {
      low = Math.min(low, body.bounds(new Float64Array(6))[1]!)
      if (world.stats.inversionRescues > 0) rise = Math.max(rise, body.velocity()[1])
    })
    expect(world.stats.inversionRescues).toBe(1)
    expect(inverted(body)).toBe(0)
    expect(low).toBeGreaterThan(-0.01)
    expect(rise).toBeLessThan(0.3)
    expect(lastSpeed(world, body, 2)).toBeLessThan(0.02)
  })

  describe('settles as it is where it cannot stand up', () => {
    const ways: Record<string, (world: World, body: Body) => void> = {
      'pinned at its top': (_, body) => body.pin([highest(body)]),
      'without room': (world) => world.addCollider(box([1, 0.1, 1]), { position: [0, 0.32, 0] }),
      'under a load': (world, body) => {
        const { model } = softBodyModel(
          joined([
            [
              [0.2, 0.2, 0.2],
              [0, 0, 0],
            ],
          ]),
          { resolution: 4 },
        )
        world.addBody(model, { ...presets.jelly, position: [0, body.bounds(new Float64Array(6))[4]! + 0.12, 0] })
      },
      'joined to the world': (_, body) => body.join(null, { position: [0, 0.3, 0], radius: 0.1 }),
    }

    // From other heights, one in three, a corner snaps over once more within the last 2 s, by up to 4 mm.
    const [shape, leg, resolution, preset, , seed] = cases[0]!
    it.each(['pinned at its top', ...long('without room', 'under a load', 'joined to the world')])('%s', (way) => {
      const { world, body } = dropped([shape, leg, resolution, preset, 0.17, seed])
      run(world, 0.3)
      ways[way]!(world, body)
      run(world, 5)
      expect(inverted(body)).toBeGreaterThan(0)
      let speed = 0
      let jump = 0
      let before = positionsOf(body)
      run(world, 2, () => {
        const now = positionsOf(body)
        speed = Math.max(speed, largestSpeed(body))
        jump = now.reduce((most, x, k) => Math.max(most, Math.abs(x - before[k]!)), jump)
        before = now
      })
      expect(speed).toBeLessThan(0.02)
      // Between the two bodies a particle may still give way: in 2 of 5 such loads, laid on it here or there, by 2 and 4 mm.
      expect(jump).toBeLessThan(way === 'under a load' ? 5e-3 : 1e-4)
      expect(world.stats).toMatchObject({ inversionRescues: 1, speedClamps: 0, contactClamps: 0, nonFiniteRescues: 0 })
    })
  })

  it.each(long('a ceiling'))('does not stand up through %s, and does once that is gone', () => {
    const { world, body } = dropped(cases[0]!)
    run(world, 0.3)
    const ceiling = world.addCollider(box([1, 0.1, 1]), { position: [0, 0.32, 0] })
    run(world, 0.1)
    let top = 0
    run(world, 3.9, () => {
      top = Math.max(top, body.bounds(new Float64Array(6))[4]!)
    })
    expect(top).toBeLessThan(0.273)
    expect(inverted(body)).toBeGreaterThan(0)
    ceiling.remove()
    run(world, 8)
    expect(inverted(body)).toBe(0)
    expect(lastSpeed(world, body, 1)).toBeLessThan(0.02)
    expect(world.stats).toMatchObject({ inversionRescues: 2, speedClamps: 0, contactClamps: 0, nonFiniteRescues: 0 })
  })

  it('falls as freely as ever once it settled', () => {
    const { world, body } = dropped(cases[0]!)
    run(world, 0.3)
    body.pin([highest(body)])
    run(world, 4)
    expect(inverted(body)).toBeGreaterThan(0)
    body.unpin()
    body.teleport([0, 2, 0])
    run(world, 0.5)
    expect(body.velocity()[1]).toBeCloseTo(-9.81 * 0.5, 1)
  })

  it('returns once to its last finite state where it settles', () => {
    const { world, body } = dropped(cases[0]!)
    run(world, 0.3)
    body.pin([highest(body)])
    run(world, 3)
    expect(world.stats.inversionRescues).toBe(1)
    body.addForce([1e300, 0, 0])
    run(world, 1)
    expect(world.stats.nonFiniteRescues).toBe(1)
  })

  it.each(long(40))('is borne as if it were rigid for as long as substeps are no shorter: %i a step', (substeps) => {
    const { world, body } = dropped(cases[0]!)
    const squash = () => 1 - body.volume() / body.model.volume
    run(world, 8)
    expect(squash()).toBeLessThan(1e-4)
    world.set({ substeps })
    run(world, 3)
    expect(squash()).toBeGreaterThan(1e-3)
    expect(lastSpeed(world, body, 2)).toBeLessThan(0.02)
  })

  it.each(long(0.27))('is still under a press that comes down on it to %d m, when it stands', (lowest) => {
    const { world, body } = dropped(cases[0]!)
    const press = world.addCollider(box([1, 0.1, 1]), { position: [0, 0.7, 0] })
    run(world, 6)
    expect(world.stats.inversionRescues).toBe(1)
    run(world, 4, (time) => press.setPose([0, 0.1 + Math.max(lowest, 0.6 - 0.3 * time), 0], [0, 0, 0, 1]))
    expect(lastSpeed(world, body, 2)).toBeLessThan(0.02)
    // The press may crush it once more.
    expect(world.stats.inversionRescues).toBeLessThan(3)
    expect(world.stats).toMatchObject({ speedClamps: 0, contactClamps: 0, nonFiniteRescues: 0 })
  })

  it.each(long('rubber'))(
    'is not told from what rolls and bounces: tetrahedra of %s inverted by a fall are left to themselves',
    async (preset) => {
      const mesh = moved(await realMesh('pmndrs-bunny'), new Matrix4().makeScale(0.4, 0.4, 0.4))
      const world = new World({ sleeping: false })
      world.addCollider(plane())
      const { x, y, z, w } = new Quaternion().setFromEuler(new Euler(0, -0.6, 0))
      const { model } = softBodyModel(mesh, { resolution: 14 })
      const body = world.addBody(model, { ...presets[preset], position: [0.66, 0.86, 0.05], rotation: [x, y, z, w] })
      let crushed = 0
      run(world, 3, () => {
        if (inverted(body) > 0) crushed++
      })
      expect(crushed).toBeGreaterThan(10)
      expectHealthy(world)
    },
  )

  it.each([true, ...long(false)])('stands up, or settles where it is pinned (%s), alike from a snapshot', (pinned) => {
    const { world, body } = dropped(cases[0]!)
    if (pinned) {
      run(world, 0.3)
      body.pin([highest(body)])
    }
    for (let k = 0; k < 3 || world.stats.inversionRescues === 0; k++) {
      expect(k).toBeLessThan(20)
      const snapshot = world.snapshot()
      run(world, 0.5)
      const then = positionsOf(body)
      world.restore(snapshot)
      run(world, 0.5)
      expect(positionsOf(body)).toEqual(then)
    }
  })
})
