// Contact events: who begins to touch, strikes and leaves whom.
import { BoxGeometry, IcosahedronGeometry, TorusGeometry } from 'three'
import { describe, expect, it } from 'vitest'
import { ReferenceSolver } from '../../src/backends/reference/step.js'
import { TOUCH } from '../../src/core/collision/touches.js'
import { World as CoreWorld } from '../../src/core/world.js'
import {
  type Body,
  type BodySettings,
  box,
  type Collider,
  type ColliderShape,
  type ContactEvent,
  capsule,
  clothModel,
  compound,
  heightfield,
  hull,
  type Model,
  mesh,
  type PresetName,
  plane,
  presets,
  ropeModel,
  softBodyModel,
  sphere,
  tetMeshModel,
  type Vec3,
  World,
} from '../../src/headless.js'
import { Random, seeds } from '../support/draw.js'
import { ball, boxLattice, cube } from '../support/lattice.js'
import { centerOf, expectHealthy, particle, run, velocityOf } from '../support/laws.js'
import { long } from '../support/long.js'
import { fromGeometry, realMesh } from '../support/meshes.js'
import { sized } from '../support/sized.js'

const model = cube(0.5, 2)
const firm = { ...presets.firm, restitution: 0 }

type Told = {
  kind: string
  self: Body | Collider
  other: Body | Collider
  impulse: number
  point: number[]
  normal: number[]
}

interface Source {
  onContactEnter(callback: (event: ContactEvent) => void): () => void
  onContactExit(callback: (event: ContactEvent) => void): () => void
  onImpact(callback: (event: ContactEvent) => void): () => void
}

/** Writes down all contact events of a world, body or collider. */
function record(source: Source): { told: Told[]; kinds: () => string[]; stop: () => void } {
  const told: Told[] = []
  const note = (kind: string) => (event: ContactEvent) => {
    const { self, other, impulse, point, normal } = event
    told.push({ kind, self, other, impulse, point: [...point], normal: [...normal] })
  }
  const stops = [
    source.onContactEnter(note('enter')),
    source.onContactExit(note('exit')),
    source.onImpact(note('impact')),
  ]
  return { told, kinds: () => told.map(({ kind }) => kind), stop: () => stops.forEach((stop) => stop()) }
}

/** A firm cube that falls from `height` onto the ground, and everything that is told of it. */
function falling(height: number, restitution = 0) {
  const world = new World()
  const ground = world.addCollider(plane())
  const body = world.addBody(model, { ...firm, restitution, position: [0, 0.25 + height, 0] })
  return { world, ground, body, ofWorld: record(world), ofBody: record(body), ofGround: record(ground) }
}

