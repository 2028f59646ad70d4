import type { Host } from './host.js'
import type { BodyRecord } from './records.js'
import type { Vec3 } from './vectors.js'

/** Leads a pinned particle of a body, with what was split off from it, to `target` [m] over the frame's steps. */
export function leadPin(host: Host, body: BodyRecord, particle: number, target: Vec3): void {
  if (host.state.inverseMasses[body.start + particle] !== 0) return
  const { goals, inverseMasses } = host.state
  const p = (body.start + particle) * 3
  if (goals[p] !== target[0] || goals[p + 1] !== target[1] || goals[p + 2] !== target[2]) host.wake(body)
  for (let d = 0; d < 3; d++) goals[p + d] = target[d]!
  const { torn } = body.model
  if (torn) {
    for (let k = 0; k < torn.origins.length; k++) {
      const copy = body.start + torn.whole.particleCount + k
      if (torn.origins[k] !== particle || inverseMasses[copy] !== 0) continue
      for (let d = 0; d < 3; d++) goals[copy * 3 + d] = target[d]!
    }
  }
  body.sweep = host.sweep
  host.disturb()
}
