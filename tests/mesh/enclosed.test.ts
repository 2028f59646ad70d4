import { BoxGeometry, Matrix4, PlaneGeometry, SphereGeometry, TorusGeometry, TorusKnotGeometry } from 'three'
import { TeapotGeometry } from 'three/addons/geometries/TeapotGeometry.js'
import { describe, expect, it } from 'vitest'
import {
  type Elastic,
  type SoftBodyModel,
  softBodyModel,
  type TriangleMesh,
  tetMeshModel,
  World,
} from '../../src/headless.js'
import { positionsOf, run } from '../support/laws.js'
import { fromGeometry, insideOut, moved, realMesh, together } from '../support/meshes.js'
import { randomPose, seededRandom } from '../support/random.js'

/** By the divergence theorem, corner by corner: what a mesh encloses that goes around nothing twice. */
function signedVolume({ positions, index }: TriangleMesh): number {
  const corners = index ?? Array.from({ length: positions.length / 3 }, (_, i) => i)
  let sum = 0
  for (let t = 0; t < corners.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => [0, 1, 2].map((d) => positions[3 * corners[t + k]! + d]!))
    sum += a![0]! * (b![1]! * c![2]! - b![2]! * c![1]!)
    sum += a![1]! * (b![2]! * c![0]! - b![0]! * c![2]!)
    sum += a![2]! * (b![0]! * c![1]! - b![1]! * c![0]!)
  }
  return sum / 6
}

const unitBox = fromGeometry(new BoxGeometry(1, 1, 1))
const massOf = ({ model }: SoftBodyModel, density: number) => new World().addBody(model, { density }).mass

describe('the mass of a body by its density', () => {
  it.each([
    ['a knot of a thin tube', () => fromGeometry(new TorusKnotGeometry(1, 0.06, 128, 8))],
    ['a thin ring', () => fromGeometry(new TorusGeometry(1, 0.03, 8, 48))],
    ['a thin plate', () => fromGeometry(new BoxGeometry(1, 0.004, 1))],
    ['a ball', () => fromGeometry(new SphereGeometry(0.5, 16, 12))],
    ['the bunny', () => realMesh('bunny')],
  ])('is that of the closed mesh, though thin parts are thickened: %s, seed 1', async (_, mesh) => {
    const made = await mesh()
    const turned = moved(made, randomPose(seededRandom(1)))
    const volume = Math.abs(signedVolume(turned))
    for (const way of [turned, insideOut(turned)]) {
      const body = softBodyModel(way, { resolution: 7 })
      expect(body.report.meshVolume! / volume).toBeCloseTo(1, 9)
      expect(massOf(body, 700) / (700 * volume)).toBeCloseTo(1, 9)
      // The report says both, and how far apart they are.
      expect(body.report.volumeError).toBeCloseTo(body.report.volume / volume - 1, 9)
      expect(body.model.volume).toBeCloseTo(body.report.volume, 9)
    }
  })

  it('counts what overlaps once, and a part that is inside out as any other', () => {
    const handle = moved(fromGeometry(new TorusGeometry(0.4, 0.03, 12, 48)), new Matrix4().makeTranslation(0.55, 0, 0))
    const cup = softBodyModel(together(unitBox, handle), { resolution: 10 })
    // The ring is in the box where x < 0.5, 1 / pi arccos(0.05 / 0.4) of it on the far side, near enough.
    const ring = signedVolume(handle)
    const within = Math.acos(0.05 / 0.4) / Math.PI
    expect(Math.abs(cup.model.measure - 1 - ring * (1 - within))).toBeLessThan(0.005)
    expect(cup.report.volume).toBeGreaterThan(cup.model.measure + 0.01)
    const beside = moved(unitBox, new Matrix4().makeTranslation(1.5, 0.25, 0))
    expect(softBodyModel(together(unitBox, insideOut(beside)), { resolution: 10 }).model.measure).toBeCloseTo(2, 9)
    const half = moved(unitBox, new Matrix4().makeTranslation(0.5, 0, 0))
    expect(softBodyModel(together(unitBox, half), { resolution: 12 }).model.measure).toBeCloseTo(1.5, 9)
    const hollow = moved(unitBox, new Matrix4().makeScale(0.5, 0.5, 0.5))
    expect(softBodyModel(together(unitBox, insideOut(hollow)), { resolution: 8 }).model.measure).toBeCloseTo(7 / 8, 9)
  })

  it.each([
    ['the open teapot', () => fromGeometry(new TeapotGeometry(1, 8, true, false))],
    ['suzi', () => realMesh('suzi')],
    ['a sheet', () => fromGeometry(new PlaneGeometry(1, 1, 4, 4))],
    [
      'a sheet with two faces',
      () => {
        const sheet = fromGeometry(new PlaneGeometry(1, 1, 4, 4))
        return together(sheet, insideOut(sheet))
      },
    ],
  ])('is that of the tetrahedra where the mesh encloses nothing: %s', async (_, mesh) => {
    const body = softBodyModel(await mesh(), { resolution: 8 })
    expect(body.report.meshVolume).toBeNull()
    expect(body.report.volumeError).toBe(0)
    expect(massOf(body, 700) / (700 * body.report.volume)).toBeCloseTo(1, 9)
  })
})

describe('a body whose thin parts are thickened', () => {
  it('sags and swings as fast as its tetrahedra would if they were full', () => {
    const { model } = softBodyModel(fromGeometry(new TorusGeometry(0.5, 0.02, 8, 48)), { resolution: 6 })
    const full = tetMeshModel(model).model
    expect(full.measure / model.measure).toBeGreaterThan(5)
    const elastic: Elastic = {
      neoHookean: { youngsModulus: 2e4, poissonRatio: 0.3 },
      edges: { modulus: 1e4 },
      volumes: { modulus: 1e4 },
      pressure: { ratio: 1.05, modulus: 1e4 },
    }
    const [thin, thick] = [model, full].map((rest) => {
      const world = new World({ gravity: [0, -2, 0] })
      const body = world.addBody(rest, { elastic })
      body.pin([0])
      run(world, 1)
      return positionsOf(body)
    }) as [Float64Array, Float64Array]
    // Mass and stiffness are smaller by one factor: only rounding differs.
    expect(Math.max(...thin.map((value, p) => Math.abs(value - thick[p]!)))).toBeLessThan(1e-9)
    expect(Math.max(...thin.map((value, p) => Math.abs(value - model.positions[p]!)))).toBeGreaterThan(0.05)
  })
})
