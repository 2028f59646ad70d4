// Scenes of several meshes as one body: drawn where they were, and left as they were.
import { createRef } from 'react'
import {
  Box3,
  BoxGeometry,
  type BufferAttribute,
  type BufferGeometry,
  DirectionalLight,
  Group,
  LineSegments,
  Mesh,
  type MeshBasicMaterial,
  type Object3D,
  Quaternion,
  Raycaster,
  SphereGeometry,
  TorusGeometry,
  Vector3,
} from 'three'
import { describe, expect, it } from 'vitest'
import { SoftBody, type SoftBodyRef } from '../../src/index.js'
import { assetScene, quantisedScene } from '../support/gltf.js'
import { collectWarnings, contentOf, mount } from './mount.js'
import { blue, builtScene, coarse, largestGap, meshesOf, red, weightless, worldVertices } from './scenes.js'

describe('a scene at rest', () => {
  it.each([
    ['by hand', async () => builtScene()],
    ['quantised, interleaved, of two materials', quantisedScene],
    ['the bunny of @pmndrs/assets', () => assetScene('bunny')],
    ['suzi, which is open', () => assetScene('suzi')],
    ['the logo of @pmndrs/assets', () => assetScene('pmndrs')],
  ])('is drawn where it was: %s', async (_, load) => {
    const original = await load()
    const ref = createRef<SoftBodyRef>()
    const warnings = collectWarnings()
    const body = (
      <group position={[1, 2, 3]} rotation={[0.3, 0.2, 0.1]} scale={[1, 1.5, 1]}>
        <SoftBody ref={ref} object={original} {...coarse} rotation={[0, 0.5, 0]} scale={[1, 1, -1]} />
      </group>
    )
    const scene = await mount(body, weightless)
    warnings.stop()
    // The same scene below the same parents, without a body.
    const parent = new Group()
    parent.position.set(1, 2, 3)
    parent.rotation.set(0.3, 0.2, 0.1)
    parent.scale.set(1, 1.5, 1)
    const group = new Group()
    group.rotation.set(0, 0.5, 0)
    group.scale.set(1, 1, -1)
    parent.add(group.add(original.clone()))
    const expected = worldVertices(meshesOf(parent))
    const drawn = worldVertices(ref.current!.meshes)
    expect(scene.world.world.bodies.length).toBe(1)
    expect(ref.current!.meshes.length).toBe(meshesOf(original).length)
    expect(largestGap(drawn.points, expected.points)).toBeLessThan(1e-5)
    await scene.unmount()
  })

  it('has its normals to the outside, in mirrored groups too', async () => {
    const original = builtScene()
    const ref = createRef<SoftBodyRef>()
    const scene = await mount(<SoftBody ref={ref} object={original} {...coarse} />, weightless)
    const shaded = ref.current!.meshes.filter(({ name }) => name !== 'Ring')
    const { normals } = worldVertices(shaded)
    const expected = worldVertices(meshesOf(original).filter(({ name }) => name !== 'Ring')).normals
    // Normals of the faces around a vertex against those of the sphere itself: 16 x 12 segments are 15 degrees each.
    const least = Math.min(...normals.map((normal, i) => normal.dot(expected[i]!)))
    expect(least).toBeGreaterThan(Math.cos((15 * Math.PI) / 180))
    await scene.unmount()
  })

  it('shares a seam between two materials: its normals are those of one surface', async () => {
    const sphere = new SphereGeometry(0.5, 24, 16)
    const half = sphere.index!.count / 2
    const part = (from: number, material: MeshBasicMaterial) => {
      const geometry = new SphereGeometry(0.5, 24, 16)
      geometry.setIndex(Array.from(sphere.index!.array.slice(from, from + half)))
      return new Mesh(geometry, material)
    }
    const ref = createRef<SoftBodyRef>()
    const object = new Group().add(part(0, red), part(half, blue))
    const scene = await mount(<SoftBody ref={ref} object={object} {...coarse} />, weightless)
    await scene.frames(2)
    const [above, below] = ref.current!.meshes.map((mesh) => worldVertices([mesh]))
    // The vertices of the equator are in both meshes, and used by one face of each.
    for (let i = 8 * 25; i < 9 * 25; i++) {
      expect(above!.normals[i]!.dot(below!.normals[i]!)).toBeCloseTo(1, 6)
      expect(above!.normals[i]!.y).toBeCloseTo(0, 2)
    }
    await scene.unmount()
  })
})

