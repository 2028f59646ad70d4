import { createRef, Suspense, use } from 'react'
import { BoxGeometry, Group, Mesh, MeshBasicMaterial, SphereGeometry } from 'three'
import { describe, expect, it, vi } from 'vitest'
import { Cloth, Collider, Ground, SoftBody, type SoftBodyRef } from '../../src/index.js'
import { contentOf, firstMeshOf, mount } from './mount.js'

const coarse = { resolution: 3 }

describe('a body from mount to unmount', () => {
  it('is one body in StrictMode and none after unmount', async () => {
    const scene = await mount(
      <>
        <SoftBody {...coarse}>
          <mesh>
            <boxGeometry />
          </mesh>
        </SoftBody>
        <Cloth args={[1, 1, 4, 4]} />
        <Ground />
        <Collider.Box position={[0, -2, 0]} />
      </>,
    )
    const { world } = scene.world
    expect(world.bodies.length).toBe(2)
    expect(world.colliders.length).toBe(2)
    await scene.update(null)
    expect(world.bodies.length).toBe(0)
    expect(world.colliders.length).toBe(0)
    await scene.unmount()
  })

  it('frees its own geometry, restores the user geometry and never writes it', async () => {
    const geometry = new BoxGeometry(1, 1, 1)
    const before = contentOf(geometry)
    const mesh = new Mesh(geometry, new MeshBasicMaterial())
    const ref = createRef<SoftBodyRef>()
    const scene = await mount(
      <SoftBody {...coarse} ref={ref}>
        <primitive object={mesh} />
      </SoftBody>,
    )
    const own = ref.current!.geometry!
    expect(mesh.geometry).toBe(own)
    expect(own).not.toBe(geometry)
    expect(own.index).toBe(geometry.index)
    expect(own.getAttribute('uv')).toBe(geometry.getAttribute('uv'))
    expect(own.groups).toBe(geometry.groups)
    const disposed = vi.fn()
    const taken = vi.fn()
    own.addEventListener('dispose', disposed)
    geometry.addEventListener('dispose', taken)
    await scene.frames(5)
    await scene.update(null)
    expect(mesh.geometry).toBe(geometry)
    expect(disposed).toHaveBeenCalledTimes(1)
    // What is shared must not go with it: other instances still draw it.
    expect(Object.keys(own.attributes)).toEqual(['position', 'normal'])
    expect(own.index).toBeNull()
    expect(taken).not.toHaveBeenCalled()
    expect(contentOf(geometry)).toEqual(before)
    await scene.unmount()
  })

  it('gives two bodies on one geometry a geometry each, and one lives on without the other', async () => {
    const geometry = new SphereGeometry(0.5, 12, 8)
    const first = createRef<SoftBodyRef>()
    const second = createRef<SoftBodyRef>()
    const body = (key: string, ref: typeof first, y: number) => (
      <SoftBody key={key} ref={ref} geometry={geometry} position={[0, y, 0]} {...coarse} />
    )
    const scene = await mount([body('a', first, 0), body('b', second, 5)])
    expect(first.current!.geometry).not.toBe(second.current!.geometry)
    expect(first.current!.body!.model).toBe(second.current!.body!.model)
    await scene.update([body('b', second, 5)])
    await scene.frames(30)
    expect(second.current!.alive).toBe(true)
    // 30 steps of free fall, h = 1/600 s: y = 5 - g (t^2 + h t) / 2.
    const t = 0.5
    const height = 5 - (9.81 * (t * t + t / 600)) / 2
    expect(second.current!.centerOfMass([0, 0, 0])[1]).toBeCloseTo(height, 3)
    await scene.unmount()
  })

  it('has a ref that does nothing after unmount', async () => {
    const ref = createRef<SoftBodyRef>()
    const scene = await mount(<SoftBody {...coarse} ref={ref} geometry={new BoxGeometry()} />)
    const body = ref.current!
    const engine = body.body!
    const { world } = scene
    await scene.update(null)
    expect(body.alive).toBe(false)
    expect(engine.alive).toBe(false)
    expect(body.mesh).toBeNull()
    expect(body.geometry).toBeNull()
    expect(body.getPosition(0, [1, 2, 3])).toEqual([1, 2, 3])
    expect(body.volume()).toBe(0)
    body.applyImpulse([1, 0, 0])
    body.teleport([0, 1, 0])
    body.pin('top')
    body.unpin()
    await scene.unmount()
    world.step(3)
    world.reset()
    expect(world.snapshot()).toBeNull()
    expect(world.stats.steps).toBe(0)
  })

  it('rebuilds where it is when somebody gives the mesh another geometry', async () => {
    const ref = createRef<SoftBodyRef>()
    const body = (size: number) => (
      <SoftBody {...coarse} ref={ref} position={[0, 10, 0]}>
        <mesh>
          <boxGeometry args={[size, size, size]} />
        </mesh>
      </SoftBody>
    )
    const scene = await mount(body(1))
    await scene.frames(30)
    const before = ref.current!.centerOfMass([0, 0, 0])
    const speed = ref.current!.velocity([0, 0, 0])[1]
    await scene.update(body(2))
    await scene.frames(1)
    expect(scene.world.world.bodies.length).toBe(1)
    expect(ref.current!.volume()).toBeCloseTo(8, 1)
    expect(ref.current!.velocity([0, 0, 0])[1]).toBeCloseTo(speed - 9.81 / 60, 6)
    expect(ref.current!.centerOfMass([0, 0, 0])[1]).toBeCloseTo(before[1] + speed / 60, 2)
    await scene.unmount()
  })

  it('finds a mesh in a nested group, and says so where there is none', async () => {
    const group = new Group().add(new Group().add(new Mesh(new BoxGeometry())))
    const scene = await mount(
      <SoftBody {...coarse}>
        <primitive object={group} />
      </SoftBody>,
    )
    expect(scene.world.world.bodies.length).toBe(1)
    await scene.unmount()
    await expect(mount(<SoftBody />)).rejects.toThrow(
      /<SoftBody> children=\{'Group'\}: there is no mesh below it\. Give/,
    )
  })

  it('builds a large mesh in slices, and not at all once it is unmounted', async () => {
    const large = new SphereGeometry(0.5, 128, 100)
    const ref = createRef<SoftBodyRef>()
    const scene = await mount(<SoftBody resolution={4} ref={ref} geometry={large} />)
    expect(ref.current!.alive).toBe(false)
    await vi.waitFor(() => expect(ref.current!.alive).toBe(true), 20_000)
    expect(firstMeshOf(scene).geometry).toBe(ref.current!.geometry)
    await scene.update(<SoftBody key="other" resolution={5} ref={ref} geometry={large} />)
    const second = ref.current!
    await scene.update(null)
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(second.alive).toBe(false)
    expect(scene.world.world.bodies.length).toBe(0)
    await scene.unmount()
  })

  it('lives on while a Suspense boundary hides it', async () => {
    const never = new Promise<void>(() => {})
    function Waiting() {
      use(never)
      return null
    }
    const ref = createRef<SoftBodyRef>()
    const geometry = new BoxGeometry()
    const content = (waiting: boolean) => (
      <Suspense fallback={null}>
        <SoftBody {...coarse} ref={ref} geometry={geometry} />
        {waiting && <Waiting />}
      </Suspense>
    )
    const scene = await mount(content(false))
    const { body, mesh } = ref.current!
    await scene.update(content(true))
    await scene.frames(30)
    expect(scene.world.world.bodies).toEqual([body])
    await scene.update(content(false))
    expect(ref.current!.body).toBe(body)
    expect(ref.current!.mesh).toBe(mesh)
    expect(ref.current!.centerOfMass([0, 0, 0])[1]).toBeLessThan(-1)
    await scene.unmount()
  })

  it('tells what cannot be simulated', async () => {
    const morphed = new BoxGeometry()
    morphed.morphAttributes.position = [morphed.getAttribute('position')]
    await expect(mount(<SoftBody geometry={morphed} />)).rejects.toThrow(/<SoftBody> geometry=.'Mesh'.: morph targets/)
    await expect(
      mount(
        <SoftBody>
          <instancedMesh args={[new BoxGeometry(), undefined, 2]} />
        </SoftBody>,
      ),
    ).rejects.toThrow(/<SoftBody> children=.'Mesh'.: instances/)
    await expect(mount(<SoftBody geometry={new BoxGeometry()} scale={[1, 0, 1]} />)).rejects.toThrow(/<SoftBody> scale/)
  })
})
