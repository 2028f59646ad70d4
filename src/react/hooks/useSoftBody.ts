import { useRef } from 'react'
import type { Mesh } from 'three'
import { softBodyProps } from '../props.js'
import { useValidProps } from '../support/propKeeper.js'
import type { SolidProps, UseSoftBodyOptions, UseSoftBodyResult } from '../types.js'
import { useSolid } from './useSolid.js'

/**
 * Simulates a mesh of one's own: `<mesh ref={ref} geometry={geometry}>`. Where the mesh is at mount is where the body
 * starts; later moves of the mesh or its parents are ignored, use `body.teleport`.
 * @throws SettingError at mount for an option out of range; later it warns and keeps the last valid value
 */
export function useSoftBody(options: UseSoftBodyOptions): UseSoftBodyResult {
  const [{ geometry, ...solid }] = useValidProps<keyof SolidProps | 'geometry', UseSoftBodyOptions>(
    'useSoftBody',
    softBodyProps,
    options,
    'nothing',
  )
  const ref = useRef<Mesh>(null)
  const { handle } = useSolid('useSoftBody', ref, solid, '', { prop: 'ref' })
  return { ref, geometry, body: handle }
}
