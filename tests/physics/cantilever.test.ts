import { describe, expect, it } from 'vitest'
import { type Model, tetMeshModel, World } from '../../src/headless.js'
import { density, face, material, meanOf, modulusAt } from '../support/elastic.js'
import { boxLattice } from '../support/lattice.js'
import { expectHealthy, positionsOf, run } from '../support/laws.js'
import { long } from '../support/long.js'

const [length, width] = [2, 0.5]
const area = width * width
const inertia = width ** 4 / 12
const models = [2, 4, 8].map(
  (cells) => tetMeshModel(boxLattice([width, width, length], [cells, cells, 4 * cells])).model,
)
const finest = models[2]!

/** Timoshenko's deflections [m/N] of the tip: for a force at the tip, and for a weight spread over the beam. */
function timoshenko(E: number, nu: number): { tip: number; spread: number } {
  const shear = ((10 * (1 + nu)) / (12 + 11 * nu)) * (E / (2 * (1 + nu))) * area
  return {
    tip: length ** 3 / (3 * E * inertia) + length / shear,
    spread: length ** 3 / (8 * E * inertia) + length / (2 * shear),
  }
}

/** The tip's deflection [m], with one end clamped, under a force at the tip or its own weight [N]. */
function deflection(model: Model, E: number, nu: number, load: 'tip' | 'spread', force: number): number {
  const g = load === 'spread' ? force / (density * area * length) : 0
  const world = new World({ gravity: [0, -g, 0] })
  // Near to critical damping of the first mode, 2.4 rad/s: at rest to 1% after four seconds.
  const body = world.addBody(model, { density, elastic: material(E, nu), damping: 5 })
  body.pin(face(model, 2, -length / 2).particles)
  const end = face(model, 2, length / 2)
  if (load === 'tip') world.onBeforeStep(() => body.addForce([0, -force, 0], end))
  run(world, 4)
  expectHealthy(world)
  return -meanOf(positionsOf(body), end, 1)
}

describe('a cantilever against Timoshenko', () => {
  const E = modulusAt(0.5, finest)
  for (const [load, nu] of [['tip', 0.3], ...long(['tip', 0.45], ['spread', 0.3])] as const) {
    it(`bends less in coarse meshes and as it should in fine ones, load ${load}, Poisson's ratio ${nu}`, () => {
      const force = (0.01 * length) / timoshenko(E, nu)[load] // 1% of its length: small, so that theory is linear
      const errors = models.map((model) => deflection(model, E, nu, load, force) / (0.01 * length) - 1)
      // Linear tetrahedra are too stiff in bending, by a share of order (cell / width)^2.
      expect(Math.abs(errors[1]!)).toBeLessThan(0.25)
      expect(Math.abs(errors[2]!)).toBeLessThan(0.12)
      for (const k of [1, 2]) expect(Math.abs(errors[k]!)).toBeLessThan(Math.abs(errors[k - 1]!))
    })
  }
})
