import { type ReactNode, useContext, useEffect, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react'
import type { Group } from 'three'
import { springProps } from '../props.js'
import { markAsOther } from '../support/bodyMeshes.js'
import { BodyContext, useWorldRuntime } from '../support/contexts.js'
import { useValidProps } from '../support/propKeeper.js'
import { SpringTracker } from '../support/springTracker.js'
import { whereMade } from '../support/whereMade.js'
import type { SpringProps } from '../types.js'

/**
 * A spring between a body and another one, or an object of the scene: `a` to `b`, at the points `from` and `to`. Inside a
 * body `a` is that body; without `b` it hangs on its own group. What it joins touches as before.
 *
 * Beyond `breakForce` it breaks, until the world is reset. With `line` it is drawn; children are the line's material.
 * @throws SettingError at mount for an invalid prop; Error for no body at all
 */
export function Spring({ children, ref, ...props }: SpringProps): ReactNode {
  const runtime = useWorldRuntime('<Spring>')
  const above = useContext(BodyContext)
  const [valid, group] = useValidProps<keyof typeof springProps, typeof props>('Spring', springProps, props, 'place')
  const { a, b, from, to, restLength, onBreak, line = false, coils = 0, coilRadius = 0.05 } = valid
  const { stiffness = 100, damping = 0, maxForce = Infinity, breakForce = Infinity } = valid
  if (!above && a === undefined) {
    throw new Error('<Spring> needs a body. Put it inside a <SoftBody> or a <Cloth>, or give a ref of one for a.')
  }
  const ends = { a, b, from, to, onBreak }
  const options = { ...ends, restLength, stiffness, damping, maxForce, breakForce, coils, coilRadius }
  const root = useRef<Group>(null)
  const [tracker] = useState(() => new SpringTracker(runtime, above, options))
  // Before any frame can take what the spring carries for a part of the body.
  useLayoutEffect(() => markAsOther(root.current), [])
  useEffect(() => tracker.update(options))
  useEffect(() => whereMade(root, (object) => tracker.mount(object)), [tracker])
  useEffect(() => () => tracker.line.dispose(), [tracker])
  useImperativeHandle(ref, () => tracker.handle, [tracker])
  return (
    <group {...group} ref={root}>
      {line ? <primitive object={tracker.line.object}>{children}</primitive> : children}
    </group>
  )
}
