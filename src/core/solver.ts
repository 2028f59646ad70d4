import type { Touches } from './collision/touches.js'
import type { Stats } from './counters.js'
import type { StageTimes } from './stageTimes.js'
import type { State } from './state.js'
import type { WorldSettings } from './worldSettings.js'

/** What a backend implements: it takes the state over a fixed step. All else it owns is scratch. */
export interface Solver {
  readonly name: string
  /** The state is ready to read when `step` returns. */
  readonly synchronous: boolean
  /** The same calls give the same bits. */
  readonly deterministic: boolean
  /** Who touched whom in the last step. */
  readonly touches: Touches
  /** One fixed step: `settings.substeps` substeps of `settings.timeStep / settings.substeps` [s]. */
  step(state: State, settings: Readonly<WorldSettings>, stats: Stats, times: StageTimes): void
  /** Writes the contacts of the last substep into `out`, point and normal each, and returns how many there are. */
  readContacts(state: State, out: Float64Array): number
  dispose(): void
}
