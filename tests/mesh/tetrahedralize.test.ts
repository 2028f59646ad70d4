import {
  BoxGeometry,
  CapsuleGeometry,
  CylinderGeometry,
  Euler,
  Matrix4,
  SphereGeometry,
  TorusGeometry,
  Vector3,
} from 'three'
import { describe, expect, it } from 'vitest'
import { runToEnd } from '../../src/core/mesh/slices.js'
import { tetrahedralize } from '../../src/core/mesh/tetrahedralize.js'
import { topology } from '../../src/core/mesh/topology.js'
import { weld } from '../../src/core/mesh/weld.js'
import { SettingError } from '../../src/core/validation.js'
import { Random, seeds } from '../support/draw.js'
import { long } from '../support/long.js'
import { fromGeometry, insideOut, moved, primitives, realMesh, together } from '../support/meshes.js'
import { randomPose, seededRandom } from '../support/random.js'
import { expectConforming, expectSound, fill } from './sound.js'

describe('tetrahedralize', () => {
  for (const [name, mesh] of Object.entries(primitives())) {
    it(`fills the ${name} soundly at resolutions 4 to 20`, () => {
      for (const resolution of [4, 5, 7, 10, 11, 14, 20]) expectSound(fill(mesh, resolution))
    })
  }

  for (const name of ['bunny', 'pmndrs-bunny', 'pmndrs'] as const) {
    it(`fills the real mesh ${name} soundly`, async () => {
      const mesh = await realMesh(name)
      for (const resolution of [4, 7, 10, 16]) expectSound(fill(mesh, resolution))
    })
  }

  for (const seed of [1, 2, 3, 4, 5, 6]) {
    it(`fills meshes in any pose, seed ${seed}`, async () => {
      const random = seededRandom(seed)
      const meshes = { ...primitives(), bunny: await realMesh('bunny') }
      for (const mesh of Object.values(meshes)) {
        expectSound(fill(moved(mesh, randomPose(random)), 4 + Math.floor(8 * random())))
      }
    })
  }

  it('gives a box of whole cells exactly, whatever the resolution', () => {
    for (let resolution = 1; resolution <= 12; resolution++) {
      const { report } = fill(fromGeometry(new BoxGeometry(3, 3, 3)), resolution)
      expect(Math.abs(report.volumeError)).toBeLessThan(1e-12)
    }
    const { report, positions } = fill(fromGeometry(new BoxGeometry(2, 1, 0.5)), 8)
    expect(Math.abs(report.volumeError)).toBeLessThan(1e-12)
    expect(Math.max(...positions)).toBe(1)
  })

  it.each(seeds(20))('gives any box exactly, at half a cell and more of thickness, seed %d', (seed) => {
    const random = new Random(seed)
    const sides = [random.uniform(0.1, 1), random.uniform(0.1, 1), 1] as const
    const turn = random.integer(0, 2)
    const [x, y, z] = [0, 1, 2].map((axis) => sides[(axis + turn) % 3]!)
    const resolution = random.integer(Math.ceil(0.5 / Math.min(...sides)), 12)
    const filled = fill(fromGeometry(new BoxGeometry(x, y, z)), resolution)
    expectSound(filled)
    expect(Math.abs(filled.report.volumeError)).toBeLessThan(1e-9)
  })

  it('puts every boundary vertex onto the surface: a turned box, seed 11', () => {
    const pose = randomPose(seededRandom(11))
    const { positions, triangles } = fill(moved(fromGeometry(new BoxGeometry(2, 2, 2)), pose), 9)
    const local = moved({ positions }, pose.clone().invert()).positions
    const heights = Array.from(triangles, (vertex) =>
      Math.max(...[0, 1, 2].map((axis) => Math.abs(local[3 * vertex + axis]!))),
    )
    expect(Math.max(...heights)).toBeLessThan(1 + 1e-9)
    expect(Math.min(...heights)).toBeGreaterThan(1 - 1e-9)
  })

  it('loses volume as the square of the cell size, for round and for edged bodies, seed 3', () => {
    const random = seededRandom(3)
    for (const geometry of [new SphereGeometry(1, 64, 32), new BoxGeometry(1, 1, 1)]) {
      const errors = [0, 0, 0]
      for (let pose = 0; pose < 4; pose++) {
        const mesh = moved(fromGeometry(geometry), randomPose(random))
        for (let level = 0; level < 3; level++) {
          const { report } = fill(mesh, 6 * 2 ** level)
          expect(report.volumeError).toBeLessThan(0.01)
          errors[level]! += Math.abs(report.volumeError) / 4
        }
      }
      // Chords cut a round body, chamfers an edge, by areas of the order of a cell's side squared.
      expect(Math.log2(errors[0]! / errors[1]!)).toBeGreaterThan(1.5)
      expect(Math.log2(errors[1]! / errors[2]!)).toBeGreaterThan(1.5)
    }
  })

  it('does not mind which way the faces look', () => {
    for (const mesh of Object.values(primitives())) {
      const outward = fill(mesh, 8)
      const inward = fill(insideOut(mesh), 8)
      expectSound(inward)
      expect(Math.abs(inward.report.volume / outward.report.volume - 1)).toBeLessThan(1e-3)
    }
  })

  it('unites parts that overlap or touch', () => {
    const box = fromGeometry(new BoxGeometry(1, 1, 1))
    for (const [shift, volume] of [
      [0.5, 1.5],
      [1, 2],
    ] as const) {
      const both = fill(together(box, moved(box, new Matrix4().makeTranslation(shift, 0, 0))), 8 + 8 * shift)
      expectConforming(both)
      expect(both.report.volume).toBeCloseTo(volume, 10)
      expect(runToEnd(topology(both)).partCount).toBe(1)
    }
  })

  it('keeps a hollow and separate parts', async () => {
    const box = fromGeometry(new BoxGeometry(1, 1, 1))
    const hollow = fill(together(box, insideOut(moved(box, new Matrix4().makeScale(0.5, 0.5, 0.5)))), 8)
    expectSound(hollow)
    expect(hollow.report.volume).toBeCloseTo(1 - 1 / 8, 10)
    expect(runToEnd(topology(fill(await realMesh('pmndrs')))).partCount).toBe(4)
  })

  it('never tears a connected body apart', async () => {
    const meshes = { ...primitives(), bunny: await realMesh('bunny'), other: await realMesh('pmndrs-bunny') }
    for (const mesh of Object.values(meshes)) {
      for (const resolution of [4, 5, 6, 8, 10, 12, 13]) {
        expect(runToEnd(topology(fill(mesh, resolution))).partCount).toBe(1)
      }
    }
  })

  it('gives crumbs below a cell cells of their own, wherever the lattice meets them', () => {
    const box = fromGeometry(new BoxGeometry(1, 1, 1))
    for (let step = 0; step < 10; step++) {
      const middle = 0.8 + 0.03 * step
      const crumb = moved(box, new Matrix4().makeTranslation(middle, 0, 0).scale(new Vector3(0.16, 0.16, 0.16)))
      const filled = fill(together(box, crumb), 8)
      expectSound(filled)
      expect(runToEnd(topology(filled)).partCount).toBe(2)
      expect(Math.max(...filled.positions)).toBeCloseTo(middle + 0.08, 12)
    }
  })

  it('takes finer cells where a body is thinner than a cell', () => {
    const plate = fill(fromGeometry(new BoxGeometry(1, 0.6, 0.06)), 4)
    expectSound(plate)
    expect(plate.resolution).toBeGreaterThan(4)
    expect(plate.report.volumeError).toBeGreaterThan(-0.4)
    // No lattice in reach can see this one, so it becomes a plate as thick as a cell.
    const foil = fill(fromGeometry(new BoxGeometry(1, 0.6, 0.001)), 4)
    expectSound(foil)
    expect(foil.resolution).toBe(4)
  })

  it('fills thin bodies whole and in one piece at any resolution, askew to the lattice', () => {
    const turn = new Matrix4().makeRotationFromEuler(new Euler(0.3, 0.7, 0.2))
    const thin = {
      plate: new BoxGeometry(1, 0.05, 0.7),
      rod: new CylinderGeometry(0.02, 0.02, 1, 16),
      capsule: new CapsuleGeometry(0.1, 4, 8, 16),
      ring: new TorusGeometry(1, 0.05, 12, 64),
      dish: new SphereGeometry(1, 40, 20).scale(3, 0.2, 1),
    }
    for (const geometry of Object.values(thin)) {
      for (const resolution of [1, 2, 3, 5, 10]) {
        const filled = fill(moved(fromGeometry(geometry), turn), resolution)
        expectSound(filled)
        expect(runToEnd(topology(filled)).partCount).toBe(1)
        expect(filled.report.volumeError).toBeGreaterThan(-0.4)
      }
    }
  })

  it('refuses senseless resolutions and counts', () => {
    const box = fromGeometry(new BoxGeometry())
    for (const resolution of [0, -1, 65, Number.NaN, Infinity])
      expect(() => fill(box, resolution)).toThrow(SettingError)
    const surface = runToEnd(weld(box))
    for (const tetCount of [0, 19, 1000001, Number.NaN]) {
      expect(() => runToEnd(tetrahedralize(surface, { tetCount }))).toThrow(/tetCount.*must be between 20/)
    }
    expect(() => runToEnd(tetrahedralize(surface, { tetCount: 1000, resolution: 10 }))).toThrow(/together/)
  })

  it('finds the lattice for a count of tetrahedra', async () => {
    const meshes = { ...primitives(), bunny: await realMesh('bunny'), suzi: await realMesh('suzi') }
    for (const [name, mesh] of Object.entries(meshes)) {
      for (const tetCount of [1000, 3000, ...long(20000)]) {
        const filled = runToEnd(tetrahedralize(runToEnd(weld(mesh)), { tetCount }))
        expect(Math.abs(filled.report.tetCount / tetCount - 1), `${name} ${tetCount}`).toBeLessThan(0.15)
        expect(filled.tets.length / 4).toBe(filled.report.tetCount)
      }
    }
  })

  it('keeps a body without thin parts within its surface', () => {
    // Volumes of meshes whose boundary vertices all lie on the surface: a thickened part would stand out of it.
    const ball = fill(fromGeometry(new SphereGeometry(1, 64, 32)), 10)
    const radii = Array.from(ball.triangles, (vertex) =>
      Math.hypot(...ball.positions.subarray(3 * vertex, 3 * vertex + 3)),
    )
    expect(Math.max(...radii)).toBeLessThan(1 + 1e-9)
  })

  it('gives the same bits for the same mesh', async () => {
    const mesh = await realMesh('bunny')
    expect(fill(mesh, 10)).toEqual(fill(mesh, 10))
  })
})
