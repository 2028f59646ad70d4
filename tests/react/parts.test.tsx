import { act, createRef } from 'react'
import {
  Box3,
  BoxGeometry,
  Float32BufferAttribute,
  type LineSegments,
  type Points,
  SphereGeometry,
  Vector3,
} from 'three'
import { describe, expect, it, vi } from 'vitest'
import {
  Cloth,
  type ClothRef,
  type PinSelector,
  preload,
  SoftBody,
  type SoftBodyRef,
  type UseSoftBodyResult,
  useSoftBody,
  useSoftBodyWorld,
} from '../../src/index.js'
import { selectVertices } from '../../src/react/support/selectors.js'
import { mount } from './mount.js'

describe('pin selectors', () => {
  const box = new BoxGeometry(2, 1, 1)
  const at = (selector: PinSelector) => {
    const position = box.getAttribute('position')
    return selectVertices('SoftBody', 'pins', selector, box).map((i) => new Vector3().fromBufferAttribute(position, i))
  }
  box.setAttribute(
    'held',
    new Float32BufferAttribute(
      Array.from({ length: 24 }, (_, i) => (i < 2 ? 1 : 0)),
      1,
    ),
  )

  it.each([
    ['top', 'top', 12],
    ['corners', 'corners', 8],
    ['an attribute', { attribute: 'held' }, 2],
    ['indices', [3, 5], 2],
    ['a box', new Box3(new Vector3(0.9, -1, -1), new Vector3(2, 1, 1)), 12],
    ['a predicate', (point: Vector3, index: number) => point.y < 0 && index < 12, 4],
  ] as [string, PinSelector, number][])('%s', (_, selector, count) => {
    expect(at(selector).length).toBe(count)
  })

  it('top is the highest, corners are four of a flat cloth', async () => {
    expect(at('top').every(({ y }) => y === 0.5)).toBe(true)
    const ref = createRef<ClothRef>()
    const scene = await mount(<Cloth ref={ref} args={[2, 1, 4, 4]} pins="corners" />)
    const held = Array.from({ length: 25 }, (_, i) => i).filter((i) => ref.current!.body!.isPinned(i))
    expect(held).toEqual([0, 4, 20, 24])
    await scene.unmount()
  })

  it('of a ref add up and can be taken back', async () => {
    const ref = createRef<SoftBodyRef>()
    const scene = await mount(<SoftBody ref={ref} geometry={box} resolution={4} />)
    const held = () =>
      Array.from({ length: ref.current!.particleCount }, (_, i) => i).filter((i) => ref.current!.body!.isPinned(i))
    ref.current!.pin('top')
    const top = held()
    ref.current!.pin([12])
    expect(held().length).toBeGreaterThanOrEqual(top.length)
    ref.current!.unpin([12])
    expect(top.length).toBeGreaterThan(0)
    ref.current!.unpin()
    expect(held()).toEqual([])
    await scene.unmount()
  })
})

describe('preload', () => {
  it('lets a large mesh start at once, at the scale it was told', async () => {
    const large = new SphereGeometry(0.5, 128, 100)
    await preload(large, { resolution: 4, scale: 2 })
    const ref = createRef<SoftBodyRef>()
    const scene = await mount(
      <group rotation={[0.3, 0.2, 0.1]} scale={2}>
        <SoftBody ref={ref} geometry={large} resolution={4} />
      </group>,
    )
    expect(ref.current!.alive).toBe(true)
    await scene.unmount()
  })

  it('refuses what a body would', async () => {
    await expect(preload(new BoxGeometry(), { resolution: 0 })).rejects.toThrow(/<preload> resolution=\{0\}/)
    await expect(preload(new BoxGeometry(), { scale: 0 })).rejects.toThrow(/<preload> scale=\{0\}/)
  })
})

