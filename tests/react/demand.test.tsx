import { act, createRef, type ReactNode } from 'react'
import { BoxGeometry, type Group } from 'three'
import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  Collider,
  Ground,
  SoftBody,
  type SoftBodyRef,
  type SoftBodyWorldProps,
  useBeforeStep,
} from '../../src/index.js'
import { type Mounted, mount } from './mount.js'

const step = 1 / 60
const geometry = new BoxGeometry()

afterEach(() => vi.unstubAllGlobals())

/** A canvas with frameloop="demand": frames are run as long as somebody asks for them. */
async function onDemand(children: ReactNode, world?: SoftBodyWorldProps) {
  vi.stubGlobal('requestAnimationFrame', () => 0)
  const scene = await mount(children, world)
  let asked = 1
  await act(async () => scene.state.set({ frameloop: 'demand', invalidate: () => void asked++ }))
  return {
    scene,
    get asked() {
      return asked
    },
    forget: () => void (asked = 0),
    /** One frame that comes `seconds` after the last. */
    async frame(seconds = step) {
      scene.state.clock.getDelta = () => seconds
      await scene.frames(1)
    },
    /** Runs the frames that are asked for, `most` of them at most, and returns how many there were. */
    async play(most: number) {
      for (let count = 0; count < most; count++) {
        if (asked === 0) return count
        asked = 0
        await this.frame(1.03 * step)
      }
      return most
    },
  }
}

type Demand = Awaited<ReturnType<typeof onDemand>>

const box = (ref: React.Ref<SoftBodyRef>, props: object = {}) => (
  <SoftBody key="box" ref={ref} geometry={geometry} resolution={4} preset="firm" position={[0, 0.7, 0]} {...props} />
)
const ground = <Ground key="ground" />
const stepsOf = (scene: Mounted) => scene.world.stats.steps

/** Ten seconds: a firm box that falls by 0.2 m lies still long before. */
const longEnough = 600

