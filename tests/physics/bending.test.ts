import { describe, expect, it } from 'vitest'
import { bending, clothMeshModel, type Model, World } from '../../src/headless.js'
import { Random, seeds } from '../support/draw.js'
import { expectHealthy, positionsOf, rmsSpeed, run } from '../support/laws.js'
import { energyOf, sheetModels } from '../support/sheets.js'

/** Where the points of a plane lie when it is rolled to a cylinder of radius R, round an axis at `angle` to y. */
function rolled(model: Model, angle: number, R: number): Float64Array {
  const [c, s] = [Math.cos(angle), Math.sin(angle)]
  const x = model.positions.slice()
  for (let p = 0; p < x.length; p += 3) {
    const along = x[p]! * c + x[p + 1]! * s
    const axial = x[p + 1]! * c - x[p]! * s
    const out = R * Math.sin(along / R)
    x.set([out * c - axial * s, out * s + axial * c, R * (1 - Math.cos(along / R))], p)
  }
  return x
}

describe('a sheet rolled into a cylinder', () => {
  // The border has no hinge, so half a cell along it stays flat: up to 1 / n of the energy is not there. What is left is
  // how well the hinges of a mesh stand for a plate: exactly on rectangles, on an irregular mesh within some 13% for one
  // direction and 5% in the mean.
  const tolerances = { grid: [0.01, 0.01], plane: [0.01, 0.01], irregular: [0.14, 0.05] } as const
  for (const n of [12, 24, 48]) {
    it(`stores D A / 2 R^2 on ${n} x ${n} cells, along any direction, seed ${n}`, () => {
      const random = new Random(n)
      const rigidity = random.scale(1e-5, 1)
      const R = random.uniform(0.5, 2)
      for (const [name, model] of Object.entries(sheetModels(1, 1, n, n, random))) {
        const [each, mean] = tolerances[name as keyof typeof tolerances]
        const ratios = [0, 22.5, 45, 67.5, 90, 112.5, 135, 157.5].map((degrees) => {
          const x = rolled(model, (degrees * Math.PI) / 180, R)
          return (energyOf(model, 'bend', { modulus: rigidity }, x) * 2 * R * R) / (rigidity * model.measure)
        })
        for (const ratio of ratios) {
          expect(ratio).toBeLessThan(1 + each)
          expect(ratio).toBeGreaterThan(1 - 1 / n - each)
        }
        const middle = ratios.reduce((sum, ratio) => sum + ratio / ratios.length, 0)
        expect(Math.abs(middle - (1 - 0.75 / n))).toBeLessThan(mean)
      }
    })
  }

  it('stores nothing where that is how it lies at rest', () => {
    const { irregular } = sheetModels(1, 1, 12, 12, new Random(1)) as { irregular: Model }
    const { model } = clothMeshModel({ positions: rolled(irregular, 0.4, 0.5), index: irregular.triangles })
    expect(energyOf(model, 'bend', { modulus: 1 }, model.positions)).toBeLessThan(1e-24)
    expect(energyOf(model, 'membrane', { stretchModulus: 1, shearModulus: 1 }, model.positions)).toBeLessThan(1e-24)
  })
})

describe('a strip held at one end', () => {
  for (const seed of seeds(2)) {
    for (const kind of ['grid', 'plane', 'irregular'] as const) {
      it(`droops by q L^4 / 8 D, ${kind}, seed ${seed}`, () => {
        const random = new Random(seed)
        const [nx, ny] = [10, 4]
        const length = random.uniform(0.3, 0.6)
        // The first two columns are held: the hinges at the second stand for half a cell on either side of it, and the
        // clamp is where they begin.
        const cell = length / (nx - 0.5)
        const model = sheetModels(nx * cell, ny * cell, nx, ny, random)[kind]!
        const expected = 0.02 * length
        const q = 0.2 * 9.81
        const rigidity = (q * length ** 4) / (8 * expected)
        // Ten sweeps leave some 2% where h^2 D / (density l^4) is at most 0.4.
        const substeps = Math.ceil((Math.sqrt(rigidity / 0.2) / cell ** 2 / 60) * 1.6)
        const world = new World({ substeps, iterations: 10 })
        const body = world.addBody(model, {
          rotation: [Math.SQRT1_2, 0, 0, Math.SQRT1_2],
          damping: 15,
          elastic: { bend: { modulus: rigidity } },
        })
        const columns = (from: number, to: number) =>
          Array.from({ length: model.particleCount }, (_, i) => i).filter((i) => {
            const at = model.positions[i * 3]! / cell + nx / 2
            return at > from && at < to
          })
        body.pin(columns(-0.5, 1.01))
        run(world, 1)
        expect(rmsSpeed(body)).toBeLessThan(1e-3)
        expectHealthy(world)
        const x = positionsOf(body)
        const tip = columns(nx - 0.01, nx + 0.5)
        const droop = tip.reduce((sum, i) => sum - x[i * 3 + 1]! / tip.length, 0)
        // A sum over nine hinges for an integral, and the sweeps: 3%. Hinges of an irregular mesh are some 15% soft, for
        // a sheet finds ways to bend between those that they were chosen by.
        const ratio = droop / expected
        expect(ratio).toBeGreaterThan(kind === 'plane' ? 0.95 : 0.97)
        expect(ratio).toBeLessThan(kind === 'irregular' ? 1.22 : 1.03)
      })
    }
  }
})

