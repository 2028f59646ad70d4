import {
  BoxGeometry,
  CapsuleGeometry,
  CylinderGeometry,
  IcosahedronGeometry,
  Matrix3,
  Matrix4,
  PlaneGeometry,
  Quaternion,
  SphereGeometry,
  TorusGeometry,
  Vector3,
} from 'three'
import { RoundedBoxGeometry } from 'three/addons/geometries/RoundedBoxGeometry.js'
import { describe, expect, it } from 'vitest'
import { embed } from '../../src/core/mesh/embed.js'
import { createSkin, createSkinWorkspace, identitySkin, type Skin, updateSkin } from '../../src/core/mesh/skin.js'
import { runToEnd } from '../../src/core/mesh/slices.js'
import { tetrahedralize } from '../../src/core/mesh/tetrahedralize.js'
import { type TriangleMesh, weld } from '../../src/core/mesh/weld.js'
import { SettingError } from '../../src/core/validation.js'
import { fromGeometry, moved, realMesh } from '../support/meshes.js'
import { seededRandom } from '../support/random.js'

function skinned(mesh: TriangleMesh, creaseAngle?: number, resolution = 7) {
  const surface = runToEnd(weld(mesh))
  const tetMesh = runToEnd(tetrahedralize(surface, { resolution }))
  const embedding = runToEnd(embed(tetMesh, surface.positions))
  const skin = runToEnd(createSkin(mesh, surface, embedding, creaseAngle === undefined ? {} : { creaseAngle }))
  return { skin, rest: tetMesh.positions }
}

function output(skin: Skin) {
  return {
    positions: new Float32Array(3 * skin.vertexCount),
    normals: new Float32Array(3 * skin.vertexCount),
    bounds: new Float64Array(10),
  }
}

/** The skin after one update. */
function shown(
  skin: Skin,
  particles: Float64Array,
  worldToLocal = new Matrix4(),
  workspace = createSkinWorkspace(skin),
) {
  const out = output(skin)
  updateSkin(skin, workspace, particles, worldToLocal.elements, out)
  return out
}

const transformed = (positions: Float64Array, matrix: Matrix4) => moved({ positions }, matrix).positions as Float64Array

/** Largest angle between two fields of unit vectors [degrees]. */
function largestAngle(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let largest = 0
  for (let i = 0; i < a.length; i += 3) {
    const angle = new Vector3(a[i], a[i + 1], a[i + 2]).angleTo(new Vector3(b[i], b[i + 1], b[i + 2]))
    largest = Math.max(largest, (angle * 180) / Math.PI)
  }
  return largest
}

function largestDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let largest = 0
  for (let i = 0; i < a.length; i++) largest = Math.max(largest, Math.abs(a[i]! - b[i]!))
  return largest
}

/** Squeezes, shears, bends and moves. */
function deform(positions: Float64Array): Float64Array {
  return positions.map((value, i) => {
    const point = i - (i % 3)
    const [x, y, z] = [positions[point]!, positions[point + 1]!, positions[point + 2]!]
    return i % 3 === 0 ? 0.7 * x + 0.3 * y * y + 5 : i % 3 === 1 ? 1.2 * value + 0.2 * x : z + 0.3 * x * y - 2
  })
}

/** Checks that the vertices at one welded point stay together and, if `smooth`, share a normal to the bit. */
function expectNoCracks(skin: Skin, out: ReturnType<typeof shown>, smooth: boolean): void {
  const first = new Map<number, number>()
  let torn = 0
  let seams = 0
  for (let vertex = 0; vertex < skin.vertexCount; vertex++) {
    const other = first.get(skin.vertexToPoint[vertex]!)
    if (other === undefined) {
      first.set(skin.vertexToPoint[vertex]!, vertex)
      continue
    }
    seams++
    for (let axis = 0; axis < 3; axis++) {
      if (out.positions[3 * vertex + axis] !== out.positions[3 * other + axis]) torn++
      if (smooth && out.normals[3 * vertex + axis] !== out.normals[3 * other + axis]) torn++
    }
  }
  expect(seams).toBeGreaterThan(0)
  expect(torn).toBe(0)
}

