// A corner that has been pressed in until its tetrahedron is inside out, with the corner of another solid in the dent.
import { describe, expect, it } from 'vitest'
import {
  type Body,
  clothModel,
  type Model,
  particlesModel,
  ropeModel,
  tetMeshModel,
  World,
} from '../../src/headless.js'
import { putAt, startPositions } from '../fuzz/starts.js'
import { crossings } from '../support/crossings.js'
import { Random, seeds } from '../support/draw.js'
import { material } from '../support/elastic.js'
import { inside } from '../support/inside.js'
import { invertedTets } from '../support/inverted.js'
import { boxLattice, cube } from '../support/lattice.js'
import { expectHealthy, positionsOf, rmsSpeed, run } from '../support/laws.js'

const SIDE = 0.4
const CELLS = 3
const cell = SIDE / CELLS
const dented = cube(SIDE, CELLS)

/** Where the corner's particle is along each axis, its tetrahedron being mirrored in the face behind it [m]. */
const tip = SIDE / 2 - (2 / 3) * cell

/** The edges of that dent, mirrored as well: a cube along them fits in. */
const edges = [
  [-1 / 3, 2 / 3, 2 / 3],
  [2 / 3, -1 / 3, 2 / 3],
  [2 / 3, 2 / 3, -1 / 3],
] as const

/** A cube whose corner stands in the dent, as far from it as the two keep apart. */
function wedge() {
  const { positions, tets } = boxLattice([0.3, 0.3, 0.3], [1, 1, 1])
  const placed = positions.map((_, p) => {
    const corner = p - (p % 3)
    return edges.reduce((sum, edge, k) => sum + (positions[corner + k]! + 0.15) * edge[p % 3]!, tip + 0.008)
  })
  return tetMeshModel({ positions: placed, tets }).model
}

/** A block of 0.6 m, a face of which cuts the cube's corner off, `depth` m from its tip. */
function block(depth: number) {
  const { positions, tets } = boxLattice([0.6, 0.6, 0.6], [1, 1, 1])
  const axes = [
    [1 / Math.sqrt(3), 1 / Math.sqrt(3), 1 / Math.sqrt(3)],
    [1 / Math.sqrt(2), -1 / Math.sqrt(2), 0],
    [1 / Math.sqrt(6), 1 / Math.sqrt(6), -2 / Math.sqrt(6)],
  ] as const
  const placed = positions.map((_, p) => {
    const corner = p - (p % 3)
    const middle = SIDE / 2 + (0.3 - depth) * axes[0][p % 3]!
    return axes.reduce((sum, axis, k) => sum + positions[corner + k]! * axis[p % 3]!, middle)
  })
  return tetMeshModel({ positions: placed, tets }).model
}

const particles = [...Array(dented.particleCount).keys()]
const at = (i: number) => [0, 1, 2].map((d) => dented.positions[i * 3 + d]!)

/** The cube, its far faces pinned, and another solid, pinned as well. */
function put(modulus: number, solid: Model): { world: World; body: Body; other: Body } {
  const world = new World({ gravity: [0, 0, 0], sleeping: false })
  const body = world.addBody(dented, { elastic: material(modulus, 0.45), shapeDamping: 6, friction: 1 })
  body.pin(particles.filter((i) => at(i).some((value) => value < -SIDE / 2 + 1e-9)))
  const other = world.addBody(solid, { elastic: material(1e6, 0.4), friction: 1 })
  other.pin([...Array(other.particleCount).keys()])
  return { world, body, other }
}

/** The cube with one corner turned in, and the wedge in the dent. */
function press(modulus: number): { world: World; body: Body; other: Body } {
  const { world, body, other } = put(modulus, wedge())
  const turned = Float64Array.from(dented.positions)
  const corner = particles.find((i) => at(i).every((value) => value > SIDE / 2 - 1e-9))!
  for (let d = 0; d < 3; d++) turned[corner * 3 + d] = tip
  putAt(world, body, turned)
  expect(invertedTets(body)).toBe(1)
  return { world, body, other }
}

