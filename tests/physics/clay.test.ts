// Clay lies still at any size: a row that a substep does not resolve must not flow by its own weight.
import { BoxGeometry, IcosahedronGeometry } from 'three'
import { TeapotGeometry } from 'three/addons/geometries/TeapotGeometry.js'
import { describe, expect, it } from 'vitest'
import { type PresetName, plane, presets, softBodyModel, type TriangleMesh, World } from '../../src/headless.js'
import { Random } from '../support/draw.js'
import { ball } from '../support/lattice.js'
import { expectHealthy, largestSpeed, run } from '../support/laws.js'
import { long } from '../support/long.js'
import { fromGeometry, primitives, realMesh } from '../support/meshes.js'
import { sized } from '../support/sized.js'

const meshes: Record<string, () => Promise<TriangleMesh> | TriangleMesh> = {
  box: () => fromGeometry(new BoxGeometry(1, 1, 1)),
  ball: () => fromGeometry(new IcosahedronGeometry(0.5, 8)),
  icosahedron: () => fromGeometry(new IcosahedronGeometry(1, 1)),
  bunny: () => realMesh('bunny'),
  knot: () => primitives()['torus knot']!,
  teapot: () => fromGeometry(new TeapotGeometry(1, 8)),
}

type Case = [preset: PresetName, shape: string, size: number, resolution: number, seconds: number]

/** The law is for all of them after 10 s, which takes half an hour: CLAY=all. */
const cases: Case[] = process.env.CLAY
  ? (Object.keys(presets) as PresetName[]).flatMap((preset) =>
      Object.keys(meshes).flatMap((shape) => [0.02, 0.2, 2].map((size): Case => [preset, shape, size, 6, 10])),
    )
  : [
      ['clay', 'box', 0.02, 4, 4],
      ['clay', 'icosahedron', 0.02, 6, 4],
      ...long<Case>(['clay', 'bunny', 0.2, 6, 5], ['clay-soft', 'knot', 2, 6, 10]),
    ]

describe('a body on the ground', () => {
  it.each(cases)(
    'lies still: %s, %s, %d m, resolution %d, after %d s',
    async (preset, shape, size, resolution, seconds) => {
      const { lowest, ...mesh } = sized(await meshes[shape]!(), size)
      const { model } = softBodyModel(mesh, { resolution })
      const world = new World({ sleeping: false })
      world.addCollider(plane())
      const body = world.addBody(model, { ...presets[preset], position: [0, size * 0.05 - lowest, 0] })
      run(world, seconds - 1)
      let largest = 0
      run(world, 1, () => {
        largest = Math.max(largest, largestSpeed(body))
      })
      expect(largest).toBeLessThan(0.02)
      const filled = presets[preset].elastic.pressure ? 1.1 : 1
      expect(Math.abs(body.volume() / model.volume / filled - 1)).toBeLessThan(0.08)
      expectHealthy(world)
    },
    120_000,
  )
})

describe('a ball of 5 cm', () => {
  // Its rows are softer than they were set, by their response over their compliance: by strain alone they would all flow.
  // Measured: of yield 0.12, the preset's, none of 24 hums, of 0.05 two, of 0.03, a tenth of its weight, half.
  it.each([[0.12, 5], [0.05, 5], ...long([0.12, 7], [0.05, 6])] as const)(
    'lies still with a yield of %d, resolution %d',
    (limit, resolution) => {
      const model = ball(0.025, resolution)
      for (let seed = 1; seed <= 2; seed++) {
        const rotation = new Random(seed).rotation()
        const world = new World({ sleeping: false })
        world.addCollider(plane())
        const plasticity = { yield: limit, creep: 30, max: 1.5 }
        const body = world.addBody(model, { ...presets.clay, plasticity, rotation, position: [0, 0.035, 0] })
        run(world, 4)
        run(world, 0.5, () => expect(largestSpeed(body)).toBeLessThan(5e-3))
        expectHealthy(world)
      }
    },
  )
})
