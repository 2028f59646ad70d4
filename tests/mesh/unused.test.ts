// Vertices that no triangle uses, as those of another mesh in the same buffer, are no part of a body.
import { BoxGeometry, Matrix4, SphereGeometry, TorusGeometry } from 'three'
import { describe, expect, it } from 'vitest'
import { clothMeshModel } from '../../src/core/bodies/cloth.js'
import { softBodyModel, tetMeshModel } from '../../src/core/bodies/solid.js'
import { meshSurface } from '../../src/core/collision/meshSurface.js'
import { createSkinWorkspace, type Skin, updateSkin } from '../../src/core/mesh/skin.js'
import type { TriangleMesh } from '../../src/core/mesh/weld.js'
import type { Model } from '../../src/core/model.js'
import { fromGeometry, moved } from '../support/meshes.js'

const box = fromGeometry(new BoxGeometry(1, 1, 1, 3, 3, 3))
/** In double precision, so that moving it a little is no rounding. */
const far = moved(fromGeometry(new SphereGeometry(0.5)), new Matrix4().makeTranslation(10, 3, -2))

/** The first mesh, in a buffer that starts with the vertices of the second. */
function after(mesh: TriangleMesh, other: TriangleMesh): TriangleMesh {
  const join = (a: ArrayLike<number>, b: ArrayLike<number>) => Float64Array.from([...Array.from(a), ...Array.from(b)])
  const offset = other.positions.length / 3
  // Within 55 degrees of the three at the first corner of a box.
  const normals = Array.from(other.positions, () => 1)
  return {
    positions: join(other.positions, mesh.positions),
    normals: join(normals, mesh.normals!),
    index: Array.from(mesh.index!, (vertex) => vertex + offset),
  }
}

const columnsOf = ({ positions, tets, triangles, edges, massShares, size, measure, thickness, feelers }: Model) => ({
  positions,
  tets,
  triangles,
  edges,
  massShares,
  size,
  measure,
  thickness,
  feelers,
})

function drawn(skin: Skin, particles: Float64Array) {
  const out = {
    positions: new Float32Array(3 * skin.vertexCount),
    normals: new Float32Array(3 * skin.vertexCount),
    bounds: new Float64Array(10),
  }
  updateSkin(skin, createSkinWorkspace(skin), particles, new Matrix4().elements, out)
  return out
}

/** Squeezed and sheared. */
const deformed = (x: Float64Array) => x.map((value, i) => (i % 3 === 0 ? 0.7 * value + 0.3 * x[i + 1]! : 1.2 * value))

describe.each([
  ['one far vertex', { positions: [0, 5, 0] }],
  ['a vertex inside', { positions: [0.1, 0.2, 0.1] }],
  ['another mesh', far],
] as [string, TriangleMesh][])('%s in the buffer changes no bit of', (_, other) => {
  const vertices = other.positions.length / 3

  it.each([
    ['box', { resolution: 10 }],
    ['box', { tetCount: 2000 }],
    ['box', { resolution: 3, creaseAngle: 60 }],
    ['sphere', { resolution: 7 }],
    ['torus', { resolution: 9, creaseAngle: 60 }],
  ] as const)('a solid %s, %o', (name, options) => {
    const mesh = { box, sphere: fromGeometry(new SphereGeometry()), torus: fromGeometry(new TorusGeometry()) }[name]
    const plain = softBodyModel(mesh, options)
    const shared = softBodyModel(after(mesh, other), options)
    expect(columnsOf(shared.model)).toEqual(columnsOf(plain.model))
    expect(shared.report).toEqual(plain.report)
    const particles = deformed(plain.model.positions)
    const wanted = drawn(plain.skin, particles)
    const got = drawn(shared.skin, particles)
    expect(got.bounds).toEqual(wanted.bounds)
    expect(got.positions.subarray(3 * vertices)).toEqual(wanted.positions)
    // Sums of the same faces' normals, in the same order.
    expect(got.normals.subarray(3 * vertices)).toEqual(wanted.normals)
    expect([...got.positions, ...got.normals].every(Number.isFinite)).toBe(true)
  })

  it('a body of ready tetrahedra', () => {
    const ready = softBodyModel(box, { resolution: 4 }).model
    const plain = tetMeshModel(ready, box)
    const shared = tetMeshModel(ready, after(box, other))
    expect(columnsOf(shared.model)).toEqual(columnsOf(plain.model))
  })

  it('a cloth', () => {
    const plain = clothMeshModel(box)
    const shared = clothMeshModel(after(box, other))
    expect(columnsOf(shared.model)).toEqual(columnsOf(plain.model))
    const got = drawn(shared.skin, shared.model.positions)
    expect(got.positions.subarray(3 * vertices)).toEqual(drawn(plain.skin, plain.model.positions).positions)
  })

  it('a mesh collider', () => {
    const plain = meshSurface(box)
    const shared = meshSurface(after(box, other))
    expect(shared).toEqual(plain)
    expect(shared.diagonal).toBeCloseTo(Math.sqrt(3), 12)
  })
})

it('two meshes that share a buffer are as fine as each by itself', () => {
  const cubes = [0, 10].map((x) => moved(box, new Matrix4().makeTranslation(x, 0, 0)))
  const buffer = Float64Array.from(cubes.flatMap(({ positions }) => Array.from(positions)))
  const offset = box.positions.length / 3
  for (const [k, cube] of cubes.entries()) {
    const index = Array.from(box.index!, (vertex) => vertex + k * offset)
    const { model } = softBodyModel({ positions: buffer, index })
    expect(model.particleCount).toBe(softBodyModel(cube).model.particleCount)
  }
})