describe('frameloop="demand"', () => {
  it('asks for frames until everything rests, and draws the step in which it came to rest', async () => {
    const ref = createRef<SoftBodyRef>()
    const demand = await onDemand([box(ref), ground])
    const frames = await demand.play(longEnough)
    expect(frames).toBeLessThan(longEnough)
    expect(frames).toBeGreaterThan(15) // 0.25 s
    expect(ref.current!.bounds(new Float64Array(6))[1]).toBeCloseTo(0, 1)
    // Not between two steps: presenting the last step itself changes nothing.
    const drawn = () => Array.from(ref.current!.geometry!.attributes.position!.array)
    const settled = drawn()
    demand.scene.world.step(0)
    expect(drawn()).toEqual(settled)
    await demand.scene.unmount()
  })

  it('takes no time in frames that others ask for while all rests', async () => {
    const ref = createRef<SoftBodyRef>()
    const demand = await onDemand([box(ref), ground])
    await demand.play(longEnough)
    const steps = stepsOf(demand.scene)
    for (let k = 0; k < 10; k++) await demand.frame()
    expect(stepsOf(demand.scene)).toBe(steps)
    expect(demand.asked).toBe(0)
    await demand.scene.unmount()
  })

  const wakes: [string, (ref: SoftBodyRef, demand: Demand) => void | Promise<void>][] = [
    ['applyImpulse', (ref) => ref.applyImpulse([0, 500, 0])],
    ['setVelocity', (ref) => ref.setVelocity([0, 1, 0])],
    ['addForce', (ref) => ref.addForce([0, 300_000, 0])],
    ['teleport', (ref) => ref.teleport([0, 2, 0])],
    ['reset', (ref) => ref.reset()],
    ['a call on the engine itself', (ref) => ref.body!.setVelocity([1, 0, 0])],
    ['a setting of the engine', (_, { scene }) => scene.world.world.set({ gravity: [0, 5, 0] })],
    ['a reset of the world', (_, { scene }) => scene.world.reset()],
    ['a prop', (_, { scene }) => scene.update([box(createRef(), { gravityScale: -1 }), ground])],
    ['a prop of the world', (_, { scene }) => scene.update([box(createRef()), ground], { gravity: [0, 5, 0] })],
    ['a collider that goes', (_, { scene }) => scene.update(box(createRef()))],
    [
      'a collider that comes',
      (_, { scene }) =>
        scene.update([box(createRef()), ground, <Collider.Sphere key="new" args={[0.3]} position={[0, 1, 0]} />]),
    ],
  ]

  it.each(wakes)('is woken by %s, and lets no time pass for the rest before', async (_, wake) => {
    const ref = createRef<SoftBodyRef>()
    const demand = await onDemand([box(ref), ground])
    expect(await demand.play(longEnough)).toBeLessThan(longEnough)
    const steps = stepsOf(demand.scene)
    const place = ref.current!.centerOfMass([0, 0, 0])
    await wake(ref.current!, demand)
    expect(demand.asked).toBeGreaterThan(0)
    const after = demand.scene.world.world.stepIndex
    await demand.frame(60)
    expect(demand.scene.world.world.stepIndex).toBe(after)
    expect(demand.scene.world.stats.droppedTime).toBe(0)
    expect(await demand.play(12)).toBe(12)
    expect(stepsOf(demand.scene)).toBeGreaterThan(steps + 10)
    const body = demand.scene.world.world.bodies[0]!
    const moved = body.centerOfMass([0, 0, 0]).map((x, d) => Math.abs(x - place[d]!))
    expect(Math.max(...moved)).toBeGreaterThan(5e-4)
    await demand.scene.unmount()
  })

  it('is woken by a collider that was moved, when a frame comes', async () => {
    const ref = createRef<SoftBodyRef>()
    const lift = createRef<Group>()
    const demand = await onDemand([
      box(ref),
      <Collider.Box key="lift" ref={lift} position={[0, -0.5, 0]} args={[20, 1, 20]} />,
    ])
    await demand.play(longEnough)
    lift.current!.position.y += 0.3
    demand.forget()
    await demand.frame(10)
    expect(demand.asked).toBeGreaterThan(0)
    expect(await demand.play(longEnough)).toBeLessThan(longEnough)
    expect(ref.current!.bounds(new Float64Array(6))[1]).toBeCloseTo(0.3, 1)
    await demand.scene.unmount()
  })

  it('does not rest while a body is held, and is woken by the release', async () => {
    const demand = await onDemand(box(createRef(), { position: [0, 0, 0], pokeForce: 0 }), { gravity: [0, 0, 0] })
    expect(await demand.play(100)).toBeLessThan(40)
    const press = (type: string) => {
      const event = new Event(type, { cancelable: true })
      const fields = { clientX: 640, clientY: 400, pointerId: 1, pointerType: 'mouse', button: 0 }
      for (const [name, value] of Object.entries(fields)) Object.defineProperty(event, name, { value })
      demand.scene.canvas.dispatchEvent(event)
    }
    press('pointerdown')
    expect(demand.asked).toBeGreaterThan(0)
    expect(await demand.play(100)).toBe(100)
    press('pointerup')
    expect(await demand.play(100)).toBeLessThan(40)
    await demand.scene.unmount()
  })

  it.each([
    ['nothing', [0, 0, 0], false],
    ['a push', [200, 0, 0], true],
  ] as const)('rests or not under a force in every step by what it moves: %s', async (_, force, moves) => {
    const ref = createRef<SoftBodyRef>()
    function Blown() {
      useBeforeStep(() => ref.current?.addForce(force))
      return null
    }
    const demand = await onDemand([box(ref), <Blown key="blown" />], { gravity: [0, 0, 0] })
    expect((await demand.play(100)) === 100).toBe(moves)
    await demand.scene.unmount()
  })

  it.each([
    ['timeScale={0}', { timeScale: 0 }],
    ['paused', { paused: true }],
  ])('asks for no frames while the world stands still, and goes on from there: %s', async (_, still) => {
    const ref = createRef<SoftBodyRef>()
    const content = box(ref, { position: [0, 5, 0] })
    const demand = await onDemand(content, still)
    expect(await demand.play(longEnough)).toBeLessThan(5)
    expect(stepsOf(demand.scene)).toBe(0)
    ref.current!.applyImpulse([0, 100, 0])
    expect(demand.asked).toBeGreaterThan(0)
    expect(await demand.play(longEnough)).toBeLessThan(5)
    await demand.scene.update(content, {})
    expect(demand.asked).toBeGreaterThan(0)
    await demand.frame(60) // the pause before takes no time
    expect(stepsOf(demand.scene)).toBe(0)
    expect(await demand.play(12)).toBe(12)
    expect(stepsOf(demand.scene)).toBeGreaterThan(10)
    await demand.scene.update(content, still)
    expect(await demand.play(longEnough)).toBeLessThan(5)
    await demand.scene.unmount()
  })

  it('rests no more once the canvas draws always', async () => {
    const demand = await onDemand(box(createRef(), { position: [0, 0, 0] }), { gravity: [0, 0, 0] })
    await demand.play(100)
    const steps = stepsOf(demand.scene)
    await act(async () => demand.scene.state.set({ frameloop: 'always' }))
    await demand.frame(step)
    await demand.frame(1.1 * step)
    expect(stepsOf(demand.scene)).toBeGreaterThan(steps)
    await demand.scene.unmount()
  })
})
