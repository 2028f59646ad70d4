import { describe, expect, it } from 'vitest'
import { Arena } from '../../src/core/arena.js'
import { distance, type Model, ModelBuilder, plane, presets, sphere, volume, World } from '../../src/headless.js'
import { Random, seeds } from '../support/draw.js'
import { cube } from '../support/lattice.js'
import { expectHealthy, particle, positionsOf, run, velocitiesOf } from '../support/laws.js'

const model = cube(0.5, 2)

/** One tetrahedron whose volume row comes before its springs: another order of kinds than a solid's. */
function backwards(): Model {
  return new ModelBuilder(Float64Array.of(0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0))
    .with({ elastic: { volumes: { compliance: 1e-6 }, edges: { compliance: 1e-6 } } })
    .constrain('volumes', volume, Uint32Array.of(0, 2, 1, 3))
    .constrain('edges', distance, Uint32Array.of(0, 1, 1, 2, 2, 0, 0, 3))
    .build()
}

describe('bodies that come and go', () => {
  it('leave the others as they would be alone, to the last bit', () => {
    const alone = new World()
    const busy = new World()
    const worlds = [alone, busy]
    for (const world of worlds) world.addCollider(plane())
    const early = busy.addBody(model, { position: [50, 1, 0] })
    busy.addBody(backwards(), { position: [60, 1, 0] })
    const settings = { ...presets.jelly, position: [0, 1, 0], rotation: new Random(1).rotation() } as const
    const [body, other] = worlds.map((world) => world.addBody(model, settings))
    const same = () => {
      expect(positionsOf(other!)).toEqual(positionsOf(body!))
      expect(velocitiesOf(other!)).toEqual(velocitiesOf(body!))
    }
    const both = (steps: number) => {
      for (let k = 0; k < steps; k++) {
        for (const world of worlds) world.step()
        same()
      }
    }
    both(10)
    early.remove()
    both(5)
    const late = busy.addBody(cube(0.7, 3), { ...presets.firm, position: [40, 1, 0], elastic: { shape: { rate: 30 } } })
    const far = busy.addCollider(sphere(1), { position: [40, -0.5, 0] })
    both(10)
    far.setPose([40, 0, 0], [0, 0, 0, 1])
    late.pin([0])
    both(10)
    far.remove()
    late.remove()
    both(20)
    expectHealthy(busy)
  })

  it('whatever the order in which kinds first appear', () => {
    const results = [false, true].map((first) => {
      const world = new World()
      if (first) world.addBody(backwards(), { position: [60, 1, 0] })
      const body = world.addBody(model, { ...presets.jelly })
      body.setVelocity([0, 0, 0], [3, 2, 1])
      run(world, 0.5)
      return positionsOf(body)
    })
    expect(results[1]).toEqual(results[0])
  })

  it('are listed while they are there', () => {
    const world = new World()
    const [a, b] = [world.addBody(model), world.addBody(particle())]
    const c = world.addCollider(plane())
    expect(world.bodies).toEqual([a, b])
    expect(world.colliders).toEqual([c])
    expect(world.stats).toMatchObject({ bodies: 2, colliders: 1, particles: model.particleCount + 1 })
    a.remove()
    c.remove()
    expect(world.bodies).toEqual([b])
    expect(world.colliders).toEqual([])
    expect(world.stats).toMatchObject({ bodies: 1, colliders: 0, particles: 1 })
  })

  it("take each other's place in memory without a trace", () => {
    const fresh = new World()
    const used = new World()
    const gone = used.addBody(model, { shapeDamping: 3, elastic: { shape: { rate: 9 } } })
    gone.pin([0, 1, 2])
    gone.setVelocity([9, 9, 9], [5, 5, 5])
    gone.addForce([1e4, 0, 0])
    gone.attach(gone.region([0, 0, 0], 1), { target: [5, 5, 5] })
    run(used, 0.2)
    gone.addForce([1e4, 0, 0])
    gone.remove()
    const bodies = [fresh, used].map((world) =>
      world.addBody(model, { ...presets.rubber, elastic: { shape: { rate: 30 } } }),
    )
    for (const world of [fresh, used]) run(world, 0.5)
    expect(positionsOf(bodies[1]!)).toEqual(positionsOf(bodies[0]!))
    expect(velocitiesOf(bodies[1]!)).toEqual(velocitiesOf(bodies[0]!))
  })

  for (const seed of seeds(5)) {
    it(`keep apart however they come and go, seed ${seed}`, () => {
      const random = new Random(seed)
      const world = new World({ gravity: [0, 0, 0] })
      const bodies: { body: ReturnType<World['addBody']>; at: number }[] = []
      for (let k = 0; k < 60; k++) {
        if (bodies.length > 0 && random.uniform() < 0.45) {
          bodies.splice(random.integer(0, bodies.length - 1), 1)[0]!.body.remove()
        } else {
          const at = random.uniform(-100, 100)
          const one = random.uniform() < 0.5 ? model : particle()
          bodies.push({ body: world.addBody(one, { position: [at, 0, 0], collisionGroups: [1, 0] }), at })
        }
        world.step()
        for (const { body, at } of bodies) {
          const x = positionsOf(body)
          for (let p = 0; p < x.length; p++) {
            expect(x[p]).toBeCloseTo(body.model.positions[p]! + (p % 3 === 0 ? at : 0), 9)
          }
        }
      }
      expectHealthy(world)
    })
  }
})

