// Props of the world and of what shows it.
import { worldSettings } from '../../headless.js'
import { fromCore, handler, number, oneOf, other, type PropTable, toggle } from './row.js'

/** Names of the layers of a DebugView, in the order in which they are drawn. */
export const debugLayers = ['tets', 'edges', 'particles', 'contacts', 'pins', 'bounds'] as const

const layerNames = debugLayers.map((name) => `'${name}'`).join(', ')

function checkLayers(value: unknown): string | undefined {
  if (!Array.isArray(value)) return 'must be a list of layers'
  const names: readonly unknown[] = debugLayers
  const strange = value.findIndex((name) => !names.includes(name))
  return strange < 0 ? undefined : `has no layer '${String(value[strange])}'`
}

function checkDebug(value: unknown): string | undefined {
  if (typeof value === 'boolean') return undefined
  return Array.isArray(value) ? checkLayers(value) : 'must be true, false or a list of layers'
}

/** `<SoftBodyWorld>`. */
export const worldProps = {
  gravity: fromCore(worldSettings.gravity),
  timeStep: fromCore(worldSettings.timeStep),
  substeps: fromCore(worldSettings.substeps),
  iterations: fromCore(worldSettings.iterations),
  maxSteps: fromCore(worldSettings.maxSteps),
  timeScale: fromCore(worldSettings.timeScale),
  paused: fromCore(worldSettings.paused),
  wind: fromCore(worldSettings.wind),
  airDensity: fromCore(worldSettings.airDensity),
  maxSpeed: fromCore(worldSettings.maxSpeed),
  sleeping: fromCore(worldSettings.sleeping),
  interpolate: toggle('drawing between steps', true),
  pauseWhenHidden: toggle('pause with the page', true),
  updateLoop: oneOf('what drives the world', 'follow', ['follow', 'independent', 'manual']),
  keyboard: toggle('grabbing with the keyboard', true),
  updatePriority: number('priority of the frame', '1', 0, -1e6, 0, 'Use 0, or below to run earlier.'),
  debug: other(
    'layers',
    '1',
    false,
    `boolean | (${debugLayers.join(' | ')})[]`,
    checkDebug,
    `Use true for all, or some of [${layerNames}].`,
  ),
  onUnstable: handler('a guard acts'),
} satisfies PropTable

/** `<DebugView>`. */
export const debugViewProps = {
  layers: other(
    'layers',
    '1',
    [...debugLayers],
    `(${debugLayers.join(' | ')})[]`,
    checkLayers,
    `Use some of [${layerNames}], or leave it out for all.`,
  ),
} satisfies PropTable

/** `<SoftBodyStats>`. */
export const softBodyStatsProps = {
  corner: oneOf('corner of the canvas', 'top-left', ['top-left', 'top-right', 'bottom-left', 'bottom-right']),
  interval: number('time between two readings', 's', 0.2, 0.05, 60, 'Use 0.2.'),
} satisfies PropTable
