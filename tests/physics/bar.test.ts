import { describe, expect, it } from 'vitest'
import { type Model, tetMeshModel, type Vec3, World } from '../../src/headless.js'
import { density, face, material, meanOf, middle, modulusAt } from '../support/elastic.js'
import { boxLattice } from '../support/lattice.js'
import { expectHealthy, positionsOf, run } from '../support/laws.js'
import { long } from '../support/long.js'

const width = 0.5
const axes = { x: 0, y: 1, z: 2 }

/** A bar along an axis, so many cells across and `ratio` times as many along. */
function bar(axis: number, cells: number, ratio = 3): Model {
  const along = (one: number): Vec3 =>
    [0, 1, 2].map((d) => (d === axis ? ratio * one : one)) as [number, number, number]
  return tetMeshModel(boxLattice(along(width), along(cells))).model
}

/** Small, since the material is not linear: its Young's modulus changes by some 1.5 times the strain. */
const strain = 0.002

/** A bar pulled at both ends: its strains along, and along and across in the middle half, where the ends do not matter. */
function pull(
  model: Model,
  axis: number,
  E: number,
  nu: number,
  pins: readonly number[] = [],
): { along: number; across: number; middle: number } {
  const world = new World({ gravity: [0, 0, 0] })
  const body = world.addBody(model, { density, elastic: material(E, nu), damping: 10 })
  body.pin(pins)
  const length = 2 * Math.max(...model.positions.filter((_, p) => p % 3 === axis))
  const left = face(model, axis, -length / 2)
  const right = face(model, axis, length / 2)
  const F = strain * E * width * width
  const force = (f: number): Vec3 => [0, 1, 2].map((d) => (d === axis ? f : 0)) as [number, number, number]
  world.onBeforeStep(() => {
    body.addForce(force(-F), left)
    body.addForce(force(F), right)
  })
  run(world, 1.6) // 8 time constants of the damping
  expectHealthy(world)
  const x = positionsOf(body)
  const rest = model.positions
  const products = [0, 0]
  const squares = [0, 0]
  for (let i = 0; i < model.particleCount; i++) {
    if (Math.abs(rest[i * 3 + axis]!) > length / 4 + 1e-9) continue
    for (let d = 0; d < 3; d++) {
      const side = d === axis ? 0 : 1
      products[side]! += rest[i * 3 + d]! * x[i * 3 + d]!
      squares[side]! += rest[i * 3 + d]! * rest[i * 3 + d]!
    }
  }
  const [middle, across] = products.map((product, side) => product / squares[side]! - 1) as [number, number]
  return { along: (meanOf(x, right, axis) - meanOf(x, left, axis)) / length - 1, across, middle }
}

// chi is that of the finest mesh; the others, of the same E, have two thirds and a third of it. An even strain is in every
// mesh, and one sweep is exact for it where a substep resolves it; where not, the mean strain is made right, and what the
// middle half differs from it by is left.
const loads = [[0.85, 0.005, 0.015], ...long([0.1, 0.005, 0.005], [0.35, 0.005, 0.01], [0.5, 0.005, 0.01])] as const
describe.each(loads)('a bar under end load at three resolutions, chi %s,', (chi, extensionError, contractionError) => {
  // What a substep resolves is the same along all; what it does not is told by what keeps its volume.
  for (const [name, axis] of Object.entries(chi < 0.5 ? { x: 0 } : axes)) {
    const models = [2, 4, 6].map((cells) => bar(axis, cells))
    const finest = models[2]!
    for (const nu of axis === 0 ? [0, 0.45] : [0.45]) {
      it(`along ${name} extends by F L / (A E) and gets narrower by Poisson's ratio ${nu}`, () => {
        const E = modulusAt(chi, finest)
        for (const model of models) {
          const { along, across } = pull(model, axis, E, nu)
          expect(Math.abs(along / strain - 1)).toBeLessThan(extensionError)
          expect(Math.abs(-across / along - nu)).toBeLessThan(contractionError)
        }
      })
    }
  }
})

// Longer, or with more cells across, there is more that a substep does not resolve; beyond chi 1 it resolves next to nothing.
const longer = [[3, 6, 1.2], ...long([3, 8, 0.85], [6, 6, 0.85])] as const
it.each(longer)('a bar of 1:%i, %i cells across, of chi %f, does both as well', (ratio, cells, chi) => {
  const model = bar(0, cells, ratio)
  const { along, across } = pull(model, 0, modulusAt(chi, model), 0.45)
  expect(Math.abs(along / strain - 1)).toBeLessThan(0.005)
  expect(Math.abs(-across / along - 0.45)).toBeLessThan(0.03)
})

// What is pinned in a point has the strain that its sweeps leave. Of a tetrahedron that others do not hold, at a surface, what is
// exact is less than is stable; its neighbours make up for it. Eight cells across more of what is inside adds up.
describe.each(Object.entries(axes))('a bar along %s that is pinned in its middle', (_, axis) => {
  const cases = [[6, 0.5, 0, 0.007, 0.015], [6, 0.85, 0.45, 0.08, 0.03], ...long([8, 0.85, 0.45, 0.08, 0.03])] as const
  it.each(cases)('%i cells across, of chi %f, does as well', (cells, chi, nu, extensionError, contractionError) => {
    const model = bar(axis, cells)
    const { along, across } = pull(model, axis, modulusAt(chi, model), nu, [middle(model)])
    expect(Math.abs(along / strain - 1)).toBeLessThan(extensionError)
    expect(Math.abs(-across / along - nu)).toBeLessThan(contractionError)
  })
})

// A face that is held keeps the bar from getting narrower there, so that its tip goes less far: of 2 cells by 7%, which lock.
const held = [[0.5, 0.45], ...long([0.85, 0], [0.85, 0.45])] as const
describe.each(held)('a bar pinned at one end at three resolutions, chi %s,', (chi, nu) => {
  const models = [2, 4, 6].map((cells) => bar(0, cells, 4))
  it(`extends by F L / (A E) and gets narrower by Poisson's ratio ${nu}`, () => {
    const E = modulusAt(chi, models[2]!)
    for (const model of models) {
      const left = face(model, 0, -2 * width)
      const { along, across, middle } = pull(model, 0, E, nu, Array.from(left.particles))
      expect(Math.abs(middle / strain - 1)).toBeLessThan(chi > 0.5 ? 0.05 : 0.03)
      expect(Math.abs(along / strain - 1)).toBeLessThan(0.08)
      expect(Math.abs(-across / middle - nu)).toBeLessThan(0.02)
    }
  })
})
