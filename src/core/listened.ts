import type { ContactCallback, Events, SleepCallback, TearCallback } from './events.js'
import type { Host } from './host.js'
import { Listeners } from './listeners.js'
import type { BodyRecord, ColliderRecord } from './records.js'
import type { UnstableCallback } from './unstable.js'
import type { World } from './world.js'

/** Called at a step's boundary with the length of a step [s]. */
export type StepCallback = (world: World, timeStep: number) => void

/** A body or a collider: what can be touched. */
export abstract class Touchable {
  constructor(
    protected readonly host: Host,
    protected readonly record: BodyRecord | ColliderRecord,
  ) {}

  /** Calls `callback` after the step in which something begins to touch this; returns what stops it. */
  onContactEnter(callback: ContactCallback): () => void {
    return this.host.events.listen(this.record, 'contactEnter', callback)
  }

  /** Calls `callback` when something has parted from this; see the world's. */
  onContactExit(callback: ContactCallback): () => void {
    return this.host.events.listen(this.record, 'contactExit', callback)
  }

  /** Calls `callback` once something has struck this; see the world's. */
  onImpact(callback: ContactCallback): () => void {
    return this.host.events.listen(this.record, 'impact', callback)
  }
}

/** What a world tells, and to whom. */
export abstract class ListenedWorld {
  protected abstract readonly events: Events
  protected readonly disturbed = new Listeners<() => void>('onDisturb')
  protected readonly before = new Listeners<StepCallback>('onBeforeStep')
  protected readonly after = new Listeners<StepCallback>('onAfterStep')
  protected readonly unstable = new Listeners<UnstableCallback>('onUnstable')

  /** Calls `callback` before each fixed step; returns what stops it. */
  onBeforeStep(callback: StepCallback): () => void {
    return this.before.add(callback)
  }

  /** Calls `callback` after each fixed step; returns what stops it. */
  onAfterStep(callback: StepCallback): () => void {
    return this.after.add(callback)
  }

  /** Calls `callback` after a step for each body that has torn in it, or was cut before it; returns what stops it. */
  onTear(callback: TearCallback): () => void {
    return this.events.listen(null, 'tear', callback)
  }

  /**
   * Calls `callback` after each fixed step for each body that a guard acted on, and each reason: 'inverted' where it had
   * turned inside out and is being put right, 'nonFinite' where it was put back to its last finite state, 'speed' where
   * particles were faster than `maxSpeed`, 'contact' where particles were stopped as the last resort. Returns what stops
   * it. What all guards did is counted in `stats`.
   */
  onUnstable(callback: UnstableCallback): () => void {
    return this.unstable.add(callback)
  }

  /**
   * Calls `callback` whenever something from outside may set in motion what rests: a command, a setting, a body or a
   * collider that comes, moves or goes. What the callbacks of a step do is not counted. Returns what stops it.
   */
  onDisturb(callback: () => void): () => void {
    return this.disturbed.add(callback)
  }

  /**
   * Calls `callback` after the step in which two begin to touch; returns what stops it. Bodies and colliders have the same
   * for what they touch themselves.
   */
  onContactEnter(callback: ContactCallback): () => void {
    return this.events.listen(null, 'contactEnter', callback)
  }

  /**
   * Calls `callback` after the step in which two have been apart for a few steps, or, at the latest with the next frame,
   * after one of them was removed, teleported or reset. What falls asleep touching goes on touching.
   */
  onContactExit(callback: ContactCallback): () => void {
    return this.events.listen(null, 'contactExit', callback)
  }

  /** Calls `callback` once two have struck each other: when the force has faded, or after 0.5 s. Below 0.1 m/s none. */
  onImpact(callback: ContactCallback): () => void {
    return this.events.listen(null, 'impact', callback)
  }

  /** Calls `callback` after the step in which a body falls asleep. */
  onSleep(callback: SleepCallback): () => void {
    return this.events.listen(null, 'sleep', callback)
  }

  /** Calls `callback` after the step in which a body wakes, or with the next frame where it is woken between steps. */
  onWake(callback: SleepCallback): () => void {
    return this.events.listen(null, 'wake', callback)
  }
}
