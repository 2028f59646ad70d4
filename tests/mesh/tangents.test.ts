import { BoxGeometry, Matrix3, Matrix4, PlaneGeometry, SphereGeometry, Vector3 } from 'three'
import { describe, expect, it } from 'vitest'
import { softBodyModel } from '../../src/core/bodies/solid.js'
import { createSkinWorkspace, identitySkin, type Skin, updateSkin } from '../../src/core/mesh/skin.js'
import type { TriangleMesh } from '../../src/core/mesh/weld.js'
import { fromGeometry, moved } from '../support/meshes.js'
import { seededRandom } from '../support/random.js'

/** A geometry with the tangents that three computes from its texture coordinates. */
function withTangents(geometry: BoxGeometry | PlaneGeometry | SphereGeometry): TriangleMesh {
  geometry.computeTangents()
  return { ...fromGeometry(geometry), tangents: geometry.getAttribute('tangent').array }
}

function shown(skin: Skin, particles: Float64Array, workspace = createSkinWorkspace(skin)) {
  const out = {
    positions: new Float32Array(3 * skin.vertexCount),
    normals: new Float32Array(3 * skin.vertexCount),
    tangents: new Float32Array(4 * skin.vertexCount),
    bounds: new Float64Array(10),
  }
  updateSkin(skin, workspace, particles, new Matrix4().elements, out)
  return out
}

const carried = (positions: Float64Array, matrix: Matrix4) => moved({ positions }, matrix).positions as Float64Array

/** What a frame's tangents must be whatever happened: of unit length, square to the normals. */
function faults({ normals, tangents }: ReturnType<typeof shown>): number {
  let count = 0
  for (let vertex = 0; vertex < normals.length / 3; vertex++) {
    const tangent = new Vector3().fromArray(tangents, 4 * vertex)
    const sound =
      Math.abs(tangent.length() - 1) < 1e-6 &&
      Math.abs(tangent.dot(new Vector3().fromArray(normals, 3 * vertex))) < 1e-6
    if (!sound) count++
  }
  return count
}

