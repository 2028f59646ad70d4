import { type ReactNode, useEffect, useImperativeHandle, useMemo, useRef, useState } from 'react'
import type { Mesh } from 'three'
import { useBodyInstance } from '../hooks/useBodyInstance.js'
import { ropeProps } from '../props.js'
import { BodyContext } from '../support/contexts.js'
import { poseKeyOf } from '../support/poseProps.js'
import { useValidProps } from '../support/propKeeper.js'
import { KeptShape } from '../support/ropeShapes.js'
import { ropeBodySettings } from '../support/settings.js'
import type { RopeProps, RopeSettings } from '../types.js'

/**
 * A rope, a cable or a rod through `points`, drawn as a tube; the children are its material, pins and attachments. The
 * texture's u runs around it and v along. `pins` and selectors take 'start', 'end', 'ends', and indices of its particles.
 * Its pose is handled as that of `<SoftBody>`.
 * @throws SettingError at mount for an invalid prop
 */
export function Rope({ ref, children, ...props }: RopeProps): ReactNode {
  const [rope, rest] = useValidProps<keyof RopeSettings, typeof props>('Rope', ropeProps, props)
  const { points, length, segments, radius, radialSegments } = rope
  // Points are written in place: new ones that say the same are no change.
  const way = points && JSON.stringify(points)
  const [kept] = useState(() => new KeptShape())
  const shape = useMemo(
    () =>
      kept.next({
        ...(way !== undefined && { points: JSON.parse(way) }),
        ...(length !== undefined && { length }),
        ...(segments !== undefined && { segments }),
        ...(radius !== undefined && { radius }),
        ...(radialSegments !== undefined && { sides: radialSegments }),
      }),
    [kept, way, length, segments, radius, radialSegments],
  )
  useEffect(() => () => shape.geometry.dispose(), [shape])
  const root = useRef<Mesh>(null)
  const { instance, handle } = useBodyInstance('Rope', root, {
    builder: shape.builder,
    poseKey: poseKeyOf(rest),
    settings: (model) => ropeBodySettings(rope, model),
    pins: rope.pins,
    handlers: rope,
    grabbable: rope.grabbable ?? true,
    pokeForce: rope.pokeForce ?? 1,
    grabForce: rope.grabForce,
  })
  useImperativeHandle(ref, () => handle, [handle])
  return (
    <BodyContext value={instance}>
      <mesh {...rest} ref={root} geometry={shape.geometry}>
        {children}
      </mesh>
    </BodyContext>
  )
}
