import { type ReactNode, useEffect, useImperativeHandle, useState } from 'react'
import { weldProps } from '../props.js'
import { useWorldRuntime, WeldContext } from '../support/contexts.js'
import { useValidProps } from '../support/propKeeper.js'
import { WeldTracker } from '../support/weldTracker.js'
import type { WeldProps } from '../types.js'

/**
 * Joins the bodies below it where they touch, each to all others, over the whole area: once they are there, and anew what
 * comes or is made anew. Beyond `breakForce` a joint breaks, until the world is reset.
 * @throws SettingError at mount for an invalid prop, Error outside of a world
 */
export function Weld({ children, ref, ...props }: WeldProps): ReactNode {
  const [valid] = useValidProps<keyof typeof weldProps, typeof props>('Weld', weldProps, props, 'nothing')
  const runtime = useWorldRuntime('<Weld>')
  const { gap, compliance = 0, damping = 0, breakForce = Number.POSITIVE_INFINITY, onBreak } = valid
  const options = { gap, compliance, damping, breakForce, onBreak }
  const [tracker] = useState(() => new WeldTracker(runtime, options))
  useEffect(() => tracker.update(options))
  useEffect(() => tracker.mount(), [tracker])
  useImperativeHandle(ref, () => tracker.handle, [tracker])
  return <WeldContext value={tracker}>{children}</WeldContext>
}
