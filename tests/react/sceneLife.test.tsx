// Several bodies of one scene, and scenes that change: each body lives and ends by itself.

import { act } from '@react-three/test-renderer'
import { createRef, type ReactNode, Suspense, use, useState } from 'react'
import { BoxGeometry, type BufferGeometry, Group, Mesh, type Object3D, SkinnedMesh, SphereGeometry } from 'three'
import { describe, expect, it, vi } from 'vitest'
import { preload, SoftBody, type SoftBodyRef } from '../../src/index.js'
import { collectWarnings, mount } from './mount.js'
import { blue, builtScene, coarse, meshesOf, red, weightless, worldVertices } from './scenes.js'

/** Says how often each geometry has been disposed. */
function watchDisposal(geometries: readonly BufferGeometry[]): () => number[] {
  const spies = geometries.map((geometry) => {
    const spy = vi.fn()
    geometry.addEventListener('dispose', spy)
    return spy
  })
  return () => spies.map(({ mock }) => mock.calls.length)
}

function named<T extends Object3D>(name: string, object: T): T {
  object.name = name
  return object
}

function morphing(): BufferGeometry {
  const box = new BoxGeometry()
  box.morphAttributes.position = [box.getAttribute('position').clone()]
  return box
}

function broken(): BufferGeometry {
  const box = new BoxGeometry()
  box.getAttribute('position').setY(2, Number.NaN)
  return box
}

describe('several bodies of one scene', () => {
  it('share one model, and one lives on without the other', async () => {
    const original = builtScene()
    const refs = [createRef<SoftBodyRef>(), createRef<SoftBodyRef>(), createRef<SoftBodyRef>()] as const
    const body = (k: 0 | 1 | 2) => (
      <SoftBody key={k} ref={refs[k]} object={original} {...coarse} position={[3 * k, 0, 0]} rotation-y={k} />
    )
    const scene = await mount([body(0), body(1)])
    const models = refs.slice(0, 2).map((ref) => ref.current!.body!.model)
    expect(models[0]).toBe(models[1])
    const own = refs[0].current!.meshes.map(({ geometry }) => geometry)
    const disposed = watchDisposal(own)
    const taken = watchDisposal(meshesOf(original).map(({ geometry }) => geometry))
    await scene.update([body(1)])
    expect(disposed()).toEqual([1, 1, 1, 1, 1])
    expect(taken()).toEqual([0, 0, 0, 0, 0])
    const [before] = worldVertices(refs[1].current!.meshes).points
    await scene.frames(10)
    const [after] = worldVertices(refs[1].current!.meshes).points
    expect(after!.y).toBeLessThan(before!.y)
    for (const { geometry } of refs[1].current!.meshes) expect(geometry.getAttribute('uv')).toBeDefined()
    await scene.update([body(1), body(2)])
    expect(refs[2].current!.body!.model).toBe(models[0])
    await scene.unmount()
  })

  it('are found by a clone of a scene that is shown by a body itself', async () => {
    const shown = builtScene()
    const refs = [createRef<SoftBodyRef>(), createRef<SoftBodyRef>()] as const
    const first = (
      <SoftBody key="first" ref={refs[0]} {...coarse}>
        <primitive object={shown} />
      </SoftBody>
    )
    const scene = await mount([first])
    await scene.frames(30)
    const second = <SoftBody key="second" ref={refs[1]} object={shown} {...coarse} />
    await scene.update([first, second])
    expect(refs[1].current!.body!.model).toBe(refs[0].current!.body!.model)
    await scene.update([second])
    expect(meshesOf(shown).map(({ geometry }) => geometry.type)).toContain('BoxGeometry')
    await scene.frames(10)
    expect(refs[1].current!.meshes[0]!.geometry.index).toBe(meshesOf(shown)[0]!.geometry.index)
    await scene.unmount()
  })

  it('start at once after preload', async () => {
    const original = new Group().add(
      new Mesh(new SphereGeometry(0.5, 128, 100)),
      new Mesh(new BoxGeometry(2, 0.2, 0.2)),
    )
    await preload(original, { resolution: 4, scale: 2 })
    const ref = createRef<SoftBodyRef>()
    const scene = await mount(<SoftBody ref={ref} object={original} resolution={4} scale={2} />)
    expect(ref.current!.alive).toBe(true)
    await scene.unmount()
  })

  it('of a <primitive> get their geometries back at unmount', async () => {
    const shown = builtScene()
    const before = meshesOf(shown).map(({ geometry }) => geometry)
    const ref = createRef<SoftBodyRef>()
    const scene = await mount(
      <SoftBody ref={ref} {...coarse}>
        <primitive object={shown} />
      </SoftBody>,
    )
    expect(ref.current!.meshes).toEqual(meshesOf(shown))
    const own = ref.current!.meshes.map(({ geometry }) => geometry)
    const disposed = watchDisposal(own)
    expect(own.some((geometry) => before.includes(geometry))).toBe(false)
    await scene.update(null)
    expect(meshesOf(shown).map(({ geometry }) => geometry)).toEqual(before)
    expect(disposed()).toEqual([1, 1, 1, 1, 1])
    await scene.unmount()
  })
})

