import { describe, expect, it } from 'vitest'
import { bake } from '../../src/backends/reference/workspace.js'
import { bodySettings } from '../../src/core/bodySettings.js'
import { neoHookean } from '../../src/core/constraints/neoHookean.js'
import { addStress, stress } from '../../src/core/constraints/neoHookeanStress.js'
import { MeanStrain } from '../../src/core/meanStrain.js'
import { State } from '../../src/core/state.js'
import { Unevenness } from '../../src/core/unevenness.js'
import { Unresolved } from '../../src/core/unresolved.js'
import { defaultsOf } from '../../src/core/validation.js'
import { type BodySettings, tetMeshModel } from '../../src/headless.js'
import { Random, seeds } from '../support/draw.js'
import { density, h, material, modulusAt } from '../support/elastic.js'
import { boxLattice } from '../support/lattice.js'

const { model } = tetMeshModel(boxLattice([1, 0.5, 0.3], [4, 2, 2]))
const [E, nu] = [modulusAt(0.6, model), 0.4]

/** A body, placed by `place`, of which a sweep then moves particles as `sweep` says; how the correction goes on from there. */
function correct(place: (x: Float64Array) => void, sweep: (x: Float64Array) => void = () => {}) {
  const state = new State()
  const body = state.addBody(model, {
    ...(defaultsOf(bodySettings) as BodySettings),
    density,
    elastic: material(E, nu),
  })
  const batch = bake(state, h, 1).find(({ kind }) => kind === neoHookean)
  const unresolved = new Unresolved()
  unresolved.bake(state, batch!.parts, h)
  const mean = new MeanStrain(unresolved)
  mean.bake()
  const { positions: x, masses } = state
  place(x)
  const start = x.slice()
  mean.begin(state)
  mean.beginSubstep()
  unresolved.note(state)
  sweep(x)
  const swept = x.slice()
  mean.project(state)
  const set = body.model.sets.find(({ kind }) => kind === neoHookean)!
  /** Energy of all moves since the start of the substep, and of the material, times h^2. */
  const energy = (y: Float64Array) => {
    const C = new Float64Array(10)
    let sum = 0
    y.forEach((value, p) => {
      sum += 0.5 * masses[Math.floor(p / 3)]! * (value - start[p]!) ** 2
    })
    for (let r = 0; r < set.count; r++) {
      neoHookean.evaluate(batch!.rows, r, y, C)
      const k = (h * h * E) / (2 * (1 + nu) * set.unitCompliance[r]!)
      sum += 0.5 * k * C.subarray(0, 9).reduce((all, f) => all + f * f, 0) + (0.5 * k * C[9]! ** 2) / (1 - 2 * nu)
    }
    return sum
  }
  const { rows } = batch!
  return { x, start, swept, masses, energy, rows, stiffnesses: unresolved.bodies[0]!.stiffnesses }
}

/** Sum m u over all particles, u about `about`. */
function total(masses: Float64Array, of: (p: number) => readonly number[]): number[] {
  const sums = [0, 0, 0]
  masses.forEach((m, i) => {
    of(i * 3).forEach((value, d) => {
      sums[d]! += m * value
    })
  })
  return sums
}

/** Turns positions anyhow, strains them by A, and leaves every particle off by up to `noise` [m]. */
function strained(random: Random, A: readonly number[], noise: number) {
  return (x: Float64Array) => {
    for (let p = 0; p < x.length; p += 3) {
      const u = [x[p]!, x[p + 1]!, x[p + 2]!]
      for (let d = 0; d < 3; d++) {
        x[p + d] = u[d]! + 3 + random.uniform(-noise, noise)
        for (let e = 0; e < 3; e++) x[p + d] = x[p + d]! + A[d * 3 + e]! * u[e]!
      }
    }
  }
}

