import { useFrame } from '@react-three/fiber'
import { act, createRef, type RefObject, useRef } from 'react'
import { BoxGeometry, type Group, type Mesh, SphereGeometry, Vector3 } from 'three'
import { describe, expect, it, vi } from 'vitest'
import {
  Cloth,
  Collider,
  Ground,
  Pin,
  SoftBody,
  type SoftBodyRef,
  type SoftBodyWorldProps,
  useAfterStep,
  useBeforeStep,
} from '../../src/index.js'
import { collectWarnings, firstMeshOf, mount } from './mount.js'

const weightless: SoftBodyWorldProps = { gravity: [0, 0, 0] }
const step = 1 / 60

/** World positions of the vertices that a mesh draws. */
function drawn(mesh: Mesh): Vector3[] {
  mesh.updateWorldMatrix(true, false)
  const position = mesh.geometry.getAttribute('position')
  return Array.from({ length: position.count }, (_, i) =>
    mesh.localToWorld(new Vector3().fromBufferAttribute(position, i)),
  )
}

describe('the frame', () => {
  it('steps by the clock, and by hand in a manual or a paused world', async () => {
    const scene = await mount(<SoftBody geometry={new BoxGeometry()} resolution={3} />)
    await scene.frames(4, 2.5 * step)
    expect(scene.world.stats.steps).toBe(10)
    for (const held of [{ updateLoop: 'manual' }, { paused: true }] satisfies SoftBodyWorldProps[]) {
      await scene.update(<SoftBody geometry={new BoxGeometry()} resolution={3} />, held)
      const before = scene.world.stats.steps
      await scene.frames(5)
      expect(scene.world.stats.steps).toBe(before)
      scene.world.step(3)
      expect(scene.world.stats.steps).toBe(before + 3)
    }
    await scene.unmount()
  })

  it('is the same to the last bit at every frame rate, and after a frame of 10 s', async () => {
    const geometry = new SphereGeometry(0.5, 16, 12)
    const runs: Float64Array[] = []
    for (const [rate, pause] of [
      [30, 0],
      [60, 0],
      [144, 0],
      [60, 10],
    ] as const) {
      const ball = createRef<SoftBodyRef>()
      const sheet = createRef<SoftBodyRef>()
      const scene = await mount(
        <>
          <SoftBody ref={ball} geometry={geometry} rotation={[0.3, 0.2, 0]} resolution={4} />
          <Cloth ref={sheet} args={[1, 1, 8, 8]} pins="corners" position={[2, 0, 0]} />
          <Ground position={[0, -0.8, 0]} />
        </>,
      )
      const { world } = scene.world
      const refs = [ball.current!, sheet.current!]
      world.onAfterStep(() => {
        if (world.stepIndex !== 60) return
        for (const ref of refs) runs.push(ref.readPositions(new Float64Array(3 * ref.particleCount)))
      })
      await scene.frames(rate / 2, 1 / rate)
      if (pause > 0) await scene.frames(1, pause)
      await scene.frames(rate, 1 / rate)
      // 5 steps of the long frame were taken.
      expect(scene.world.stats.droppedTime).toBeCloseTo(pause && pause - 5 * step, 1)
      await scene.unmount()
    }
    expect(runs.length).toBe(8)
    for (let k = 2; k < 8; k++) expect(runs[k]).toEqual(runs[k % 2])
  })

  it('takes no time from a frame whose clock has none to tell', async () => {
    const scene = await mount(<SoftBody geometry={new BoxGeometry()} resolution={3} />)
    await scene.frames(1, Number.NaN)
    expect(scene.world.world.stepIndex).toBe(0)
    await scene.unmount()
  })

  it('draws between the last two steps, and the last step itself after a step by hand', async () => {
    const ref = createRef<SoftBodyRef>()
    const scene = await mount(<SoftBody ref={ref} geometry={new BoxGeometry()} resolution={3} />, weightless)
    ref.current!.setVelocity([6, 0, 0])
    await scene.frames(1, 2.25 * step)
    // Two steps of 0.1 m; a quarter of the way from the first to the second is drawn.
    expect(drawn(ref.current!.mesh!)[0]!.x - 0.5).toBeCloseTo(0.125, 6)
    scene.world.step()
    expect(drawn(ref.current!.mesh!)[0]!.x - 0.5).toBeCloseTo(0.3, 6)
    await scene.unmount()
  })

  it('asks for frames on demand while a body runs, and takes no time for the pause before', async () => {
    const body = <SoftBody geometry={new BoxGeometry()} resolution={3} />
    const scene = await mount(body, { paused: true })
    const { state } = scene
    let asked = 0
    vi.stubGlobal('requestAnimationFrame', () => 0)
    await act(async () => state.set({ frameloop: 'demand', invalidate: () => void asked++ }))
    const advance = async (seconds: number) => {
      scene.state.clock.getDelta = () => seconds
      await scene.frames(1)
    }
    await advance(step)
    asked = 0
    await advance(step)
    expect(asked).toBe(0)
    await scene.update(body, {})
    await advance(100)
    expect(asked).toBeGreaterThan(0)
    expect(scene.world.stats).toMatchObject({ steps: 0, droppedTime: 0 })
    await advance(1.5 * step)
    expect(scene.world.stats.steps).toBe(1)
    await scene.unmount()
    vi.unstubAllGlobals()
  })

  it.each([
    [true, 0],
    [false, 5],
  ])('with pauseWhenHidden={%s} runs %i steps for the time behind another tab', async (pauseWhenHidden, steps) => {
    const page = new EventTarget()
    vi.stubGlobal('document', page)
    const scene = await mount(<SoftBody geometry={new BoxGeometry()} resolution={3} />, { pauseWhenHidden })
    page.dispatchEvent(new Event('visibilitychange')) // hidden: no frames
    page.dispatchEvent(new Event('visibilitychange'))
    await scene.frames(1, 60)
    expect(scene.world.stats.steps).toBe(steps)
    expect(scene.world.stats.droppedTime > 0).toBe(!pauseWhenHidden)
    await scene.frames(1, 1.01 * step)
    expect(scene.world.stats.steps).toBe(steps + 1)
    await scene.unmount()
    vi.unstubAllGlobals()
  })

  it('leaves the body where it is when a parent moves, and draws it there', async () => {
    const parent = createRef<Group>()
    const scene = await mount(
      <group ref={parent}>
        <SoftBody geometry={new SphereGeometry(0.5, 12, 8)} resolution={4} />
      </group>,
      weightless,
    )
    const mesh = firstMeshOf(scene)
    const before = drawn(mesh)
    parent.current!.position.set(3, 2, 1)
    parent.current!.rotation.set(0.3, 0.4, 0.5)
    parent.current!.scale.setScalar(2)
    await scene.frames(1)
    drawn(mesh).forEach((point, i) => expect(point.distanceTo(before[i]!)).toBeLessThan(1e-6))
    await scene.unmount()
  })

  it.each([
    ['scaled', [2, 0.5, 1]],
    ['mirrored', [-1, 1, 1]],
  ] as const)('bakes a %s parent, and keeps positions and normals as they were', async (_, scale) => {
    const geometry = new SphereGeometry(0.5, 16, 12)
    const scene = await mount(
      <group scale={[...scale]} position={[1, 2, 3]} rotation={[0.1, 0.2, 0.3]}>
        <SoftBody geometry={geometry} resolution={6} />
      </group>,
      weightless,
    )
    await scene.frames(3)
    const { attributes } = firstMeshOf(scene).geometry
    for (let i = 0; i < geometry.attributes.position!.count; i++) {
      const point = new Vector3().fromBufferAttribute(attributes.position!, i)
      expect(point.distanceTo(new Vector3().fromBufferAttribute(geometry.attributes.position!, i))).toBeLessThan(1e-5)
      // A sphere of 16 x 12 faces: vertex normals are off by much less than a face spans.
      const normal = new Vector3().fromBufferAttribute(attributes.normal!, i)
      expect(normal.dot(new Vector3().fromBufferAttribute(geometry.attributes.normal!, i))).toBeGreaterThan(0.95)
    }
    await scene.unmount()
  })

  it('keeps bounds about what it draws, for culling and for rays', async () => {
    const ref = createRef<SoftBodyRef>()
    const scene = await mount(<SoftBody ref={ref} geometry={new BoxGeometry()} resolution={3} />, weightless)
    ref.current!.setVelocity([60, 0, 0])
    await scene.frames(4)
    const { geometry } = ref.current!
    expect(geometry!.boundingBox!.min.x).toBeCloseTo(2.5, 1)
    expect(geometry!.boundingSphere!.center.x).toBeCloseTo(3, 1)
    // A corner is torn away: the bounds grow with it.
    const atRest = geometry!.boundingSphere!.radius
    ref.current!.applyImpulse([24000, 24000, 24000], ref.current!.region([3.5, 0.5, 0.5], 0.4)!)
    await scene.frames(3)
    const point = new Vector3()
    const { boundingBox, boundingSphere } = geometry!
    expect(boundingSphere!.radius).toBeGreaterThan(atRest + 0.02)
    const position = geometry!.getAttribute('position')
    for (let i = 0; i < position.count; i++) {
      point.fromBufferAttribute(position, i)
      expect(boundingSphere!.distanceToPoint(point)).toBeLessThan(1e-5)
      expect(boundingBox!.distanceToPoint(point)).toBeLessThan(1e-5)
    }
    await scene.unmount()
  })

  it('calls back around every fixed step', async () => {
    const calls: string[] = []
    function Listener() {
      useBeforeStep((_, dt) => void calls.push(`before ${dt === step}`))
      useAfterStep((world) => void calls.push(`after ${world.stepIndex}`))
      return null
    }
    const scene = await mount(<Listener />)
    await scene.frames(1, 2.5 * step)
    expect(calls).toEqual(['before true', 'after 1', 'before true', 'after 2'])
    await scene.update(null)
    await scene.frames(1, 2 * step)
    expect(calls.length).toBe(4)
    await scene.unmount()
  })

  it.each([
    ['useBeforeStep', useBeforeStep],
    ['useAfterStep', useAfterStep],
  ])('what cannot be called back is refused where it is given: %s', async (component, useStep) => {
    const errors = vi.spyOn(console, 'error').mockImplementation(() => {})
    function Listener() {
      useStep('x' as never)
      return null
    }
    await expect(mount(<Listener />)).rejects.toMatchObject({ name: 'SettingError', component, prop: 'callback' })
    errors.mockRestore()
  })
})

