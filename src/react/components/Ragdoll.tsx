import { type ReactNode, useEffect, useImperativeHandle, useMemo, useRef } from 'react'
import type { Mesh } from 'three'
import { useBodyInstance } from '../hooks/useBodyInstance.js'
import { ragdollProps } from '../props.js'
import { BodyContext } from '../support/contexts.js'
import { poseKeyOf } from '../support/poseProps.js'
import { useValidProps } from '../support/propKeeper.js'
import { ragdollShape } from '../support/ragdollShapes.js'
import { ragdollBodySettings } from '../support/settings.js'
import type { RagdollProps, RagdollSettings } from '../types.js'

/**
 * A stick figure that falls, tumbles and is dragged by any limb, its joints within what a human's do. It stands on the
 * floor of its own group and looks along z; the children are its material, pins and attachments. Selectors take the names
 * of its limbs: pins={['head', 'lowerArmLeft']}. Its pose is handled as that of `<SoftBody>`.
 * @throws SettingError at mount for an invalid prop
 */
export function Ragdoll({ ref, children, ...props }: RagdollProps): ReactNode {
  const [ragdoll, rest] = useValidProps<keyof RagdollSettings, typeof props>('Ragdoll', ragdollProps, props)
  const { height = 1.75, radialSegments = 20 } = ragdoll
  const shape = useMemo(() => ragdollShape({ height, sides: radialSegments }), [height, radialSegments])
  useEffect(() => () => shape.geometry.dispose(), [shape])
  const root = useRef<Mesh>(null)
  const { instance, handle } = useBodyInstance('Ragdoll', root, {
    builder: shape.builder,
    poseKey: poseKeyOf(rest),
    settings: (model) => ragdollBodySettings(ragdoll, model),
    pins: ragdoll.pins,
    handlers: ragdoll,
    grabbable: ragdoll.grabbable ?? true,
    pokeForce: ragdoll.pokeForce ?? 1,
    grabForce: ragdoll.grabForce,
  })
  useImperativeHandle(ref, () => handle, [handle])
  return (
    <BodyContext value={instance}>
      <mesh {...rest} ref={root} geometry={shape.geometry}>
        {children}
      </mesh>
    </BodyContext>
  )
}