describe('a scene that changes', () => {
  it('goes on with another one where the body is', async () => {
    const ref = createRef<SoftBodyRef>()
    const body = (object: Object3D) => <SoftBody ref={ref} object={object} {...coarse} position={[0, 9, 0]} />
    const scene = await mount(body(builtScene()))
    await scene.frames(30)
    const disposed = watchDisposal(ref.current!.meshes.map(({ geometry }) => geometry))
    const speed = ref.current!.velocity([0, 0, 0])[1]
    const [engine] = scene.world.world.bodies
    const next = new Group().add(new Mesh(new BoxGeometry(), red), new Mesh(new BoxGeometry(0.2, 2, 0.2), blue))
    await scene.update(body(next))
    expect(scene.world.world.bodies.length).toBe(1)
    expect(scene.world.world.bodies[0]).not.toBe(engine)
    expect(ref.current!.meshes.map(({ material }) => material)).toEqual([red, blue])
    expect(disposed()).toEqual([1, 1, 1, 1, 1])
    expect(ref.current!.velocity([0, 0, 0])[1]).toBeCloseTo(speed, 6)
    const t = 0.5
    expect(ref.current!.centerOfMass([0, 0, 0])[1]).toBeCloseTo(9 - (9.81 * (t * t + t / 600)) / 2, 2)
    await scene.unmount()
  })

  it('stays what it was when the next one cannot be simulated', async () => {
    const ref = createRef<SoftBodyRef>()
    const body = (object: Object3D) => <SoftBody ref={ref} object={object} {...coarse} />
    const first = builtScene()
    const scene = await mount(
      <SoftBody ref={ref} {...coarse}>
        <primitive object={first} />
      </SoftBody>,
    )
    const engine = ref.current!.body
    const warnings = collectWarnings()
    const skinned = new SkinnedMesh(new BoxGeometry())
    skinned.name = 'Snake'
    first.add(skinned)
    await scene.frames(3)
    expect(warnings.messages).toEqual([expect.stringContaining("<SoftBody> children={'Snake'}: a skinned mesh")])
    warnings.stop()
    expect(ref.current!.body).toBe(engine)
    first.remove(skinned)
    await scene.frames(3)
    expect(ref.current!.alive).toBe(true)
    await scene.update(body(builtScene()))
    expect(ref.current!.alive).toBe(true)
    await scene.unmount()
  })

  it.each([
    ['empty', () => named('Attic', new Group()), 'Attic', 'there is no mesh below it'],
    ['morphing', () => builtScene().add(named('Face', new Mesh(morphing()))), 'Face', 'morph targets'],
    ['skinned', () => builtScene().add(named('Snake', new SkinnedMesh(new BoxGeometry()))), 'Snake', 'a skinned mesh'],
    ['flat', () => named('Sheet', new Mesh(new BoxGeometry())).rotateX(1), 'Sheet', 'is flat'],
    ['not finite', () => builtScene().add(named('Void', new Mesh(broken()))), 'Void', 'NaN'],
  ])(
    'keeps its body where its object prop becomes one of which none can be made: %s',
    async (_, make, value, problem) => {
      const ref = createRef<SoftBodyRef>()
      const body = (object: Object3D, damping = 0) => (
        <SoftBody ref={ref} object={object} {...coarse} damping={damping} position={[0, 9, 0]} />
      )
      const good = builtScene()
      const scene = await mount(body(good))
      const { meshes, body: engine } = ref.current!
      const warnings = collectWarnings()
      const bad = make()
      if (value === 'Sheet') bad.scale.y = 0
      for (const damping of [0, 1]) {
        await scene.update(body(bad, damping))
        await scene.frames(3)
      }
      expect(warnings.messages).toEqual([expect.stringContaining(`<SoftBody> object={'${value}'}: `)])
      expect(warnings.messages[0]).toContain(problem)
      expect(warnings.messages[0]).toMatch(/ The last valid value stays\.$/)
      expect(ref.current!.body).toBe(engine)
      expect(engine!.settings.damping).toBe(1)
      expect(ref.current!.meshes).toEqual(meshes)
      const before = worldVertices(meshes).points[0]!.y
      await scene.frames(10)
      expect(worldVertices(meshes).points[0]!.y).toBeLessThan(before)
      for (const mesh of meshes) {
        let at: Object3D | null = mesh
        while (at && at !== scene.state.scene) at = at.parent
        expect(at).toBe(scene.state.scene)
      }
      await scene.update(body(good, 1))
      await scene.frames(1)
      expect(ref.current!.body).toBe(engine)
      // Another of which one can be made replaces it where it is.
      await scene.update(body(new Group().add(new Mesh(new BoxGeometry(), red))))
      await scene.frames(2)
      expect(ref.current!.body).not.toBe(engine)
      expect(ref.current!.meshes.map(({ material }) => material)).toEqual([red])
      expect(scene.world.world.bodies).toHaveLength(1)
      expect(warnings.messages).toHaveLength(1)
      warnings.stop()
      await scene.unmount()
    },
  )

  it('takes in a mesh that is mounted later, and gives one up that is unmounted', async () => {
    const ref = createRef<SoftBodyRef>()
    const geometry = new BoxGeometry()
    let show: ((more: boolean) => void) | undefined
    function Late(): ReactNode {
      const [more, setMore] = useState(false)
      show = setMore
      return more && <mesh position={[0, 1, 0]} geometry={geometry} />
    }
    const scene = await mount(
      <SoftBody ref={ref} {...coarse} position={[0, 5, 0]}>
        <mesh position={[0, 0.5, 0]} geometry={geometry} />
        <Late />
      </SoftBody>,
      weightless,
    )
    ref.current!.teleport([2, 5.5, 0])
    expect(ref.current!.volume()).toBeCloseTo(1, 2)
    await act(async () => show!(true))
    await scene.frames(1)
    // It joins where it is relative to the rest of the body.
    const box = ref.current!.bounds(new Float64Array(6))
    expect(ref.current!.meshes.length).toBe(2)
    for (const [k, value] of [1.5, 5, -0.5, 2.5, 6.5, 0.5].entries()) expect(box[k]).toBeCloseTo(value, 6)
    await act(async () => show!(false))
    await scene.frames(1)
    expect(ref.current!.volume()).toBeCloseTo(1, 2)
    expect(ref.current!.centerOfMass([0, 0, 0])[0]).toBeCloseTo(2, 6)
    await scene.unmount()
  })

  it('takes the scene for the fallback that a Suspense boundary has shown', async () => {
    let arrive: ((object: Object3D) => void) | undefined
    const loading = new Promise<Object3D>((resolve) => {
      arrive = resolve
    })
    function Model() {
      return <primitive object={use(loading)} />
    }
    const ref = createRef<SoftBodyRef>()
    const scene = await mount(
      <SoftBody ref={ref} {...coarse}>
        <Suspense
          fallback={
            <mesh name="fallback">
              <boxGeometry />
            </mesh>
          }
        >
          <Model />
        </Suspense>
      </SoftBody>,
    )
    expect(ref.current!.meshes.map(({ name }) => name)).toEqual(['fallback'])
    await act(async () => arrive!(builtScene()))
    await scene.frames(1)
    expect(ref.current!.meshes.map(({ name }) => name)).toEqual(['Body', 'Left', 'Right', 'Hat', 'Ring'])
    expect(scene.world.world.bodies.length).toBe(1)
    await scene.unmount()
  })
})
