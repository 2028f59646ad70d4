import { Canvas, type CanvasProps, type RootState } from '@react-three/fiber'
import { createRef, type ReactNode, type RefObject, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { BoxGeometry, SphereGeometry } from 'three'
import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  Collider,
  Ground,
  SoftBody,
  type SoftBodyRef,
  SoftBodyStats,
  SoftBodyWorld,
  type SoftBodyWorldRef,
} from '../../src/index.js'

globalThis.IS_REACT_ACT_ENVIRONMENT = false

const cleanups: (() => void)[] = []
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup()
})

const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve))

/** Renders a canvas of 160 x 160 pixels into the page. */
async function show(children: ReactNode, props: Partial<CanvasProps> = {}) {
  const container = document.createElement('div')
  container.style.cssText = 'width: 160px; height: 160px; position: relative'
  document.body.append(container)
  const root = createRoot(container)
  let state: RootState | undefined
  const render = (content: ReactNode) =>
    root.render(
      <StrictMode>
        <Canvas camera={{ position: [0, 0, 5] }} dpr={1} {...props} onCreated={(created) => (state = created)}>
          {content}
        </Canvas>
      </StrictMode>,
    )
  render(children)
  await vi.waitFor(() => expect(state).toBeDefined(), 10_000)
  const unmount = () => {
    root.unmount()
    container.remove()
  }
  cleanups.push(unmount)
  return { container, canvas: container.querySelector('canvas')!, render, state: state!.get, unmount }
}

/** Share of pixels that are not background, drawn now. */
function covered({ gl, scene, camera }: RootState): number {
  gl.render(scene, camera)
  const context = gl.getContext()
  const { drawingBufferWidth: width, drawingBufferHeight: height } = context
  const pixels = new Uint8Array(4 * width * height)
  context.readPixels(0, 0, width, height, context.RGBA, context.UNSIGNED_BYTE, pixels)
  let count = 0
  for (let i = 3; i < pixels.length; i += 4) if (pixels[i]! > 0) count++
  return count / (width * height)
}

const ball = new SphereGeometry(1, 24, 16)
const small = new BoxGeometry(0.25, 0.25, 0.25)

function Ball({ handle, ...props }: { handle?: RefObject<SoftBodyRef | null>; position?: [number, number, number] }) {
  return (
    <SoftBody ref={handle ?? null} geometry={ball} resolution={4} {...props}>
      <meshNormalMaterial />
    </SoftBody>
  )
}

/** Counts what is added to the page's targets and not taken away. */
function countListeners() {
  const own = (name: string) => Object.getOwnPropertyDescriptor(EventTarget.prototype, name)!.value as never
  const addEventListener: EventTarget['addEventListener'] = own('addEventListener')
  const removeEventListener: EventTarget['removeEventListener'] = own('removeEventListener')
  const live = new Map<EventTarget, Map<unknown, Set<string>>>()
  let count = 0
  const setOf = (target: EventTarget, listener: unknown) => {
    const ofTarget = live.get(target) ?? new Map<unknown, Set<string>>()
    live.set(target, ofTarget)
    const known = ofTarget.get(listener) ?? new Set<string>()
    ofTarget.set(listener, known)
    return known
  }
  const keyOf = (type: string, options?: AddEventListenerOptions | EventListenerOptions | boolean) =>
    `${type} ${typeof options === 'object' ? options.capture === true : options === true}`
  EventTarget.prototype.addEventListener = function (this: EventTarget, ...args: Parameters<typeof addEventListener>) {
    const [type, listener, options] = args
    const known = setOf(this ?? window, listener)
    const once = typeof options === 'object' && options.once
    if (listener && !once && !known.has(keyOf(type, options))) {
      known.add(keyOf(type, options))
      count++
    }
    addEventListener.apply(this ?? window, args)
  }
  EventTarget.prototype.removeEventListener = function (
    this: EventTarget,
    ...args: Parameters<typeof removeEventListener>
  ) {
    const [type, listener, options] = args
    if (listener && setOf(this ?? window, listener).delete(keyOf(type, options))) count--
    removeEventListener.apply(this ?? window, args)
  }
  cleanups.push(() => Object.assign(EventTarget.prototype, { addEventListener, removeEventListener }))
  return () => count
}

