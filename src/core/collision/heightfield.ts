import { isSize, SettingError } from '../validation.js'
import { solidShape } from './meshShape.js'
import { surfaceFrom } from './meshSurface.js'
import type { ColliderShape } from './shape.js'

/**
 * Heights over a rectangle about the origin, solid below: rows run from -z to z, the numbers of a row from -x to x. Each
 * cell is two triangles, which meet along the diagonal from its +x -z to its -x +z corner, as those of three's
 * PlaneGeometry laid down. The solid ends with the rectangle, and a long way below the lowest height.
 * @param rows of equal length, two or more, each of two heights or more [m]
 * @param width along x [m], above zero
 * @param depth along z [m], above zero
 * @throws SettingError for rows of different lengths, or values that are not finite
 */
export function heightfield(rows: readonly ArrayLike<number>[], width: number, depth: number): ColliderShape {
  const columnCount = rows?.[0]?.length ?? 0
  check(rows, columnCount, width, depth)
  const rowCount = rows.length
  let lowest = Number.POSITIVE_INFINITY
  let highest = Number.NEGATIVE_INFINITY
  for (const row of rows) {
    for (let c = 0; c < columnCount; c++) {
      lowest = Math.min(lowest, row[c]!)
      highest = Math.max(highest, row[c]!)
    }
  }
  // So deep that what is pressed in finds its way out by the top.
  const floor = lowest - Math.max(width, depth, highest - lowest)
  const rim = rimOf(rowCount, columnCount)
  const top = rowCount * columnCount
  const positions = new Float64Array(3 * (top + rim.length + 1))
  const put = (point: number, x: number, y: number, z: number) => positions.set([x, y, z], 3 * point)
  const place = (row: number, column: number) => [
    width * (column / (columnCount - 1) - 0.5),
    depth * (row / (rowCount - 1) - 0.5),
  ]
  for (let r = 0; r < rowCount; r++) {
    for (let c = 0; c < columnCount; c++) {
      const [x, z] = place(r, c)
      put(r * columnCount + c, x!, rows[r]![c]!, z!)
    }
  }
  rim.forEach((point, k) => {
    const [x, z] = place(Math.floor(point / columnCount), point % columnCount)
    put(top + k, x!, floor, z!)
  })
  put(top + rim.length, 0, floor, 0)
  const triangles = new Uint32Array(6 * (rowCount - 1) * (columnCount - 1) + 9 * rim.length)
  let at = 0
  const add = (a: number, b: number, c: number) => {
    triangles[at++] = a
    triangles[at++] = b
    triangles[at++] = c
  }
  for (let r = 0; r + 1 < rowCount; r++) {
    for (let c = 0; c + 1 < columnCount; c++) {
      const a = r * columnCount + c
      const b = a + columnCount
      add(a, b, a + 1)
      add(b, b + 1, a + 1)
    }
  }
  for (let k = 0; k < rim.length; k++) {
    const next = (k + 1) % rim.length
    add(rim[next]!, rim[k]!, top + k)
    add(rim[next]!, top + k, top + next)
    add(top + next, top + k, top + rim.length)
  }
  return solidShape('heightfield', surfaceFrom(positions, triangles), 0, false)
}

/** The points of the rectangle's edge, about it in the sense of its faces. */
function rimOf(rowCount: number, columnCount: number): number[] {
  const rim: number[] = []
  const last = (rowCount - 1) * columnCount
  for (let r = 0; r + 1 < rowCount; r++) rim.push(r * columnCount)
  for (let c = 0; c + 1 < columnCount; c++) rim.push(last + c)
  for (let r = rowCount - 1; r > 0; r--) rim.push(r * columnCount + columnCount - 1)
  for (let c = columnCount - 1; c > 0; c--) rim.push(c)
  return rim
}

function check(rows: readonly ArrayLike<number>[], columnCount: number, width: number, depth: number): void {
  const refuse = (prop: string, value: unknown, problem: string, remedy: string): never => {
    throw new SettingError('Collider.Heightfield', prop, value, problem, remedy)
  }
  const remedy = 'Give two or more rows of two or more heights each [m].'
  if (!(rows?.length >= 2)) refuse('heights', rows, 'must hold two rows or more', remedy)
  if (columnCount < 2) refuse('heights', rows, 'must hold two heights a row, or more', remedy)
  rows.forEach((row, r) => {
    if (row?.length !== columnCount) {
      refuse('heights', row?.length, `row ${r} is not as long as the first, ${columnCount}`, remedy)
    }
    for (let c = 0; c < columnCount; c++) {
      if (!(Number.isFinite(row[c]) && Math.abs(row[c]!) < 1e9))
        refuse('heights', row[c], `row ${r}, column ${c} is no finite height`, remedy)
    }
  })
  if (!(isSize(width) && isSize(depth))) {
    refuse('args', [width, depth], 'width and depth must be above zero', 'Use metres, such as [10, 10].')
  }
}
