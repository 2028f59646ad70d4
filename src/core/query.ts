import type { Body } from './body.js'
import { bodySettings } from './bodySettings.js'
import type { Collider } from './collider.js'
import { ALL_GROUPS, type CollisionGroups, groupsMeet } from './collision/groups.js'
import type { Events } from './events.js'
import type { BodyRecord, ColliderRecord } from './records.js'
import { checkCallback, checkGroup, validateSetting } from './validation.js'

/** Which of what is there a query sees. */
export interface QueryOptions {
  /** The query's own groups: it sees what it would collide with. Default all. */
  collisionGroups?: CollisionGroups
  /** Sees only what it returns true for. */
  filter?: (target: Body | Collider) => boolean
}

type Sees = (groups: CollisionGroups, body: BodyRecord | null, collider: ColliderRecord | null) => boolean

/** The options that there are, by name. */
export const queryOptions = { collisionGroups: true, filter: true }

/** What tells whether a query sees a body or a collider. @throws SettingError for options that are none */
export function seer(handles: Events, method: string, options: QueryOptions, known: object = queryOptions): Sees {
  checkGroup('SoftBodyWorld', method, options, known)
  const { collisionGroups = ALL_GROUPS, filter } = options
  if (filter !== undefined) checkCallback('SoftBodyWorld', `${method}.filter`, filter)
  validateSetting('SoftBodyWorld', `${method}.collisionGroups`, collisionGroups, bodySettings.collisionGroups)
  return (groups, body, collider) =>
    groupsMeet(collisionGroups, groups) &&
    (!filter || filter(body ? handles.bodyOf(body) : handles.colliderOf(collider!)))
}
