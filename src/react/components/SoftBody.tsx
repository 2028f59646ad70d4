import { type ReactNode, useImperativeHandle, useRef } from 'react'
import type { Group } from 'three'
import { useSolid } from '../hooks/useSolid.js'
import { softBodyProps } from '../props.js'
import { BodyContext } from '../support/contexts.js'
import { poseKeyOf } from '../support/poseKey.js'
import { useValidProps } from '../support/propKeeper.js'
import type { SoftBodyProps, SolidProps } from '../types.js'

/**
 * Makes a mesh soft: the first one among its children, or one of its own for `geometry`. The mesh keeps its material,
 * uv and groups, and the user's geometry is not written to.
 *
 * The pose at mount, with all parents, is where the body starts. Then it lives in the world: a parent that moves does
 * not move it. A change of `position`, `rotation` or `quaternion` teleports it, a change of `scale` rebuilds it.
 * @throws SettingError at mount for an invalid prop; Error for a mesh that cannot be simulated
 */
export function SoftBody({ ref, children, geometry, ...props }: SoftBodyProps): ReactNode {
  const [solid, group] = useValidProps<keyof SolidProps, typeof props>('SoftBody', softBodyProps, props)
  const { castShadow = false, receiveShadow = false } = group
  const root = useRef<Group>(null)
  const { instance, handle } = useSolid('SoftBody', root, solid, poseKeyOf(group))
  useImperativeHandle(ref, () => handle, [handle])
  return (
    <BodyContext value={instance}>
      <group {...group} ref={root}>
        {geometry ? (
          <mesh geometry={geometry} castShadow={castShadow} receiveShadow={receiveShadow}>
            {children}
          </mesh>
        ) : (
          children
        )}
      </group>
    </BodyContext>
  )
}
