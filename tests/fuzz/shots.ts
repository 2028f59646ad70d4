// What is thrown at a cloth or at a thin mesh, at up to 40 m/s: nothing may pass, and no energy be made.
import {
  type Body,
  type ColliderShape,
  clothModel,
  type Model,
  mesh,
  type Quat,
  tetMeshModel,
  type Vec3,
  World,
} from '../../src/headless.js'
import { crossings } from '../support/crossings.js'
import { Random } from '../support/draw.js'
import { material } from '../support/elastic.js'
import { kineticEnergy } from '../support/energy.js'
import { ball, boxLattice, cube } from '../support/lattice.js'
import { largestSpeed, positionsOf } from '../support/laws.js'
import { toLocal, turnBy } from '../support/poses.js'

const thrownKinds = ['a ball', 'a cube', 'a lump', 'a cloth'] as const
const targetKinds = [
  'a cloth held at its top',
  'a cloth held at two edges',
  'a cloth held at its corners',
  'a free cloth',
  'an open mesh',
  'an open mesh that moves',
] as const

/** What a shot has come to. */
export interface ShotReport {
  name: string
  /** Edges through triangles, or particles through the mesh, summed over the times looked at. */
  crossed: number
  /** Contacts, summed over the steps. */
  touched: number
  contactClamps: number
  speedClamps: number
  /** Speed of the shot, and of the fastest particle at any step after [m/s]. */
  speed: number
  fastest: number
  /** Largest kinetic energy after a step over that before, less 1. */
  gained: number
}

const STEPS = 12

/** A block with bumps and dents. */
function lump(random: Random): Model {
  const size = random.vector(0.07).map((value) => 0.16 + value) as [number, number, number]
  const cells = random.integer(2, 4)
  const lattice = boxLattice(size, [cells, cells, cells])
  const { positions: x } = lattice
  const waves = Array.from({ length: 3 }, () => ({ by: random.vector(0.02), along: random.vector(18) }))
  for (let p = 0; p < x.length; p += 3) {
    const phases = waves.map(({ along }) => Math.sin(along[0] * x[p]! + along[1] * x[p + 1]! + along[2] * x[p + 2]!))
    for (let d = 0; d < 3; d++) x[p + d]! += waves.reduce((sum, { by }, k) => sum + by[d]! * phases[k]!, 0)
  }
  return tetMeshModel(lattice).model
}

function thrownModel(kind: number, random: Random): Model {
  if (kind === 0) return ball(random.uniform(0.05, 0.2), random.integer(2, 4))
  if (kind === 1) return cube(random.uniform(0.05, 0.3), random.integer(1, 3))
  if (kind === 2) return lump(random)
  const size = () => random.uniform(0.2, 0.7)
  return clothModel({
    width: size(),
    height: size(),
    segmentsX: random.integer(4, 12),
    segmentsY: random.integer(4, 12),
  }).model
}

/** Height of the wavy mesh over its plane [m]. */
const wave = (x: number, y: number): number => 0.06 * Math.sin(5 * x) * Math.cos(4 * y)

const MESH_HALF = 2

function wavyMesh(): { positions: number[]; index: number[] } {
  const n = 32
  const positions: number[] = []
  const index: number[] = []
  for (let r = 0; r <= n; r++) {
    for (let c = 0; c <= n; c++) {
      const [x, y] = [(2 * MESH_HALF * c) / n - MESH_HALF, (2 * MESH_HALF * r) / n - MESH_HALF]
      positions.push(x, y, wave(x, y))
      const a = r * (n + 1) + c
      if (r < n && c < n) index.push(a, a + 1, a + n + 2, a, a + n + 2, a + n + 1)
    }
  }
  return { positions, index }
}

/** Height of the mesh's triangles at a place of its frame [m]. */
function facetHeight(x: number, y: number): number {
  const n = 32
  const side = (2 * MESH_HALF) / n
  const [u, v] = [(x + MESH_HALF) / side, (y + MESH_HALF) / side]
  const [c, r] = [Math.floor(u), Math.floor(v)]
  const [s, t] = [u - c, v - r]
  const at = (i: number, j: number) => wave(i * side - MESH_HALF, j * side - MESH_HALF)
  const [a, d] = [at(c, r), at(c + 1, r + 1)]
  if (s >= t) return a + s * (at(c + 1, r) - a) + t * (d - at(c + 1, r))
  return a + t * (at(c, r + 1) - a) + s * (d - at(c, r + 1))
}

let shape: ColliderShape | undefined

type Motion = (time: number) => [Vec3, Quat]

function motionOf(moves: boolean, random: Random): Motion {
  const still: [Vec3, Quat] = [
    [0, 0, 0],
    [0, 0, 0, 1],
  ]
  if (!moves) return () => still
  const velocity = random.vector(6)
  const [axis, rate] = [random.direction(), random.uniform(-4, 4)]
  return (time) => [velocity.map((v) => v * time) as unknown as Vec3, turnBy(axis, rate * time)]
}

