// A cloth or a rope between a heavy body and a collider: neither sinks, and what lies still makes no noise.
import { describe, expect, it } from 'vitest'
import { type Body, box, clothModel, plane, presets, ropeModel, type Vec3, World } from '../../src/headless.js'
import { Random } from '../support/draw.js'
import { material } from '../support/elastic.js'
import { ball, cube } from '../support/lattice.js'
import { centerOf, expectHealthy, positionsOf, run } from '../support/laws.js'
import { long } from '../support/long.js'

const settings = { shapeDamping: 6, friction: 0.6, rollingFriction: 0.2, elastic: material(2e5, 0.45) }
const flat = [-Math.SQRT1_2, 0, 0, Math.SQRT1_2] as const
const bodies = { cube: cube(0.3, 3), ball: ball(0.2, 4) }
type Floor = readonly [height: number, add: (world: World) => void, cells: readonly number[]]
const floors: Record<string, Floor> = {
  'the ground': [0, (world) => void world.addCollider(plane()), [8, ...long(24)]],
  'a box': [0.2, (world) => void world.addCollider(box([4, 0.2, 4]), { position: [0, 0.1, 0] }), [8]],
}

function lay(world: World, segments: number, y: number): Body {
  const { model } = clothModel({ width: 1.2, height: 1.2, segmentsX: segments, segmentsY: segments })
  // Without damping a fold that nothing holds swings on.
  return world.addBody(model, { damping: 1, position: [0, y, 0], rotation: flat })
}

const lowest = (body: Body) => positionsOf(body).reduce((least, y, p) => (p % 3 === 1 ? Math.min(least, y) : least), 9)

const all = (body: Body) => Array.from({ length: body.particleCount }, (_, i) => i)

/** Those of a cloth's particles that are less than 0.12 m beside the centre of what lies on it. */
function beneath(body: Body, cloth: Body): number[] {
  const [x, , z] = centerOf(body)
  const at = positionsOf(cloth)
  return all(cloth).filter((i) => Math.hypot(at[i * 3]! - x, at[i * 3 + 2]! - z) < 0.12)
}

/** RMS of the speeds of some particles each over the same second, from positions a step apart [m/s]. */
function noisesOf(world: World, ...of: [body: Body, particles: number[]][]): number[] {
  const sums = of.map(() => 0)
  let last = of.map(([body]) => positionsOf(body))
  for (let k = 0; k < 60; k++) {
    world.step()
    const now = of.map(([body]) => positionsOf(body))
    of.forEach(([, particles], n) => {
      for (const i of particles)
        for (const d of [0, 1, 2]) sums[n]! += ((now[n]![i * 3 + d]! - last[n]![i * 3 + d]!) * 60) ** 2
    })
    last = now
  }
  return of.map(([, particles], n) => Math.sqrt(sums[n]! / 60 / particles.length))
}

describe.each(Object.entries(floors))('between %s and what lies on it', (_, [height, addFloor, cells]) => {
  for (const [name, model] of Object.entries(bodies)) {
    for (const segments of cells) {
      it(`a cloth of ${segments} cells under a ${name} stays where it is, and still`, () => {
        const world = new World({ sleeping: false })
        addFloor(world)
        const cloth = lay(world, segments, height + 0.02)
        const body = world.addBody(model, { ...settings, position: [0.05, height + 0.4, 0.03] as Vec3 })
        run(world, 4)
        const thickness = cloth.model.thickness
        const pressed = beneath(body, cloth)
        expect(pressed.length).toBeGreaterThan(0)
        const [borne, spread, lying] = noisesOf(world, [cloth, pressed], [cloth, all(cloth)], [body, all(body)])
        expect(borne).toBeLessThan(0.002)
        // A fold beside it that lies through itself, pressed to nothing, flutters at a few particles.
        expect(spread).toBeLessThan(0.05)
        // A ball may still roll.
        expect(lying).toBeLessThan(0.05)
        expect(lowest(cloth)).toBeGreaterThan(height + thickness - 0.0011)
        expect(lowest(body)).toBeGreaterThan(height + 2 * thickness - 0.0011)
        expectHealthy(world)
      })
    }
  }

  it('a rope under a cube stays where it is', () => {
    const world = new World({ sleeping: false })
    addFloor(world)
    const points: Vec3[] = [
      [-0.6, height + 0.021, 0],
      [0.6, height + 0.021, 0],
    ]
    const rope = world.addBody(ropeModel({ points, segments: 24, radius: 0.02 }).model, { damping: 1 })
    world.addBody(bodies.cube, { ...settings, position: [0, height + 0.25, 0] })
    run(world, 4)
    expect(lowest(rope)).toBeGreaterThan(height + 0.02 - 0.0011)
    expectHealthy(world)
  })
})

