// What is thin and loaded by far more than its own weight stays where friction holds it: a load is no fall.
import { CylinderGeometry } from 'three'
import { describe, expect, it } from 'vitest'
import {
  type Body,
  box,
  type ColliderShape,
  clothModel,
  cylinder,
  mesh,
  plane,
  presets,
  type Quat,
  ropeModel,
  type Vec3,
  World,
} from '../../src/headless.js'
import { Random } from '../support/draw.js'
import { cube } from '../support/lattice.js'
import { centerOf, expectHealthy, positionsOf, run } from '../support/laws.js'
import { long } from '../support/long.js'
import { fromGeometry } from '../support/meshes.js'

const { abs, cos, max, PI, SQRT1_2, sin } = Math
/** What lies along y lies along z. */
const level: Quat = [SQRT1_2, 0, 0, SQRT1_2]

/** How fast a body goes along `way` over a second [m/s]. */
function creepOf(world: World, body: Body, way: Vec3): number {
  const before = centerOf(body)
  run(world, 1)
  return centerOf(body).reduce((sum, x, d) => sum + way[d]! * (x - before[d]!), 0)
}

const bars: Record<string, (radius: number) => ColliderShape> = {
  'a cylinder': (radius) => cylinder(radius, 2),
  'a mesh': (radius) => mesh(fromGeometry(new CylinderGeometry(radius, radius, 2, 12))),
  'a beam': (radius) => box([2 * radius, 2, 2 * radius]),
}

describe.each(Object.entries(bars))('a rope over %s with a weight at each end', (_, shapeOf) => {
  it.each([1, ...long(2, 3, 4, 5, 6)])('goes nowhere along it, seed %i', (seed) => {
    const random = new Random(seed)
    const radius = random.uniform(0.04, 0.1)
    const angle = random.uniform(0, 2 * PI)
    const [c, s] = [cos(angle), sin(angle)]
    const half = radius + 0.05
    const at = (x: number, y: number): Vec3 => [c * x, y, -s * x]
    const turned: Quat = [
      SQRT1_2 * cos(angle / 2),
      SQRT1_2 * sin(angle / 2),
      -SQRT1_2 * sin(angle / 2),
      SQRT1_2 * cos(angle / 2),
    ]
    const world = new World({ sleeping: false })
    world.addCollider(plane())
    const friction = random.uniform(0.5, 1)
    world.addCollider(shapeOf(radius), { position: [0, 1, 0], rotation: turned, friction })
    const points = [at(-half, 0.5), at(-half, 1.03 + radius), at(half, 1.03 + radius), at(half, 0.5)]
    const rope = world.addBody(ropeModel({ points, segments: random.integer(20, 30) }).model, { damping: 3 })
    for (const x of [-half, half]) {
      const mass = random.uniform(2, 4)
      const weight = world.addBody(cube(0.2, 2), { ...presets.rubber, mass, position: at(x, 0.39), damping: 3 })
      rope.join(weight, { at: at(x, 0.5), radius: 0.03 })
    }
    run(world, 4)
    expect(abs(creepOf(world, rope, [s, 0, c]))).toBeLessThan(1e-4)
    expectHealthy(world)
  })
})

it('a cloth over a bar with a weight at each hem goes nowhere along it', () => {
  const world = new World({ sleeping: false })
  world.addCollider(plane())
  world.addCollider(cylinder(0.08, 2), { position: [0, 2, 0], rotation: level, friction: 0.6 })
  const { model } = clothModel({ width: 1.2, height: 0.4, segmentsX: 20, segmentsY: 7 })
  const cloth = world.addBody(model, { damping: 3, position: [0, 2.1, 0], rotation: level })
  for (const x of [-0.6, 0.6]) {
    const weight = world.addBody(cube(0.2, 2), { ...presets.rubber, mass: 2, position: [x, 1.98, 0], damping: 3 })
    cloth.join(weight, { at: [x, 2.1, 0], radius: 0.1 })
  }
  run(world, 5)
  expect(abs(creepOf(world, cloth, [0, 0, 1]))).toBeLessThan(3e-4)
  expectHealthy(world)
})

const sheet = clothModel({ width: 0.6, height: 0.4, segmentsX: 9, segmentsY: 6 }).model
const cord = ropeModel({
  points: [
    [-0.3, 0, 0],
    [0.3, 0, 0],
  ],
  segments: 12,
}).model

describe.each(Object.entries({ cloth: sheet, rope: cord }))('a %s on the ground', (_, model) => {
  it.each(['gravity', 'force'])('lies still under 40 g of %s', (how) => {
    const world = new World({ sleeping: false })
    world.addCollider(plane(), { friction: 0.5 })
    const gravityScale = how === 'force' ? 1 : 40
    const body = world.addBody(model, { gravityScale, position: [0, 0.02, 0], rotation: level })
    const shares = Float64Array.from({ length: body.particleCount * 3 }, (_, p) =>
      p % 3 === 1 ? model.massShares[(p - 1) / 3]! : 0,
    )
    const forces = shares.map((share) => -39 * 9.81 * body.mass * share)
    const press = () => how === 'force' && body.addForces(forces)
    press()
    run(world, 1, press)
    const before = positionsOf(body)
    run(world, 1, press)
    expect(positionsOf(body).reduce((most, x, p) => max(most, abs(x - before[p]!)), 0)).toBeLessThan(1e-6)
    expectHealthy(world)
  })
})
