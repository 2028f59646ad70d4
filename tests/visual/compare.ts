// Whether two pictures of a story are the same, told so that antialiasing does not matter and a lost shadow does.

/** What Vitest hands to a comparator of screenshots: 8 bits of red, green, blue and alpha a pixel, row by row. */
export interface Picture {
  readonly data: Uint8Array | Uint8ClampedArray
  readonly metadata: { readonly width: number; readonly height: number }
}

export interface Limit {
  /** Side of the square cells whose mean colours are compared [px]. Edges and noise of one pixel average out in it. */
  readonly cell: number
  /** A cell differs when its mean red, green or blue does by more than this, out of 255. */
  readonly threshold: number
  /** The pictures differ when more than this share of their cells does. */
  readonly share: number
}

// A type: an interface has no index signature, which Vitest asks for.
export type Tolerance = {
  /** Cells wherever they are. */
  readonly all: Limit
  /** Cells that differ the same way as all eight about them: a lost shadow is a patch, what moves a little leaves lines. */
  readonly patches: Limit
}

/**
 * Chosen between what must pass and what must fail, in shares of cells at this cell and threshold; measured numbers are
 * in docs/architecture.md, under "Pictures".
 */
export const tolerance: Tolerance = {
  all: { cell: 8, threshold: 12, share: 0.003 },
  patches: { cell: 2, threshold: 16, share: 0.0001 },
}

export interface Comparison {
  /** Share of the cells that count, 0 to 1. */
  share: number
  /** A picture of the same size: the expected one, faded, with the cells that count in red. */
  drawing: Uint8Array
}

/** For each cell, row by row: 1 where it is brighter by more than the threshold, -1 where darker, else 0. */
function differences(expected: Picture, actual: Picture, cell: number, threshold: number): Int8Array {
  const { width, height } = expected.metadata
  const signs = new Int8Array(Math.ceil(width / cell) * Math.ceil(height / cell))
  let at = 0
  for (let top = 0; top < height; top += cell) {
    for (let left = 0; left < width; left += cell) {
      const right = Math.min(left + cell, width)
      const bottom = Math.min(top + cell, height)
      const sums = [0, 0, 0]
      for (let y = top; y < bottom; y++) {
        for (let k = 4 * (y * width + left); k < 4 * (y * width + right); k += 4) {
          for (let c = 0; c < 3; c++) sums[c]! += actual.data[k + c]! - expected.data[k + c]!
        }
      }
      const most = sums.reduce((a, b) => (Math.abs(b) > Math.abs(a) ? b : a))
      signs[at++] = Math.abs(most) > threshold * (right - left) * (bottom - top) ? Math.sign(most) : 0
    }
  }
  return signs
}

/** Cells that have all eight neighbours, all of which differ the same way. */
function insides(signs: Int8Array, columns: number): Int8Array {
  const inside = new Int8Array(signs.length)
  for (let at = columns + 1; at < signs.length - columns - 1; at++) {
    if (at % columns === 0 || at % columns === columns - 1) continue
    let sum = 0
    for (const row of [-columns, 0, columns]) for (let k = -1; k <= 1; k++) sum += signs[at + row + k]!
    inside[at] = Math.abs(sum) === 9 ? 1 : 0
  }
  return inside
}

/** Compares cell by cell; the pictures have the same size. Cells at the right and lower edge may be smaller. */
export function compareCells(
  expected: Picture,
  actual: Picture,
  { cell, threshold }: Limit,
  only: keyof Tolerance = 'all',
): Comparison {
  const { width, height } = expected.metadata
  const columns = Math.ceil(width / cell)
  const signs = differences(expected, actual, cell, threshold)
  const counted = only === 'all' ? signs : insides(signs, columns)
  const drawing = new Uint8Array(4 * width * height)
  for (let pixel = 0; pixel < width * height; pixel++) {
    const k = 4 * pixel
    const [x, y] = [pixel % width, Math.floor(pixel / width)]
    const counts = counted[Math.floor(y / cell) * columns + Math.floor(x / cell)] !== 0
    for (let c = 0; c < 3; c++) {
      const faded = 0.7 * 255 + 0.3 * expected.data[k + c]!
      drawing[k + c] = counts ? 0.5 * expected.data[k + c]! + (c === 0 ? 127 : 0) : faded
    }
    drawing[k + 3] = 255
  }
  return { share: counted.filter((one) => one !== 0).length / counted.length, drawing }
}

/** The comparator of screenshots that vite.config.ts gives to Vitest under the name `cells`. */
export function cells(expected: Picture, actual: Picture, options: Tolerance & { createDiff: boolean }) {
  const { width, height } = expected.metadata
  if (actual.metadata.width !== width || actual.metadata.height !== height) {
    const size = `${actual.metadata.width} x ${actual.metadata.height}`
    return { pass: false, diff: null, message: `The picture is ${size} px, the reference ${width} x ${height} px.` }
  }
  const percent = (value: number) => `${(100 * value).toFixed(2)}%`
  for (const only of ['all', 'patches'] as const) {
    const limit = options[only]
    const { share, drawing } = compareCells(expected, actual, limit, only)
    if (share <= limit.share) continue
    const which = only === 'all' ? 'differ' : 'differ with all about them'
    const message = `${percent(share)} of the cells ${which}, ${percent(limit.share)} may.`
    return { pass: false, diff: options.createDiff ? drawing : null, message }
  }
  return { pass: true, diff: null, message: null }
}

declare module 'vitest/browser' {
  interface ScreenshotComparatorRegistry {
    cells: Tolerance
  }
}
