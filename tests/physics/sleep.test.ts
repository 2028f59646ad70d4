// Sleeping: what rests costs nothing and changes nothing; what moves, however slowly, does not sleep; what is disturbed wakes.
import { describe, expect, it } from 'vitest'
import {
  type Body,
  type BodySettings,
  box,
  clothModel,
  plane,
  presets,
  sphere,
  type Vec3,
  World,
  type WorldSettings,
} from '../../src/headless.js'
import { cube } from '../support/lattice.js'
import { centerOf, expectHealthy, particle, positionsOf, run, springPair, velocitiesOf } from '../support/laws.js'

const model = cube(0.5, 2)

/** A cube of rubber that lies on the ground. */
function lying(settings: Partial<BodySettings> = {}, world: Partial<WorldSettings> = {}) {
  const scene = new World(world)
  const ground = scene.addCollider(plane())
  const body = scene.addBody(model, { ...presets.rubber, position: [0, 0.27, 0], ...settings })
  return { world: scene, ground, body }
}

/** Steps until the body sleeps, and returns for how long [s]; fails after 10 s. */
function untilAsleep(world: World, ...bodies: Body[]): number {
  const start = world.time
  while (!bodies.every((body) => body.asleep)) {
    world.step()
    expect(world.time - start).toBeLessThan(10)
  }
  return world.time - start
}

describe('a body that rests', () => {
  it('sleeps after half a second, at rest, and stays to the bit where it is', () => {
    const { world, body } = lying()
    const time = untilAsleep(world, body)
    expect(time).toBeGreaterThan(0.5)
    const place = positionsOf(body)
    expect(velocitiesOf(body).every((v) => v === 0)).toBe(true)
    expect(body.readPositions(new Float64Array(place.length), true)).toEqual(place)
    run(world, 1)
    expect(positionsOf(body)).toEqual(place)
    expect(world.stats.sleeping).toBe(1)
    expect(world.atRest()).toBe(true)
    expectHealthy(world)
  })

  it('changes no bit before it sleeps', () => {
    const [sleepy, awake] = [lying(), lying({}, { sleeping: false })]
    while (!sleepy.body.asleep) {
      expect(positionsOf(sleepy.body)).toEqual(positionsOf(awake.body))
      sleepy.world.step()
      awake.world.step()
    }
    // The last step moved it, and then it slept.
    expect(positionsOf(sleepy.body)).toEqual(positionsOf(awake.body))
  })

  it('costs nothing: no row is projected and no pair is searched', () => {
    const { world, body } = lying()
    run(world, 0.2)
    const { constraints, candidates } = world.stats
    expect(constraints).toBeGreaterThan(0)
    expect(candidates).toBeGreaterThan(0)
    untilAsleep(world, body)
    world.step()
    expect(world.stats).toMatchObject({ constraints: 0, candidates: 0, contacts: 0 })
    // One more that moves is all that there is work for.
    const other = world.addBody(model, { ...presets.rubber, position: [3, 2, 0] })
    world.step()
    expect(body.asleep).toBe(true)
    expect(world.stats.constraints).toBe(constraints)
    other.remove()
    world.step()
    expect(world.stats.constraints).toBe(0)
  })

  it('gives other bodies the bits that they have without it', () => {
    const [crowded, alone] = [lying(), lying()]
    untilAsleep(crowded.world, crowded.body)
    alone.body.remove()
    while (alone.world.stepIndex < crowded.world.stepIndex) alone.world.step()
    const faller = { ...presets.jelly, position: [2, 0.5, 0] as const }
    const shape: Partial<BodySettings> = {
      ...presets.jelly,
      position: [2, 0.5, 2],
      elastic: { neoHookean: false, shape: { rate: 60 } },
    }
    const [a, b] = [crowded, alone].map(({ world }) => [world.addBody(model, faller), world.addBody(model, shape)])
    for (let k = 0; k < 40; k++) {
      crowded.world.step()
      alone.world.step()
      expect(a!.map(positionsOf)).toEqual(b!.map(positionsOf))
    }
  })

  it('goes on as it did after a snapshot, asleep or about to be', () => {
    const { world, body } = lying()
    const whenAsleep = untilAsleep(world, body)
    world.reset()
    run(world, whenAsleep - 0.1)
    expect(body.asleep).toBe(false)
    const snapshot = world.snapshot()
    const watch = () => Array.from({ length: 20 }, () => (world.step(), body.asleep))
    const first = watch()
    const asleep = world.snapshot()
    body.wake()
    world.step()
    world.restore(snapshot)
    expect(body.asleep).toBe(false)
    expect(watch()).toEqual(first)
    expect(first).toContain(true)
    expect(first).toContain(false)
    body.applyImpulse([0, 100, 0])
    world.step()
    world.restore(asleep)
    expect(body.asleep).toBe(true)
    run(world, 0.5)
    expect(body.asleep).toBe(true)
  })

  it('sleeps far from all, without gravity too', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const body = world.addBody(model, { position: [1e4, 0, 0] })
    run(world, 0.6)
    expect(body.asleep).toBe(true)
  })

  it('does not sleep where it may not, and rests all the same', () => {
    for (const { world, body } of [lying({ canSleep: false }), lying({}, { sleeping: false })]) {
      run(world, 3)
      body.sleep()
      world.step()
      expect(body.asleep).toBe(false)
      expect(world.atRest()).toBe(true)
    }
  })

  it('wakes when sleeping is switched off, of the world or of the body', () => {
    const ways: ((scene: Scene) => void)[] = [
      ({ world }) => world.set({ sleeping: false }),
      ({ body }) => body.set({ canSleep: false }),
    ]
    for (const off of ways) {
      const scene = lying()
      untilAsleep(scene.world, scene.body)
      off(scene)
      scene.world.step()
      expect(scene.body.asleep).toBe(false)
      run(scene.world, 1)
      expect(scene.body.asleep).toBe(false)
    }
  })
})

