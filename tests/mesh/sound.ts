import { expect } from 'vitest'
import { embed } from '../../src/core/mesh/embed.js'
import { runToEnd } from '../../src/core/mesh/slices.js'
import { type TetMesh, tetrahedralize } from '../../src/core/mesh/tetrahedralize.js'
import { topology } from '../../src/core/mesh/topology.js'
import { type TriangleMesh, weld } from '../../src/core/mesh/weld.js'

export const fill = (mesh: TriangleMesh, resolution?: number) =>
  runToEnd(tetrahedralize(runToEnd(weld(mesh)), resolution === undefined ? {} : { resolution }))

const FACES = [
  [1, 2, 3],
  [0, 3, 2],
  [0, 1, 3],
  [0, 2, 1],
]

/**
 * Looks at the mesh by other means than its maker: every face at most twice, the boundary a closed 2-manifold.
 * @param touching whether walls of the boundary may touch along edges
 */
export function expectConforming({ positions, tets, triangles }: TetMesh, touching = false): void {
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
  if (!touching) expect(runs.size).toBe(triangles.length)
  expect(outer.size).toBe(triangles.length / 3)
  expect(new Set(tets).size).toBe(count)
}

/** What holds for every mesh: conforming, no inverted tetrahedron, angles as the theory bounds them. */
export function expectSound(mesh: ReturnType<typeof fill>): void {
  expectConforming(mesh)
  expect(mesh.report.minVolume).toBeGreaterThan(0)
  expect(mesh.report.minDihedral).toBeGreaterThan(10)
  expect(mesh.report.maxDihedral).toBeLessThan(165)
  // The boundary faces outward: by the divergence theorem it encloses what the tetrahedra hold.
  const enclosed = runToEnd(topology(mesh)).signedVolume
  expect(Math.abs(enclosed / mesh.report.volume - 1)).toBeLessThan(1e-6)
}

/** Largest distance of a point of the surface from the tetrahedra [cells of the resolution that was used]. */
export function farthestPoint(mesh: TriangleMesh, filled: ReturnType<typeof fill>): number {
  const { positions } = runToEnd(weld(mesh))
  const { outside } = runToEnd(embed(filled, positions))
  const sides = [0, 1, 2].map((axis) => {
    const values = positions.filter((_, i) => i % 3 === axis)
    return values.reduce((a, b) => Math.max(a, b)) - values.reduce((a, b) => Math.min(a, b))
  })
  return (outside.reduce((a, b) => Math.max(a, b)) * filled.resolution) / Math.max(...sides)
}

/** Pieces that share no vertex. */
export const piecesOf = (mesh: { positions: Float64Array; triangles: Uint32Array }) =>
  runToEnd(topology(mesh)).partCount
