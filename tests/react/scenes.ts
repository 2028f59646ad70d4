// Scenes of several meshes, and what is drawn of them.
import {
  BoxGeometry,
  Float32BufferAttribute,
  Group,
  Matrix3,
  Mesh,
  MeshBasicMaterial,
  type Object3D,
  SphereGeometry,
  TorusGeometry,
  Vector3,
} from 'three'
import { expect } from 'vitest'

export const weightless = { gravity: [0, 0, 0] } as const
export const coarse = { resolution: 6 }
export const red = new MeshBasicMaterial()
export const blue = new MeshBasicMaterial()

/** Nested, turned, unevenly scaled and mirrored groups; two materials on one mesh; one geometry in two meshes. */
export function builtScene(): Group {
  const box = new BoxGeometry(1, 1, 1, 2, 2, 2)
  box.setAttribute('color', new Float32BufferAttribute(new Float32Array(3 * box.getAttribute('position').count), 3))
  const body = new Mesh(box, [red, blue, red, blue, red, blue])
  body.name = 'Body'
  const arms = new Group()
  arms.name = 'Arms'
  arms.position.set(0, 0.3, 0)
  arms.rotation.set(0.2, 0.4, -0.1)
  arms.scale.set(1, 0.6, 0.8)
  for (const side of [-1, 1]) {
    const arm = new Mesh(new SphereGeometry(0.3, 16, 12), blue)
    arm.name = side < 0 ? 'Left' : 'Right'
    arm.position.x = 0.55
    const holder = new Group().add(arm)
    holder.scale.x = side
    arms.add(holder)
  }
  const hat = new Mesh(box, red)
  hat.name = 'Hat'
  hat.position.y = 0.8
  hat.scale.set(0.5, 0.7, 0.5)
  const ring = new Mesh(new TorusGeometry(0.3, 0.12, 10, 18).toNonIndexed().deleteAttribute('normal'), red)
  ring.name = 'Ring'
  ring.position.set(0, -0.7, 0)
  const scene = new Group()
  scene.add(body, arms, hat, ring)
  scene.scale.setScalar(0.8)
  scene.position.set(0.1, 0, 0)
  return scene
}

export function meshesOf(root: Object3D): Mesh[] {
  const meshes: Mesh[] = []
  root.traverse((object) => {
    if ('isMesh' in object) meshes.push(object as Mesh)
  })
  return meshes
}

/** Positions and unit normals of all meshes, in the world. */
export function worldVertices(meshes: readonly Mesh[]): { points: Vector3[]; normals: Vector3[] } {
  const points: Vector3[] = []
  const normals: Vector3[] = []
  for (const mesh of meshes) {
    mesh.updateWorldMatrix(true, false)
    const turn = new Matrix3().getNormalMatrix(mesh.matrixWorld)
    const { position, normal } = mesh.geometry.attributes
    for (let i = 0; i < position!.count; i++) {
      points.push(new Vector3().fromBufferAttribute(position!, i).applyMatrix4(mesh.matrixWorld))
      if (normal) normals.push(new Vector3().fromBufferAttribute(normal, i).applyMatrix3(turn).normalize())
    }
  }
  return { points, normals }
}

export function largestGap(a: readonly Vector3[], b: readonly Vector3[]): number {
  expect(a.length).toBe(b.length)
  return Math.max(...a.map((point, i) => point.distanceTo(b[i]!)))
}
