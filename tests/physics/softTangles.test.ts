import { describe, expect, it } from 'vitest'
import { type Body, clothModel, type Quat, type Vec3, World } from '../../src/headless.js'
import { crossings } from '../support/crossings.js'
import { inside } from '../support/inside.js'
import { ball, cube } from '../support/lattice.js'
import { centerOf, largestSpeed, positionsOf, run } from '../support/laws.js'

const sheet = (n: number) => clothModel({ width: 1, height: 1, segmentsX: n, segmentsY: n }).model
const between = (one: Body, other: Body) => crossings(one, other) + crossings(other, one)

/** What crosses, and particles of one that are within the other. */
const both = (one: Body, other: Body) => between(one, other) + within(one, other) + within(other, one)

function within(body: Body, solid: Body): number {
  if (solid.model.tets.length === 0) return 0
  const x = positionsOf(body)
  const y = positionsOf(solid)
  let count = 0
  for (let p = 0; p < x.length; p += 3) if (inside(y, solid.model.triangles, [x[p]!, x[p + 1]!, x[p + 2]!])) count++
  return count
}

/** Comes apart within 3 s, and is nowhere faster than a recovery at 2 m/s, sprung back by what it had stretched. */
function expectUndone(world: World, one: Body, other: Body): void {
  expect(between(one, other)).toBeGreaterThan(0)
  run(world, 3, () => expect(Math.max(largestSpeed(one), largestSpeed(other))).toBeLessThan(20))
  expect(between(one, other)).toBe(0)
  expect(world.stats.speedClamps).toBe(0)
}

describe('what was put into each other comes apart', () => {
  it('two sheets that cross', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const one = world.addBody(sheet(8))
    const other = world.addBody(sheet(9), {
      position: [0.1, 0.05, 0.2],
      rotation: [0, Math.sin(0.6), 0, Math.cos(0.6)],
    })
    world.step()
    expect(world.stats.crossings).toBeGreaterThan(0)
    expectUndone(world, one, other)
  })

  it('two cubes that overlap at a corner', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const one = world.addBody(cube(0.5, 4))
    const other = world.addBody(cube(0.5, 3), { position: [0.2, 0.1, 0.15] })
    expectUndone(world, one, other)
  })

  it('two cubes, nearly at one place, but for what hooks at their rims', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const one = world.addBody(cube(0.5, 3))
    const other = world.addBody(cube(0.5, 3), { position: [0.01, 0.02, 0.015] })
    run(world, 3)
    const [a, b] = [centerOf(one), centerOf(other)]
    expect(Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])).toBeGreaterThan(0.5)
    expect(world.stats.speedClamps).toBe(0)
  })

  it('a ball in a cube, with none of its surface near', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const one = world.addBody(cube(1, 5))
    const other = world.addBody(ball(0.15, 3), { position: [0.13, 0.07, 0.05] })
    expect(between(one, other)).toBe(0)
    // It has 0.22 m to go to the nearest side, at 1.8 m/s after 0.05 s.
    run(world, 0.2)
    expectUndone(world, one, other)
    expect(Math.hypot(...other.centerOfMass([0, 0, 0]))).toBeGreaterThan(0.5)
  })

  it('three cubes, three balls, three sheets in one place, a cloth through a cube and one within', () => {
    const patch = clothModel({ width: 0.3, height: 0.3, segmentsX: 5, segmentsY: 5 }).model
    const places: Vec3[] = [
      [0, 0, 0],
      [0.03, 0.02, 0.05],
      [-0.04, 0.05, 0.01],
    ]
    const knots = [
      [cube(0.5, 3), cube(0.5, 3), cube(0.5, 3)],
      [ball(0.25, 3), ball(0.25, 3), ball(0.25, 3)],
      [sheet(8), sheet(8), sheet(8)],
      [cube(0.4, 3), sheet(10)],
      [cube(0.8, 4), patch],
    ]
    for (const knot of knots) {
      const world = new World({ gravity: [0, 0, 0] })
      const sheets = knot[0]!.tets.length === 0
      const bodies = knot.map((model, k) => {
        const turn: Quat = [0, sheets ? Math.sin(0.45 * k) : 0, 0, sheets ? Math.cos(0.45 * k) : 1]
        return world.addBody(model, { position: places[k]!, rotation: turn })
      })
      const left = () =>
        bodies.reduce((sum, one, k) => sum + bodies.slice(0, k).reduce((n, b) => n + both(one, b), 0), 0)
      expect(left()).toBeGreaterThan(0)
      run(world, 3, () => expect(Math.max(...bodies.map(largestSpeed))).toBeLessThan(25))
      expect(left()).toBe(0)
      expect(world.stats).toMatchObject({ contactClamps: 0, speedClamps: 0 })
    }
  })
})
