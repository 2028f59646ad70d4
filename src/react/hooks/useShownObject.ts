import { useEffect, useLayoutEffect, useState } from 'react'
import type { Mesh, Object3D } from 'three'
import { SettingError } from '../../headless.js'
import { checkObject } from '../support/bodySource.js'
import { warnOnce } from '../support/propKeeper.js'
import type { SoftBodyProps } from '../types.js'

type Given = Pick<SoftBodyProps, 'geometry' | 'castShadow' | 'receiveShadow'>

/**
 * A clone of `object` to be shown in its place, with the shadows that are asked for, or else its own; undefined without one.
 * One of which no body can be made does not take the place of another: it warns, and that stays.
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
  const [clones] = useState(() => new Clones(component))
  const { shown, error } = clones.of(object)
  useEffect(() => {
    if (conflict) warnOnce(said, conflict)
    if (error) warnOnce(said, error)
  })
  useLayoutEffect(() => {
    for (const [mesh, own] of shown?.shadows ?? []) {
      mesh.castShadow = castShadow ?? own.castShadow
      mesh.receiveShadow = receiveShadow ?? own.receiveShadow
    }
  }, [shown, castShadow, receiveShadow])
  return shown?.clone
}

interface Taken {
  readonly object: Object3D | undefined
  /** The object that is shown: `object`, or the last of which a body can be made. */
  readonly from: Object3D | undefined
  readonly shown: ReturnType<typeof cloned> | undefined
  /** Whether a body can be made of what is shown, as far as that is known. */
  readonly valid: boolean
  /** Why what is shown is still of the object before. */
  readonly error?: unknown
}

/** Clones of the objects that a body is given, one after another. */
class Clones {
  private last: Taken | null = null

  constructor(private readonly component: string) {}

  of(object: Object3D | undefined): Taken {
    if (!this.last || object !== this.last.object) this.last = this.taken(object, this.last)
    return this.last
  }

  private taken(object: Object3D | undefined, last: Taken | null): Taken {
    const from = object
    if (!object) return { object, from, shown: undefined, valid: false }
    if (last?.valid && object === last.from) return { object, from, shown: last.shown, valid: true }
    const shown = cloned(object)
    if (!last) return { object, from, shown, valid: true } // else its mount throws
    try {
      checkObject(this.component, shown.clone)
      return { object, from, shown, valid: true }
    } catch (error) {
      return last.valid ? { ...last, object, error } : { object, from, shown, valid: false }
    }
  }
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