describe('a body that lands', () => {
  it('begins to touch once, strikes once, and goes on touching, asleep too', () => {
    const { world, body, ofWorld, ofBody, ofGround } = falling(0.5)
    run(world, 5)
    expect(body.asleep).toBe(true)
    for (const { kinds } of [ofWorld, ofBody, ofGround]) expect(kinds()).toEqual(['enter', 'impact'])
  })

  it('strikes once at any rate of frames, with the same impulse', () => {
    const random = new Random(seeds(1)[0]!)
    const rates = [24, 30, 50, 60, 75, 90, 120, 144, 240]
    const frames = [...rates.map((rate) => () => 1 / rate), () => random.uniform(0, 0.05)]
    const impulses = frames.map((frame) => {
      const { world, ofWorld, ofBody, ofGround } = falling(0.5)
      while (world.time < 2) world.advance(frame())
      for (const { kinds } of [ofWorld, ofBody, ofGround]) expect(kinds()).toEqual(['enter', 'impact'])
      return ofBody.told[1]!.impulse
    })
    expect(new Set(impulses).size).toBe(1)
  })

  it('says to each side who it is, and where', () => {
    const { world, body, ground, ofWorld, ofBody, ofGround } = falling(0.5)
    run(world, 2)
    for (const { told } of [ofWorld, ofBody]) {
      for (const { self, other, normal, point } of told) {
        expect([self, other]).toEqual([body, ground])
        expect(normal).toEqual([0, 1, 0])
        expect(Math.abs(point[1]!)).toBeLessThan(0.01)
      }
    }
    for (const { self, other, normal } of ofGround.told) {
      expect([self, other]).toEqual([ground, body])
      expect(normal.map((n) => n + 0)).toEqual([0, -1, 0])
    }
  })

  for (const [restitution, height] of [0, 0.5].flatMap((e) => [0.2, 1, 3].map((h) => [e, h] as const))) {
    it(`strikes with the impulse that turns it, (1 + e) m v within 10%, from ${height} m, e = ${restitution}`, () => {
      const { world, body, ofBody } = falling(height, restitution)
      let speed = 0
      world.onBeforeStep(() => {
        if (ofBody.told.length === 0) speed = -velocityOf(body)[1]
      })
      run(world, 2)
      const { impulse, normal } = ofBody.told.find(({ kind }) => kind === 'impact')!
      expect(impulse / ((1 + restitution) * body.mass * speed)).toBeGreaterThan(0.9)
      expect(impulse / ((1 + restitution) * body.mass * speed)).toBeLessThan(1.1)
      expect(normal).toEqual([0, 1, 0])
    })
  }

  it('put down gently strikes nothing', () => {
    const { world, ofBody } = falling(2e-4) // 6 cm/s
    run(world, 2)
    expect(ofBody.kinds()).toEqual(['enter'])
  })

  it('bears what is put onto it, which strikes nothing', () => {
    const world = new World({ sleeping: false })
    world.addCollider(plane())
    for (const k of [0, 1, 2]) world.addBody(model, { ...firm, position: [0, 0.26 + 0.51 * k, 0] })
    run(world, 6)
    const { told } = record(world)
    run(world, 3)
    expect(told).toEqual([])
  })

  it.each(['jelly', 'firm', ...long('rubber', 'muscle')] as const)(
    'without a bounce strikes once, however it wobbles: %s',
    (name) => {
      for (const seed of seeds(4)) {
        const random = new Random(seed)
        const world = new World({ sleeping: false })
        world.addCollider(plane())
        const height = random.uniform(0.2, 0.8)
        const radius = random.uniform(0.2, 0.5)
        const body = world.addBody(ball(radius, 5), {
          ...presets[name],
          restitution: 0,
          position: [0, radius + height, 0],
        })
        const { kinds } = record(body)
        run(world, 3)
        expect(kinds(), `seed ${seed}`).toEqual(['enter', 'impact'])
      }
    },
  )

  it('thrown up leaves, and comes back', () => {
    const { world, body, ofBody } = falling(0.1)
    run(world, 2)
    body.setVelocity([0, 3, 0])
    run(world, 0.3)
    expect(ofBody.kinds().slice(2)).toEqual(['exit'])
    expect(ofBody.told.at(-1)!.impulse).toBe(0)
    run(world, 2)
    expect(ofBody.kinds().slice(2, 5)).toEqual(['exit', 'enter', 'impact']) // and more where it hops
  })
})

describe.each(Object.keys(presets) as PresetName[])('a body of %s', (name) => {
  for (const seed of seeds(1)) {
    it(`that comes to rest begins to touch as often as it leaves and once more, and does not flicker, seed ${seed}`, () => {
      const random = new Random(seed)
      const world = new World({ sleeping: false })
      world.addCollider(plane())
      const body = world.addBody(random.uniform() < 0.5 ? cube(0.5, 2) : ball(0.3, 3), {
        ...presets[name],
        position: [0, 0.6, 0],
      })
      const { told, kinds } = record(body)
      run(world, 6)
      const changes = kinds().filter((kind) => kind !== 'impact')
      changes.forEach((kind, k) => expect(kind).toBe(k % 2 === 0 ? 'enter' : 'exit'))
      expect(changes.length % 2).toBe(1)
      told.length = 0
      run(world, 4)
      expect(kinds()).toEqual([])
    })
  }
})

describe('a touch that lapses', () => {
  for (const [steps, parts] of [
    [1, false],
    [8, true],
  ] as const) {
    it(`as gravity lifts it for ${steps} steps has ${parts ? '' : 'not '}parted`, () => {
      const world = new World({ sleeping: false })
      world.addCollider(plane())
      const body = world.addBody(model, { ...presets.rubber, position: [0, 0.26, 0] })
      run(world, 3)
      const { kinds } = record(body)
      let touchless = 0
      const step = (gravity: number) => {
        world.set({ gravity: [0, gravity, 0] })
        world.step()
        if (world.stats.contacts === 0) touchless++
      }
      for (let k = 0; k < steps; k++) step(9.81)
      expect(touchless).toBe(steps)
      for (let k = 0; k < 60; k++) step(-9.81)
      expect(kinds().filter((kind) => kind === 'exit').length > 0).toBe(parts)
    })
  }
})

