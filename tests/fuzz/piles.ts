// Bodies and cloths dropped on each other at random.
import { type Body, clothModel, plane, World } from '../../src/headless.js'
import { crossings } from '../support/crossings.js'
import { Random } from '../support/draw.js'
import { material } from '../support/elastic.js'
import { ball, cube } from '../support/lattice.js'
import { positionsOf, velocitiesOf } from '../support/laws.js'

/** What a pile has come to. */
export interface PileReport {
  bodies: number
  finite: boolean
  /** Edges through triangles at the end, of cloths with themselves and of what touches a cloth. */
  crossed: number
  /** Particles below the ground by more than 1 cm. */
  below: number
  contactClamps: number
  speedClamps: number
  inversionRescues: number
  /** Root of the mean square speed at the end [m/s]. */
  speed: number
}

/** Drops what the seed says from up to 2 m for `seconds`. */
export function playPile(seed: number, seconds: number): PileReport {
  const random = new Random(seed)
  const world = new World()
  world.addCollider(plane())
  const count = random.integer(4, 8)
  const bodies: Body[] = []
  for (let k = 0; k < count; k++) {
    // One above the other: none begins in another.
    const position = [random.uniform(-0.15, 0.15), 0.3 + 0.45 * k, random.uniform(-0.15, 0.15)] as const
    const cloth = random.integer(0, 2) === 0
    const n = random.integer(6, 10)
    const model = cloth
      ? clothModel({ width: 0.7, height: 0.7, segmentsX: n, segmentsY: n }).model
      : random.integer(0, 1) === 0
        ? ball(random.uniform(0.1, 0.16), 3)
        : cube(random.uniform(0.15, 0.22), 2)
    // A cloth falls flat, within 14 degrees.
    const tilt = random.uniform(0.62, 0.78)
    bodies.push(
      world.addBody(model, {
        position,
        rotation: cloth ? [tilt, 0, 0, Math.sqrt(1 - tilt * tilt)] : random.rotation(),
        friction: random.uniform(0, 1),
        shapeDamping: 2,
        ...(cloth
          ? { density: random.scale(0.2, 0.6), selfCollision: random.integer(0, 1) === 0 }
          : { density: random.scale(100, 400), elastic: material(random.scale(1e5, 3e5), 0.4) }),
      }),
    )
  }
  for (let k = 0; k < Math.round(seconds * 60); k++) world.step()
  const report: PileReport = {
    bodies: count,
    finite: true,
    crossed: 0,
    below: 0,
    contactClamps: world.stats.contactClamps,
    speedClamps: world.stats.speedClamps,
    inversionRescues: world.stats.inversionRescues,
    speed: 0,
  }
  const isCloth = (body: Body) => body.model.tets.length === 0
  let square = 0
  let particles = 0
  for (const one of bodies) {
    const x = positionsOf(one)
    report.finite &&= x.every(Number.isFinite)
    for (let p = 1; p < x.length; p += 3) if (x[p]! < -0.01) report.below++
    for (const v of velocitiesOf(one)) square += v * v
    particles += one.particleCount
    for (const other of bodies) {
      // Rims of two solids may hook; a cloth that does not collide with itself may lie in itself.
      if (one === other ? one.settings.selfCollision : isCloth(one) || isCloth(other)) {
        report.crossed += crossings(one, other)
      }
    }
  }
  report.speed = Math.sqrt(square / particles)
  return report
}
