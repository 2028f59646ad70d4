import { type RefObject, useContext, useEffect, useLayoutEffect, useState } from 'react'
import type { Object3D } from 'three'
import { BodyInstance } from '../support/bodyInstance.js'
import { bodyAbove, markAsBody } from '../support/bodyMeshes.js'
import type { BodyOptions } from '../support/bodyOptions.js'
import { createBodyRef } from '../support/bodyRef.js'
import { useWorldRuntime, WeldContext } from '../support/contexts.js'
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
  useLayoutEffect(() => {
    if (root.current) markAsBody(root.current, component)
  })
  useEffect(() => {
    if (!root.current) throw new Error(`<${component}>: its ref is not on a mesh. Give the returned ref to the <mesh>.`)
    const outer = bodyAbove(root.current)
    if (outer) throw new Error(`<${component}> is inside of a <${outer}>. Put them side by side; <Attach> joins them.`)
    instance.mount(root.current)
    return () => instance.leave()
  }, [instance, root, component])
  useEffect(() => instance.follow(root.current))
  return pair
}