describe('skin', () => {
  it('gives the render mesh back at rest', async () => {
    const mesh = await realMesh('pmndrs-bunny')
    const { skin, rest } = skinned(mesh)
    const out = shown(skin, rest)
    // Vertices weld within a millionth of the diagonal, of 2.9.
    expect(largestDifference(out.positions, mesh.positions)).toBeLessThan(3e-6)
  })

  it("has a sphere's own normals, at rest and carried along", () => {
    const { skin, rest } = skinned(fromGeometry(new SphereGeometry(1, 64, 32)))
    const out = shown(skin, rest)
    // The means of its faces, by area, are off by 0.9 degrees.
    expect(largestAngle(out.normals, out.positions)).toBeLessThan(1e-3)

    // Normals of the ellipsoid x^T A^-T A^-1 x = 1 lie along A^-T n.
    const stretch = new Matrix4().makeScale(1.5, 0.8, 1.1)
    const ellipsoid = shown(skin, transformed(rest, stretch))
    const toNormals = new Matrix3().getNormalMatrix(stretch)
    const expected = new Float64Array(out.positions.length)
    for (let i = 0; i < expected.length; i += 3) {
      new Vector3().fromArray(out.positions, i).applyMatrix3(toNormals).normalize().toArray(expected, i)
    }
    expect(largestAngle(ellipsoid.normals, expected)).toBeLessThan(1e-3)
  })

  const shapes = {
    'a coarse cylinder': new CylinderGeometry(0.5, 0.5, 1, 8),
    'a coarse sphere': new SphereGeometry(1, 12, 8),
    'a sphere without an index': new SphereGeometry(1, 16, 12).toNonIndexed(),
    'an icosahedron': new IcosahedronGeometry(1, 3),
    'a capsule': new CapsuleGeometry(0.5, 1, 4, 12),
    'a torus': new TorusGeometry(1, 0.4, 8, 16),
    'a bevelled box': new RoundedBoxGeometry(1, 0.8, 0.6, 2, 0.1),
  }
  it.each(Object.entries(shapes))("keeps the mesh's own normals: %s, at rest, turned and stretched", (_, geometry) => {
    const mesh = fromGeometry(geometry)
    const { skin, rest } = skinned(mesh)
    expect(largestDifference(shown(skin, rest).normals, mesh.normals!)).toBeLessThan(1e-6)
    const turn = new Matrix4().makeRotationFromQuaternion(new Quaternion(0.1, 0.7, -0.3, 0.4).normalize())
    const stretch = new Matrix4().makeShear(0.3, 0, 0, 0.2, 0, 0).scale(new Vector3(1.4, 0.7, 1.1))
    for (const map of [turn, stretch, turn.clone().multiply(stretch)]) {
      const toNormals = new Matrix3().getNormalMatrix(map)
      const expected = Float64Array.from(mesh.normals!)
      for (let i = 0; i < expected.length; i += 3) {
        new Vector3().fromArray(expected, i).applyMatrix3(toNormals).normalize().toArray(expected, i)
      }
      expect(largestDifference(shown(skin, transformed(rest, map)).normals, expected)).toBeLessThan(1e-6)
    }
    // However it is bent, what it shows are unit vectors, and near the means of its faces.
    const bent = shown(skin, deform(rest)).normals
    for (let i = 0; i < bent.length; i += 3) {
      expect(Math.hypot(bent[i]!, bent[i + 1]!, bent[i + 2]!)).toBeCloseTo(1, 6)
    }
    const means = shown({ ...skin, weights: skin.weights.map(() => 1) }, deform(rest)).normals
    expect(largestAngle(bent, means)).toBeLessThan(15)
  })

  it('takes the means of the faces where no weights of theirs give the normals: they lean on planes, or are none', () => {
    const box = fromGeometry(new BoxGeometry(1, 1, 1, 2, 2, 2))
    const means = shown(skinned(box).skin, skinned(box).rest).normals
    const leaning = Float32Array.from(box.normals!, (x, i) => x + (i % 3 === 0 ? 0.1 : 0))
    for (const normals of [leaning, new Float32Array(leaning.length), leaning.map(() => Number.NaN)]) {
      const { skin, rest } = skinned({ ...box, normals })
      expect(skin.weights.every((weight) => weight === 1)).toBe(true)
      expect(shown(skin, rest).normals.every(Number.isFinite)).toBe(true)
    }
    expect(largestAngle(shown(skinned({ ...box, normals: leaning }).skin, skinned(box).rest).normals, means)).toBe(0)
  })

  it('turns normals with the body, and back into the local frame', () => {
    const { skin, rest } = skinned(fromGeometry(new TorusGeometry(1, 0.4, 16, 32)))
    const still = shown(skin, rest)
    const turn = new Matrix4().makeRotationFromQuaternion(new Quaternion(0.1, 0.7, -0.3, 0.4).normalize())
    const pose = new Matrix4().makeTranslation(3, -20, 7).multiply(turn)
    const world = shown(skin, transformed(rest, pose))
    const expected = moved({ positions: still.normals }, turn).positions
    // Float32 holds unit vectors to 6e-8.
    expect(largestDifference(world.normals, expected)).toBeLessThan(1e-6)

    const local = shown(skin, transformed(rest, pose), pose.clone().invert())
    expect(largestDifference(local.normals, still.normals)).toBeLessThan(1e-6)
    expect(largestDifference(local.positions, still.positions)).toBeLessThan(1e-6)
  })

  it('does not crack at the uv seam and the poles of a sphere', () => {
    const { skin, rest } = skinned(fromGeometry(new SphereGeometry(1, 32, 16)))
    expect(skin.groupCount).toBe(skin.pointCount)
    expectNoCracks(skin, shown(skin, rest), true)
    expectNoCracks(skin, shown(skin, deform(rest)), true)
  })

  it('keeps the edges of a box hard', () => {
    const mesh = fromGeometry(new BoxGeometry(1, 1, 1, 3, 3, 3))
    const { skin, rest } = skinned(mesh)
    expect(largestAngle(shown(skin, rest).normals, mesh.normals!)).toBeLessThan(1e-3)
    // Eight corners of three faces; 12 edges with 2 more points of two; 4 more points on each of 6 faces.
    expect(skin.groupCount).toBe(8 * 3 + 12 * 2 * 2 + 6 * 4)

    // A sheared box has the normals of its sheared faces: cofactors again.
    const shear = new Matrix4().makeShear(0.3, 0, 0, 0.2, 0, 0)
    const toNormals = new Matrix3().getNormalMatrix(shear)
    const expected = Float64Array.from(mesh.normals!)
    for (let i = 0; i < expected.length; i += 3) {
      new Vector3().fromArray(expected, i).applyMatrix3(toNormals).normalize().toArray(expected, i)
    }
    const sheared = shown(skin, transformed(rest, shear))
    expect(largestAngle(sheared.normals, expected)).toBeLessThan(1e-3)
    expectNoCracks(skin, sheared, false)
  })

  it('smooths a box whose edges are below the crease angle', () => {
    const { skin, rest } = skinned(fromGeometry(new BoxGeometry()), 100)
    expect(skin.groupCount).toBe(skin.pointCount)
    expectNoCracks(skin, shown(skin, rest), true)
  })

  it('leaves a flat-shaded mesh flat, however fine its facets', () => {
    for (const detail of [0, 1, 4]) {
      // Three vertices of its own for each face.
      const soup = new IcosahedronGeometry(1, detail)
      soup.computeVertexNormals()
      const mesh = fromGeometry(soup)
      const { skin, rest } = skinned(mesh)
      expect(largestAngle(shown(skin, rest).normals, mesh.normals!)).toBeLessThan(0.01)
    }
  })

  it('makes normals for a mesh that has none: smooth, but hard beyond the crease angle', async () => {
    const { skin, rest } = skinned(await realMesh('bunny'))
    expect(skin.groupCount).toBe(skin.pointCount)
    expect(shown(skin, rest).normals.every(Number.isFinite)).toBe(true)

    const box = new BoxGeometry()
    const bare = { positions: box.getAttribute('position').array, index: box.index!.array }
    const boxSkin = skinned(bare)
    expect(boxSkin.skin.groupCount).toBe(24)
    expect(largestAngle(shown(boxSkin.skin, boxSkin.rest).normals, fromGeometry(box).normals!)).toBeLessThan(1e-3)
  })

  it("follows the mesh's own normals where they point against the winding", () => {
    const inward = fromGeometry(new SphereGeometry(1, 32, 16).scale(-1, 1, 1))
    // Mirrored: the faces now wind inward; the normals, turned by three with their inverse, still point outward.
    const { skin, rest } = skinned(inward)
    const out = shown(skin, rest)
    expect(largestAngle(out.normals, out.positions)).toBeLessThan(1e-3)
  })

  it('never writes a normal that is not a unit vector: collapsed, flattened and lost particles, seed 4', () => {
    const random = seededRandom(4)
    const { skin, rest } = skinned(fromGeometry(new SphereGeometry(1, 16, 8)))
    const workspace = createSkinWorkspace(skin)
    const states = [
      rest.map(() => 0.5),
      rest.map((value, i) => (i % 3 === 1 ? 0 : value)),
      rest.map(() => random()),
      rest.map(() => Number.NaN),
      rest.map(() => 1e300),
    ]
    for (const state of states) {
      const { normals } = shown(skin, state, new Matrix4(), workspace)
      for (let i = 0; i < normals.length; i += 3) {
        expect(Math.hypot(normals[i]!, normals[i + 1]!, normals[i + 2]!)).toBeCloseTo(1, 6)
      }
    }
  })

  it('keeps the last normal of what has collapsed', () => {
    const { skin, rest } = skinned(fromGeometry(new SphereGeometry(1, 16, 8)))
    const workspace = createSkinWorkspace(skin)
    const before = shown(skin, deform(rest), new Matrix4(), workspace).normals
    const after = shown(skin, rest.fill(2), new Matrix4(), workspace).normals
    expect(after).toEqual(before)
  })

  it('bounds what it shows', async () => {
    const { skin, rest } = skinned(await realMesh('pmndrs'))
    const { positions, bounds } = shown(skin, deform(rest))
    let radius = 0
    for (let axis = 0; axis < 3; axis++) {
      const values = Array.from(positions).filter((_, i) => i % 3 === axis)
      expect(bounds[axis]).toBeCloseTo(Math.min(...values), 5)
      expect(bounds[3 + axis]).toBeCloseTo(Math.max(...values), 5)
      expect(bounds[6 + axis]).toBeCloseTo((bounds[axis]! + bounds[3 + axis]!) / 2, 12)
    }
    const centre = new Vector3().fromArray(bounds, 6)
    for (let i = 0; i < positions.length; i += 3) {
      radius = Math.max(radius, new Vector3().fromArray(positions, i).distanceTo(centre))
    }
    expect(bounds[9]).toBeCloseTo(radius, 5)
  })

  it('is shared and frozen: two instances do not disturb each other', () => {
    const { skin, rest } = skinned(fromGeometry(new SphereGeometry(1, 16, 8)))
    expect(Object.isFrozen(skin)).toBe(true)
    const first = createSkinWorkspace(skin)
    const second = createSkinWorkspace(skin)
    const alone = shown(skin, rest, new Matrix4(), first)
    shown(skin, deform(rest), new Matrix4(), second)
    expect(shown(skin, rest, new Matrix4(), first)).toEqual(alone)
  })

  it('refuses a crease angle out of range', () => {
    for (const angle of [-1, 181, Number.NaN]) {
      expect(() => skinned(fromGeometry(new SphereGeometry()), angle)).toThrow(SettingError)
    }
  })
})

