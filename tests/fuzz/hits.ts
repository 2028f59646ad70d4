// Bodies, cloths, ropes and particles that run into each other at 5 to 60 m/s, one up to a hundred times heavier than the
// other: nothing may pass, no guard act, and no energy be made.
import { type Body, clothModel, type Model, particlesModel, ropeModel, type Vec3, World } from '../../src/headless.js'
import { crossings } from '../support/crossings.js'
import { Random } from '../support/draw.js'
import { material } from '../support/elastic.js'
import { inside } from '../support/inside.js'
import { ball, cube } from '../support/lattice.js'
import { largestSpeed, positionsOf, velocitiesOf } from '../support/laws.js'

const thrownKinds = ['a ball', 'a cube', 'a cloth', 'a rope', 'particles'] as const
const targetKinds = [
  'a framed cloth',
  'a cloth held at its top',
  'a free cloth',
  'a free ball',
  'a cube',
  'a rope',
] as const

/** What a hit has come to. */
export interface HitReport {
  name: string
  /** Edges through triangles, particles within solids or behind a frame's cloth, at the end. */
  crossed: number
  /** Contacts, summed over the steps, and impacts. */
  touched: number
  contactClamps: number
  speedClamps: number
  nonFiniteRescues: number
  /** Speed of what is thrown, and of the fastest particle at any step after [m/s]. */
  speed: number
  fastest: number
  /** Mass of what is thrown over that of the target. */
  ratio: number
  /** Largest kinetic energy after a step over that at first, less 1. */
  gained: number
}

const STEPS = 24

const isSolid = ({ model }: Body): boolean => model.tets.length > 0

function sheet(random: Random, size: number, least: number, most: number): Model {
  const n = random.integer(least, most)
  return clothModel({ width: size, height: size, segmentsX: n, segmentsY: n }).model
}

function thrownModel(kind: number, random: Random): Model {
  if (kind === 0) return ball(random.uniform(0.06, 0.2), random.integer(2, 3))
  if (kind === 1) return cube(random.uniform(0.08, 0.3), random.integer(1, 3))
  if (kind === 2) return sheet(random, random.uniform(0.3, 0.6), 4, 10)
  if (kind === 3) {
    const half = random.uniform(0.15, 0.4)
    const points: Vec3[] = [
      [-half, 0, 0],
      [half, 0, 0],
    ]
    return ropeModel({ points, segments: random.integer(6, 16), radius: random.uniform(0.01, 0.03) }).model
  }
  return particlesModel(
    Array.from({ length: 30 }, () => random.uniform(-0.2, 0.2)),
    { radius: random.uniform(0.005, 0.03) },
  )
}

function targetModel(kind: number, random: Random): Model {
  if (kind < 3) return sheet(random, 1, 6, 14)
  if (kind === 3) return ball(random.uniform(0.15, 0.3), 3)
  if (kind === 4) return cube(random.uniform(0.3, 0.5), random.integer(2, 3))
  const points: Vec3[] = [
    [-0.7, 0, 0],
    [0.7, 0, 0],
  ]
  return ropeModel({ points, segments: random.integer(16, 28) }).model
}

/** Holds the rim of a sheet of n by n cells, or its first row. */
function hold(body: Body, whole: boolean): void {
  const n = Math.sqrt(body.particleCount) - 1
  const rim = Array.from({ length: body.particleCount }, (_, i) => i).filter((i) => {
    const [column, row] = [i % (n + 1), Math.floor(i / (n + 1))]
    return row === 0 || (whole && (row === n || column === 0 || column === n))
  })
  body.pin(rim)
}

/** What a seed throws at what. */
export const hitName = (seed: number): string =>
  `${thrownKinds[seed % thrownKinds.length]} at ${targetKinds[seed % targetKinds.length]}`

const energyOf = (bodies: readonly Body[]): number =>
  bodies.reduce((sum, body) => {
    const v = velocitiesOf(body)
    return sum + v.reduce((part, u, p) => part + 0.5 * body.mass * body.model.massShares[Math.floor(p / 3)]! * u * u, 0)
  }, 0)

