import { type ReactNode, useImperativeHandle, useRef } from 'react'
import type { Group } from 'three'
import { useShownObject } from '../hooks/useShownObject.js'
import { useSolid } from '../hooks/useSolid.js'
import { softBodyProps } from '../props.js'
import { BodyContext } from '../support/contexts.js'
import { poseKeyOf } from '../support/poseProps.js'
import { useValidProps } from '../support/propKeeper.js'
import type { SoftBodyProps, SolidProps } from '../types.js'

/**
 * Makes meshes soft, all of them as one body: those among its children, those of a scene (`object`), or one of its own
 * for `geometry`. The meshes keep their materials, attributes and groups, and the user's geometries are not written to.
 *
 * The pose at mount, with all parents, is where the body starts. Then it lives in the world: a parent that moves does
 * not move it. A change of `position`, `rotation` or `quaternion` teleports it, a change of `scale` rebuilds it. With its
 * last mesh the body ends; with another it starts anew.
 * @throws SettingError at mount for an invalid prop, a mesh that cannot be simulated, or without any mesh; Error inside of
 * another body
 */
export function SoftBody({ ref, children, ...props }: SoftBodyProps): ReactNode {
  const [valid, group] = useValidProps<keyof SolidProps | 'geometry' | 'object', typeof props>(
    'SoftBody',
    softBodyProps,
    props,
  )
  const { geometry, object, ...solid } = valid
  const { castShadow, receiveShadow } = group
  const shown = useShownObject('SoftBody', object, { geometry, castShadow, receiveShadow })
  const root = useRef<Group>(null)
  const prop = shown ? 'object' : geometry ? 'geometry' : 'children'
  const { instance, handle } = useSolid('SoftBody', root, solid, poseKeyOf(group), { prop, object: shown })
  useImperativeHandle(ref, () => handle, [handle])
  return (
    <BodyContext value={instance}>
      <group {...group} ref={root}>
        {shown && <primitive object={shown} />}
        {geometry && !shown ? (
          <mesh geometry={geometry} castShadow={castShadow ?? false} receiveShadow={receiveShadow ?? false}>
            {children}
          </mesh>
        ) : (
          children
        )}
      </group>
    </BodyContext>
  )
}
