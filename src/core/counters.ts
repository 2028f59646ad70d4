import type { State } from './state.js'

/** What the world counted. Guards are cumulative: a healthy run leaves them at zero. */
export interface Stats {
  /** Fixed steps taken. */
  steps: number
  /** Substeps taken. */
  substeps: number
  /** Bodies in the world now. */
  bodies: number
  colliders: number
  particles: number
  /** Bodies that sleep now. */
  sleeping: number
  /** Constraint rows projected in one sweep of the last step. */
  constraints: number
  /** Point and collider pairs searched in the last step. */
  candidates: number
  /** Contacts that pushed in the last substep. */
  contacts: number
  /** Points stopped on their way within a substep, too fast to be judged by where it ends, in all. */
  sweptContacts: number
  /** Pairs of elements of soft surfaces searched in the last step. */
  surfaceCandidates: number
  /** Pairs of elements of soft surfaces that pushed in the last substep. */
  surfaceContacts: number
  /** Edges of soft surfaces that crossed a triangle at the last search, and are being drawn apart. */
  crossings: number
  /** Particles that tears and cuts have split off, and segments of ropes that have broken, in all. */
  tears: number
  /** Bodies that lay with a few tetrahedra inverted, which were turned back, in all. */
  turnedBack: number
  /** Time that `advance` dropped for want of steps [s], in all. */
  droppedTime: number
  /** Guard: particle velocities cut to `maxSpeed`, in all. */
  speedClamps: number
  /** Guard: bodies put back to their last finite state, in all. */
  nonFiniteRescues: number
  /**
   * Guard: steps that found a body turned inside out, which then unfolds and, by `rescue`, is drawn to its shape, or that
   * stood up one that its load had crushed, or let it settle, in all.
   */
  inversionRescues: number
  /** Guard: particles stopped within a substep, since their surfaces would have crossed otherwise, in all. */
  contactClamps: number
}

export function createStats(): Stats {
  return {
    steps: 0,
    substeps: 0,
    bodies: 0,
    colliders: 0,
    particles: 0,
    sleeping: 0,
    constraints: 0,
    candidates: 0,
    contacts: 0,
    sweptContacts: 0,
    surfaceCandidates: 0,
    surfaceContacts: 0,
    crossings: 0,
    tears: 0,
    turnedBack: 0,
    droppedTime: 0,
    speedClamps: 0,
    nonFiniteRescues: 0,
    inversionRescues: 0,
    contactClamps: 0,
  }
}

/** Counts what there is now into `stats`. */
export function countLiving(stats: Stats, { bodies, colliders, splits }: State): Stats {
  stats.tears = splits
  stats.bodies = bodies.live.length
  stats.colliders = colliders.live.length
  stats.particles = 0
  stats.sleeping = 0
  for (let b = 0; b < bodies.live.length; b++) {
    stats.particles += bodies.live[b]!.model.particleCount
    if (bodies.live[b]!.asleep) stats.sleeping++
  }
  return stats
}

/** True where no guard has fired. */
export function isHealthy(stats: Readonly<Stats>): boolean {
  return (
    stats.speedClamps === 0 && stats.nonFiniteRescues === 0 && stats.inversionRescues === 0 && stats.contactClamps === 0
  )
}
