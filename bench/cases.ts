// What is timed, beside the engine alone: bundled by run.mjs into one module for plain Node.
import { tetBox } from '../scenes/index.js'
import { clothModel, distance, ModelBuilder, plane, tetMeshModel, World } from '../src/headless.js'

/** A scene and what one step of it works through. */
export interface Case {
  readonly name: string
  readonly world: World
  /** Constraint rows that one step projects: rows times substeps times iterations. */
  readonly rowsAStep: number
}

const rigid = { compliance: 0 }

/** 64 x 64 particles hang from their upper edge: 23,938 distances along the threads, across the cells and over two. */
function hangingCloth(): World {
  const world = new World({ sleeping: false })
  const n = 64
  const side = 2 / (n - 1)
  const at = (i: number, j: number) => j * n + i
  const particles = Array.from({ length: n * n }, (_, k) => [(k % n) * side - 1, 1 - Math.floor(k / n) * side, 0])
  const pairs: number[] = []
  const join = (a: number, b: number, wanted: boolean) => wanted && pairs.push(a, b)
  const steps = [
    [1, 0],
    [0, 1],
    [1, 1],
    [-1, 1],
    [2, 0],
    [0, 2],
  ] as const
  for (const [dx, dy] of steps) {
    for (let j = 0; j + dy < n; j++) {
      for (let i = 0; i < n; i++) join(at(i, j), at(i + dx, j + dy), i + dx >= 0 && i + dx < n)
    }
  }
  const model = new ModelBuilder(Float64Array.from(particles.flat()))
    .with({ density: 0.2, measure: 4, elastic: { springs: rigid } })
    .constrain('springs', distance, Uint32Array.from(pairs))
    .build()
  world.addBody(model).pin(Array.from({ length: n }, (_, i) => i))
  return world
}

/** The same cloth as users have it: 7,938 triangles and 11,905 hinges. */
function wovenCloth(coarserGrids: boolean): World {
  const world = new World({ sleeping: false })
  const { model } = clothModel({ width: 2, height: 2, segmentsX: 63, segmentsY: 63 })
  // Rows and columns that do not have the sheet's area are taken for no grid.
  const cloth = coarserGrids ? model : { ...model, measure: model.measure * (1 + 1e-5) }
  world.addBody(cloth).pin(Array.from({ length: 64 }, (_, i) => i))
  return world
}

/** A box of 5,000 tetrahedra falls on the ground: 6,930 edges and 5,000 volumes. */
function droppedBox(): World {
  const world = new World({ sleeping: false })
  const { model } = tetMeshModel(tetBox([1, 1, 1], [10, 10, 10]))
  world.addCollider(plane())
  world.addBody(model, { position: [0, 0.6, 0], elastic: { edges: rigid, volumes: rigid, shape: false } })
  return world
}

function prepared(name: string, world: World): Case {
  world.step()
  const { constraints } = world.stats
  return { name, world, rowsAStep: constraints * world.settings.substeps * world.settings.iterations }
}

export function cases(this: void): Case[] {
  return [
    prepared('S1 cloth 64 x 64', hangingCloth()),
    prepared('woven cloth 64 x 64', wovenCloth(true)),
    prepared('the same without coarser grids', wovenCloth(false)),
    prepared('S3 box, 5,000 tets', droppedBox()),
  ]
}

const CALIBRATION_ROWS = 100_000
const points = Float64Array.from({ length: 3000 }, (_, k) => k % 17)

/** A fixed piece of work of a constraint's kind that is not the engine's: so many point pairs brought nearer. */
export function calibrate(this: void): number {
  for (let row = 0; row < CALIBRATION_ROWS; row++) {
    const a = ((row * 7) % 1000) * 3
    const b = ((row * 13 + 500) % 1000) * 3
    const dx = points[a]! - points[b]!
    const dy = points[a + 1]! - points[b + 1]!
    const dz = points[a + 2]! - points[b + 2]!
    const s = 1e-6 / Math.sqrt(dx * dx + dy * dy + dz * dz + 1)
    points[a] = points[a]! - s * dx
    points[a + 1] = points[a + 1]! - s * dy
    points[a + 2] = points[a + 2]! - s * dz
    points[b] = points[b]! + s * dx
    points[b + 1] = points[b + 1]! + s * dy
    points[b + 2] = points[b + 2]! + s * dz
  }
  return CALIBRATION_ROWS
}
