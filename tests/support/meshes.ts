import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { runInThisContext } from 'node:vm'
import {
  BoxGeometry,
  type BufferGeometry,
  CapsuleGeometry,
  CylinderGeometry,
  IcosahedronGeometry,
  type Matrix4,
  SphereGeometry,
  TorusGeometry,
  TorusKnotGeometry,
  Vector3,
} from 'three'
import type { TriangleMesh } from '../../src/core/mesh/weld.js'

/** Meshes that packages bring: scanned or modelled, so less regular than any primitive. */
export type RealMeshName = 'bunny' | 'pmndrs-bunny' | 'pmndrs' | 'suzi'

// From the project's folder: what is bundled for plain Node lies elsewhere.
const require = createRequire(join(process.cwd(), 'package.json'))
const cache = new Map<RealMeshName, Promise<TriangleMesh>>()

/** A real mesh by name; `suzi` is open, the others are closed. Read once, so treat it as frozen. */
export function realMesh(name: RealMeshName): Promise<TriangleMesh> {
  let mesh = cache.get(name)
  if (!mesh) {
    mesh = name === 'bunny' ? readScan() : readGlb(name === 'pmndrs-bunny' ? 'bunny' : name)
    cache.set(name, mesh)
  }
  return mesh
}

/** A three geometry as the engine reads it. */
export function fromGeometry(geometry: BufferGeometry): TriangleMesh {
  return {
    positions: geometry.getAttribute('position').array,
    index: geometry.index?.array ?? null,
    normals: geometry.getAttribute('normal')?.array ?? null,
  }
}

/** three's closed primitives, by name. */
export function primitives(): Record<string, TriangleMesh> {
  return {
    box: fromGeometry(new BoxGeometry(1, 0.6, 0.37)),
    sphere: fromGeometry(new SphereGeometry(1, 32, 16)),
    icosahedron: fromGeometry(new IcosahedronGeometry(1)),
    torus: fromGeometry(new TorusGeometry()),
    'torus knot': fromGeometry(new TorusKnotGeometry(1, 0.4, 128, 16)),
    capsule: fromGeometry(new CapsuleGeometry()),
    cylinder: fromGeometry(new CylinderGeometry()),
  }
}

/** A mesh moved by a matrix, without normals, in double precision. */
export function moved(mesh: TriangleMesh, matrix: Matrix4): TriangleMesh {
  const positions = Float64Array.from(mesh.positions)
  const point = new Vector3()
  for (let i = 0; i < positions.length; i += 3) {
    point.fromArray(positions, i).applyMatrix4(matrix).toArray(positions, i)
  }
  return { positions, index: mesh.index ?? null }
}

/** The same faces wound the other way. */
export function insideOut(mesh: TriangleMesh): TriangleMesh {
  const count = mesh.index ? mesh.index.length : mesh.positions.length / 3
  const index = Uint32Array.from({ length: count }, (_, corner) => {
    const turned = corner % 3 === 0 ? corner : corner % 3 === 1 ? corner + 1 : corner - 1
    return mesh.index ? mesh.index[turned]! : turned
  })
  return { ...mesh, index }
}

/** Two meshes as one. */
export function together(a: TriangleMesh, b: TriangleMesh): TriangleMesh {
  const offset = a.positions.length / 3
  return {
    positions: Float64Array.from([...Array.from(a.positions), ...Array.from(b.positions)]),
    index: Uint32Array.from([...Array.from(a.index!), ...Array.from(b.index!, (vertex) => vertex + offset)]),
  }
}

/** The Stanford bunny: positions and faces, no normals. */
async function readScan(): Promise<TriangleMesh> {
  const scan = require('bunny') as { positions: number[][]; cells: number[][] }
  return { positions: Float32Array.from(scan.positions.flat()), index: Uint32Array.from(scan.cells.flat()) }
}

interface GltfJson {
  meshes: {
    primitives: {
      extensions: {
        KHR_draco_mesh_compression: { bufferView: number; attributes: { POSITION: number; NORMAL: number } }
      }
    }[]
  }[]
  bufferViews: { byteOffset?: number; byteLength: number }[]
}

