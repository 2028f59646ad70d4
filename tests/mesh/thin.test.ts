import {
  BoxGeometry,
  CylinderGeometry,
  LatheGeometry,
  SphereGeometry,
  TorusGeometry,
  TorusKnotGeometry,
  Vector2,
} from 'three'
import { TeapotGeometry } from 'three/addons/geometries/TeapotGeometry.js'
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js'
import { describe, expect, it } from 'vitest'
import type { TriangleMesh } from '../../src/core/mesh/weld.js'
import { long } from '../support/long.js'
import { fromGeometry, moved, realMesh } from '../support/meshes.js'
import { randomPose, seededRandom } from '../support/random.js'
import { expectSound, farthestPoint, fill, piecesOf } from './sound.js'

/** Half a cell, and what lies between the points that are looked at. */
const NEAR = 0.6
/** What a chamfer takes from a sharp corner of a body that is thick enough for the lattice. */
const CHAMFER = 1

function expectCovered(mesh: TriangleMesh, resolution: number, near = NEAR): ReturnType<typeof fill> {
  const filled = fill(mesh, resolution)
  expectSound(filled)
  expect(piecesOf(filled)).toBe(1)
  expect(farthestPoint(mesh, filled)).toBeLessThan(near)
  return filled
}

describe('parts thinner than a cell', () => {
  for (const name of ['bunny', 'pmndrs-bunny', 'suzi'] as const) {
    it(`are covered and stay attached: ${name}`, async () => {
      const mesh = await realMesh(name)
      for (const resolution of [6, 8, 10, 13, 20]) {
        // In one piece without finer cells.
        expect(expectCovered(mesh, resolution).resolution).toBe(resolution)
      }
    })
  }

  it("are covered and stay attached: the teapot's handle", () => {
    const teapot = fromGeometry(new TeapotGeometry(1, 8))
    for (const resolution of [6, 8, 10, 13, 20]) expectCovered(teapot, resolution)
  })

  it('are covered and stay attached: knots of thin tubes', () => {
    for (const radius of [0.12, 0.06, 0.02]) {
      const knot = fromGeometry(new TorusKnotGeometry(1, radius, 128, 8))
      for (const resolution of [6, 10, ...long(16)]) expectCovered(knot, resolution)
    }
  })

  it('are thickened where finer cells would be too many: the wall of a mug and its handle', () => {
    const outline = [0, -0.5, 0.45, -0.5, 0.45, 0.5, 0.42, 0.5, 0.42, -0.45, 0, -0.45]
    const wall = new LatheGeometry(
      Array.from({ length: 6 }, (_, k) => new Vector2(outline[2 * k], outline[2 * k + 1])),
      24,
    )
    const handle = new TorusGeometry(0.25, 0.03, 8, 24).translate(0.5, 0, 0)
    const mug = fromGeometry(mergeGeometries([handle, wall]))
    for (const resolution of [6, 10, ...long(13)]) {
      expect(expectCovered(mug, resolution).report.tetCount).toBeLessThan(24 * resolution ** 3)
    }
  })

  for (let seed = 1; seed <= 12; seed++) {
    it(`are covered and stay attached: rods and plates in any pose, seed ${seed}`, () => {
      const random = seededRandom(seed)
      const pose = randomPose(random)
      const resolution = 6 + Math.floor(15 * random())
      // From a fiftieth of a cell to a cell; above a tenth, the lattice may get finer until it catches them.
      const thickness = (0.02 * 50 ** random()) / resolution
      const near = thickness * resolution < 0.1 ? NEAR : CHAMFER
      const rod = new CylinderGeometry(thickness / 2, thickness / 2, 1, 8, 4)
      const plate = new BoxGeometry(1, thickness, 0.3 + 0.5 * random())
      for (const geometry of [rod, plate]) expectCovered(moved(fromGeometry(geometry), pose), resolution, near)
    })
  }

  for (let seed = 1; seed <= 12; seed++) {
    it(`that are closed meshes of their own join what they reach into, seed ${seed}`, () => {
      const random = seededRandom(seed)
      for (let k = 0; k < 10; k++) {
        const resolution = 4 + Math.floor(12 * random())
        const radius = 0.001 * 60 ** random()
        const reach = 0.6 + 0.15 * random()
        const end = () =>
          random() < 0.5 ? new SphereGeometry(0.4, 16, 12) : new BoxGeometry(0.7, 0.5 + 0.3 * random(), 0.6)
        const rod = new CylinderGeometry(radius, radius, 2 * reach, 8)
        const all = [rod, end().translate(0, -0.8, 0), end().translate(0, 0.8, 0)]
        const pose = k % 2 === 0 ? [] : [randomPose(random)]
        const dumbbell = pose.reduce(moved, fromGeometry(mergeGeometries(all)))
        const filled = fill(dumbbell, resolution)
        expectSound(filled)
        expect(piecesOf(filled), `case ${k}, resolution ${resolution}, radius ${radius}`).toBe(1)
      }
    })
  }

  it('are no finer than asked for where refining cannot catch them', () => {
    const plate = moved(fromGeometry(new BoxGeometry(1, 1e-4, 1)), randomPose(seededRandom(4)))
    expect(fill(plate, 8).resolution).toBe(8)
  })
})