/** What a seed throws at what. */
export const shotName = (seed: number): string =>
  `${thrownKinds[seed % thrownKinds.length]} at ${targetKinds[Math.floor(seed / thrownKinds.length) % targetKinds.length]}`

/** Throws what the seed says; `watch` sees the world after each step. `settings` are the world's. */
export function playShot(
  seed: number,
  watch?: (world: World, bodies: Body[], report: ShotReport) => void,
  settings: { iterations?: number } = {},
): ShotReport {
  const random = new Random(seed)
  const thrown = seed % thrownKinds.length
  const target = Math.floor(seed / thrownKinds.length) % targetKinds.length
  const speed = random.uniform(10, 40)
  const world = new World({ gravity: [0, 0, 0], ...settings })
  const bodies: Body[] = []
  const motion = motionOf(target === 5, random)
  if (target >= 4) {
    shape ??= mesh(wavyMesh())
    const [position, rotation] = motion(0)
    const collider = world.addCollider(shape, { position, rotation })
    world.onBeforeStep(() => collider.setPose(...motion(world.time + world.settings.timeStep)))
  } else {
    const n = random.integer(6, 14)
    const { model } = clothModel({ width: 1, height: 1, segmentsX: n, segmentsY: n })
    const sheet = world.addBody(model, {
      density: random.scale(0.1, 1),
      friction: random.uniform(0, 1),
      selfCollision: random.uniform() < 0.3,
    })
    const row = (k: number) => Array.from({ length: n + 1 }, (_, i) => k * (n + 1) + i)
    if (target === 0) sheet.pin(row(n))
    if (target === 1) sheet.pin([...row(0), ...row(n)])
    if (target === 2) sheet.pin([0, n, n * (n + 1), n * (n + 2)])
    bodies.push(sheet)
  }
  // Straight, or grazing by up to 76 degrees from the normal.
  const slope = random.uniform() < 0.5 ? random.uniform(0, 0.5) : random.uniform(0.5, 4)
  const turn = random.uniform(0, 2 * Math.PI)
  const aim = [slope * Math.cos(turn), slope * Math.sin(turn), -1]
  const way = aim.map((value) => value / Math.hypot(...aim))
  const far = target >= 4 ? 0.9 : 0.8
  const at = [random.uniform(-0.25, 0.25), random.uniform(-0.25, 0.25), 0]
  // As far from the target's plane as from its place.
  const back = Math.min(far / -way[2]!, 2)
  const shot = world.addBody(thrownModel(thrown, random), {
    position: at.map((value, d) => value - back * way[d]!) as unknown as Vec3,
    rotation: random.rotation(),
    density: thrown === 3 ? random.scale(0.1, 1) : random.scale(50, 1000),
    friction: random.uniform(0, 1),
    ...(thrown === 3 ? { selfCollision: random.uniform() < 0.5 } : { elastic: material(random.scale(3e4, 1e6), 0.4) }),
  })
  shot.setVelocity(way.map((value) => speed * value) as unknown as Vec3, random.vector(5))
  bodies.push(shot)
  const report: ShotReport = {
    name: shotName(seed),
    crossed: 0,
    touched: 0,
    contactClamps: 0,
    speedClamps: 0,
    speed: largestSpeed(shot),
    fastest: 0,
    gained: 0,
  }
  const first = kineticEnergy(bodies)
  const steps = Math.ceil((back / speed) * 60) + STEPS
  for (let k = 1; k <= steps; k++) {
    world.step()
    report.touched += world.stats.surfaceContacts + world.stats.contacts
    if (target !== 5) report.gained = Math.max(report.gained, kineticEnergy(bodies) / first - 1)
    for (const body of bodies) report.fastest = Math.max(report.fastest, largestSpeed(body))
    if (target >= 4) report.crossed += behind(shot, motion(world.time))
    else if (k % 3 === 0) {
      const [sheet] = bodies as [Body, Body]
      report.crossed += crossings(sheet, shot) + crossings(shot, sheet)
    }
    watch?.(world, bodies, report)
  }
  report.contactClamps = world.stats.contactClamps
  report.speedClamps = world.stats.speedClamps
  return report
}

/** Particles that are behind the mesh; none where some have gone past its rim, from where there is a way round. */
function behind(body: Body, pose: [Vec3, Quat]): number {
  const x = positionsOf(body)
  let count = 0
  for (let p = 0; p < x.length; p += 3) {
    const [u, v, w] = toLocal(pose, [x[p]!, x[p + 1]!, x[p + 2]!])
    if (Math.max(Math.abs(u), Math.abs(v)) >= MESH_HALF) return 0
    if (w < facetHeight(u, v) - 1e-9) count++
  }
  return count
}
