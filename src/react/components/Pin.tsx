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
import { pinProps } from '../props.js'
import { markAsOther } from '../support/bodyMeshes.js'
import { BodyContext } from '../support/contexts.js'
import { PinTracker } from '../support/pinTracker.js'
import { useValidProps } from '../support/propKeeper.js'
import { whereMade } from '../support/whereMade.js'
import type { PinProps } from '../types.js'

/**
 * Holds vertices of the body above it. They follow the pin's own group (and so its parents and its `position`), or
 * the `target` object, rigidly: where it moves or turns they are led evenly over the next steps. While the target's ref
 * is empty they stay where they are.
 * @throws SettingError at mount when the selector names no vertex; Error outside of a body
 */
export function Pin({ children, ref, ...props }: PinProps): ReactNode {
  const instance = useContext(BodyContext)
  if (!instance) throw new Error('<Pin> needs a body above it. Put it inside a <SoftBody> or a <Cloth>.')
  const [{ at, target }, group] = useValidProps<keyof typeof pinProps, typeof props>('Pin', pinProps, props, 'place')
  const root = useRef<Group>(null)
  const [tracker] = useState(() => new PinTracker(instance))
  const valid = useRef(at)
  useEffect(() => {
    if (tracker.hold(at)) valid.current = at
  }, [tracker, at])
  // Before any frame can take what the pin carries for a part of the body.
  useLayoutEffect(() => markAsOther(root.current), [])
  useEffect(() => whereMade(root, (object) => tracker.mount(object, valid.current, target)), [tracker, target])
  useImperativeHandle(ref as Ref<Group>, () => root.current!, [])
  return (
    <group {...group} ref={root}>
      {children}
    </group>
  )
}
