import type { ReactNode } from 'react'
import { box } from '../../headless.js'
import { boxColliderProps } from '../props.js'
import { useValidProps } from '../support/propKeeper.js'
import type { BoxColliderProps, SurfaceProps } from '../types.js'
import { ColliderGroup } from './ColliderGroup.js'

/**
 * `<Collider.Box args={[width, height, depth]}>`, as of `<boxGeometry>`. It follows its group and takes its scale.
 * @throws SettingError at mount for an invalid prop, or a parent that shears it
 */
export function BoxCollider(props: BoxColliderProps): ReactNode {
  const [{ args, ...surface }, group] = useValidProps<keyof SurfaceProps | 'args', BoxColliderProps>(
    'Collider.Box',
    boxColliderProps,
    props,
  )
  const [width, height, depth] = args ?? [1, 1, 1]
  return (
    <ColliderGroup
      component="Collider.Box"
      group={group}
      options={{
        ...surface,
        key: `${width},${height},${depth}`,
        uniform: false,
        shape: ([x, y, z]) => box([(x * width) / 2, (y * height) / 2, (z * depth) / 2]),
      }}
    />
  )
}
