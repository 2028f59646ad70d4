// A cloth put through solids that stand on something, hang in the air or are held: it comes out, at a walk.
import {
  type Body,
  box,
  clothModel,
  type Model,
  plane,
  type Quat,
  softBodyModel,
  type Vec3,
  World,
} from '../../src/headless.js'
import { crossings } from '../support/crossings.js'
import { Random } from '../support/draw.js'
import { material } from '../support/elastic.js'
import { ball, cube } from '../support/lattice.js'
import { largestSpeed, lowest, positionsOf } from '../support/laws.js'
import { capsule, ring } from '../support/rings.js'
import { within } from './overlaps.js'

export const sheetPlaces = ['ground', 'ledge', 'stack', 'no gravity', 'cloth pinned', 'solid pinned'] as const
export const sheetSolids = ['box', 'ball', 'torus', 'capsule'] as const

/** What a cloth that was put through solids has come to. */
export interface SheetReport {
  name: string
  /** Edges through triangles at first, and at the end. */
  before: number
  crossed: number
  /** Particles of the cloth within a solid at the end. */
  within: number
  /** Speed of the fastest particle at any step [m/s]. */
  fastest: number
  /** Since when nothing has crossed any more [s], looked for each tenth of a second. */
  apart: number
  /** True where cloth and solids ever slept while they crossed. */
  slept: boolean
  speedClamps: number
  contactClamps: number
  nonFiniteRescues: number
}

const LEDGE = 0.5

function modelOf(kind: (typeof sheetSolids)[number], size: number, random: Random): Model {
  if (kind === 'box') return cube(size, random.integer(2, 4))
  if (kind === 'ball') return ball(size / 2, random.integer(3, 5))
  if (kind === 'torus') return softBodyModel(ring(0.4 * size, 0.16 * size), { tetCount: 300 }).model
  return softBodyModel(capsule(0.3 * size, 0.6 * size), { tetCount: 200 }).model
}

/** Turned by an angle about a level axis, after it has been laid flat. */
function tilted(angle: number, around: number): Quat {
  const [s, c] = [Math.sin(angle / 2), Math.cos(angle / 2)]
  const [ax, az] = [s * Math.cos(around), s * Math.sin(around)]
  const r = Math.SQRT1_2
  // (ax, 0, az; c) (r, 0, 0; r)
  return [ax * r + c * r, az * r, az * r, c * r - ax * r]
}

/** A cloth through one solid or two of the seed. */
export function putThrough(seed: number): { world: World; cloth: Body; solids: Body[]; name: string } {
  const random = new Random(seed)
  const place = sheetPlaces[seed % sheetPlaces.length]!
  const kind = sheetSolids[random.integer(0, sheetSolids.length - 1)]!
  while (true) {
    const size = random.uniform(0.2, 0.45)
    const model = modelOf(kind, size, random)
    const lying = random.integer(0, 1) === 1
    const world = new World(place === 'no gravity' ? { gravity: [0, 0, 0] } : {})
    if (place !== 'no gravity') world.addCollider(plane())
    if (place === 'ledge') world.addCollider(box([0.5, LEDGE / 2, 0.5]), { position: [0, LEDGE / 2, 0] })
    const floor = place === 'ledge' ? LEDGE : 0
    const settings = {
      friction: random.uniform(0.2, 1),
      elastic: material(random.scale(5e4, 3e5), 0.4),
      shapeDamping: 2,
    }
    const rotation: Quat = lying ? [Math.SQRT1_2, 0, 0, Math.SQRT1_2] : [0, 0, 0, 1]
    const solids: Body[] = []
    let top = floor
    for (let k = 0; k < (place === 'stack' ? 2 : 1); k++) {
      const at: Vec3 = [place === 'ledge' ? 0.4 : 0.02 * k, 0, 0]
      const solid = world.addBody(model, { ...settings, rotation, position: at })
      // What is held is held in the air: between it and the ground a cloth needs room.
      const off = top + (place === 'solid pinned' ? 0.1 : 0.01) - lowest(solid)
      solid.remove()
      solids.push(world.addBody(model, { ...settings, rotation, position: [at[0], off, at[2]] }))
      const x = positionsOf(solids[k]!)
      for (let p = 1; p < x.length; p += 3) top = Math.max(top, x[p]!)
    }
    if (place === 'solid pinned') solids[0]!.pin(lowestOf(solids[0]!, 0.1 * size))
    const n = random.integer(8, 16)
    const width = random.uniform(0.4, 1.3)
    const base = Math.min(...solids.map(lowest))
    const height = random.uniform(base + 0.02, top - 0.02)
    const free = place === 'no gravity' ? Math.PI / 2 : Math.asin(Math.min(0.8, (height - floor) / (0.75 * width)))
    const cloth = world.addBody(clothModel({ width, height: width, segmentsX: n, segmentsY: n }).model, {
      position: [solids[0]!.centerOfMass([0, 0, 0])[0] + random.uniform(-0.1, 0.1), height, random.uniform(-0.1, 0.1)],
      rotation: tilted(random.uniform(0, free), random.uniform(0, 2 * Math.PI)),
      selfCollision: random.integer(0, 1) === 1,
      damping: random.integer(0, 1) === 1 ? 0.5 : 0,
      drag: 1,
      lift: 1,
      friction: random.uniform(0.2, 1),
    })
    if (place === 'cloth pinned') cloth.pin([0, n, n * (n + 1), n * (n + 2)])
    const name = `${place}, ${kind}${lying ? ' lying' : ''}`
    if (crossed(cloth, solids) > 0) return { world, cloth, solids, name }
  }
}

function lowestOf(body: Body, within: number): number[] {
  const x = positionsOf(body)
  const floor = lowest(body)
  return Array.from({ length: body.particleCount }, (_, i) => i).filter((i) => x[i * 3 + 1]! < floor + within)
}

const crossed = (cloth: Body, solids: readonly Body[]): number =>
  solids.reduce((sum, solid) => sum + crossings(cloth, solid) + crossings(solid, cloth), 0)

/** Lets go of a cloth through solids, and watches them for 3 s. */
export function playSheet(seed: number, seconds = 3): SheetReport {
  const { world, cloth, solids, name } = putThrough(seed)
  const before = crossed(cloth, solids)
  let fastest = 0
  let apart = Number.POSITIVE_INFINITY
  let slept = false
  for (let k = 1; k <= Math.round(seconds * 60); k++) {
    world.step()
    fastest = Math.max(fastest, largestSpeed(cloth), ...solids.map(largestSpeed))
    if (k % 6 > 0) continue
    if (crossed(cloth, solids) === 0) apart = Math.min(apart, k / 60)
    else {
      apart = Number.POSITIVE_INFINITY
      slept ||= cloth.asleep
    }
  }
  const { speedClamps, contactClamps, nonFiniteRescues } = world.stats
  return {
    name,
    before,
    crossed: crossed(cloth, solids),
    within: solids.reduce((sum, solid) => sum + within(cloth, solid), 0),
    fastest,
    apart,
    slept,
    speedClamps,
    contactClamps,
    nonFiniteRescues,
  }
}
