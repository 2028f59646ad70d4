import { Canvas, type RootState } from '@react-three/fiber'
import { createRef, type ReactNode, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { SphereGeometry } from 'three'
import { describe, expect, it, vi } from 'vitest'
import { cdp, userEvent } from 'vitest/browser'
import { SoftBody, type SoftBodyRef, SoftBodyWorld, type SoftBodyWorldRef } from '../../src/index.js'

// Frames come when the browser has them: nothing here is flushed by `act`.
globalThis.IS_REACT_ACT_ENVIRONMENT = false

/** Renders a canvas of 320 x 320 pixels into the page. */
async function show(content: (world: React.RefObject<SoftBodyWorldRef | null>) => ReactNode) {
  const container = document.createElement('div')
  container.style.cssText = 'width: 320px; height: 320px'
  document.body.append(container)
  const root = createRoot(container)
  const world = createRef<SoftBodyWorldRef>()
  let state: RootState | undefined
  const render = async (children: ReactNode) => {
    root.render(
      <StrictMode>
        <Canvas camera={{ position: [0, 0, 5] }} dpr={1} onCreated={(created) => (state = created)}>
          {children}
        </Canvas>
      </StrictMode>,
    )
    await vi.waitFor(() => expect(state).toBeDefined(), 10_000)
  }
  await render(content(world))
  return {
    world,
    render,
    canvas: container.querySelector('canvas')!,
    state: () => state!,
    unmount() {
      root.unmount()
      container.remove()
    },
  }
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

const geometry = new SphereGeometry(1, 24, 16)

function ball(key: string, ref?: React.Ref<SoftBodyRef>): ReactNode {
  return (
    <SoftBody key={key} ref={ref} geometry={geometry} resolution={4}>
      <meshNormalMaterial />
    </SoftBody>
  )
}

describe('in a browser', () => {
  it('draws a body that shares its geometry with one that was drawn and unmounted', async () => {
    const scene = (world: React.RefObject<SoftBodyWorldRef | null>, keys: string[]) => (
      <SoftBodyWorld ref={world} updateLoop="manual">
        {keys.map((key) => ball(key))}
      </SoftBodyWorld>
    )
    const page = await show((world) => scene(world, ['a', 'b']))
    await vi.waitFor(() => expect(page.world.current?.world.bodies.length).toBe(2), 10_000)
    const before = covered(page.state())
    // A ball of 1 m at 5 m in a field of 75 degrees: radius 1 / (sqrt(24) tan 37.5) of the half side.
    expect(before).toBeCloseTo((Math.PI * (1 / (Math.sqrt(24) * Math.tan((37.5 * Math.PI) / 180))) ** 2) / 4, 1)
    const { memory } = page.state().gl.info
    expect(memory.geometries).toBe(2)
    await page.render(scene(page.world, ['b']))
    await vi.waitFor(() => expect(page.world.current?.world.bodies.length).toBe(1), 10_000)
    expect(covered(page.state())).toBeCloseTo(before, 3)
    expect(memory.geometries).toBe(1)
    page.unmount()
  })

  it('is grabbed by a real mouse', async () => {
    const ref = createRef<SoftBodyRef>()
    const page = await show((world) => (
      <SoftBodyWorld ref={world} gravity={[0, 0, 0]}>
        {ball('ball', ref)}
      </SoftBodyWorld>
    ))
    await vi.waitFor(() => expect(ref.current?.alive).toBe(true), 10_000)
    const { canvas } = page
    // How many steps fall into the drag is the machine's affair; in those, or after the release, the ball goes right.
    let farthest = 0
    page.world.current!.world.onAfterStep(() => {
      farthest = Math.max(farthest, ref.current!.centerOfMass([0, 0, 0])[0])
    })
    await userEvent.dragAndDrop(canvas, canvas, {
      sourcePosition: { x: 160, y: 160 },
      targetPosition: { x: 280, y: 160 },
      steps: 20,
    })
    page.world.current!.step(30)
    expect(farthest).toBeGreaterThan(0.05)
    page.unmount()
  })

  it('leaves a press on a button above the picture to the button', async () => {
    const ref = createRef<SoftBodyRef>()
    const page = await show((world) => (
      <SoftBodyWorld ref={world} gravity={[0, 0, 0]}>
        {ball('ball', ref)}
      </SoftBodyWorld>
    ))
    await vi.waitFor(() => expect(ref.current?.alive).toBe(true), 10_000)
    const button = document.createElement('button')
    button.style.cssText = 'position: absolute; left: 120px; top: 120px; width: 80px; height: 80px'
    const clicked = vi.fn()
    button.addEventListener('click', clicked)
    page.canvas.parentElement!.append(button) // where <Html> puts its elements
    await userEvent.dragAndDrop(button, button, {
      sourcePosition: { x: 30, y: 40 },
      targetPosition: { x: 60, y: 40 },
      steps: 5,
    })
    await userEvent.click(button)
    expect(clicked).toHaveBeenCalled()
    page.world.current!.step(10)
    expect(Math.hypot(...ref.current!.velocity([0, 0, 0]))).toBeLessThan(1e-9)
    page.unmount()
  })

  it('is thrown by a real finger, which does not scroll the page', async () => {
    const ref = createRef<SoftBodyRef>()
    const page = await show((world) => (
      <SoftBodyWorld ref={world} gravity={[0, 0, 0]} updateLoop="manual">
        {ball('ball', ref)}
      </SoftBodyWorld>
    ))
    await vi.waitFor(() => expect(ref.current?.alive).toBe(true), 10_000)
    const seen = new Set<string>()
    const kinds = ['pointerdown', 'pointermove', 'pointerup', 'pointercancel'] as const
    const note = (event: PointerEvent) => void seen.add(`${event.type} ${event.pointerType} ${event.isTrusted}`)
    for (const kind of kinds) window.addEventListener(kind, note, { capture: true })
    const { left, top } = page.canvas.getBoundingClientRect()
    const frame = window.frameElement!.getBoundingClientRect()
    const scale = frame.width / window.innerWidth
    const touch = (type: string, ...points: number[]) =>
      cdp().send('Input.dispatchTouchEvent', {
        type: type as 'touchStart',
        touchPoints: points.map((x) => ({ x: frame.left + scale * (left + x), y: frame.top + scale * (top + 160) })),
      })
    await touch('touchStart', 160)
    for (let x = 165; x <= 240; x += 5) {
      await touch('touchMove', x)
      page.world.current!.step()
    }
    await touch('touchEnd')
    for (const kind of kinds) window.removeEventListener(kind, note, { capture: true })
    expect([...seen]).toEqual(['pointerdown touch true', 'pointermove touch true', 'pointerup touch true'])
    page.world.current!.step(30)
    expect(ref.current!.centerOfMass([0, 0, 0])[0]).toBeGreaterThan(0.2)
    page.unmount()
  })
})
