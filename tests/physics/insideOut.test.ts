// A corner that has been pressed in until its tetrahedron is inside out, with the corner of another solid in the dent.
import { describe, expect, it } from 'vitest'
import { type Body, tetMeshModel, World } from '../../src/headless.js'
import { putAt } from '../fuzz/starts.js'
import { material } from '../support/elastic.js'
import { invertedTets } from '../support/inverted.js'
import { boxLattice, cube } from '../support/lattice.js'
import { expectHealthy, positionsOf, run } from '../support/laws.js'

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

/** The cube, its far faces pinned, with one corner turned in, and the wedge in the dent, pinned as well. */
function press(modulus: number): { world: World; body: Body; other: Body } {
  const world = new World({ gravity: [0, 0, 0] })
  const turned = Float64Array.from(dented.positions)
  const particles = [...Array(dented.particleCount).keys()]
  const at = (i: number) => [0, 1, 2].map((d) => dented.positions[i * 3 + d]!)
  const corner = particles.find((i) => at(i).every((value) => value > SIDE / 2 - 1e-9))!
  for (let d = 0; d < 3; d++) turned[corner * 3 + d] = tip
  const body = world.addBody(dented, { elastic: material(modulus, 0.45), shapeDamping: 6, friction: 1 })
  body.pin(particles.filter((i) => at(i).some((value) => value < -SIDE / 2 + 1e-9)))
  const other = world.addBody(wedge(), { elastic: material(1e6, 0.4), friction: 1 })
  other.pin([...Array(other.particleCount).keys()])
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
