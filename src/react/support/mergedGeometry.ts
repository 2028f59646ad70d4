import { BufferAttribute, BufferGeometry, type Matrix4 } from 'three'
import type { Part } from './bodySource.js'
import { numberOf, sameStamp, stampOf } from './identity.js'
import { cofactors, cornersOf, tangentsOf, transform, triples } from './triangleMesh.js'

interface Merged {
  readonly stamp: readonly unknown[]
  readonly geometry: BufferGeometry
}

/** By the first part's geometry: equal scenes, as clones are, share a merged geometry and so the shapes built from it. */
const cache = new WeakMap<BufferGeometry, Map<string, Merged>>()

/** The surface of several meshes as one geometry, in their common space; it is not drawn. */
export function mergedGeometry(parts: readonly Part[]): BufferGeometry {
  const first = parts[0]!
  if (parts.length === 1 && isUnmoved(first.placement)) return first.geometry
  const known = cache.get(first.geometry) ?? new Map<string, Merged>()
  cache.set(first.geometry, known)
  const key = parts.map(({ geometry, placement }) => `${numberOf(geometry)}:${placement.elements.join()}`).join(';')
  const stamp = parts.flatMap(({ geometry }) => stampOf(geometry))
  const entry = known.get(key)
  if (entry && sameStamp(entry.stamp, stamp)) return entry.geometry
  const geometry = merge(parts)
  known.set(key, { stamp, geometry })
  return geometry
}

function isUnmoved({ elements }: Matrix4): boolean {
  return elements.every((element, i) => element === (i % 5 === 0 ? 1 : 0))
}

function merge(parts: readonly Part[]): BufferGeometry {
  const last = parts.at(-1)!
  const vertexCount = last.firstVertex + last.geometry.getAttribute('position').count
  const positions = new Float64Array(3 * vertexCount)
  const normals = new Float64Array(3 * vertexCount)
  const corners: Uint32Array[] = []
  for (const part of parts) {
    positions.set(placedPositions(part), 3 * part.firstVertex)
    normals.set(placedNormals(part), 3 * part.firstVertex)
    corners.push(placedCorners(part))
  }
  const index = new Uint32Array(corners.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const some of corners) {
    index.set(some, at)
    at += some.length
  }
  const geometry = new BufferGeometry()
    .setAttribute('position', new BufferAttribute(positions, 3))
    .setAttribute('normal', new BufferAttribute(normals, 3))
    .setIndex(new BufferAttribute(index, 1))
  const tangents = placedTangents(parts, vertexCount)
  return tangents ? geometry.setAttribute('tangent', new BufferAttribute(tangents, 4)) : geometry
}

/** The 3 x 3 part of a matrix, row by row. */
function linearOf({ elements: e }: Matrix4): number[] {
  return [e[0], e[4], e[8], e[1], e[5], e[9], e[2], e[6], e[10]]
}

function placedPositions({ geometry, placement }: Part): Float64Array {
  const positions = triples(geometry.getAttribute('position'))
  transform(positions, linearOf(placement))
  for (let i = 0; i < positions.length; i++) positions[i]! += placement.elements[12 + (i % 3)]!
  return positions
}

/** Normals on the side that the faces of the part show once they are wound as those of the first one. */
function placedNormals({ geometry, placement, mirrored }: Part): Float64Array {
  const normals = triples(geometry.getAttribute('normal') ?? facesNormals(geometry))
  transform(normals, cofactors(linearOf(placement)))
  if (mirrored) for (let i = 0; i < normals.length; i++) normals[i] = -normals[i]!
  return normals
}

/** Zero in parts without; null where no part has any. */
function placedTangents(parts: readonly Part[], vertexCount: number): Float64Array | null {
  let all: Float64Array | null = null
  for (const { geometry, placement, firstVertex } of parts) {
    const tangents = tangentsOf(geometry)
    if (!tangents) continue
    transform(tangents, linearOf(placement), 4)
    all ??= new Float64Array(4 * vertexCount)
    all.set(tangents, 4 * firstVertex)
  }
  return all
}

function facesNormals(geometry: BufferGeometry): BufferAttribute {
  const bare = new BufferGeometry().setAttribute('position', geometry.getAttribute('position')).setIndex(geometry.index)
  bare.computeVertexNormals()
  return bare.getAttribute('normal') as BufferAttribute
}

function placedCorners({ geometry, firstVertex, mirrored }: Part): Uint32Array {
  const corners = cornersOf(geometry)
  for (let i = 0; i < corners.length; i++) corners[i]! += firstVertex
  if (!mirrored) return corners
  for (let i = 0; i + 2 < corners.length; i += 3) {
    const second = corners[i + 1]!
    corners[i + 1] = corners[i + 2]!
    corners[i + 2] = second
  }
  return corners
}
