import { roomy } from '../collision/soft/columns.js'
import { isSolid } from '../contactPair.js'
import { WHOLE } from '../jointRecord.js'
import type { BodyRecord } from '../records.js'
import type { State } from '../state.js'

/** Who touches whom and is joined to whom, by body: who wakes many does not look through all pairs for each. */
export class Neighbours {
  /** By slot of a body: its first link + 1, 0 for none; two links a pair or joint, one for each side. */
  private firsts = new Uint32Array(0)
  /** By link: the next one of the same body + 1, 0 for none. */
  private nexts = new Uint32Array(0)

  /** Takes the solid contacts and whole joints of bodies. */
  take({ bodies, contacts: { active }, joints }: State): void {
    const { live } = bodies
    this.firsts = roomy(this.firsts, live.length === 0 ? 0 : live[live.length - 1]!.slot + 1)
    this.nexts = roomy(this.nexts, 2 * (active.length + joints.live.length))
    this.firsts.fill(0)
    for (let k = 0; k < active.length; k++) {
      const { body, other, withCollider } = active[k]!
      if (!withCollider && isSolid(active[k]!)) this.link(k, body.slot, other.slot)
    }
    for (let j = 0; j < joints.live.length; j++) {
      const { body, other, broken } = joints.live[j]!
      if (other && broken[0] === WHOLE) this.link(active.length + j, body.slot, other.slot)
    }
  }

  private link(row: number, one: number, two: number): void {
    const { firsts, nexts } = this
    nexts[row * 2] = firsts[one]!
    firsts[one] = row * 2 + 1
    nexts[row * 2 + 1] = firsts[two]!
    firsts[two] = row * 2 + 2
  }

  /** Does something to each neighbour of a body that sleeps. */
  forSleepers(
    { bodies, contacts: { active }, joints }: State,
    { slot }: BodyRecord,
    act: (body: BodyRecord) => void,
  ): void {
    for (let link = this.firsts[slot]! - 1; link >= 0; link = this.nexts[link]! - 1) {
      const row = link >> 1
      const first = (link & 1) === 1
      let other: BodyRecord | undefined
      if (row < active.length) {
        const pair = active[row]!
        other = first ? pair.body : (pair.other as BodyRecord)
      } else {
        const joint = joints.live[row - active.length]!
        other = bodies.get(first ? joint.body : joint.other!)
      }
      if (other?.asleep) act(other)
    }
  }
}
