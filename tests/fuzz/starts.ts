import { tetVolume } from '../../src/core/constraints/volume.js'
import { type Body, type Elastic, type Model, softBodyModel, tetMeshModel, World } from '../../src/headless.js'
import { Random } from '../support/draw.js'
import { boxLattice } from '../support/lattice.js'
import { positionsOf } from '../support/laws.js'
import { realMesh } from '../support/meshes.js'
import { type Matrix, maximiser, multiply } from '../support/rotations.js'

/** From where a body has to find back to its shape. */
export const starts = ['random', 'point', 'flat', 'mirror'] as const
export type Start = (typeof starts)[number]

export const startModels = {
  '500 tetrahedra': async () => tetMeshModel(boxLattice([1, 1, 1], [5, 5, 4])).model,
  '2,000 tetrahedra': async () => tetMeshModel(boxLattice([1, 1, 1], [8, 10, 5])).model,
  bunny: async () => {
    const mesh = await realMesh('bunny')
    const all = Float64Array.from(mesh.positions)
    const side = Math.max(
      ...[0, 1, 2].map((d) => {
        const along = all.filter((_, p) => p % 3 === d)
        return along.reduce((a, b) => Math.max(a, b)) - along.reduce((a, b) => Math.min(a, b))
      }),
    )
    return softBodyModel({ ...mesh, positions: all.map((x) => x / side) }, { resolution: 10 }).model
  },
}
export type StartModel = keyof typeof startModels

const off = { edges: false, volumes: false, neoHookean: false, shape: false, pressure: false } as const

/** What holds the body together; where `rescue` is false, nothing else does. */
export const materials: Record<string, { elastic: Elastic; rescue: boolean }> = {
  'neo-Hookean': { elastic: { ...off, neoHookean: { youngsModulus: 8e4, poissonRatio: 0.45 } }, rescue: false },
  'neo-Hookean, rescued': { elastic: { ...off, neoHookean: { youngsModulus: 8e4, poissonRatio: 0.45 } }, rescue: true },
  'neo-Hookean, a stiff cork': {
    elastic: { ...off, neoHookean: { youngsModulus: 1e6, poissonRatio: 0 } },
    rescue: false,
  },
  'shape matching': { elastic: { ...off, shape: { rate: 50 } }, rescue: false },
  'edges and volumes': { elastic: { ...off, edges: { modulus: 8e4 }, volumes: { modulus: 3e5 } }, rescue: false },
  'edges and volumes, rescued': {
    elastic: { ...off, edges: { modulus: 8e4 }, volumes: { modulus: 3e5 } },
    rescue: true,
  },
}

/** Writes positions into a body's state, at rest. */
export function putAt(world: World, body: Body, positions: Float64Array): void {
  const snapshot = world.snapshot()
  const at = world.bodies.indexOf(body)
  const vectors = snapshot.bodies[at]!.vectors
  for (const k of [0, 1, 3, 4]) vectors[k]!.set(positions) // positions, step starts, targets, goals
  vectors[2]!.fill(0)
  world.restore(snapshot)
}

/** Where a start puts the particles: a seed turns the body before it is flattened or mirrored. */
export function startPositions(model: Model, start: Start, seed: number): Float64Array {
  const random = new Random(seed)
  const rest = model.positions
  if (start === 'random') {
    const [low, high] = [0, 1, 2].reduce(
      ([l, h], d) => {
        const along = rest.filter((_, p) => p % 3 === d)
        l.push(along.reduce((a, b) => Math.min(a, b)))
        h.push(along.reduce((a, b) => Math.max(a, b)))
        return [l, h]
      },
      [[], []] as [number[], number[]],
    )
    return rest.map((_, p) => random.uniform(low[p % 3], high[p % 3]))
  }
  if (start === 'point') {
    const point = random.vector()
    return rest.map((_, p) => point[p % 3]!)
  }
  const R = matrixOf(random.rotation())
  const squash: Matrix = [1, 0, 0, 0, start === 'flat' ? 0 : -1, 0, 0, 0, 1]
  return mapped(rest, multiply(squash, R))
}

export interface Outcome {
  /** Inverted tetrahedra. */
  inverted: number
  /** Signed volume of all tetrahedra over that at rest. */
  volume: number
  /** Root of the mean square distance to the nearest rigid placement of the rest shape, by mass, over the size. */
  rms: number
}

/** One body alone, without gravity, from a start: the state after `seconds`, or as soon as `done` says, asked ten times a second. */
export function settle(
  model: Model,
  material: keyof typeof materials,
  start: Start,
  seed: number,
  seconds: number,
  done: (outcome: Outcome) => boolean = () => false,
): Outcome & { world: World } {
  const world = new World({ gravity: [0, 0, 0] })
  const body = world.addBody(model, { shapeDamping: 2, ...materials[material] })
  putAt(world, body, startPositions(model, start, seed))
  for (let k = 1; k <= seconds * 60; k++) {
    world.step()
    if (k % 6 > 0) continue
    const now = outcome(body)
    if (done(now)) return { world, ...now }
  }
  return { world, ...outcome(body) }
}

export function outcome(body: Body): Outcome {
  const x = positionsOf(body)
  return { inverted: invertedCount(body.model, x), volume: body.volume() / body.model.volume, rms: rmsOf(body, x) }
}

export function invertedCount({ tets }: Model, x: Float64Array): number {
  let count = 0
  for (let t = 0; t < tets.length; t += 4) if (!(tetVolume(x, tets, t) > 0)) count++
  return count
}

function rmsOf({ model }: Body, x: Float64Array): number {
  const { positions: q, massShares: m } = model
  const mean = (column: Float64Array) =>
    [0, 1, 2].map((d) => m.reduce((sum, mi, i) => sum + mi * column[i * 3 + d]!, 0))
  const [c, g] = [mean(x), mean(q)]
  const A = [0, 1, 2].flatMap((a) =>
    [0, 1, 2].map((b) => m.reduce((sum, mi, i) => sum + mi * (x[i * 3 + a]! - c[a]!) * (q[i * 3 + b]! - g[b]!), 0)),
  )
  const R = maximiser(A).rotation ?? [1, 0, 0, 0, 1, 0, 0, 0, 1]
  const goal = mapped(
    q.map((value, p) => value - g[p % 3]!),
    R,
  )
  let sum = 0
  for (let p = 0; p < x.length; p++) sum += m[Math.floor(p / 3)]! * (x[p]! - c[p % 3]! - goal[p]!) ** 2
  return Math.sqrt(sum) / model.size
}

function mapped(x: Float64Array, R: Matrix): Float64Array {
  return x.map((_, p) => {
    const [i, d] = [p - (p % 3), p % 3]
    return R[d * 3]! * x[i]! + R[d * 3 + 1]! * x[i + 1]! + R[d * 3 + 2]! * x[i + 2]!
  })
}

function matrixOf([x, y, z, w]: readonly [number, number, number, number]): Matrix {
  return [
    1 - 2 * (y * y + z * z),
    2 * (x * y - z * w),
    2 * (x * z + y * w),
    2 * (x * y + z * w),
    1 - 2 * (x * x + z * z),
    2 * (y * z - x * w),
    2 * (x * z - y * w),
    2 * (y * z + x * w),
    1 - 2 * (x * x + y * y),
  ]
}