describe('identitySkin', () => {
  it('shows particles as vertices, with the normals of the sheet', () => {
    const mesh = fromGeometry(new PlaneGeometry(2, 1, 8, 4))
    const skin = identitySkin(mesh)
    const particles = Float64Array.from(mesh.positions)
    const flat = shown(skin, particles)
    expect(largestDifference(flat.positions, mesh.positions)).toBe(0)
    expect(largestAngle(flat.normals, mesh.normals!)).toBe(0)

    // z = 0.5 x has the normal (-0.5, 0, 1).
    const tilted = shown(
      skin,
      particles.map((value, i) => (i % 3 === 2 ? 0.5 * particles[i - 2]! : value)),
    )
    for (let i = 0; i < tilted.normals.length; i += 3) {
      expect(tilted.normals[i]! / tilted.normals[i + 2]!).toBeCloseTo(-0.5, 6)
      expect(tilted.normals[i + 1]).toBeCloseTo(0, 6)
    }
  })

  it('takes a mesh with a vertex that no face uses', () => {
    const positions = [0, 0, 0, 1, 0, 0, 0, 1, 0, 9, 9, 9]
    const { normals } = shown(identitySkin({ positions, index: [0, 1, 2] }), Float64Array.from(positions))
    expect(Array.from(normals)).toEqual([0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1])
  })
})
