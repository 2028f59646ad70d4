import type { ReactNode } from 'react'
import { capsule } from '../../headless.js'
import { capsuleColliderProps } from '../props.js'
import { useValidProps } from '../support/propKeeper.js'
import type { CapsuleColliderProps, SurfaceProps } from '../types.js'
import { ColliderGroup } from './ColliderGroup.js'

/**
 * `<Collider.Capsule args={[radius, height]}>`, as of `<capsuleGeometry>`: the height is that of the middle. It follows
 * its group and takes its scale, the same along all axes.
 * @throws SettingError at mount for an invalid prop, or another scale
 */
export function CapsuleCollider(props: CapsuleColliderProps): ReactNode {
  const [{ args, ...surface }, group] = useValidProps<keyof SurfaceProps | 'args', CapsuleColliderProps>(
    'Collider.Capsule',
    capsuleColliderProps,
    props,
  )
  const [radius, height] = args ?? [1, 1]
  return (
    <ColliderGroup
      component="Collider.Capsule"
      group={group}
      options={{
        ...surface,
        key: `${radius},${height}`,
        uniform: true,
        shape: ([x]) => capsule(x * radius, x * height),
      }}
    />
  )
}
