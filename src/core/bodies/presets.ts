import type { BodySettings, Elastic } from '../settings.js'

export type PresetName = 'jelly' | 'rubber' | 'firm'

/** What a preset sets; anything that is set beside it wins. */
export type Preset = Pick<BodySettings, 'density' | 'shapeDamping' | 'friction' | 'restitution' | 'elastic'>

/** Springs along the edges of modulus `stiffness` [Pa], and tetrahedra of bulk modulus `bulk` [Pa]. */
const solid = (stiffness: number, bulk: number): Elastic => ({
  edges: { modulus: stiffness },
  volumes: { modulus: bulk },
  shape: false,
})

/**
 * Materials for solids about as large as a person, all with the density of water. What shows is how far a body of
 * height L sags under its weight, about density g L / (2 E): 3% of a metre for jelly, 0.5% for rubber, 0.1% for firm.
 * Volume is held ten times more stiffly than shape, as in anything made mostly of water.
 */
export const presets: Readonly<Record<PresetName, Preset>> = {
  jelly: { density: 1000, shapeDamping: 2, friction: 0.6, restitution: 0, elastic: solid(1.5e5, 1.5e6) },
  rubber: { density: 1000, shapeDamping: 4, friction: 0.8, restitution: 0.2, elastic: solid(1e6, 1e7) },
  firm: { density: 1000, shapeDamping: 8, friction: 0.6, restitution: 0.1, elastic: solid(4e6, 4e7) },
}