/** Throws what the seed says. */
export function playHit(seed: number): HitReport {
  const random = new Random(seed)
  const thrownKind = seed % thrownKinds.length
  const targetKind = seed % targetKinds.length
  const world = new World({ gravity: [0, 0, 0] })
  const speed = random.scale(5, 60)
  const ratio = random.scale(0.01, 100)
  const elastic = (model: Model) => (model.tets.length > 0 ? { elastic: material(random.scale(3e4, 1e6), 0.4) } : {})
  const model = targetModel(targetKind, random)
  const target = world.addBody(model, {
    density: targetKind < 3 ? random.scale(0.1, 1) : random.scale(50, 1000),
    friction: random.uniform(0, 1),
    selfCollision: targetKind < 3 && random.uniform() < 0.3,
    ...elastic(model),
  })
  if (targetKind < 2) hold(target, targetKind === 0)
  if (targetKind === 5) target.pin([0, target.particleCount - 1])
  const slope = random.uniform(0, 0.7)
  const turn = random.uniform(0, 2 * Math.PI)
  const aim = [slope * Math.cos(turn), slope * Math.sin(turn), -1]
  const way = aim.map((value) => value / Math.hypot(...aim))
  const back = 0.9 / -way[2]!
  const at = [random.uniform(-0.15, 0.15), random.uniform(-0.1, 0.1), 0]
  const thing = thrownModel(thrownKind, random)
  const thrown = world.addBody(thing, {
    position: at.map((value, d) => value - back * way[d]!) as unknown as Vec3,
    rotation: random.rotation(),
    mass: ratio * target.mass,
    friction: random.uniform(0, 1),
    selfCollision: thrownKind === 2 && random.uniform() < 0.5,
    ...elastic(thing),
  })
  thrown.setVelocity(way.map((value) => speed * value) as unknown as Vec3, random.vector(5))
  const bodies = [target, thrown]
  const report: HitReport = {
    name: `${hitName(seed)}, ${ratio.toFixed(2)} times its mass`,
    crossed: 0,
    touched: 0,
    contactClamps: 0,
    speedClamps: 0,
    nonFiniteRescues: 0,
    speed: largestSpeed(thrown),
    fastest: 0,
    ratio,
    gained: 0,
  }
  const first = energyOf(bodies)
  const steps = Math.ceil((back / speed) * 60) + STEPS
  for (let k = 1; k <= steps; k++) {
    world.step()
    report.touched += world.stats.surfaceContacts
    for (const body of bodies) report.fastest = Math.max(report.fastest, largestSpeed(body))
    report.gained = Math.max(report.gained, energyOf(bodies) / first - 1)
  }
  if (isSolid(target)) report.crossed = within(thrown, target)
  if (isSolid(target) && isSolid(thrown)) report.crossed += within(target, thrown)
  else report.crossed += crossings(target, thrown) + crossings(thrown, target)
  if (targetKind === 0 && thrownKind === 4) report.crossed = behind(thrown, target)
  report.touched += world.stats.sweptContacts
  report.contactClamps = world.stats.contactClamps
  report.speedClamps = world.stats.speedClamps
  report.nonFiniteRescues = world.stats.nonFiniteRescues
  return report
}

/** Particles of one body in a solid. */
function within(body: Body, solid: Body): number {
  const x = positionsOf(body)
  const y = positionsOf(solid)
  let count = 0
  for (let p = 0; p < x.length; p += 3) if (inside(y, solid.model.triangles, [x[p]!, x[p + 1]!, x[p + 2]!])) count++
  return count
}

/** Particles between which and where they came from the cloth is: along z it is crossed an odd number of times. */
function behind(body: Body, cloth: Body): number {
  const x = positionsOf(body)
  const y = positionsOf(cloth)
  let count = 0
  for (let p = 0; p < x.length; p += 3) {
    if (Math.max(Math.abs(x[p]!), Math.abs(x[p + 1]!)) > 0.5) continue
    if (inside(y, cloth.model.triangles, [x[p]!, x[p + 1]!, x[p + 2]!])) count++
  }
  return count
}
