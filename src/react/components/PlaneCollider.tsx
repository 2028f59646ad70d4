import type { ReactNode } from 'react'
import { plane } from '../../headless.js'
import { planeColliderProps } from '../props.js'
import { useValidProps } from '../support/propKeeper.js'
import type { PlaneColliderProps, SurfaceProps } from '../types.js'
import { ColliderGroup } from './ColliderGroup.js'

/**
 * `<Collider.Plane>`: solid below y = 0 of its group, without end. It follows the group, whose children are drawn.
 * @throws SettingError at mount for an invalid prop, or a parent that shears it
 */
export function PlaneCollider(props: PlaneColliderProps): ReactNode {
  const [surface, group] = useValidProps<keyof SurfaceProps, PlaneColliderProps>(
    'Collider.Plane',
    planeColliderProps,
    props,
  )
  return (
    <ColliderGroup
      component="Collider.Plane"
      group={group}
      options={{ ...surface, key: 'plane', uniform: false, shape: plane }}
    />
  )
}
