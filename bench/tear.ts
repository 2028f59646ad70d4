// Cloths for tear.mjs: one that is whole and may tear, one that may not, one that is ripped on in each step.
import { type Body, clothModel, World } from '../src/headless.js'

const CELLS = 64

/** A sheet of 64 x 64 cells that hangs, with `others` more in the world that are baked with it. */
export function hanging(
  settings: { tearStrain?: number; tearStrength?: number },
  others: number,
): { world: World; body: Body } {
  const world = new World()
  const { model } = clothModel({ width: 2, height: 2, segmentsX: CELLS, segmentsY: CELLS })
  const pins = Array.from({ length: CELLS + 1 }, (_, i) => i)
  const body = world.addBody(model, settings)
  body.pin(pins)
  for (let k = 0; k < others; k++) {
    const other = world.addBody(model, { position: [5 + 5 * k, 0, 0] })
    other.pin(pins)
  }
  for (let step = 0; step < 20; step++) world.step()
  return { world, body }
}

/** Cuts on by an edge or two, at height `k` of the sheet's rows. */
export function cutOn(body: Body, k: number): void {
  const y = 0.9 - (1.8 * (k % 16)) / 16
  const x = -1 + (2 * Math.floor(k / 16)) / CELLS
  const ends = (at: number): [[number, number, number], [number, number, number]] => [
    [at, y, -1],
    [at, y, 1],
  ]
  body.cut({ from: ends(x - 0.01), to: ends(x + 2 / CELLS) })
}