describe('a hinge', () => {
  const row = (x: readonly number[]) => {
    const positions = Float64Array.from(x)
    const indices = Uint32Array.of(0, 1, 2, 3)
    return {
      columns: {
        positions,
        previous: positions.slice(),
        inverseMasses: new Float64Array(4).fill(1),
        masses: new Float64Array(4).fill(1),
        rotations: new Float64Array(0),
      },
      rows: {
        count: 1,
        indices,
        offsets: Uint32Array.of(0, 4),
        rest: Float64Array.of(0),
        material: Float64Array.of(0.1),
        lambda: new Float64Array(1),
        iterated: true,
        rotations: new Uint32Array(0),
      },
    }
  }
  const collapsed: Record<string, number[]> = {
    'all in one point': [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1],
    'an edge without length': [0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0],
    'a triangle in a line': [0, 0, 0, 1, 0, 0, 0.5, 0, 0, 0, 0, 1],
    'a triangle nearly in a line': [0, 0, 0, 1, 0, 0, 0.5, 1e-155, 0, 0, 0, 1],
    'one folded onto the other': [0, 0, 0, 1, 0, 0, 0.5, 1, 0, 0.5, 1, 0],
  }
  it.each(Object.entries(collapsed))('of %s stays finite, and does not fly off', (_, x) => {
    const { rows, columns } = row(x)
    for (let k = 0; k < 3; k++) bending.project(rows, 0, 1, columns)
    columns.positions.forEach((value, k) => expect(Math.abs(value - x[k]!)).toBeLessThan(4))
  })
})

describe('a free sheet', () => {
  for (const rigidity of [0, 1e-4, 1, Number.POSITIVE_INFINITY]) {
    it(`stays at rest in any rest shape, bend rigidity ${rigidity}`, () => {
      const { grid, irregular } = sheetModels(0.6, 0.4, 9, 6, new Random(3)) as { grid: Model; irregular: Model }
      const curved = clothMeshModel({ positions: rolled(irregular, 0.7, 0.3), index: irregular.triangles }).model
      for (const model of [grid, irregular, curved]) {
        const world = new World({ gravity: [0, 0, 0] })
        const bend = rigidity === 0 ? (false as const) : { compliance: 1 / rigidity }
        const body = world.addBody(model, { elastic: { bend } })
        run(world, 1)
        positionsOf(body).forEach((value, k) => expect(Math.abs(value - model.positions[k]!)).toBeLessThan(1e-12))
        expectHealthy(world)
      }
    })
  }

  it('keeps its centre of mass where it is while it unrolls', () => {
    const { irregular } = sheetModels(0.6, 0.4, 9, 6, new Random(4)) as { irregular: Model }
    const { model } = clothMeshModel({ positions: rolled(irregular, 0.7, 0.3), index: irregular.triangles })
    const world = new World({ gravity: [0, 0, 0] })
    const body = world.addBody(model, { elastic: { bend: { modulus: 0.1 } } })
    const before = body.centerOfMass([0, 0, 0])
    body.applyImpulse([0, 0, 0.02], { particles: Uint32Array.of(0), weights: Float64Array.of(1) })
    body.applyImpulse([0, 0, -0.02], { particles: Uint32Array.of(40), weights: Float64Array.of(1) })
    run(world, 1)
    body.centerOfMass([0, 0, 0]).forEach((value, d) => expect(Math.abs(value - before[d]!)).toBeLessThan(1e-12))
    expect(rmsSpeed(body)).toBeGreaterThan(0.01)
  })
})
