// A real mouse: the browser's own pointer events, moved from outside the page.
import { OrbitControls } from '@react-three/drei'
import { createRef } from 'react'
import { expect, it, vi } from 'vitest'
import { userEvent } from 'vitest/browser'
import { type MutableVec3, SoftBody, type SoftBodyRef, SoftBodyWorld, type SoftBodyWorldRef } from '../../src/index.js'
import { bunnyGeometry } from '../../stories/support/bunny.js'
import { METRES_A_PIXEL, pixelOf, showPage } from '../support/page.js'

globalThis.IS_REACT_ACT_ENVIRONMENT = false

const geometry = bunnyGeometry(1)

/** A bunny that floats in front of the camera, in a world that takes its steps when told. */
async function showBunny() {
  const world = createRef<SoftBodyWorldRef>()
  const bunny = createRef<SoftBodyRef>()
  const page = await showPage(
    <>
      <OrbitControls makeDefault enableDamping={false} />
      <SoftBodyWorld ref={world} updateLoop="manual" gravity={[0, 0, 0]}>
        <SoftBody ref={bunny} geometry={geometry} position={[0, -0.5, 0]} resolution={5}>
          <meshNormalMaterial />
        </SoftBody>
      </SoftBodyWorld>
    </>,
    ({ controls }) => bunny.current?.alive === true && controls !== null,
  )
  return { ...page, world: world.current!, bunny: bunny.current! }
}

it('drags the bunny, throws it, and leaves the camera alone', async () => {
  const { canvas, world, bunny, state } = await showBunny()
  const start = bunny.centerOfMass([0, 0, 0])
  const camera = state.camera.matrixWorld.clone()
  const source = pixelOf(state, start)
  const target = { x: source.x + 80, y: source.y - 30 }

  let trusted = true
  let moves = 0
  const atRelease: { position: MutableVec3; controls: unknown }[] = []
  // The events are real, their times are those of a steady hand: a busy machine would seem to pause before release.
  const stamp = (event: PointerEvent) => Object.defineProperty(event, 'timeStamp', { value: moves * 16 })
  const onMove = (event: PointerEvent) => {
    trusted &&= event.isTrusted
    if (event.buttons === 0) return
    moves++
    stamp(event)
    world.step(4)
  }
  const onUp = (event: PointerEvent) => {
    stamp(event)
    const controls = (state.controls as unknown as { enabled: boolean }).enabled
    atRelease.push({ position: bunny.centerOfMass([0, 0, 0]), controls })
  }
  // The window comes before the page, where the grab listens: the pointer is still held in `onUp`.
  window.addEventListener('pointermove', onMove, { capture: true })
  window.addEventListener('pointerup', onUp, { capture: true })
  await userEvent.dragAndDrop(canvas, canvas, { sourcePosition: source, targetPosition: target, steps: 20 })
  window.removeEventListener('pointermove', onMove, { capture: true })
  window.removeEventListener('pointerup', onUp, { capture: true })

  expect(trusted).toBe(true)
  expect(moves).toBeGreaterThan(10)
  expect(atRelease).toHaveLength(1)
  const [released] = atRelease
  expect(released!.controls, 'controls while the bunny is held').toBe(false)
  // A spring of 8 Hz holds it: it is behind the pointer, by less than half of the way.
  const [x, y] = released!.position
  expect(x - start[0]).toBeGreaterThan(0.5 * 80 * METRES_A_PIXEL)
  expect(x - start[0]).toBeLessThan(1.3 * 80 * METRES_A_PIXEL)
  expect(y - start[1]).toBeGreaterThan(0.5 * 30 * METRES_A_PIXEL)

  // Thrown: it goes on the way of the pointer, with nothing that brakes it.
  const velocity = bunny.velocity([0, 0, 0])
  expect(velocity[0]).toBeGreaterThan(1)
  expect(velocity[1]).toBeGreaterThan(0)
  const before = bunny.centerOfMass([0, 0, 0])
  world.step(30)
  expect(bunny.centerOfMass([0, 0, 0])[0] - before[0]).toBeCloseTo(velocity[0] * 0.5, 3)

  expect((state.controls as unknown as { enabled: boolean }).enabled, 'controls afterwards').toBe(true)
  state.camera.updateMatrixWorld()
  expect(state.camera.matrixWorld.elements).toEqual(camera.elements)
})

it('turns the camera when the drag begins beside the bunny', async () => {
  const { canvas, bunny, state } = await showBunny()
  const start = bunny.centerOfMass([0, 0, 0])
  const camera = state.camera.position.clone()
  const sourcePosition = { x: 10, y: 10 }
  await userEvent.dragAndDrop(canvas, canvas, { sourcePosition, targetPosition: { x: 90, y: 30 }, steps: 10 })
  expect(state.camera.position.distanceTo(camera)).toBeGreaterThan(0.5)
  expect(bunny.centerOfMass([0, 0, 0])).toEqual(start)
})

it('drags what is in front, of two worlds in one canvas, and both bodies hear of the press', async () => {
  const worlds = [createRef<SoftBodyWorldRef>(), createRef<SoftBodyWorldRef>()]
  const bunnies = [createRef<SoftBodyRef>(), createRef<SoftBodyRef>()]
  const pressed = [vi.fn<() => void>(), vi.fn<() => void>()]
  const { canvas, state } = await showPage(
    [0, -2].map((z, k) => (
      <SoftBodyWorld key={z} ref={worlds[k]} updateLoop="manual" gravity={[0, 0, 0]}>
        <SoftBody
          ref={bunnies[k]}
          geometry={geometry}
          position={[0, -0.5, z]}
          resolution={5}
          onPointerDown={pressed[k]}
        >
          <meshNormalMaterial />
        </SoftBody>
      </SoftBodyWorld>
    )),
    () => bunnies.every(({ current }) => current?.alive),
  )
  const starts = bunnies.map(({ current }) => current!.centerOfMass([0, 0, 0]))
  const source = pixelOf(state, starts[0]!)
  const onMove = ({ buttons }: PointerEvent) => {
    if (buttons !== 0) for (const { current } of worlds) current!.step(4)
  }
  window.addEventListener('pointermove', onMove, { capture: true })
  const targetPosition = { x: source.x + 80, y: source.y }
  await userEvent.dragAndDrop(canvas, canvas, { sourcePosition: source, targetPosition, steps: 20 })
  window.removeEventListener('pointermove', onMove, { capture: true })

  const [front, back] = bunnies.map(({ current }, k) => current!.centerOfMass([0, 0, 0])[0] - starts[k]![0])
  expect(front).toBeGreaterThan(0.5 * 80 * METRES_A_PIXEL)
  expect(back).toBeCloseTo(0, 9)
  for (const press of pressed) expect(press).toHaveBeenCalledTimes(1)
})
