import { describe, expect, it } from 'vitest'
import {
  type Attachment,
  type Body,
  box,
  type Collider,
  clothModel,
  plane,
  presets,
  World,
  type WorldSettings,
} from '../../src/headless.js'
import { Random, seeds } from '../support/draw.js'
import { cube } from '../support/lattice.js'
import { centerOf, expectHealthy, particle, positionsOf, velocitiesOf } from '../support/laws.js'

const dt = 1 / 60
const solid = cube(0.5, 2)
const { model: sheet } = clothModel({ width: 1, height: 1, segmentsX: 6, segmentsY: 6 })

interface Scene {
  world: World
  solid: Body
  cloth: Body
  plate: Collider
  held: Attachment
  /** Everything that moves, to the last bit. */
  bits(): Float64Array
}

/** A body that bounces, held and turned by shape matching; a pinned cloth; a plate and pins that move by step index. */
function scene(settings: Partial<WorldSettings> = {}): Scene {
  const world = new World({ timeStep: dt, ...settings })
  world.addCollider(plane(), { restitution: 0.4 })
  const plate = world.addCollider(box([0.6, 0.05, 0.6]))
  const body = world.addBody(solid, {
    ...presets.jelly,
    position: [0, 1, 0],
    rotation: [0.1, 0.2, 0, Math.sqrt(1 - 0.05)],
    elastic: { ...presets.jelly.elastic, shape: { rate: 300 } },
    collisionGroups: [2, 0xffffffff],
  })
  // The cloth meets the plate and not the body, whose hold a reset leaves where it is.
  const cloth = world.addBody(sheet, { position: [0.2, 1.5, 0], collisionGroups: [1, 0xfffffffd] })
  cloth.pin([0, 6])
  const held = body.attach(body.region([0.2, 1.2, 0], 0.3), { compliance: 1e-4, damping: 20, maxForce: 500 })
  world.onBeforeStep(() => {
    const k = world.stepIndex
    plate.setPose([0, 0.1 + 0.002 * k, 0.1 * Math.sin(k / 9)], [0, Math.sin(k / 50), 0, Math.cos(k / 50)])
    cloth.movePin(0, [-0.3 + 0.005 * k, 2 + 0.1 * Math.sin(k / 5), 0])
    held.setTarget(0.2 + 0.2 * Math.sin(k / 11), 1.2, 0.003 * k)
    if (k % 20 === 0) body.applyImpulse([5, 0, -5])
    body.addForce([0, 0, 10])
  })
  const bits = () =>
    Float64Array.from([
      ...positionsOf(body),
      ...velocitiesOf(body),
      ...positionsOf(cloth),
      ...velocitiesOf(cloth),
      ...held.force([0, 0, 0]),
    ])
  return { world, solid: body, cloth, plate, held, bits }
}

function stepped(steps: number): Scene {
  const one = scene()
  for (let k = 0; k < steps; k++) one.world.step()
  return one
}

