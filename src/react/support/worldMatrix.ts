import type { Object3D } from 'three'

/**
 * Makes an object's world matrix true of what it and all above it are now. three's own `updateWorldMatrix` leaves a static
 * object, one with `matrixAutoUpdate` false, where it was when a parent moves, and takes from what is static the note that
 * its children are to follow. Here all are composed anew, a static one of its matrix as it is, and the notes stay for the
 * renderer. A world matrix that its owner writes, with `matrixWorldAutoUpdate` false, is as true as it gets. Allocates
 * nothing.
 */
export function refreshWorldMatrix(object: Object3D): void {
  const { parent, matrixWorldAutoUpdate, matrixWorldNeedsUpdate } = object
  if (parent && matrixWorldAutoUpdate) refreshWorldMatrix(parent)
  object.matrixWorldNeedsUpdate = true
  object.updateWorldMatrix(false, false) // three's, since cameras have an inverse to go with it
  object.matrixWorldNeedsUpdate = matrixWorldNeedsUpdate
}
