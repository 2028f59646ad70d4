import { IcosahedronGeometry } from 'three'
import { describe, expect, it } from 'vitest'
import { type Body, type Model, softBodyModel, tetMeshModel, World } from '../../src/headless.js'
import { Random } from '../support/draw.js'
import { density, material, modulusAt } from '../support/elastic.js'
import { ball, boxLattice } from '../support/lattice.js'
import { expectHealthy, run, velocitiesOf } from '../support/laws.js'
import { fromGeometry } from '../support/meshes.js'

const models: Record<string, Model> = {
  box: tetMeshModel(boxLattice([1, 0.7, 0.5], [4, 3, 2])).model,
  'ball with flat cells at its poles': ball(0.5, 4),
  'ball as a mesh, with slivers': softBodyModel(fromGeometry(new IcosahedronGeometry(0.5, 4)), { resolution: 4 }).model,
}

/** Kinetic energy over half the mass [m^2/s^2]. */
function kinetic(body: Body): number {
  const v = velocitiesOf(body)
  return v.reduce((sum, value, p) => sum + body.model.massShares[Math.floor(p / 3)]! * value * value, 0)
}

// One sweep is not symmetric: where those before and after a tetrahedron are weighed wrongly it drives what it should hold.
describe.each(Object.keys(models))('an undamped body that was struck everywhere, %s,', (name) => {
  const model = models[name]!
  it.each([
    [0.5, 0.49],
    [3, 0],
  ])("never swings more again in 20 s, chi %d, Poisson's ratio %d, seed 1", (chi, nu) => {
    const world = new World({ gravity: [0, 0, 0], sleeping: false })
    const E = modulusAt(chi, model)
    const body = world.addBody(model, { density, elastic: material(E, nu) })
    const random = new Random(1)
    const speed = 1e-3 * Math.sqrt(E / density)
    model.massShares.forEach((share, i) => {
      const [x, y, z] = random.vector(speed * share * body.mass)
      body.applyImpulse([x, y, z], { particles: Uint32Array.of(i), weights: Float64Array.of(1) })
    })
    let before = kinetic(body)
    for (let window = 0; window < 5; window++) {
      let most = 0
      run(world, 4, () => {
        most = Math.max(most, kinetic(body))
      })
      // At last it only turns, at an energy that is the same to rounding.
      expect(most).toBeLessThan(before * (1 + 1e-6))
      before = most
    }
    expectHealthy(world)
  })
})