describe('the clock', () => {
  for (const rate of [15, 24, 30, 60, 144, 240]) {
    it(`gives the same bits at every step at ${rate} frames a second`, () => {
      const expected = new Map<number, Float64Array>()
      const reference = scene()
      reference.world.onAfterStep(() => expected.set(reference.world.stepIndex, reference.bits()))
      for (let k = 0; k < 90; k++) reference.world.step()
      const one = scene()
      one.world.onAfterStep(() => expect(one.bits()).toEqual(expected.get(one.world.stepIndex)))
      let steps = 0
      for (let frame = 0; frame < 1.4 * rate; frame++) steps += one.world.advance(1 / rate)
      expect(steps).toBe(one.world.stepIndex)
      expect(Math.abs(steps - 84)).toBeLessThanOrEqual(1)
      expect(one.world.stats.droppedTime).toBe(0)
      expectHealthy(one.world)
    })
  }

  for (const seed of seeds(3)) {
    it(`gives the same bits with uneven frames, seed ${seed}`, () => {
      const random = new Random(seed)
      const one = scene()
      let time = 0
      while (one.world.stepIndex < 80) {
        const frame = random.scale(0.001, 0.08)
        time += frame
        one.world.advance(frame)
        // No time is lost or made: what is not stepped yet is less than a step.
        expect(time - one.world.time).toBeGreaterThan(-1e-9)
        expect(time - one.world.time).toBeLessThan(dt)
        expect(one.world.interpolation).toBeCloseTo((time - one.world.time) / dt, 6)
      }
      expect(one.bits()).toEqual(stepped(one.world.stepIndex).bits())
    })
  }

  it('drops what a frame of ten seconds is too long, reports it, and loses nothing else', () => {
    const one = scene({ maxSteps: 5 })
    one.world.advance(0.25 * dt)
    expect(one.world.advance(10)).toBe(5)
    expect(one.world.stats.droppedTime).toBeCloseTo(10 - 5 * dt, 9)
    expect(one.world.interpolation).toBeCloseTo(0.25, 6)
    expect(one.bits()).toEqual(stepped(5).bits())
    expect(one.world.advance(0.8 * dt)).toBe(1)
    expect(one.world.stats.droppedTime).toBeCloseTo(10 - 5 * dt, 9)
    expect(one.bits()).toEqual(stepped(6).bits())
    expectHealthy(one.world)
  })

  it('goes on after a pause with the bits it would have had', () => {
    const one = scene()
    for (let k = 0; k < 20; k++) one.world.advance(dt)
    const before = one.bits()
    one.world.set({ paused: true })
    for (let k = 0; k < 50; k++) expect(one.world.advance(0.1)).toBe(0)
    expect(one.bits()).toEqual(before)
    one.world.set({ paused: false })
    for (let k = 0; k < 20; k++) one.world.advance(dt)
    expect(one.bits()).toEqual(stepped(40).bits())
    expect(one.world.stats.droppedTime).toBe(0)
    one.world.set({ paused: true })
    one.world.step()
    expect(one.world.stepIndex).toBe(41)
  })

  it('takes timeScale as seconds per second', () => {
    const world = new World({ timeScale: 0.25 })
    for (let k = 0; k < 60; k++) world.advance(dt)
    expect(world.stepIndex).toBe(15)
    world.set({ timeScale: 0 })
    expect(world.advance(1)).toBe(0)
  })

  for (const bad of [-1, 0, Number.NEGATIVE_INFINITY]) {
    it(`takes no time from a frame of ${bad} s`, () => {
      const one = scene()
      expect(one.world.advance(bad)).toBe(0)
      expect(one.world.interpolation).toBe(0)
      expect(one.world.advance(dt)).toBe(1)
      expect(one.bits()).toEqual(stepped(1).bits())
    })
  }

  it('interpolates positions between the last two steps', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const body = world.addBody(particle())
    body.setVelocity([6, 0, 0])
    world.advance(1.25 * dt)
    const out = new Float64Array(3)
    expect(body.readPositions(out)[0]).toBeCloseTo(6 * dt, 12)
    expect(body.readPositions(out, true)[0]).toBeCloseTo(0.25 * 6 * dt, 9)
  })

  it('a step that is longer by as many substeps is followed by attachments and forces alike', () => {
    // timeStep / substeps stays, timeStep does not: what is baked must notice.
    const worlds = [false, true].map((changed) => {
      const world = new World(changed ? {} : { timeStep: 2 * dt, substeps: 20 })
      const body = world.addBody(particle(), { mass: 2 })
      const held = body.attach(
        { particles: Uint32Array.of(0), weights: Float64Array.of(1) },
        { compliance: 1e-3, damping: 5 },
      )
      if (changed) {
        world.step()
        world.reset()
        world.set({ timeStep: 2 * dt, substeps: 20 })
      }
      held.setTarget(1, 0, 0)
      for (let k = 0; k < 20; k++) world.step()
      return Float64Array.of(centerOf(body)[0], held.force([0, 0, 0])[0])
    })
    worlds[1]!.forEach((value, k) => expect(value).toBeCloseTo(worlds[0]![k]!, 9))
  })
})

