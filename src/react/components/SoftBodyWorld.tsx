import { useFrame, useStore, useThree } from '@react-three/fiber'
import { type ReactNode, useEffect, useImperativeHandle, useState } from 'react'
import type { WorldSettings } from '../../headless.js'
import { useKeyboardGrab } from '../hooks/useKeyboardGrab.js'
import { usePointerGrab } from '../hooks/usePointerGrab.js'
import { useUnstable } from '../hooks/useUnstable.js'
import { worldProps } from '../props.js'
import { WorldContext } from '../support/contexts.js'
import { useValidProps } from '../support/propKeeper.js'
import { WorldRuntime } from '../support/worldRuntime.js'
import type { SoftBodyWorldProps, UpdateLoop } from '../types.js'
import { DebugView } from './DebugView.js'

type WorldProp = Exclude<keyof SoftBodyWorldProps, 'children' | 'ref'>

/**
 * The world that bodies and colliders below it live in. It owns the engine and steps it once a frame.
 *
 * Its `useFrame` runs at `updatePriority`, after that of the children it was mounted with: what they move in the same
 * frame is seen in this frame.
 *
 * With frameloop="demand" it asks for frames until every body sleeps, or has rested for 0.5 s if it may not sleep, and
 * again after a change of props, a call of a ref, a press; none while it is paused or `timeScale` is 0. Where no frame is
 * drawn no `useFrame` runs: what moves a collider or a pin from outside has to `invalidate()`. A `useBeforeStep` runs no
 * more while all rests; a force in it, other than zero, keeps its body awake.
 *
 * With `keyboard` the page has a focusable element beside the canvas: arrows choose a body, Enter takes hold of it.
 * @throws SettingError at mount for an invalid prop; later an invalid value warns and the last valid one stays
 */
export function SoftBodyWorld({ children, ref, ...props }: SoftBodyWorldProps): ReactNode {
  const [valid] = useValidProps<WorldProp, typeof props>('SoftBodyWorld', worldProps, props, 'nothing')
  const [runtime] = useState(() => new WorldRuntime(engineSettings(valid)))
  const { interpolate = true, pauseWhenHidden = true, updateLoop = 'follow', updatePriority = 0 } = valid
  const { debug = false, keyboard = true } = valid
  useEngineSettings(runtime, engineSettings(valid), interpolate)
  useMounted(runtime)
  usePauseWhenHidden(runtime, pauseWhenHidden)
  usePointerGrab(runtime)
  useKeyboardGrab(runtime, keyboard)
  useUnstable(runtime, valid.onUnstable)
  useImperativeHandle(ref, () => runtime.handle, [runtime])
  return (
    <WorldContext value={runtime}>
      {children}
      {debug !== false && (debug === true ? <DebugView /> : <DebugView layers={debug} />)}
      <Loop runtime={runtime} updateLoop={updateLoop} priority={updatePriority} />
    </WorldContext>
  )
}

/** The props that are the engine's own, with defaults, so that a prop that is taken away falls back. */
function engineSettings(props: Pick<SoftBodyWorldProps, WorldProp>): WorldSettings {
  const stated: Record<string, unknown> = {}
  for (const name of Object.keys(engineProps) as (keyof WorldSettings)[]) {
    stated[name] = props[name] ?? worldProps[name].default
  }
  return stated as unknown as WorldSettings
}

const engineProps: Record<keyof WorldSettings, true> = {
  gravity: true,
  timeStep: true,
  substeps: true,
  iterations: true,
  maxSteps: true,
  timeScale: true,
  paused: true,
  wind: true,
  airDensity: true,
  maxSpeed: true,
  sleeping: true,
}

function useEngineSettings(runtime: WorldRuntime, settings: WorldSettings, interpolate: boolean): void {
  const key = JSON.stringify([settings, interpolate])
  useEffect(() => {
    const [next, between] = JSON.parse(key) as [WorldSettings, boolean]
    runtime.world.set(next)
    runtime.interpolate = between
    runtime.invalidate()
  }, [runtime, key])
}

/**
 * The engine is not disposed of at unmount: its bodies remove themselves, React may mount the same world again
 * (StrictMode, Activity), and nothing in it needs freeing.
 */
function useMounted(runtime: WorldRuntime): void {
  const invalidate = useThree((state) => state.invalidate)
  const canvas = useThree((state) => state.gl.domElement)
  useEffect(() => {
    runtime.mounted = true
    runtime.invalidate = invalidate
    // On demand nobody else draws the picture again that was lost with the context.
    const onRestored = () => invalidate()
    canvas.addEventListener?.('webglcontextrestored', onRestored)
    return () => {
      canvas.removeEventListener?.('webglcontextrestored', onRestored)
      runtime.mounted = false
      runtime.invalidate = () => {}
    }
  }, [runtime, invalidate, canvas])
}

function usePauseWhenHidden(runtime: WorldRuntime, enabled: boolean): void {
  useEffect(() => {
    if (!enabled || typeof document === 'undefined') return undefined
    const onChange = () => runtime.skipNextFrame()
    document.addEventListener('visibilitychange', onChange)
    return () => document.removeEventListener('visibilitychange', onChange)
  }, [runtime, enabled])
}

/** Rendered after the children, so that its frame is subscribed after theirs. */
function Loop(props: { runtime: WorldRuntime; updateLoop: UpdateLoop; priority: number }): null {
  const { runtime, updateLoop, priority } = props
  const store = useStore()
  useFrame((state, delta) => {
    if (updateLoop === 'manual') runtime.present()
    else if (updateLoop === 'follow') runtime.frame(delta, state.frameloop === 'demand')
  }, priority)
  useEffect(() => {
    if (updateLoop !== 'independent') return undefined
    let last: number | undefined
    let request = 0
    const tick = (now: number) => {
      request = requestAnimationFrame(tick)
      runtime.frame(last === undefined ? 0 : (now - last) / 1000, store.getState().frameloop === 'demand')
      last = now
    }
    request = requestAnimationFrame(tick)
    return () => cancelAnimationFrame(request)
  }, [runtime, updateLoop, store])
  return null
}
