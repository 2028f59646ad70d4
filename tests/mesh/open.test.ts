import { BoxGeometry, CylinderGeometry, Matrix4, PlaneGeometry, SphereGeometry } from 'three'
import { TeapotGeometry } from 'three/addons/geometries/TeapotGeometry.js'
import { describe, expect, it } from 'vitest'
import { softBodyModel } from '../../src/core/bodies/solid.js'
import { createLattice } from '../../src/core/mesh/lattice.js'
import { sampleOpen } from '../../src/core/mesh/openSampling.js'
import { runToEnd } from '../../src/core/mesh/slices.js'
import { topology } from '../../src/core/mesh/topology.js'
import { type TriangleMesh, weld } from '../../src/core/mesh/weld.js'
import { capWinding, openings } from '../../src/core/mesh/winding.js'
import { long } from '../support/long.js'
import { fromGeometry, insideOut, moved, realMesh, together } from '../support/meshes.js'
import { randomPose, seededRandom } from '../support/random.js'
import { expectConforming, expectSound, fill, piecesOf } from './sound.js'

/** A mesh without some of its triangles. */
function without(mesh: TriangleMesh, drop: (triangle: number) => boolean): TriangleMesh {
  return { ...mesh, index: Uint32Array.from(mesh.index!).filter((_, corner) => !drop(Math.floor(corner / 3))) }
}

/** The winding number by complex arctangents, one triangle after the other. */
function windingNumber(positions: ArrayLike<number>, triangles: ArrayLike<number>, point: number[]): number {
  const dot = (p: number[], q: number[]) => p[0]! * q[0]! + p[1]! * q[1]! + p[2]! * q[2]!
  let sum = 0
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((k) =>
      point.map((value, axis) => positions[3 * triangles[t + k]! + axis]! - value),
    ) as [number[], number[], number[]]
    const cross = [b[1]! * c[2]! - b[2]! * c[1]!, b[2]! * c[0]! - b[0]! * c[2]!, b[0]! * c[1]! - b[1]! * c[0]!]
    const [la, lb, lc] = [a, b, c].map((p) => Math.hypot(...p)) as [number, number, number]
    sum += Math.atan2(dot(a, cross), la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb)
  }
  return sum / (2 * Math.PI)
}

describe('winding numbers', () => {
  it('of caps are those of what they close, less the surface, near and far, seed 2', () => {
    const random = seededRandom(2)
    // A ball without its cap above the height h: seen from its centre the hole covers (1 - h) / 2 of the sphere.
    const theta = 1.1
    const bowl = fromGeometry(new SphereGeometry(1, 256, 128, 0, 2 * Math.PI, theta, Math.PI - theta))
    const open = runToEnd(openings(runToEnd(weld(bowl))))
    expect(capWinding(open, 0, 0, 0)).toBeCloseTo((1 - Math.cos(theta)) / 2, 3)
    for (let i = 0; i < 200; i++) {
      const point = [0, 1, 2].map(() => 20 * (random() - 0.5)) as [number, number, number]
      // A dipole stands for a flat fan from three reaches on: off by some (1/3)^2 of pi / (4 pi 3^2).
      const exact = windingNumber(open.closed.positions, open.caps, point)
      expect(Math.abs(capWinding(open, ...point) - exact)).toBeLessThan(1 / 300)
    }
  })

  it('say what is inside an open surface, and where it ends across the opening', () => {
    for (const theta of [1.1, ...long(0.7, 1.5)]) {
      // Turned, so that the opening lies within the box of the whole.
      const bowl = new SphereGeometry(1, 24, 12, 0, 2 * Math.PI, theta, Math.PI - theta).rotateZ(0.8)
      const surface = runToEnd(weld(fromGeometry(bowl)))
      const { positions, triangles } = surface
      bowl.computeBoundingBox()
      const lattice = createLattice(bowl.boundingBox!.min.toArray(), bowl.boundingBox!.max.toArray(), 12)
      const { signs, cuts } = runToEnd(sampleOpen(surface, runToEnd(openings(surface)), lattice))
      const { origin, unit, size, rowLength } = lattice
      const place = (x: number, y: number, z: number) => [x, y, z].map((k, axis) => origin[axis]! + k * unit)
      let wrong = 0
      const misses: number[] = []
      for (let z = 2; z <= size[2] - 3; z++) {
        for (let y = 2 + (z & 1); y <= size[1] - 3; y += 2) {
          for (let x = 2 + (z & 1); x <= size[0] - 3; x += 2) {
            const vertex = (z * size[1] + y) * rowLength + (x >> 1)
            const winding = windingNumber(positions, triangles, place(x, y, z))
            // The dipole's error cannot turn what is this far from one half.
            if (signs[vertex] !== 0 && Math.abs(winding - 0.5) > 0.01 && signs[vertex] !== Math.sign(winding - 0.5))
              wrong++
            const cut = cuts[7 * vertex + 1]!
            if (signs[vertex] === 1 && signs[vertex + 2 * rowLength] === -1 && y + 2 <= size[1] - 3) {
              const there = windingNumber(positions, triangles, place(x, y + 2 * cut, z))
              const above = windingNumber(positions, triangles, place(x, y + 2, z))
              // Where the surface was not crossed, the winding number has not jumped: the cut is where it passes one half.
              if (Math.abs(winding - above) > 0.5) continue
              misses.push(Math.abs(there - 0.5))
            }
          }
        }
      }
      expect(wrong).toBe(0)
      // Linear over an edge, so off by an eighth of the second difference, which peaks at the rim; in the mean a few percent.
      expect(misses.length).toBeGreaterThan(0)
      expect(misses.reduce((a, b) => a + b) / misses.length).toBeLessThan(0.03)
    }
  })
})

