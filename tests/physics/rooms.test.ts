// What is drawn out of another thing, as if it had always been elsewhere, passes no third one on the way.
import { describe, expect, it } from 'vitest'
import { type Body, clothModel, tetMeshModel, type Vec3, World } from '../../src/headless.js'
import { crossings } from '../support/crossings.js'
import { Random } from '../support/draw.js'
import { boxLattice } from '../support/lattice.js'
import { expectHealthy, run } from '../support/laws.js'
import { long } from '../support/long.js'

const SIZE = 0.3
const cube = tetMeshModel(boxLattice([SIZE, SIZE, SIZE], [3, 3, 3])).model
const sheet = clothModel({ width: 1, height: 1, segmentsX: 9, segmentsY: 9 }).model
const still = { gravity: [0, 0, 0], sleeping: false } as const

/** A sheet across x, held at all its points or at its corners. */
function screen(world: World, x: number, held: 'all' | 'corners'): Body {
  const body = world.addBody(sheet, {
    position: [x, 0, 0],
    rotation: [0, Math.SQRT1_2, 0, Math.SQRT1_2],
    thickness: 0.005,
  })
  body.pin(held === 'all' ? Array.from({ length: sheet.particleCount }, (_, i) => i) : [0, 9, 90, 99])
  return body
}

/** Runs a second; `screens` let nothing through at any time. */
function expectUncrossed(world: World, screens: readonly Body[], others: readonly Body[]): void {
  for (let step = 0; step < 60; step++) {
    run(world, 1 / 60)
    for (const one of screens) for (const other of others) expect(crossings(one, other) + crossings(other, one)).toBe(0)
  }
  expectHealthy(world)
}

describe('beside a screen nothing is put on its far side', () => {
  for (const seed of [1, 2, ...long(3, 4)]) {
    for (const held of ['all', 'corners'] as const) {
      it(`that is drawn out of a sheet, screen held at ${held}, seed ${seed}`, () => {
        const random = new Random(seed)
        const world = new World(still)
        const at: Vec3 = [0, random.uniform(-0.1, 0.1), random.uniform(-0.1, 0.1)]
        const body = world.addBody(cube, { position: at })
        // The shorter way out leads to the screen.
        const through = screen(world, random.uniform(0.05, 0.1), 'all')
        const beside = screen(world, -SIZE / 2 - random.uniform(0.0003, 0.003), held)
        expect(crossings(body, through)).toBeGreaterThan(0)
        expectUncrossed(world, [beside], [body])
      })
    }
  }

  it.each(long(1))('that is one of a crowd in one place, seed %i', (seed) => {
    const random = new Random(seed)
    const world = new World(still)
    const crowd = Array.from({ length: 6 }, () => world.addBody(cube, { position: random.vector(0.03) }))
    const screens = [1, -1].map((side) => screen(world, side * (SIZE / 2 + 0.031), 'all'))
    expectUncrossed(world, screens, crowd)
  })
})
