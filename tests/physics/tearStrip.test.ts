import { describe, expect, it } from 'vitest'
import { clothMeshModel, type Model, World } from '../../src/headless.js'
import { Random, seeds } from '../support/draw.js'
import { long } from '../support/long.js'
import { irregularSheet, type Sheet } from '../support/sheets.js'

const WIDTH = 0.4
const LENGTH = 0.8

/** A strip of `cells` across; its length runs along x, across the warp, or along y. */
function strip(cells: number, acrossWarp: boolean, random: Random): Sheet {
  return acrossWarp
    ? irregularSheet(LENGTH, WIDTH, 2 * cells, cells, 0.3, random)
    : irregularSheet(WIDTH, LENGTH, cells, 2 * cells, 0.3, random)
}

/** Without its triangles whose middles are within a circle about its own. */
function holed({ positions, index }: Sheet, radius: number): Sheet {
  const kept: number[] = []
  for (let t = 0; t < index.length; t += 3) {
    const corners = index.slice(t, t + 3)
    const [x, y] = [0, 1].map((d) => corners.reduce((sum, i) => sum + positions[3 * i + d]! / 3, 0))
    if (Math.hypot(x!, y!) > radius) kept.push(...corners)
  }
  const used = [...new Set(kept)].sort((a, b) => a - b)
  const numbers = new Map(used.map((i, k) => [i, k]))
  return {
    positions: Float64Array.from(used.flatMap((i) => [0, 1, 2].map((d) => positions[3 * i + d]!))),
    index: kept.map((i) => numbers.get(i)!),
  }
}

/** Drawn at one end, held at the other, more and more until it breaks: the pull over width times strength. */
function breakingLoad(
  sheet: Sheet,
  acrossWarp: boolean,
  settings: { tearStrength: number; strainLimit?: number },
  substeps: number,
): number {
  const { model } = clothMeshModel(sheet)
  const world = new World({ substeps, gravity: [0, 0, 0] })
  const body = world.addBody(model, { ...settings, shapeDamping: 20 })
  const [along, side] = acrossWarp ? [0, 1] : [1, 0]
  const at = (i: number, d: number) => model.positions[3 * i + d]!
  const all = Array.from({ length: model.particleCount }, (_, i) => i)
  body.pin(all.filter((i) => at(i, along) > LENGTH / 2 - 1e-9))
  const low = all.filter((i) => at(i, along) < 1e-9 - LENGTH / 2).sort((i, j) => at(i, side) - at(j, side))
  // The same on each of its width.
  const shares = low.map((i, k) => (at(low[k + 1] ?? i, side) - at(low[k - 1] ?? i, side)) / (2 * WIDTH))
  const forces = new Float64Array(3 * model.particleCount)
  let load = 0.4
  for (; world.stats.tears === 0 && load < 2; load += 0.005) {
    low.forEach((i, k) => {
      forces[3 * i + along] = -load * WIDTH * settings.tearStrength * shares[k]!
    })
    body.addForces(forces)
    world.step()
  }
  return load
}

describe('a strip of an irregular mesh', () => {
  it.each([1, 4, 6, ...long(2, 3, 5, 7, 8)])(
    'breaks at its width times its strength, within 15%, at three resolutions, along and across, seed %i',
    (seed) => {
      // The eight seeds are the eight ways: along or across, few or many substeps, with a limit of strain or without.
      const acrossWarp = seed % 2 === 0
      const substeps = seed % 4 < 2 ? 10 : 20
      const settings = seed > 4 ? { tearStrength: 60, strainLimit: 0.02 } : { tearStrength: 10 }
      for (const cells of [4, 8, 16]) {
        const load = breakingLoad(strip(cells, acrossWarp, new Random(seed)), acrossWarp, settings, substeps)
        expect(load).toBeGreaterThan(0.85)
        expect(load).toBeLessThan(1.15)
      }
    },
  )

  it.each(seeds(2))('breaks where a hole leaves less of it, at what that bears, seed %i', (seed) => {
    const radius = 0.06
    const sheet = holed(strip(16, false, new Random(seed)), radius)
    const load = breakingLoad(sheet, false, { tearStrength: 10 }, 10)
    const left = 1 - (2 * radius) / WIDTH
    expect(load / left).toBeGreaterThan(0.85)
    expect(load / left).toBeLessThan(1.15)
  })
})

it.each(seeds(2))(
  'a sheet that is pulled at a point tears at what five of its cells bear, or less, seed %i',
  (seed) => {
    const cells = 16
    const { model } = clothMeshModel(irregularSheet(1, 1, cells, cells, 0.3, new Random(seed)))
    const world = new World({ gravity: [0, 0, 0] })
    const body = world.addBody(model, { tearStrength: 20, shapeDamping: 20, strainLimit: 0.05 })
    body.pin(rimOf(model))
    const forces = new Float64Array(3 * model.particleCount)
    const middle = nearest(model)
    let pull = 0
    for (; world.stats.tears === 0 && pull < 20; pull += 0.03) {
      forces[3 * middle + 2] = pull
      body.addForces(forces)
      world.step()
    }
    expect(pull).toBeLessThan((5 / cells) * 20)
  },
)

const rimOf = ({ positions, particleCount }: Model): number[] =>
  Array.from({ length: particleCount }, (_, i) => i).filter((i) =>
    [0, 1].some((d) => Math.abs(positions[3 * i + d]!) > 0.5 - 1e-9),
  )

const nearest = ({ positions, particleCount }: Model): number => {
  const away = (i: number) => Math.hypot(positions[3 * i]!, positions[3 * i + 1]!)
  return Array.from({ length: particleCount }, (_, i) => i).reduce((a, b) => (away(b) < away(a) ? b : a))
}
