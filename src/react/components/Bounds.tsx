import type { ReactNode } from 'react'
import { room } from '../../headless.js'
import { boundsProps } from '../props.js'
import { useValidProps } from '../support/propKeeper.js'
import type { BoundsProps, SurfaceProps } from '../types.js'
import { ColliderGroup } from './ColliderGroup.js'

/**
 * `<Bounds args={[width, height, depth]}>`: a room about its group, of six walls without end that face inwards. What is
 * thrown stays in it; what is outside is brought in. It follows its group, takes its scale and draws only its children.
 * @throws SettingError at mount for an invalid prop, or a parent that shears it
 */
export function Bounds(props: BoundsProps): ReactNode {
  const [{ args, ...surface }, group] = useValidProps<keyof SurfaceProps | 'args', BoundsProps>(
    'Bounds',
    boundsProps,
    props,
  )
  const [width, height, depth] = args ?? [10, 10, 10]
  return (
    <ColliderGroup
      component="Bounds"
      group={group}
      options={{
        ...surface,
        key: [width, height, depth].join(),
        uniform: false,
        shape: ([x, y, z]) => room([(x * width) / 2, (y * height) / 2, (z * depth) / 2]),
      }}
    />
  )
}
