import type { Command } from './commands.js'
import type { Events } from './events.js'
import type { Handle } from './slots.js'
import type { State } from './state.js'

/** What a handle needs of its world. */
export interface Host {
  readonly state: State
  /** Sends a command; it is carried out at the next step boundary, or when something is read. */
  send(command: Command): void
  /** Says that something was changed that may set in motion what rests; within a step's callbacks it is not counted. */
  disturb(): void
  /** Wakes a body, and what sleeps in touch with it. */
  wake(body: Handle): void
  /** False where the world lets nothing sleep. */
  readonly sleeping: boolean
  readonly events: Events
  /** Carries out what was sent. */
  flush(): void
  /** Writes where a frame stands between the last two steps, 0..1; by array, since a number handed back allocates. */
  readInterpolation(out: Float64Array): void
  /** Steps in which a goal set now is reached: 1 within a step's callbacks, 0 where the next frame decides. */
  sweep: number
}
