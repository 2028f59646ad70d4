import { useStore, useThree } from '@react-three/fiber'
import { useEffect } from 'react'
import { PointerGrab } from '../support/pointerGrab.js'
import type { WorldRuntime } from '../support/worldRuntime.js'

/**
 * Whether presses reach the canvas itself. Its wrapper also hears those on what lies above the picture, as a button in
 * an `<Html>`, which are not for the bodies behind. With an `eventSource` the canvas is transparent for pointers.
 */
function takesPointers(canvas: HTMLCanvasElement, connected: HTMLElement): boolean {
  return connected.contains(canvas) && getComputedStyle(canvas).pointerEvents !== 'none'
}

/**
 * Pokes and grabs the bodies of a world with the pointers of its canvas: a press pokes, a press that moves grabs, and
 * a release throws. Bodies with `grabbable={false}` and colliders hide what is behind them.
 */
export function usePointerGrab(runtime: WorldRuntime): void {
  const store = useStore()
  // False until the canvas has connected its own events, and for good where it has none.
  const connected = useThree((state) => state.events.connected) as HTMLElement | false | undefined
  const canvas = useThree((state) => state.gl.domElement)
  useEffect(() => {
    if (!canvas.addEventListener) return undefined
    const element = connected && !takesPointers(canvas, connected) ? connected : canvas
    return new PointerGrab(runtime, {
      element,
      camera: () => store.getState().camera,
      rectangle: () => canvas.getBoundingClientRect(),
      controls: () => store.getState().controls,
    }).connect()
  }, [runtime, store, connected, canvas])
}