describe('the correction of a mean strain', () => {
  for (const seed of seeds(4)) {
    it(`leaves no even strain by which energy would get less, and no momentum, seed ${seed}`, () => {
      const random = new Random(seed)
      const A = [...random.array(9, 0.01)]
      const { x, swept, masses, energy } = correct(strained(random, A, 1e-3), (y) => {
        for (let p = 0; p < y.length; p++) y[p] = y[p]! + random.uniform(-1e-3, 1e-3)
      })
      const mass = masses.reduce((sum, m) => sum + m, 0)
      const center = total(masses, (p) => [x[p]!, x[p + 1]!, x[p + 2]!]).map((sum) => sum / mass)
      const moves = x.map((value, p) => value - swept[p]!)
      const size = Math.sqrt(moves.reduce((sum, move) => sum + move * move, 0))
      expect(size).toBeGreaterThan(1e-3)
      /** Slope of the energy in the even strain of one entry. */
      const slope = (y: Float64Array, i: number, j: number) => {
        const step = 1e-5
        const at = (s: number) =>
          energy(y.map((value, p) => (p % 3 === i ? value + s * (y[p - i + j]! - center[j]!) : value)))
        return (at(step) - at(-step)) / (2 * step)
      }
      const slopes = (y: Float64Array) =>
        [0, 1, 2].flatMap((i) => [i, (i + 1) % 3].map((j) => slope(y, i, j) + (i === j ? 0 : slope(y, j, i))))
      const [before, after] = [swept, x].map((y) => Math.max(...slopes(y).map(Math.abs))) as [number, number]
      // A step of Newton: what is left is of the order of the strain, of 1%, times what there was.
      expect(after).toBeLessThan(0.05 * before)
      const momentum = total(masses, (p) => [moves[p]!, moves[p + 1]!, moves[p + 2]!])
      const spin = total(masses, (p) => {
        const [ux, uy, uz] = [x[p]! - center[0]!, x[p + 1]! - center[1]!, x[p + 2]! - center[2]!]
        return [
          uy * moves[p + 2]! - uz * moves[p + 1]!,
          uz * moves[p]! - ux * moves[p + 2]!,
          ux * moves[p + 1]! - uy * moves[p]!,
        ]
      })
      for (const sum of [...momentum, ...spin]) expect(Math.abs(sum)).toBeLessThan(1e-10 * mass * size)
    })
  }

  it.each(seeds(3))('is whole after an even strain, however large, and none of what is bent, seed %d', (seed) => {
    const random = new Random(seed)
    const state = new State()
    const body = state.addBody(model, { ...(defaultsOf(bodySettings) as BodySettings), density })
    const unevenness = new Unevenness(model)
    const share = new Float64Array(1)
    const even = strained(random, random.array(9, 0.8) as unknown as number[], 0)
    even(state.positions)
    unevenness.judge(state, body, share, 0)
    expect(share[0]).toBe(1)
    // By a twentieth of its length; its least radius of gyration is a twelfth of that.
    const { positions: x } = model
    for (let p = 0; p < x.length; p += 3) state.positions[p + 2] = x[p + 2]! + 0.05 * Math.cos(2 * Math.PI * x[p]!)
    for (let p = 0; p < x.length; p++) if (p % 3 !== 2) state.positions[p] = x[p]!
    unevenness.judge(state, body, share, 0)
    expect(share[0]).toBe(0)
  })

  it.each([
    ['a plane', [1, 1, 0]],
    ['a line', [1, 0, 0]],
    ['a point', [0, 0, 0]],
    ['its mirror image', [1, 1, -1]],
  ])('stays finite and small where the body lies in %s', (_, scale) => {
    const { x, swept } = correct((y) => {
      y.forEach((value, p) => {
        y[p] = value * scale[p % 3]!
      })
    })
    expect([...x].every(Number.isFinite)).toBe(true)
    const moves = x.map((value, p) => value - swept[p]!)
    expect(Math.max(...moves.map(Math.abs))).toBeLessThan(0.05)
  })
})

// What has collapsed is drawn out from a point in each sweep. Were it drawn together in the mean, the two would go on for ever.
describe('the stress that a body bears in the mean, seeds 1 to 4', () => {
  it.each([1.1, 1, 0.9, 0.5, 0.3, 0.1])('is the slope of its energy in an even strain, at %f of its size', (size) => {
    for (const seed of seeds(4)) {
      const A = Array.from(new Random(seed).array(9, 0.05 * size), (a, k) => (k % 4 === 0 ? a + size - 1 : a))
      const { start, energy, rows, stiffnesses } = correct(strained(new Random(seed), A, 1e-3 * size))
      stress.fill(0)
      addStress(rows, 0, stiffnesses.length, start, stiffnesses, 0)
      const [xx, yy, zz, xy, yz, zx, volume] = stress as unknown as readonly number[]
      const along = [xx! - volume!, yy! - volume!, zz! - volume!]
      const across = [xy!, yz!, zx!]
      const slope = (i: number, j: number) => {
        const at = (s: number) =>
          energy(start.map((value, p) => (p % 3 === i ? value + s * (start[p - i + j]! - 3) : value)))
        return (at(1e-5) - at(-1e-5)) / 2e-5
      }
      const most = Math.max(...[...along, ...across].map(Math.abs))
      for (let d = 0; d < 3; d++) {
        expect(Math.abs(slope(d, d) / most - along[d]! / most)).toBeLessThan(1e-3)
        expect(Math.abs(slope(d, (d + 1) % 3) / most - across[d]! / most)).toBeLessThan(1e-3)
      }
    }
  })
})