describe('what is gone', () => {
  it('takes every call of a removed body as a no-op', () => {
    const world = new World()
    const body = world.addBody(model)
    const held = body.attach(body.region([0, 0, 0], 1))
    body.remove()
    // A body in its place must not feel what the old handle is told.
    const next = world.addBody(model)
    const twin = new World()
    const expected = twin.addBody(model)
    const region = body.region([0, 0, 0], 0.1)
    expect(region.particles.length).toBeGreaterThan(0)
    body.set({ damping: 5, friction: 1 })
    body.applyImpulse([1, 2, 3])
    body.addForce([1, 2, 3], region)
    body.setVelocity([1, 2, 3])
    body.teleport([1, 2, 3])
    body.reset()
    body.pin([0, 1])
    body.unpin()
    body.movePin(0, [1, 1, 1])
    held.setTarget(1, 2, 3)
    const after = body.attach(region, { target: [9, 9, 9] })
    body.remove()
    expect(held.alive).toBe(false)
    expect(after.alive).toBe(false)
    expect(body.alive).toBe(false)
    expect(body.mass).toBe(0)
    expect(body.volume()).toBe(0)
    expect(body.maxStrain()).toBe(0)
    expect(body.isPinned(0)).toBe(false)
    expect(body.centerOfMass([7, 7, 7])).toEqual([7, 7, 7])
    expect(body.velocity([7, 7, 7])).toEqual([7, 7, 7])
    expect(body.getPosition(0, [7, 7, 7])).toEqual([7, 7, 7])
    expect(held.point([7, 7, 7])).toEqual([7, 7, 7])
    expect(body.readPositions(Float64Array.of(7))).toEqual(Float64Array.of(7))
    expect(body.readVelocities(Float64Array.of(7))).toEqual(Float64Array.of(7))
    expect(body.bounds(Float64Array.of(7))).toEqual(Float64Array.of(7))
    held.remove()
    run(world, 0.3)
    run(twin, 0.3)
    expect(positionsOf(next)).toEqual(positionsOf(expected))
  })

  it('takes every call of a removed collider as a no-op', () => {
    const world = new World()
    const collider = world.addCollider(plane())
    collider.remove()
    const next = world.addCollider(plane())
    collider.setPose([0, 5, 0], [0, 0, 0, 1])
    collider.teleport([0, 5, 0], [0, 0, 0, 1])
    collider.set({ friction: 0, restitution: 1, shape: sphere(1) })
    collider.remove()
    expect(collider.alive).toBe(false)
    expect(next.alive).toBe(true)
    const body = world.addBody(particle(), { position: [0, 0.5, 0] })
    run(world, 1)
    expect(positionsOf(body)[1]).toBeCloseTo(0, 9)
  })

  it('steps nothing after dispose', () => {
    const world = new World()
    const body = world.addBody(model)
    let calls = 0
    world.onAfterStep(() => calls++)
    world.dispose()
    world.step()
    expect(world.advance(1)).toBe(0)
    expect([body.alive, calls, world.stepIndex]).toEqual([false, 0, 0])
  })

  it('stops callbacks that were taken back', () => {
    const world = new World()
    const calls: string[] = []
    const stop = world.onBeforeStep((_, dt) => calls.push(`before ${dt === world.settings.timeStep}`))
    world.onAfterStep(() => calls.push('after'))
    world.step()
    stop()
    stop()
    world.step()
    expect(calls).toEqual(['before true', 'after', 'after'])
  })
})

describe('the arena', () => {
  for (const seed of seeds(10)) {
    it(`never hands out a slot twice, and gets free ranges back whole, seed ${seed}`, () => {
      const random = new Random(seed)
      const arena = new Arena()
      const taken: [number, number][] = []
      let overlaps = 0
      let shrinks = 0
      const grow = (capacity: number) => {
        if (capacity <= arena.capacity) shrinks++
      }
      for (let k = 0; k < 300; k++) {
        if (taken.length > 0 && random.uniform() < 0.5) {
          const [start, count] = taken.splice(random.integer(0, taken.length - 1), 1)[0]!
          arena.give(start, count)
        } else {
          const count = random.integer(1, 40)
          const start = arena.take(count, grow)
          if (start + count > arena.capacity) overlaps++
          for (const [other, length] of taken) if (start + count > other && other + length > start) overlaps++
          taken.push([start, count])
        }
      }
      expect([overlaps, shrinks]).toEqual([0, 0])
      for (const [start, count] of taken) arena.give(start, count)
      // All neighbours joined: one body as large as everything fits without growing.
      const { capacity } = arena
      expect(arena.take(capacity, () => expect.unreachable('it grew'))).toBe(0)
    })
  }

  it('takes the first range that fits', () => {
    const arena = new Arena()
    const grow = () => undefined
    const starts = [10, 20, 10].map((count) => arena.take(count, grow))
    expect(starts).toEqual([0, 10, 30])
    arena.give(10, 20)
    expect(arena.take(5, grow)).toBe(10)
    expect(arena.take(16, grow)).toBe(40)
    expect(arena.take(15, grow)).toBe(15)
  })
})
