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
import { type TetMesh, tetrahedralize } from '../../src/core/mesh/tetrahedralize.js'
import { topology } from '../../src/core/mesh/topology.js'
import { type TriangleMesh, weld } from '../../src/core/mesh/weld.js'
import { SettingError } from '../../src/core/validation.js'
import { fromGeometry, insideOut, moved, primitives, realMesh, together } from '../support/meshes.js'
import { randomPose, seededRandom } from '../support/random.js'

const fill = (mesh: TriangleMesh, resolution?: number) =>
  runToEnd(tetrahedralize(runToEnd(weld(mesh)), resolution === undefined ? {} : { resolution }))

const FACES = [
  [1, 2, 3],
  [0, 3, 2],
  [0, 1, 3],
  [0, 2, 1],
]

/** Looks at the mesh by other means than its maker: every face at most twice, the boundary a closed 2-manifold. */
function expectConforming({ positions, tets, triangles }: TetMesh): void {
  const count = positions.length / 3
  const faceKey = (corners: number[]) => {
    const [low, middle, high] = corners.toSorted((a, b) => a - b) as [number, number, number]
    return (low * count + middle) * count + high
  }
  const uses = new Map<number, number>()
  for (let tet = 0; tet < tets.length; tet += 4) {
    for (const face of FACES) {
      const key = faceKey(face.map((corner) => tets[tet + corner]!))
      uses.set(key, (uses.get(key) ?? 0) + 1)
    }
  }
  const outer = new Set<number>()
  const runs = new Set<number>()
  for (let i = 0; i < triangles.length; i += 3) {
    const corners = Array.from(triangles.subarray(i, i + 3))
    outer.add(faceKey(corners))
    for (let k = 0; k < 3; k++) runs.add(corners[k]! * count + corners[(k + 1) % 3]!)
  }
  const wrong = { facesOfThreeTets: 0, outerFacesInside: 0, innerFacesOutside: 0, unpairedEdges: 0 }
  for (const [key, use] of uses) {
    if (use > 2) wrong.facesOfThreeTets++
    if (use === 1 && !outer.has(key)) wrong.outerFacesInside++
    if (use === 2 && outer.has(key)) wrong.innerFacesOutside++
  }
  for (const run of runs) if (!runs.has((run % count) * count + Math.floor(run / count))) wrong.unpairedEdges++
  expect(wrong).toEqual({ facesOfThreeTets: 0, outerFacesInside: 0, innerFacesOutside: 0, unpairedEdges: 0 })
  // A manifold runs each of its edges once in each direction, so no run comes twice.
  expect(runs.size).toBe(triangles.length)
  expect(outer.size).toBe(triangles.length / 3)
  expect(new Set(tets).size).toBe(count)
}

/** What holds for every mesh: conforming, no inverted tetrahedron, angles as the theory bounds them. */
function expectSound(mesh: ReturnType<typeof fill>): void {
  expectConforming(mesh)
  expect(mesh.report.minVolume).toBeGreaterThan(0)
  expect(mesh.report.minDihedral).toBeGreaterThan(10)
  expect(mesh.report.maxDihedral).toBeLessThan(165)
  // The boundary faces outward: by the divergence theorem it encloses what the tetrahedra hold.
  const enclosed = runToEnd(topology(mesh)).signedVolume
  expect(Math.abs(enclosed / mesh.report.volume - 1)).toBeLessThan(1e-6)
}

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

  it('leaves out crumbs below a cell, wherever the lattice meets them', () => {
    const box = fromGeometry(new BoxGeometry(1, 1, 1))
    for (let step = 0; step < 10; step++) {
      const crumb = moved(
        box,
        new Matrix4().makeTranslation(0.8 + 0.03 * step, 0, 0).scale(new Vector3(0.16, 0.16, 0.16)),
      )
      const filled = fill(together(box, crumb), 8)
      expect(runToEnd(topology(filled)).partCount).toBe(1)
      expect(Math.max(...filled.positions)).toBeLessThan(0.5 + 1e-9)
    }
  })

  it('takes finer cells where a body is thinner than a cell', () => {
    const plate = fill(fromGeometry(new BoxGeometry(1, 0.6, 0.02)), 4)
    expectSound(plate)
    expect(plate.resolution).toBeGreaterThan(4)
    expect(plate.report.volumeError).toBeGreaterThan(-0.4)
    expect(() => fill(fromGeometry(new BoxGeometry(1, 0.6, 0.001)), 4)).toThrow(/too thin.*64 cells.*Cloth/)
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

  it('refuses open meshes and senseless resolutions', async () => {
    const suzi = await realMesh('suzi')
    expect(() => fill(suzi)).toThrow(/160 boundary edges/)
    const box = fromGeometry(new BoxGeometry())
    for (const resolution of [0, -1, 65, Number.NaN, Infinity])
      expect(() => fill(box, resolution)).toThrow(SettingError)
  })

  it('gives the same bits for the same mesh', async () => {
    const mesh = await realMesh('bunny')
    expect(fill(mesh, 10)).toEqual(fill(mesh, 10))
  })
})