describe('what sleeps', () => {
  const upright = [0, 0, 0, 1] as const
  const ways: [string, (gate: Collider) => void][] = [
    ['goes in one step', (gate) => gate.setPose([9, 0.3, 0], upright)],
    ['passes on', (gate) => gate.setPose([-9, 0.3, 0], upright)],
    ['shrinks', (gate) => gate.set({ shape: sphere(0.01) })],
    ['does not meet it any more', (gate) => gate.set({ collisionGroups: [1, 0] })],
  ]
  for (const sensor of ['body', 'collider'] as const) {
    it.each(ways)(`has parted after a few steps, the ${sensor} a sensor, where the collider %s`, (_, leave) => {
      const world = new World({ gravity: [0, 0, 0] })
      const body = world.addBody(model, { ...firm, sensor: sensor === 'body' })
      const gate = world.addCollider(sphere(0.3), { position: [0.5, 0.3, 0], sensor: sensor === 'collider' })
      const { kinds } = record(body)
      run(world, 1)
      expect([body.asleep, kinds()]).toEqual([true, ['enter']])
      leave(gate)
      run(world, 0.2)
      expect([body.asleep, kinds()]).toEqual([true, ['enter', 'exit']])
    })
  }

  it('has parted from what passes it in one step, itself a sensor', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const body = world.addBody(model, { ...firm, sensor: true })
    const gate = world.addCollider(sphere(0.3), { position: [9, 0, 0] })
    run(world, 1)
    const { kinds } = record(body)
    gate.setPose([-9, 0, 0], upright)
    run(world, 0.2)
    expect([body.asleep, kinds()]).toEqual([true, ['enter', 'exit']])
  })

  it('has parted from the ground that it has just left, or that it meets no more', () => {
    const world = new World()
    const ground = world.addCollider(plane())
    const body = world.addBody(model, { ...firm, position: [0, 0.25, 0] })
    const { kinds } = record(body)
    run(world, 0.5)
    expect(kinds()).toEqual(['enter'])
    body.setVelocity([0, 4, 0])
    run(world, 3 / 60)
    body.sleep()
    run(world, 0.2)
    expect([body.asleep, kinds()]).toEqual([true, ['enter', 'exit']])
    body.teleport([0, 0.25, 0])
    run(world, 0.5)
    for (const one of [body, ground]) {
      const before = kinds().length
      one.set({ collisionGroups: [1, 0] })
      body.sleep()
      run(world, 0.2)
      expect([body.asleep, kinds().slice(before)]).toEqual([true, ['exit']])
      one.set({ collisionGroups: [1, 1] })
      body.teleport([0, 0.25, 0])
      run(world, 0.5)
      expect(kinds().slice(before)).toEqual(['exit', 'enter'])
    }
  })

  for (const seed of seeds(4)) {
    it(`goes on touching what it lies on, whenever it is put to sleep, seed ${seed}`, () => {
      const random = new Random(seed)
      const world = new World()
      const ground = world.addCollider(plane())
      const bodies = [0, 1, 2].map((k) =>
        world.addBody(k === 2 ? ball(0.2, 3) : cube(0.4, 2), {
          ...presets[(['firm', 'rubber', 'jelly'] as const)[random.integer(0, 2)]!],
          position: [0.01 * k, 0.21 + 0.42 * k, 0],
          rotation: [0, Math.sin(0.2 * k), 0, Math.cos(0.2 * k)],
        }),
      )
      run(world, 1.5 + random.uniform())
      for (const body of bodies) body.sleep()
      run(world, 1)
      const { kinds } = record(world)
      run(world, 2)
      expect(bodies.map((body) => body.asleep)).toEqual([true, true, true])
      expect(kinds()).toEqual([])
      // They know what they lie on: it wakes them as it goes.
      ground.remove()
      run(world, 0.1)
      expect(bodies.map((body) => body.asleep)).toEqual([false, false, false])
    })
  }
})

describe('the impulses of a step', () => {
  it('bear the weight of what rests: m g T within 1%', () => {
    const solver = new ReferenceSolver()
    const world = new CoreWorld({ sleeping: false }, solver)
    world.addCollider(plane())
    const body = world.addBody(model, { ...presets.rubber, position: [0, 0.26, 0] })
    run(world, 3)
    let sum = 0
    run(world, 1, () => {
      expect(solver.touches.count).toBe(1)
      sum += solver.touches.numbers[TOUCH.IMPULSE]!
    })
    expect(sum / (body.mass * 9.81)).toBeCloseTo(1, 2)
  })
})