describe('tangents', () => {
  it("are the mesh's own at rest, and the handedness stays", () => {
    const mesh = withTangents(new BoxGeometry(1, 0.7, 0.5, 3, 3, 3))
    const { skin, model } = softBodyModel(mesh, { resolution: 6 })
    const { tangents } = shown(skin, model.positions)
    // three has them in Float32.
    for (let i = 0; i < tangents.length; i++) expect(Math.abs(tangents[i]! - mesh.tangents![i]!)).toBeLessThan(1e-5)
    const mirrored = { ...mesh, tangents: Float32Array.from(mesh.tangents!, (x, i) => (i % 4 === 3 ? -x : x)) }
    const other = shown(softBodyModel(mirrored, { resolution: 6 }).skin, model.positions).tangents
    for (let i = 3; i < other.length; i += 4) expect(other[i]).toBe(-tangents[i]!)
  })

  for (const seed of [1, 2, 3, 4]) {
    it(`point along the image of dP/du under any affine map: turned, stretched, sheared, seed ${seed}`, () => {
      const random = seededRandom(seed)
      const map = new Matrix4().fromArray(
        Array.from({ length: 16 }, (_, i) => (i % 5 === 0 ? 1 : 0) + (i % 4 < 3 && i < 12 ? random() - 0.5 : 0)),
      )
      const linear = new Matrix3().setFromMatrix4(map)
      const box = withTangents(new BoxGeometry(1, 0.7, 0.5, 3, 3, 3))
      const sheet = withTangents(new PlaneGeometry(2, 1, 6, 4))
      const solid = softBodyModel(box, { resolution: 6 })
      const cases = [
        { mesh: box, skin: solid.skin, rest: solid.model.positions },
        { mesh: sheet, skin: identitySkin(sheet), rest: Float64Array.from(sheet.positions) },
      ]
      for (const { mesh, skin, rest } of cases) {
        const out = shown(skin, carried(rest, map))
        expect(faults(out)).toBe(0)
        // A flat face stays flat, so the image of the tangent lies in it: no projection is left to do.
        for (let vertex = 0; vertex < skin.vertexCount; vertex++) {
          const expected = new Vector3()
            .fromArray(mesh.tangents!, 4 * vertex)
            .applyMatrix3(linear)
            .normalize()
          const got = new Vector3().fromArray(out.tangents, 4 * vertex)
          expect(got.distanceTo(expected)).toBeLessThan(1e-4)
        }
      }
    })
  }

  it('lie along the parallels of a ball, and of the ellipsoid it is drawn out to', () => {
    const mesh = withTangents(new SphereGeometry(1, 64, 32))
    const { skin, model } = softBodyModel(mesh, { resolution: 8 })
    const stretch = new Matrix4().makeScale(1, 2, 1)
    const { positions, tangents } = shown(skin, carried(model.positions, stretch))
    for (let vertex = 0; vertex < skin.vertexCount; vertex++) {
      const [x, y, z] = [0, 1, 2].map((axis) => positions[3 * vertex + axis]!) as [number, number, number]
      if (Math.abs(y) > 1.9) continue
      const parallel = new Vector3(z, 0, -x).normalize()
      // Facets of 360/64 degrees.
      expect(Math.abs(parallel.dot(new Vector3().fromArray(tangents, 4 * vertex)))).toBeGreaterThan(
        Math.cos((Math.PI * 2) / 64),
      )
    }
  })

  it('are never anything but unit vectors square to the normals: collapsed, flattened, lost particles, seed 5', () => {
    const random = seededRandom(5)
    const mesh = withTangents(new SphereGeometry(1, 16, 8))
    // Tangents that a file gets wrong.
    const tangents = Float32Array.from(mesh.tangents!)
    tangents.set([0, 0, 0, 1, Number.NaN, 0, 0, 1], 0)
    const { skin, model } = softBodyModel({ ...mesh, tangents }, { resolution: 5 })
    const workspace = createSkinWorkspace(skin)
    const rest = model.positions
    const states = [
      rest.slice(),
      rest.map(() => 0.5),
      rest.map((value, i) => (i % 3 === 1 ? 0 : value)),
      rest.map(() => random()),
      rest.map(() => Number.NaN),
      rest.map(() => 1e300),
      rest.slice(),
    ]
    for (const state of states) expect(faults(shown(skin, state, workspace))).toBe(0)
  })

  it('are not written for a mesh without them', () => {
    const { skin, model } = softBodyModel(fromGeometry(new BoxGeometry()), { resolution: 4 })
    expect(skin.tangents).toBeNull()
    expect(shown(skin, model.positions).tangents.every((value) => value === 0)).toBe(true)
  })
})

describe('creaseAngle', () => {
  it('0 keeps each normal of its own, 30 the hard edges, 180 smooths every seam', () => {
    const box = fromGeometry(new BoxGeometry(1, 1, 1))
    const groups = (mesh: TriangleMesh, creaseAngle: number) => softBodyModel(mesh, { resolution: 4, creaseAngle }).skin
    for (const [angle, count] of [
      [0, 24],
      [30, 24],
      [89.9, 24],
      [90.1, 8],
      [180, 8],
    ] as const) {
      expect(groups(box, angle).groupCount, `${angle} degrees`).toBe(count)
    }
    // Smooth normals are one at a seam even at 0: there is nothing hard to keep.
    for (const ball of [new SphereGeometry(1, 16, 8), new SphereGeometry(1, 16, 8).toNonIndexed()]) {
      for (const angle of [0, 1e-6, 30, 180]) {
        const { groupCount, pointCount } = groups(fromGeometry(ball), angle)
        expect(groupCount, `${angle} degrees`).toBe(pointCount)
      }
    }
  })

  it('0 draws a smooth seam of a sphere as smooth as the rest of it', () => {
    const ball = new SphereGeometry(0.5, 32, 24)
    const { skin, model } = softBodyModel(fromGeometry(ball), { resolution: 5, creaseAngle: 0 })
    const { normals } = shown(skin, model.positions)
    // The first and the last vertex of a row of 33 lie at one place of the seam.
    for (let row = 1; row < 24; row++) {
      const first = 3 * 33 * row
      const last = first + 3 * 32
      expect(normals.slice(last, last + 3)).toEqual(normals.slice(first, first + 3))
    }
  })
})
