import { describe, expect, it } from 'vitest'
import {
  type AttachOptions,
  type Body,
  box,
  capsule,
  clothModel,
  compound,
  cylinder,
  distance,
  heightfield,
  ModelBuilder,
  mesh,
  plane,
  type Quat,
  type RaycastOptions,
  room,
  ropeModel,
  SettingError,
  type Snapshot,
  shapeMatching,
  softBodyModel,
  sphere,
  stages,
  type TriangleMesh,
  volume,
  World,
} from '../../src/headless.js'
import { cube } from '../support/lattice.js'
import { centerOf, expectHealthy, particle, positionsOf, run } from '../support/laws.js'

const solid = cube(0.5, 2)
const solidSkin: TriangleMesh = { positions: solid.positions, index: solid.triangles }

const cast = (options: RaycastOptions) => new World().raycast([0, 0, 0], [1, 0, 0], options)

function thrownBy(act: () => unknown): unknown {
  try {
    return act()
  } catch (error) {
    return error
  }
}

describe('what a caller can get wrong', () => {
  it('a stiffness that the kind of a set does not have', () => {
    const world = new World()
    for (const [set, ways] of [
      ['edges', '{ compliance }, { modulus }, { relaxation }'],
      ['volumes', '{ compliance }, { modulus }'],
    ] as const) {
      expect(() => world.addBody(solid, { elastic: { [set]: { rate: 50 } } })).toThrow(`Use ${ways} or false`)
    }
    expect(() => world.addBody(solid, { elastic: null as never })).toThrow(SettingError)
    const builder = new ModelBuilder(new Float64Array(6)).with({ elastic: { spring: { compliance: -1 } } })
    expect(() => builder.constrain('spring', distance, Uint32Array.of(0, 1)).build()).toThrow(SettingError)
  })

  it.each([Number.NaN, 5, null, true, 'stiff', Symbol('stiff'), () => 1])(
    'an elastic that is no object: %s',
    (elastic) => {
      const world = new World()
      const body = world.addBody(solid)
      const before = body.settings.elastic
      for (const give of [
        () => world.addBody(solid, { elastic: elastic as never }),
        () => body.set({ elastic: elastic as never }),
      ]) {
        const error = thrownBy(give)
        expect(error).toBeInstanceOf(SettingError)
        expect(error).toMatchObject({ component: 'Body', prop: 'elastic' })
      }
      expect(body.settings.elastic).toEqual(before)
    },
  )

  it.each([Number.NaN, 5, null, {}, Symbol('body')])('a name that is no text: %s', (name) => {
    const world = new World()
    for (const [kind, add] of [
      ['Body', (settings: object) => world.addBody(solid, settings)],
      ['Body', (settings: object) => world.addBody({} as never, settings)],
      ['Collider', (settings: object) => world.addCollider(plane(), settings)],
      ['Collider', (settings: object) => world.addCollider({} as never, settings)],
    ] as const) {
      const error = thrownBy(() => add({ name }))
      expect(error).toBeInstanceOf(SettingError)
      expect((error as SettingError).component).toBe(kind)
    }
  })

  // Of two options that go together, one that is given alone, or where the other settles all.
  const noRotation = [Number.NaN, 'x', {}, -1, null, [0, 0, 0, 0], [Number.NaN, 0, 0, 1], [0, 0, 0, 5]]
  const noPlace = [Number.NaN, 'x', {}, -1, null, [0, Number.NaN, 0], [0, 0], [1e300, 0, 0]]
  const alone: [prop: string, bad: unknown[], give: (body: Body, other: Body, value: never) => unknown][] = [
    ['rotation', noRotation, (body, _, rotation) => body.spring(null, { rotation })],
    ['rotation', noRotation, (body, _, rotation) => body.spring(null, { to: [0, 3, 0], rotation })],
    ['rotation', noRotation, (body, other, rotation) => body.spring(other, { rotation })],
    ['position', noPlace, (body, _, position) => body.spring(null, { to: [0, 3, 0], position })],
    ['position', noPlace, (body, other, position) => body.spring(other, { position })],
    ['spring.from', noPlace, (body, other, from) => body.spring(other, { from })],
    ['spring.to', noPlace, (body, _, to) => body.spring(null, { to, position: [0, 3, 0] })],
    ['rotation', noRotation, (body, _, rotation) => body.join(null, { rotation })],
    ['rotation', noRotation, (body, other, rotation) => body.join(other, { rotation })],
    ['position', noPlace, (body, other, position) => body.join(other, { position })],
    ['join.at', noPlace, (body, other, at) => body.join(other, { within: 1e-3, at })],
    ['join.radius', [Number.NaN, 'x', -1], (body, _, radius) => body.join(null, { radius, particles: [0] })],
    ['join.within', [Number.NaN, 'x', -1], (body, _, within) => body.join(null, { within })],
    ['join.particles', ['x', {}, [-1], [1e9]], (a, b, particles) => a.join(b, { within: 1e-3, particles })],
    [
      'attach.damping',
      [Number.NaN, 'x', -1],
      (body, _, damping) => body.attach(body.region([0, 0, 0], 0), { damping }),
    ],
    [
      'applyImpulse.radius',
      [Number.NaN, 'x', -1, 0],
      (body, _, radius) => body.applyImpulse([1, 0, 0], undefined, { radius }),
    ],
    [
      'applyImpulse.falloff',
      ['x', null, 1],
      (body, _, falloff) => body.applyImpulse([1, 0, 0], body.region([0, 0, 0], 1), { falloff }),
    ],
    ['addForce.radius', [Number.NaN, 'x', -1, 0], (body, _, radius) => body.addForce([1, 0, 0], undefined, { radius })],
    [
      'addForce.falloff',
      ['x', null, 1],
      (body, _, falloff) => body.addForce([1, 0, 0], body.region([0, 0, 0], 1), { falloff }),
    ],
    ['rotation', noRotation, (body, _, rotation) => body.teleport([0, 1, 0], rotation)],
    ['rotation', noRotation, (_, __, rotation) => compound([{ shape: plane(), rotation }])],
    ['rotation', noRotation, (_, __, rotation) => new World().addCollider(plane(), { rotation })],
    ['seed', [Number.NaN, 'x', -1], (_, __, seed) => new World().addWind({ seed })],
    ['radius', [Number.NaN, 'x', -1], (_, __, radius) => new World().addAttractor({ radius })],
    ['thickness', [Number.NaN, 'x', -1], (_, __, thickness) => mesh(solidSkin, { solid: true, thickness })],
  ]

  it.each(alone)('%s, without what it goes with, or where that settles all', (prop, bad, give) => {
    for (const value of bad) {
      const world = new World()
      const body = world.addBody(solid)
      const other = world.addBody(solid, { position: [3, 0, 0] })
      const error = thrownBy(() => give(body, other, value as never))
      expect(error, String(value)).toBeInstanceOf(SettingError)
      expect((error as SettingError).prop).toBe(prop)
    }
  })

  it('a frame of endless or very long time leaves the next one as any other', () => {
    for (const seconds of [Infinity, -1, 1e18]) {
      const world = new World()
      world.advance(seconds)
      expect(world.advance(1 / 60)).toBeLessThanOrEqual(2)
      expect(world.interpolation).toBeGreaterThanOrEqual(0)
      expect(world.advance(1 / 60)).toBe(1)
    }
  })

  it('a collider whose rotation is not of unit length stands as the unit one, and one of length zero does not turn', () => {
    const turn: Quat = [0, 0, 0.6, 0.8]
    const centers = [1, 3, 0].map((length) => {
      const world = new World()
      const collider = world.addCollider(box([4, 0.1, 4]), { rotation: turn })
      const body = world.addBody(solid, { position: [0, 1, 0] })
      run(world, 1, () => collider.setPose([0, 0, 0], turn.map((x) => x * length) as unknown as Quat))
      expectHealthy(world)
      return centerOf(body)
    })
    for (let d = 0; d < 3; d++) {
      expect(centers[1]![d]).toBeCloseTo(centers[0]![d]!, 9)
      expect(centers[2]![d]).toBeCloseTo(centers[0]![d]!, 9)
    }
  })

  it('a particle or region of another body touches no neighbour', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const [body, neighbour] = [world.addBody(particle()), world.addBody(particle())]
    neighbour.pin([0])
    body.movePin(1, [5, 5, 5])
    expect(body.isPinned(1)).toBe(false)
    const foreign = { particles: Uint32Array.of(1), weights: Float64Array.of(1) }
    expect(() => body.applyImpulse([1, 0, 0], foreign)).toThrow(SettingError)
    expect(() => body.addForce([1, 0, 0], foreign)).toThrow(SettingError)
    const unweighted = { particles: Uint32Array.of(0), weights: Float64Array.of(NaN) }
    expect(() => body.attach(unweighted)).toThrow(SettingError)
    world.step()
    expect(centerOf(neighbour)).toEqual([0, 0, 0])
  })

  it('a region about no point, or of no radius, is refused where it is asked for', () => {
    const body = new World().addBody(solid)
    for (const place of [NaN, Number.POSITIVE_INFINITY, undefined]) {
      expect(() => body.region([place as number, 0, 0], 1)).toThrow(/region=/)
    }
    for (const radius of [NaN, -1, Number.POSITIVE_INFINITY, undefined, '1'] as number[]) {
      expect(() => body.region([0, 0, 0], radius)).toThrow(/region\.radius=/)
    }
    expect(() => body.region([0, 0, 0], 1, 'round' as 'smooth')).toThrow(/region\.falloff=/)
    expect(body.region([0, 0, 0], 0).particles.length).toBe(4)
  })

  /** Each by the prop that an error names: how much of it is given, what is beyond its range, and its end. */
  const extremes: [prop: string, give: (world: World, value: number) => unknown, beyond: number, end: number][] = [
    ['mass', (world, mass) => world.addBody(solid, { mass }), 1e-100, 1e-18],
    ['density', (world, density) => world.addBody(solid, { density }), 1e-300, 1e-12],
    ['mass', (world, density) => world.addBody(cube(1e-3, 1), { density }), 1e-10, 1e-8],
    ['positions', (world, far) => world.addParticles([0, 1, 0, far, 1, 0]), 1e200, 1e9],
    ['masses', (world, mass) => world.addParticles([0, 1, 0, 1, 1, 0], { masses: [mass, 1] }), 1e-100, 1e-18],
    ['attach.compliance', (world, compliance) => hang(world, { compliance }), 1e200, 1e30],
    ['attach.damping', (world, damping) => hang(world, { compliance: 1e-3, damping }), 1e200, 1e30],
    ['join.at', (world, far) => world.addBody(solid).join(null, { at: [far, 0, 0] }), 1e200, 1e9],
    ['spring.from', (world, far) => world.addBody(solid).spring(null, { from: [far, 0, 0], maxForce: 1 }), 1e200, 1e9],
    ['spring.to', (world, far) => world.addBody(solid).spring(null, { to: [far, 0, 0], maxForce: 1 }), 1e200, 1e9],
    ['attach.target', (world, far) => hang(world, { target: [0, 0, far], maxForce: 1 }), 1e200, 1e9],
  ]
  const hang = (world: World, options: AttachOptions) => {
    const body = world.addBody(solid, { position: [0, 1, 0] })
    body.attach(body.region([0, 1.2, 0], 0.1), options)
  }

  it.each(extremes)(
    'what no state can hold of %s: it is refused by name, and the end of the range holds',
    (...given) => {
      const [prop, give, beyond, end] = given
      expect(() => give(new World(), beyond)).toThrow(expect.objectContaining({ prop, name: 'SettingError' }))
      const world = new World()
      world.addCollider(plane())
      give(world, end)
      run(world, 1)
      expectHealthy(world)
    },
  )

  const body = () => new World().addBody(solid)
  const second = () => {
    const world = new World()
    world.addBody(solid)
    return world.addBody(solid)
  }
  const regionOf = (particle: number) => ({ particles: [particle] as never, weights: Float64Array.of(1) })
  const restored = (snapshotOf: (world: World) => Snapshot) => {
    const world = new World()
    world.addBody(solid)
    world.restore(snapshotOf(world))
  }
  const text = '1' as unknown as number
  const nothing = undefined as never
  const tops: TriangleMesh = { positions: solid.positions, index: solid.triangles }

  it.each([
    ['a text for a radius', 'args', () => sphere(text)],
    ['a text for a side', 'args', () => box([1, text, 1])],
    ['a text for a side of a room', 'args', () => room([1, text, 1])],
    ['a text for a height', 'args', () => capsule(1, text)],
    ['a text for a height', 'args', () => cylinder(1, text)],
    [
      'a text for a depth',
      'args',
      () =>
        heightfield(
          [
            [0, 0],
            [0, 0],
          ],
          1,
          text,
        ),
    ],
    [
      'a text for a height',
      'heights',
      () =>
        heightfield(
          [
            [0, 0],
            [0, text],
          ],
          1,
          1,
        ),
    ],
    ['a text for a thickness', 'thickness', () => mesh(tops, { thickness: text, solid: false })],
    ['a text for a number of cells', 'resolution', () => softBodyModel(tops, { resolution: text })],
    ['a text for a count', 'tetCount', () => softBodyModel(tops, { tetCount: '500' as never })],
    ['a text for an angle', 'creaseAngle', () => softBodyModel(tops, { creaseAngle: text })],
    ['a text for a radius', 'overlapSphere.radius', () => new World().overlapSphere([0, 0, 0], text)],
    ['a text for a distance', 'raycast.maxDistance', () => cast({ maxDistance: text })],
    ['a text for a radius', 'join.radius', () => body().join(null, { radius: text })],
    ['a text for a gap', 'join.within', () => body().join(null, { within: text })],
    ['a text for a radius', 'region', () => new World().addWind({ region: { center: [0, 0, 0], radius: text } })],
    ['a text for a place', 'positions', () => new World().addParticles([0, 0, text])],
    ['no impulse', 'applyImpulse', () => body().applyImpulse(nothing)],
    ['a number for a place', 'applyImpulse.point', () => body().applyImpulse([0, 0, 0], 5 as never)],
    ['no force', 'addForce', () => body().addForce(nothing)],
    ['no forces', 'addForces', () => body().addForces(nothing)],
    ['no velocity', 'setVelocity', () => body().setVelocity(nothing)],
    ['no centre', 'applyRadialImpulse', () => body().applyRadialImpulse(nothing, 1, 1)],
    ['no place', 'position', () => body().teleport(nothing)],
    ['no particles', 'pin', () => body().pin(nothing)],
    ['no region', 'attach.region', () => body().attach(nothing)],
    ['no region', 'pointOf.region', () => body().pointOf(nothing)],
    ['a place that is no number', 'movePin', () => body().movePin(0, [0, Number.NaN, 0])],
    ['no place', 'movePin', () => body().movePin(0, nothing)],
    ['no model', 'model', () => new World().addBody(nothing)],
    ['a model with its skin', 'model', () => new World().addBody(softBodyModel(tops) as never)],
    ['no shape', 'shape', () => new World().addCollider(nothing)],
    ['no snapshot', 'restore', () => new World().restore(nothing)],
    ['what is no snapshot', 'restore', () => new World().restore({} as never)],
    ['a copy of a snapshot', 'restore', () => restored((world) => ({ ...world.snapshot() }))],
    ['a snapshot through JSON', 'restore', () => restored((world) => JSON.parse(JSON.stringify(world.snapshot())))],
    ['a snapshot of another world', 'restore', () => restored(() => new World().snapshot())],
    ['a body of another world', 'join.other', () => body().join(second())],
    ['a body of another world', 'spring.other', () => body().spring(second())],
    ['a collider of another world', 'join.other', () => body().join(new World().addCollider(plane()))],
    ['a shape for a collider', 'join.other', () => body().join(plane() as never)],
    ['half a particle', 'attach.region', () => body().attach(regionOf(0.5))],
    ['a particle below 0', 'attach.region', () => body().attach(regionOf(-1))],
    ['half a particle', 'movePin.particle', () => body().movePin(0.5, [0, 1, 0])],
    ['an option of something else', 'attach.stiffness', () => hang(new World(), { stiffness: 1 } as never)],
    ['an option of something else', 'raycast.distance', () => cast({ distance: 5 } as never)],
    [
      'an option of something else',
      'overlapSphere.maxDistance',
      () => new World().overlapSphere([0, 0, 0], 1, { maxDistance: 1 } as never),
    ],
    ['no time', 'advance', () => new World().advance(nothing)],
    [
      'a point for a blade',
      'cut.from',
      () =>
        body().cut({
          from: [0, 0, 0],
          to: [
            [0, 0, 0],
            [1, 0, 0],
          ],
        } as never),
    ],
    [
      'half a blade',
      'cut.to',
      () =>
        body().cut({
          from: [
            [0, 0, 0],
            [1, 0, 0],
          ],
        } as never),
    ],
    ['points for the options of a rope', 'settings', () => ropeModel([[0, 0, 0]] as never)],
    ['a symbol for the length of a rope', 'length', () => ropeModel({ length: Symbol('length') as never })],
    ['a time that is no number', 'advance', () => new World().advance(Number.NaN)],
  ] as [string, string, () => unknown][])('%s is refused by name: %s', (_, prop, act) => {
    const error: unknown = thrownBy(act)
    expect(error).toBeInstanceOf(SettingError)
    expect(error).toMatchObject({ prop })
    expect((error as SettingError).remedy).toMatch(/\w.*\.$/)
  })

  it('a bending rigidity by another name, or below 0, is told its unit, and 0 is none', () => {
    const heightOf = (bend: object | false) => {
      const world = new World({ gravity: [0, -9.81, 0] })
      const { model } = clothModel({ width: 1, height: 1, segmentsX: 8, segmentsY: 8 })
      const cloth = world.addBody(model, { elastic: { bend: bend as never } })
      cloth.pin([36, 37, 38, 39, 40, 41, 42, 43, 44])
      run(world, 0.5)
      expectHealthy(world)
      return positionsOf(cloth)
    }
    for (const [bend, problem] of [
      [{ rigidity: 1 }, 'has no rigidity'],
      [{ modulus: -1 }, 'must be between 0 and 1000000000000'],
    ] as const) {
      const error = thrownBy(() => heightOf(bend)) as SettingError
      expect(error.problem).toBe(problem)
      expect(error.remedy).toMatch(/N m\b/)
      expect(error.remedy).not.toMatch(/rubber/)
    }
    const [none, nothing] = [heightOf({ modulus: 0 }), heightOf(false)]
    none.forEach((x, k) => expect(Math.abs(x - nothing[k]!)).toBeLessThan(1e-9))
    const rope = new World().addBody(ropeModel().model, { elastic: { bend: { modulus: 0 } } })
    expect(rope.settings.elastic.bend).toEqual({ modulus: 0 })
  })

  it('nowhere to write an answer makes a new one', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const one = world.addBody(solid, { position: [1, 2, 3] })
    const held = one.attach(one.region([1, 2, 3], 1))
    const joint = one.join(null)!
    for (const answer of [one.centerOfMass(), one.pointOf(one.region([1, 2, 3], 1)), held.point()]) {
      for (let d = 0; d < 3; d++) expect(answer[d]).toBeCloseTo(d + 1, 9)
    }
    for (const answer of [one.velocity(), joint.force(), held.force()]) expect(answer).toEqual([0, 0, 0])
    expect(one.readPositions()).toEqual(positionsOf(one))
    expect(one.readVelocities()).toEqual(new Float64Array(3 * one.particleCount))
    expect(one.bounds()).toEqual(Float64Array.of(0.75, 1.75, 2.75, 1.25, 2.25, 3.25))
    expect(world.readStageTimes()).toEqual(new Float64Array(stages.length))
  })

  it('arrays that are changed after they were given', () => {
    const gravity: [number, number, number] = [0, 0, 0]
    const position: [number, number, number] = [1, 2, 3]
    const rest = new Float64Array(3)
    const model = new ModelBuilder(rest).build()
    const world = new World({ gravity })
    const body = world.addBody(model, { position })
    gravity[1] = NaN
    position[0] = 7
    rest[0] = 7
    body.reset()
    world.step()
    expect(centerOf(body)).toEqual([1, 2, 3])
  })

  it('typed arrays that are changed after they were given', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const position = Float32Array.of(1, 2, 3) as never as [number, number, number]
    const body = world.addBody(particle(), { position })
    position[0] = NaN
    body.reset()
    world.step()
    expect(centerOf(body)).toEqual([1, 2, 3])
  })

  it('models whose arrays do not fit together', () => {
    const three = () => new ModelBuilder(new Float64Array(9))
    expect(() => three().weights(Float64Array.of(1, 1))).toThrow(/weights: 2 for 3/)
    expect(() => three().constrain('s', distance, Uint32Array.of(0, 1, 2))).toThrow(/rows of 2/)
    expect(() => three().constrain('v', volume, Uint32Array.of(0, 1, 2))).toThrow(/rows of 4/)
    expect(() => three().constrain('g', shapeMatching, Uint32Array.of(0, 1, 2))).toThrow(/offsets/)
    expect(() => three().with({ density: NaN }).build()).toThrow(/density/)
    expect(() => three().with({ measure: 0 }).build()).toThrow(/measure/)
    expect(() => new ModelBuilder(Float64Array.of(0, 1e200, 0))).toThrow(/positions\[1\]: 1e\+200 .*scale it to metres/)
  })
})

