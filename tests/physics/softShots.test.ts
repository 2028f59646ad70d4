import { describe, expect, it } from 'vitest'
import { type Body, clothModel, World } from '../../src/headless.js'
import { crossings } from '../support/crossings.js'
import { Random, seeds } from '../support/draw.js'
import { material } from '../support/elastic.js'
import { ball, cube } from '../support/lattice.js'

/** Seeds of a run; `SHOTS=200` tries more. */
const count = Number(process.env.SHOTS ?? 7)

function sheetOf(random: Random, low: number, high: number) {
  const [nx, ny] = [random.integer(4, 12), random.integer(4, 12)]
  const size = () => random.uniform(low, high)
  return clothModel({ width: size(), height: size(), segmentsX: nx, segmentsY: ny }).model
}

/** Something thrown at a sheet at 30 m/s, straight or grazing. */
function shoot(seed: number): { world: World; sheet: Body; shot: Body } {
  const random = new Random(seed)
  const world = new World({ gravity: [0, 0, 0] })
  const n = random.integer(6, 14)
  const { model } = clothModel({ width: 1, height: 1, segmentsX: n, segmentsY: n })
  const sheet = world.addBody(model, { density: random.scale(0.1, 1), friction: random.uniform(0, 1) })
  const edge = Array.from({ length: n + 1 }, (_, i) => [i, n * (n + 1) + i]).flat()
  if (random.uniform() < 0.7) sheet.pin(edge)
  const kind = seed % 3
  const thrown =
    kind === 0
      ? ball(random.uniform(0.05, 0.2), random.integer(2, 4))
      : kind === 1
        ? cube(random.uniform(0.05, 0.3), random.integer(1, 3))
        : sheetOf(random, 0.2, 0.7)
  const slope = random.uniform(0, 2)
  const aim = [slope, random.uniform(-0.3, 0.3), -1]
  const way = aim.map((value) => value / Math.hypot(...aim))
  const [x, y, z] = way.map((value) => -0.8 * value) as [number, number, number]
  const shot = world.addBody(thrown, {
    position: [x + random.uniform(-0.2, 0.2), y + random.uniform(-0.2, 0.2), z],
    rotation: random.rotation(),
    density: kind === 2 ? 0.3 : random.scale(50, 1000),
    ...(kind === 2 ? {} : { elastic: material(1e5, 0.4) }),
  })
  const [vx, vy, vz] = way.map((value) => 30 * value) as [number, number, number]
  shot.setVelocity([vx, vy, vz], random.vector(5))
  return { world, sheet, shot }
}

describe('what is thrown at a cloth at 30 m/s does not pass through it', () => {
  for (const seed of seeds(count)) {
    it(`${['a ball', 'a cube', 'a cloth'][seed % 3]}, seed ${seed}`, () => {
      const { world, sheet, shot } = shoot(seed)
      let touched = 0
      let told = 0
      let crossed = 0
      world.onUnstable((_, reason) => {
        if (reason === 'contact') told++
      })
      for (let k = 1; k <= 9; k++) {
        world.step()
        touched += world.stats.surfaceContacts
        if (k % 3 === 0) crossed += crossings(sheet, shot) + crossings(shot, sheet)
      }
      expect(crossed).toBe(0)
      expect(touched).toBeGreaterThan(0)
      expect(world.stats).toMatchObject({ speedClamps: 0, crossings: 0 })
      // The last resort stops a few particles of the hardest shots; most need none. It does not keep that to itself.
      expect(told > 0).toBe(world.stats.contactClamps > 0)
    })
  }
})