describe('in a browser, over its life', () => {
  it('leaves nothing behind after 1,000 mounts and unmounts of a body, in 20 worlds', async () => {
    const listeners = countListeners()
    const page = await show(null)
    await frame()
    const state = page.state()
    const inventory = () => ({
      ...state.gl.info.memory,
      objects: state.scene.children.length,
      frames: state.internal.subscribers.length,
      elements: page.container.querySelectorAll('*').length,
      listeners: listeners(),
    })
    const world = createRef<SoftBodyWorldRef>()
    const content = (round: number) => (
      <SoftBodyWorld key={round} ref={world} debug={round % 4 === 0 ? ['edges', 'bounds'] : false}>
        {Array.from({ length: 50 }, (_, k) => (
          <SoftBody
            key={k}
            geometry={small}
            resolution={1}
            position={[0.6 * ((k % 10) - 4.5), 0.3 * Math.floor(k / 10), 0]}
          >
            <meshBasicMaterial />
          </SoftBody>
        ))}
        <Collider.Box />
        <Ground />
        <SoftBodyStats />
      </SoftBodyWorld>
    )
    // On a busy page bodies are drawn a frame later than they are there, and disposed of when it has time.
    const patience = { timeout: 10_000, interval: 5 }
    const round = async (number: number) => {
      page.render(content(number))
      await vi.waitFor(() => expect(world.current?.world.bodies.length).toBe(50), patience)
      await vi.waitFor(() => expect(state.gl.info.memory.geometries).toBeGreaterThanOrEqual(50), patience)
      const drawn = inventory()
      page.render(null)
      await vi.waitFor(() => expect(world.current).toBeNull(), patience)
      await frame()
      // The user's own: a frame between mount and the body's start may have drawn it.
      small.dispose()
      await vi.waitFor(() => expect(state.gl.info.memory.geometries).toBe(0), patience)
      return drawn
    }
    // The first round makes what three keeps for good, as programs.
    await round(0)
    const before = inventory()
    for (let number = 1; number <= 20; number++) {
      const drawn = await round(number)
      expect(drawn.listeners).toBeGreaterThan(before.listeners)
      expect(drawn.frames).toBeGreaterThan(before.frames)
    }
    // Fiber disposes of materials when the page is idle.
    await vi.waitFor(() => expect(inventory()).toEqual(before), 5_000)
  }, 180_000)

  it('draws again what a lost context had drawn, also on demand and at rest', async () => {
    const page = await show(
      <SoftBodyWorld gravity={[0, 0, 0]}>
        <Ball />
      </SoftBodyWorld>,
      { frameloop: 'demand' },
    )
    const { gl } = page.state()
    await vi.waitFor(() => expect(covered(page.state())).toBeGreaterThan(0.05), 10_000)
    const before = covered(page.state())
    // At rest: nobody asks for frames any more.
    await vi.waitFor(() => expect(page.state().internal.frames).toBe(0), 10_000)
    const extension = gl.getContext().getExtension('WEBGL_lose_context')!
    const lost = new Promise((resolve) => page.canvas.addEventListener('webglcontextlost', resolve, { once: true }))
    extension.loseContext()
    await lost
    const rendered = vi.spyOn(gl, 'render')
    const restored = new Promise((resolve) =>
      page.canvas.addEventListener('webglcontextrestored', resolve, { once: true }),
    )
    await frame()
    extension.restoreContext()
    await restored
    await vi.waitFor(() => expect(rendered).toHaveBeenCalled(), 5_000)
    rendered.mockRestore()
    expect(covered(page.state())).toBeCloseTo(before, 2)
  })

  it('lets no time pass while the page is hidden', async () => {
    const world = createRef<SoftBodyWorldRef>()
    const page = await show(
      <SoftBodyWorld ref={world}>
        <Ball />
      </SoftBodyWorld>,
      { frameloop: 'never' },
    )
    await vi.waitFor(() => expect(world.current?.world.bodies.length).toBe(1), 10_000)
    const visibility = vi.spyOn(document, 'visibilityState', 'get')
    const turn = (value: DocumentVisibilityState) => {
      visibility.mockReturnValue(value)
      document.dispatchEvent(new Event('visibilitychange'))
    }
    const { advance } = page.state()
    advance(0)
    advance(1.01 / 60)
    const steps = world.current!.stats.steps
    expect(steps).toBeGreaterThan(0)
    turn('hidden')
    turn('visible')
    advance(100)
    expect(world.current!.stats.steps).toBe(steps)
    expect(world.current!.stats.droppedTime).toBe(0)
    advance(100 + 1.01 / 60)
    expect(world.current!.stats.steps).toBe(steps + 1)
    visibility.mockRestore()
  })

  it('is pressed where it is seen after the page was resized', async () => {
    const handle = createRef<SoftBodyRef>()
    const world = createRef<SoftBodyWorldRef>()
    const page = await show(
      <SoftBodyWorld ref={world} gravity={[0, 0, 0]} updateLoop="manual">
        <Ball handle={handle} position={[1.2, 0, 0]} />
      </SoftBodyWorld>,
    )
    await vi.waitFor(() => expect(handle.current?.alive).toBe(true), 10_000)
    page.container.style.width = '320px'
    page.container.style.height = '240px'
    await vi.waitFor(() => expect(page.state().size.width).toBe(320), 10_000)
    await frame()
    const { left, top } = page.canvas.getBoundingClientRect()
    const { x } = handle
      .current!.mesh!.getWorldPosition(page.state().camera.position.clone())
      .project(page.state().camera)
    const press = (at: number) => {
      const at160 = { clientX: left + at, clientY: top + 120, bubbles: true, pointerId: 3, button: 0 }
      page.canvas.dispatchEvent(new PointerEvent('pointerdown', at160))
      world.current!.step(20)
      page.canvas.dispatchEvent(new PointerEvent('pointerup', at160))
      return Math.hypot(...handle.current!.velocity([0, 0, 0]))
    }
    expect(press(160 * (1 - x))).toBeLessThan(1e-9)
    expect(press(160 * (1 + x))).toBeGreaterThan(0.1)
  })

  it('runs two canvases, and two worlds in one canvas, apart from each other', async () => {
    const worlds = Array.from({ length: 3 }, () => createRef<SoftBodyWorldRef>())
    const balls = Array.from({ length: 3 }, () => createRef<SoftBodyRef>())
    const worldOf = (k: number, x: number) => (
      <SoftBodyWorld key={k} ref={worlds[k]} updateLoop="manual" gravity={[0, k === 1 ? 0 : -9.81, 0]}>
        <Ball handle={balls[k]} position={[x, 0, 0]} />
      </SoftBodyWorld>
    )
    const first = await show([worldOf(0, -1.2), worldOf(1, 1.2)])
    const second = await show(worldOf(2, 0))
    await vi.waitFor(() => expect(balls.every(({ current }) => current?.alive)).toBe(true), 10_000)
    const heights = () => balls.map(({ current }) => current!.centerOfMass([0, 0, 0])[1])
    const one = covered(second.state())
    expect(covered(first.state())).toBeGreaterThan(1.8 * one)
    worlds[0]!.current!.step(10)
    worlds[1]!.current!.step(10)
    // Free fall by substeps of h: g h^2 n (n + 1) / 2 after n = 100 of them.
    const fallen = (9.81 / 600 ** 2) * (100 * 101) * 0.5
    expect(heights()[0]).toBeCloseTo(-fallen, 6)
    expect(heights()[1]).toBeCloseTo(0, 9)
    expect(heights()[2]).toBeCloseTo(0, 9)
    first.unmount()
    worlds[2]!.current!.step(10)
    expect(heights()[2]).toBeCloseTo(-fallen, 6)
    expect(covered(second.state())).toBeGreaterThan(0.05)
  })
})
