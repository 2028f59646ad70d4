import { useEffect, useRef } from 'react'
import type { Body, UnstableReason } from '../../headless.js'
import { objectIn, refIn } from '../support/sceneQueries.js'
import type { WorldRuntime } from '../support/worldRuntime.js'
import type { SceneUnstable, SoftBodyWorldProps } from '../types.js'

type Handler = SoftBodyWorldProps['onUnstable']

/**
 * Tells the handler of the last render what a guard acted on. Without one nothing is listened to; one that throws is
 * reported on the console, and the frame goes on.
 */
export function useUnstable(runtime: WorldRuntime, handler: Handler): void {
  const last = useRef<Handler>(handler)
  useEffect(() => {
    last.current = handler
  }, [handler])
  const listens = handler !== undefined
  useEffect(() => {
    if (!listens) return undefined
    const event: { -readonly [K in keyof SceneUnstable]: SceneUnstable[K] } = {
      ref: null,
      object: null,
      reason: 'speed',
    }
    return runtime.world.onUnstable((body: Body, reason: UnstableReason) => {
      event.ref = refIn(runtime, body)
      event.object = objectIn(runtime, body)
      event.reason = reason
      try {
        last.current?.(event)
      } catch (error) {
        console.error('<SoftBodyWorld> onUnstable threw:', error)
      }
    })
  }, [runtime, listens])
}