describe('two that touch part', () => {
  const ends: Record<string, (scene: ReturnType<typeof falling>) => void> = {
    'when the body is removed': ({ body }) => body.remove(),
    'when the collider is removed': ({ ground }) => ground.remove(),
    'when the body is teleported': ({ body }) => body.teleport([0, 5, 0]),
    'when the body is reset': ({ body }) => body.reset(),
    'when the collider is teleported': ({ ground }) => ground.teleport([0, -5, 0], [0, 0, 0, 1]),
  }

  it.each(Object.entries(ends))('%s: told with the next frame, also of a world that is paused', (_, end) => {
    const scene = falling(0.5)
    run(scene.world, 3)
    const before = scene.ofBody.told.length
    end(scene)
    scene.world.set({ paused: true })
    scene.world.advance(1 / 60)
    for (const { kinds } of [scene.ofBody, scene.ofWorld, scene.ofGround])
      expect(kinds().slice(before)).toEqual(['exit'])
    scene.world.step()
    expect(scene.ofBody.kinds().slice(before)).toEqual(['exit'])
  })

  it('at once by a reset of the world, a snapshot from before, or when all is disposed of', () => {
    const before: ((scene: ReturnType<typeof falling>) => () => void)[] = [
      ({ world }) =>
        () =>
          world.reset(),
      ({ world }) => {
        const snapshot = world.snapshot()
        return () => world.restore(snapshot)
      },
      ({ world }) =>
        () =>
          world.dispose(),
    ]
    for (const prepare of before) {
      const scene = falling(0.5)
      const end = prepare(scene)
      run(scene.world, 2)
      expect(scene.ofWorld.kinds()).toEqual(['enter', 'impact'])
      end()
      for (const { kinds } of [scene.ofWorld, scene.ofBody, scene.ofGround]) {
        expect(kinds()).toEqual(['enter', 'impact', 'exit'])
      }
    }
  })

  it('not by a snapshot in which they touch too', () => {
    const { world, body, ofWorld } = falling(0.1)
    run(world, 2)
    const snapshot = world.snapshot()
    run(world, 0.2)
    world.restore(snapshot)
    expect(ofWorld.kinds()).toEqual(['enter', 'impact'])
    body.teleport([0, 5, 0])
    world.step()
    expect(ofWorld.kinds()).toEqual(['enter', 'impact', 'exit'])
    world.restore(snapshot)
    world.step()
    expect(ofWorld.kinds()).toEqual(['enter', 'impact', 'exit', 'enter'])
  })
})

describe('two bodies that run into each other in free space', () => {
  const soft = { ...presets.rubber, restitution: 0.1, shapeDamping: 6 }
  const net = () => {
    const { model: sheet } = clothModel({ width: 1, height: 1, segmentsX: 12, segmentsY: 12 })
    return { sheet, rims: Array.from({ length: 13 }, (_, i) => [i, 156 + i]).flat() }
  }
  const others: Record<string, (world: World) => Body> = {
    'a cube': (world) => world.addBody(cube(0.5, 3), { ...soft, position: [0.7, 0.013, 0.02], mass: 10 }),
    'a ball four times as heavy': (world) => world.addBody(ball(0.3, 4), { ...soft, position: [0.7, 0, 0], mass: 40 }),
    // It goes about what it catches, and squeezes that from all sides.
    'a cloth held by two edges': (world) => {
      const { sheet, rims } = net()
      const body = world.addBody(sheet, { rotation: [0, Math.SQRT1_2, 0, Math.SQRT1_2], position: [0.3, 0, 0] })
      body.pin(rims)
      return body
    },
  }

  it.each(Object.entries(others))(
    'begin to touch, strike once and part, with the momentum that passes: %s',
    (_, add) => {
      const world = new World({ gravity: [0, 0, 0] })
      const one = world.addBody(cube(0.3, 3), { ...soft, position: [-0.6, 0, 0], mass: 10 })
      const other = add(world)
      one.setVelocity([4, 0, 0])
      const [ofOne, ofOther, ofWorld] = [record(one), record(other), record(world)]
      run(world, 2)
      const passed = one.mass * (4 - velocityOf(one)[0])
      expect(passed).toBeGreaterThan(10)
      for (const { kinds } of [ofOne, ofOther, ofWorld]) expect(kinds()).toEqual(['enter', 'impact', 'exit'])
      const [, mine] = ofOne.told
      const [, its] = ofOther.told
      // What a cloth gives back takes longer than an impact is added up for.
      expect(mine!.impulse / passed).toBeGreaterThan(other.model.tets.length > 0 ? 0.85 : 0.5)
      expect(mine!.impulse / passed).toBeLessThan(1.1)
      // Away from the other, on either side.
      expect(mine!.normal[0]).toBeLessThan(-0.8)
      expect(its!.normal[0]).toBeGreaterThan(0.8)
      expect([mine!.other, its!.other]).toEqual([other, one])
    },
  )
})

