import { type ReactNode, type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react'
import type { Group } from 'three'
import { ALL_GROUPS } from '../../headless.js'
import { cutProps } from '../props.js'
import { BladeTracker } from '../support/bladeTracker.js'
import { useWorldRuntime } from '../support/contexts.js'
import { useValidProps } from '../support/propKeeper.js'
import { whereMade } from '../support/whereMade.js'
import type { CutProps } from '../types.js'

/**
 * A blade that cuts every cloth it meets, by `collisionGroups` too, along its mesh: a line of `length` along its group's x axis, wherever that is led,
 * or wherever a cloth falls on it. What is among its children is drawn along.
 * @throws SettingError at mount for an invalid prop, Error outside of a world
 */
export function Cut({ children, ref, ...props }: CutProps): ReactNode {
  const [valid, group] = useValidProps<keyof typeof cutProps, typeof props>('Cut', cutProps, props, 'place')
  const { length, active, collisionGroups } = valid
  const runtime = useWorldRuntime('<Cut>')
  const root = useRef<Group>(null)
  const [tracker] = useState(() => new BladeTracker(runtime))
  useEffect(() => {
    tracker.length = length ?? cutProps.length.default
    tracker.active = active ?? true
    tracker.collisionGroups = collisionGroups ?? ALL_GROUPS
  }, [tracker, length, active, collisionGroups])
  useEffect(() => whereMade(root, (object) => tracker.mount(object)), [tracker])
  useImperativeHandle(ref as Ref<Group>, () => root.current!, [])
  return (
    <group {...group} ref={root}>
      {children}
    </group>
  )
}
