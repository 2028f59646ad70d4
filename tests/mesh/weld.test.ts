import { BoxGeometry, CapsuleGeometry, Matrix4, SphereGeometry } from 'three'
import { describe, expect, it } from 'vitest'
import { runToEnd } from '../../src/core/mesh/slices.js'
import { topology } from '../../src/core/mesh/topology.js'
import { weld } from '../../src/core/mesh/weld.js'
import { fromGeometry, insideOut, moved, primitives, realMesh, together } from '../support/meshes.js'
import { seededRandom } from '../support/random.js'

const weldAll = (mesh: Parameters<typeof weld>[0], tolerance?: number) => runToEnd(weld(mesh, tolerance))

describe('weld', () => {
  it('makes one point of the vertices at one place', () => {
    const surface = weldAll(fromGeometry(new BoxGeometry(1, 2, 3)))
    expect(surface.positions.length / 3).toBe(8)
    expect(surface.triangles.length / 3).toBe(12)
    expect(surface.dropped).toBe(0)
  })

  it('leads every render vertex to a point where it lies', () => {
    const mesh = fromGeometry(new SphereGeometry(1, 24, 12))
    const surface = weldAll(mesh)
    for (let i = 0; i < mesh.positions.length; i++) {
      const point = surface.vertexToPoint[Math.floor(i / 3)]!
      expect(Math.abs(mesh.positions[i]! - surface.positions[3 * point + (i % 3)]!)).toBeLessThan(4e-6)
    }
    // A uv sphere: 11 rings of 24 and two poles.
    expect(surface.positions.length / 3).toBe(11 * 24 + 2)
  })

  it('reads meshes without an index', () => {
    const surface = weldAll(fromGeometry(new BoxGeometry().toNonIndexed()))
    expect(surface.positions.length / 3).toBe(8)
    expect(surface.triangles.length / 3).toBe(12)
  })

  it('drops triangles whose corners fall together, and stays closed', () => {
    const surface = weldAll(fromGeometry(new CapsuleGeometry()))
    expect(surface.dropped).toBeGreaterThan(0)
    expect(runToEnd(topology(surface)).closed).toBe(true)
  })

  it('welds within the tolerance and not beyond, across cells of its grid, seed 7', () => {
    const random = seededRandom(7)
    const positions: number[] = [0, 0, 0, 1, 0, 0, 0, 1, 0]
    // Each pair lies 0.9 or 1.1 tolerances apart; the diagonal of the box is sqrt 2.
    const reach = 1e-3 * Math.SQRT2
    const index = [0, 1, 2]
    for (let pair = 0; pair < 200; pair++) {
      const x = 0.04 * (pair % 20) + 0.1 + 0.01 * random()
      const y = 0.04 * Math.floor(pair / 20) + 0.1 + 0.01 * random()
      positions.push(x, y, 0, x + (pair % 2 === 0 ? 0.9 : 1.1) * reach, y, 0)
      index.push(0, 1, 3 + 2 * pair, 0, 2, 4 + 2 * pair)
    }
    const surface = weldAll({ positions, index }, 1e-3)
    for (let pair = 0; pair < 200; pair++) {
      const welded = surface.vertexToPoint[3 + 2 * pair] === surface.vertexToPoint[4 + 2 * pair]
      expect(welded, `pair ${pair}`).toBe(pair % 2 === 0)
    }
  })

  it.each([
    ['far', [0, 5, 0]],
    ['at the end of numbers', [-1e12, 1e12, 1e12]],
    ['inside', [0.1, 0.2, 0.3]],
  ])('makes no point of a vertex that no triangle uses, %s', (_, place) => {
    for (const first of [true, false]) {
      const box = fromGeometry(new BoxGeometry(1, 2, 3))
      const stray = { positions: place, index: [] }
      const surface = weldAll(first ? together(stray, box) : together(box, stray))
      const plain = weldAll(box)
      expect(surface.positions).toEqual(plain.positions)
      expect(surface.triangles).toEqual(plain.triangles)
      const own = plain.vertexToPoint
      expect([...surface.vertexToPoint]).toEqual(first ? [0, ...own] : [...own, 0])
    }
  })

  it('makes no point of what only triangles without three corners have', () => {
    const box = fromGeometry(new BoxGeometry(1, 2, 3))
    const surface = weldAll(together(box, { positions: [0, 5, 0, 0, 6, 0], index: [0, 0, 1] }))
    expect(surface.positions).toEqual(weldAll(box).positions)
    expect(surface.dropped).toBe(1)
  })

  it('says what is wrong with a mesh', () => {
    expect(() => weldAll({ positions: [0, 0, 0, 1, Number.NaN, 0, 0, 1, 0] })).toThrow(/vertex 1 .* not a finite/)
    for (const far of [2e12, -1e155, 1e308])
      expect(() => weldAll({ positions: [0, 0, 0, 1, 0, 0, 0, 1, far] })).toThrow(/vertex 2 .* beyond 1000000000000 /)
    expect(() => weldAll({ positions: [0, 0, 0, 1, 0, 0, 0, 1, 0], index: [0, 1, 3] })).toThrow(/index 3 .* 3 vertices/)
    expect(() => weldAll({ positions: [0, 0, 0, 0, 0, 0, 0, 0, 0] })).toThrow(/no triangle/)
    expect(() => weldAll({ positions: [] })).toThrow(/no triangle/)
    expect(() => weldAll({ positions: [0, 0, 0, 1, 0, 0] })).toThrow(/whole triangles/)
    expect(() => weldAll({ positions: [0, 0] })).toThrow(/three numbers/)
  })

  it('names the vertex beside which no triangle has an area', () => {
    const ball = fromGeometry(new SphereGeometry(0.5, 24, 12))
    const { length } = ball.positions
    const stray = { positions: [0, 0, 0, 0.1, 0, 0, 0, 1e6, -2], index: [0, 1, 2] }
    const far = length / 3 + 2
    const message = `vertex ${far}, at (0, 1000000, -2), is so far from the others that no triangle has an area beside that.`
    expect(() => weldAll(together(ball, stray))).toThrow(message)
    // Without an index each triangle has vertices of its own, of which some are at one place.
    const alone = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 5e6, 0, 0, 0, 0, 0, 1, 0, 0, 5e6, 0, 0]
    expect(() => weldAll({ positions: alone })).toThrow('vertex 5, at (5000000, 0, 0), is so far')
    // At a hundredth of that distance the triangles of the ball are still triangles.
    const near = { ...stray, positions: [0, 0, 0, 0.1, 0, 0, 0, 1e4, -2] }
    expect(weldAll(together(ball, near)).triangles.length / 3).toBe(24 * 22 + 1)
  })

  it('names none where no triangle has an area, however far its ends are', () => {
    const lines = [0, 0, 0, 1, 1, 1, 2, 2, 2, 0, 0, 0, 1, 2, 3, 1e6, 2e6, 3e6]
    // What is about one place by rounding alone is no triangle either.
    const rounded = [1, 1, 1, 1 + 2e-7, 1, 1, 1, 1 + 2e-7, 1, 9, 9, 9, 9, 9 + 1e-6, 9, 9, 9, 9 + 1e-6]
    for (const positions of [lines, [...rounded, ...lines]])
      expect(() => weldAll({ positions })).toThrow(/no triangle has an area\. Give it faces/)
  })
})

