// What changes while it runs: an impossible wish warns and leaves the body as it was, a possible one is followed.
import { act, createRef, type ReactNode, useState } from 'react'
import { BoxGeometry, SphereGeometry } from 'three'
import { describe, expect, it, vi } from 'vitest'
import { presets } from '../../src/headless.js'
import {
  type BodyRef,
  Cloth,
  Collider,
  Pin,
  type PinSelector,
  SoftBody,
  type SoftBodyProps,
  type SoftBodyRef,
  type UseSoftBodyResult,
  useSoftBody,
} from '../../src/index.js'
import { collectWarnings, firstMeshOf, mount } from './mount.js'

const weightless = { gravity: [0, 0, 0] } as const
const ball = new SphereGeometry(0.5, 24, 16)

function morphing(): BoxGeometry {
  const box = new BoxGeometry()
  box.morphAttributes.position = [box.getAttribute('position')]
  return box
}

describe('a body that cannot be made anew', () => {
  it.each([
    ['morphing', { geometry: morphing() }, /morph targets/],
    [
      'of wrong tetrahedra',
      { tetMesh: { positions: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], tets: [0, 1, 2, 7] } },
      /vertex 7/,
    ],
    ['flat', { scale: 0 }, /scale=\{0\}/],
    ['nowhere', { position: [Number.NaN, 0, 0] }, /position=\{\[NaN, 0, 0\]\}/],
  ] as [string, SoftBodyProps, RegExp][])('goes on as it was: %s', async (_, change, message) => {
    const ref = createRef<SoftBodyRef>()
    const body = (props: SoftBodyProps) => <SoftBody ref={ref} geometry={ball} resolution={3} {...props} />
    const scene = await mount(body({}), weightless)
    const before = ref.current!.body
    const warnings = collectWarnings()
    await scene.update(body(change))
    await scene.update(body(change))
    await scene.frames(2)
    expect(warnings.messages).toEqual([expect.stringMatching(message)])
    warnings.stop()
    expect(ref.current!.body).toBe(before)
    expect(firstMeshOf(scene).geometry).toBe(ref.current!.geometry)
    await scene.unmount()
  })

  describe('since its settings do not go together', () => {
    const ref = createRef<SoftBodyRef>()
    const body = (props: SoftBodyProps) => (
      <SoftBody ref={ref} geometry={ball} resolution={3} preset="clay" {...props} />
    )
    const misfit = { youngsModulus: false, shapeMatching: true, plasticity: {} } as const
    const countOf = () => ref.current!.body!.particleCount

    it('takes what it can, and the shape that was asked for once they do', async () => {
      const scene = await mount(body({}), weightless)
      const before = ref.current!.body!
      const warnings = collectWarnings()
      await scene.update(body({ ...misfit, friction: 0.1, damping: 3, pins: 'top' }))
      await scene.frames(1)
      expect(ref.current!.body).toBe(before)
      expect(before.settings).toMatchObject({ friction: 0.1, damping: 3 })
      expect(before.settings.plasticity).not.toBe(false)
      const pinned = Array.from({ length: countOf() }, (_, i) => before.isPinned(i))
      expect(pinned).toContain(true)

      for (let k = 0; k < 2; k++) await scene.update(body({ ...misfit, resolution: 5 }))
      await scene.frames(2)
      expect(ref.current!.body).toBe(before)
      expect(warnings.messages).toEqual([expect.stringMatching(/^<SoftBody> plasticity=/)])
      const coarse = countOf()
      await scene.update(body({ resolution: 5 }))
      await scene.frames(2)
      expect(before.alive).toBe(false)
      expect(countOf()).toBeGreaterThan(coarse)
      expect(firstMeshOf(scene).geometry).toBe(ref.current!.geometry)
      warnings.stop()
      await scene.unmount()
    })

    it('is left as it was by a geometry, or a scale, that they do not fit', async () => {
      const heavy = { density: 1000 }
      const scene = await mount(body(heavy), weightless)
      const before = ref.current!.body!
      const warnings = collectWarnings()
      await scene.update(body({ ...heavy, geometry: new BoxGeometry(1000, 1000, 1000) }))
      await scene.frames(2)
      await scene.update(body({ ...heavy, scale: 1000 }))
      await scene.frames(2)
      expect(ref.current!.body).toBe(before)
      expect(before.alive).toBe(true)
      expect(scene.world.world.bodies).toEqual([before])
      expect(warnings.messages).toEqual(Array(2).fill(expect.stringMatching(/^<SoftBody> mass=/)))
      expect(firstMeshOf(scene).geometry).toBe(ref.current!.geometry)
      warnings.stop()
      await scene.unmount()
    })
  })

  it('takes a preset without what its material alone has, where that is switched off', async () => {
    const ref = createRef<SoftBodyRef>()
    const body = (props: SoftBodyProps) => (
      <SoftBody ref={ref} geometry={ball} resolution={3} preset="clay" {...props} />
    )
    const bare = { youngsModulus: false, shapeMatching: true } as const
    const warnings = collectWarnings()
    const scene = await mount(body(bare), weightless)
    const flowsOf = () => ref.current!.body!.settings.plasticity
    expect(flowsOf()).toBe(false)
    await scene.update(body({}))
    expect(flowsOf()).toEqual(presets.clay.plasticity)
    await scene.update(body(bare))
    expect(flowsOf()).toBe(false)
    await scene.frames(2)
    expect(warnings.messages).toEqual([])
    warnings.stop()
    await scene.unmount()
    await expect(mount(body({ ...bare, plasticity: { yield: 0.1 } }))).rejects.toThrow(/^<SoftBody> plasticity=/)
  })

  it.each([
    ['SoftBody', <SoftBody key="body" geometry={ball} position={[Number.NaN, 0, 0]} />, 'position'],
    ['Cloth', <Cloth key="cloth" rotation={[0, Number.NaN, 0]} />, 'rotation'],
    ['Collider.Box', <Collider.Box key="box" position={[Number.NaN, 0, 0]} />, 'position'],
  ])('%s: says at mount which part of its pose is not finite', async (component, content, prop) => {
    await expect(mount(content)).rejects.toMatchObject({ component, prop })
  })
})

