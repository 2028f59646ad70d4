// Whether two pictures of a story are the same, told so that antialiasing does not matter and a lost shadow does.

/** What Vitest hands to a comparator of screenshots: 8 bits of red, green, blue and alpha a pixel, row by row. */
export interface Picture {
  readonly data: Uint8Array | Uint8ClampedArray
  readonly metadata: { readonly width: number; readonly height: number }
}

// A type: an interface has no index signature, which Vitest asks for.
export type Tolerance = {
  /** Side of the square cells whose mean colours are compared [px]. Edges and noise of one pixel average out in it. */
  cell: number
  /** A cell differs when its mean red, green or blue does by more than this, out of 255. */
  threshold: number
  /** The pictures differ when more than this share of their cells does. */
  share: number
}

/**
 * Chosen between what must pass and what must fail, in shares of cells at this cell and threshold; measured numbers are
 * in docs/architecture.md, under "Pictures".
 */
export const tolerance: Tolerance = { cell: 8, threshold: 12, share: 0.003 }

export interface Comparison {
  /** Share of the cells that differ, 0 to 1. */
  share: number
  /** A picture of the same size: the expected one, faded, with the cells that differ in red. */
  drawing: Uint8Array
}

/** Compares cell by cell; the pictures have the same size. Cells at the right and lower edge may be smaller. */
export function compareCells(expected: Picture, actual: Picture, cell: number, threshold: number): Comparison {
  const { width, height } = expected.metadata
  const drawing = new Uint8Array(4 * width * height)
  let cells = 0
  let different = 0
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
      const most = Math.max(...sums.map(Math.abs)) / ((right - left) * (bottom - top))
      const differs = most > threshold
      cells++
      if (differs) different++
      for (let y = top; y < bottom; y++) {
        for (let k = 4 * (y * width + left); k < 4 * (y * width + right); k += 4) {
          for (let c = 0; c < 3; c++) {
            const faded = 0.7 * 255 + 0.3 * expected.data[k + c]!
            drawing[k + c] = differs ? 0.5 * expected.data[k + c]! + (c === 0 ? 127 : 0) : faded
          }
          drawing[k + 3] = 255
        }
      }
    }
  }
  return { share: different / cells, drawing }
}

/** The comparator of screenshots that vite.config.ts gives to Vitest under the name `cells`. */
export function cells(expected: Picture, actual: Picture, options: Tolerance & { createDiff: boolean }) {
  const { width, height } = expected.metadata
  if (actual.metadata.width !== width || actual.metadata.height !== height) {
    const size = `${actual.metadata.width} x ${actual.metadata.height}`
    return { pass: false, diff: null, message: `The picture is ${size} px, the reference ${width} x ${height} px.` }
  }
  const { share, drawing } = compareCells(expected, actual, options.cell, options.threshold)
  const pass = share <= options.share
  const percent = (value: number) => `${(100 * value).toFixed(2)}%`
  return {
    pass,
    diff: options.createDiff ? drawing : null,
    message: pass ? null : `${percent(share)} of the cells differ, ${percent(options.share)} may.`,
  }
}

declare module 'vitest/browser' {
  interface ScreenshotComparatorRegistry {
    cells: Tolerance
  }
}
