import type { BodySettings } from '../bodySettings.js'
import type { Elastic } from '../elastic.js'

export type PresetName = 'jelly' | 'rubber' | 'balloon' | 'clay-soft' | 'clay' | 'firm' | 'muscle'

/** What a preset sets; anything that is set beside it wins. */
export type Preset = Pick<
  BodySettings,
  'density' | 'shapeDamping' | 'friction' | 'rollingFriction' | 'restitution' | 'elastic'
> &
  Partial<Pick<BodySettings, 'plasticity'>>

/** Neo-Hookean material of Young's modulus `youngsModulus` [Pa], and nothing else. */
const solid = (youngsModulus: number, poissonRatio: number): Elastic => ({
  neoHookean: { youngsModulus, poissonRatio },
  edges: false,
  volumes: false,
  shape: false,
  pressure: false,
})

/**
 * Materials for solids about as large as a person. Their rolling friction is that of what loses a third to a half of each
 * strain, clay all of it. What shows is how far a body of height L sags under its weight, about
 * density g L / (2 E), and how fast waves cross it, sqrt(E / density); docs/numerics.md has the sources and reasons.
 */
export const presets: Readonly<Record<PresetName, Preset>> = {
  // Dessert gelatine has 1e3 to 1e4 Pa: a metre of it would lie flat. This sags 6% of a metre.
  jelly: {
    density: 1000,
    shapeDamping: 3,
    friction: 0.6,
    rollingFriction: 0.2,
    restitution: 0,
    elastic: solid(8e4, 0.45),
  },
  // Soft silicone rubber, Shore 00-50.
  rubber: {
    density: 1100,
    shapeDamping: 3,
    friction: 0.8,
    rollingFriction: 0.2,
    restitution: 0.5,
    elastic: solid(6e5, 0.47),
  },
  // A light skin filled with gas: the pressure holds what the foam would not.
  balloon: {
    density: 30,
    shapeDamping: 4,
    friction: 0.5,
    rollingFriction: 0.2,
    restitution: 0.6,
    elastic: { ...solid(1e4, 0.2), pressure: { ratio: 1.1, modulus: 1e5 } },
  },
  // Wet potter's clay below its yield stress; it comes to rest at once. Damped by 20/s it would tip
  // over as slowly as honey: a torus knot of 2 m took more than 10 s.
  'clay-soft': {
    density: 1800,
    shapeDamping: 6,
    friction: 0.9,
    rollingFriction: 0.4,
    restitution: 0,
    elastic: solid(3e5, 0.45),
  },
  // The same, which keeps its dents: it yields at 36 kPa, what is below two metres of it. Drawn out by more than 2.7, its
  // tetrahedra are too slender for a substep, and some tremble.
  clay: {
    density: 1800,
    shapeDamping: 6,
    friction: 0.9,
    rollingFriction: 0.4,
    restitution: 0,
    elastic: solid(3e5, 0.45),
    plasticity: { yield: 0.12, creep: 30, max: 1 },
  },
  // Tyre rubber, softened to what ten substeps resolve in a body of a metre.
  firm: {
    density: 1000,
    shapeDamping: 6,
    friction: 0.6,
    rollingFriction: 0.2,
    restitution: 0.2,
    elastic: solid(1e6, 0.45),
  },
  // Skeletal muscle across its fibres, 2e4 to 5e4 Pa relaxed, 1e5 tensed.
  muscle: {
    density: 1060,
    shapeDamping: 8,
    friction: 0.6,
    rollingFriction: 0.2,
    restitution: 0.1,
    elastic: solid(1e5, 0.47),
  },
}
