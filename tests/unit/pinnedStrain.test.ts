import { describe, expect, it } from 'vitest'
import { bake } from '../../src/backends/reference/workspace.js'
import { bodySettings } from '../../src/core/bodySettings.js'
import { neoHookean } from '../../src/core/constraints/neoHookean.js'
import { PinnedStrain } from '../../src/core/pinnedStrain.js'
import { State } from '../../src/core/state.js'
import { Unresolved } from '../../src/core/unresolved.js'
import { defaultsOf } from '../../src/core/validation.js'
import { type BodySettings, tetMeshModel } from '../../src/headless.js'
import { Random, seeds } from '../support/draw.js'
import { density, face, h, material, modulusAt } from '../support/elastic.js'
import { boxLattice } from '../support/lattice.js'

const { model } = tetMeshModel(boxLattice([1, 0.4, 0.3], [8, 3, 3]))
const [E, nu] = [modulusAt(0.6, model), 0.4]
const end = Array.from(face(model, 0, -0.5).particles)

/** A pinned body that is turned anyhow and strained, of which a sweep then moves particles: how the correction goes on. */
function correct(random: Random, pins: readonly number[], most = 0.005) {
  const state = new State()
  const body = state.addBody(model, {
    ...(defaultsOf(bodySettings) as BodySettings),
    density,
    rotation: random.rotation(),
    elastic: material(E, nu),
  })
  state.pin(body, pins)
  const batch = bake(state, h, 1).find(({ kind }) => kind === neoHookean)!
  const unresolved = new Unresolved()
  unresolved.bake(state, batch.parts, h)
  const pinned = new PinnedStrain(unresolved)
  pinned.bake(state)
  const { positions: x, masses, inverseMasses: w } = state
  const placed = x.slice()
  const A = random.array(9, most)
  const strain = (of: Float64Array, by: (l: number) => number) => {
    const middle = [0, 1, 2].map((d) => pins.reduce((sum, l) => sum + placed[l * 3 + d]!, 0) / pins.length)
    for (let p = 0; p < x.length; p++) {
      const o = p - (p % 3)
      let move = random.uniform(-1e-4, 1e-4)
      for (let e = 0; e < 3; e++) move += A[(p % 3) * 3 + e]! * (placed[o + e]! - middle[e]!)
      if (w[o / 3] !== 0) of[p] = of[p]! + by(o / 3) * move
    }
  }
  strain(x, () => 1)
  const start = x.slice()
  pinned.beginSubstep()
  unresolved.note(state)
  strain(x, () => 0.3)
  const swept = x.slice()
  pinned.project(state)
  const k = body.model.sets
    .find(({ kind }) => kind === neoHookean)!
    .unitCompliance.map((compliance) => (h * h * E) / (2 * (1 + nu) * compliance))
  /** Energy of all moves since the start of the substep, and of the material, times h^2. */
  const energy = (y: Float64Array) => {
    const C = new Float64Array(10)
    let sum = 0
    y.forEach((value, p) => {
      sum += 0.5 * masses[Math.floor(p / 3)]! * (value - start[p]!) ** 2
    })
    for (let r = 0; r < k.length; r++) {
      neoHookean.evaluate(batch.rows, r, y, C)
      sum += 0.5 * k[r]! * (C.subarray(0, 9).reduce((all, f) => all + f * f, 0) + C[9]! ** 2 / (1 - 2 * nu))
    }
    return sum
  }
  const moves = x.map((value, p) => value - swept[p]!)
  const at = (s: number) => energy(swept.map((value, p) => value + s * moves[p]!))
  const slope = (s: number) => (at(s + 0.01) - at(s - 0.01)) / 0.02
  return { placed, masses, slope, moves }
}

const largest = (moves: Float64Array): number => moves.reduce((most, move) => Math.max(most, Math.abs(move)), 0)

describe("the correction of a pinned body's mean strain", () => {
  for (const seed of seeds(4)) {
    it(`goes to where the energy is least on its way, moves no pin and does not turn the body, seed ${seed}`, () => {
      const { placed, masses, slope, moves } = correct(new Random(seed), end)
      expect(largest(moves)).toBeGreaterThan(1e-5)
      expect(slope(0)).toBeLessThan(0)
      // A step of Newton: what is left is of the order of the strain, of 1%, times what there was.
      expect(Math.abs(slope(1) / slope(0))).toBeLessThan(0.05)
      for (const l of end) expect(largest(moves.subarray(l * 3, l * 3 + 3))).toBe(0)
      const middle = [0, 1, 2].map((d) => end.reduce((sum, l) => sum + placed[l * 3 + d]!, 0) / end.length)
      const torque = [0, 0, 0]
      let most = 0
      masses.forEach((m, i) => {
        const [u, v] = [placed, moves].map((of) => of.subarray(i * 3, i * 3 + 3)) as [Float64Array, Float64Array]
        for (let d = 0; d < 3; d++) {
          const [e, f] = [(d + 1) % 3, (d + 2) % 3]
          torque[d]! += m * ((u[e]! - middle[e]!) * v[f]! - (u[f]! - middle[f]!) * v[e]!)
          most += m * Math.abs(v[d]!)
        }
      })
      // The body is strained by some 1%, and so is its frame.
      for (const one of torque) expect(Math.abs(one)).toBeLessThan(0.02 * most)
    })

    it(`goes about half of its way where the body is a tenth of its size from its rest shape, seed ${seed}`, () => {
      const { slope } = correct(new Random(seed), end, 0.2)
      expect(slope(0)).toBeLessThan(0)
      expect(slope(1) / slope(0)).toBeGreaterThan(0.4)
      expect(slope(1) / slope(0)).toBeLessThan(0.8)
    })
  }

  it.each([
    ['in one point', end.slice(0, 1)],
    ['on a line', end.filter((l) => Math.abs(model.positions[l * 3 + 1]! - 0.2) < 1e-9)],
    ['all over', Array.from({ length: model.particleCount }, (_, l) => l)],
  ])('is none where it is pinned %s, as a hinge or as a whole', (_, pins) => {
    expect(pins.length).toBeGreaterThan(0)
    expect(largest(correct(new Random(1), pins).moves)).toBe(0)
  })
})
