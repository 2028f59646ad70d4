import { describe, expect, it } from 'vitest'
import { tetMeshModel, World } from '../../src/headless.js'
import { density, h, material, modulusAt } from '../support/elastic.js'
import { boxLattice } from '../support/lattice.js'
import { expectHealthy, positionsOf } from '../support/laws.js'

const [length, width] = [2, 0.25]
const { model } = tetMeshModel(boxLattice([length, width, width], [16, 2, 2]))
/** First longitudinal mode of a free bar. */
const mode = Array.from({ length: model.particleCount }, (_, i) =>
  Math.sin((Math.PI * model.positions[i * 3]!) / length),
)

/** Struck in its first longitudinal mode: amplitude of the mode after each substep [m], over six periods. */
function ring(E: number, nu: number, shapeDamping: number): number[] {
  const world = new World({ gravity: [0, 0, 0], timeStep: h, substeps: 1 })
  const body = world.addBody(model, { density, elastic: material(E, nu), shapeDamping })
  const omega = (Math.PI / length) * Math.sqrt(E / density)
  const norm = mode.reduce((sum, u, i) => sum + model.massShares[i]! * u * u, 0)
  mode.forEach((u, i) => {
    const impulse = model.massShares[i]! * body.mass * u * 1e-3 * length * omega
    body.applyImpulse([impulse, 0, 0], { particles: Uint32Array.of(i), weights: Float64Array.of(1) })
  })
  const amplitudes = [0]
  for (let k = 0; k < (6.2 * 2 * Math.PI) / (omega * h); k++) {
    world.step()
    const x = positionsOf(body)
    const sum = mode.reduce((s, u, i) => s + model.massShares[i]! * u * (x[i * 3]! - model.positions[i * 3]!), 0)
    amplitudes.push(sum / norm)
  }
  expectHealthy(world)
  return amplitudes
}

/** Frequency [rad/s] from the crossings of zero, and rate of decay [1/s] from the peaks between them. */
function measured(amplitudes: readonly number[]): { omega: number; decay: number } {
  const zeros: number[] = []
  for (let k = 1; k < amplitudes.length; k++) {
    const [a, b] = [amplitudes[k - 1]!, amplitudes[k]!]
    if (a * b < 0) zeros.push(k - 1 + a / (a - b))
  }
  const peaks = zeros
    .slice(1)
    .map((zero, n) => Math.max(...amplitudes.slice(Math.ceil(zeros[n]!), Math.ceil(zero)).map(Math.abs)))
  const last = zeros.length - 1
  return {
    omega: (Math.PI * last) / ((zeros[last]! - zeros[0]!) * h),
    decay: Math.log(peaks[0]! / peaks[last - 1]!) / ((zeros[last - 1]! - zeros[0]!) * h),
  }
}

describe('a bar struck along its length', () => {
  for (const chi of [0.1, 0.25, 0.5, 0.85]) {
    for (const nu of [0, 0.3, 0.45]) {
      it(`rings at pi / L sqrt(E / density), damped, at chi ${chi}, Poisson's ratio ${nu}`, () => {
        const E = modulusAt(chi, model)
        const k = 2
        // Rayleigh: the bar's width moves too, by nu; r^2 = width^2 / 6 is the polar radius of gyration.
        const rayleigh = 1 - ((nu * Math.PI) / length) ** 2 * (width ** 2 / 12)
        const omega = (Math.PI / length) * Math.sqrt(E / density) * rayleigh
        // The damping k acts on velocities: half of it on the amplitude. The method itself, implicit of first order,
        // adds omega^2 h / 2.
        const decay = k / 2 + (omega * omega * h) / 2
        const result = measured(ring(E, nu, k))
        // Of the half a wave along the bar what a sweep leaves is mostly even, and made right in the mean.
        expect(Math.abs(result.omega / Math.sqrt(omega * omega - decay * decay) - 1)).toBeLessThan(0.005)
        expect(Math.abs(result.decay / decay - 1)).toBeLessThan(0.015)
      })
    }
  }
})