type Scene = ReturnType<typeof lying>

/** A cube of half a metre on a slope without friction, in a honey in which it slides at `speed` [m/s]. */
function sliding(speed: number) {
  const world = new World({ gravity: [0, -1, 0] })
  world.addCollider(plane(), { rotation: [0, 0, Math.sin(0.05), Math.cos(0.05)], friction: 0 })
  // v = g sin / damping, and more by the share of a substep.
  const damping = Math.sin(0.1) / speed
  const body = world.addBody(model, {
    ...presets.rubber,
    position: [0, 0.253, 0],
    rotation: [0, 0, Math.sin(0.05), Math.cos(0.05)],
    damping,
  })
  return { world, body }
}

describe('what lies may creep', () => {
  it('at 1 mm/s, and sleeps', () => {
    const { world, body } = sliding(1e-3)
    expect(untilAsleep(world, body)).toBeGreaterThan(1)
  })
})

describe('what lies may turn or slide as it is, level and slowly', () => {
  /** A cube of half a metre on level ground without friction, on which nothing stops it. */
  const gliding = (velocity: Vec3, spin: Vec3) => {
    const world = new World()
    world.addCollider(plane(), { friction: 0 })
    const settings = { ...presets.rubber, shapeDamping: 5, damping: 0, drag: 0, friction: 0 }
    const body = world.addBody(model, { ...settings, position: [0, 0.2524, 0] })
    run(world, 2, () => body.asleep && body.wake())
    body.setVelocity(velocity, spin)
    return { world, body }
  }

  it.each([
    [
      [0.02, 0, 0],
      [0, 0, 0],
    ],
    [
      [0, 0, 0],
      [0, 0.08, 0],
    ],
  ] as const)('at %j m/s and %j rad/s, and sleeps after four seconds', (velocity, spin) => {
    const { world, body } = gliding(velocity, spin)
    const time = untilAsleep(world, body)
    expect(time).toBeGreaterThan(3.9)
    expect(time).toBeLessThan(4.5)
  })

  it('and does not sleep where it is faster', () => {
    const { world, body } = gliding([0.06, 0, 0], [0, 0, 0])
    run(world, 6, () => expect(body.asleep).toBe(false))
  })

  it('nor while its shape changes: a cloth that draws itself together in honey', () => {
    const world = new World()
    world.addCollider(plane(), { friction: 0 })
    const { model } = clothModel({ width: 1, height: 0.5, segmentsX: 8, segmentsY: 4 })
    const body = world.addBody(model, {
      rotation: [-Math.SQRT1_2, 0, 0, Math.SQRT1_2],
      position: [0, model.thickness, 0],
      friction: 0,
      damping: 200,
      elastic: { membrane: { stretchModulus: 1, shearModulus: 1 } },
    })
    const all = Array.from({ length: model.particleCount }, (_, i) => i)
    body.pin(all)
    for (const i of all) {
      const [x, y, z] = body.getPosition(i, [0, 0, 0])
      body.movePin(i, [1.1 * x, y, z])
    }
    world.step()
    body.unpin(all)
    // Its longest wave, of 2 m, dies away as exp(-pi^2 S t / (density k)), in 4 s.
    const time = untilAsleep(world, body)
    const [low, , , high] = body.bounds(new Float64Array(6)) as unknown as number[]
    expect(time).toBeGreaterThan(6)
    expect(high! - low! - 1).toBeLessThan(0.02)
  })
})

