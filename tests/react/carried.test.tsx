// What pins and colliders below a body carry is no part of it, not even in a frame between commit and effects.
import { createRef, type ReactNode, useLayoutEffect, useRef } from 'react'
import { BoxGeometry, type Group, type Object3D } from 'three'
import { describe, expect, it } from 'vitest'
import { Collider, Ground, Pin, SoftBody, type SoftBodyRef } from '../../src/index.js'
import { meshesBelow } from '../../src/react/support/bodyMeshes.js'
import { mount } from './mount.js'

const hook = <mesh name="Hook" geometry={new BoxGeometry()} />
const carriers: Record<string, ReactNode> = {
  Pin: <Pin at="top">{hook}</Pin>,
  'Collider.Plane': <Collider.Plane position={[0, -9, 0]}>{hook}</Collider.Plane>,
  'Collider.Box': <Collider.Box position={[0, -9, 0]}>{hook}</Collider.Box>,
  'Collider.Sphere': <Collider.Sphere position={[0, -9, 0]}>{hook}</Collider.Sphere>,
  'Collider.Capsule': <Collider.Capsule position={[0, -9, 0]}>{hook}</Collider.Capsule>,
  'Collider.Cylinder': <Collider.Cylinder position={[0, -9, 0]}>{hook}</Collider.Cylinder>,
  'Collider.Mesh': <Collider.Mesh position={[0, -9, 0]}>{hook}</Collider.Mesh>,
  'Collider.Hull': <Collider.Hull position={[0, -9, 0]}>{hook}</Collider.Hull>,
  'Collider.Compound': (
    <Collider.Compound position={[0, -9, 0]}>
      <Collider.Box />
      {hook}
    </Collider.Compound>
  ),
  Ground: <Ground position={[0, -9, 0]}>{hook}</Ground>,
}

/** Names the meshes that would be the body were it asked for in the commit, before any effect that waits. */
function Witness({ seen }: { seen: string[][] }): ReactNode {
  const group = useRef<Group>(null)
  useLayoutEffect(() => {
    let root: Object3D = group.current!
    while (root.parent && root.name !== 'Root') root = root.parent
    seen.push(meshesBelow(root).map(({ name }) => name))
  })
  return <group ref={group} />
}

describe.each(Object.entries(carriers))('%s below a body', (_, carrier) => {
  it('carries meshes that are no part of the body', async () => {
    const ref = createRef<SoftBodyRef>()
    const seen: string[][] = []
    const geometry = new BoxGeometry()
    const content = (carried: ReactNode) => (
      <SoftBody ref={ref} name="Root" resolution={3} gravityScale={0}>
        <mesh name="Skin" geometry={geometry} />
        {carried}
        <Witness seen={seen} />
      </SoftBody>
    )
    const scene = await mount(content(null))
    await scene.frames(1)
    const { body } = ref.current!
    // One that comes later must not rebuild the body either.
    await scene.update(content(carrier))
    await scene.frames(2)
    expect(ref.current!.meshes.map(({ name }) => name)).toEqual(['Skin'])
    expect(ref.current!.body).toBe(body)
    expect(seen.length).toBeGreaterThan(1)
    for (const names of seen) expect(names).toEqual(['Skin'])
    await scene.unmount()
  })
})
