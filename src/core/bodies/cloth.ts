import { distance } from '../constraints/index.js'
import { identitySkin, type Skin } from '../mesh/skin.js'
import { type Model, ModelBuilder } from '../model.js'
import { SettingError, type SettingTable, validateSettings } from '../validation.js'

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
 * PlaneGeometry of the same arguments, in the same order.
 *
 * Springs carry it: along the threads (`stretch`), across the cells (`shear`) and over every second particle (`bend`),
 * with compliances such that the moduli [N/m] are the cloth's own, whatever the grid.
 * @throws SettingError
 */
export function clothModel(args: ClothArgs): ClothModel {
  validateSettings('Cloth', args, clothArgs)
  for (const key of Object.keys(clothArgs) as (keyof ClothArgs)[]) {
    if (args[key] === undefined) throw new SettingError('Cloth', key, undefined, 'must be given', clothArgs[key].remedy)
  }
  const { width, height, segmentsX: nx, segmentsY: ny } = args
  const columns = nx + 1
  const dx = width / nx
  const dy = height / ny
  const at = (i: number, j: number) => j * columns + i
  const positions = new Float64Array(columns * (ny + 1) * 3)
  const weights = new Float64Array(columns * (ny + 1))
  const half = (i: number, last: number) => (i === 0 || i === last ? 0.5 : 1)
  for (let j = 0; j <= ny; j++) {
    for (let i = 0; i <= nx; i++) {
      positions[at(i, j) * 3] = i * dx - width / 2
      positions[at(i, j) * 3 + 1] = height / 2 - j * dy
      weights[at(i, j)] = half(i, nx) * half(j, ny)
    }
  }
  const triangles: number[] = []
  const rows = { stretch: new Springs(), shear: new Springs(), bend: new Springs() }
  for (let j = 0; j <= ny; j++) {
    for (let i = 0; i <= nx; i++) {
      // A thread spring stands for the strip half way to its neighbours: k = modulus width / length.
      if (i < nx) rows.stretch.add(at(i, j), at(i + 1, j), dx / (dy * half(j, ny)))
      if (j < ny) rows.stretch.add(at(i, j), at(i, j + 1), dy / (dx * half(i, nx)))
      if (i < nx - 1) rows.bend.add(at(i, j), at(i + 2, j), (2 * dx) / (dy * half(j, ny)))
      if (j < ny - 1) rows.bend.add(at(i, j), at(i, j + 2), (2 * dy) / (dx * half(i, nx)))
      if (i === nx || j === ny) continue
      // A sheared cell stretches its diagonals by g dx dy / d, which must store G g^2 dx dy / 2.
      const unit = (2 * dx * dy) / (dx * dx + dy * dy)
      rows.shear.add(at(i, j), at(i + 1, j + 1), unit)
      rows.shear.add(at(i + 1, j), at(i, j + 1), unit)
      triangles.push(at(i, j), at(i, j + 1), at(i + 1, j), at(i, j + 1), at(i + 1, j + 1), at(i + 1, j))
    }
  }
  const model = new ModelBuilder(positions).weights(weights).with({
    measure: width * height,
    density: 0.2,
    thickness: Math.min(0.01, Math.min(dx, dy) / 4),
    triangles: Uint32Array.from(triangles),
    elastic: { stretch: { modulus: 2000 }, shear: { modulus: 200 }, bend: { modulus: 2 } },
  })
  for (const name of ['stretch', 'shear', 'bend'] as const) {
    const { pairs, units } = rows[name]
    model.constrain(name, distance, Uint32Array.from(pairs), { unitCompliance: (row) => units[row]! })
  }
  return { model: model.build(), skin: identitySkin({ positions, index: triangles }) }
}

class Springs {
  readonly pairs: number[] = []
  readonly units: number[] = []

  add(i: number, j: number, unitCompliance: number): void {
    this.pairs.push(i, j)
    this.units.push(unitCompliance)
  }
}
