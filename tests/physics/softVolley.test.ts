// Hundreds of small shots at 30 m/s at cloths: bodies and cloths, straight and grazing. None may pass.
import { describe, expect, it } from 'vitest'
import { type Body, clothModel, type Model, type Vec3, World } from '../../src/headless.js'
import { crossings } from '../support/crossings.js'
import { Random } from '../support/draw.js'
import { material } from '../support/elastic.js'
import { inside } from '../support/inside.js'
import { ball, cube } from '../support/lattice.js'
import { positionsOf } from '../support/laws.js'
import { long } from '../support/long.js'

const SPEED = 30
const HALF = 0.4
const SHOTS = 50

/** Particles of a shot that came from +z and are behind the sheet: along +z there is an odd number of its layers. */
function behind(shot: Body, sheet: Body): number {
  const x = positionsOf(shot)
  const y = positionsOf(sheet)
  let count = 0
  for (let p = 0; p < x.length; p += 3) {
    if (Math.max(Math.abs(x[p]!), Math.abs(x[p + 1]!)) > HALF) continue
    if (inside(y, sheet.model.triangles, [x[p]!, x[p + 1]!, x[p + 2]!])) count++
  }
  return count
}

const thrown: Record<string, (random: Random) => Model> = {
  'a body': (random) =>
    random.uniform() < 0.5 ? ball(random.uniform(0.05, 0.12), 2) : cube(random.uniform(0.06, 0.2), 2),
  'a cloth': (random) => clothModel({ width: 0.3, height: 0.25, segmentsX: 4, segmentsY: random.integer(3, 5) }).model,
}

/** Throws one; the names of what went wrong. */
function shoot(seed: number, model: (random: Random) => Model): string[] {
  const random = new Random(seed)
  const world = new World({ gravity: [0, 0, 0] })
  const n = random.integer(4, 6)
  const sheet = world.addBody(clothModel({ width: 2 * HALF, height: 2 * HALF, segmentsX: n, segmentsY: n }).model, {
    density: random.scale(0.1, 1),
    friction: random.uniform(0, 1),
  })
  const rim = Array.from({ length: (n + 1) ** 2 }, (_, i) => i).filter((i) => {
    const [column, row] = [i % (n + 1), Math.floor(i / (n + 1))]
    return column === 0 || column === n || row === 0 || row === n
  })
  sheet.pin(rim)
  const thing = model(random)
  const solid = thing.tets.length > 0
  const slope = random.uniform(0, 1.2)
  const turn = random.uniform(0, 2 * Math.PI)
  const aim = [slope * Math.cos(turn), slope * Math.sin(turn), -1]
  const way = aim.map((value) => value / Math.hypot(...aim))
  const at = [random.uniform(-0.15, 0.15), random.uniform(-0.15, 0.15), 0]
  const back = 0.3 / -way[2]!
  const shot = world.addBody(thing, {
    position: at.map((value, d) => value - back * way[d]!) as unknown as Vec3,
    rotation: random.rotation(),
    density: solid ? random.scale(30, 300) : random.scale(0.1, 1),
    friction: random.uniform(0, 1),
    ...(solid && { elastic: material(random.scale(1e5, 1e6), 0.4) }),
  })
  shot.setVelocity(way.map((value) => SPEED * value) as unknown as Vec3, random.vector(5))
  let [touched, crossed] = [0, 0]
  for (let k = 0; k < 6; k++) {
    world.step()
    touched += world.stats.surfaceContacts
    if (k % 2 === 1) crossed += crossings(sheet, shot) + crossings(shot, sheet) + behind(shot, sheet)
  }
  const { contactClamps, speedClamps, nonFiniteRescues } = world.stats
  const faults = {
    missed: touched === 0,
    crossed: crossed > 0,
    clamped: contactClamps + speedClamps + nonFiniteRescues > 0,
  }
  return Object.entries(faults).flatMap(([name, value]) => (value ? [`seed ${seed} ${name}`] : []))
}

describe.each(Object.entries(thrown))(`%s at a cloth that is held by its rim, at ${SPEED} m/s`, (_, model) => {
  for (const first of [1, ...long(1 + SHOTS)]) {
    it(`none of ${SHOTS} shots passes, and no guard acts, seeds ${first} to ${first + SHOTS - 1}`, () => {
      const faults = Array.from({ length: SHOTS }, (_, k) => shoot(first + k, model)).flat()
      expect(faults).toEqual([])
    })
  }
})