/** Unit tangents of meshes in the world. */
function worldTangents(meshes: readonly Mesh[]): Vector3[] {
  return meshes.flatMap((mesh) => {
    mesh.updateWorldMatrix(true, false)
    const tangent = mesh.geometry.getAttribute('tangent')
    return Array.from({ length: tangent.count }, (_, i) =>
      new Vector3().fromBufferAttribute(tangent, i).transformDirection(mesh.matrixWorld),
    )
  })
}

describe('tangents', () => {
  // In a mesh of its own they are made square to the normals in the mesh's space, so that an uneven scale shears that.
  it.each([
    ['of one mesh', 1, [1, 1, 1]],
    ['of several, one of them mirrored, scaled unevenly', 2, [1, 0.8, 1.2]],
  ] as const)('are those of the file at rest, and turn with the body: %s', async (_, count, [sx, sy, sz]) => {
    const torus = new TorusGeometry(0.5, 0.2, 24, 48)
    torus.computeTangents()
    const object = new Group()
    for (let k = 0; k < count; k++) {
      const mesh = new Mesh(torus)
      mesh.position.x = 2 * k
      mesh.scale.set(k === 0 ? sx : -sx, sy, sz)
      object.add(mesh)
    }
    if (count > 1) object.add(new Mesh(new BoxGeometry(0.2, 0.2, 0.2)))
    const before = contentOf(torus)
    const ref = createRef<SoftBodyRef>()
    const scene = await mount(<SoftBody ref={ref} object={object} resolution={12} />, weightless)
    const meshes = ref.current!.meshes.slice(0, count)
    const rest = worldTangents(meshes)
    const expected = worldTangents(object.children.slice(0, count) as Mesh[])
    // The file's are square to the normals of the torus, ours to those of its facets, 15 degrees each.
    const least = Math.min(...rest.map((tangent, i) => tangent.dot(expected[i]!)))
    expect(least).toBeGreaterThan(Math.cos((7.5 * Math.PI) / 180))
    const turn = new Quaternion(0.5, 0.1, -0.3, 0.8).normalize()
    ref.current!.teleport([0, 1, 0], [turn.x, turn.y, turn.z, turn.w])
    await scene.frames(1)
    const turned = worldTangents(meshes)
    const gap = largestGap(
      turned,
      rest.map((tangent) => tangent.clone().applyQuaternion(turn)),
    )
    expect(gap).toBeLessThan(1e-4)
    const { normals } = worldVertices(meshes)
    expect(Math.max(...turned.map((tangent, i) => Math.abs(tangent.dot(normals[i]!))))).toBeLessThan(1e-5)
    for (const { geometry } of meshes) {
      const handedness = (which: BufferGeometry) =>
        Array.from({ length: which.getAttribute('tangent').count }, (__, i) => which.getAttribute('tangent').getW(i))
      expect(handedness(geometry)).toEqual(handedness(torus))
    }
    expect(contentOf(torus)).toEqual(before)
    await scene.unmount()
  })
})