describe('a corner that is held in, inside out', () => {
  for (const modulus of [2e4, 1e5]) {
    it(`by what does not give way, turns back within a second and stays so: ${modulus / 1e3} kPa`, () => {
      const { world, body, other } = press(modulus)
      run(world, 1)
      run(world, 2, () => expect(invertedTets(body)).toBe(0))
      expectHealthy(world)
      other.remove()
      run(world, 3)
      // What is left alone has its own shape again, to a thousandth of its side.
      const off = positionsOf(body).map((value, p) => Math.abs(value - dented.positions[p]!))
      expect(Math.max(...off)).toBeLessThan(1e-3 * SIDE)
    })
  }
})

// The tetrahedron of that corner is as thick as a cell over the root of three, 7.7 cm.
describe('a corner that is deeper in another solid than its tetrahedron is thick', () => {
  for (const modulus of [2e4, 1e6]) {
    for (const depth of [0.08, 0.13]) {
      it(`is pushed as far as it stays upright, and lies still: ${modulus / 1e3} kPa, ${100 * depth} cm`, () => {
        const { world, body } = put(modulus, block(depth))
        run(world, 2)
        const before = positionsOf(body)
        let most = 0
        run(world, 1, () => {
          expect(invertedTets(body)).toBe(0)
          const after = positionsOf(body)
          for (let p = 0; p < after.length; p++) most = Math.max(most, Math.abs(after[p]! - before[p]!))
        })
        expect(most).toBeLessThan(1e-4)
        expectHealthy(world)
      })
    }
  }
})

const thrown = {
  particles: (random: Random) => particlesModel(random.array(90, 0.2), { radius: 0.01 }),
  'a cloth': () => clothModel({ width: 0.5, height: 0.5, segmentsX: 8, segmentsY: 8 }).model,
  'a rope': () => ropeModel({ length: 0.6, segments: 12, radius: 0.01 }).model,
}

/** Edges of two bodies that cross each other, and particles of the first within the second. */
function common(one: Body, solid: Body): number {
  const x = positionsOf(one)
  const y = positionsOf(solid)
  let count = crossings(one, solid) + crossings(solid, one)
  for (let p = 0; p < x.length; p += 3) if (inside(y, solid.model.triangles, [x[p]!, x[p + 1]!, x[p + 2]!])) count++
  return count
}

describe('a solid that is held inside out', () => {
  for (const start of ['mirror', 'random'] as const) {
    it(`bears a cloth, which lies still on it: ${start}, seed 2`, () => {
      const world = new World({ sleeping: false })
      const solid = world.addBody(dented, { elastic: material(1e5, 0.3) })
      putAt(world, solid, startPositions(dented, start, 2))
      solid.pin(particles)
      const { model } = clothModel({ width: 0.5, height: 0.5, segmentsX: 10, segmentsY: 10 })
      const flat = [Math.SQRT1_2, 0, 0, Math.SQRT1_2] as const
      const cloth = world.addBody(model, { position: [0, 0.5, 0], rotation: flat, damping: 2, friction: 0.8 })
      run(world, 3)
      run(world, 1, () => expect(rmsSpeed(cloth)).toBeLessThan(0.02)) // measured 2 to 7 mm/s
      expect(common(cloth, solid)).toBe(0)
      expect(world.stats).toMatchObject({ contactClamps: 0, speedClamps: 0 })
    })

    for (const [name, model] of Object.entries(thrown)) {
      it.each(seeds(4))(`lets nothing in: ${start}, ${name}, seed %i`, (seed) => {
        const random = new Random(seed)
        const world = new World({ gravity: [0, 0, 0], sleeping: false })
        const solid = world.addBody(dented, { elastic: material(1e5, 0.3), friction: random.uniform() })
        putAt(world, solid, startPositions(dented, start, seed))
        solid.pin(particles)
        const way = random.direction()
        const speed = random.scale(2, 40)
        const body = world.addBody(model(random), {
          position: [-0.8 * way[0], -0.8 * way[1], -0.8 * way[2]],
          rotation: random.rotation(),
          friction: random.uniform(),
        })
        body.setVelocity([speed * way[0], speed * way[1], speed * way[2]])
        let touched = 0
        run(world, 0.8 / speed + 0.5, () => {
          touched += world.stats.surfaceContacts
          expect(common(body, solid)).toBe(0)
        })
        expect(touched + world.stats.sweptContacts).toBeGreaterThan(0)
        expect(world.stats).toMatchObject({ contactClamps: 0, speedClamps: 0, nonFiniteRescues: 0 })
      })
    }
  }
})
