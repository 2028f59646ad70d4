import type { ReactNode } from 'react'
import { plane } from '../../headless.js'
import { groundProps } from '../props.js'
import { useValidProps } from '../support/propKeeper.js'
import type { GroundProps, SurfaceProps } from '../types.js'
import { ColliderGroup } from './ColliderGroup.js'

/**
 * Ground without end, facing up. With `size` or children it draws a plane, the children being its material.
 * @throws SettingError at mount for an invalid prop
 */
export function Ground({ children, ...props }: GroundProps): ReactNode {
  const [{ size, ...surface }, group] = useValidProps<keyof SurfaceProps | 'size', typeof props>(
    'Ground',
    groundProps,
    props,
  )
  const [width, depth] = typeof size === 'object' ? size : [size ?? 20, size ?? 20]
  const drawn = size !== undefined || children !== undefined
  return (
    <ColliderGroup
      component="Ground"
      group={{
        ...group,
        children: drawn && (
          <mesh rotation-x={-Math.PI / 2} receiveShadow>
            <planeGeometry args={[width, depth]} />
            {children}
          </mesh>
        ),
      }}
      options={{ ...surface, key: 'plane', uniform: false, shape: plane }}
    />
  )
}
