import { type ReactNode, useContext, useEffect, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react'
import type { Group } from 'three'
import { attachProps } from '../props.js'
import { AttachTracker } from '../support/attachTracker.js'
import { markAsOther } from '../support/bodyMeshes.js'
import { BodyContext, useWorldRuntime } from '../support/contexts.js'
import { useValidProps } from '../support/propKeeper.js'
import { whereMade } from '../support/whereMade.js'
import type { AttachProps } from '../types.js'

/**
 * Joins a body to another one, or to an object of the scene, at the offset that they have when both are there: `a` to
 * `b`. Inside a body `a` is that body; without `b` it is held to the group of the attachment itself, as by a `<Pin>` that
 * gives way. Two bodies pull at each other; an object leads and is not pulled.
 *
 * Whole areas are joined, so that neither side turns against the other; `radius={0}` joins points. Beyond `breakForce` it
 * breaks, until the world is reset. A body that is made anew, or that comes back, is joined anew, where it then is.
 * @throws SettingError at mount for an invalid prop, or a selector that names no vertex; Error for no body at all
 */
export function Attach({ children, ref, ...props }: AttachProps): ReactNode {
  const runtime = useWorldRuntime('<Attach>')
  const above = useContext(BodyContext)
  const [valid, group] = useValidProps<keyof typeof attachProps, typeof props>('Attach', attachProps, props, 'place')
  const { a, b, at, radius, onBreak, compliance = 0, damping = 0, breakForce = Number.POSITIVE_INFINITY } = valid
  if (!above && a === undefined) {
    throw new Error('<Attach> needs a body. Put it inside a <SoftBody> or a <Cloth>, or give a ref of one for a.')
  }
  const options = { a, b, at, radius, compliance, damping, breakForce, onBreak }
  const root = useRef<Group>(null)
  const [tracker] = useState(() => new AttachTracker(runtime, above, options))
  // Before any frame can take what the attachment carries for a part of the body.
  useLayoutEffect(() => markAsOther(root.current), [])
  useEffect(() => tracker.update(options))
  useEffect(() => whereMade(root, (object) => tracker.mount(object)), [tracker])
  useImperativeHandle(ref, () => tracker.handle, [tracker])
  return (
    <group {...group} ref={root}>
      {children}
    </group>
  )
}