describe('impacts of shots without gravity', () => {
  const shapes: Record<string, () => [shape: ColliderShape, top: number]> = {
    plane: () => [plane(), 0],
    box: () => [box([2, 0.5, 2]), 0.5],
    hull: () => [hull([-2, -1, -2, 2, -1, -2, -2, -1, 2, 2, -1, 2, -2, 0, -2, 2, 0, -2, -2, 0, 2, 2, 0, 2]), 0],
    heightfield: () => [
      heightfield(
        [0, 0, 0].map(() => [0, 0, 0]),
        4,
        4,
      ),
      0,
    ],
    mesh: () => [mesh({ positions: [-2, 0, -2, 2, 0, -2, 2, 0, 2, -2, 0, 2], index: [0, 2, 1, 0, 3, 2] }), 0],
    compound: () => [compound([-1, 1].map((z) => ({ shape: box([2, 0.5, 1]), position: [0, -0.5, z] as const }))), 0],
    sphere: () => [sphere(1), 1],
    capsule: () => [capsule(0.8, 1), 1.3],
  }
  const makers = [
    async () => fromGeometry(new IcosahedronGeometry(1, 3)),
    async () => fromGeometry(new BoxGeometry(1, 0.8, 0.6)),
    async () => fromGeometry(new TorusGeometry(1, 0.4, 12, 24)),
    () => realMesh('bunny'),
  ]
  const materials = ['firm', 'rubber', 'jelly'] as const

  /** A body of any shape and material, turned anyhow. */
  async function draw(random: Random, world: World, restitution: number, position: Vec3): Promise<Body> {
    const size = random.uniform(0.3, 0.9)
    const { model } = softBodyModel(sized(await makers[random.integer(0, 3)]!(), size), { resolution: 6 })
    const preset = presets[materials[random.integer(0, 2)]!]
    const friction = random.uniform(0, 1)
    return world.addBody(model, { ...preset, restitution, friction, position, rotation: random.rotation() })
  }

  /**
   * Lets a body that is on its way strike. Of its impacts: the sum, and the first; and what has changed its momentum along
   * their normals [N s], all in all and until that first one was told.
   */
  function strike(world: World, body: Body, seconds: number) {
    const before = velocityOf(body)
    const sum = [0, 0, 0]
    let first = 0
    let untilFirst = 0
    const changed = (along: readonly number[]) =>
      velocityOf(body).reduce((all, v, d) => all + body.mass * (v - before[d]!) * along[d]!, 0)
    body.onImpact(({ impulse, normal }) => {
      for (let d = 0; d < 3; d++) sum[d]! += impulse * normal[d]!
      if (first !== 0) return
      first = impulse
      untilFirst = changed(normal)
    })
    run(world, seconds)
    const size = Math.hypot(...sum)
    return { first, untilFirst, size, all: changed(sum.map((s) => s / size)) }
  }

  /** What is not to bounce has an impact as long as it is pressed; what it then lifts off by, it gives back as it leaves. */
  function expectMomentum(restitution: number, { first, untilFirst, size, all }: ReturnType<typeof strike>): void {
    expect(first / untilFirst).toBeGreaterThan(0.98)
    expect(first / untilFirst).toBeLessThan(1.02)
    if (restitution === 0) return
    expect(size / all).toBeGreaterThan(0.9)
    expect(size / all).toBeLessThan(1.1)
  }

  const names = Object.keys(shapes)
  for (const seed of seeds(8)) {
    const name = names[seed % names.length]!
    it(`tell m dv within 2% until they are told, of what bounces all of it within 10%: at a ${name}, seed ${seed}`, async () => {
      const random = new Random(seed)
      const world = new World({ gravity: [0, 0, 0] })
      const [shape, top] = shapes[name]!()
      world.addCollider(shape, { position: [0, -top, 0] })
      const restitution = [0, 0.4, 0.8][random.integer(0, 2)]!
      const body = await draw(random, world, restitution, [0, 1, 0])
      body.setVelocity([0, -random.uniform(1, 5), 0])
      expectMomentum(restitution, strike(world, body, 3))
    })
  }

  for (const seed of seeds(4)) {
    it(`tell m dv within 2% until they are told, of what bounces all of it within 10%: of two bodies, seed ${seed}`, async () => {
      const random = new Random(seed)
      const world = new World({ gravity: [0, 0, 0] })
      const restitution = [0, 0.4, 0.8][random.integer(0, 2)]!
      const one = await draw(random, world, restitution, [-0.8, random.uniform(-0.1, 0.1), 0])
      const other = await draw(random, world, restitution, [0.8, 0, 0])
      one.setVelocity([random.uniform(1, 7), 0, 0])
      other.setVelocity([-random.uniform(1, 7), 0, 0])
      expectMomentum(restitution, strike(world, one, 2))
    })
  }

  it('tell m dv within 2%: of a cloth that bounces off a cube', () => {
    const world = new World({ gravity: [0, 0, 0] })
    world.addBody(cube(0.5, 3), { ...presets.firm, mass: 50 })
    const { model: sheet } = clothModel({ width: 0.4, height: 0.4, segmentsX: 8, segmentsY: 8 })
    const cloth = world.addBody(sheet, { restitution: 0.8, mass: 1, drag: 0, position: [0, 0.6, 0] })
    cloth.setVelocity([0, -4, 0])
    expectMomentum(0.8, strike(world, cloth, 1))
  })
})

