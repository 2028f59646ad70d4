import type { BodyRecord } from '../records.js'
import type { Handle, Slots } from '../slots.js'
import type { Snapshot } from '../snapshot.js'
import type { State } from '../state.js'
import type { WorldSettings } from '../worldSettings.js'
import { wakeNear } from './approach.js'
import { rouse, wakeBlown, wakeBySettings, wakeJoined, wakeNeighbours, wakePulled, wakeTouching } from './wake.js'

/**
 * Wakes, in a state that has just been restored, what may not go on sleeping there: under other settings of the world than it
 * was saved with, by what has gone since, or where something has come since. Without any of these it wakes nothing, and the
 * steps that follow give the same bits.
 * @param refused bodies that were not restored: they are where the snapshot does not know them
 */
export function wakeReturned(
  state: State,
  snapshot: Snapshot,
  settings: Readonly<WorldSettings>,
  refused: readonly BodyRecord[],
): void {
  const { bodies, colliders, attachments, joints, winds, attractors } = state
  wakeBySettings(state, snapshot.settings, settings)
  for (const { body, other, withCollider, solid } of snapshot.contacts) {
    const one = bodies.get(body)
    const two = withCollider ? colliders.get(other) : bodies.get(other)
    if (!solid || (one && two)) continue
    if (one) rouse(one)
    else if (two && !withCollider) rouse(two as BodyRecord)
  }
  for (const { body } of changed(snapshot.attachments, attachments)) {
    const held = bodies.get(body)
    if (held) rouse(held)
  }
  wakeNeighbours(state)
  for (const joint of changed(snapshot.joints, joints)) wakeJoined(state, joint)
  for (const wind of changed(snapshot.winds, winds)) wakeBlown(state, wind.settings.region)
  for (const attractor of changed(snapshot.attractors, attractors)) wakePulled(state, attractor)
  for (const collider of come(snapshot.colliders, colliders)) {
    collider.placed = true // sensors look for what sleeps in them only then
    wakeNear(state, collider)
  }
  for (const body of [...come(snapshot.bodies, bodies), ...refused]) {
    rouse(body)
    wakeTouching(state, body)
  }
}

/** What is there and was not saved, and what was saved and has gone. */
function changed<S extends Handle, T extends Handle>(saved: readonly S[], slots: Slots<T>): (S | T)[] {
  return [...saved.filter((one) => !slots.get(one)), ...come(saved, slots)]
}

function come<T extends Handle>(saved: readonly Handle[], slots: Slots<T>): T[] {
  const known = new Set(saved.map((one) => slots.get(one)))
  return slots.live.filter((one) => !known.has(one))
}
