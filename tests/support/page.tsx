// A canvas in the corner of a page, for tests that use a real mouse.
import { Canvas, type RootState } from '@react-three/fiber'
import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { Vector3 } from 'three'
import { onTestFinished, vi } from 'vitest'
import type { Vec3 } from '../../src/index.js'

/** Width and height of the canvas [px]. */
export const SIZE = 320

/** Metres a pixel at the origin, which the camera sees from 4 m with a field of 75 degrees. */
export const METRES_A_PIXEL = (2 * 4 * Math.tan(((75 / 2) * Math.PI) / 180)) / SIZE

/** Renders `content` into a page until the test ends; gives the canvas once `isReady`. */
export async function showPage(content: ReactNode, isReady: (state: RootState) => boolean) {
  const container = document.createElement('div')
  container.style.cssText = `position: fixed; inset: 0 auto auto 0; width: ${SIZE}px; height: ${SIZE}px`
  document.body.append(container)
  const root = createRoot(container)
  onTestFinished(() => {
    root.unmount()
    container.remove()
  })
  let created: RootState | undefined
  root.render(
    <Canvas camera={{ position: [0, 0, 4] }} dpr={1} onCreated={(state) => (created = state)}>
      {content}
    </Canvas>,
  )
  const state = await vi.waitFor(() => {
    const now = created?.get()
    if (!now || !isReady(now)) throw new Error('The canvas is not ready.')
    return now
  }, 10_000)
  return { canvas: state.gl.domElement, state }
}

/** Where a point of the world is in the canvas [px]. */
export function pixelOf({ camera }: RootState, point: Vec3): { x: number; y: number } {
  const { x, y } = new Vector3(...point).project(camera)
  return { x: Math.round(((x + 1) / 2) * SIZE), y: Math.round(((1 - y) / 2) * SIZE) }
}