/** First primitive of a Draco-compressed .glb; three's own DRACOLoader needs web workers, which Node has not. */
async function readGlb(name: string): Promise<TriangleMesh> {
  const module = readFileSync(require.resolve(`@pmndrs/assets/models/${name}.glb.js`), 'utf8')
  const base64 = /base64,([A-Za-z0-9+/=]+)/.exec(module)?.[1]
  if (!base64) throw new Error(`${name}.glb.js holds no base64 data`)
  const glb = Buffer.from(base64, 'base64')
  // A .glb is a 12-byte header, then chunks of length, type and data: first JSON, then binary.
  const jsonLength = glb.readUInt32LE(12)
  const gltf = JSON.parse(glb.toString('utf8', 20, 20 + jsonLength)) as GltfJson
  const binary = glb.subarray(20 + jsonLength + 8)
  const primitive = gltf.meshes[0]?.primitives[0]
  if (!primitive) throw new Error(`${name}.glb holds no mesh`)
  const compression = primitive.extensions.KHR_draco_mesh_compression
  const view = gltf.bufferViews[compression.bufferView]
  if (!view) throw new Error(`${name}.glb lacks its buffer view`)
  const start = view.byteOffset ?? 0
  return decodeDraco(binary.subarray(start, start + view.byteLength), compression.attributes)
}

interface DracoMesh {
  num_points(): number
  num_faces(): number
}
interface Draco {
  Decoder: new () => {
    DecodeArrayToMesh(bytes: Uint8Array, length: number, mesh: DracoMesh): { ok(): boolean; error_msg(): string }
    GetAttributeByUniqueId(mesh: DracoMesh, id: number): unknown
    GetAttributeFloatForAllPoints(mesh: DracoMesh, attribute: unknown, out: DracoArray): void
    GetFaceFromMesh(mesh: DracoMesh, face: number, out: DracoArray): void
  }
  Mesh: new () => DracoMesh
  DracoFloat32Array: new () => DracoArray
  DracoInt32Array: new () => DracoArray
}
interface DracoArray {
  GetValue(i: number): number
}

/** Positions, normals and faces of Draco-compressed bytes, by the ids of their attributes. */
export async function decodeDraco(bytes: Uint8Array, ids: { POSITION: number; NORMAL: number }): Promise<TriangleMesh> {
  const draco = await loadDraco()
  const decoder = new draco.Decoder()
  const mesh = new draco.Mesh()
  const status = decoder.DecodeArrayToMesh(new Uint8Array(bytes), bytes.length, mesh)
  if (!status.ok()) throw new Error(status.error_msg())
  const readVectors = (id: number) => {
    const values = new draco.DracoFloat32Array()
    decoder.GetAttributeFloatForAllPoints(mesh, decoder.GetAttributeByUniqueId(mesh, id), values)
    return Float32Array.from({ length: 3 * mesh.num_points() }, (_, i) => values.GetValue(i))
  }
  const index = new Uint32Array(3 * mesh.num_faces())
  const face = new draco.DracoInt32Array()
  for (let i = 0; i < mesh.num_faces(); i++) {
    decoder.GetFaceFromMesh(mesh, i, face)
    for (let corner = 0; corner < 3; corner++) index[3 * i + corner] = face.GetValue(corner)
  }
  return { positions: readVectors(ids.POSITION), normals: readVectors(ids.NORMAL), index }
}

/** three ships the decoder as a classic script within an ES module package, so it is evaluated by hand. */
function loadDraco(): Promise<Draco> {
  const path = require.resolve('three/addons/libs/draco/gltf/draco_decoder.js')
  const script = readFileSync(path, 'utf8')
  const load = runInThisContext(`(module, exports, require, __dirname) => {${script}\nreturn DracoDecoderModule}`)
  const createModule = load({ exports: {} }, {}, require, '') as () => Promise<Draco>
  return createModule()
}
