import { act, createRef } from 'react'
import {
  Box3,
  BoxGeometry,
  Float32BufferAttribute,
  type InstancedMesh,
  type LineSegments,
  type Points,
  SphereGeometry,
  type Mesh as TriangleMesh,
  Vector3,
} from 'three'
import { describe, expect, it, vi } from 'vitest'
import {
  Cloth,
  type ClothRef,
  DebugView,
  Ground,
  Particles,
  type PinSelector,
  preload,
  SoftBody,
  type SoftBodyRef,
  type UseSoftBodyResult,
  useSoftBody,
  useSoftBodyWorld,
} from '../../src/index.js'
import { selectVertices } from '../../src/react/support/selectors.js'
import { type Mounted, mount } from './mount.js'

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
    await expect(preload(new BoxGeometry(), { tetCount: 500, resolution: 5 })).rejects.toThrow(
      '<preload> tetCount={500}: cannot be given together with resolution. Give one of them.',
    )
  })

  it('refuses an option that it has not', async () => {
    const options = { foo: 1 } as object
    await expect(preload(new BoxGeometry(), options)).rejects.toThrow(
      '<preload> foo={1}: is not a setting. Use one of: resolution, tetCount, scale, creaseAngle, shapeMatching.',
    )
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
  const layerOf = (scene: Mounted, name: string) =>
    scene.state.scene.getObjectByName(name) as LineSegments | Points | TriangleMesh | undefined
  const countOf = (scene: Mounted, name: string) => layerOf(scene, name)!.geometry.drawRange.count
  const numbersOf = (scene: Mounted, name: string, attribute: string) =>
    layerOf(scene, name)!.geometry.getAttribute(attribute).array

  it('draws the layers it is told of all bodies, in buffers that it keeps', async () => {
    const geometry = new BoxGeometry()
    const bodies = (count: number) =>
      Array.from({ length: count }, (_, i) => <SoftBody key={i} geometry={geometry} resolution={3} pins="top" />)
    const scene = await mount(bodies(1), { debug: true })
    await scene.frames(1)
    const [body] = scene.world.world.bodies
    expect(countOf(scene, 'particles')).toBe(body!.particleCount)
    expect(countOf(scene, 'edges')).toBe(body!.model.edges.length)
    expect(countOf(scene, 'tets')).toBe(3 * body!.model.tets.length)
    expect(countOf(scene, 'bounds')).toBe(24)
    expect(countOf(scene, 'contacts')).toBe(0)
    expect(countOf(scene, 'pins')).toBeGreaterThan(0)
    await scene.update(bodies(2), { debug: true })
    await scene.frames(1)
    expect(countOf(scene, 'particles')).toBe(2 * body!.particleCount)
    const buffers = () => ['tets', 'edges', 'particles', 'bounds'].map((name) => numbersOf(scene, name, 'position'))
    const before = buffers()
    await scene.frames(3)
    buffers().forEach((buffer, k) => expect(buffer === before[k]).toBe(true))
    await scene.update(bodies(2), { debug: ['bounds'] })
    expect(layerOf(scene, 'particles')).toBeUndefined()
    await scene.frames(1)
    expect(countOf(scene, 'bounds')).toBe(48)
    await scene.update(bodies(2), { debug: false })
    expect(layerOf(scene, 'bounds')).toBeUndefined()
    await scene.unmount()
  })

  it('colours tetrahedra by strain: white at rest, red where they are stretched, blue where they are pressed', async () => {
    const tetMesh = { positions: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], tets: [0, 1, 2, 3] }
    const ref = createRef<SoftBodyRef>()
    const soft = { tetMesh, edgeCompliance: false, volumeCompliance: false, shapeMatching: false, pins: [0] } as const
    const scene = await mount(<SoftBody ref={ref} geometry={new BoxGeometry()} {...soft} />, {
      gravity: [0, 0, 0],
      debug: ['tets'],
    })
    const color = () => Array.from(numbersOf(scene, 'tets', 'color').slice(0, 3))
    scene.world.step()
    color().forEach((part) => expect(part).toBeCloseTo(1, 6))
    // Everything is pinned, and the pin of particle 1 is led along its edge: by 10% of the length, then back past it.
    ref.current!.body!.pin([0, 1, 2, 3])
    const lead = (x: number) => {
      ref.current!.body!.movePin(1, [x, 0, 0])
      scene.world.step()
    }
    lead(1.1)
    const [red, green, blue] = color()
    // The edge from 0 to 1 has become 10% longer: half of the full colour.
    expect(red).toBeCloseTo(1, 6)
    expect(green).toBeCloseTo(0.5, 6)
    expect(blue).toBeCloseTo(0.5, 6)
    lead(0.8)
    color().forEach((part, k) => expect(part).toBeCloseTo([0, 0, 1][k]!, 6))
    await scene.unmount()
  })

  it('draws a line from each contact along the normal of what it touches', async () => {
    const scene = await mount(
      [<SoftBody key="a" geometry={new BoxGeometry()} resolution={3} position={[0, 0.5, 0]} />, <Ground key="b" />],
      {
        debug: ['contacts'],
      },
    )
    scene.world.step(60)
    const count = countOf(scene, 'contacts') / 2
    expect(count).toBeGreaterThan(3)
    const ends = numbersOf(scene, 'contacts', 'position')
    const size = scene.world.world.bodies[0]!.model.size
    for (let k = 0; k < count; k++) {
      expect(Math.abs(ends[6 * k + 1]!)).toBeLessThan(0.02)
      expect(ends[6 * k + 3]! - ends[6 * k]!).toBeCloseTo(0, 6)
      expect(ends[6 * k + 4]! - ends[6 * k + 1]!).toBeCloseTo(0.06 * size, 5)
    }
    const out = new Float64Array(6)
    expect(scene.world.world.readContacts(out)).toBe(count)
    await scene.update(<Ground key="b" />)
    expect(scene.world.world.readContacts(out)).toBe(0)
    await scene.unmount()
  })

  it('draws free particles where they are drawn, their box and their contacts', async () => {
    const places = [0, 0.1, 0, 1, 0.1, 0, 3, 5, 0]
    const scene = await mount([
      <DebugView key="a" layers={['particles', 'bounds', 'contacts']} />,
      <Particles key="b" positions={places} radius={0.1} />,
      <Particles key="c" positions={[]} />,
      <Ground key="d" />,
    ])
    await scene.frames(10, 1 / 50) // the last frame lies between two steps
    const [body] = scene.world.world.bodies
    const balls = scene.state.scene.getObjectByProperty('isInstancedMesh', true) as InstancedMesh
    const points = numbersOf(scene, 'particles', 'position')
    expect(countOf(scene, 'particles')).toBe(3)
    for (let k = 0; k < 9; k++) {
      expect(points[k]).toBeCloseTo(balls.instanceMatrix.array[16 * Math.floor(k / 3) + 12 + (k % 3)]!, 6)
    }
    expect(countOf(scene, 'bounds')).toBe(24)
    // Two lie on the ground. A line is 6% of a ball.
    expect(countOf(scene, 'contacts')).toBe(4)
    const ends = numbersOf(scene, 'contacts', 'position')
    for (const k of [0, 1]) expect(ends[6 * k + 4]! - ends[6 * k + 1]!).toBeCloseTo(0.06 * body!.model.size, 6)
    await scene.frames(3)
    expect(numbersOf(scene, 'particles', 'position')).toBe(points)
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