describe('listeners', () => {
  it('get one and the same event object, and none once they are stopped', () => {
    const { world, body, ofBody } = falling(0.2)
    const seen = new Set<ContactEvent>()
    body.onContactEnter((event) => seen.add(event))
    world.onImpact((event) => seen.add(event))
    const stop = body.onImpact(() => {
      stop()
      ofBody.stop()
    })
    run(world, 1)
    expect(seen.size).toBe(1)
    expect(ofBody.kinds()).toEqual(['enter', 'impact'])
    body.teleport([0, 2, 0])
    run(world, 1.5)
    expect(ofBody.kinds()).toEqual(['enter', 'impact'])
  })

  it('that throw keep nobody else from hearing, nor the step from being done', () => {
    const { world, body, ofBody, ofGround } = falling(0.2)
    let after = 0
    world.onAfterStep(() => after++)
    world.onContactEnter(() => {
      throw new Error('first')
    })
    world.onContactEnter(() => {
      throw new Error('second')
    })
    const errors: string[] = []
    for (let frame = 0; frame < 30; frame++) {
      try {
        world.advance(2 / 60)
      } catch (error) {
        errors.push((error as Error).message)
      }
    }
    expect(errors).toEqual(['first'])
    expect(ofBody.kinds().slice(0, 2)).toEqual(['enter', 'impact'])
    expect(ofGround.kinds()).toEqual(ofBody.kinds())
    expect(world.stepIndex).toBe(60)
    expect(after).toBe(60)
    expect(body.alive).toBe(true)
  })

  it('may remove what touched, stop others and add more', () => {
    const world = new World()
    world.addCollider(plane())
    const bodies = [0, 1, 2].map((x) => world.addBody(model, { ...firm, position: [x, 0.5, 0] }))
    const { told, kinds } = record(world)
    world.onContactEnter(({ self }) => {
      ;(self as Body).remove()
      expect((self as Body).alive).toBe(false)
      expect(() => world.step()).toThrow('must not step')
      world.onContactExit(() => {})
    })
    expect(() => run(world, 1)).not.toThrow()
    world.step()
    expect(kinds()).toEqual(['enter', 'enter', 'enter', 'exit', 'exit', 'exit'])
    expect(told.map(({ self }) => bodies.indexOf(self as Body)).sort((a, b) => a - b)).toEqual([0, 0, 1, 1, 2, 2])
  })

  it('hear of sleep and of waking', () => {
    const { world, body } = falling(0.1)
    const told: string[] = []
    body.onSleep((who) => told.push(who === body ? 'body sleeps' : ''))
    body.onWake(() => told.push('body wakes'))
    world.onSleep((who) => told.push(who === body ? 'one sleeps' : ''))
    world.onWake(() => told.push('one wakes'))
    run(world, 4)
    expect(told).toEqual(['one sleeps', 'body sleeps'])
    body.wake()
    world.advance(0)
    expect(told.slice(2)).toEqual(['one wakes', 'body wakes'])
    run(world, 2)
    expect(told.slice(4)).toEqual(['one sleeps', 'body sleeps'])
  })
})

