// Which bodies may touch: exactly those whose boxes overlap, in ascending order, at a cost near linear in their number.
import { describe, expect, it } from 'vitest'
import { BoxPairs } from '../../src/core/collision/soft/boxPairs.js'
import { BOX } from '../../src/core/collision/soft/boxTree.js'
import { Random } from '../support/draw.js'

type Place = (k: number, count: number, random: Random) => readonly number[]

const wall =
  (across: number): Place =>
  (k, count) => {
    const side = Math.ceil(Math.sqrt(count))
    const at = [k % side, Math.floor(k / side)]
    return [0, 1, 2].map((d) => (d === across ? 0 : at[d > across ? d - 1 : d]!))
  }
const row =
  (along: number): Place =>
  (k) =>
    [0, 1, 2].map((d) => (d === along ? k : 0))
const cube: Place = (k, count) => {
  const side = Math.ceil(Math.cbrt(count))
  return [k % side, Math.floor(k / side) % side, Math.floor(k / side ** 2)]
}
const heap: Place = (_, count, random) => random.vector(Math.cbrt(count) / 2)
const scattered: Place = (_, count, random) => random.vector(Math.cbrt(count) * 5)

const layouts: Record<string, Place> = {
  'a wall across x': wall(0),
  'a wall across y': wall(1),
  'a wall across z': wall(2),
  'a row along x': row(0),
  'a row along z': row(2),
  'a cube': cube,
  'a heap': heap,
  'far from each other': scattered,
}

/** Boxes of half a unit to 1.2, numbered anyhow; the first of some is as large as all. */
function draw(count: number, place: Place, random: Random, origin: number, sizes: 'alike' | 'mixed' | 'huge') {
  const boxes = new Float64Array(count * BOX)
  const ids = Uint32Array.from({ length: count }, (_, k) => k)
  for (let k = count - 1; k > 0; k--) {
    const other = random.integer(0, k)
    ;[ids[k], ids[other]] = [ids[other]!, ids[k]!]
  }
  ids.forEach((b, k) => {
    const at = place(k, count, random)
    for (let d = 0; d < 3; d++) {
      const half = sizes === 'alike' ? 0.4 : random.uniform(0.25, 0.6)
      const huge = sizes === 'huge' && k === 0
      boxes[b * BOX + d] = huge ? origin - 2 * count : origin + at[d]! - half
      boxes[b * BOX + 3 + d] = huge ? origin + 2 * count : origin + at[d]! + half
    }
  })
  return boxes
}

const everyone = { asks: () => true, mayMeet: () => true }
const all = (count: number) => Uint32Array.from({ length: count }, (_, k) => k)

function overlap(boxes: Float64Array, a: number, b: number): boolean {
  return [0, 1, 2].every(
    (d) => boxes[a * BOX + d]! <= boxes[b * BOX + 3 + d]! && boxes[b * BOX + d]! <= boxes[a * BOX + 3 + d]!,
  )
}

const partnersOf = ({ partners, starts }: BoxPairs, count: number) =>
  Array.from({ length: count }, (_, b) => Array.from(partners.subarray(starts[b], starts[b + 1])))

describe('the pairs are those of every box with every other, ascending', () => {
  const pairs = new BoxPairs()
  const count = 200
  for (const [name, place] of Object.entries(layouts)) {
    it.each([0, 1e6])(`${name}, %d m from the origin, seed 5`, (origin) => {
      for (const [count, sizes] of [
        [1, 'alike'],
        [50, 'mixed'], // few are compared one by one
        [200, 'alike'],
        [200, 'mixed'],
        [200, 'huge'],
      ] as const) {
        const boxes = draw(count, place, new Random(5), origin, sizes)
        const expected = all(count).reduce<number[][]>((lists, a) => {
          lists.push(Array.from(all(count)).filter((b) => b !== a && overlap(boxes, a, b)))
          return lists
        }, [])
        pairs.find(boxes, count, all(count), count, everyone)
        expect(partnersOf(pairs, count)).toEqual(expected)
      }
    })
  }

  it('all in one place: all with all', () => {
    pairs.find(new Float64Array(40 * BOX), 40, all(40), 40, everyone)
    expect(partnersOf(pairs, 40)).toEqual(
      Array.from({ length: 40 }, (_, a) => Array.from(all(40)).filter((b) => b !== a)),
    )
  })

  it('but those that do not meet, that have no box, or of which neither asks, seed 6', () => {
    const boxes = draw(count, heap, new Random(6), 0, 'huge')
    const listed = all(count).filter((b) => b % 7 !== 0)
    const meets = { asks: (b: number) => b % 3 === 0, mayMeet: (a: number, b: number) => (a ^ b) % 5 !== 0 }
    pairs.find(boxes, count, listed, listed.length, meets)
    const counts = (a: number, b: number) =>
      a !== b && a % 7 !== 0 && b % 7 !== 0 && (meets.asks(a) || meets.asks(b)) && meets.mayMeet(a, b)
    const expected = Array.from(all(count), (a) =>
      Array.from(all(count)).filter((b) => counts(a, b) && overlap(boxes, a, b)),
    )
    expect(partnersOf(pairs, count)).toEqual(expected)
  })

  it('and a box reaches the partners that it overlaps, of few and of many, seed 7', () => {
    const random = new Random(7)
    const boxes = draw(count, heap, random, 0, 'huge')
    pairs.find(boxes, count, all(count), count, everyone)
    const probe = new Float64Array(2 * BOX)
    partnersOf(pairs, count).forEach((partners, b) => {
      for (const size of [0.5, 4]) {
        random.vector(2).forEach((at, d) => {
          probe[d] = at
          probe[3 + d] = at + size
        })
        const both = Float64Array.from([...boxes, ...probe.subarray(0, BOX)])
        const expected = partners.filter((p) => overlap(both, p, count))
        const found = pairs.reach(b, probe, 0)
        expect(Array.from(pairs.found.subarray(0, found))).toEqual(expected)
        expect(pairs.reaches(b, probe, 0)).toBe(expected.length > 0)
      }
    })
  })
})

describe('what is looked at grows near linearly', () => {
  // n boxes: some log n nodes each, so ten times as many take 10 log(10^5) / log(10^4) = 12.5 times as many looks.
  for (const [name, place] of Object.entries(layouts)) {
    it.each(['alike', 'huge'] as const)(`${name}, sizes %s, seed 8: at most 14 times for 10 times as many`, (sizes) => {
      const looks = [2000, 20_000].map((count) => {
        const pairs = new BoxPairs()
        pairs.find(draw(count, place, new Random(8), 0, sizes), count, all(count), count, everyone)
        return pairs.tree.looks
      })
      expect(looks[1]! / looks[0]!).toBeLessThan(14)
    })
  }
})
