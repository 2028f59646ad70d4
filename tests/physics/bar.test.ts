import { describe, expect, it } from 'vitest'
import { type Model, tetMeshModel, World } from '../../src/headless.js'
import { density, face, material, meanOf, modulusAt } from '../support/elastic.js'
import { boxLattice } from '../support/lattice.js'
import { expectHealthy, positionsOf, run } from '../support/laws.js'

const [length, width] = [1.5, 0.5]
const models = [2, 4, 6].map(
  (cells) => tetMeshModel(boxLattice([length, width, width], [3 * cells, cells, cells])).model,
)
const finest = models[2]!
/** Small, since the material is not linear: its Young's modulus changes by some 1.5 times the strain. */
const strain = 0.002

/** A bar pulled at both ends: its strains along, and across in the middle half, where the ends do not matter. */
function pull(model: Model, E: number, nu: number): { along: number; across: number } {
  const world = new World({ gravity: [0, 0, 0] })
  const body = world.addBody(model, { density, elastic: material(E, nu), damping: 10 })
  const left = face(model, 0, -length / 2)
  const right = face(model, 0, length / 2)
  const F = strain * E * width * width
  world.onBeforeStep(() => {
    body.addForce([-F, 0, 0], left)
    body.addForce([F, 0, 0], right)
  })
  run(world, 1.6) // 8 time constants of the damping
  expectHealthy(world)
  const x = positionsOf(body)
  const rest = model.positions
  let product = 0
  let square = 0
  for (let i = 0; i < model.particleCount; i++) {
    if (Math.abs(rest[i * 3]!) > length / 4 + 1e-9) continue
    for (const d of [1, 2]) {
      product += rest[i * 3 + d]! * x[i * 3 + d]!
      square += rest[i * 3 + d]! * rest[i * 3 + d]!
    }
  }
  return { along: (meanOf(x, right, 0) - meanOf(x, left, 0)) / length - 1, across: product / square - 1 }
}

// chi is that of the finest mesh; the others, of the same E, have two thirds and a third of it. An even strain is in every
// mesh, and one sweep is exact for it where a substep resolves it: what is left is what it does not.
describe.each([
  [0.1, 0.01, 0.005],
  [0.35, 0.015, 0.01],
  [0.5, 0.02, 0.01],
  [0.85, 0.08, 0.03],
])('a bar under end load at three resolutions, chi %s,', (chi, extensionError, contractionError) => {
  for (const nu of [0, 0.3, 0.45]) {
    it(`extends by F L / (A E) and gets narrower by Poisson's ratio ${nu}`, () => {
      const E = modulusAt(chi, finest)
      for (const model of models) {
        const { along, across } = pull(model, E, nu)
        expect(Math.abs(along / strain - 1)).toBeLessThan(extensionError)
        expect(Math.abs(-across / along - nu)).toBeLessThan(contractionError)
      }
    })
  }
})

// Eight cells across, where what a substep does not resolve adds up over more of what is inside than in the meshes above.
it('a bar of eight cells of chi 0.85 does both as well', () => {
  const { model } = tetMeshModel(boxLattice([length, width, width], [24, 8, 8]))
  const { along, across } = pull(model, modulusAt(0.85, model), 0.45)
  expect(Math.abs(along / strain - 1)).toBeLessThan(0.08)
  expect(Math.abs(-across / along - 0.45)).toBeLessThan(0.03)
})
