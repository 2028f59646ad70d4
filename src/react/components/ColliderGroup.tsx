import type { ThreeElements } from '@react-three/fiber'
import {
  type ReactNode,
  type Ref,
  useContext,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import type { Group } from 'three'
import { markAsOther } from '../support/bodyMeshes.js'
import { type ColliderOptions, ColliderTracker } from '../support/colliderTracker.js'
import { CompoundContext, useWorldRuntime } from '../support/contexts.js'
import { whereMade } from '../support/whereMade.js'

interface ColliderGroupProps {
  component: string
  options: ColliderOptions
  group: Omit<ThreeElements['group'], 'args'>
}

/**
 * A group whose pose a collider follows: the part that all colliders have in common. Below a compound it is one of the
 * compound's parts instead.
 */
export function ColliderGroup({ component, options, group }: ColliderGroupProps): ReactNode {
  const runtime = useWorldRuntime(`<${component}>`)
  const [tracker] = useState(() => new ColliderTracker(runtime, component, options))
  const compound = useContext(CompoundContext)
  const current = useRef(options)
  const root = useRef<Group>(null)
  const { ref, ...rest } = group
  // Before any frame can take what the collider carries for a part of the body above it.
  useLayoutEffect(() => markAsOther(root.current), [])
  useEffect(() => {
    current.current = options
    if (compound) compound.change()
    else tracker.update(options)
  })
  useEffect(
    () =>
      whereMade(root, (object) =>
        compound ? compound.add(component, object, () => current.current) : tracker.mount(object),
      ),
    [tracker, compound, component],
  )
  useImperativeHandle(ref as Ref<Group>, () => root.current!, [])
  return <group {...rest} ref={root} />
}
