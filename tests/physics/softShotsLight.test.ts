// What is thrown at 10 to 30 m/s at cloths three to 34 times lighter than it is.
import { BoxGeometry, type BufferGeometry, SphereGeometry, TorusGeometry, TorusKnotGeometry } from 'three'
import { describe, expect, it } from 'vitest'
import { type Body, clothModel, type Model, presets, softBodyModel, type Vec3, World } from '../../src/headless.js'
import { crossings } from '../support/crossings.js'
import { Random } from '../support/draw.js'
import { kineticEnergy } from '../support/energy.js'
import { fromGeometry } from '../support/meshes.js'

const model = (geometry: BufferGeometry, resolution: number): Model =>
  softBodyModel(fromGeometry(geometry), { resolution }).model

const torus = model(new TorusGeometry(0.15, 0.05, 10, 24), 8)
const knot = model(new TorusKnotGeometry(0.15, 0.05, 24, 4), 5)
const plate = model(new BoxGeometry(0.3, 0.02, 0.3), 4)
const thrown = {
  'a torus': model(new TorusGeometry(0.15, 0.06, 5, 10), 4),
  'a ball': model(new SphereGeometry(0.15, 12, 8), 3),
  'a box': model(new BoxGeometry(0.3, 0.08, 0.2), 4),
}
const holds = ['its rim', 'two corners', 'four corners'] as const
type Held = (typeof holds)[number]

function isHeld(held: Held, row: number, column: number, n: number): boolean {
  const [atRow, atColumn] = [row === 0 || row === n, column === 0 || column === n]
  if (held === 'its rim') return atRow || atColumn
  return atRow && atColumn && (held === 'four corners' || row === n)
}

interface Shot {
  shot: Model
  preset: 'jelly' | 'firm'
  held: Held
  /** Cells of the cloth along a side. */
  n: number
  /** Mass of the body over that of the cloth. */
  heavier: number
  speed: number
}

function throwAt(random: Random, { shot, preset, held, n, heavier, speed }: Shot) {
  const world = new World({ gravity: [0, 0, 0] })
  const body = world.addBody(shot, {
    ...presets[preset],
    position: [random.uniform(-0.15, 0.15), random.uniform(-0.15, 0.15), 0.35],
    rotation: random.rotation(),
    friction: random.uniform(0, 1),
  })
  const sheet = world.addBody(clothModel({ width: 1, height: 1, segmentsX: n, segmentsY: n }).model, {
    mass: body.mass / heavier,
    friction: random.uniform(0, 1),
  })
  const grid = Array.from({ length: (n + 1) ** 2 }, (_, i) => i)
  sheet.pin(grid.filter((i) => isHeld(held, Math.floor(i / (n + 1)), i % (n + 1), n)))
  const [slope, turn] = [random.uniform(0, 0.6), random.uniform(0, 2 * Math.PI)]
  const way = [slope * Math.cos(turn), slope * Math.sin(turn), -1]
  body.setVelocity(way.map((value) => (speed * value) / Math.hypot(...way)) as unknown as Vec3, random.vector(5))
  return { world, body, sheet }
}

/** Steps, and sees to it that nothing passes, that no guard acts and that no energy is made; returns the most pairs. */
function play({ world, body, sheet }: ReturnType<typeof throwAt>, steps: number): number {
  const first = kineticEnergy([body, sheet])
  let [crossed, touched, gained, pairs] = [0, 0, 0, 0]
  for (let k = 1; k <= steps; k++) {
    world.step()
    touched += world.stats.surfaceContacts
    pairs = Math.max(pairs, world.stats.surfaceCandidates)
    gained = Math.max(gained, kineticEnergy([body, sheet]) / first - 1)
    if (k % 3 === 0) crossed += crossings(sheet, body) + crossings(body, sheet)
  }
  const { contactClamps, speedClamps, nonFiniteRescues } = world.stats
  expect({ crossed, contactClamps, speedClamps, nonFiniteRescues }).toEqual({
    crossed: 0,
    contactClamps: 0,
    speedClamps: 0,
    nonFiniteRescues: 0,
  })
  expect(touched).toBeGreaterThan(0)
  // Only the shot moves at first: contact makes no energy, to the rounding of the sums.
  expect(gained).toBeLessThan(1e-9)
  return pairs
}

/** All pairs of elements that two bodies have. */
function allPairs(a: Body, b: Body): number {
  const count = ({ model: { triangles } }: Body) => [new Set(triangles).size, triangles.length / 3] as const
  const [[points, sides], [others, othersSides]] = [count(a), count(b)]
  // A triangle has an edge and a half of its own.
  return points * othersSides + others * sides + 1.5 * sides * 1.5 * othersSides
}

describe('nothing passes a light cloth at 10 to 30 m/s, and no guard acts', () => {
  const kinds = Object.keys(thrown) as (keyof typeof thrown)[]
  for (let seed = 0; seed < 9; seed++) {
    const random = new Random(seed)
    const kind = kinds[seed % kinds.length]!
    const held = holds[Math.floor(seed / kinds.length) % holds.length]!
    const preset = (['jelly', 'firm'] as const)[random.integer(0, 1)]!
    const [heavier, speed, n] = [random.scale(10, 34), random.uniform(10, 30), random.integer(6, 8)]
    const cloth = `a cloth ${heavier.toFixed(0)} times lighter, held by ${held}`
    it(`${kind}, ${preset}, ${speed.toFixed(0)} m/s, at ${cloth}, seed ${seed}`, () => {
      play(throwAt(random, { shot: thrown[kind], preset, held, n, heavier, speed }), 4)
    })
  }

  // It is crushed flat, and thousands of pairs meet in each substep, all of which settle one by one.
  it('a plate of 2 cm, firm, 30 m/s, at a cloth 5 times lighter, held by its rim, seed 2', () => {
    const shot = { shot: plate, preset: 'firm', held: 'its rim', n: 10, heavier: 5, speed: 30 } as const
    play(throwAt(new Random(2), shot), 5)
  })

  it('a knot, firm, 20 m/s, at a cloth 20 times lighter, held by its rim, seed 21', () => {
    const shot = { shot: knot, preset: 'firm', held: 'its rim', n: 6, heavier: 20, speed: 20 } as const
    play(throwAt(new Random(21), shot), 3)
  })

  it('a finer torus, firm, 30 m/s, at a cloth 34 times lighter, held by its rim, seed 11', () => {
    const random = new Random(11)
    const n = random.integer(10, 13)
    const shot = throwAt(random, { shot: torus, preset: 'firm', held: 'its rim', n, heavier: 34, speed: 30 })
    // The cloth is drawn out to several times its width, and single particles of it are thrown by metres. Where leashes
    // go by that, a third of all pairs is listed; measured 0.006 of them.
    expect(play(shot, 7)).toBeLessThan(0.05 * allPairs(shot.body, shot.sheet))
  })
})
