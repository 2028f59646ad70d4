// Balls of 30 m/s at plates held by their rims: both are crushed inside out, and still neither gets into the other.
import { BoxGeometry, SphereGeometry } from 'three'
import { describe, expect, it } from 'vitest'
import { type Body, presets, softBodyModel, tetMeshModel, World } from '../../src/headless.js'
import { Random, seeds } from '../support/draw.js'
import { material } from '../support/elastic.js'
import { inside } from '../support/inside.js'
import { invertedTets } from '../support/inverted.js'
import { boxLattice, ball as lattice } from '../support/lattice.js'
import { centerOf, positionsOf } from '../support/laws.js'
import { long } from '../support/long.js'
import { fromGeometry } from '../support/meshes.js'

const HALF = 0.45
const SPEED = 30
const STEPS = 16
const ball = softBodyModel(fromGeometry(new SphereGeometry(0.12, 16, 12)), { resolution: 4 }).model
const corners = [...new Set(ball.triangles)]
const plateOf = (thick: number, resolution: number) =>
  softBodyModel(fromGeometry(new BoxGeometry(2 * HALF, 2 * HALF, thick)), { resolution }).model

/** Particles of a ball's surface that are in a plate. */
function within(shot: Body, plate: Body): number {
  const [x, y] = [positionsOf(plate), positionsOf(shot)]
  return corners.filter((i) => inside(x, plate.model.triangles, [y[i * 3]!, y[i * 3 + 1]!, y[i * 3 + 2]!])).length
}

const cases = [
  { thrown: 'muscle', target: 'jelly', plate: plateOf(0.12, 8), seeds: [1, 2, ...long(3, 4, 8, 14, 18)] },
  { thrown: 'jelly', target: 'firm', plate: plateOf(0.12, 8), seeds: [1, ...long(2)] },
  { thrown: 'firm', target: 'firm', plate: plateOf(0.06, 14), seeds: [10, ...long(1, 2, 3, 4, 9)] },
] as const

describe('a ball of 24 cm at a plate held by its rim, both crushed', () => {
  for (const { thrown, target, plate: model, seeds } of cases) {
    const { positions: x, particleCount } = model
    const isRim = (i: number) => Math.max(Math.abs(x[i * 3]!), Math.abs(x[i * 3 + 1]!)) > HALF - 0.01
    const rim = Array.from({ length: particleCount }, (_, i) => i).filter(isRim)
    const thick = (2 * Math.max(...x.filter((_, p) => p % 3 === 2)) * 100).toFixed(0)
    it.each(seeds)(`${thrown} of ${SPEED} m/s stays out of ${thick} cm of ${target}, seed %d`, (seed) => {
      const random = new Random(seed)
      const world = new World({ gravity: [0, 0, 0] })
      const plate = world.addBody(model, presets[target])
      plate.pin(rim)
      const position = [random.uniform(-0.1, 0.1), random.uniform(-0.1, 0.1), 0.3] as const
      const shot = world.addBody(ball, { ...presets[thrown], position, rotation: random.rotation() })
      shot.setVelocity([0, 0, -SPEED], random.vector(5))
      let crushed = 0
      for (let k = 0; k < STEPS; k++) {
        world.step()
        crushed = Math.max(crushed, invertedTets(shot))
        // A coarse rim may catch one for some steps.
        expect(within(shot, plate)).toBeLessThanOrEqual(1)
      }
      expect(crushed).toBeGreaterThan(10)
      expect(within(shot, plate)).toBe(0)
      // Behind it there is no way but through it.
      expect(centerOf(shot)[2]).toBeGreaterThan(centerOf(plate)[2])
      const { contactClamps, speedClamps, nonFiniteRescues } = world.stats
      expect([contactClamps, speedClamps, nonFiniteRescues]).toEqual([0, 0, 0])
    })
  }
})

describe('balls at a plate of cells that are far wider than it is thick', () => {
  it.each(seeds(6))(`of ${SPEED} m/s, one after the other, do not pass it, seed %i`, (seed) => {
    const random = new Random(seed)
    const world = new World({ gravity: [0, 0, 0], maxSpeed: 200 })
    const { model } = tetMeshModel(boxLattice([1, 1, random.uniform(0.02, 0.05)], [4, 4, 1]))
    const plate = world.addBody(model, { density: 1000, elastic: material(random.scale(5e5, 2e6), 0.4) })
    const { positions: x, particleCount } = model
    plate.pin(
      Array.from({ length: particleCount }, (_, i) => i).filter((i) => Math.hypot(x[i * 3]!, x[i * 3 + 1]!) > 0.49),
    )
    for (let k = 0; k < 4; k++) {
      const position = [random.uniform(-0.15, 0.15), random.uniform(-0.15, 0.15), random.uniform(0.3, 0.4)] as const
      const shot = world.addBody(lattice(random.uniform(0.06, 0.1), 2), {
        density: 1000,
        position,
        elastic: material(2e5, 0.4),
      })
      shot.setVelocity([0, 0, -SPEED])
      for (let step = 0; step < STEPS; step++) world.step()
      expect(shot.velocity([0, 0, 0])[2], `ball ${k}`).toBeGreaterThan(-SPEED / 3)
      expect(centerOf(shot)[2], `ball ${k}`).toBeGreaterThan(-0.5)
      shot.remove()
      plate.reset()
    }
    expect([world.stats.contactClamps, world.stats.speedClamps]).toEqual([0, 0])
  })
})
