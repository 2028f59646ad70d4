import type { ReactNode } from 'react'
import { sphere } from '../../headless.js'
import { sphereColliderProps } from '../props.js'
import { useValidProps } from '../support/propKeeper.js'
import type { SphereColliderProps, SurfaceProps } from '../types.js'
import { ColliderGroup } from './ColliderGroup.js'

/**
 * `<Collider.Sphere args={[radius]}>`. It follows its group and takes its scale, the same along all axes.
 * @throws SettingError at mount for an invalid prop, or another scale
 */
export function SphereCollider(props: SphereColliderProps): ReactNode {
  const [{ args, ...surface }, group] = useValidProps<keyof SurfaceProps | 'args', SphereColliderProps>(
    'Collider.Sphere',
    sphereColliderProps,
    props,
  )
  const [radius] = args ?? [1]
  return (
    <ColliderGroup
      component="Collider.Sphere"
      group={group}
      options={{ ...surface, key: String(radius), uniform: true, shape: ([x]) => sphere(x * radius) }}
    />
  )
}
