import type { ReactNode } from 'react'
import { cylinder } from '../../headless.js'
import { cylinderColliderProps } from '../props.js'
import { useValidProps } from '../support/propKeeper.js'
import type { CylinderColliderProps, SurfaceProps } from '../types.js'
import { ColliderGroup } from './ColliderGroup.js'

/**
 * `<Collider.Cylinder args={[radius, height]}>`: as `<cylinderGeometry args={[radius, radius, height]}>`. It follows its
 * group and takes its scale, the same along all axes.
 * @throws SettingError at mount for an invalid prop, or another scale
 */
export function CylinderCollider(props: CylinderColliderProps): ReactNode {
  const [{ args, ...surface }, group] = useValidProps<keyof SurfaceProps | 'args', CylinderColliderProps>(
    'Collider.Cylinder',
    cylinderColliderProps,
    props,
  )
  const [radius, height] = args ?? [1, 1]
  return (
    <ColliderGroup
      component="Collider.Cylinder"
      group={group}
      options={{
        ...surface,
        key: `${radius},${height}`,
        uniform: true,
        shape: ([x]) => cylinder(x * radius, x * height),
      }}
    />
  )
}
