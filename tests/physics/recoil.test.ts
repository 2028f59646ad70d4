import { describe, expect, it } from 'vitest'
import { type Body, clothMeshModel, World } from '../../src/headless.js'
import { Random, seeds } from '../support/draw.js'
import { bodyMotion, positionsOf, run, velocitiesOf } from '../support/laws.js'
import { irregularSheet, planeSheet, type Sheet } from '../support/sheets.js'

const SIZE = 1
const CELLS = 12
const H = 1 / 600
/** What draws a sheet out to more than twice its length, by its mass [m/s]. */
const BLOW = 30

const edgeAt = ({ particleCount, model }: Body, y: number) =>
  Array.from({ length: particleCount }, (_, i) => i).filter((i) => Math.abs(model.positions[i * 3 + 1]! - y) < 1e-9)

/** A sheet that is drawn out to three times its length between two edges: each step is a substep. */
function drawnOut(sheet: Sheet): { world: World; body: Body } {
  const { model } = clothMeshModel(sheet)
  const world = new World({ gravity: [0, 0, 0], timeStep: H, substeps: 1 })
  const body = world.addBody(model)
  const at = (i: number, d: number) => model.positions[i * 3 + d]!
  const lower = edgeAt(body, -SIZE / 2)
  body.pin([...lower, ...edgeAt(body, SIZE / 2)])
  const steps = 600
  for (let k = 1; k <= steps; k++) {
    for (const i of lower) body.movePin(i, [at(i, 0), -SIZE / 2 - (2 * SIZE * k) / steps, 0])
    world.step()
  }
  return { world, body }
}

/** What the ends of an edge longer than two lengths come together by in a substep, at most, in lengths. */
function fastestRecoil(body: Body, before: Float64Array): number {
  const { edges, positions } = body.model
  const v = velocitiesOf(body)
  let fastest = 0
  for (let e = 0; e < edges.length; e += 2) {
    const [p, q] = [edges[e]! * 3, edges[e + 1]! * 3]
    const between = (x: Float64Array) => [0, 1, 2].map((d) => x[p + d]! - x[q + d]!)
    const along = between(before)
    const [length, rest] = [Math.hypot(...along), Math.hypot(...between(positions))]
    if (length <= 2 * rest) continue
    const closing = -between(v).reduce((sum, speed, d) => sum + speed * along[d]!, 0) / length
    fastest = Math.max(fastest, (closing * H) / rest)
  }
  return fastest
}

/** The sweeps bring it to within twice the quarter: an edge gives to the next what it has lost. */
function expectSlowRecoil(world: World, body: Body): void {
  let fastest = 0
  for (let k = 0; k < 100; k++) {
    const from = positionsOf(body)
    world.step()
    fastest = Math.max(fastest, fastestRecoil(body, from))
  }
  expect(fastest).toBeGreaterThan(0.2)
  expect(fastest).toBeLessThan(0.5)
}

describe('a sheet that was drawn out to three lengths and let go', () => {
  const sheets: Record<string, Sheet> = { 'a grid': planeSheet(SIZE, SIZE, CELLS, CELLS) }
  for (const seed of seeds(4)) {
    sheets[`seed ${seed}`] = irregularSheet(SIZE, SIZE, CELLS, CELLS, 0.3, new Random(seed))
  }
  for (const [name, sheet] of Object.entries(sheets)) {
    it(`springs back by a quarter of an edge a substep, and keeps its momentum, ${name}`, () => {
      const { world, body } = drawnOut(sheet)
      body.unpin()
      world.step()
      const before = bodyMotion(body)
      expectSlowRecoil(world, body)
      const { momentum, momentumSize } = bodyMotion(body)
      const gained = Math.hypot(...momentum.map((of, d) => of - before.momentum[d]!))
      expect(gained / momentumSize).toBeLessThan(1e-9)
    })
  }

  it('springs back so where a blow has drawn it out since it lay still', () => {
    const { model } = clothMeshModel(sheets['a grid']!)
    const world = new World({ gravity: [0, 0, 0], timeStep: H, substeps: 1, maxSpeed: 1000 })
    const body = world.addBody(model)
    body.pin(edgeAt(body, SIZE / 2))
    run(world, 10 * H)
    const particles = Uint32Array.from(edgeAt(body, -SIZE / 2))
    const weights = new Float64Array(particles.length).fill(1 / particles.length)
    body.applyImpulse([0, -BLOW * body.mass, 0], { particles, weights })
    expectSlowRecoil(world, body)
  })
})
