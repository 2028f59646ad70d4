import { clothMeshModel, clothModel, type Model } from '../../src/headless.js'
import type { Random } from './draw.js'

export interface Sheet {
  readonly positions: Float64Array
  readonly index: number[]
}

/** A plane z = 0 of `width` by `height`, as three's PlaneGeometry is cut: all diagonals one way. */
export function planeSheet(width: number, height: number, nx: number, ny: number): Sheet {
  const at = (i: number, j: number) => j * (nx + 1) + i
  const positions = new Float64Array(3 * (nx + 1) * (ny + 1))
  const index: number[] = []
  for (let j = 0; j <= ny; j++) {
    for (let i = 0; i <= nx; i++) {
      positions.set([(i / nx - 0.5) * width, (0.5 - j / ny) * height, 0], 3 * at(i, j))
      if (i === nx || j === ny) continue
      index.push(at(i, j), at(i, j + 1), at(i + 1, j), at(i, j + 1), at(i + 1, j + 1), at(i + 1, j))
    }
  }
  return { positions, index }
}

/** The same with its inner points moved by up to `part` of a cell, and cut anew so that no circle holds a fourth point. */
export function irregularSheet(
  width: number,
  height: number,
  nx: number,
  ny: number,
  part: number,
  random: Random,
): Sheet {
  const { positions, index } = planeSheet(width, height, nx, ny)
  for (let j = 1; j < ny; j++) {
    for (let i = 1; i < nx; i++) {
      const p = 3 * (j * (nx + 1) + i)
      positions[p]! += (random.uniform(-part, part) * width) / nx
      positions[p + 1]! += (random.uniform(-part, part) * height) / ny
    }
  }
  while (flipEdges(positions, index)) {}
  return { positions, index }
}

/** Turns the edges that are not Delaunay's, each triangle at most once; false when there is none. */
function flipEdges(x: Float64Array, index: number[]): boolean {
  const corners = new Map<string, number>()
  index.forEach((from, corner) => corners.set(`${from},${index[next(corner)]}`, corner))
  const turned = new Set<number>()
  for (const [key, corner] of corners) {
    const [a, b] = key.split(',').map(Number) as [number, number]
    const other = corners.get(`${b},${a}`)
    if (other === undefined) continue
    const [one, two] = [corner - (corner % 3), other - (other % 3)]
    const [p, q] = [index[next(next(corner))]!, index[next(next(other))]!]
    if (turned.has(one) || turned.has(two) || cotangent(x, p, a, b) + cotangent(x, q, a, b) > -1e-9) continue
    turned.add(one).add(two)
    index.splice(one, 3, a, q, p)
    index.splice(two, 3, q, b, p)
  }
  return turned.size > 0
}

const next = (corner: number) => (corner % 3 === 2 ? corner - 2 : corner + 1)

function cotangent(x: Float64Array, i: number, a: number, b: number): number {
  const [ux, uy] = [x[a * 3]! - x[i * 3]!, x[a * 3 + 1]! - x[i * 3 + 1]!]
  const [vx, vy] = [x[b * 3]! - x[i * 3]!, x[b * 3 + 1]! - x[i * 3 + 1]!]
  return (ux * vx + uy * vy) / Math.abs(ux * vy - uy * vx)
}

/** The models of one plane: as a grid, and as the meshes above. */
export function sheetModels(
  width: number,
  height: number,
  nx: number,
  ny: number,
  random: Random,
): Record<string, Model> {
  return {
    grid: clothModel({ width, height, segmentsX: nx, segmentsY: ny }).model,
    plane: clothMeshModel(planeSheet(width, height, nx, ny)).model,
    irregular: clothMeshModel(irregularSheet(width, height, nx, ny, 0.3, random)).model,
  }
}

/** Energy of a set's rows at positions x, for what is set [J]. */
export function energyOf(model: Model, name: string, setting: Record<string, number>, x: Float64Array): number {
  const set = model.sets.find((one) => one.name === name)!
  const { kind } = set
  if (kind.contract === 'goal') throw new Error('goals have no energy')
  const material = new Float64Array(kind.materialSize)
  const rows = { ...set, material, lambda: new Float64Array(0), iterated: true, rotations: new Uint32Array(0) }
  const C = new Float64Array(kind.lambdaSize)
  let energy = 0
  for (let row = 0; row < set.count; row++) {
    const context = { inverseMasses: [], rest: set.rest, restAt: row * kind.restSize, bodyMass: 1, h: 1 }
    kind.bake(setting, { ...context, unitCompliance: set.unitCompliance[row]! }, material, 0)
    kind.evaluate(rows, row, x, C)
    C.forEach((value, k) => (energy += (value * value) / (2 * material[k]!)))
  }
  return energy
}