/** Moves an object in a frame of the given priority. */
function Mover({ target, priority, x }: { target: RefObject<Group | null>; priority: number; x: number }) {
  useFrame(() => target.current?.position.setX(x), priority)
  return null
}

describe('what moves in a frame', () => {
  /** How far a box that is moved into a body by 0.2 m has pushed it after one frame. */
  async function pushed(priority: number, mountedLate: boolean): Promise<number> {
    const box = createRef<Group>()
    const ref = createRef<SoftBodyRef>()
    const content = (moving: boolean) => (
      <>
        {moving && <Mover target={box} priority={priority} x={-1.3} />}
        <SoftBody ref={ref} geometry={new BoxGeometry()} resolution={3} />
        <Collider.Box ref={box} position={[-1.5, 0, 0]} args={[1, 4, 4]} />
      </>
    )
    const geometryOnce = content(!mountedLate)
    const scene = await mount(geometryOnce, { ...weightless, updatePriority: priority === 0 ? 0 : -5 })
    if (mountedLate) await scene.update(content(true))
    await scene.frames(1, 1.01 * step)
    const x = ref.current!.centerOfMass([0, 0, 0])[0]
    await scene.unmount()
    return x
  }

  it('is seen in the same frame at the priority of the world, when it was mounted with it', async () => {
    expect(await pushed(0, false)).not.toBe(0)
  })

  it('is seen in the same frame at a lower priority, whenever it was mounted', async () => {
    expect(await pushed(-10, true)).not.toBe(0)
  })

  it('is seen a frame later at a higher priority', async () => {
    expect(await pushed(-1, false)).toBeCloseTo(0, 9)
  })

  it('carries along what lies on it', async () => {
    const lift = createRef<Group>()
    const ref = createRef<SoftBodyRef>()
    const scene = await mount(
      <>
        <SoftBody ref={ref} geometry={new BoxGeometry()} resolution={3} preset="firm" />
        <Collider.Box ref={lift} position={[0, -1.01, 0]} args={[4, 1, 4]} />
      </>,
    )
    await scene.frames(60)
    const before = ref.current!.centerOfMass([0, 0, 0])[1]
    for (let frame = 0; frame < 60; frame++) {
      lift.current!.position.y += 0.5 / 60
      await scene.frames(1)
    }
    await scene.frames(30)
    // A firm metre sags by 0.2% under its weight, and swings by as much.
    expect(ref.current!.centerOfMass([0, 0, 0])[1] - before).toBeCloseTo(0.5, 2)
    await scene.unmount()
  })

  it('warns once of a scale that a collider cannot take, and keeps the last pose', async () => {
    const ball = createRef<Group>()
    const scene = await mount(<Collider.Sphere ref={ball} args={[0.5]} />)
    await scene.frames(2)
    const warnings = collectWarnings()
    ball.current!.scale.set(1, 2, 1)
    await scene.frames(3)
    expect(warnings.messages).toEqual([expect.stringMatching(/<Collider.Sphere> scale=.*same along all axes/)])
    warnings.stop()
    await scene.unmount()
    await expect(mount(<Collider.Sphere scale={[1, 2, 1]} />)).rejects.toThrow(/<Collider.Sphere> scale=/)
  })
})