describe('what moves does not sleep', () => {
  it('at the top of its flight, however weak gravity is', () => {
    const world = new World({ gravity: [0, -1e-3, 0] })
    const body = world.addBody(model, { canSleep: true })
    body.setVelocity([0, 1e-3, 0]) // at the top after a second
    run(world, 4, () => expect(body.asleep).toBe(false))
    expect(world.atRest()).toBe(false)
  })

  it('at the turning point of a slow swing', () => {
    // 1 m long, 4 cm to each side: 2 s there and back, faster than 2 mm/s but for 32 ms.
    const world = new World()
    const body = world.addBody(springPair(1), { position: [0, 2, 0] })
    body.pin([0])
    body.teleport([0, 2, 0], [0, 0, 0.02, Math.sqrt(1 - 0.02 * 0.02)])
    run(world, 6, () => expect(body.asleep).toBe(false))
  })

  it('creeping at 1 mm/s', () => {
    const world = new World({ gravity: [0, -0.5, 0] })
    world.addCollider(plane(), { rotation: [0, 0, Math.sin(0.1), Math.cos(0.1)], friction: 0 })
    // A slope that it slides down in honey, at g sin / damping: k here, and more by the share of a substep.
    const k = 0.5 * Math.sin(0.2) * 1e3
    const speed = (1e-3 * k) / 600 / (1 - Math.exp(-k / 600))
    const body = world.addBody(particle(), {
      position: [0, 0.01, 0],
      thickness: 0.01,
      damping: k,
    })
    run(world, 1)
    const from = centerOf(body)
    run(world, 5, () => expect(body.asleep).toBe(false))
    expect(Math.hypot(...centerOf(body).map((x, d) => x - from[d]!))).toBeCloseTo(5 * speed, 6)
  })

  // Far enough in the half second that a body must rest for: no particle gets out of its reach of half a millimetre.
  it('drifting at 0.4 mm/s as a whole', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const body = world.addBody(model)
    body.setVelocity([4e-4, 0, 0])
    run(world, 3, () => expect(body.asleep).toBe(false))
    expect(centerOf(body)[0]).toBeCloseTo(3 * 4e-4, 9)
  })

  // What lies may creep by 1.25 mm of a large body in a second, and no more.
  it.each([2e-3, 1e-2])('sliding on something at %d m/s', (speed) => {
    const { world, body } = sliding(speed)
    run(world, 1)
    const from = centerOf(body)
    run(world, 4, () => expect(body.asleep).toBe(false))
    expect(Math.hypot(...centerOf(body).map((x, d) => x - from[d]!))).toBeCloseTo(4 * speed, 3)
  })

  it('at the turn of a slow swing, also where it lies on something', () => {
    // 6 mm to each side in 6 s: within half a second of its turn it moves by 0.8 mm.
    const world = new World()
    world.addCollider(plane(), { friction: 0 })
    const body = world.addBody(model, { ...presets.rubber, position: [0, 0.252, 0], friction: 0, damping: 5 })
    run(world, 2, () => body.asleep && body.wake())
    body.set({ damping: 0 })
    const [x, y, z] = centerOf(body)
    const stiffness = body.mass * ((2 * Math.PI) / 6) ** 2
    body.attach(body.region([x, y, z], 2), { compliance: 1 / stiffness, damping: 0 }).setTarget(x + 6e-3, y, z)
    run(world, 12, () => expect(body.asleep).toBe(false))
  })

  it('led by a pin or a hold, however slowly', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const pinned = world.addBody(model, { position: [0, 0, 0] })
    const held = world.addBody(model, { position: [3, 0, 0] })
    pinned.pin([0])
    const start = pinned.getPosition(0, [0, 0, 0])
    const hold = held.attach(held.region([3, 0, 0], 0.2))
    const [hx, hy, hz] = hold.point([0, 0, 0])
    world.onBeforeStep(() => {
      const way = 1e-4 * world.time
      pinned.movePin(0, [start[0] + way, start[1], start[2]])
      hold.setTarget(hx + way, hy, hz)
    })
    run(world, 3, () => expect([pinned.asleep, held.asleep]).toEqual([false, false]))
  })

  it('under a force in every step', () => {
    const { world, body } = lying()
    const stop = world.onBeforeStep(() => body.addForce([0, -1, 0]))
    run(world, 3, () => expect(body.asleep).toBe(false))
    stop()
    untilAsleep(world, body)
  })

  it('carried by a collider that moves', () => {
    const world = new World()
    const plate = world.addCollider(box([2, 0.1, 2]))
    const body = world.addBody(model, { ...presets.rubber, position: [0, 0.37, 0] })
    world.onBeforeStep(() => plate.setPose([1e-5 * world.time, 0, 0], [0, 0, 0, 1]))
    run(world, 3, () => expect(body.asleep).toBe(false))
  })

  it('with another that it touches and that may not sleep, or moves', () => {
    const world = new World()
    world.addCollider(plane())
    const cloth = clothModel({ width: 0.5, height: 0.5, segmentsX: 4, segmentsY: 4 })
    const body = world.addBody(cloth.model, { position: [0, 0.3, 0] })
    body.pin([0, 4])
    run(world, 0.5, () => expect(body.asleep).toBe(false))
  })
})

