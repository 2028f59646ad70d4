/**
 * Who meets whom: the groups that something is a member of, and those that it collides with, a bit a group.
 * Default: member of all, collides with all.
 */
export type CollisionGroups = readonly [memberOf: number, collidesWith: number]

export const ALL_GROUPS: CollisionGroups = [0xffffffff, 0xffffffff]

/** True where each of two is a member of a group that the other collides with. */
export function groupsMeet(a: CollisionGroups, b: CollisionGroups): boolean {
  return (a[0] & b[1]) !== 0 && (b[0] & a[1]) !== 0
}

/** What takes part in collisions. */
interface Collides {
  readonly collisionGroups: CollisionGroups
  /** Notices what touches it, and pushes nothing. */
  readonly sensor: boolean
}

/** True where two meet and neither is a sensor. */
export function pushEachOther(a: Collides, b: Collides): boolean {
  return !a.sensor && !b.sensor && groupsMeet(a.collisionGroups, b.collisionGroups)
}

/** True where two meet, one of them as a sensor. */
export function noticeEachOther(a: Collides, b: Collides): boolean {
  return (a.sensor || b.sensor) && groupsMeet(a.collisionGroups, b.collisionGroups)
}
