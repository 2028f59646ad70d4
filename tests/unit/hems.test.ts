import { describe, expect, it } from 'vitest'
import { Hems } from '../../src/core/collision/soft/hems.js'
import type { Surfaces } from '../../src/core/collision/soft/surfaces.js'

/** Point 0, about it the points 1 to `spokes`, and a triangle of it with each two of these in turn. */
function fan(spokes: number, closed: boolean) {
  const edges: number[] = []
  const wings: number[] = []
  const beside = (spoke: number) => {
    if (closed) return ((spoke - 1 + spokes) % spokes) + 1
    return spoke < 1 || spoke > spokes ? -1 : spoke
  }
  for (let spoke = 1; spoke <= spokes; spoke++) {
    edges.push(0, spoke)
    wings.push(beside(spoke - 1) + 1, beside(spoke + 1) + 1)
  }
  for (let spoke = 1; spoke <= spokes; spoke++) {
    if (beside(spoke + 1) < 0) continue
    edges.push(spoke, beside(spoke + 1))
    wings.push(1, 0)
  }
  const x = new Float64Array(3 * (spokes + 1))
  for (let spoke = 1; spoke <= spokes; spoke++) {
    const angle = (2 * Math.PI * spoke) / (spokes + 1)
    x.set([Math.cos(angle), Math.sin(angle), 0], spoke * 3)
  }
  const surfaces = {
    edges: Uint32Array.from(edges),
    edgeStarts: Uint32Array.of(0, edges.length / 2),
    wings: Uint32Array.from(wings),
    bodyOf: new Uint32Array(spokes + 1),
  }
  return { x, beside, hems: new Hems(surfaces as Surfaces), hemOf: (spoke: number) => spokes + spoke - 1 }
}

const dot = (a: ArrayLike<number>, b: ArrayLike<number>) => a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!

describe('a hem that crosses a triangle of its own corner', () => {
  // The hem of spokes 1 and 2: `sides` lie between its triangle and the one with spoke `first` and the next.
  it.each([
    [7, true, 3, 3],
    [7, true, 4, 4],
    [7, true, 5, 6],
    [7, true, 6, 7],
    [7, false, 6, 6],
    [8, true, 4, 4],
    [8, true, 6, 7],
  ])(
    'goes back over the sides that are fewer: %i spokes, closed %s, at spoke %i, over %i',
    (spokes, closed, first, over) => {
      const { x, beside, hems, hemOf } = fan(spokes, closed)
      const second = beside(first + 1)
      const third = over === first ? second : first
      const corners = [0, first, second]
      for (let turn = 0; turn < 3; turn++) {
        const [a, b, c] = [corners[turn]!, corners[(turn + 1) % 3]!, corners[(turn + 2) % 3]!]
        for (const [i, j] of [
          [1, 2],
          [2, 1],
        ] as const) {
          const way = new Float64Array(3)
          expect(hems.direct(x, hemOf(1), i, j, a, b, c, way)).toBe(true)
          expect(dot(way, way)).toBeCloseTo(1, 12)
          expect(dot(way, x.subarray(over * 3))).toBeCloseTo(0, 12)
          expect(dot(way, x.subarray(third * 3))).toBeLessThan(0)
        }
      }
    },
  )

  it('is left to its curve where the two have no such corner, or are not joined about it', () => {
    const { x, hems, hemOf } = fan(7, false)
    const way = new Float64Array(3)
    // The corner is not one of the triangle's; the edge is no hem; nothing is beyond spoke 7.
    expect(hems.direct(x, hemOf(1), 1, 2, 3, 4, 5, way)).toBe(false)
    expect(hems.direct(x, 2, 0, 3, 0, 5, 6, way)).toBe(false)
    expect(hems.direct(x, hemOf(1), 1, 2, 0, 7, 1, way)).toBe(false)
    expect(way).toEqual(new Float64Array(3))
  })
})
