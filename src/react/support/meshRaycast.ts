import { type BufferGeometry, type Intersection, Matrix4, Mesh, Ray, type Raycaster, Vector3 } from 'three'
import { invertFrame } from './frames.js'

/** Triangles that are looked at together, and vertices, as powers of two. */
const chunkSize = 64
const blockBits = 5

const inverse = new Matrix4()
const ray = new Ray()
const across = new Vector3()
const up = new Vector3()
/** On which sides of the ray each vertex lies, seen along it: bits for right, left, above and below. */
let sides = new Uint8Array(0)
/** The sides on which all vertices of a block lie. */
let blockSides = new Uint8Array(0)

/** First and last block of vertices that each chunk of an index uses: as long as the index is not changed. */
const ranges = new WeakMap<object, { readonly version: number; readonly blocks: Uint32Array }>()

/**
 * Casts a ray as three does, at a fraction of the time: seen along the ray, a triangle whose corners all lie on one side
 * cannot be hit, and only the few others are handed to three. It needs nothing but the positions as they are drawn, so
 * nothing is refitted for a mesh that changes in every frame. A `raycast` of the mesh's own wins.
 * @returns what takes it away again
 */
export function installRaycast(mesh: Mesh): () => void {
  if (mesh.raycast !== Mesh.prototype.raycast) return () => {}
  const raycast: Mesh['raycast'] = (raycaster, hits) => castThrough(mesh, raycaster, hits)
  mesh.raycast = raycast
  return () => {
    if (mesh.raycast === raycast) delete (mesh as Partial<Mesh>).raycast
  }
}

function castThrough(mesh: Mesh, raycaster: Raycaster, hits: Intersection[]): void {
  const { geometry } = mesh
  if (!invertFrame(mesh.matrixWorld, inverse)) return
  ray.copy(raycaster.ray).applyMatrix4(inverse)
  const sphere = geometry.boundingSphere
  if (!sphere || !ray.intersectsSphere(sphere)) return
  const positions = geometry.attributes.position!.array
  classify(positions, sphere.radius + ray.origin.distanceTo(sphere.center))
  const index = geometry.index?.array
  const blocks = blocksOf(geometry)
  const whole = geometry.drawRange
  const end = Math.min(index?.length ?? positions.length / 3, whole.start + whole.count)
  // three is given one triangle at a time: what it reports is exactly what it would for the whole mesh.
  const one = { start: 0, count: 3 }
  geometry.drawRange = one
  try {
    for (let i = whole.start; i + 2 < end; ) {
      const chunk = Math.floor(i / (3 * chunkSize))
      const next = Math.min(end, 3 * chunkSize * (chunk + 1))
      if (liesOnOneSide(blocks[2 * chunk]!, blocks[2 * chunk + 1]!)) {
        i += 3 * Math.ceil((next - i) / 3)
        continue
      }
      for (; i + 2 < end && i < next; i += 3) {
        const a = sides[index ? index[i]! : i]!
        const b = sides[index ? index[i + 1]! : i + 1]!
        const c = sides[index ? index[i + 2]! : i + 2]!
        if ((a & b & c) !== 0) continue
        one.start = i
        Mesh.prototype.raycast.call(mesh, raycaster, hits)
      }
    }
  } finally {
    geometry.drawRange = whole
  }
}

function liesOnOneSide(first: number, last: number): boolean {
  let all = 15
  for (let block = first; block <= last && all !== 0; block++) all &= blockSides[block]!
  return all !== 0
}

/**
 * Which vertices the chunks use. Meshes mostly have them in the order of their triangles, so that a chunk uses few; one
 * that uses many is looked at triangle by triangle. A draw range may start within a triangle: chunks overlap by two.
 */
function blocksOf(geometry: BufferGeometry): Uint32Array {
  const { index } = geometry
  const key = index ?? geometry.attributes.position!
  const version = index ? index.version : 0
  const known = ranges.get(key)
  if (known?.version === version) return known.blocks
  const count = index ? index.count : geometry.attributes.position!.count
  const chunks = Math.ceil(count / (3 * chunkSize))
  const blocks = new Uint32Array(2 * chunks)
  for (let chunk = 0; chunk < chunks; chunk++) {
    let least = 0xffffffff
    let most = 0
    for (let i = 3 * chunkSize * chunk; i < Math.min(count, 3 * chunkSize * (chunk + 1) + 2); i++) {
      const vertex = index ? index.array[i]! : i
      if (vertex < least) least = vertex
      if (vertex > most) most = vertex
    }
    blocks[2 * chunk] = least >>> blockBits
    blocks[2 * chunk + 1] = most >>> blockBits
  }
  ranges.set(key, { version, blocks })
  return blocks
}

/** @param size of what the ray passes through [m]: nothing is further from it */
function classify(positions: ArrayLike<number>, size: number): void {
  const count = positions.length / 3
  if (sides.length < count) {
    sides = new Uint8Array(count)
    blockSides = new Uint8Array((count >>> blockBits) + 1)
  }
  const { origin, direction } = ray
  across
    .set(Math.abs(direction.x) < 0.5 ? 1 : 0, Math.abs(direction.x) < 0.5 ? 0 : 1, 0)
    .cross(direction)
    .normalize()
  up.crossVectors(direction, across)
  // In units of 2e-9 of the size: as whole numbers, what may be rounding is 0, and signs are had without a branch.
  const unit = 5e8 / size
  const ax = across.x * unit
  const ay = across.y * unit
  const az = across.z * unit
  const ux = up.x * unit
  const uy = up.y * unit
  const uz = up.z * unit
  const { x: ox, y: oy, z: oz } = origin
  for (let block = 0; block << blockBits < count; block++) {
    const end = Math.min(count, (block + 1) << blockBits)
    let all = 15
    for (let v = block << blockBits; v < end; v++) {
      const x = positions[3 * v]! - ox
      const y = positions[3 * v + 1]! - oy
      const z = positions[3 * v + 2]! - oz
      const right = (ax * x + ay * y + az * z) | 0
      const above = (ux * x + uy * y + uz * z) | 0
      const side = (right >>> 31) | ((-right >>> 31) << 1) | ((above >>> 31) << 2) | ((-above >>> 31) << 3)
      sides[v] = side
      all &= side
    }
    blockSides[block] = all
  }
}