describe('useSoftBody', () => {
  it('makes a mesh of one own soft', async () => {
    const geometry = new BoxGeometry()
    let result: UseSoftBodyResult | undefined
    function Own() {
      result = useSoftBody({ geometry, resolution: 3, mass: 2 })
      return <mesh ref={result.ref} geometry={result.geometry} position={[0, 3, 0]} />
    }
    const scene = await mount(<Own />)
    await scene.frames(1)
    expect(result!.body.alive).toBe(true)
    expect(result!.body.body!.mass).toBeCloseTo(2, 12)
    expect(result!.body.centerOfMass([0, 0, 0])[1]).toBeCloseTo(3, 2)
    expect(result!.ref.current!.geometry).toBe(result!.body.geometry)
    await scene.update(null)
    expect(result!.body.alive).toBe(false)
    await scene.unmount()
  })

  it('says so where its ref is on no mesh, or there is no world', async () => {
    function Lost() {
      useSoftBody({ geometry: new BoxGeometry() })
      return null
    }
    await expect(mount(<Lost />)).rejects.toThrow(/<useSoftBody>: its ref is not on a mesh/)
  })
})

describe('useSoftBodyWorld', () => {
  it('gives what the ref of the world gives', async () => {
    let handle: unknown
    function Child() {
      handle = useSoftBodyWorld()
      return null
    }
    const scene = await mount(<Child />)
    expect(handle).toBe(scene.world)
    await scene.unmount()
  })

  it('takes a snapshot and goes back to it', async () => {
    const ref = createRef<SoftBodyRef>()
    const scene = await mount(<SoftBody ref={ref} geometry={new BoxGeometry()} resolution={3} />)
    await scene.frames(10)
    const snapshot = scene.world.snapshot()!
    const before = ref.current!.readPositions(new Float64Array(3 * ref.current!.particleCount))
    await scene.frames(10)
    scene.world.restore(snapshot)
    expect(ref.current!.readPositions(new Float64Array(before.length))).toEqual(before)
    scene.world.reset()
    expect(ref.current!.centerOfMass([0, 0, 0])[1]).toBeCloseTo(0, 12)
    await scene.unmount()
  })
})

describe('DebugView', () => {
  it('draws the layers it is told of all bodies, in buffers that it keeps', async () => {
    const geometry = new BoxGeometry()
    const bodies = (count: number) =>
      Array.from({ length: count }, (_, i) => <SoftBody key={i} geometry={geometry} resolution={3} pins="top" />)
    const scene = await mount(bodies(1), { debug: true })
    await scene.frames(1)
    const layer = (name: string) => scene.state.scene.getObjectByName(name) as LineSegments | Points | undefined
    const drawn = (name: string) => layer(name)!.geometry.drawRange.count
    const [body] = scene.world.world.bodies
    expect(drawn('particles')).toBe(body!.particleCount)
    expect(drawn('constraints')).toBe(body!.model.edges.length)
    expect(drawn('bounds')).toBe(24)
    expect(drawn('pins')).toBeGreaterThan(0)
    await scene.update(bodies(2), { debug: true })
    await scene.frames(1)
    expect(drawn('particles')).toBe(2 * body!.particleCount)
    const buffer = () => layer('particles')!.geometry.getAttribute('position').array
    const before = buffer()
    await scene.frames(3)
    expect(buffer() === before).toBe(true)
    await scene.update(bodies(2), { debug: ['bounds'] })
    expect(layer('particles')).toBeUndefined()
    await scene.frames(1)
    expect(drawn('bounds')).toBe(48)
    await scene.update(bodies(2), { debug: false })
    expect(layer('bounds')).toBeUndefined()
    await scene.unmount()
  })
})

describe('updateLoop="independent"', () => {
  it('steps with animation frames of its own, and stops with the world', async () => {
    const pending = new Map<number, FrameRequestCallback>()
    let requests = 0
    vi.stubGlobal('requestAnimationFrame', (callback: FrameRequestCallback) => {
      pending.set(++requests, callback)
      return requests
    })
    vi.stubGlobal('cancelAnimationFrame', (request: number) => void pending.delete(request))
    const tick = async (now: number) => {
      const callbacks = [...pending.values()]
      pending.clear()
      await act(async () => callbacks.forEach((callback) => callback(now)))
    }
    const scene = await mount(<SoftBody geometry={new BoxGeometry()} resolution={3} />, { updateLoop: 'independent' })
    await tick(1000)
    await tick(1000 + 2.5 * (1000 / 60))
    expect(scene.world.stats.steps).toBe(2)
    await scene.frames(3)
    expect(scene.world.stats.steps).toBe(2)
    await scene.unmount()
    expect(pending.size).toBe(0)
    vi.unstubAllGlobals()
  })
})