// Cloths are taut under what lies on them: its friction does not let them slip. A cloth weighs nothing beside it, and that
// must not push it about.
it.each([2, ...long(1, 3, 4, 5, 6)])(
  'what is dropped on a cloth on the ground rests there, and sleeps, seed %i',
  (seed) => {
    const random = new Random(seed)
    const world = new World()
    world.addCollider(plane())
    const cloth = lay(world, random.integer(5, 14), 0.012)
    const side = random.uniform(0.15, 0.4)
    const angle = random.uniform(0, Math.PI)
    const body = world.addBody(cube(side, random.integer(2, 3)), {
      ...presets[(['firm', 'jelly', 'rubber'] as const)[seed % 3]!],
      position: [random.uniform(-0.1, 0.1), side / 2 + 0.07, random.uniform(-0.1, 0.1)],
      rotation: [0, Math.sin(angle / 2), 0, Math.cos(angle / 2)],
    })
    // What is pushed about by the cloth drifts, and sleeps after 4 s.
    run(world, 3)
    expect(body.asleep && cloth.asleep).toBe(true)
    expectHealthy(world)
  },
)

/** A cube on a cloth of which one hem is drawn along the ground, from 0 to `speed` [m/s] at `rate` [m/s^2]. */
function drawnFrom(speed: number, rate: number, friction: number) {
  const world = new World({ sleeping: false })
  world.addCollider(plane(), { friction: 0.1 })
  const cloth = lay(world, 12, 0.012)
  cloth.set({ friction })
  const body = world.addBody(cube(0.3, 2), { ...presets.firm, friction, position: [0.07, 0.18, -0.05] })
  run(world, 2)
  const hem = Array.from({ length: 13 }, (_, row) => row * 13 + 12)
  const from = hem.map((i) => cloth.getPosition(i, [0, 0, 0]))
  cloth.pin(hem)
  const start = centerOf(body)[0]
  let now = 0
  let way = 0
  /** Draws on for some seconds; how far the hem and the cube have come, and how fast the cube is. */
  return (seconds: number) => {
    for (let k = 0; k < Math.round(60 * seconds); k++) {
      now = Math.min(speed, now + rate / 60)
      way += now / 60
      hem.forEach((i, row) => {
        const [x, y, z] = from[row]!
        cloth.movePin(i, [x + way, y, z])
      })
      world.step()
    }
    expectHealthy(world)
    return { way, gone: centerOf(body)[0] - start, speed: body.velocity([0, 0, 0])[0] }
  }
}

it.each([0.3, 1])('what lies on a cloth that is drawn away at %d m/s goes along with it', (speed) => {
  const { way, gone } = drawnFrom(speed, 2, 0.6)(1.5)
  expect(gone).toBeLessThan(way + 1e-3)
  expect(gone).toBeGreaterThan(way - 0.01)
})

it('what lies on a cloth that is snatched away gets mu g t of its speed, and stays', () => {
  const draw = drawnFrom(4, 40, 0.3)
  expect(Math.abs(draw(0.25).speed / (0.3 * 9.81 * 0.25) - 1)).toBeLessThan(0.06)
  expect(draw(1).gone).toBeLessThan(0.3)
})

it('a cloth is lifted by what comes from below, out of the ground', () => {
  const world = new World()
  world.addCollider(plane())
  const cloth = lay(world, 16, 0.02)
  run(world, 0.5)
  // No collider knows of the other: it goes through the ground.
  const lift = world.addBody(bodies.cube, {
    ...settings,
    gravityScale: 0,
    collisionGroups: [2, 1],
    position: [0, -0.2, 0],
  })
  cloth.set({ collisionGroups: [1, 3] })
  lift.setVelocity([0, 0.5, 0])
  run(world, 1.2)
  // A cloth of a hundredth of its mass hardly slows it.
  expect(lift.velocity([0, 0, 0])[1]).toBeGreaterThan(0.4)
  expect(Math.max(...positionsOf(cloth).filter((__, p) => p % 3 === 1))).toBeGreaterThan(0.35)
})
