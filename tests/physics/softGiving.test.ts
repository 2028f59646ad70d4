// Contacts whose corners give way unequally: where pins hold what a contact asks to go, nothing is thrown.
import { describe, expect, it } from 'vitest'
import { clothModel, World } from '../../src/headless.js'
import { Random, seeds } from '../support/draw.js'
import { material } from '../support/elastic.js'
import { ball, cube } from '../support/lattice.js'
import { positionsOf } from '../support/laws.js'

/** Cloths are drawn over what is pushed into them, by up to three times their length, and snap back. */
const SNAPS_BACK = 60

describe('a solid that is moved into a curtain near its pins', () => {
  it.each(seeds(8))('throws none of it, seed %i', (seed) => {
    const random = new Random(seed)
    const segments = random.integer(6, 14)
    const { model } = clothModel({ width: 1, height: 1, segmentsX: segments, segmentsY: segments })
    const world = new World({ sleeping: false })
    const cloth = world.addBody(model, { position: [0, 1, 0], damping: 1 })
    const every = random.integer(1, 4)
    const top = Array.from({ length: segments + 1 }, (_, i) => i).filter((i) => i % every === 0)
    for (const i of top) expect(model.positions[i * 3 + 1]).toBeCloseTo(0.5)
    cloth.pin(top)
    const solid = world.addBody(random.integer(0, 1) === 0 ? ball(0.2, 4) : cube(0.3, 3), {
      elastic: material(1e5, 0.45),
      position: [random.uniform(-0.4, 0.4), random.uniform(1.2, 1.6), 0.4],
      rotation: random.rotation(),
    })
    const start = positionsOf(solid)
    const all = Array.from({ length: solid.particleCount }, (_, i) => i)
    solid.pin(all)
    const speed = random.uniform(0.2, 1.5)
    let fastest = 0
    for (let step = 0; step < 90; step++) {
      const way = Math.min((speed * step) / 60, 0.6)
      for (const i of all) solid.movePin(i, [start[i * 3]!, start[i * 3 + 1]!, start[i * 3 + 2]! - way])
      const before = positionsOf(cloth)
      world.step()
      const after = positionsOf(cloth)
      for (let p = 0; p < after.length; p += 3) {
        const moved = [0, 1, 2].map((d) => after[p + d]! - before[p + d]!)
        fastest = Math.max(fastest, 60 * Math.hypot(...moved))
      }
    }
    expect(fastest).toBeLessThan(SNAPS_BACK)
    expect(world.stats.speedClamps).toBe(0)
  })
})
