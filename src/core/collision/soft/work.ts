/**
 * How much a step of the world may do about ways that do not settle one by one, in impacts resolved together, of some 50 ns
 * each: so many, and so many for each pair that is followed. In such a substep all counts that is done about them: to look
 * for pairs again, to follow their ways, to push them apart one by one or together. Of 120 hits and 80 shots one needs an
 * eighth of it, the others less than a twentieth; of 61 shots of up to 35 times the mass of the cloth that they hit one needs
 * half. Light particles that are caught between what moves at hundreds of metres a second would take tens of times as much,
 * and end with the last resort anyway.
 */
const MOST = 1.6e7
const MOST_OF_A_PAIR = 8
/** Share of it from which on colliders that are solid hold nothing that surfaces send into them. */
const SCARCE = 0.25

/** What has been done in the present step, what may be, and what had been done when the ways in hand were taken up. */
export const work = new Float64Array(3)

/** A step begins. */
export function beginWork(): void {
  work[0] = 0
  work[1] = MOST
}

/** From now on there are `pairs` pairs to be followed. */
export function allowWork(pairs: number): void {
  work[1] = MOST + MOST_OF_A_PAIR * pairs
}

/** True where the step has done so much that what is left is for what must not pass. */
export function isScarce(): boolean {
  return work[0]! > SCARCE * work[1]!
}

/** The ways of a substep are about to be looked at. */
export function takeUp(): void {
  work[2] = work[0]!
}

/** They have settled one by one, in so few rounds that it counts as nothing, however many there are. */
export function giveBack(): void {
  work[0] = work[2]!
}

export function spend(amount: number): void {
  work[0] = work[0]! + amount
}

/** True where the step has done what it may: what is left to be done is done in the shortest way that lets nothing pass. */
export function isSpent(): boolean {
  return work[0]! > work[1]!
}
