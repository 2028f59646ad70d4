import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { BoxGeometry, BufferAttribute, BufferGeometry, type Group } from 'three'
import type { DRACOLoader } from 'three/addons/loaders/DRACOLoader.js'
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js'
import { decodeDraco } from './meshes.js'

const require = createRequire(import.meta.url)

/** three's own DRACOLoader needs web workers, which Node has not. */
const draco = {
  preload: () => draco,
  async decodeDracoFile(
    bytes: ArrayBuffer,
    done: (geometry: BufferGeometry) => void,
    ids: { position: number; normal: number },
  ) {
    const mesh = await decodeDraco(new Uint8Array(bytes), { POSITION: ids.position, NORMAL: ids.normal })
    const geometry = new BufferGeometry()
      .setAttribute('position', new BufferAttribute(mesh.positions as Float32Array, 3))
      .setAttribute('normal', new BufferAttribute(mesh.normals as Float32Array, 3))
      .setIndex(new BufferAttribute(mesh.index as Uint32Array, 1))
    done(geometry)
  },
}

/** A binary glTF file: a header, then a chunk of JSON and one of bytes, each filled up to a multiple of four. */
function glb(json: object, bytes: Uint8Array): ArrayBuffer {
  const text = new TextEncoder().encode(JSON.stringify(json))
  const textLength = Math.ceil(text.length / 4) * 4
  const byteLength = Math.ceil(bytes.length / 4) * 4
  const file = new Uint8Array(28 + textLength + byteLength)
  const view = new DataView(file.buffer)
  const header = [0x46546c67, 2, file.length, textLength, 0x4e4f534a]
  header.forEach((word, k) => {
    view.setUint32(4 * k, word, true)
  })
  file.fill(0x20, 20, 20 + textLength)
  file.set(text, 20)
  view.setUint32(20 + textLength, byteLength, true)
  view.setUint32(24 + textLength, 0x004e4942, true)
  file.set(bytes, 28 + textLength)
  return file.buffer
}

async function parse(file: ArrayBuffer): Promise<Group> {
  const loader = new GLTFLoader().setDRACOLoader(draco as unknown as DRACOLoader)
  return (await loader.parseAsync(file, '')).scene
}

/** A file of @pmndrs/assets as `useGLTF` gives it, without its textures, which need a browser. */
export async function assetScene(name: 'bunny' | 'pmndrs' | 'suzi'): Promise<Group> {
  const module = readFileSync(require.resolve(`@pmndrs/assets/models/${name}.glb.js`), 'utf8')
  const file = Buffer.from(/base64,([A-Za-z0-9+/=]+)/.exec(module)![1]!, 'base64')
  const jsonLength = file.readUInt32LE(12)
  const json = JSON.parse(file.toString('utf8', 20, 20 + jsonLength))
  for (const { pbrMetallicRoughness } of json.materials) delete pbrMetallicRoughness.baseColorTexture
  return parse(glb(json, file.subarray(20 + jsonLength + 8)))
}

/**
 * A file as an optimiser writes it: quantised and interleaved (KHR_mesh_quantization), a mesh of two materials as two
 * primitives that are open by themselves, used by two nodes, one of them mirrored, below a turned and unevenly scaled one.
 */
export async function quantisedScene(): Promise<Group> {
  const box = new BoxGeometry(2, 2, 2, 3, 3, 3)
  const position = box.getAttribute('position')
  const normal = box.getAttribute('normal')
  // Three shorts, and two bytes that fill up; three bytes, and one that does.
  const stride = 12
  const vertices = new DataView(new ArrayBuffer(stride * position.count))
  for (let i = 0; i < position.count; i++) {
    for (let axis = 0; axis < 3; axis++) {
      vertices.setInt16(stride * i + 2 * axis, Math.round(position.getComponent(i, axis) * 32767), true)
      vertices.setInt8(stride * i + 8 + axis, Math.round(normal.getComponent(i, axis) * 127))
    }
  }
  const index = Uint16Array.from(box.index!.array)
  const bytes = new Uint8Array(vertices.byteLength + index.byteLength)
  bytes.set(new Uint8Array(vertices.buffer))
  bytes.set(new Uint8Array(index.buffer), vertices.byteLength)
  const half = index.length / 2
  const attributes = { POSITION: 0, NORMAL: 1 }
  const count = position.count
  return parse(
    glb(
      {
        asset: { version: '2.0' },
        extensionsUsed: ['KHR_mesh_quantization'],
        extensionsRequired: ['KHR_mesh_quantization'],
        scene: 0,
        scenes: [{ nodes: [0] }],
        nodes: [
          { name: 'Toy', rotation: [0, 0, Math.SQRT1_2, Math.SQRT1_2], scale: [0.5, 1, 0.7], children: [1, 2] },
          { name: 'Left', mesh: 0, scale: [0.4, 0.4, 0.4] },
          { name: 'Right', mesh: 0, scale: [-0.4, 0.3, 0.4], translation: [0.6, 0, 0] },
        ],
        meshes: [
          {
            name: 'Block',
            primitives: [
              { attributes, indices: 2, material: 0 },
              { attributes, indices: 3, material: 1 },
            ],
          },
        ],
        materials: [{ name: 'Red' }, { name: 'Blue' }],
        buffers: [{ byteLength: bytes.length }],
        bufferViews: [
          { buffer: 0, byteOffset: 0, byteLength: vertices.byteLength, byteStride: stride, target: 34962 },
          { buffer: 0, byteOffset: vertices.byteLength, byteLength: index.byteLength, target: 34963 },
        ],
        accessors: [
          {
            bufferView: 0,
            componentType: 5122,
            normalized: true,
            count,
            type: 'VEC3',
            min: [-1, -1, -1],
            max: [1, 1, 1],
          },
          { bufferView: 0, byteOffset: 8, componentType: 5120, normalized: true, count, type: 'VEC3' },
          { bufferView: 1, componentType: 5123, count: half, type: 'SCALAR' },
          { bufferView: 1, byteOffset: 2 * half, componentType: 5123, count: half, type: 'SCALAR' },
        ],
      },
      bytes,
    ),
  )
}
