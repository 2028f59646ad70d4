import { Matrix4, TorusKnotGeometry, Triangle, Vector3 } from 'three'
import { describe, expect, it } from 'vitest'
import { type Embedding, embed } from '../../src/core/mesh/embed.js'
import { runToEnd } from '../../src/core/mesh/slices.js'
import { tetrahedralize } from '../../src/core/mesh/tetrahedralize.js'
import { type TriangleMesh, weld } from '../../src/core/mesh/weld.js'
import { fromGeometry, moved, primitives, realMesh } from '../support/meshes.js'
import { randomPose, seededRandom } from '../support/random.js'

function embedded(mesh: TriangleMesh, resolution: number) {
  const surface = runToEnd(weld(mesh))
  const tetMesh = runToEnd(tetrahedralize(surface, { resolution }))
  return { tetMesh, points: surface.positions, embedding: runToEnd(embed(tetMesh, surface.positions)) }
}

function carried({ particles, weights }: Embedding, positions: Float64Array): Float64Array {
  const out = new Float64Array((3 * particles.length) / 4)
  for (let i = 0; i < particles.length; i++) {
    const point = 3 * Math.floor(i / 4)
    for (let axis = 0; axis < 3; axis++) out[point + axis]! += weights[i]! * positions[3 * particles[i]! + axis]!
  }
  return out
}

function largestDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let largest = 0
  for (let i = 0; i < a.length; i++) largest = Math.max(largest, Math.abs(a[i]! - b[i]!))
  return largest
}

describe('embed', () => {
  for (const seed of [1, 2, 3]) {
    it(`gives points back at rest and under any affine map, seed ${seed}`, async () => {
      const random = seededRandom(seed)
      const meshes = { ...primitives(), bunny: await realMesh('bunny'), pmndrs: await realMesh('pmndrs') }
      for (const mesh of Object.values(meshes)) {
        const { tetMesh, points, embedding } = embedded(mesh, 4 + Math.floor(8 * random()))
        const size = Math.max(...points) - Math.min(...points)
        expect(largestDifference(carried(embedding, tetMesh.positions), points)).toBeLessThan(1e-9 * size)

        const entries = Array.from({ length: 16 }, (_, i) => (i % 4 < 3 ? 4 * random() - 2 : i === 15 ? 1 : 0))
        const affine = new Matrix4().fromArray(entries)
        const particles = moved({ positions: tetMesh.positions }, affine).positions as Float64Array
        const expected = moved({ positions: points }, affine).positions
        // Entries are below 2, so the map stretches what is rounded at rest by at most 2 * 3.
        expect(largestDifference(carried(embedding, particles), expected)).toBeLessThan(6e-9 * size)
      }
    })
  }

  it('has weights that sum to 1, and are not negative inside', async () => {
    const { embedding } = embedded(await realMesh('bunny'), 8)
    const inside = Array.from(embedding.outside).filter((distance) => distance === 0).length
    expect(inside).toBeGreaterThan(0.1 * embedding.outside.length)
    for (let p = 0; p < embedding.outside.length; p++) {
      const weights = Array.from(embedding.weights.subarray(4 * p, 4 * p + 4))
      const sum = weights.reduce((total, weight) => total + weight)
      const least = Math.min(...weights)
      // At once, for expect is slow: the sum, and the sign as `outside` says.
      expect(Math.abs(sum - 1) < 1e-12 && (embedding.outside[p] === 0) === least > -1e-9, `point ${p}`).toBe(true)
    }
  })

  it('measures the distance to the nearest boundary triangle, near and far, seed 5', () => {
    const random = seededRandom(5)
    const { tetMesh } = embedded(fromGeometry(new TorusKnotGeometry(1, 0.4, 64, 12)), 8)
    const points = Float64Array.from({ length: 3 * 300 }, (_, i) => (i < 600 ? 4 : 40) * (random() - 0.5))
    const { outside, particles } = runToEnd(embed(tetMesh, points))
    const { positions, triangles } = tetMesh
    const corner = (i: number) => new Vector3().fromArray(positions, 3 * triangles[i]!)
    const faces = Array.from({ length: triangles.length / 3 }, (_, t) => ({
      corners: Array.from(triangles.subarray(3 * t, 3 * t + 3)),
      face: new Triangle(corner(3 * t), corner(3 * t + 1), corner(3 * t + 2)),
    }))
    let beyond = 0
    for (let p = 0; p < outside.length; p++) {
      if (outside[p] === 0) continue
      beyond++
      const point = new Vector3().fromArray(points, 3 * p)
      const distances = faces.map(({ face }) => face.closestPointToPoint(point, new Vector3()).distanceTo(point))
      const nearest = Math.min(...distances)
      expect(Math.abs(outside[p]! - nearest)).toBeLessThan(1e-12)
      // The carrier holds one of the nearest triangles.
      const carriers = particles.subarray(4 * p, 4 * p + 4)
      const holds = faces.some(
        ({ corners }, t) => distances[t]! < nearest + 1e-12 && corners.every((vertex) => carriers.includes(vertex)),
      )
      expect(holds).toBe(true)
    }
    expect(beyond).toBeGreaterThan(200)
  })

  it('does not depend on place and size beyond rounding, seed 9', () => {
    const pose = randomPose(seededRandom(9))
    const mesh = primitives().torus!
    const near = embedded(mesh, 7)
    const scale = new Vector3().setFromMatrixScale(pose).x
    const far = embedded(moved(mesh, new Matrix4().makeScale(scale, scale, scale)), 7)
    expect(far.tetMesh.tets).toEqual(near.tetMesh.tets)
    expect(
      largestDifference(
        far.embedding.outside,
        near.embedding.outside.map((d) => d * scale),
      ),
    ).toBeLessThan(1e-9 * scale)
  })

  it('ties a corner of a tetrahedron to itself alone', () => {
    const positions = Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1)
    const tets = Uint32Array.of(0, 1, 2, 3)
    const { weights, outside } = runToEnd(embed({ positions, tets }, Float64Array.of(0, 1, 0, 1, 1, 1)))
    expect(Array.from(weights)).toEqual([0, 0, 1, 0, -2, 1, 1, 1])
    // From (1, 1, 1) to the plane x + y + z = 1.
    expect(outside[0]).toBe(0)
    expect(outside[1]).toBeCloseTo(2 / Math.sqrt(3), 14)
  })
})
