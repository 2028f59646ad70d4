// Shots at a sheet close above a collider: whatever pushes, and in whichever substep, nothing gets through anything.
import { BoxGeometry } from 'three'
import { describe, expect, it } from 'vitest'
import { type Body, clothModel, mesh, type PresetName, plane, presets, World } from '../../src/headless.js'
import { crossings } from '../support/crossings.js'
import { Random } from '../support/draw.js'
import { ball } from '../support/lattice.js'
import { positionsOf } from '../support/laws.js'
import { long } from '../support/long.js'
import { fromGeometry } from '../support/meshes.js'

const room = mesh(fromGeometry(new BoxGeometry(2, 2, 2)), { solid: false })
const names = Object.keys(presets) as PresetName[]
const shotModel = ball(0.1, 3)

const sheets = {
  'a cloth and a shot': { cells: 4, gap: 0.05, count: 1, extra: {}, from: 0 },
  'a tile that rebounds and a shot': { cells: 1, gap: 0.1, count: 1, extra: { restitution: 1 }, from: 0 },
  'a cloth and two shots': { cells: 4, gap: 0.15, count: 2, extra: {}, from: 31 },
}
const floors = {
  'an open mesh': { shape: room, at: 0, deepest: 1e-3 },
  // What is pressed into it by others is in it for a step.
  'the ground': { shape: plane(), at: -1, deepest: 0.02 },
}
const cases = Object.entries(floors).flatMap(([floor, ground]) =>
  Object.entries(sheets).map(([sheet, shots]) => [`above ${floor} ${sheet}`, { ...ground, ...shots }] as const),
)

/** The lowest that any particle is above the floor [m]. */
function lowest(bodies: readonly Body[]): number {
  const heights = bodies.flatMap((body) => [...positionsOf(body)].filter((_, p) => p % 3 === 1))
  return 1 + Math.min(...heights)
}

describe.each(cases)('%s', (_, { shape, at, deepest, cells, gap, count, extra, from }) => {
  const seeds = [1, 2, 6, ...long(3, 4, 5, 7, 8, 9, 10)].map((seed) => from + seed)
  it.each(seeds)('of 10 to 30 m/s pass nothing, seed %i', (seed) => {
    const random = new Random(seed)
    const world = new World({ gravity: [0, 0, 0] })
    world.addCollider(shape, { position: [0, at, 0] })
    const { model } = clothModel({ width: 0.3, height: 0.3, segmentsX: cells, segmentsY: cells })
    const position = [0, random.uniform(0.03, gap) - 1, 0] as const
    const sheet = world.addBody(model, { position, rotation: [Math.SQRT1_2, 0, 0, Math.SQRT1_2] })
    const shots = Array.from({ length: count }, (_, k) => {
      const place = [random.uniform(-0.05, 0.05), 0.25 * k - random.uniform(0.5, 0.7), random.uniform(-0.05, 0.05)]
      const shot = world.addBody(shotModel, {
        ...presets[names[random.integer(0, names.length - 1)]!],
        ...extra,
        position: [place[0]!, place[1]!, place[2]!],
        rotation: random.rotation(),
      })
      shot.setVelocity([0, -random.uniform(10, 30), 0])
      return shot
    })
    for (let step = 0; step < 8; step++) {
      world.step()
      expect(lowest(world.bodies)).toBeGreaterThan(-deepest)
      for (const shot of shots) expect(crossings(shot, sheet) + crossings(sheet, shot)).toBe(0)
    }
    expect(world.stats.contactClamps).toBe(0)
    expect(world.stats.contacts + world.stats.sweptContacts).toBeGreaterThan(0)
  })
})
