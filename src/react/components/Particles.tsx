import { type ReactNode, useEffect, useImperativeHandle, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { type Group, IcosahedronGeometry, type InstancedMesh } from 'three'
import { particlesProps } from '../props.js'
import { markAsOther } from '../support/bodyMeshes.js'
import { useWorldRuntime } from '../support/contexts.js'
import { ParticlesTracker } from '../support/particlesTracker.js'
import { poseKeyOf } from '../support/poseProps.js'
import { useValidProps } from '../support/propKeeper.js'
import { whereMade } from '../support/whereMade.js'
import type { ParticlesProps } from '../types.js'

/**
 * Free particles, drawn as the instances of one mesh in one call: its children are the geometry and material of one.
 * Colliders and the surfaces of bodies stop them; they do not meet each other. The pointer takes each by itself, and
 * events as `onClick` have its number as `instanceId`. Their pose is handled as that of `<SoftBody>`: the one at mount
 * counts, and a change of `position` or `rotation` teleports.
 * @throws SettingError at mount for an invalid prop, Error outside of a world
 */
export function Particles({ ref, children, ...props }: ParticlesProps): ReactNode {
  const [valid, group] = useValidProps<keyof typeof particlesProps, typeof props>('Particles', particlesProps, props)
  const runtime = useWorldRuntime('<Particles>')
  const { radius = particlesProps.radius.default as number, castShadow, receiveShadow } = { ...valid, ...group }
  const { grabbable = true, pokeForce = 1 } = valid
  const options = { ...valid, grabbable, pokeForce, poseKey: poseKeyOf(group) }
  const [tracker] = useState(() => new ParticlesTracker(runtime, options))
  const ball = useMemo(() => new IcosahedronGeometry(radius, 2), [radius])
  useEffect(() => () => ball.dispose(), [ball])
  const root = useRef<Group>(null)
  const mesh = useRef<InstancedMesh>(null)
  const count = tracker.countOf(valid.positions)
  // Before any frame can take the particles for a part of a body above.
  useLayoutEffect(() => markAsOther(root.current), [])
  useEffect(() => whereMade(root, (object) => tracker.mount(object)), [tracker])
  useEffect(() => {
    if (mesh.current) tracker.update(options, mesh.current)
  })
  useImperativeHandle(ref, () => tracker.handle, [tracker])
  return (
    <group {...group} ref={root}>
      <instancedMesh
        key={count}
        ref={mesh}
        args={[ball, undefined, count]}
        castShadow={castShadow ?? false}
        receiveShadow={receiveShadow ?? false}
      >
        {children}
      </instancedMesh>
    </group>
  )
}