it('a callback that stops itself makes no other miss the step', () => {
  const world = new World()
  const log: string[] = []
  const stop = world.onBeforeStep(() => {
    log.push('once')
    stop()
  })
  world.onBeforeStep(() => void log.push('always'))
  world.step()
  world.step()
  expect(log).toEqual(['once', 'always', 'always'])
})

it('time goes on evenly when the length of a step changes, also through a snapshot', () => {
  const world = new World()
  for (let k = 0; k < 60; k++) world.step()
  world.set({ timeStep: 1 / 120 })
  expect(world.time).toBeCloseTo(1, 12)
  const snapshot = world.snapshot()
  for (let k = 0; k < 60; k++) world.step()
  expect(world.time).toBeCloseTo(1.5, 12)
  world.restore(snapshot)
  expect(world.time).toBeCloseTo(1, 12)
  world.reset()
  expect(world.time).toBe(0)
})

it('a solid crushed by its own weight stays above the ground, inside too', () => {
  const world = new World()
  world.addCollider(plane())
  const model = cube(1, 4)
  const weak = { edges: { modulus: 100 }, volumes: { modulus: 100 } }
  const body = world.addBody(model, { position: [0, 0.6, 0], elastic: weak })
  run(world, 3, () => {
    const x = positionsOf(body)
    for (let p = 1; p < x.length; p += 3) expect(x[p]!).toBeGreaterThan(model.thickness - 1e-5)
  })
  expectHealthy(world)
})

it('a body that is yanked down from rest does not pass the ground', () => {
  const world = new World()
  world.addCollider(plane())
  const body = world.addBody(solid, { position: [0, 0.6, 0] })
  const hold = body.attach(body.region([0, 0.6, 0], 0.3), { compliance: 1e-5, damping: 1000 })
  run(world, 0.2)
  hold.setTarget(0, -1, 0)
  world.step()
  const x = positionsOf(body)
  for (let p = 1; p < x.length; p += 3) expect(x[p]!).toBeGreaterThan(0)
})
