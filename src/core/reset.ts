import { resetJoints } from './joint.js'
import type { State } from './state.js'
import { mend } from './tear/takeOver.js'

/** Puts every body back to its initial pose, at rest and whole, and what leads or blows to where it begins. */
export function resetState(state: State): void {
  state.contacts.endAll()
  for (const body of state.bodies.live) {
    mend(state, body)
    state.place(body, body.settings.position, body.settings.rotation)
  }
  for (const attachment of state.attachments.live) attachment.from.set(attachment.goal)
  resetJoints(state)
  for (const wind of state.winds.live) wind.drift.fill(0)
  for (const { from, goal } of state.attractors.live) from.set(goal)
}