describe('a sensor', () => {
  it('notices a body that falls through, and does not slow it', () => {
    const world = new World()
    const gate = world.addCollider(box([1, 0.2, 1]), { sensor: true, position: [0, -1, 0] })
    const body = world.addBody(model, { ...presets.rubber, position: [0, 1, 0] })
    const free = new World().addBody(model, { ...presets.rubber, position: [0, 1, 0] })
    const { told, kinds } = record(gate)
    expect(free.alive).toBe(true)
    run(world, 1.5)
    expect(kinds()).toEqual(['enter', 'exit'])
    expect(told[0]).toMatchObject({ self: gate, other: body, impulse: 0 })
    // g t^2 / 2, and g h t / 2 of the method.
    expect(centerOf(body)[1]).toBeCloseTo(1 - (9.81 * 1.5 * (1.5 + 1 / 600)) / 2, 9)
  })

  it('can be a body, which notices the ground that it falls through', () => {
    const world = new World()
    const wall = world.addCollider(sphere(0.5))
    const ghost = world.addBody(model, { ...presets.rubber, sensor: true, position: [0, 1.5, 0] })
    const { told } = record(ghost)
    run(world, 2)
    expect(told.map(({ kind, other, impulse }) => [kind, other === wall, impulse])).toEqual([
      ['enter', true, 0],
      ['exit', true, 0],
    ])
  })

  it('notices what it does not collide with by its group as little as anything else', () => {
    const world = new World()
    const gate = world.addCollider(box([1, 1, 1]), { sensor: true, collisionGroups: [1, 2] })
    world.addBody(model, { collisionGroups: [4, 4] })
    const { told } = record(gate)
    run(world, 0.5)
    expect(told).toEqual([])
  })

  it('that moves finds what sleeps, leaves it again, and does not wake it', () => {
    const world = new World()
    world.addCollider(plane())
    const body = world.addBody(model, { ...presets.rubber, position: [0, 0.26, 0] })
    const gate = world.addCollider(sphere(0.3), { sensor: true, position: [3, 0.3, 0] })
    run(world, 4)
    const { told, kinds } = record(gate)
    for (let x = 3; x > -3; x -= 0.05) {
      gate.setPose([x, 0.3, 0], [0, 0, 0, 1])
      world.step()
    }
    run(world, 0.2)
    expect(body.asleep).toBe(true)
    expect(kinds()).toEqual(['enter', 'exit'])
    expect(told[0]!.other).toBe(body)
  })

  it('tells what sleeps that it has come, gone and passed by in one step each', () => {
    const world = new World()
    world.addCollider(plane())
    const body = world.addBody(model, { ...presets.rubber, position: [0, 0.26, 0] })
    run(world, 4)
    const upright = [0, 0, 0, 1] as const
    const gate = world.addCollider(sphere(0.3), { sensor: true, position: [0, 0.3, 0] })
    const { kinds } = record(gate)
    run(world, 0.2)
    expect(kinds()).toEqual(['enter'])
    gate.setPose([9, 0.3, 0], upright)
    run(world, 0.2)
    expect(kinds()).toEqual(['enter', 'exit'])
    gate.teleport([0, 0.3, 0], upright)
    const kept = world.snapshot()
    run(world, 0.2)
    expect(kinds()).toEqual(['enter', 'exit', 'enter'])
    world.restore(kept)
    run(world, 0.2)
    expect(kinds().slice(3)).toEqual(['exit', 'enter'])
    gate.teleport([9, 0.3, 0], upright)
    run(world, 0.2)
    gate.setPose([-9, 0.3, 0], upright)
    run(world, 0.2)
    expect(kinds().slice(5)).toEqual(['exit', 'enter', 'exit'])
    gate.set({ shape: box([1, 1, 1]) })
    // What has passed the half of it touches the other half.
    for (const side of [-1, 1]) {
      const before = kinds().length
      gate.teleport([0, 0.3, 5 * side], upright)
      run(world, 0.2)
      gate.setPose([0, 0.3, -1.1 * side], upright)
      run(world, 0.5)
      expect(kinds().slice(before).slice(-1)).toEqual(['enter'])
    }
    expect(body.asleep).toBe(true)
  })

  const upright = [0, Math.SQRT1_2, 0, Math.SQRT1_2] as const
  const patch = clothModel({ width: 0.3, height: 0.3, segmentsX: 3, segmentsY: 3 }).model
  const thread = ropeModel({ points: [[-0.15, 0, 0] as const, [0.15, 0, 0] as const], radius: 0.01, segments: 3 }).model
  const airless = { drag: 0, lift: 0 }
  const comers: Record<string, [Model, Partial<BodySettings>]> = {
    'a cube of one cell': [cube(0.3, 1), firm],
    'a finer cube': [cube(0.3, 3), firm],
    'a ball': [ball(0.15, 4), firm],
    'a bar across its way': [tetMeshModel(boxLattice([0.14, 0.14, 0.8], [1, 1, 5])).model, firm],
    // In its midst no particle is in the other.
    'a bar along its way': [tetMeshModel(boxLattice([1.4, 0.14, 0.14], [1, 1, 1])).model, firm],
    'a cloth across its way': [patch, { ...airless, rotation: upright }],
    'a cloth along its way': [patch, airless],
    'a rope along its way': [thread, { drag: 0 }],
  }
  const sheet = clothModel({ width: 1, height: 1, segmentsX: 5, segmentsY: 5 }).model
  const gates: Record<string, [Model, Partial<BodySettings>, number]> = {
    solid: [cube(0.5, 3), firm, 0.25],
    cloth: [sheet, { ...airless, rotation: upright }, 0],
  }
  const through = Object.keys(gates).flatMap((gate) => Object.keys(comers).map((comer) => [gate, comer] as const))
  it.each(through)('that is a %s is left once %s is out of it, and not before', (gateName, comer) => {
    for (const speed of [0.2, 1, 5]) {
      const world = new World({ gravity: [0, 0, 0] })
      const [gateModel, settings, half] = gates[gateName]!
      const gate = world.addBody(gateModel, { ...settings, sensor: true })
      gate.pin(Array.from({ length: gate.particleCount }, (_, i) => i))
      const [model, options] = comers[comer]!
      const body = world.addBody(model, { ...options, position: [1, 0.01, 0.02] })
      const { kinds } = record(gate)
      const reach = body.bounds(new Float64Array(6))[3]! - 1
      const x = () => body.centerOfMass([0, 0, 0])[0]
      // It stops half in, sleeps there, and goes on.
      const inside = half + 0.3 * reach
      body.setVelocity([-speed, 0, 0])
      for (let k = 0; k < 600 && x() > inside; k++) world.step()
      body.setVelocity([0, 0, 0])
      run(world, 2)
      const passed = x() < -half - reach - 0.01 // a cloth at 5 m/s has not stopped in a cloth
      expect([body.asleep, kinds()]).toEqual([true, passed ? ['enter', 'exit'] : ['enter']])
      body.setVelocity([-speed, 0, 0])
      for (let k = 0; k < 600 && x() > -half - reach + 0.01; k++) {
        expect(kinds()).toEqual(['enter'])
        world.step()
      }
      for (let k = 0; k < 600 && x() > -half - reach - 0.02; k++) world.step()
      run(world, 0.1)
      expect(kinds()).toEqual(['enter', 'exit'])
    }
  })

  for (const seed of seeds(2)) {
    it(`that is a body notices every cloth and solid that it flies through at 20 to 100 m/s, seed ${seed}`, () => {
      const random = new Random(seed)
      const sheet = clothModel({ width: 1, height: 1, segmentsX: 6, segmentsY: 6 }).model
      for (let shot = 0; shot < 40; shot++) {
        const world = new World({ gravity: [0, 0, 0] })
        const position = [random.uniform(-3, -1), random.uniform(-0.3, 0.3), random.uniform(-0.3, 0.3)] as const
        const ghost = world.addBody(ball(0.05, 2), { sensor: true, position })
        const speed = random.uniform(20, 100)
        ghost.setVelocity([speed, 0, 0])
        if (shot % 2 === 0) world.addBody(sheet, { rotation: [0, Math.SQRT1_2, 0, Math.SQRT1_2] })
        else world.addBody(cube(0.8, 3))
        const { kinds } = record(ghost)
        run(world, 0.4)
        expect(kinds()).toEqual(['enter', 'exit'])
        expect(velocityOf(ghost)[0]).toBeCloseTo(speed, 9)
      }
    })
  }

  for (const seed of seeds(3)) {
    it(`thin as paper notices every shot at up to 100 m/s, seed ${seed}`, () => {
      const random = new Random(seed)
      for (let shot = 0; shot < 30; shot++) {
        const world = new World({ gravity: [0, 0, 0] })
        const gate = world.addCollider(box([2, 0.001, 2]), { sensor: true })
        const at = [random.uniform(-1, 1), random.uniform(0.2, 2), random.uniform(-1, 1)] as const
        const body = world.addBody(particle(), { position: at, thickness: 1e-4 })
        const speed = random.uniform(5, 100)
        body.setVelocity([random.uniform(-1, 1), -speed, random.uniform(-1, 1)])
        const { kinds } = record(gate)
        run(world, (at[1] + 0.1) / speed + 0.2)
        expect(kinds()).toEqual(['enter', 'exit'])
        expectHealthy(world)
      }
    })
  }
})
