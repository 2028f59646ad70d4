import { ballMesh } from '../../scenes/index.js'
import { largestSide } from '../../src/core/model.js'
import {
  type BodySettings,
  box,
  type ColliderShape,
  capsule,
  clothModel,
  cylinder,
  type Model,
  plane,
  presets,
  softBodyModel,
  sphere,
  tetMeshModel,
} from '../../src/headless.js'
import { triangleSoup } from '../mesh/triangleSoup.js'
import type { Random } from '../support/draw.js'
import { boxLattice } from '../support/lattice.js'

/**
 * `calm` draws what a scene of people, furniture and balls is made of: there no guard may act. `wild` draws anything that
 * is allowed, to the ends of the ranges: there everything must stay finite, and guards may act.
 */
export type Mood = 'calm' | 'wild'

/** Valid settings, models and shapes of a mood. */
export class Draws {
  constructor(
    private readonly random: Random,
    private readonly mood: Mood,
  ) {}

  worldSettings() {
    const { random } = this
    if (this.mood === 'calm') {
      return {
        gravity: [random.uniform(-2, 2), random.uniform(-12, 2), random.uniform(-2, 2)] as const,
        timeStep: random.uniform(1 / 120, 1 / 50),
        substeps: random.integer(8, 14),
        maxSteps: 2,
      }
    }
    const g = random.uniform() < 0.5 ? 20 : random.scale(1, 1e6)
    return {
      gravity: random.vector(g),
      timeStep: random.scale(1e-5, 0.1),
      substeps: random.integer(1, 6),
      iterations: random.integer(1, 3),
      maxSteps: random.integer(1, 3),
      timeScale: random.uniform() < 0.8 ? 1 : random.scale(1e-3, 100),
      maxSpeed: random.uniform() < 0.7 ? 500 : random.scale(1e-3, 1e6),
    }
  }

  model(): Model {
    const { random } = this
    const kind = random.integer(0, this.mood === 'calm' ? 3 : 4)
    const size = this.mood === 'calm' ? random.uniform(0.5, 1.5) : random.scale(1e-3, 1e3)
    if (kind === 0) {
      const cells = [random.integer(1, 3), random.integer(1, 3), random.integer(1, 3)] as const
      const sides =
        this.mood === 'calm' ? ([size, size, size] as const) : ([size, size * random.scale(0.01, 1), size] as const)
      return tetMeshModel(boxLattice(sides, cells)).model
    }
    if (kind === 1) return softBodyModel(ballMesh(size / 2, 4), { resolution: random.integer(2, 4) }).model
    if (kind <= 3) {
      const cells = random.integer(1, 6)
      return clothModel({ width: size, height: size, segmentsX: cells, segmentsY: cells }).model
    }
    return this.soup(size)
  }

  /** A random soup of triangles, at a size of the scene; one that is all points and lines is refused, and drawn again. */
  private soup(size: number): Model {
    while (true) {
      const { positions } = triangleSoup(this.random.integer(1, 1e6))
      const scale = size / (largestSide(positions) || 1)
      const index = null
      try {
        return softBodyModel({ positions: Array.from(positions, (x) => x * scale), index }, { resolution: 4 }).model
      } catch (error) {
        if (!/no triangle has an area/.test((error as Error).message)) throw error
      }
    }
  }

  /** Of the `index`-th body: calm ones start apart. */
  bodySettings(model: Model, index: number): Partial<BodySettings> {
    const { random } = this
    const names = Object.keys(presets) as (keyof typeof presets)[]
    const preset = presets[names[random.integer(0, names.length - 1)]!]
    const solid = model.tets.length > 0
    if (this.mood === 'calm') {
      return {
        ...(solid ? preset : {}),
        shapeDamping: random.uniform(1, 5),
        friction: random.uniform(0, 1),
        restitution: random.uniform(0, 0.6),
        damping: random.uniform() < 0.5 ? 0 : random.uniform(0, 2),
        position: [4 * index, random.uniform(1, 2), 0],
        rotation: random.rotation(),
      }
    }
    return {
      ...(solid && random.uniform() < 0.7 ? preset : {}),
      // What flows needs its tetrahedra's modulus, which may be drawn away.
      ...(random.uniform() < 0.5 ? { ...this.elastic(model), plasticity: false as const } : {}),
      ...(random.uniform() < 0.5 ? { density: random.scale(1e-6, 1e6) } : {}),
      ...(random.uniform() < 0.2 ? { mass: random.scale(1e-9, 1e9) } : {}),
      ...(random.uniform() < 0.2 ? { thickness: random.scale(1e-9, 1e3) } : {}),
      damping: random.uniform() < 0.5 ? 0 : random.scale(1e-3, 1e4),
      shapeDamping: random.uniform() < 0.5 ? 0 : random.scale(1e-3, 1e4),
      friction: random.uniform(0, 10),
      restitution: random.uniform(),
      gravityScale: random.uniform() < 0.8 ? 1 : random.uniform(-100, 100),
      rescue: random.uniform() < 0.8,
      position: random.uniform() < 0.9 ? random.vector(5) : random.vector(1e9),
      rotation: random.rotation(),
    }
  }

  /** Each set that the model has: off, as it is, or at any stiffness that its kind takes. */
  private elastic(model: Model): Pick<BodySettings, 'elastic'> {
    const { random } = this
    const elastic: Record<string, Record<string, number> | false> = {}
    for (const { name, kind } of model.sets) {
      const choice = random.uniform()
      if (choice < 0.3) elastic[name] = false
      if (choice < 0.5) continue
      const way = kind.ways[random.integer(0, kind.ways.length - 1)]!
      elastic[name] = Object.fromEntries(
        way.map((key) => {
          const { min = 0, max = 1e12 } = kind.parameters[key]!
          const low = Math.max(min, 1e-9)
          return [key, max > 10 ? random.scale(low, max) : random.uniform(min, max)]
        }),
      )
    }
    return { elastic }
  }

  shape(): ColliderShape {
    const { random } = this
    const size = () => (this.mood === 'calm' ? random.uniform(0.2, 1) : random.scale(1e-3, 1e2))
    switch (random.integer(0, 4)) {
      case 0:
        return plane()
      case 1:
        return sphere(size())
      case 2:
        return box([size(), size(), size()])
      case 3:
        return capsule(size(), size())
      default:
        return cylinder(size(), size())
    }
  }
}
