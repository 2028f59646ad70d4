import type { PinSelector } from '../types.js'
import type { BodyInstance } from './bodyInstance.js'
import { held, particlesOf, type Share, selectVertices } from './selectors.js'

interface Hold {
  readonly selector: PinSelector
  readonly source: HoldSource
  particles: Uint32Array
}

/** Component and prop, or method, that a selector was given to: errors name them. */
export type HoldSource = readonly [component: string, prop: string]

const none = new Uint32Array(0)

/** Who holds which particles of a body: its `pins` prop, its `<Pin>` children, its ref. A particle may have several. */
export class BodyHolds {
  private readonly holds = new Map<object, Hold>()

  constructor(private readonly instance: BodyInstance) {}

  /** True while any particle is held. */
  get any(): boolean {
    for (const hold of this.holds.values()) if (hold.particles.length > 0) return true
    return false
  }

  /** Particles that `owner` holds. */
  of(owner: object): Uint32Array {
    return this.holds.get(owner)?.particles ?? none
  }

  /** What `owner` was told to hold, undefined when nothing or when that is no longer there. */
  selectorOf(owner: object): PinSelector | undefined {
    return this.holds.get(owner)?.selector
  }

  /**
   * What `owner` holds from now on; undefined lets go. What others hold as well stays held.
   * @throws SettingError when the selector names nothing, and then nothing has changed
   */
  set(owner: object, selector: PinSelector | undefined, source: HoldSource): void {
    const particles = selector === undefined ? none : particlesNamed(this.instance, selector, source, held)
    const before = this.of(owner)
    if (selector === undefined) this.holds.delete(owner)
    else this.holds.set(owner, { selector, source, particles })
    if (before.length === particles.length && before.every((particle, k) => particle === particles[k])) return
    const kept = new Set<number>()
    for (const hold of this.holds.values()) for (const particle of hold.particles) kept.add(particle)
    const { body } = this.instance
    const free = before.filter((particle) => !kept.has(particle))
    if (free.length > 0) body?.unpin(free)
    if (particles.length > 0) body?.pin(particles)
  }

  /**
   * Holds everything, in a body that was made or made anew.
   * @param forgiving a selector that names nothing any more warns and is dropped, instead of throwing
   */
  apply(forgiving: boolean): void {
    for (const [owner, hold] of this.holds) {
      hold.particles = none
      try {
        this.set(owner, hold.selector, hold.source)
      } catch (error) {
        if (!forgiving) throw error
        this.holds.delete(owner)
        console.warn((error as Error).message)
      }
    }
  }
}

/**
 * Particles that carry what a selector names, each with a share that counts; none while the body is not alive.
 * @throws SettingError when it names nothing
 */
export function particlesNamed(
  { shape, source }: BodyInstance,
  selector: PinSelector,
  [component, prop]: HoldSource,
  counts: Share,
): Uint32Array {
  if (!shape || !source) return none
  const vertices = selectVertices(component, prop, selector, source.geometry, source.parts, shape.named)
  return particlesOf(vertices, shape.skin, counts)
}
