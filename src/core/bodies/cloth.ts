import { isNeedle } from '../mesh/needle.js'
import { identitySkin, type Skin } from '../mesh/skin.js'
import { runToEnd } from '../mesh/slices.js'
import { type Surface, type TriangleMesh, weld } from '../mesh/weld.js'
import type { Model } from '../model.js'
import { SettingError, type SettingTable, validateSettings } from '../validation.js'
import { alternateDiagonals, edgeKey } from './diagonals.js'
import { gridHinges, hingesOf } from './hinges.js'
import { dot, sheetModel } from './sheet.js'

export interface ClothArgs {
  /** [m] along x */
  width: number
  /** [m] along y */
  height: number
  segmentsX: number
  segmentsY: number
}

export const clothArgs: SettingTable<ClothArgs> = {
  width: {
    quantity: 'length',
    unit: 'm',
    type: 'number',
    default: 1,
    min: 0,
    max: 1e4,
    minExclusive: true,
    remedy: 'Use args={[width, height, segmentsX, segmentsY]}, such as [2, 2, 32, 32].',
  },
  height: {
    quantity: 'length',
    unit: 'm',
    type: 'number',
    default: 1,
    min: 0,
    max: 1e4,
    minExclusive: true,
    remedy: 'Use args={[width, height, segmentsX, segmentsY]}, such as [2, 2, 32, 32].',
  },
  segmentsX: {
    quantity: 'count',
    unit: '1',
    type: 'integer',
    default: 16,
    min: 1,
    max: 512,
    remedy: 'Use 16 to 64 segments.',
  },
  segmentsY: {
    quantity: 'count',
    unit: '1',
    type: 'integer',
    default: 16,
    min: 1,
    max: 512,
    remedy: 'Use 16 to 64 segments.',
  },
}

export interface ClothModel {
  readonly model: Model
  readonly skin: Skin
}

/**
 * A rectangular cloth in the plane z = 0, centred, its rows from the top: the particles are the vertices of three's
 * PlaneGeometry of the same arguments, in the same order. Its threads run along x and y.
 * @throws SettingError
 */
export function clothModel(args: ClothArgs): ClothModel {
  validateSettings('Cloth', args, clothArgs)
  for (const key of Object.keys(clothArgs) as (keyof ClothArgs)[]) {
    if (args[key] === undefined) throw new SettingError('Cloth', key, undefined, 'must be given', clothArgs[key].remedy)
  }
  const { width, height, segmentsX: nx, segmentsY: ny } = args
  const columns = nx + 1
  const at = (i: number, j: number) => j * columns + i
  const positions = new Float64Array(columns * (ny + 1) * 3)
  const index: number[] = []
  for (let j = 0; j <= ny; j++) {
    for (let i = 0; i <= nx; i++) {
      positions[at(i, j) * 3] = (i / nx) * width - width / 2
      positions[at(i, j) * 3 + 1] = height / 2 - (j / ny) * height
      if (i === nx || j === ny) continue
      index.push(at(i, j), at(i, j + 1), at(i + 1, j), at(i, j + 1), at(i + 1, j + 1), at(i + 1, j))
    }
  }
  const [triangles] = alternateDiagonals(positions, Uint32Array.from(index))
  const model = sheetModel(positions, triangles, gridHinges(nx, ny, width / nx, height / ny))
  return { model, skin: identitySkin({ positions, index }) }
}

/**
 * The cloth of any triangle mesh, open or closed, in one piece or several; its rest shape is the mesh as it is. Vertices
 * at one place become one particle. Triangles without area are left out, and so are vertices that no other one holds;
 * edges of more than two triangles do not resist bending.
 * @throws SettingError for a mesh that is not finite, or without a triangle that has an area
 */
export function clothMeshModel(mesh: TriangleMesh): ClothModel {
  const { positions, triangles, vertexToPoint } = withoutNeedles(runToEnd(weld(mesh)))
  const cuts = alternateDiagonals(positions, triangles, seamsOf(mesh, vertexToPoint))
  const model = sheetModel(positions, cuts[0], hingesOf(positions, cuts))
  return { model, skin: identitySkin(mesh, {}, vertexToPoint) }
}

/** Edges whose triangles have render vertices of their own there, as at a seam of uv, of a mesh that shares any. */
function seamsOf({ index }: TriangleMesh, vertexToPoint: Uint32Array): Set<number> {
  const seams = new Set<number>()
  if (!index) return seams
  const ends = new Map<number, number>()
  for (let c = 0; c < index.length; c++) {
    const pair = [index[c]!, index[c % 3 === 2 ? c - 2 : c + 1]!] as const
    const [i, j] = [vertexToPoint[pair[0]]!, vertexToPoint[pair[1]]!]
    const key = edgeKey(i, j)
    const vertices = i < j ? edgeOfVertices(pair[0], pair[1]) : edgeOfVertices(pair[1], pair[0])
    if ((ends.get(key) ?? vertices) !== vertices) seams.add(key)
    ends.set(key, vertices)
  }
  return seams
}

const edgeOfVertices = (first: number, second: number) => first * 67108864 + second

/** The surface without triangles that have no area. A point that only these have joins the nearest one that is left. */
function withoutNeedles({ positions, triangles, vertexToPoint }: Surface): Omit<Surface, 'dropped'> {
  const kept = triangles.filter((_, corner) => !isNeedle(positions, triangles, corner - (corner % 3)))
  const numbers = new Int32Array(positions.length / 3).fill(-1)
  const used: number[] = []
  for (const point of kept) {
    if (numbers[point]! >= 0) continue
    numbers[point] = used.length
    used.push(point)
  }
  for (let point = 0; point < numbers.length; point++) {
    if (numbers[point]! < 0) numbers[point] = nearest(positions, point, used)
  }
  return {
    positions: Float64Array.from(
      { length: 3 * used.length },
      (_, k) => positions[used[Math.floor(k / 3)]! * 3 + (k % 3)]!,
    ),
    triangles: kept.map((point) => numbers[point]!),
    vertexToPoint: vertexToPoint.map((point) => numbers[point]!),
  }
}

/** Which of `used` lies nearest to a point. */
function nearest(x: Float64Array, point: number, used: readonly number[]): number {
  let best = 0
  let least = Number.POSITIVE_INFINITY
  used.forEach((other, number) => {
    const square = dot(x, point, other, point, other)
    if (square >= least) return
    least = square
    best = number
  })
  return best
}
