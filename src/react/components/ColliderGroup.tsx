import type { ThreeElements } from '@react-three/fiber'
import { type ReactNode, type Ref, useEffect, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react'
import type { Group } from 'three'
import { markAsOther } from '../support/bodyMeshes.js'
import { type ColliderOptions, ColliderTracker } from '../support/colliderTracker.js'
import { useWorldRuntime } from '../support/contexts.js'

interface ColliderGroupProps {
  component: string
  options: ColliderOptions
  group: Omit<ThreeElements['group'], 'args'>
}

/** A group whose pose a collider follows: the part that all colliders have in common. */
export function ColliderGroup({ component, options, group }: ColliderGroupProps): ReactNode {
  const runtime = useWorldRuntime(`<${component}>`)
  const [tracker] = useState(() => new ColliderTracker(runtime, component, options))
  const root = useRef<Group>(null)
  const { ref, ...rest } = group
  // Before any frame can take what the collider carries for a part of the body above it.
  useLayoutEffect(() => markAsOther(root.current!), [])
  useEffect(() => tracker.update(options))
  useEffect(() => tracker.mount(root.current!), [tracker])
  useImperativeHandle(ref as Ref<Group>, () => root.current!, [])
  return <group {...rest} ref={root} />
}