describe('Pin', () => {
  it('holds particles rigidly to its group, also where a parent turns', async () => {
    const handle = createRef<Group>()
    const ref = createRef<SoftBodyRef>()
    const scene = await mount(
      <Cloth ref={ref} args={[1, 1, 4, 4]}>
        <Pin ref={handle} at="top" />
      </Cloth>,
    )
    await scene.frames(30)
    handle.current!.position.set(0, 1, 0)
    handle.current!.rotation.set(0, 0, Math.PI / 2)
    await scene.frames(2)
    // Vertices 0..4 are the top row at y = 0.5; turned by a right angle and lifted they stand at x = -0.5.
    for (let i = 0; i < 5; i++) {
      const [x, y, z] = ref.current!.getPosition(i, [0, 0, 0])
      expect([x, y, z].map((value) => Math.round(value * 1e6) / 1e6 + 0)).toEqual([-0.5, 1 - 0.5 + i * 0.25, 0])
    }
    await scene.unmount()
  })

  it('lets go at unmount what no other holds', async () => {
    const ref = createRef<SoftBodyRef>()
    const cloth = (pinned: boolean) => (
      <Cloth ref={ref} args={[1, 1, 4, 4]} pins={[0]}>
        {pinned && <Pin at="top" />}
      </Cloth>
    )
    const scene = await mount(cloth(true))
    const held = () => [0, 1, 2, 3, 4].map((i) => ref.current!.body!.isPinned(i))
    expect(held()).toEqual([true, true, true, true, true])
    await scene.update(cloth(false))
    expect(held()).toEqual([true, false, false, false, false])
    await scene.unmount()
  })

  it('says whose predicate threw what', async () => {
    const cause = new TypeError('no such thing')
    const at = () => {
      throw cause
    }
    for (const [content, prop] of [
      [<Cloth key="cloth" pins={at} />, 'Cloth> pins'],
      [
        <Cloth key="cloth">
          <Pin at={at} />
        </Cloth>,
        'Pin> at',
      ],
    ] as const) {
      const error: unknown = await mount(content).catch((thrown: unknown) => thrown)
      expect(error).toMatchObject({ name: 'SettingError', cause })
      expect((error as Error).message).toMatch(`<${prop}={`)
      expect((error as Error).message).toMatch('threw TypeError: no such thing at vertex 0. It is given')
    }
  })

  it('needs a body above it and a selector that names something', async () => {
    await expect(mount(<Pin at="top" />)).rejects.toThrow(/<Pin> needs a body/)
    const nothing = (
      <Cloth>
        <Pin at={() => false} />
      </Cloth>
    )
    await expect(mount(nothing)).rejects.toThrow(/<Pin> at=.*selects no vertex/)
    await expect(mount(<Cloth pins={[5000]} />)).rejects.toThrow(/<Cloth> pins=.*vertex 5000 does not exist/)
  })

  it('follows a target elsewhere in the scene', async () => {
    const ref = createRef<SoftBodyRef>()
    const elsewhere = createRef<Group>()
    function Scene() {
      const target = useRef<Group>(null)
      return (
        <>
          <group ref={elsewhere}>
            <group ref={target} />
          </group>
          <SoftBody ref={ref} geometry={new BoxGeometry()} resolution={3}>
            <Pin at="top" target={target} />
          </SoftBody>
        </>
      )
    }
    const scene = await mount(<Scene />, weightless)
    const top = () => ref.current!.bounds(new Float64Array(6))[4]!
    expect(top()).toBeCloseTo(0.5, 6)
    elsewhere.current!.position.y = 0.25
    await scene.frames(2)
    expect(top()).toBeCloseTo(0.75, 6)
    await scene.unmount()
  })
})
