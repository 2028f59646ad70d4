// What is not finite, and what guards do about it, as the scene sees it.
import { createRef, type RefObject } from 'react'
import { BoxGeometry, Group, type Mesh, SphereGeometry } from 'three'
import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  Attach,
  Cloth,
  Collider,
  Pin,
  SettingError,
  SoftBody,
  type SoftBodyRef,
  type SoftBodyWorldProps,
  type UnstableReason,
} from '../../src/index.js'
import { collectWarnings, type Mounted, mount } from './mount.js'

const geometry = new SphereGeometry(0.5, 16, 12)
const weightless: SoftBodyWorldProps = { gravity: [0, 0, 0] }

afterEach(() => vi.restoreAllMocks())

/** Everything that a picture, culling or a ray reads of a mesh. */
function numbersOf({ geometry: shown }: Mesh): number[] {
  const { boundingBox, boundingSphere } = shown
  return [
    ...shown.getAttribute('position').array,
    ...shown.getAttribute('normal').array,
    ...boundingBox!.min.toArray(),
    ...boundingBox!.max.toArray(),
    ...boundingSphere!.center.toArray(),
    boundingSphere!.radius,
  ]
}

interface Scene {
  mounted: Mounted
  victim: RefObject<SoftBodyRef | null>
  /** An object of the scene that the user moves: a collider, a pin or what something is tied to. */
  handle: Group
}

const nan = (group: Group) => group.position.set(Number.NaN, 0, 0)
const endless = (group: Group) => group.position.set(Number.POSITIVE_INFINITY, 0, 0)

/** What goes into a scene, and what somebody then does to it. */
const assaults: Record<string, { content?: (handle: Group) => React.ReactNode; act: (scene: Scene) => void }> = {
  'a force beyond all numbers': { act: ({ victim }) => victim.current!.addForce([1e308, 1e308, 0]) },
  'an impulse beyond all numbers': { act: ({ victim }) => victim.current!.applyImpulse([1e308, 0, 0]) },
  'a velocity that no float holds': { act: ({ victim }) => victim.current!.setVelocity([1e300, 0, 0]) },
  'a snapshot with NaN': {
    act: ({ mounted }) => {
      const snapshot = mounted.world.snapshot()!
      for (const column of snapshot.bodies[0]!.vectors) column.fill(Number.NaN)
      mounted.world.restore(snapshot)
    },
  },
  'a pin at NaN': {
    content: (handle) => <Pin at="top" target={{ current: handle }} />,
    act: ({ handle }) => nan(handle),
  },
  'a pin without end': {
    content: (handle) => <Pin at="top" target={{ current: handle }} />,
    act: ({ handle }) => endless(handle),
  },
  'a pin of scale 0': {
    content: (handle) => <Pin at="top" target={{ current: handle }} />,
    act: ({ handle }) => handle.scale.setScalar(0),
  },
  'what it is tied to at NaN': {
    content: (handle) => <Attach b={{ current: handle }} />,
    act: ({ handle }) => nan(handle),
  },
}

