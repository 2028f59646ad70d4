import { afterEach, describe, expect, it, vi } from 'vitest'
import type { BodyRecord } from '../../src/core/records.js'
import type { State } from '../../src/core/state.js'
import { Fans, nextCorner } from '../../src/core/tear/fans.js'
import { Lines } from '../../src/core/tear/line.js'
import { Means } from '../../src/core/tear/means.js'
import { Overload } from '../../src/core/tear/overload.js'
import { Ranking } from '../../src/core/tear/ranking.js'
import { elementsOf, weaveOf } from '../../src/core/tear/weave.js'
import { clothMeshModel, type Model } from '../../src/headless.js'
import { Random, seeds } from '../support/draw.js'
import { irregularSheet } from '../support/sheets.js'

const sheet = (cells: number, random: Random): Model =>
  clothMeshModel(irregularSheet(1, 1, cells, cells, 0.3, random)).model

/** A pull along y of `mean`, by triangle off by up to `noise`, and as much across and in shear. */
function pulled(model: Model, mean: number, noise: number, random: Random): Float64Array {
  const off = () => random.uniform(-noise, noise)
  const triangles = Array.from({ length: weaveOf(model).areas.length }, () => [off(), mean + off(), off()])
  return Float64Array.from(triangles.flat())
}

const meansOf = (model: Model, loads: Float64Array): Means => {
  const means = new Means(elementsOf(model), new Fans(elementsOf(model), model.particleCount), loads, weaveOf(model))
  means.begin()
  return means
}

/** Edges that open of a body that nothing holds. */
function openedOf(model: Model, loads: Float64Array): number[] {
  const state = { inverseMasses: new Float64Array(model.particleCount).fill(1) } as unknown as State
  const body = { start: 0, settings: { tearWeakening: 0 } } as unknown as BodyRecord
  const corners: number[] = []
  new Overload(model, loads).addOpened(state, body, 1.5, corners)
  return corners
}

afterEach(() => vi.restoreAllMocks())

it.each(seeds(4))('numbers are ranked by their values, the lowest first of those that are equal, seed %i', (seed) => {
  const random = new Random(seed)
  const values = Float64Array.from({ length: 100 }, () => random.integer(0, 30))
  const ranking = new Ranking(values)
  const numbers = Array.from(values.keys()).filter((k) => k % 7 !== seed)
  for (const number of [...numbers].reverse()) ranking.add(number)
  const found: number[] = []
  for (; ranking.size > 0; ranking.dropFirst()) found.push(ranking.first)
  expect(found).toEqual(numbers.sort((a, b) => values[b]! - values[a]! || a - b))
})

describe('a tear', () => {
  it.each(seeds(4))('comes into question where the largest eigenvalue of the mean load is above 1, seed %i', (seed) => {
    const random = new Random(seed)
    const model = sheet(16, random)
    const means = meansOf(model, pulled(model, 0.9, 1.5, random))
    const over = Array.from({ length: model.particleCount }, (_, i) => means.isOver(i))
    expect(over).toEqual(over.map((_, i) => means.largest(i) > 1))
    expect(new Set(over).size).toBe(2)
  })

  it.each(seeds(6))('starts where the mean is largest of those whose line bears too much, seed %i', (seed) => {
    const random = new Random(seed)
    const model = sheet(6, random)
    const loads = pulled(model, 0.95, 0.5, random)
    const means = meansOf(model, loads)
    const fans = new Fans(elementsOf(model), model.particleCount)
    const lines = new Lines(model, fans, loads)
    const over = Array.from({ length: model.particleCount }, (_, i) => i).filter((i) => {
      if (fans.of(i).length === 1) return false // nothing comes apart at the corner of a single triangle
      const mean = means.largest(i)
      return mean > 1 && (mean > 1.5 || lines.isOver(i, means.pull, means.cells))
    })
    const first = over.reduce((a, b) => (means.largest(b) > means.largest(a) ? b : a), over[0] ?? -1)
    const corners = openedOf(model, loads)
    expect(corners.length > 0).toBe(over.length > 0)
    const ends = (corner: number) => [elementsOf(model)[corner], elementsOf(model)[nextCorner(corner)]]
    for (const corner of corners) expect(ends(corner)).toContain(first)
  })

  it.each(seeds(2))('of a fine cloth under its strength is looked for along some hundred lines, seed %i', (seed) => {
    const random = new Random(seed)
    const model = sheet(64, random)
    // More and less in patches of three cells, which the mean about a particle sees, and a line evens out.
    const loads = pulled(model, 0.9, 0.1, random)
    for (let t = 0; t < loads.length / 3; t++) {
      const corners = Array.from(elementsOf(model).subarray(3 * t, 3 * t + 3))
      const patch = [0, 1].map((d) =>
        Math.floor((corners.reduce((sum, i) => sum + model.positions[3 * i + d]!, 32) * 64) / 9),
      )
      loads[3 * t + 1]! += (patch[0]! + patch[1]!) % 2 === 0 ? 0.2 : -0.2
    }
    const means = meansOf(model, loads)
    const over = Array.from({ length: model.particleCount }, (_, i) => i).filter((i) => means.isOver(i))
    const asked = vi.spyOn(Lines.prototype, 'isOver')
    expect(openedOf(model, loads)).toEqual([])
    expect(over.length).toBeGreaterThan(500)
    expect(asked.mock.calls.length).toBeLessThan(over.length / 3)
  })
})
