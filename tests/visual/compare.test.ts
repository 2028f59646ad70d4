// The comparison of pictures: what passes and what fails at the tolerance that the stories are compared with.
import { describe, expect, it } from 'vitest'
import { size } from '../../stories/support/picture.js'
import { seededRandom } from '../support/random.js'
import { cells, compareCells, type Picture, tolerance } from './compare.js'

const { width: WIDTH, height: HEIGHT } = size

/** A picture of one grey level a pixel. */
function picture(level: (x: number, y: number) => number, width = WIDTH, height = HEIGHT): Picture {
  const data = new Uint8ClampedArray(4 * width * height).fill(255)
  for (let k = 0; k < width * height; k++) data.fill(level(k % width, Math.floor(k / width)), 4 * k, 4 * k + 3)
  return { data, metadata: { width, height } }
}

/** How much of a pixel the disc covers, 0 or 1 without antialiasing. */
const coverage = (x: number, y: number, smooth: boolean) => {
  const inside = 80 - Math.hypot(x - 240, y - 150)
  return smooth ? Math.min(1, Math.max(0, inside + 0.5)) : Number(inside > 0)
}
const disc = (smooth: boolean) => picture((x, y) => 230 - 180 * coverage(x, y, smooth))
const options = { ...tolerance, createDiff: true }

describe('pictures of stories', () => {
  it('are the same with and without antialiasing', () => {
    expect(cells(disc(true), disc(false), options)).toMatchObject({ pass: true, message: null })
  })

  it('are the same with noise of 20 levels on every pixel, seed 3', () => {
    const random = seededRandom(3)
    const noisy = picture((x, y) => 230 - 180 * coverage(x, y, true) + 20 * (random() - 0.5))
    expect(cells(disc(true), noisy, options).pass).toBe(true)
  })

  // Too soft to count as a patch.
  it('differ by a soft shadow of 14 levels in 40 by 24 pixels', () => {
    const shadow = (x: number, y: number) => (x < 40 && y < 24 ? 14 : 0)
    const shaded = picture((x, y) => 230 - 180 * coverage(x, y, true) - shadow(x, y))
    expect(compareCells(disc(true), shaded, { cell: 4, threshold: 8, share: 0 }).share).toBeCloseTo(
      (40 * 24) / (WIDTH * HEIGHT),
      12,
    )
    expect(cells(disc(true), shaded, options).pass).toBe(false)
    expect(cells(shaded, disc(true), options).pass).toBe(false)
  })

  // Less than 0.3% of the cells in each case: only whether they are together makes the difference.
  it('differ by a small soft shadow, and not by as many cells apart from each other', () => {
    const shadow = (x: number, y: number) => 40 * Math.min(1, Math.max(0, 9 - Math.hypot(x - 300, (y - 250) * 2)) / 3)
    const level = (x: number, y: number) => 230 - 180 * coverage(x, y, true)
    const shaded = picture((x, y) => level(x, y) - shadow(x, y))
    expect(compareCells(disc(true), shaded, tolerance.all).share).toBeLessThan(tolerance.all.share)
    expect(cells(disc(true), shaded, options)).toMatchObject({
      pass: false,
      message: expect.stringContaining('with all about') as string,
    })
    expect(cells(shaded, disc(true), options).pass).toBe(false)
    const { cell, threshold } = tolerance.patches
    const differing = compareCells(disc(true), shaded, { cell, threshold, share: 0 }).share
    const count = Math.round((differing * WIDTH * HEIGHT) / (cell * cell))
    expect(count).toBeGreaterThan(20)
    // As many cells, two apart, and along an edge that has moved.
    const scattered = picture((x, y) => {
      const [i, j] = [Math.floor(x / cell), Math.floor(y / cell)]
      return level(x, y) - (i % 3 === 0 && j % 3 === 0 && i / 3 + 40 * (j / 3) < count && i < 120 ? 40 : 0)
    })
    expect(compareCells(disc(true), scattered, { cell, threshold, share: 0 }).share).toBeCloseTo(differing, 12)
    expect(cells(disc(true), scattered, options)).toMatchObject({ pass: true, message: null })
    const edge = picture((x, y) => level(x, y) - (x >= 400 && x < 400 + 2 * cell && y < (count / 2) * cell ? 40 : 0))
    expect(cells(disc(true), edge, options).pass).toBe(true)
  })

  it.each([0, 30, 45, 90])('differ by a seam torn open by 2 pixels along 80, %d degrees', (degrees) => {
    const [c, s] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)]
    // What is behind the disc shows through, wherever the slit lies on the grid of cells.
    for (const offset of [0, 1, 2, 3, 4, 5, 6, 7]) {
      const open = (x: number, y: number) => {
        const [dx, dy] = [x - 240, y - 150]
        return Math.abs(c * dx + s * dy) < 40 && Math.abs(c * dy - s * dx - offset) < 1
      }
      const torn = picture((x, y) => (open(x, y) ? 230 : 230 - 180 * coverage(x, y, true)))
      expect({ offset, pass: cells(disc(true), torn, options).pass }).toEqual({ offset, pass: false })
    }
  })

  it('differ by a colour alone', () => {
    const red = picture(() => 128)
    for (let k = 0; k < red.data.length; k += 4) red.data[k]! += 20
    expect(
      cells(
        picture(() => 128),
        red,
        options,
      ),
    ).toMatchObject({ pass: false })
  })

  it('differ by their size, and say so', () => {
    const result = cells(
      picture(() => 0),
      picture(() => 0, 240, 150),
      options,
    )
    expect(result).toEqual({
      pass: false,
      diff: null,
      message: 'The picture is 240 x 150 px, the reference 480 x 300 px.',
    })
  })

  it('count the smaller cells at the right and lower edge', () => {
    const corner = picture((x, y) => (x === 8 && y === 8 ? 99 : 0), 9, 9)
    expect(
      compareCells(
        picture(() => 0, 9, 9),
        corner,
        { cell: 4, threshold: 8, share: 0 },
      ).share,
    ).toBe(1 / 9)
  })

  it('show in red where they differ, and only there', () => {
    const { diff } = cells(
      picture(() => 200),
      picture((x) => (x < 240 ? 100 : 200)),
      options,
    )
    const pixel = (x: number, y: number) => [...diff!.subarray(4 * (y * WIDTH + x), 4 * (y * WIDTH + x) + 4)]
    expect(pixel(100, 100)).toEqual([227, 100, 100, 255])
    expect(pixel(300, 100)).toEqual([238, 238, 238, 255])
  })
})
