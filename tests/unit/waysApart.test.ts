import { describe, expect, it } from 'vitest'
import { advance, meets, time, waysApart } from '../../src/core/collision/soft/advance.js'
import { NEAR, near, nearestOfSegments, nearestOnTriangle } from '../../src/core/collision/soft/closest.js'
import type { Meetings } from '../../src/core/collision/soft/meetings.js'
import { SoftList } from '../../src/core/collision/soft/softList.js'
import { PAIR, SoftPairs } from '../../src/core/collision/soft/softPairs.js'
import { Surfaces } from '../../src/core/collision/soft/surfaces.js'
import { beginWork, work } from '../../src/core/collision/soft/work.js'
import type { State } from '../../src/core/state.js'
import { Random } from '../support/draw.js'

/** Four particles that go from `previous` to `positions`, as one pair of elements. */
function pairOf(kind: number, previous: readonly number[], positions: readonly number[]) {
  const pairs = new SoftPairs()
  const pair = pairs.add()
  pairs.kind[pair] = kind
  pairs.thickness[pair] = 0.02
  pairs.particles.set([0, 1, 2, 3])
  const state = { previous: Float64Array.from(previous), positions: Float64Array.from(positions) }
  return { pairs, pair, state: state as unknown as State }
}

/** How near the two elements come on their way [m]. */
function nearestOnWay(kind: number, { previous: y, positions: x }: State): number {
  let least = Number.POSITIVE_INFINITY
  for (let k = 0; k <= 400; k++) {
    const points = y.map((from, i) => from + (k / 400) * (x[i]! - from))
    if (kind === PAIR.EDGES) nearestOfSegments(points, 0, 3, 6, 9)
    else nearestOnTriangle(points, 0, 3, 6, 9)
    least = Math.min(least, Math.sqrt(near[NEAR.SQUARE]!))
  }
  return least
}

describe('ways whose boxes are apart', () => {
  it('are those of no pair that meets: 2000 seeded pairs', () => {
    const random = new Random(7)
    beginWork()
    let apart = 0
    let met = 0
    let metApart = 0
    let least = Number.POSITIVE_INFINITY
    for (let k = 0; k < 2000; k++) {
      const kind = k % 2 === 0 ? PAIR.EDGES : PAIR.SHEET
      const previous = Array.from({ length: 12 }, () => random.uniform(-1, 1))
      const positions = previous.map((from) => from + random.uniform(-1, 1))
      const { pairs, pair, state } = pairOf(kind, previous, positions)
      time[0] = 0
      const boxes = waysApart(state, pairs, pair)
      if (boxes) {
        apart++
        least = Math.min(least, nearestOnWay(kind, state))
      }
      if (!advance(state, pairs, pair)) continue
      met++
      if (boxes) metApart++
    }
    expect(metApart).toBe(0)
    expect(least).toBeGreaterThan(meets[0]! * 0.02)
    expect(apart).toBeGreaterThan(100)
    expect(met).toBeGreaterThan(100)
  })

  it('are those of what flies along beside, however far', () => {
    const previous = [0, 0, 0, 1, 0, 0, 0, 0.1, 0, 1, 0.1, 0]
    const positions = previous.map((from, i) => from + [300, 400, 500][i % 3]!)
    const { pairs, pair, state } = pairOf(PAIR.EDGES, previous, positions)
    time[0] = 0
    expect(waysApart(state, pairs, pair)).toBe(true)
  })
})

describe('ways that are followed again', () => {
  // A particle that goes through a triangle.
  const previous = [0.2, 0.2, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0]
  const positions = [0.2, 0.2, -1, 0, 0, 0, 1, 0, 0, 0, 1, 0]
  const shifts = new Float64Array(4)
  const none = new Uint8Array(4)

  const listOf = () => {
    const { pairs, state } = pairOf(PAIR.SHEET, previous, positions)
    const meetings = { ways: Float64Array.of(2) } as unknown as Meetings
    beginWork()
    return { list: new SoftList(pairs, meetings, new Surfaces()), state }
  }

  it('are those of what has been moved, by any one of its four points', () => {
    for (let k = 0; k < 4; k++) {
      const { list, state } = listOf()
      const moved = new Uint8Array(4)
      moved[k] = 1
      expect(list.followAgain(state, shifts, moved)).toBe(1)
      expect(work[0]).toBeGreaterThan(0)
    }
    const { list, state } = listOf()
    expect(list.followAgain(state, shifts, none)).toBe(0)
    expect(work[0]).toBe(0)
  })

  it('are those of what met before as well, since pushes may have left it where it was', () => {
    const { list, state } = listOf()
    expect(list.followAgain(state, shifts, new Uint8Array(4).fill(1))).toBe(1)
    expect(list.followAgain(state, shifts, none)).toBe(1)
  })
})
