import { type ReactNode, type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react'
import type { Group } from 'three'
import { attractorProps } from '../props.js'
import { AttractorTracker } from '../support/attractorTracker.js'
import { useWorldRuntime } from '../support/contexts.js'
import { useValidProps } from '../support/propKeeper.js'
import { whereMade } from '../support/whereMade.js'
import type { AttractorProps } from '../types.js'

/**
 * Radial gravity: pulls every body of the world towards its group, by the body's `gravityScale`. It moves with the group
 * and goes with the component; several add up, with the world's own `gravity` too.
 * @throws SettingError at mount for an invalid prop, Error outside of a world
 */
export function Attractor({ ref, ...props }: AttractorProps): ReactNode {
  const [valid, group] = useValidProps<keyof typeof attractorProps, typeof props>(
    'Attractor',
    attractorProps,
    props,
    'place',
  )
  const runtime = useWorldRuntime('<Attractor>')
  const { strength, falloff, range, radius } = attractorProps
  // Defaults are stated, so that a prop that is taken away falls back.
  const options = {
    strength: valid.strength ?? (strength.default as number),
    falloff: valid.falloff ?? (falloff.default as 'constant'),
    range: valid.range ?? (range.default as number),
    radius: valid.radius ?? (radius.default as number),
  }
  const root = useRef<Group>(null)
  const [tracker] = useState(() => new AttractorTracker(runtime, options))
  useEffect(() => tracker.update(options))
  useEffect(() => whereMade(root, (object) => tracker.mount(object)), [tracker])
  useImperativeHandle(ref as Ref<Group>, () => root.current!, [])
  return <group {...group} ref={root} />
}
