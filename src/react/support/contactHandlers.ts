import type { Body, Collider, ContactEvent, TearEvent } from '../../headless.js'
import type { ClothHandlers, ClothTear, SceneContact, SurfaceHandlers } from '../types.js'
import { objectIn, refIn } from './sceneQueries.js'
import type { WorldRuntime } from './worldRuntime.js'

type Kind = keyof ClothHandlers

const ofContacts = ['onContactEnter', 'onContactExit', 'onImpact'] as const satisfies readonly Kind[]
const ofBodies = [...ofContacts, 'onSleep', 'onWake', 'onTear'] as const satisfies readonly Kind[]

/**
 * Ties the event props of a component to its body or collider. Only what has a handler is listened to; the handler of
 * the last render is the one that is called. One that throws is reported on the console, and the frame goes on.
 */
export class ContactHandlers {
  private props: ClothHandlers = {}
  private source: Body | Collider | null = null
  private readonly stops = new Map<Kind, () => void>()
  /** What stops listening to the one before. */
  private last: (() => void)[] = []
  /** One for all events, as the engine's. */
  private readonly contact: { -readonly [K in keyof SceneContact]: SceneContact[K] } = {
    ref: null,
    collider: null,
    object: null,
    impulse: 0,
    point: [0, 0, 0],
    normal: [0, 0, 0],
  }
  private readonly tear: { -readonly [K in keyof ClothTear]: ClothTear[K] } = {
    ref: null,
    count: 0,
    particle: 0,
    point: [0, 0, 0],
  }

  constructor(
    private readonly runtime: WorldRuntime,
    private readonly component: string,
  ) {}

  /** Takes over the handlers of a render. */
  update(props: SurfaceHandlers & ClothHandlers): void {
    this.props = props
    this.listen()
  }

  /** Listens to another body or collider from now on; null for none. */
  follow(source: Body | Collider | null): void {
    for (const stop of this.last) stop()
    // A body that is made anew: that the one before is gone is told with the next frame.
    this.last = [...this.stops.values()]
    if (!source) for (const stop of this.last) stop()
    this.stops.clear()
    this.source = source
    this.listen()
  }

  private listen(): void {
    const { source, stops } = this
    if (!source) return
    for (const kind of 'onSleep' in source ? ofBodies : ofContacts) {
      if (this.props[kind] && !stops.has(kind)) stops.set(kind, this.start(source, kind))
      else if (!this.props[kind]) {
        stops.get(kind)?.()
        stops.delete(kind)
      }
    }
  }

  private start(source: Body | Collider, kind: Kind): () => void {
    if (kind === 'onSleep' || kind === 'onWake') return (source as Body)[kind](() => this.call(kind))
    if (kind === 'onTear') return (source as Body).onTear((event) => this.call(kind, this.tearOf(event)))
    return source[kind]((event) => this.call(kind, this.contactOf(event)))
  }

  private call(kind: Kind, event?: SceneContact | ClothTear): void {
    try {
      ;(this.props[kind] as ((event?: unknown) => void) | undefined)?.(event)
    } catch (error) {
      console.error(`<${this.component}> ${kind} threw:`, error)
    }
  }

  private tearOf({ body, count, particle, point }: TearEvent): ClothTear {
    const { tear, runtime } = this
    tear.ref = refIn(runtime, body)
    tear.count = count
    tear.particle = particle
    tear.point = point
    return tear
  }

  private contactOf({ other, otherBody, otherCollider, impulse, point, normal }: ContactEvent): SceneContact {
    const { contact, runtime } = this
    contact.ref = refIn(runtime, otherBody)
    contact.collider = otherCollider
    contact.object = objectIn(runtime, other)
    contact.impulse = impulse
    contact.point = point
    contact.normal = normal
    return contact
  }
}
