// Joints of torn cloths: a point that one holds goes with the triangle that it is in.
import { Triangle, Vector3 } from 'three'
import { describe, expect, it } from 'vitest'
import { type Body, clothModel, type MutableVec3, type Vec3, World } from '../../src/headless.js'
import { Random, seeds } from '../support/draw.js'
import { expectHealthy, positionsOf, run, velocitiesOf } from '../support/laws.js'

const CELLS = 16
const sheet = clothModel({ width: 2, height: 2, segmentsX: CELLS, segmentsY: CELLS }).model

/** How far a place is from a body's matter [m]. */
function offOf(body: Body, place: Vec3): number {
  const x = positionsOf(body)
  const point = new Vector3(...place)
  const { triangles } = body.model
  const corner = (c: number) => new Vector3().fromArray(x, 3 * triangles[c]!)
  const nearest = new Vector3()
  let least = Number.POSITIVE_INFINITY
  for (let t = 0; t < triangles.length; t += 3) {
    new Triangle(corner(t), corner(t + 1), corner(t + 2)).closestPointToPoint(point, nearest)
    least = Math.min(least, nearest.distanceTo(point))
  }
  return least
}

describe('a point that is held within a triangle, beside a cut', () => {
  it.each(seeds(6))('stays in the cloth, as the pieces part and when it is mended, seed %i', (seed) => {
    const random = new Random(seed)
    const world = new World({ gravity: [0, 0, 0] })
    const body = world.addBody(sheet)
    const at: Vec3 = [random.uniform(-0.5, 0.5), random.uniform(-0.1, 0.1), 0]
    const cell = 2 / CELLS
    const springs = [-1, 0, 1].map((k) =>
      body.spring(null, { from: [at[0], at[1] + 0.5 * k * cell, 0], to: [0, 0, 1], stiffness: 0 }),
    )
    const off = () =>
      Math.max(
        ...springs.map((spring) => {
          const from: MutableVec3 = [0, 0, 0]
          spring!.ends(from, [0, 0, 0])
          return offOf(body, from)
        }),
      )
    const whole = world.snapshot()
    body.cut({ point: at, normal: [0.02, 1, 0] })
    expect(off()).toBeLessThan(1e-12)
    const low = body.pieceOf([sheet.particleCount - 1])
    body.applyImpulse([0.3 * body.mass, -body.mass, 0], low)
    run(world, 1)
    expect(off()).toBeLessThan(1e-12)
    const parted = world.snapshot()
    body.reset()
    run(world, 0.1)
    expect(off()).toBeLessThan(1e-12)
    world.restore(parted)
    expect(off()).toBeLessThan(1e-12)
    world.restore(whole)
    expect(off()).toBeLessThan(1e-12)
  })

  it.each(seeds(6))('holds the one piece, while the other one falls, seed %i', (seed) => {
    const random = new Random(seed)
    const world = new World({ sleeping: false })
    const body = world.addBody(sheet, { shapeDamping: 5 })
    const at: Vec3 = [random.uniform(-0.5, 0.5), random.uniform(-0.1, 0.1), 0]
    body.join(null, { at, radius: 0, position: at })
    body.cut({ point: [at[0], at[1] + random.uniform(-0.03, 0.03), 0], normal: [0.02, 1, 0] })
    const pieces = [body.pieceOf([0]), body.pieceOf([sheet.particleCount - 1])]
    const start = pieces.map((piece) => body.pointOf(piece, [0, 0, 0])[1])
    run(world, 1)
    const v = velocitiesOf(body)
    const speeds = pieces.map(({ particles, weights }) =>
      particles.reduce((sum, i, k) => sum + weights[k]! * v[3 * i + 1]!, 0),
    )
    const falling = speeds[0]! < speeds[1]! ? 0 : 1
    expect(speeds[falling]).toBeCloseTo(-9.81, 6)
    const held = 1 - falling
    // It hangs, and swings down about its point, no farther than it is wide.
    const drop = start[held]! - body.pointOf(pieces[held]!, [0, 0, 0])[1]
    expect(drop).toBeGreaterThan(-0.01)
    expect(drop).toBeLessThan(2)
    expectHealthy(world)
  })
})
