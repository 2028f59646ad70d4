// What is made from a mesh and dropped comes to rest: its feelers share light particles.
import { BoxGeometry, ConeGeometry, IcosahedronGeometry, SphereGeometry } from 'three'
import { TeapotGeometry } from 'three/addons/geometries/TeapotGeometry.js'
import { describe, expect, it } from 'vitest'
import { type PresetName, plane, presets, softBodyModel, type TriangleMesh, World } from '../../src/headless.js'
import { Random } from '../support/draw.js'
import { centerOf, expectHealthy, run, velocityOf } from '../support/laws.js'
import { long } from '../support/long.js'
import { fromGeometry, primitives, realMesh } from '../support/meshes.js'
import { largestWobble } from '../support/rigid.js'
import { sized } from '../support/sized.js'

const meshes: Record<string, () => Promise<TriangleMesh> | TriangleMesh> = {
  box: () => fromGeometry(new BoxGeometry(1, 0.6, 0.37)),
  sphere: () => fromGeometry(new SphereGeometry(1, 32, 16)),
  ...Object.fromEntries(
    [1, 2, 3, 4].map((detail) => [`icosahedron ${detail}`, () => fromGeometry(new IcosahedronGeometry(1, detail))]),
  ),
  'torus knot': () => primitives()['torus knot']!,
  // Its drawn points stand out of thin tetrahedra: it lies on feelers alone, which share particles.
  teapot: () => fromGeometry(new TeapotGeometry(1, 6)),
  cone: () => fromGeometry(new ConeGeometry(0.5, 1, 24)),
  plate: () => fromGeometry(new BoxGeometry(1, 0.1, 1)),
  bunny: () => realMesh('bunny'),
  suzi: () => realMesh('suzi'),
}

/** A body of 1 m, 3 cm above the ground, turned by a seed. */
async function dropped(shape: string, preset: PresetName, resolution: number, seed: number) {
  const { model } = softBodyModel(sized(await meshes[shape]!(), 1), { resolution })
  const world = new World({ sleeping: false })
  world.addCollider(plane())
  const rotation = new Random(seed).rotation()
  const body = world.addBody(model, { ...presets[preset], position: [0, 2, 0], rotation })
  body.teleport([0, 2.03 - body.bounds(new Float64Array(6))[1]!, 0], rotation)
  return { world, body }
}

type Case = [shape: string, preset: PresetName, resolution: number, seed: number]

/** The law is for all of them, which takes hours: REST=all. */
const cases: Case[] = process.env.REST
  ? Object.keys(meshes).flatMap((shape) =>
      (Object.keys(presets) as PresetName[]).flatMap((preset) =>
        [6, 8, 10, 12].flatMap((resolution) => [1, 2, 3].map((seed): Case => [shape, preset, resolution, seed])),
      ),
    )
  : [['teapot', 'jelly', 6, 3], ...long<Case>(['icosahedron 1', 'muscle', 8, 1], ['torus knot', 'clay-soft', 8, 1])]

describe('what lies on the ground', () => {
  it.each(cases)(
    'is still but for a slow roll 10 s after a drop: %s of %s, resolution %d, seed %d',
    async (shape, preset, resolution, seed) => {
      const { world, body } = await dropped(shape, preset, resolution, seed)
      run(world, 9.5)
      let largest = 0
      run(world, 0.5, () => {
        largest = Math.max(largest, largestWobble(body))
      })
      expect(largest).toBeLessThan(0.02)
      expectHealthy(world)
    },
    120_000,
  )
})

describe('what rolls', () => {
  it.each(['jelly', ...long('firm')] as const)('slows down, and does not start again: a ball of %s', (name) => {
    const { model } = softBodyModel(sized(fromGeometry(new IcosahedronGeometry(0.5, 4)), 1), { resolution: 6 })
    const world = new World({ sleeping: false })
    world.addCollider(plane())
    const body = world.addBody(model, { ...presets[name], position: [0, 0.501, 0] })
    run(world, 1)
    body.setVelocity([0.3, 0, 0], [0, 0, -0.3 / centerOf(body)[1]])
    const speed = () => Math.hypot(velocityOf(body)[0], velocityOf(body)[2])
    // It settles upon a facet, and may tip over to one beside it, which is lower.
    run(world, 3)
    const then = speed()
    expect(then).toBeLessThan(0.1)
    run(world, 6)
    expect(speed()).toBeLessThan(0.01)
    expectHealthy(world)
  })
})
