import { useWorldRuntime } from '../support/contexts.js'
import type { SoftBodyWorldHandle } from '../types.js'

/** The world above: what its ref holds, and `invalidate`. @throws Error outside of a `<SoftBodyWorld>` */
export function useSoftBodyWorld(): SoftBodyWorldHandle {
  return useWorldRuntime('useSoftBodyWorld').handle
}
