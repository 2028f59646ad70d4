import { describe, expect, it } from 'vitest'
import { extractRotation, quaternionToMatrix } from '../../src/core/math/rotation.js'
import { Random, seeds } from '../support/draw.js'
import { determinant, type Matrix, maximiser, multiply, norm, overlap, transpose } from '../support/rotations.js'

function matrixOf(q: readonly number[] | Float64Array): Matrix {
  const out = new Float64Array(9)
  quaternionToMatrix(Float64Array.from(q), 0, out)
  return [...out]
}

function extracted(a: Matrix, warm: readonly number[]): Matrix {
  const q = Float64Array.from([7, ...warm, 7])
  extractRotation(Float64Array.from(a), q, 1)
  expect([q[0], q[5]], 'its neighbours are left alone').toEqual([7, 7])
  return matrixOf(q.subarray(1, 5))
}

const diagonal = (a: number, b: number, c: number): Matrix => [a, 0, 0, 0, b, 0, 0, 0, c]

/** Warm starts: none, anywhere, and half a turn away from the answer. */
function warmStarts(random: Random, answer: Matrix | undefined): (readonly number[])[] {
  const starts: (readonly number[])[] = [[0, 0, 0, 1], random.rotation(), random.rotation()]
  if (!answer) return starts
  const q = new Float64Array([0, 0, 0, 1])
  extractRotation(Float64Array.from(answer), q, 0)
  const [x, y, z, w] = q as unknown as [number, number, number, number]
  // q times a half turn about each axis
  return [...starts, [w, z, -y, -x], [-z, w, x, -y], [y, -x, w, -z]]
}

function expectMaximiser(a: Matrix, random: Random): void {
  const { rotation, maximum, gap } = maximiser(a)
  const size = norm(a)
  for (const warm of warmStarts(random, rotation)) {
    const r = extracted(a, warm)
    const identity = multiply(transpose(r), r)
    for (let k = 0; k < 9; k++) expect(Math.abs(identity[k]! - (k % 4 === 0 ? 1 : 0))).toBeLessThan(1e-12)
    expect(determinant(r)).toBeCloseTo(1, 12)
    expect(Math.abs(overlap(r, a) - maximum)).toBeLessThanOrEqual(1e-5 * size)
    // Nearer to a tie than that the maximiser itself moves by more with a rounding of A: the maximum alone is asked for.
    const unique = rotation && gap > 0.01 ? rotation : r
    for (let k = 0; k < 9; k++) expect(Math.abs(r[k]! - unique[k]!)).toBeLessThan(1e-5)
  }
}

describe('the rotation of a matrix is the proper one that maximises tr(R^T A)', () => {
  const cases: Record<string, (random: Random) => Matrix> = {
    'a random matrix': (random) => [...random.array(9)],
    'a stretched rotation': (random) =>
      multiply(matrixOf(random.rotation()), diagonal(1, random.uniform(0.5, 1.5), random.uniform(0.5, 1.5))),
    'a nearly flat one': (random) => multiply(matrixOf(random.rotation()), diagonal(1, 0.7, random.scale(1e-14, 1e-3))),
    'a mirrored one': (random) => multiply(matrixOf(random.rotation()), diagonal(1, 0.8, -random.uniform(0.1, 0.5))),
    'a mirrored ball, where no rotation is the only best': (random) =>
      multiply(matrixOf(random.rotation()), diagonal(-1, -1, -1)),
    'a nearly mirrored ball': (random) =>
      multiply(matrixOf(random.rotation()), diagonal(1, 1, -1 + random.scale(1e-12, 1e-2))),
    'rank two': (random) => multiply(matrixOf(random.rotation()), diagonal(1, random.uniform(0.1, 1), 0)),
    'rank one': (random) => {
      const [u, v] = [random.vector(), random.vector()]
      return u.flatMap((x) => v.map((y) => x * y))
    },
    'nearly rank one': (random) =>
      multiply(
        matrixOf(random.rotation()),
        multiply(diagonal(1, random.scale(1e-9, 1e-3), 1e-9), matrixOf(random.rotation())),
      ),
    'huge entries': (random) => [...random.array(9, 1e60)],
    'tiny entries': (random) => [...random.array(9, 1e-60)],
  }
  for (const [name, draw] of Object.entries(cases)) {
    it(`${name}, seeds 1 to 60`, () => {
      for (const seed of seeds(60)) {
        const random = new Random(seed)
        expectMaximiser(draw(random), random)
      }
    })
  }

  it('the zero matrix keeps the warm start', () => {
    const warm = new Random(1).rotation()
    const r = extracted(diagonal(0, 0, 0), warm)
    matrixOf(warm).forEach((value, k) => expect(r[k]).toBeCloseTo(value, 12))
  })

  it('a rotation gives itself, from half a turn away', () => {
    for (const seed of seeds(20)) {
      const random = new Random(seed)
      const a = matrixOf(random.rotation())
      for (const warm of warmStarts(random, a))
        extracted(a, warm).forEach((value, k) => expect(value).toBeCloseTo(a[k]!, 12))
    }
  })
})