describe('what sleeps wakes', () => {
  const causes: Record<string, (scene: Scene & { hold: ReturnType<Body['attach']> }) => void> = {
    'an impulse': ({ body }) => body.applyImpulse([0, 1, 0]),
    'a force': ({ body }) => body.addForce([0, 1, 0]),
    'a blast': ({ body }) => body.applyRadialImpulse([0, 0, 0], 1, 1),
    'a velocity': ({ body }) => body.setVelocity([0, 0.1, 0]),
    'a teleport': ({ body }) => body.teleport([0, 2, 0]),
    'a reset': ({ body }) => body.reset(),
    'a reset of the world': ({ world }) => world.reset(),
    'a setting': ({ body }) => body.set({ friction: 0.1 }),
    'a pin': ({ body }) => body.pin([0]),
    'a hold': ({ body }) => void body.attach(body.region(centerOf(body), 0.1)),
    'a hold that moves': ({ hold }) => hold.setTarget(0, 1, 0),
    'a hold that lets go': ({ hold }) => hold.remove(),
    'a call': ({ body }) => body.wake(),
    'a call for all': ({ world }) => world.wake(),
    gravity: ({ world }) => world.set({ gravity: [0, -5, 0] }),
    'the ground that goes': ({ ground }) => ground.remove(),
    'the ground that sinks': ({ ground }) => ground.setPose([0, -0.1, 0], [0, 0, 0, 1]),
    'the ground that was put elsewhere': ({ ground }) => ground.teleport([0, -0.1, 0], [0, 0, 0, 1]),
    'the ground that becomes ice': ({ ground }) => ground.set({ friction: 0 }),
    'the ground that lets it through': ({ ground }) => ground.set({ collisionGroups: [0, 0] }),
    'a ball put into it': ({ world }) => void world.addCollider(sphere(0.3), { position: [0.4, 0.3, 0] }),
  }

  it.each(Object.entries(causes))('by %s', (_, disturb) => {
    const scene = lying()
    const { world, body } = scene
    const hold = body.attach(body.region(centerOf(body), 0.1), { compliance: 1 })
    untilAsleep(world, body)
    const other = world.addBody(model, { ...presets.rubber, position: [5, 0.27, 0] })
    disturb({ ...scene, hold })
    world.step()
    expect(body.asleep).toBe(false)
    expect(other.alive).toBe(true)
  })

  const trifles: Record<string, (scene: Scene) => void> = {
    'what is said anew without a change': ({ world }) => world.set({ gravity: [0, -9.81, 0] }),
    'a pause, slow motion': ({ world }) => world.set({ paused: true, timeScale: 0.5, maxSteps: 2 }),
    'a force of nothing': ({ body }) => body.addForce([0, 0, 0]),
    'an impulse of nothing': ({ body }) => body.applyImpulse([0, 0, 0]),
    'an impulse of nothing at a point': ({ body }) => body.applyImpulse([0, 0, 0], [0, 0.5, 0]),
    'a region that takes nothing': ({ body }) => {
      const region = { particles: Uint32Array.of(0), weights: Float64Array.of(0) }
      body.applyImpulse([0, 1, 0], region)
      body.addForce([0, 1, 0], region)
    },
    'a blast of nothing': ({ world }) => world.applyRadialImpulse([0, 0, 0], 0, 1),
    'a blast that does not reach it': ({ world }) => world.applyRadialImpulse([2, 0, 0], 1, 1),
    'a ground that is asked to stay': ({ ground }) => ground.setPose([0, 0, 0], [0, 0, 0, 1]),
    'reading it': ({ body }) => void positionsOf(body),
    'a ball far away': ({ world }) => void world.addCollider(sphere(0.3), { position: [4, 0.3, 0] }),
    'a ball of another group': ({ world }) =>
      void world.addCollider(sphere(0.3), { position: [0.4, 0.3, 0], collisionGroups: [0, 0] }),
  }

  it.each(Object.entries(trifles))('not by %s', (_, leave) => {
    const scene = lying()
    untilAsleep(scene.world, scene.body)
    leave(scene)
    scene.world.step()
    expect(scene.body.asleep).toBe(true)
  })

  it('not by an impulse on its pins alone', () => {
    const { world, body } = lying()
    body.pin([0])
    untilAsleep(world, body)
    body.applyImpulse([0, 1, 0], { particles: Uint32Array.of(0), weights: Float64Array.of(1) })
    world.step()
    expect(body.asleep).toBe(true)
    body.applyImpulse([0, 1, 0], { particles: Uint32Array.of(0, 1), weights: Float64Array.of(0.5, 0.5) })
    expect(body.asleep).toBe(false)
  })

  it('by a collider that comes near, and not before', () => {
    const { world, body } = lying()
    const ball = world.addCollider(sphere(0.2), { position: [3, 0.25, 0] })
    untilAsleep(world, body)
    let x = 3
    while (body.asleep && x > 0) {
      x -= 0.02
      ball.setPose([x, 0.25, 0], [0, 0, 0, 1])
      world.step()
    }
    // Its surface is then at x - 0.2, the body's side at 0.25 with its thickness; a step and 2% of its size before that.
    expect(x - 0.2).toBeGreaterThan(0.25)
    expect(x - 0.2).toBeLessThan(0.25 + 0.02 + 0.02 + 0.02 * 0.5 + 0.01)
  })

  it('by a collider so fast that it is through within a step', () => {
    const { world, body } = lying()
    const bat = world.addCollider(box([0.05, 1, 1]), { position: [2, 1, 0] })
    untilAsleep(world, body)
    bat.setPose([-2, 1, 0], [0, 0, 0, 1])
    world.step()
    expect(body.asleep).toBe(false)
  })

  it('and sleeps again', () => {
    const { world, body } = lying()
    untilAsleep(world, body)
    body.applyImpulse([0, 200, 0])
    expect(untilAsleep(world, body)).toBeGreaterThan(0.5)
  })
})

describe('a body put to sleep by a call', () => {
  it('stays where it is, in the air, until it is woken', () => {
    const world = new World()
    const body = world.addBody(model, { position: [0, 5, 0] })
    run(world, 0.2)
    body.sleep()
    world.step()
    const place = centerOf(body)
    run(world, 2)
    expect(centerOf(body)).toEqual(place)
    body.wake()
    run(world, 0.5)
    // From rest: g t^2 / 2 and the substep's g h t / 2.
    expect(place[1] - centerOf(body)[1]).toBeCloseTo((9.81 * 0.5 * (0.5 + 1 / 600)) / 2, 9)
  })
})