describe('the meshes of a scene', () => {
  it('keep materials, uv, colours, index and groups, and the file is not written to', async () => {
    const original = builtScene()
    const sources = meshesOf(original)
    const before = sources.map(({ geometry }) => contentOf(geometry))
    const kept = sources.map(({ geometry }) => geometry)
    const ref = createRef<SoftBodyRef>()
    const scene = await mount(<SoftBody ref={ref} object={original} {...coarse} castShadow />)
    await scene.frames(5)
    const { meshes } = ref.current!
    for (const [k, mesh] of meshes.entries()) {
      const source = sources[k]!
      expect(mesh).not.toBe(source)
      expect(mesh.name).toBe(source.name)
      // Lists of materials are cloned, materials are not.
      expect([mesh.material].flat().map(({ uuid }) => uuid)).toEqual([source.material].flat().map(({ uuid }) => uuid))
      expect(mesh.castShadow).toBe(true)
      expect(source.castShadow).toBe(false)
      expect(mesh.geometry).not.toBe(source.geometry)
      expect(mesh.geometry.index).toBe(source.geometry.index)
      expect(mesh.geometry.groups).toBe(source.geometry.groups)
      for (const name of Object.keys(source.geometry.attributes)) {
        const own = name === 'position' || name === 'normal'
        expect(mesh.geometry.getAttribute(name) === source.geometry.getAttribute(name)).toBe(!own)
      }
    }
    expect(new Set(meshes.map(({ geometry }) => geometry)).size).toBe(5)
    expect(sources.map(({ geometry }) => geometry)).toEqual(kept)
    expect(sources.map(({ geometry }) => contentOf(geometry))).toEqual(before)
    await scene.unmount()
  })

  it.each(['castShadow', 'receiveShadow'] as const)('have the %s of the props, and else their own', async (prop) => {
    const original = builtScene()
    const sources = meshesOf(original)
    sources[1]![prop] = true
    const own = sources.map((mesh) => mesh[prop])
    const ref = createRef<SoftBodyRef>()
    const body = (shadow: Partial<Record<typeof prop, boolean>>) => (
      <SoftBody ref={ref} object={original} {...coarse} {...shadow} />
    )
    const shadows = () => ref.current!.meshes.map((mesh) => mesh[prop])
    const scene = await mount(body({}))
    expect(shadows()).toEqual(own)
    for (const value of [true, false]) {
      await scene.update(body({ [prop]: value }))
      expect(shadows()).toEqual(own.map(() => value))
      await scene.update(body({}))
      expect(shadows()).toEqual(own)
    }
    expect(sources.map((mesh) => mesh[prop])).toEqual(own)
    await scene.unmount()
  })

  it('follow one body, with their bounds', async () => {
    const ref = createRef<SoftBodyRef>()
    const scene = await mount(<SoftBody ref={ref} object={builtScene()} {...coarse} />)
    const before = worldVertices(ref.current!.meshes).points
    await scene.frames(30)
    const after = worldVertices(ref.current!.meshes).points
    // 30 steps of free fall, h = 1/600 s; drawn is the step before, so 29.5 of them at most apart.
    const t = 0.5
    const fallen = (9.81 * (t * t + t / 600)) / 2
    const falls = after.map((point, i) => before[i]!.y - point.y)
    expect(Math.max(...falls) - Math.min(...falls)).toBeLessThan(1e-4)
    expect(Math.abs(falls[0]! - fallen)).toBeLessThan((9.81 * t) / 60)
    for (const { geometry } of ref.current!.meshes) {
      const position = geometry.getAttribute('position') as BufferAttribute
      const box = new Box3().setFromBufferAttribute(position)
      expect(geometry.boundingBox!.min.distanceTo(box.min)).toBeLessThan(1e-6)
      expect(geometry.boundingBox!.max.distanceTo(box.max)).toBeLessThan(1e-6)
      const { center, radius } = geometry.boundingSphere!
      const reach = Math.max(
        ...Array.from({ length: position.count }, (_, i) =>
          new Vector3().fromBufferAttribute(position, i).distanceTo(center),
        ),
      )
      expect(radius).toBeCloseTo(reach, 6)
    }
    await scene.unmount()
  })

  it('are hit by a ray where they are drawn now', async () => {
    const ref = createRef<SoftBodyRef>()
    const scene = await mount(<SoftBody ref={ref} object={builtScene()} {...coarse} />)
    await scene.frames(60)
    const caster = new Raycaster()
    for (const mesh of ref.current!.meshes) {
      mesh.updateWorldMatrix(true, false)
      const box = new Box3().setFromObject(mesh)
      // Past the hole of the ring.
      const x = mesh.name === 'Ring' ? box.min.x + 0.05 : (box.min.x + box.max.x) / 2
      caster.set(new Vector3(x, (box.min.y + box.max.y) / 2, 50), new Vector3(0, 0, -1))
      expect(caster.intersectObject(mesh, false).length, mesh.name).toBeGreaterThan(0)
    }
    await scene.unmount()
  })

  it('leave lights, lines and hidden meshes as they are', async () => {
    const original = builtScene()
    const hidden = new Mesh(new BoxGeometry(9, 9, 9))
    hidden.name = 'Hidden'
    hidden.visible = false
    original.add(new DirectionalLight(), new LineSegments(new BoxGeometry()), hidden)
    const ref = createRef<SoftBodyRef>()
    const scene = await mount(<SoftBody ref={ref} object={original} {...coarse} />, weightless)
    expect(ref.current!.meshes.map(({ name }) => name)).toEqual(['Body', 'Left', 'Right', 'Hat', 'Ring'])
    expect(ref.current!.bounds(new Float64Array(6))[4]).toBeLessThan(2)
    const [engine] = scene.world.world.bodies
    const inScene = (type: string) => {
      let found: Object3D | undefined
      scene.state.scene.traverse((object) => {
        if (object.type === type) found = object
      })
      return found
    }
    expect(inScene('DirectionalLight')).toBeDefined()
    expect((inScene('LineSegments') as LineSegments).geometry.type).toBe('BoxGeometry')
    // To be hidden later, as by a Suspense boundary, is no change of the body.
    ref.current!.meshes[1]!.visible = false
    await scene.frames(2)
    expect(scene.world.world.bodies).toEqual([engine])
    await scene.unmount()
  })
})
