import type { Mesh, Object3D } from 'three'

/** Groups below a body whose meshes are not the body: what a pin or a collider carries. */
const others = new WeakSet<Object3D>()

/** Keeps the meshes below `object` from being taken for a body. */
export function markAsOther(object: Object3D): void {
  others.add(object)
}

/** The first mesh at or below `root`, in the order of the scene. */
export function firstMesh(root: Object3D): Mesh | undefined {
  if (others.has(root)) return undefined
  if ('isMesh' in root) return root as Mesh
  for (const child of root.children) {
    const mesh = firstMesh(child)
    if (mesh) return mesh
  }
  return undefined
}

/** The first mesh at or below `root`. @throws Error when there is none */
export function meshBelow(component: string, root: Object3D): Mesh {
  const mesh = firstMesh(root)
  if (mesh) return mesh
  throw new Error(
    `<${component}>: there is no mesh below it. Give it a <mesh> or a geometry; a <Suspense> goes outside of it.`,
  )
}
