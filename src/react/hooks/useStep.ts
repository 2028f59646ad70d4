import { useEffect, useLayoutEffect, useRef } from 'react'
import { checkCallback } from '../../core/validation.js'
import { useWorldRuntime } from '../support/contexts.js'
import type { StepCallback } from '../types.js'

function useLatest(hook: string, callback: StepCallback) {
  checkCallback(hook, 'callback', callback)
  const latest = useRef(callback)
  useLayoutEffect(() => {
    latest.current = callback
  })
  return latest
}

/**
 * Calls `callback` before every fixed step, also several times a frame or not at all: the place for forces.
 * @throws SettingError for what cannot be called
 */
export function useBeforeStep(callback: StepCallback): void {
  const { world } = useWorldRuntime('useBeforeStep')
  const latest = useLatest('useBeforeStep', callback)
  useEffect(() => world.onBeforeStep((_, dt) => latest.current(world, dt)), [world, latest])
}

/** Calls `callback` after every fixed step: the place to read positions. @throws SettingError for what cannot be called */
export function useAfterStep(callback: StepCallback): void {
  const { world } = useWorldRuntime('useAfterStep')
  const latest = useLatest('useAfterStep', callback)
  useEffect(() => world.onAfterStep((_, dt) => latest.current(world, dt)), [world, latest])
}
