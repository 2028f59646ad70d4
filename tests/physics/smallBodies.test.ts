// Bodies far stiffer than a substep resolves are borne as if they were rigid: they are neither pressed flat nor slowed.
import { BoxGeometry, IcosahedronGeometry, TorusKnotGeometry } from 'three'
import { describe, expect, it } from 'vitest'
import { ReferenceSolver } from '../../src/backends/reference/step.js'
import { TOUCH } from '../../src/core/collision/touches.js'
import { World as CoreWorld } from '../../src/core/world.js'
import { type PresetName, plane, presets, softBodyModel, type TriangleMesh, World } from '../../src/headless.js'
import { invertedTets } from '../support/inverted.js'
import { centerOf, expectHealthy, run, velocityOf } from '../support/laws.js'
import { fromGeometry, realMesh } from '../support/meshes.js'
import { sized } from '../support/sized.js'

const meshes: Record<string, () => Promise<TriangleMesh> | TriangleMesh> = {
  bunny: () => realMesh('bunny'),
  ball: () => fromGeometry(new IcosahedronGeometry(1, 3)),
  'torus knot': () => fromGeometry(new TorusKnotGeometry(1, 0.4, 128, 16)),
}
const slab = (size: number) =>
  softBodyModel(sized(fromGeometry(new BoxGeometry(1, 0.4, 1)), size), { resolution: 6 }).model

/** Stands on the ground, at rest. */
async function standing(shape: string, size: number, preset: PresetName) {
  const { model } = softBodyModel(sized(await meshes[shape]!(), size), { resolution: 8 })
  const world = new World({ sleeping: false })
  world.addCollider(plane())
  const body = world.addBody(model, { ...presets[preset], position: [0, size, 0] })
  body.teleport([0, 1.01 * size - body.bounds(new Float64Array(6))[1]!, 0], [0, 0, 0, 1])
  const volume = body.volume()
  run(world, 1)
  return { world, body, volume }
}

describe('at rest no tetrahedron is inverted, and the foot is not pressed flat', () => {
  const cases: [string, number, PresetName][] = [
    ['bunny', 0.02, 'jelly'],
    ['bunny', 0.02, 'clay'],
    ['ball', 0.02, 'firm'],
    ['torus knot', 0.02, 'rubber'],
  ]
  it.each(cases)('%s of %d m, %s', async (shape, size, preset) => {
    const { world, body, volume } = await standing(shape, size, preset)
    expect(invertedTets(body)).toBe(0)
    expect(Math.abs(body.volume() / volume - 1)).toBeLessThan(0.005)
    expectHealthy(world)
  })
})

describe.each([0.02, 0.2])('a slab of %d m', (size) => {
  const angle = 0.35
  it.each([0.2, 0.5])('slides down a slope by g (sin a - mu cos a), mu = %d', (friction) => {
    const world = new World({ sleeping: false, gravity: [9.81 * Math.sin(angle), -9.81 * Math.cos(angle), 0] })
    world.addCollider(plane())
    const body = world.addBody(slab(size), { ...presets.firm, friction, position: [0, 0.202 * size, 0] })
    run(world, 0.5)
    const before = velocityOf(body)[0]
    run(world, 0.5)
    const acceleration = (velocityOf(body)[0] - before) / 0.5
    const theory = Math.max(0, 9.81 * (Math.sin(angle) - friction * Math.cos(angle)))
    expect(Math.abs(acceleration - theory)).toBeLessThan(0.02)
  })

  it.each([0, 0.9])('bounces to e^2 of a metre within 3 cm, e = %d', (restitution) => {
    const world = new World({ sleeping: false })
    world.addCollider(plane())
    const body = world.addBody(slab(size), { ...presets.firm, restitution, position: [0, 1 + 0.2 * size, 0] })
    let top = 0
    run(world, 1.3, (time) => {
      if (time > 0.5) top = Math.max(top, centerOf(body)[1] - 0.2 * size)
    })
    expect(Math.abs(top - restitution * restitution)).toBeLessThan(0.03)
  })

  it('is borne by impulses of m g T', () => {
    const solver = new ReferenceSolver()
    const world = new CoreWorld({ sleeping: false }, solver)
    world.addCollider(plane())
    const body = world.addBody(slab(size), { ...presets.firm, position: [0, 0.202 * size, 0] })
    run(world, 1)
    let sum = 0
    run(world, 1, () => {
      sum += solver.touches.numbers[TOUCH.IMPULSE]!
    })
    expect(sum / (body.mass * 9.81)).toBeCloseTo(1, 1)
  })
})
