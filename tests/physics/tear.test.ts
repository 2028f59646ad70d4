import { describe, expect, it } from 'vitest'
import { type Body, clothMeshModel, clothModel, SettingError, World } from '../../src/headless.js'
import { Random, seeds } from '../support/draw.js'
import { expectHealthy, run } from '../support/laws.js'
import { irregularSheet } from '../support/sheets.js'
import { expectSound, momentumOf, piecesOf } from '../support/torn.js'

const sheet = (width: number, height: number, nx: number, ny: number) =>
  clothModel({ width, height, segmentsX: nx, segmentsY: ny }).model
const row = (nx: number, j: number) => Array.from({ length: nx + 1 }, (_, i) => j * (nx + 1) + i)

/** A strip of 0.4 m that hangs by its upper end, whose weight grows until it breaks: load over width times strength. */
function breakingLoad(nx: number, options: { tearStrength: number; strainLimit?: number }, substeps: number): number {
  const model = sheet(0.4, 0.8, nx, 2 * nx)
  const world = new World({ substeps })
  const body = world.addBody(model, { ...options, shapeDamping: 20 })
  body.pin(row(nx, 0))
  const full = 0.4 * options.tearStrength
  for (let step = 0; world.stats.tears === 0; step++) {
    const load = full * (0.5 + 0.005 * step)
    expect(load).toBeLessThan(2 * full)
    body.set({ gravityScale: load / (body.mass * 9.81) })
    world.step()
  }
  // What hangs below the middle of the second row, where it gives.
  return ((body.settings.gravityScale * body.mass * 9.81) / full) * (1 - 0.75 / (2 * nx))
}

describe('a strip', () => {
  it('breaks at its width times its strength, within 15%, at three resolutions', () => {
    for (const nx of [4, 8, 16]) {
      const load = breakingLoad(nx, { tearStrength: 10 }, 20)
      expect(load).toBeGreaterThan(0.85)
      expect(load).toBeLessThan(1.15)
    }
  })
})
