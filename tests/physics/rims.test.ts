// Rims of solids, which cross where no particle is near: what is coarse rests on them and does not sink in by its edges.
import {
  BoxGeometry,
  ConeGeometry,
  CylinderGeometry,
  IcosahedronGeometry,
  OctahedronGeometry,
  TorusGeometry,
} from 'three'
import { describe, expect, it } from 'vitest'
import { rimsOf } from '../../src/core/collision/soft/rims.js'
import { type Body, plane, presets, softBodyModel, tetMeshModel, World } from '../../src/headless.js'
import { crossings } from '../support/crossings.js'
import { Random, seeds } from '../support/draw.js'
import { gapOf } from '../support/gap.js'
import { bodyMotion, expectHealthy, largestSpeed, motionOf, positionsOf, run, velocitiesOf } from '../support/laws.js'
import { fromGeometry } from '../support/meshes.js'

const bar = (cells: number) => softBodyModel(fromGeometry(new BoxGeometry(0.9, 0.1, 0.1)), { resolution: cells }).model

/** Along z, rolled about its length. */
const across = (roll: number): [number, number, number, number] => {
  const [s, c] = [Math.sin(roll / 2) * Math.SQRT1_2, Math.cos(roll / 2) * Math.SQRT1_2]
  return [s, c, -s, c]
}
const crossed = (a: Body, b: Body) => crossings(a, b) + crossings(b, a)

describe('the rims of a solid', () => {
  const lengthOf = (model: ReturnType<typeof bar>) => {
    const rims = rimsOf(model)
    let sum = 0
    for (let e = 0; e < rims.length; e += 4) {
      const [i, j] = [rims[e]! * 3, rims[e + 1]! * 3]
      sum += Math.hypot(...[0, 1, 2].map((d) => model.positions[j + d]! - model.positions[i + d]!))
    }
    return sum
  }

  it.each([2, 3, 5])('are the twelve edges of a box, at resolution %d', (cells) => {
    expect(
      lengthOf(softBodyModel(fromGeometry(new BoxGeometry(0.6, 0.4, 0.2)), { resolution: cells }).model),
    ).toBeCloseTo(4 * (0.6 + 0.4 + 0.2), 6)
  })

  it('are none on a fine ball', () => {
    expect(lengthOf(softBodyModel(fromGeometry(new IcosahedronGeometry(0.5, 8)), { resolution: 16 }).model)).toBe(0)
  })

  it('are not the edges of a notch', () => {
    // Two tetrahedra on both sides of a triangle, which lean so far over its edge 1 2 that they meet in a notch there.
    const positions = Float64Array.of(1, 0, 0, -0.5, 0.9, 0, -0.5, -0.9, 0, -2, 0, 0.3, -2, 0, -0.3)
    const notched = tetMeshModel({ positions, tets: Uint32Array.of(0, 1, 2, 3, 0, 2, 1, 4) }).model
    const rims = rimsOf(notched)
    const has = (i: number, j: number) =>
      Array.from({ length: rims.length / 4 }, (_, e) => [rims[e * 4]!, rims[e * 4 + 1]!]).some(
        ([a, b]) => (a === i && b === j) || (a === j && b === i),
      )
    expect([has(0, 1), has(0, 2), has(1, 2)]).toEqual([true, true, false])
  })
})

describe('a bar that falls across another one', () => {
  it.each([
    ['rubber', 0, 3],
    ['rubber', 0.4, 3],
    ['rubber', Math.PI / 4, 3],
    ['rubber', Math.PI / 4, 6],
    ['jelly', 0, 3],
    ['jelly', 0.4, 6],
    ['firm', Math.PI / 4, 4],
  ] as const)('of %s, rolled by %f rad, %d cells long, does not sink in', (preset, roll, cells) => {
    const world = new World()
    world.addCollider(plane())
    const lower = world.addBody(bar(cells), { ...presets[preset], position: [0, 0.06, 0] })
    const upper = world.addBody(bar(cells), {
      ...presets[preset],
      position: [0, 0.4, 0.02],
      rotation: across(roll),
    })
    run(world, 5)
    expect(crossed(lower, upper)).toBe(0)
    expectHealthy(world)
  })

  it.each(seeds(4))('keeps what momentum both have, seed %d', (seed) => {
    const random = new Random(seed)
    const world = new World({ gravity: [0, 0, 0] })
    const model = bar(3)
    const settings = { ...presets.rubber, damping: 0, friction: random.uniform(0, 1) }
    const lower = world.addBody(model, settings)
    const upper = world.addBody(model, {
      ...settings,
      position: [random.uniform(-0.1, 0.1), 0.2, random.uniform(-0.1, 0.1)],
      rotation: across(random.uniform(0, 1.5)),
    })
    upper.applyImpulse([0, -1.5 * upper.mass, 0])
    const about = (body: Body) =>
      motionOf(
        body.model.massShares.map((share) => share * body.mass),
        positionsOf(body),
        velocitiesOf(body),
        [0, 0, 0],
      )
    const total = () => {
      const [one, two] = [about(lower), about(upper)]
      return [0, 1, 2].flatMap((d) => [
        one.momentum[d]! + two.momentum[d]!,
        one.angularMomentum[d]! + two.angularMomentum[d]!,
      ])
    }
    const before = total()
    run(world, 0.6)
    // It bounced, and did not pass.
    expect(bodyMotion(upper).center[1]).toBeGreaterThan(bodyMotion(lower).center[1]! + 0.08)
    expect(bodyMotion(upper).momentum[1]! / upper.mass).toBeGreaterThan(-0.75)
    total().forEach((value, k) => expect(value).toBeCloseTo(before[k]!, 9))
  })
})

describe('rims that face each other past their bodies', () => {
  const shapes = [
    new TorusGeometry(0.22, 0.08, 8, 14),
    new BoxGeometry(0.4, 0.3, 0.2),
    new ConeGeometry(0.22, 0.4, 6),
    new CylinderGeometry(0.2, 0.2, 0.35, 3),
    new OctahedronGeometry(0.25),
    new BoxGeometry(0.8, 0.16, 0.16),
  ].flatMap((geometry) => [1, 2, 3].map((resolution) => softBodyModel(fromGeometry(geometry), { resolution }).model))

  // Their normal leads out of the bodies beside the rims: 5 to 7 cm along it, which are no depth, drove them at 1 to 2 m/s.
  it.each([916, 7048, 13223])('do not push these, which are apart, seed %i', (seed) => {
    const random = new Random(seed)
    const world = new World({ gravity: [0, 0, 0] })
    const shape = () => shapes[random.integer(0, shapes.length - 1)]!
    const a = world.addBody(shape(), { ...presets.rubber, rotation: random.rotation() })
    const way = random.vector(1)
    const far = random.uniform(0.05, 0.45) / Math.hypot(...way)
    const b = world.addBody(shape(), {
      ...presets.rubber,
      rotation: random.rotation(),
      position: [way[0] * far, way[1] * far, way[2] * far],
    })
    const touch = 1.2 * (a.model.thickness + b.model.thickness)
    expect(Math.min(gapOf(a, b), gapOf(b, a))).toBeGreaterThan(touch)
    expect(crossed(a, b)).toBe(0)
    let told = 0
    world.onContactEnter(() => told++)
    run(world, 0.1)
    expect(Math.max(largestSpeed(a), largestSpeed(b))).toBeLessThan(1e-6)
    expect(told).toBe(0)
  })
})
