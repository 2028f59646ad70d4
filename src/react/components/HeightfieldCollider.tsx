import { type ReactNode, useRef } from 'react'
import { type ColliderShape, heightfield } from '../../headless.js'
import { heightfieldColliderProps } from '../props.js'
import { useValidProps } from '../support/propKeeper.js'
import type { HeightfieldColliderProps, SurfaceProps } from '../types.js'
import { ColliderGroup } from './ColliderGroup.js'

type Rows = readonly ArrayLike<number>[]

interface Made {
  readonly rows: Rows
  readonly width: number
  readonly depth: number
  readonly shape: ColliderShape
}

/**
 * `<Collider.Heightfield heights={rows} args={[width, depth]}>`: a landscape, solid below. It follows its group and takes
 * its scale, the same along all axes.
 * @throws SettingError at mount for an invalid prop, or another scale
 */
export function HeightfieldCollider(props: HeightfieldColliderProps): ReactNode {
  const [{ heights, args, ...surface }, group] = useValidProps<
    keyof SurfaceProps | 'heights' | 'args',
    HeightfieldColliderProps
  >('Collider.Heightfield', heightfieldColliderProps, props)
  const [width, depth] = args ?? [1, 1]
  const made = useRef<Made>(null)
  const read = () => {
    const last = made.current
    const same = last && last.width === width && last.depth === depth && equal(last.rows, heights)
    if (same) return last.shape
    const rows = heights.map((row) => Array.from(row)) // the caller may write into its own
    made.current = { rows, width, depth, shape: heightfield(rows, width, depth) }
    return made.current.shape
  }
  return <ColliderGroup component="Collider.Heightfield" group={group} options={{ ...surface, read }} />
}

function equal(a: Rows, b: Rows): boolean {
  if (a.length !== b.length) return false
  for (let r = 0; r < a.length; r++) {
    if (a[r]!.length !== b[r]!.length) return false
    for (let c = 0; c < a[r]!.length; c++) if (a[r]![c] !== b[r]![c]) return false
  }
  return true
}
