import { type ReactNode, useState } from 'react'
import { compoundColliderProps } from '../props.js'
import { CompoundParts } from '../support/compoundParts.js'
import { CompoundContext } from '../support/contexts.js'
import { useValidProps } from '../support/propKeeper.js'
import type { CompoundColliderProps, SurfaceProps } from '../types.js'
import { ColliderGroup } from './ColliderGroup.js'

/**
 * `<Collider.Compound>`: the colliders below it as one, which moves as a whole and has one surface. It follows its group
 * and takes its scale, the same along all axes.
 * @throws SettingError at mount without a collider below, for one with a surface of its own, or another scale
 */
export function CompoundCollider(props: CompoundColliderProps): ReactNode {
  const [surface, { children, ...group }] = useValidProps<keyof SurfaceProps, CompoundColliderProps>(
    'Collider.Compound',
    compoundColliderProps,
    props,
  )
  const [parts] = useState(() => new CompoundParts())
  return (
    <ColliderGroup
      component="Collider.Compound"
      group={{ ...group, children: <CompoundContext value={parts}>{children}</CompoundContext> }}
      options={{ ...surface, watched: true, read: (object) => parts.shapeBelow(object) }}
    />
  )
}
