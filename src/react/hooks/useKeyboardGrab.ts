import { useStore, useThree } from '@react-three/fiber'
import { useEffect } from 'react'
import { KeyboardGrab } from '../support/keyboardGrab.js'
import type { WorldRuntime } from '../support/worldRuntime.js'

/** Lets the bodies of a world be chosen, grabbed and moved with the keyboard. A canvas that is in no page has none. */
export function useKeyboardGrab(runtime: WorldRuntime, enabled: boolean): void {
  const store = useStore()
  const canvas = useThree((state) => state.gl.domElement)
  useEffect(() => {
    if (!enabled || !canvas.parentElement) return undefined
    const { scene } = store.getState()
    return new KeyboardGrab(runtime, { canvas, root: scene, camera: () => store.getState().camera }).connect()
  }, [runtime, store, canvas, enabled])
}
