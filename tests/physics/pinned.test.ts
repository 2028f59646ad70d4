import { describe, expect, it } from 'vitest'
import { tetMeshModel, World } from '../../src/headless.js'
import { density, face, material, modulusAt } from '../support/elastic.js'
import { mechanicalEnergy } from '../support/energy.js'
import { boxLattice } from '../support/lattice.js'
import { expectHealthy, run } from '../support/laws.js'

const { model } = tetMeshModel(boxLattice([0.2, 0.8, 0.2], [2, 8, 2]))
const end = face(model, 1, 0.4).particles

describe('a body that is pinned by one end', () => {
  // What is corrected of its mean strain turns it about its pins by nothing: else it would drive the swing.
  it.each([
    [0.3, 0],
    [0.95, 0.45],
  ])('and let go level swings without gaining energy, chi %s, nu %s', (chi, nu) => {
    const world = new World({ sleeping: false })
    const body = world.addBody(model, {
      density,
      elastic: material(modulusAt(chi, model), nu),
      damping: 0,
      rotation: [0, 0, Math.SQRT1_2, Math.SQRT1_2],
    })
    body.pin(end)
    const start = mechanicalEnergy(world, body)
    run(world, 3, () => expect(mechanicalEnergy(world, body)).toBeLessThan(start))
    expectHealthy(world)
  })
})
