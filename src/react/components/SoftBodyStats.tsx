import { useThree } from '@react-three/fiber'
import { useEffect } from 'react'
import { softBodyStatsProps } from '../props.js'
import { useWorldRuntime } from '../support/contexts.js'
import { useValidProps } from '../support/propKeeper.js'
import { StatsReport } from '../support/statsReport.js'
import { enlist, type FrameView } from '../support/worldRuntime.js'
import type { SoftBodyStatsProps } from '../types.js'

const look =
  'position:absolute;margin:0;padding:6px 8px;font:11px/1.35 ui-monospace,monospace;white-space:pre;color:#fff;' +
  'background:rgb(17 24 39 / 85%);pointer-events:none;user-select:none'

/**
 * Shows over the canvas what the world above costs and does: milliseconds of a step by stage and of writing the meshes
 * in a frame, how many bodies, particles, constraint rows and contacts there are, and how often a guard has stepped in.
 * Only while it is mounted are times measured. A canvas that is in no page shows nothing.
 * @throws SettingError at mount for an invalid prop
 */
export function SoftBodyStats(props: SoftBodyStatsProps): null {
  const [{ corner = 'top-left', interval = 0.2 }] = useValidProps<keyof SoftBodyStatsProps, SoftBodyStatsProps>(
    'SoftBodyStats',
    softBodyStatsProps,
    props,
    'nothing',
  )
  const runtime = useWorldRuntime('<SoftBodyStats>')
  const canvas = useThree((state) => state.gl.domElement)
  useEffect(() => {
    const parent = canvas.parentElement
    if (!parent) return undefined
    const unwatch = runtime.watch()
    const element = canvas.ownerDocument.createElement('pre')
    const [vertical, horizontal] = corner.split('-')
    element.style.cssText = `${look};${vertical}:0;${horizontal}:0`
    element.setAttribute('aria-hidden', 'true')
    parent.append(element)
    const report = new StatsReport(runtime)
    let next = 0
    const view: FrameView = {
      draw() {
        report.countFrame()
        const now = performance.now()
        if (now < next) return
        next = now + 1000 * interval
        element.textContent = report.read()
      },
    }
    const delist = enlist(runtime.views, view)
    runtime.invalidate()
    return () => {
      delist()
      element.remove()
      unwatch()
    }
  }, [runtime, canvas, corner, interval])
  return null
}
