import { bodySettings } from './bodySettings.js'
import { aimAtPose, validatePose } from './checks.js'
import type { CollisionGroups } from './collision/groups.js'
import { type ColliderShape, checkShape } from './collision/shape.js'
import type { Host } from './host.js'
import { Touchable } from './listened.js'
import { normalized } from './math/quaternion.js'
import type { ColliderRecord } from './records.js'
import { wakeNear } from './sleep/approach.js'
import type { Handle } from './slots.js'
import { calledIn, checkGroup, defaultsOf, merged, type SettingTable, settled, validateSettings } from './validation.js'
import type { Quat, Vec3 } from './vectors.js'

export interface ColliderSettings {
  /** What errors call the collider. */
  name: string
  /** [m] */
  position: Vec3
  rotation: Quat
  /** Coulomb coefficient; absent: the body's alone counts, else the root of the product. */
  friction: number | undefined
  /** Share of the approach speed given back; the larger of the collider's and the body's counts. */
  restitution: number | undefined
  /** The groups that the collider is a member of, and those that it collides with: two masks of 32 bits. */
  collisionGroups: CollisionGroups
  /** True notices what touches the collider, by contact events, and pushes nothing. */
  sensor: boolean
  /**
   * Velocity of the surface in the collider's frame, as of a conveyor belt [m/s]: friction takes along what lies on it,
   * at that speed, while the shape stays where it is. Its part along the surface counts.
   */
  surfaceVelocity: Vec3
}

export const colliderSettings: SettingTable<ColliderSettings> = {
  name: { ...bodySettings.name, default: 'Collider' },
  position: bodySettings.position,
  rotation: bodySettings.rotation,
  friction: { ...bodySettings.friction, default: undefined, optional: true },
  restitution: { ...bodySettings.restitution, default: undefined, optional: true },
  collisionGroups: bodySettings.collisionGroups,
  sensor: bodySettings.sensor,
  surfaceVelocity: {
    quantity: 'velocity of the surface',
    unit: 'm/s',
    type: 'vec3',
    default: [0, 0, 0],
    max: 1e4,
    remedy: 'Use metres a second in the frame of the collider, such as [1, 0, 0]; [0, 0, 0] stands still.',
  },
}

/** What `Collider.set` changes. */
export interface ColliderChange {
  friction?: number | undefined
  restitution?: number | undefined
  collisionGroups?: CollisionGroups
  sensor?: boolean
  surfaceVelocity?: Vec3
  shape?: ColliderShape
}

/** A collider in a world. Once removed, every call is a safe no-op. */
export class Collider extends Touchable {
  constructor(
    host: Host,
    protected override readonly record: ColliderRecord,
    private readonly name: string,
  ) {
    super(host, record)
  }

  /** Which of the world's colliders this is. */
  get handle(): Handle {
    return this.record
  }

  get alive(): boolean {
    this.host.flush()
    return this.host.state.colliders.get(this.record) !== undefined
  }

  /**
   * Moves the collider: it sweeps there over the frame's steps and takes along what rubs on it. The rotation is
   * normalised; a pose that is not finite, or a rotation of length zero, is ignored. Allocates nothing.
   * @throws SettingError for what is no pose
   */
  setPose(position: Vec3, rotation: Quat): void {
    this.host.flush()
    if (!aimAtPose(this.name, this.record.goal, position, rotation)) return
    this.record.sweep = this.host.sweep
    this.host.disturb()
  }

  /** Puts the collider somewhere without a sweep. */
  teleport(position: Vec3, rotation: Quat): void {
    validatePose(this.name, position, rotation)
    this.host.send({
      type: 'placeCollider',
      collider: this.record,
      position: [...position],
      rotation: normalized(rotation),
    })
  }

  /** Changes how the collider acts, or its shape; an explicit undefined leaves friction or restitution to the body. */
  set(settings: ColliderChange): void {
    checkGroup(this.name, 'settings', settings)
    const { shape, ...rest } = settings
    if (shape !== undefined) checkShape(this.name, shape)
    validateSettings(this.name, rest, colliderSettings)
    this.host.send({ type: 'setCollider', collider: this.record, ...settled(rest), ...(shape && { shape }) })
  }

  remove(): void {
    this.host.send({ type: 'removeCollider', collider: this.record })
  }
}

/** @throws SettingError for a setting outside its range */
export function addCollider(host: Host, shape: ColliderShape, settings: Partial<ColliderSettings>): Collider {
  checkGroup('Collider', 'settings', settings)
  const called = calledIn(settings, 'Collider')
  validateSettings(called, settings, colliderSettings)
  checkShape(called, shape)
  const full = settled(merged(defaultsOf(colliderSettings), settings))
  const { name, position, rotation, friction, restitution, collisionGroups, sensor, surfaceVelocity } = full
  host.flush()
  const pose = Float64Array.from([...position, ...normalized(rotation)])
  const record = host.state.colliders.add((slot, generation) => ({
    slot,
    generation,
    shape,
    friction,
    restitution,
    collisionGroups,
    sensor,
    pose,
    target: pose.slice(),
    goal: pose.slice(),
    sweep: 1,
    placed: true,
    moved: false,
    surfaceVelocity,
  }))
  const collider = new Collider(host, record, name)
  host.events.register(record, collider)
  wakeNear(host.state, record)
  return collider
}
