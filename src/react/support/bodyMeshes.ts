import type { Mesh, Object3D } from 'three'

/** Groups below a body whose meshes are not the body: what a pin or a collider carries. */
const others = new WeakSet<Object3D>()
/** By the object that a body's meshes are at or below, the component that makes them one. */
const bodies = new WeakMap<Object3D, string>()
/** How many meshes `matches` has seen. */
let seen = 0

/** Keeps the meshes below `object`, if it was made, from being taken for a body. */
export function markAsOther(object: Object3D | null): void {
  if (object) others.add(object)
}

/** Says that the meshes at and below `root` are the body of a component, until what it returns is called. */
export function markAsBody(root: Object3D, component: string): () => void {
  bodies.set(root, component)
  return () => bodies.delete(root)
}

/** The component whose body `root` is within; undefined for none, and for what a pin or a collider carries. */
export function bodyAbove(root: Object3D): string | undefined {
  for (let at = root.parent; at && !others.has(at); at = at.parent) if (bodies.has(at)) return bodies.get(at)
  return undefined
}

/** Whether there is a body below `root` that `bodyAbove` says to be within that of `root`. */
export function holdsBody(root: Object3D): boolean {
  return root.children.some((child) => !others.has(child) && (bodies.has(child) || holdsBody(child)))
}

/** Wide lines are meshes to three, but have no surface. */
function isSurface(object: Object3D): object is Mesh {
  return 'isMesh' in object && !('isLineSegments2' in object)
}

/** `root` itself if it is a mesh, otherwise all meshes below it, hidden ones too, in the order of the scene. */
export function meshesBelow(root: Object3D): Mesh[] {
  return isSurface(root) ? [root] : meshesWithin(root)
}

/** All meshes at and below `root`, also those below a mesh. */
export function meshesWithin(root: Object3D): Mesh[] {
  const meshes: Mesh[] = []
  collect(root, meshes)
  return meshes
}

function collect(object: Object3D, meshes: Mesh[]): void {
  if (others.has(object)) return
  if (isSurface(object)) meshes.push(object)
  for (const child of object.children) collect(child, meshes)
}

/** Whether `meshesBelow(root)` is still `meshes`. Asked in every frame: it allocates nothing. */
export function stillBelow(root: Object3D, meshes: readonly Mesh[]): boolean {
  if (isSurface(root)) return meshes[0] === root
  seen = 0
  return matches(root, meshes) && seen === meshes.length
}

function matches(object: Object3D, meshes: readonly Mesh[]): boolean {
  if (others.has(object)) return true
  if (isSurface(object) && meshes[seen++] !== object) return false
  const { children } = object
  for (let k = 0; k < children.length; k++) if (!matches(children[k]!, meshes)) return false
  return true
}

/** The mesh, or the first group between it and `root`, that a scale of 0 flattens; null where none does. */
export function flatBelow(root: Object3D, mesh: Object3D): Object3D | null {
  for (let at: Object3D | null = mesh; at && at !== root; at = at.parent) if (at.scale.toArray().includes(0)) return at
  return null
}

/** True for a mesh that is hidden itself or by a group between it and `root`. */
export function isHiddenBelow(root: Object3D, mesh: Object3D): boolean {
  for (let at: Object3D | null = mesh; at && at !== root; at = at.parent) if (!at.visible) return true
  return false
}
