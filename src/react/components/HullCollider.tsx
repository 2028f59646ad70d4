import { type ReactNode, useRef } from 'react'
import { type ColliderShape, hull } from '../../headless.js'
import { hullColliderProps } from '../props.js'
import { hullShapeOf } from '../support/colliderSource.js'
import { useValidProps } from '../support/propKeeper.js'
import type { HullColliderProps, SurfaceProps } from '../types.js'
import { ColliderGroup } from './ColliderGroup.js'

/**
 * `<Collider.Hull points={points}>`, with a `geometry`, or around a mesh: the convex hull. It follows its group and takes
 * its scale, the same along all axes.
 * @throws SettingError at mount for an invalid prop, points in one plane, or another scale
 */
export function HullCollider(props: HullColliderProps): ReactNode {
  const [{ points, geometry, ...surface }, group] = useValidProps<
    keyof SurfaceProps | 'points' | 'geometry',
    HullColliderProps
  >('Collider.Hull', hullColliderProps, props)
  const made = useRef<{ key: string; shape: ColliderShape }>(null)
  const hullOf = (corners: readonly (readonly number[])[]) => {
    const key = corners.join(';')
    if (made.current?.key !== key) made.current = { key, shape: hull(corners.flat()) }
    return made.current.shape
  }
  return (
    <ColliderGroup
      component="Collider.Hull"
      group={group}
      options={{ ...surface, read: (object) => (points ? hullOf(points) : hullShapeOf(geometry, object)) }}
    />
  )
}
