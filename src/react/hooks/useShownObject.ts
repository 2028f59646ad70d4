import { useEffect, useLayoutEffect, useMemo, useState } from 'react'
import type { Mesh, Object3D } from 'three'
import { SettingError } from '../../headless.js'
import { warnOnce } from '../support/propKeeper.js'
import type { SoftBodyProps } from '../types.js'

type Given = Pick<SoftBodyProps, 'geometry' | 'castShadow' | 'receiveShadow'>

/**
 * A clone of `object` to be shown in its place, with the shadows that are asked for, or else its own; undefined without one.
 * @throws SettingError at mount when a geometry is given as well; later it warns, and the object stays
 */
export function useShownObject(
  component: string,
  object: Object3D | undefined,
  { geometry, castShadow, receiveShadow }: Given,
): Object3D | undefined {
  const conflict = object && geometry ? twoBodies(component, object) : undefined
  const [said] = useState(() => {
    if (conflict) throw conflict
    return new Set<string>()
  })
  useEffect(() => {
    if (conflict) warnOnce(said, conflict)
  })
  const shown = useMemo(() => object && cloned(object), [object])
  useLayoutEffect(() => {
    for (const [mesh, own] of shown?.shadows ?? []) {
      mesh.castShadow = castShadow ?? own.castShadow
      mesh.receiveShadow = receiveShadow ?? own.receiveShadow
    }
  }, [shown, castShadow, receiveShadow])
  return shown?.clone
}

/** A clone, and the shadows that its meshes have from the original. */
function cloned(object: Object3D) {
  const clone = object.clone()
  const shadows = new Map<Mesh, Pick<Mesh, 'castShadow' | 'receiveShadow'>>()
  clone.traverse((part) => {
    if (!('isMesh' in part)) return
    const { castShadow, receiveShadow } = part
    shadows.set(part as Mesh, { castShadow, receiveShadow })
  })
  return { clone, shadows }
}

function twoBodies(component: string, { name, type }: Object3D): SettingError {
  return new SettingError(component, 'object', name || type, 'is given together with a geometry', 'Give one of them.')
}