describe('snapshot and restore', () => {
  it('give the same bits again, with pins, attachments and moving colliders', () => {
    const one = scene()
    for (let k = 0; k < 17; k++) one.world.advance(1.3 * dt)
    const saved = one.world.snapshot()
    const index = one.world.stepIndex
    const go = () => {
      const all: Float64Array[] = []
      for (let k = 0; k < 25; k++) {
        one.world.advance(0.9 * dt)
        all.push(one.bits())
      }
      return all
    }
    const first = go()
    one.cloth.unpin()
    one.solid.set({ mass: 3, friction: 2 })
    one.plate.set({ friction: 0, restitution: 1, shape: plane() })
    one.world.advance(dt)
    one.world.restore(saved)
    expect(one.world.stepIndex).toBe(index)
    expect(go()).toEqual(first)
    // A snapshot is a copy: running on does not change it.
    one.world.restore(saved)
    expect(go()).toEqual(first)
  })

  it('keep what a frame has been asked for and has not led there yet', () => {
    const world = new World()
    world.addCollider(plane())
    const plate = world.addCollider(box([1, 0.1, 1]), { position: [0, 0.5, 0] })
    const cloth = world.addBody(sheet, { position: [0, 2, 0] })
    const body = world.addBody(solid, { ...presets.jelly, position: [0, 0.86, 0] })
    const held = body.attach(body.region([0, 1, 0], 0.4), { compliance: 1e-4 })
    cloth.pin([0, 6])
    cloth.movePin(0, [0, 2.5, 0.5])
    plate.setPose([0.4, 0.6, 0], [0, 0.6, 0, 0.8])
    held.setTarget(0.5, 1.5, 0)
    const saved = world.snapshot()
    const go = () => {
      const all: number[] = []
      const stop = world.onAfterStep(() => all.push(...positionsOf(cloth), ...positionsOf(body)))
      world.advance(4 * dt)
      stop()
      return all
    }
    const first = go()
    world.restore(saved)
    expect(go()).toEqual(first)
  })

  it('leave what has gone away, and what came later alone', () => {
    const one = scene()
    one.world.step()
    const saved = one.world.snapshot()
    one.cloth.remove()
    const late = one.world.addBody(solid, { position: [9, 0, 0] })
    one.world.step()
    const before = positionsOf(late)
    one.world.restore(saved)
    expect(one.cloth.alive).toBe(false)
    expect(positionsOf(late)).toEqual(before)
    one.world.step()
  })
})

describe('reset', () => {
  it('is a fresh world, to the last bit', () => {
    const one = scene()
    for (let k = 0; k < 37; k++) one.world.advance(1.2 * dt)
    one.world.reset()
    expect(one.world.stepIndex).toBe(0)
    expect(one.world.time).toBe(0)
    expect(one.world.interpolation).toBe(0)
    // Colliders stay where they are: a fresh world has them there.
    one.plate.teleport([0, 0, 0], [0, 0, 0, 1])
    one.held.setTarget(0.2, 1.2, 0)
    const fresh = scene()
    const start = fresh.held.point([0, 0, 0])
    for (const each of [one, fresh]) each.held.setTarget(...start)
    expect(positionsOf(one.solid)).toEqual(positionsOf(fresh.solid))
    for (const each of [one, fresh]) for (let k = 0; k < 30; k++) each.world.step()
    expect(positionsOf(one.cloth)).toEqual(positionsOf(fresh.cloth))
    expect(velocitiesOf(one.cloth)).toEqual(velocitiesOf(fresh.cloth))
    expectHealthy(one.world)
  })

  it('brings free bodies back to the bits of their first run', () => {
    const world = new World()
    world.addCollider(plane())
    const body = world.addBody(solid, {
      ...presets.jelly,
      position: [0, 1, 0],
      rotation: new Random(1).rotation(),
      restitution: 0.5,
    })
    const go = () => {
      for (let k = 0; k < 60; k++) world.step()
      return [...positionsOf(body), ...velocitiesOf(body)]
    }
    const first = go()
    world.reset()
    expect(go()).toEqual(first)
    body.reset()
    expect(go()).toEqual(first)
  })
})