describe('nothing that is not finite reaches a geometry', () => {
  it.each(Object.keys(assaults))('%s: the body stays, and the rest of the world goes on', async (name) => {
    const { content, act } = assaults[name]!
    const warnings = collectWarnings()
    const victim = createRef<SoftBodyRef>()
    const cloth = createRef<SoftBodyRef>()
    const other = createRef<SoftBodyRef>()
    const handle = new Group()
    const mounted = await mount(
      [
        <primitive key="handle" object={handle} />,
        <SoftBody key="victim" ref={victim} geometry={geometry} resolution={4}>
          {content?.(handle)}
        </SoftBody>,
        <Cloth key="cloth" ref={cloth} args={[1, 1, 4, 4]} position={[3, 0, 0]} />,
        <SoftBody key="other" ref={other} geometry={geometry} resolution={4} position={[-3, 0, 0]} />,
      ],
      { ...weightless, updateLoop: 'manual' },
    )
    mounted.world.step(3)
    // What is led takes the body along, so that it does hold it.
    const top = () => victim.current!.bounds(new Float64Array(6))[4]!
    const low = top()
    handle.position.y = 0.05
    mounted.world.step(3)
    expect(top() - low > 0.02).toBe(content !== undefined)
    other.current!.setVelocity([0, 1, 0])
    act({ mounted, victim, handle })
    const before = other.current!.centerOfMass([0, 0, 0])[1]
    const steps = 20
    for (let k = 0; k < steps; k++) {
      mounted.world.step()
      for (const ref of [victim, cloth, other]) expect(numbersOf(ref.current!.mesh!).every(Number.isFinite)).toBe(true)
    }
    expect(other.current!.centerOfMass([0, 0, 0])[1] - before).toBeCloseTo(steps / 60, 6)
    expect(other.current!.maxStrain()).toBeLessThan(1e-6)
    warnings.stop()
    await mounted.unmount()
  })

  it.each(['NaN', 'Infinity'])('a collider that the user puts at %s, by itself or by its parent', async (value) => {
    const warnings = collectWarnings()
    const ref = createRef<SoftBodyRef>()
    const group = createRef<Group>()
    const parent = createRef<Group>()
    const mounted = await mount(
      [
        <SoftBody key="body" ref={ref} geometry={geometry} resolution={4} />,
        <group key="parent" ref={parent}>
          <Collider.Box ref={group} args={[4, 1, 4]} position={[0, -1.02, 0]} />
        </group>,
      ],
      { updateLoop: 'manual' },
    )
    for (const object of [group, parent]) {
      mounted.world.step(5)
      const y = object.current!.position.y
      object.current!.position.y = Number(value)
      for (let k = 0; k < 10; k++) {
        mounted.world.step()
        expect(numbersOf(ref.current!.mesh!).every(Number.isFinite)).toBe(true)
      }
      object.current!.position.y = y
    }
    // It is still there: what has fallen upon it lies on it.
    mounted.world.step(60)
    expect(ref.current!.bounds(new Float64Array(6))[1]).toBeGreaterThan(-0.55)
    warnings.stop()
    await mounted.unmount()
  })

  it.each([
    ['setVelocity', (ref: SoftBodyRef) => ref.setVelocity([0, Number.NaN, 0])],
    ['applyImpulse', (ref: SoftBodyRef) => ref.applyImpulse([Number.POSITIVE_INFINITY, 0, 0])],
    ['addForce', (ref: SoftBodyRef) => ref.addForce([Number.NaN, 0, 0])],
    ['teleport', (ref: SoftBodyRef) => ref.teleport([Number.NaN, 0, 0])],
  ] as const)('%s with it throws at once, and names it', async (_, call) => {
    const ref = createRef<SoftBodyRef>()
    const mounted = await mount(<SoftBody ref={ref} geometry={geometry} resolution={4} />, weightless)
    expect(() => call(ref.current!)).toThrow(SettingError)
    await mounted.frames(3)
    expect(numbersOf(ref.current!.mesh!).every(Number.isFinite)).toBe(true)
    await mounted.unmount()
  })
})

describe('onUnstable of a world', () => {
  const box = new BoxGeometry()
  const body = (ref: RefObject<SoftBodyRef | null>) => (
    <SoftBody ref={ref} geometry={box} resolution={3} name="block">
      <meshBasicMaterial />
    </SoftBody>
  )

  it('tells the ref, the mesh and the reason, in each step in which a guard acts', async () => {
    const ref = createRef<SoftBodyRef>()
    const told: { reason: UnstableReason; step: number }[] = []
    const mounted = await mount(body(ref), {
      ...weightless,
      maxSpeed: 10,
      updateLoop: 'manual',
      onUnstable: ({ ref: of, object, reason }) => {
        expect(of).toBe(ref.current)
        expect(object).toBe(ref.current!.mesh)
        told.push({ reason, step: mounted.world.world.stepIndex })
      },
    })
    mounted.world.step(2)
    expect(told).toEqual([])
    ref.current!.setVelocity([20, 0, 0])
    mounted.world.step()
    expect(told).toEqual([{ reason: 'speed', step: 3 }])
    expect(mounted.world.stats.speedClamps).toBeGreaterThan(0)
    ref.current!.setVelocity([0, 0, 0])
    mounted.world.step()
    expect(told.length).toBe(1)
    ref.current!.addForce([1e308, 1e308, 0])
    mounted.world.step()
    expect(told.slice(1)).toContainEqual({ reason: 'nonFinite', step: 5 })
    await mounted.unmount()
  })

  it('is the handler of the last render, comes and goes, and one that throws is reported', async () => {
    const ref = createRef<SoftBodyRef>()
    const [first, second] = [vi.fn(), vi.fn()]
    const world = (onUnstable?: () => void): SoftBodyWorldProps => ({
      ...weightless,
      maxSpeed: 10,
      updateLoop: 'manual',
      ...(onUnstable ? { onUnstable } : {}),
    })
    const mounted = await mount(body(ref), world(first))
    const fling = () => {
      ref.current!.setVelocity([20, 0, 0])
      mounted.world.step()
    }
    fling()
    await mounted.update(body(ref), world(second))
    fling()
    expect([first.mock.calls.length, second.mock.calls.length]).toEqual([1, 1])
    await mounted.update(body(ref), world())
    fling()
    expect([first.mock.calls.length, second.mock.calls.length]).toEqual([1, 1])
    const errors = vi.spyOn(console, 'error').mockImplementation(() => {})
    await mounted.update(
      body(ref),
      world(() => {
        throw new Error('mine')
      }),
    )
    const steps = mounted.world.stats.steps
    fling()
    expect(mounted.world.stats.steps).toBe(steps + 1)
    expect(errors).toHaveBeenCalledWith('<SoftBodyWorld> onUnstable threw:', expect.any(Error))
    await mounted.unmount()
  })
})
