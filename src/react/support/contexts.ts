import { createContext, useContext } from 'react'
import type { BodyInstance } from './bodyInstance.js'
import type { CompoundParts } from './compoundParts.js'
import type { WeldTracker } from './weldTracker.js'
import type { WorldRuntime } from './worldRuntime.js'

export const WorldContext = createContext<WorldRuntime | null>(null)
/** The compound that colliders below are parts of. */
export const CompoundContext = createContext<CompoundParts | null>(null)
/** What joins the bodies below it where they touch. */
export const WeldContext = createContext<WeldTracker | null>(null)
export const BodyContext = createContext<BodyInstance | null>(null)

/** The world above, or an Error that names who misses it. */
export function useWorldRuntime(component: string): WorldRuntime {
  const runtime = useContext(WorldContext)
  if (!runtime) throw new Error(`${component} needs a <SoftBodyWorld> above it. Wrap the scene in one.`)
  return runtime
}
