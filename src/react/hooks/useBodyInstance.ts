import { type RefObject, useContext, useEffect, useLayoutEffect, useState } from 'react'
import type { Object3D } from 'three'
import { BodyInstance } from '../support/bodyInstance.js'
import { bodyAbove, holdsBody, markAsBody } from '../support/bodyMeshes.js'
import type { BodyOptions } from '../support/bodyOptions.js'
import { createBodyRef } from '../support/bodyRef.js'
import { useWorldRuntime, WeldContext } from '../support/contexts.js'
import { whereMade } from '../support/whereMade.js'
import type { BodyRef } from '../types.js'

/**
 * One body from mount to unmount. Passive effects carry it: they survive a Suspense boundary that hides the mesh, and
 * StrictMode's second mount leaves one body.
 */
export function useBodyInstance(
  component: string,
  root: RefObject<Object3D | null>,
  options: BodyOptions,
): { instance: BodyInstance; handle: BodyRef } {
  const runtime = useWorldRuntime(`<${component}>`)
  const [, setError] = useState<null>(null)
  const [pair] = useState(() => {
    const fail = (error: unknown) =>
      setError(() => {
        throw error
      })
    const instance = new BodyInstance(runtime, component, options, fail)
    return { instance, handle: createBodyRef(instance) }
  })
  const { instance } = pair
  const weld = useContext(WeldContext)
  useEffect(() => weld?.add(instance), [weld, instance])
  useEffect(() => instance.update(options))
  // Before any body below asks.
  useLayoutEffect(() => whereMade(root, (object) => markAsBody(object, component)))
  const isGiven = options.origin?.prop === 'ref'
  useEffect(() => {
    if (isGiven && !root.current) {
      throw new Error(`<${component}>: its ref is not on a mesh. Give the returned ref to the <mesh>.`)
    }
    return whereMade(root, (object) => {
      const outer = bodyAbove(object)
      if (outer) {
        throw new Error(`<${component}> is inside of a <${outer}>. Put them side by side; <Attach> joins them.`)
      }
      if (holdsBody(object)) return undefined // which has refused to be here, just now
      instance.mount(object)
      return () => instance.leave()
    })
  }, [instance, root, component, isGiven])
  useEffect(() => instance.follow(root.current))
  return pair
}