describe('a finer resolution', () => {
  it('is built beside the frames, and the body goes on meanwhile', async () => {
    const ref = createRef<SoftBodyRef>()
    const body = (resolution: number) => <SoftBody ref={ref} geometry={ball} resolution={resolution} />
    const scene = await mount(body(3), weightless)
    ref.current!.setVelocity([1, 0, 0])
    const coarse = ref.current!.body
    await scene.update(body(21))
    await scene.frames(30)
    expect(ref.current!.body).toBe(coarse)
    await vi.waitFor(() => expect(ref.current!.body).not.toBe(coarse), 20_000)
    await scene.frames(30)
    expect(ref.current!.centerOfMass([0, 0, 0])[0]).toBeCloseTo(1, 1)
    expect(scene.world.world.bodies.length).toBe(1)
    await scene.unmount()
  })
})

describe('single components of the pose', () => {
  it('teleport and rescale as whole ones do', async () => {
    const ref = createRef<SoftBodyRef>()
    const body = (y: number, width: number) => (
      <SoftBody ref={ref} geometry={ball} resolution={3} position-y={y} scale-x={width} />
    )
    const scene = await mount(body(1, 1), weightless)
    await scene.update(body(3, 1))
    expect(ref.current!.centerOfMass([0, 0, 0])[1]).toBeCloseTo(3, 9)
    const volume = ref.current!.volume()
    await scene.update(body(3, 2))
    expect(ref.current!.volume() / volume).toBeGreaterThan(1.5)
    await scene.unmount()
  })

  it('ends with its last mesh, and starts again where it is placed with another', async () => {
    const ref = createRef<SoftBodyRef>()
    let show: (name: string | null) => void = () => {}
    // The body does not render with it: only a frame sees what is there.
    function Inner(): ReactNode {
      const [name, setName] = useState<string | null>('first')
      show = setName
      return name && <mesh key={name} geometry={ball} />
    }
    const body = (y: number) => (
      <SoftBody ref={ref} resolution={3} position-y={y}>
        <Inner />
      </SoftBody>
    )
    const scene = await mount(body(2), {})
    const warnings = collectWarnings()
    const { world } = scene.world
    const height = () => ref.current!.centerOfMass([0, 0, 0])[1]
    await scene.frames(20)
    expect(height()).toBeLessThan(1.8)
    await act(async () => show('second'))
    await scene.frames(1)
    expect(height()).toBeLessThan(1.8)
    for (const place of [2, 3]) {
      await act(async () => show(null))
      await scene.frames(2)
      expect(ref.current!.alive).toBe(false)
      expect(ref.current!.meshes).toEqual([])
      expect(world.bodies.length).toBe(0)
      await scene.update(body(place))
      await act(async () => show('third'))
      await scene.frames(1)
      expect(world.bodies.length).toBe(1)
      expect(height()).toBeCloseTo(place, 2)
    }
    await scene.unmount()
    expect(scene.world.world.bodies.length).toBe(0)
    expect(warnings.messages).toEqual([])
    warnings.stop()
  })
})

