import { type ReactNode, useEffect, useMemo } from 'react'
import { debugLayers, debugViewProps } from '../props.js'
import { useWorldRuntime } from '../support/contexts.js'
import { DebugDrawing } from '../support/debugDrawing.js'
import { useValidProps } from '../support/propKeeper.js'
import { enlist, type FrameView } from '../support/worldRuntime.js'
import type { DebugLayer, DebugViewProps } from '../types.js'

/**
 * Draws the world's bodies and free particles over the scene as the engine sees them: edges that the constraints run
 * along, particles, pinned particles and bounding boxes. It is not hit by pointers.
 * @throws SettingError at mount for a layer that does not exist
 */
export function DebugView(props: DebugViewProps): ReactNode {
  const [{ layers = debugLayers }] = useValidProps<'layers', DebugViewProps>(
    'DebugView',
    debugViewProps,
    props,
    'nothing',
  )
  const runtime = useWorldRuntime('<DebugView>')
  const names = layers.join()
  const drawing = useMemo(
    () => new DebugDrawing(runtime, names.split(',').filter(Boolean) as DebugLayer[]),
    [runtime, names],
  )
  useEffect(() => {
    const delist = enlist(runtime.views, drawing as FrameView)
    drawing.draw()
    runtime.invalidate()
    return () => {
      delist()
      drawing.dispose()
    }
  }, [runtime, drawing])
  return <primitive object={drawing.group} />
}
