import type { ReactNode } from 'react'
import { meshColliderProps } from '../props.js'
import { meshShapeOf } from '../support/colliderSource.js'
import { useValidProps } from '../support/propKeeper.js'
import type { MeshColliderProps, SurfaceProps } from '../types.js'
import { ColliderGroup } from './ColliderGroup.js'

/**
 * `<Collider.Mesh geometry={geometry}>`, or around a mesh: any triangle mesh. It follows its group and takes its scale,
 * the same along all axes. Built once a geometry, however many colliders show it.
 * @throws SettingError at mount for an invalid prop, a mesh without triangles, or another scale
 */
export function MeshCollider(props: MeshColliderProps): ReactNode {
  const [{ geometry, solid, thickness, ...surface }, group] = useValidProps<
    keyof SurfaceProps | 'geometry' | 'solid' | 'thickness',
    MeshColliderProps
  >('Collider.Mesh', meshColliderProps, props)
  return (
    <ColliderGroup
      component="Collider.Mesh"
      group={group}
      options={{ ...surface, read: (object) => meshShapeOf(geometry, object, solid, thickness) }}
    />
  )
}
