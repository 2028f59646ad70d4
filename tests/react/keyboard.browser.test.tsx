import { Canvas, type RootState } from '@react-three/fiber'
import { createRef, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { BoxGeometry } from 'three'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { userEvent } from 'vitest/browser'
import {
  SoftBody,
  type SoftBodyRef,
  SoftBodyWorld,
  type SoftBodyWorldProps,
  type SoftBodyWorldRef,
} from '../../src/index.js'

globalThis.IS_REACT_ACT_ENVIRONMENT = false

const geometry = new BoxGeometry(0.6, 0.6, 0.6)
let cleanup = () => {}
afterEach(() => cleanup())

/** Two bodies side by side, 5 m before the camera, and a button after the canvas. */
async function show(props: SoftBodyWorldProps = {}, grabbable = true) {
  const container = document.createElement('div')
  container.style.cssText = 'width: 320px; height: 320px; position: relative'
  const button = document.createElement('button')
  document.body.append(container, button)
  const root = createRoot(container)
  const world = createRef<SoftBodyWorldRef>()
  const left = createRef<SoftBodyRef>()
  const right = createRef<SoftBodyRef>()
  let state: RootState | undefined
  const render = (taken: boolean) =>
    root.render(
      <StrictMode>
        <Canvas camera={{ position: [0, 0, 5], fov: 50 }} dpr={1} onCreated={(created) => (state = created)}>
          <SoftBodyWorld ref={world} updateLoop="manual" gravity={[0, 0, 0]} {...props}>
            <SoftBody
              ref={left}
              name="left"
              geometry={geometry}
              position={[-1, 0, 0]}
              resolution={3}
              damping={4}
              grabbable={taken}
            />
            <SoftBody
              ref={right}
              name="right"
              geometry={geometry}
              position={[1, 0, 0]}
              resolution={3}
              damping={4}
              grabbable={taken}
            />
          </SoftBodyWorld>
        </Canvas>
      </StrictMode>,
    )
  render(grabbable)
  const unmount = () => {
    root.unmount()
    container.remove()
    button.remove()
    cleanup = () => {}
  }
  cleanup = unmount
  await vi.waitFor(() => expect(right.current?.alive && state).toBeTruthy(), 10_000)
  // Two frames: whether there is anything to grab is seen in a frame.
  for (let k = 0; k < 2; k++) await new Promise((resolve) => requestAnimationFrame(resolve))
  const element = () => container.querySelector<HTMLElement>('[role=application]')
  return {
    container,
    button,
    element,
    world: world.current!,
    left: left.current!,
    right: right.current!,
    state: state!,
    render,
    unmount,
  }
}

const heightOfView = (distance: number) => 2 * distance * Math.tan((25 * Math.PI) / 180)

describe('the keyboard', () => {
  it('reaches the bodies with Tab, chooses with arrows, and says so', async () => {
    const { element, button, state } = await show()
    const outline = () => state.scene.getObjectByName('keyboard selection')
    expect(outline()).toBeUndefined()
    expect(element()!.getBoundingClientRect().width).toBeLessThanOrEqual(1)
    button.focus()
    await userEvent.tab({ shift: true })
    expect(document.activeElement).toBe(element())
    expect(element()!.getBoundingClientRect().width).toBeGreaterThan(50)
    expect(element()!.textContent).toBe('left, 1 of 2. Arrows choose, Enter grabs.')
    expect(outline()!.visible).toBe(true)
    await userEvent.keyboard('{ArrowRight}')
    expect(element()!.textContent).toContain('right, 2 of 2')
    await userEvent.keyboard('{ArrowRight}')
    expect(element()!.textContent).toContain('left, 1 of 2')
    await userEvent.keyboard('{Escape}')
    expect(document.activeElement).not.toBe(element())
    expect(outline()).toBeUndefined()
  })

  it('grabs, leads by the same way on the screen at each press, and lets go', async () => {
    const { element, world, left, right } = await show()
    // The ray from the camera through the middle meets the front of the box here.
    const front: [number, number, number] = [-0.94, 0, 0.3]
    const { particles, weights } = left.region(front, 0.15 * left.body!.model.size)!
    const held = () => {
      const point = [0, 0, 0]
      particles.forEach((particle, k) => {
        left.getPosition(particle, [0, 0, 0]).forEach((x, d) => (point[d]! += weights[k]! * x))
      })
      return point as [number, number, number]
    }
    element()!.focus()
    await userEvent.keyboard('{Enter}')
    expect(element()!.textContent).toContain('left is held')
    const start = held()
    const still = right.centerOfMass([0, 0, 0])
    await userEvent.keyboard('{ArrowUp>12/}')
    world.step(240)
    const [x, y, z] = held()
    // Twelve fortieths of the picture's height where it is held; the spring holds its point without a force.
    expect(Math.abs(y - start[1] - (12 / 40) * heightOfView(4.7))).toBeLessThan(0.02)
    expect(Math.hypot(x - start[0], z - start[2])).toBeLessThan(0.02)
    await userEvent.keyboard('{PageDown>8/}')
    world.step(240)
    // Each press comes nearer by a fortieth of a height that shrinks with the distance.
    const share = 1 - heightOfView(1) / 40
    expect(Math.abs(held()[2] - z - 4.7 * (1 - share ** 8))).toBeLessThan(0.02)
    right.centerOfMass([0, 0, 0]).forEach((value, d) => expect(value).toBeCloseTo(still[d]!, 9))
    await userEvent.keyboard('{Enter}')
    expect(element()!.textContent).toContain('Enter grabs')
    left.setVelocity([0, 0, 0])
    await userEvent.keyboard('{Enter}{Escape}{ArrowDown}{Escape}')
    const free = left.centerOfMass([0, 0, 0])
    world.step(30)
    left.centerOfMass([0, 0, 0]).forEach((value, d) => expect(value).toBeCloseTo(free[d]!, 3))
  })

  it('chooses a body as soon as there is one to grab', async () => {
    const { element, state, world, render } = await show({}, false)
    element()!.focus()
    world.step()
    expect(element()!.textContent).toBe('Nothing to grab.')
    expect(state.scene.getObjectByName('keyboard selection')!.visible).toBe(false)
    const said = () => {
      world.step()
      return element()!.textContent
    }
    render(true)
    await vi.waitFor(() => expect(said()).toBe('left, 1 of 2. Arrows choose, Enter grabs.'))
    expect(state.scene.getObjectByName('keyboard selection')!.visible).toBe(true)
    await userEvent.keyboard('{Enter}')
    expect(element()!.textContent).toContain('left is held')
    render(false)
    await vi.waitFor(() => expect(said()).toBe('Nothing to grab.'))
  })

  it('leads what is behind the camera to the right of the camera too, and out from behind it', async () => {
    const { element, world, left, state } = await show()
    // The bodies are 5 m behind it. No ray meets them: they are held by the middle.
    state.camera.position.set(-1, 0, -5)
    element()!.focus()
    await userEvent.keyboard('{Enter}{ArrowRight>12/}')
    world.step(240)
    const [x, y, z] = left.centerOfMass([0, 0, 0])
    expect(Math.abs(x + 1 - (12 / 40) * heightOfView(5))).toBeLessThan(0.02)
    expect(Math.hypot(y, z)).toBeLessThan(0.02)
    const share = 1 - heightOfView(1) / 40
    await userEvent.keyboard('{PageUp>8/}')
    world.step(240)
    // A press is some 10 cm; the body may turn a little about where it is held.
    expect(Math.abs(left.centerOfMass([0, 0, 0])[2] + 5 * (1 - share ** 8))).toBeLessThan(0.04)
    // So many presses lead it to the near plane, a tenth of a metre behind, and from there at an even pace.
    await userEvent.keyboard(`{PageUp>${Math.ceil(Math.log(0.1 / 5) / Math.log(share) + 3 * 40)}/}`)
    world.step(480)
    expect(left.centerOfMass([0, 0, 0])[2]).toBeLessThan(-5)
  })

  it.each(['Enter', 'Space'])('grabs once, or lets go once, while %s is kept down', async (key) => {
    const { element } = await show()
    element()!.focus()
    await userEvent.keyboard(`[${key}>4/]`)
    expect(element()!.textContent).toContain('left is held')
    await userEvent.keyboard(`[${key}>5/]`)
    expect(element()!.textContent).toContain('left, 1 of 2')
    // Escape would let go and then leave.
    await userEvent.keyboard(`[${key}][Escape>4/]`)
    expect(element()!.textContent).toContain('left, 1 of 2')
    expect(document.activeElement).toBe(element())
  })

  it('takes no key but its own, and none without the focus', async () => {
    const { element, button } = await show()
    const seen: string[] = []
    const note = (event: KeyboardEvent) => void seen.push(`${event.key} ${event.defaultPrevented}`)
    document.addEventListener('keydown', note)
    button.focus()
    await userEvent.keyboard('{ArrowLeft}{PageDown}')
    element()!.focus()
    await userEvent.keyboard('{ArrowLeft}a{PageDown}')
    document.removeEventListener('keydown', note)
    expect(seen).toEqual(['ArrowLeft false', 'PageDown false', 'a false', 'PageDown false'])
  })

  it('lets go when the focus goes elsewhere', async () => {
    const { element, button, world, left } = await show()
    element()!.focus()
    await userEvent.keyboard('{Enter}{ArrowUp>20/}')
    button.focus()
    const before = left.centerOfMass([0, 0, 0])
    world.step(30)
    left.centerOfMass([0, 0, 0]).forEach((value, d) => expect(value).toBeCloseTo(before[d]!, 6))
  })

  it('leaves no stop for Tab where nothing is to be grabbed, and none at all when switched off', async () => {
    const first = await show({}, false)
    expect(first.element()!.tabIndex).toBe(-1)
    first.unmount()
    const second = await show({ keyboard: false })
    expect(second.element()).toBeNull()
    second.unmount()
    const third = await show()
    expect(third.element()!.tabIndex).toBe(0)
    third.element()!.focus()
    await userEvent.keyboard('{Enter}')
    third.unmount()
    expect(document.querySelector('[role=application]')).toBeNull()
  })
})
