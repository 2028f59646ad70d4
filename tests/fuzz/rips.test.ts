// Rips and cuts of every kind, with contacts on: nothing that a guard has to mend, nothing that is not a cloth any more.
import { expect, it } from 'vitest'
import {
  type Attachment,
  clothMeshModel,
  clothModel,
  type MutableVec3,
  plane,
  sphere,
  World,
} from '../../src/headless.js'
import { Random, seeds } from '../support/draw.js'
import { expectHealthy, positionsOf } from '../support/laws.js'
import { irregularSheet } from '../support/sheets.js'
import { expectSound, piecesOf } from '../support/torn.js'

it.each(seeds(8))('rips and cuts with contacts on, seed %i', (seed) => {
  const random = new Random(seed)
  const cells = 6 + Math.floor(random.uniform(0, 5))
  const model =
    seed % 4 === 3
      ? clothMeshModel(irregularSheet(1, 1, cells, cells, 0.3, random)).model
      : clothModel({ width: 1, height: 1, segmentsX: cells, segmentsY: cells }).model
  const world = new World()
  world.addCollider(plane())
  world.addCollider(sphere(0.25), { position: [0, 0.4, 0] })
  const hangs = seed % 3 === 0
  const body = world.addBody(model, {
    position: [0, 1.2, 0],
    rotation: hangs ? [0, 0, 0, 1] : [-Math.SQRT1_2, 0, 0, Math.SQRT1_2],
    selfCollision: seed % 2 === 0,
    ...(seed % 4 < 2
      ? { tearStrain: random.uniform(0.05, 0.4) }
      : { tearStrength: random.uniform(2, 20), strainLimit: 0.1 }),
    tearWeakening: random.uniform(0, 0.9),
    shapeDamping: random.uniform(0, 5),
    restitution: random.uniform(0, 0.5),
    drag: 1,
  })
  if (hangs) body.pin(Array.from({ length: cells + 1 }, (_, i) => i))
  const place = (): [number, number, number] => [random.uniform(-1, 1), random.uniform(0, 2), random.uniform(-1, 1)]
  let hold: Attachment | null = null
  let point: MutableVec3 = [0, 0, 0]
  let way = place()
  let pieces = piecesOf(body.model)
  for (let step = 0; step < 120; step++) {
    if (step % 30 === 10) {
      hold?.remove()
      point = body.getPosition(Math.floor(random.uniform(0, body.particleCount)), [0, 0, 0])
      way = place()
      hold = body.attach(body.region(point, random.uniform(0.05, 0.3)), { compliance: 1e-3, maxForce: 100 })
    }
    for (let d = 0; d < 3; d++) point[d] = point[d]! + (2 * (way[d]! - (d === 1 ? 0.5 : 0))) / 60
    hold?.setTarget(point[0], Math.max(0.1, point[1]), point[2])
    if (step % 50 === 40) body.cut({ point: body.centerOfMass([0, 0, 0]), normal: place() })
    if (step % 37 === 20) body.cut({ from: [place(), place()], to: [place(), place()] })
    const before = body.model
    world.step()
    if (body.model === before) continue
    expectSound(body.model)
    // Pieces are parted for good: none has particles of two that were there before, or copies of such.
    const number = new Map(pieces.flatMap((piece, k) => piece.map((i) => [i, k] as const)))
    pieces = piecesOf(body.model)
    for (const piece of pieces) {
      expect(new Set(piece.map((i) => number.get(i)).filter((k) => k !== undefined)).size).toBeLessThan(2)
    }
  }
  expectSound(body.model)
  expect(piecesOf(body.model).length).toBeGreaterThan(2)
  expect(positionsOf(body).every(Number.isFinite)).toBe(true)
  expect(body.bounds(new Float64Array(6))[1]).toBeGreaterThan(0)
  expectHealthy(world)
})

it('a curtain of 64 x 64 cells is torn to rags and stays finite, and is whole again after a reset', () => {
  const model = clothModel({ width: 2, height: 2, segmentsX: 64, segmentsY: 64 }).model
  const world = new World()
  const body = world.addBody(model, { tearStrain: 0.1, tearWeakening: 0.6, drag: 1 })
  body.pin(Array.from({ length: 65 }, (_, i) => i))
  for (let k = 0; k < 40; k++) {
    if (k < 12) body.applyRadialImpulse([0.9 * Math.cos(5 * k), 0.9 * Math.sin(7 * k), 0.2], 6, 1.2)
    if (k < 10) body.cut({ point: [0.19 * k - 0.9, 0, 0], normal: [1, 0.4 * Math.cos(k), 0] })
    world.step()
  }
  expectSound(body.model)
  expect(piecesOf(body.model).length).toBeGreaterThan(30)
  expect(body.particleCount).toBeGreaterThan(4225 + 1200)
  expect(positionsOf(body).every(Number.isFinite)).toBe(true)
  expect(world.stats.nonFiniteRescues).toBe(0)
  body.reset()
  expect(body.model).toBe(model)
  world.step()
  expectHealthy(world)
})