describe('meshes that are not closed', () => {
  it('fill as if their holes were closed: a ball without a few faces', () => {
    const ball = fromGeometry(new SphereGeometry(1, 48, 24))
    const whole = fill(ball, 10)
    const holed = fill(
      without(ball, (t) => t % 97 === 50),
      10,
    )
    expectSound(holed)
    expect(holed.report.assumption).toMatch(/^\d+ boundary edges: treated as closed by winding numbers$/)
    expect(whole.report.assumption).toBeNull()
    // Each of 23 holes of a face's size moves the surface by less than that size.
    expect(Math.abs(holed.report.volume / whole.report.volume - 1)).toBeLessThan(0.01)
  })

  it('fill to the rim where a face is missing: a box in any pose, seed 3', () => {
    const random = seededRandom(3)
    for (let i = 0; i < 4; i++) {
      const open = without(fromGeometry(new BoxGeometry(1, 1, 1)), (t) => t < 2)
      const pose = new Matrix4().extractRotation(randomPose(random))
      const filled = fill(moved(open, pose), 12)
      expectSound(filled)
      // The winding number is one half on the missing face itself: thin parts along its rim add to what chamfers take.
      expect(Math.abs(filled.report.volume - 1)).toBeLessThan(0.06)
    }
  })

  it('do not mind which way the faces look, all of them or some', () => {
    const bowl = fromGeometry(new SphereGeometry(1, 32, 16, 0, 2 * Math.PI, 1.1, Math.PI - 1.1))
    expect(fill(insideOut(bowl), 8).report.volume).toBeCloseTo(fill(bowl, 8).report.volume, 10)

    const ball = fromGeometry(new SphereGeometry(1, 32, 16))
    const index = Uint32Array.from(ball.index!)
    let turned = 0
    for (let t = 0; t < index.length; t += 15) {
      const [b, c] = [index[t + 1]!, index[t + 2]!]
      index.set([c, b], t + 1)
      turned++
    }
    const mended = fill({ ...ball, index }, 8)
    expectSound(mended)
    expect(mended.tets).toEqual(fill(ball, 8).tets)
    expect(mended.report.assumption).toBe(`${turned} faces turned to agree with their neighbours`)
  })

  it('fill: suzi with her open parts, the teapot without its lid, a tube', async () => {
    const meshes = {
      suzi: await realMesh('suzi'),
      teapot: fromGeometry(new TeapotGeometry(1, 8)),
      lidless: fromGeometry(new TeapotGeometry(1, 8, true, false)),
      tube: fromGeometry(new CylinderGeometry(0.5, 0.5, 2, 24, 1, true)),
    }
    for (const mesh of Object.values(meshes)) {
      for (const resolution of [6, 10, 14]) {
        const filled = fill(mesh, resolution)
        expectSound(filled)
        expect(piecesOf(filled)).toBe(1)
        expect(filled.report.assumption).toMatch(/boundary edges: treated as closed/)
      }
    }
    const { report } = softBodyModel(meshes.suzi)
    expect(report.assumption).toBe('160 boundary edges: treated as closed by winding numbers')
  })

  it('become shells about a cell thick where they enclose nothing: a sheet in any pose, seed 8', () => {
    const random = seededRandom(8)
    for (let i = 0; i < 6; i++) {
      const turn = new Matrix4().extractRotation(randomPose(random))
      const sheet = moved(fromGeometry(new PlaneGeometry(1, 0.7, 3, 2)), turn)
      const filled = fill(sheet, 10)
      expectSound(filled)
      expect(piecesOf(filled)).toBe(1)
      const back = turn.clone().invert()
      const heights = moved({ positions: filled.positions }, back).positions as Float64Array
      const span = Array.from(heights).reduce(
        (most, value, k) => (k % 3 === 2 ? Math.max(most, Math.abs(value)) : most),
        0,
      )
      const sides = [0, 1, 2].map((axis) => {
        const values = Array.from(sheet.positions).filter((_, k) => k % 3 === axis)
        return Math.max(...values) - Math.min(...values)
      })
      const cell = Math.max(...sides) / 10
      // The nearest lattice vertex is within sqrt(5) / 4 of a cell, and cuts 0.401 of a long edge or less beyond it.
      expect(span).toBeLessThan((Math.sqrt(5) / 4 + 0.401) * cell)
    }
  })

  it('may be closed and meet along edges of four faces, as scans on a coarse grid do, and say so', async () => {
    const { positions, index } = await realMesh('bunny')
    const size =
      Array.from(positions).reduce((a, b) => Math.max(a, b)) - Array.from(positions).reduce((a, b) => Math.min(a, b))
    const whole = fill({ positions, index: index ?? null }, 10)
    for (const cells of [16, 24, 32]) {
      // What falls into one cell becomes one point: thin folds close up, and are then edges of four faces.
      const snapped = Float64Array.from(positions, (x) => (Math.round((x / size) * cells) * size) / cells)
      const surface = runToEnd(weld({ positions: snapped, index: index ?? null }))
      const { closed, nonManifoldEdges, signedVolume } = runToEnd(topology(surface))
      expect({ closed, some: nonManifoldEdges > 0 }).toEqual({ closed: true, some: true })
      const filled = fill({ positions: snapped, index: index ?? null }, 10)
      expectSound(filled)
      expect(piecesOf(filled)).toBe(1)
      expect(filled.report.assumption).toBe(
        `${nonManifoldEdges} non-manifold edges: inside is where the winding number is not zero`,
      )
      // Nothing is counted twice. Points have moved by up to half a cell of the grid, either way.
      expect(filled.report.meshVolume! / signedVolume).toBeCloseTo(1, 9)
      expect(Math.abs(signedVolume / whole.report.meshVolume! - 1)).toBeLessThan(1 / cells)
    }
    expect(whole.report.assumption).toBeNull()
  })

  it('may meet along edges of three and more faces', () => {
    const box = fromGeometry(new BoxGeometry(1, 1, 1))
    const wall = fromGeometry(new PlaneGeometry(1, 1))
    const filled = fill(together(box, wall), 9)
    expectConforming(filled)
    // On one side of the wall the winding number falls to one half, but not below.
    expect(Math.abs(filled.report.volume - 1)).toBeLessThan(0.02)
    const winged = fill(together(box, moved(wall, new Matrix4().makeTranslation(1, 0, 0.5))), 9)
    expectSound(winged)
    expect(winged.report.assumption).toMatch(/boundary edges/)
    expect(piecesOf(winged)).toBe(1)
  })
})
