// What lies on the ground lies still: feelers share particles, and small bodies are far stiffer than substeps resolve.
import { BoxGeometry, IcosahedronGeometry } from 'three'
import { TeapotGeometry } from 'three/addons/geometries/TeapotGeometry.js'
import { describe, expect, it } from 'vitest'
import {
  type BodySettings,
  type Model,
  type PresetName,
  plane,
  presets,
  softBodyModel,
  type TriangleMesh,
  World,
} from '../../src/headless.js'
import { Random } from '../support/draw.js'
import { material } from '../support/elastic.js'
import { ball } from '../support/lattice.js'
import { expectHealthy, largestSpeed, rmsSpeed, run } from '../support/laws.js'
import { long } from '../support/long.js'
import { fromGeometry, realMesh } from '../support/meshes.js'
import { sized } from '../support/sized.js'

const meshes: Record<string, () => Promise<TriangleMesh> | TriangleMesh> = {
  bunny: () => realMesh('bunny'),
  suzi: () => realMesh('suzi'),
  teapot: () => fromGeometry(new TeapotGeometry(1, 8)),
}

type Case = [shape: string, size: number, resolution: number, seconds: number]

/** The law is for all of them after 10 s, which takes minutes: TREMBLE=all. */
const cases: Case[] = process.env.TREMBLE
  ? Object.keys(meshes).flatMap((shape) =>
      [0.02, 0.2, 2].flatMap((size) => [6, 10, 16].map((resolution): Case => [shape, size, resolution, 10])),
    )
  : [['teapot', 0.2, 6, 5], ...long<Case>(['bunny', 0.02, 10, 4], ['suzi', 2, 10, 10])]

describe('a body of jelly on the ground', () => {
  it.each(cases)(
    'lies still: %s, %d m, resolution %d, after %d s',
    async (shape, size, resolution, seconds) => {
      const { lowest, ...mesh } = sized(await meshes[shape]!(), size)
      const { model } = softBodyModel(mesh, { resolution })
      expect(model.feelers.particles.length).toBeGreaterThan(0)
      const world = new World({ sleeping: false })
      world.addCollider(plane())
      const body = world.addBody(model, { ...presets.jelly, position: [0, size * 0.05 - lowest, 0] })
      run(world, seconds - 1)
      let [largest, squares, steps] = [0, 0, 0]
      run(world, 1, () => {
        largest = Math.max(largest, largestSpeed(body))
        squares += rmsSpeed(body) ** 2
        steps++
      })
      expect(largest).toBeLessThan(0.02)
      expect(Math.sqrt(squares / steps)).toBeLessThan(0.002)
      // Nor does it lie flat: a body of 2 cm, far too stiff for these substeps, is held in shape.
      expect(Math.abs(body.volume() / model.volume - 1)).toBeLessThan(0.08)
      expectHealthy(world)
    },
    120_000,
  )
})

/** The largest speed of a particle in the last of so many seconds after a fall, turned by a seed [m/s]. */
function tremor(model: Model, settings: Partial<BodySettings>, height: number, seed: number, seconds: number): number {
  const world = new World({ sleeping: false })
  world.addCollider(plane())
  const body = world.addBody(model, { ...settings, position: [0, height, 0], rotation: new Random(seed).rotation() })
  run(world, seconds - 1)
  let largest = 0
  run(world, 1, () => {
    largest = Math.max(largest, largestSpeed(body))
  })
  expectHealthy(world)
  return largest
}

it.each([1, ...long(5)])(
  'a box that lands on a corner is crushed there, without a Poisson ratio, and lies still, seed %i',
  (seed) => {
    // rho g L / E = 0.2: a column as high would be a tenth shorter, its corner is flat.
    const { model } = softBodyModel(fromGeometry(new BoxGeometry(1, 0.7, 0.8)), { resolution: 7 })
    const soft = { elastic: material(5e4, 0), shapeDamping: 3, rollingFriction: 0.2 }
    expect(tremor(model, soft, 1, seed, 10)).toBeLessThan(0.02)
  },
)

it.each(long('balloon'))('a small %s, pumped up by its preset, lies still', (preset) => {
  const { model } = softBodyModel(fromGeometry(new IcosahedronGeometry(0.1, 3)), { resolution: 9 })
  expect(tremor(model, presets[preset], 0.11, 5088, 6)).toBeLessThan(0.02)
})

// Corners of its lattice are all but flat against the ball, and weigh a hundredth of what others do.
describe.each<PresetName>(['jelly', ...long('clay', 'muscle')])('a ball of 5 cm of %s', (name) => {
  it('lies still as it fell, resolution 7, seeds 1 and 2', () => {
    const model = ball(0.025, 7)
    for (const seed of [1, 2]) {
      const rotation = new Random(seed).rotation()
      const world = new World({ sleeping: false })
      world.addCollider(plane())
      const body = world.addBody(model, { ...presets[name], rotation, position: [0, 0.045, 0] })
      run(world, 4.5)
      run(world, 0.5, () => expect(largestSpeed(body)).toBeLessThan(5e-3))
      expectHealthy(world)
    }
  })
})
