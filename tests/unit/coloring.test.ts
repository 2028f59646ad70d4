import { describe, expect, it } from 'vitest'
import { colorRows, mirroredOrder } from '../../src/core/coloring.js'
import { boxLattice } from '../support/lattice.js'
import { seededRandom } from '../support/random.js'

/** Rows of `arity` different particles each. */
function randomRows(seed: number, arity: number, rows: number, particles: number): Uint32Array {
  const next = seededRandom(seed)
  const indices: number[] = []
  for (let row = 0; row < rows; row++) {
    const corners = new Set<number>()
    while (corners.size < arity) corners.add(Math.floor(next() * particles))
    indices.push(...corners)
  }
  return Uint32Array.from(indices)
}

describe('colouring', () => {
  for (const seed of [1, 2, 3, 4, 5, 6]) {
    const arity = 2 + (seed % 3)
    // The last seeds crowd the particles, so that more than 32 colours are needed.
    const indices = randomRows(seed, arity, 60 * seed, seed > 3 ? 12 : 50)
    const particles = Math.max(...indices) + 1
    const { order, starts } = colorRows(indices, arity, particles)
    const corners = (row: number) => Array.from(indices.subarray(row * arity, (row + 1) * arity))

    it(`keeps every row, once, seed ${seed}`, () => {
      expect([...order].sort((a, b) => a - b)).toEqual(Array.from(order, (_, row) => row))
      expect(starts[0]).toBe(0)
      expect(starts.at(-1)).toBe(order.length)
    })

    it(`rows of one colour share no particle, seed ${seed}`, () => {
      for (let c = 0; c + 1 < starts.length; c++) {
        const used = Array.from(order.subarray(starts[c], starts[c + 1])).flatMap(corners)
        expect(new Set(used).size).toBe(used.length)
      }
    })

    // A row has at most arity x (degree - 1) neighbours, and greedy colouring takes the first that none of them has.
    it(`takes no more colours than a row has neighbours, and one, seed ${seed}`, () => {
      const degrees = new Uint32Array(particles)
      for (const i of indices) degrees[i] = degrees[i]! + 1
      expect(starts.length - 1).toBeLessThanOrEqual(arity * (Math.max(...degrees) - 1) + 1)
    })
  }

  it('takes no more colours than a chain needs: two', () => {
    const chain = Uint32Array.from({ length: 200 }, (_, k) => (k + 1) >> 1)
    expect(colorRows(chain, 2, 101).starts).toEqual(Uint32Array.of(0, 50, 100))
  })

  it('gives mirror images the same colour, where they do not touch: a chain', () => {
    const chain = Uint32Array.from({ length: 14 }, (_, k) => (k + 1) >> 1)
    const x = Float64Array.from({ length: 24 }, (_, k) => (k % 3 === 0 ? 0.1 * (k / 3) : 0))
    const { order, starts } = colorRows(chain, 2, 8, mirroredOrder(chain, 2, x))
    expect([...order]).toEqual([1, 3, 5, 0, 2, 4, 6])
    expect([...starts]).toEqual([0, 3, 7])
  })

  it.each([
    [1, 2, 0],
    [2, 0, 1],
    [0, 2, 1],
    [2, 1, 0],
  ])(
    'takes a mesh in one order, whichever of its axes is the first, the second and the third: %d, %d, %d',
    (...axes) => {
      const turned = (of: readonly number[]) => axes.map((d) => of[d]!) as [number, number, number]
      const visited = (size: readonly number[], cells: readonly number[]) => {
        const { positions, tets } = boxLattice(size as [number, number, number], cells as [number, number, number])
        return Array.from(mirroredOrder(tets, 4, positions), (row) =>
          [0, 1, 2].map((d) => {
            const sum = [0, 1, 2, 3].reduce((all, k) => all + positions[tets[row * 4 + k]! * 3 + d]!, 0)
            return Math.round(1e6 * sum) + 0
          }),
        )
      }
      const size = [0.5, 1.5, 0.75]
      const cells = [2, 6, 3]
      expect(visited(turned(size), turned(cells))).toEqual(visited(size, cells).map(turned))
    },
  )
})