describe('topology', () => {
  it("finds three's primitives closed", () => {
    for (const [name, mesh] of Object.entries(primitives())) {
      const found = runToEnd(topology(weldAll(mesh)))
      expect({ name, ...found }).toMatchObject({ name, closed: true, boundaryEdges: 0, partCount: 1 })
    }
  })

  it('knows the volume of a box wherever it lies, and its sign', () => {
    const box = moved(fromGeometry(new BoxGeometry(1, 2, 3)), new Matrix4().makeTranslation(50, -20, 7))
    expect(runToEnd(topology(weldAll(box))).signedVolume).toBeCloseTo(6, 10)
    expect(runToEnd(topology(weldAll(insideOut(box)))).signedVolume).toBeCloseTo(-6, 10)
  })

  it('counts the edges of real meshes', async () => {
    expect(runToEnd(topology(weldAll(await realMesh('bunny'))))).toMatchObject({ closed: true, partCount: 1 })
    expect(runToEnd(topology(weldAll(await realMesh('pmndrs'))))).toMatchObject({ closed: true, partCount: 4 })
    const open = runToEnd(topology(weldAll(await realMesh('suzi'))))
    expect(open).toMatchObject({ closed: false, boundaryEdges: 160 })
  })

  it('counts edges where more than two faces meet', () => {
    const box = fromGeometry(new BoxGeometry(1, 1, 1))
    const pair = weldAll(together(box, moved(box, new Matrix4().makeTranslation(1, 1, 0))))
    expect(runToEnd(topology(pair))).toMatchObject({
      closed: true,
      nonManifoldEdges: 1,
      boundaryEdges: 0,
      partCount: 1,
    })
  })

  it('tells a flipped face from a hole', () => {
    const { positions, triangles } = weldAll(fromGeometry(new BoxGeometry()))
    const flipped = triangles.slice()
    flipped.set([triangles[1]!, triangles[0]!], 0)
    expect(runToEnd(topology({ positions, triangles: flipped }))).toMatchObject({
      closed: false,
      boundaryEdges: 0,
      flippedEdges: 3,
    })
    expect(runToEnd(topology({ positions, triangles: triangles.slice(3) }))).toMatchObject({
      closed: false,
      boundaryEdges: 3,
      flippedEdges: 0,
    })
  })
})