describe('useSoftBody', () => {
  it('goes on with another mesh that React has made for its ref, and without one has no body', async () => {
    let result: UseSoftBodyResult | undefined
    const geometry = new BoxGeometry()
    function Own({ name }: { name: string | null }): ReactNode {
      result = useSoftBody({ geometry, resolution: 3 })
      return name && <mesh key={name} ref={result.ref} geometry={result.geometry} />
    }
    const body = (): BodyRef => result!.body
    const scene = await mount(<Own name="first" />)
    await scene.frames(30)
    const [, height] = body().centerOfMass([0, 0, 0])
    await scene.update(<Own name="second" />)
    expect(body().mesh).toBe(result!.ref.current)
    expect(result!.ref.current!.geometry).toBe(body().geometry)
    expect(body().centerOfMass([0, 0, 0])[1]).toBeCloseTo(height, 6)
    await scene.update(<Own name={null} />)
    expect(body().alive).toBe(false)
    expect(scene.world.world.bodies.length).toBe(0)
    await scene.update(<Own name="third" />)
    expect(body().alive).toBe(true)
    await scene.unmount()
  })
})

describe('pins', () => {
  it.each(['pin', 'unpin'] as const)('of a ref say by which method they name nothing: %s', async (method) => {
    const ref = createRef<SoftBodyRef>()
    const scene = await mount(<SoftBody ref={ref} geometry={ball} resolution={3} />)
    expect(() => ref.current![method]('nope' as PinSelector)).toThrow(`<SoftBody> ${method}={'nope'}: `)
    expect(() => ref.current![method]([9999])).toThrow(`<SoftBody> ${method}={[9999]}: vertex 9999 does not exist`)
    await scene.unmount()
  })

  it('of a <Pin> stay when its selector comes to name nothing', async () => {
    const cloth = (at: number[]) => (
      <Cloth args={[1, 1, 4, 4]}>
        <Pin at={at} />
      </Cloth>
    )
    const scene = await mount(cloth([1]))
    const [body] = scene.world.world.bodies
    const warnings = collectWarnings()
    await scene.update(cloth([9999]))
    await scene.frames(1)
    expect(warnings.messages).toEqual([expect.stringContaining('<Pin> at={[9999]}: vertex 9999 does not exist')])
    warnings.stop()
    expect(body!.isPinned(1)).toBe(true)
    await scene.update(cloth([2]))
    expect([body!.isPinned(1), body!.isPinned(2)]).toEqual([false, true])
    await scene.unmount()
    await expect(mount(cloth([9999]))).rejects.toMatchObject({ component: 'Pin', prop: 'at' })
  })

  it('of a ref are dropped with a warning when a new geometry lacks them, and it can pin again', async () => {
    const ref = createRef<SoftBodyRef>()
    const scene = await mount(<SoftBody ref={ref} geometry={ball} resolution={3} />)
    ref.current!.pin([300])
    const warnings = collectWarnings()
    await scene.update(<SoftBody ref={ref} geometry={new BoxGeometry()} resolution={3} />)
    expect(warnings.messages).toEqual([expect.stringContaining('<SoftBody> pin={[300]}: vertex 300 does not exist')])
    warnings.stop()
    ref.current!.pin('top')
    const { body, particleCount } = ref.current!
    expect(Array.from({ length: particleCount }, (_, i) => body!.isPinned(i))).toContain(true)
    await scene.unmount()
  })
})
