// Colliders that move, turn and run in themselves, of every kind.
import { BoxGeometry } from 'three'
import { describe, expect, it } from 'vitest'
import { tetBox } from '../../scenes/index.js'
import {
  box,
  type ColliderShape,
  compound,
  heightfield,
  hull,
  mesh,
  type Quat,
  scaled,
  tetMeshModel,
  type Vec3,
  World,
} from '../../src/headless.js'
import { centerOf, expectHealthy, particle, positionsOf, run, velocityOf } from '../support/laws.js'
import { fromGeometry } from '../support/meshes.js'
import { turnBy } from '../support/poses.js'

const corners = [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].flatMap((z) => [2 * x, 0.05 * y, 2 * z])))

/** A plate of 4 m and 10 cm whose upper side is at y = 0.05, of every kind that can be one. */
const plates: Record<string, () => ColliderShape> = {
  box: () => box([2, 0.05, 2]),
  mesh: () => mesh(fromGeometry(new BoxGeometry(4, 0.1, 4, 5, 1, 5))),
  'a sheet': () =>
    mesh(
      { positions: [-2, 0.049, -2, 2, 0.049, -2, 2, 0.049, 2, -2, 0.049, 2], index: [0, 2, 1, 0, 3, 2] },
      { thickness: 0.002 },
    ),
  hull: () => hull(corners),
  heightfield: () =>
    heightfield(
      [
        [0.05, 0.05, 0.05],
        [0.05, 0.05, 0.05],
      ],
      4,
      4,
    ),
  compound: () =>
    compound([
      { shape: box([1, 0.05, 2]), position: [-1, 0, 0] },
      { shape: box([1, 0.05, 2]), position: [1, 0, 0] },
    ]),
  'a scaled mesh': () => scaled(mesh(fromGeometry(new BoxGeometry(2, 0.05, 2))), 2),
}

const cube = tetMeshModel(tetBox([0.2, 0.2, 0.2], [1, 1, 1])).model
const stiff = { elastic: { neoHookean: false, shape: { rate: 300 } }, friction: 0.8, shapeDamping: 5 } as const

describe.each(Object.entries(plates))('a plate that is %s', (_, make) => {
  it('takes along what lies on it when it turns', () => {
    const world = new World()
    const plate = world.addCollider(make())
    const body = world.addBody(cube, { ...stiff, position: [0.8, 0.15, 0] })
    run(world, 0.2)
    body.setVelocity([0, 0, -0.8], [0, 1, 0])
    // 1 rad/s at 0.8 m: friction of 0.8 g is ten times what that asks for.
    world.onBeforeStep((_, dt) => plate.setPose([0, 0, 0], turnBy([0, 1, 0], Math.max(0, world.time + dt - 0.2))))
    run(world, 1.5)
    const [x, , z] = centerOf(body)
    expect(Math.hypot(x, z)).toBeCloseTo(0.8, 2)
    // A turn about y leads from x towards -z.
    expect(Math.atan2(-z, x)).toBeCloseTo(1.5, 2)
    expectHealthy(world)
  })

  it('bats a particle that it meets between two frames, at twice its speed', () => {
    const world = new World({ gravity: [0, 0, 0], maxSpeed: 200 })
    const bat = world.addCollider(make(), { position: [0, -1, 0] })
    const ball = world.addBody(particle(), { thickness: 0, restitution: 1, friction: 0 })
    // 30 m/s: 0.5 m in the step in which they meet.
    world.onBeforeStep((_, dt) => bat.setPose([0, -1 + 30 * (world.time + dt), 0], [0, 0, 0, 1]))
    run(world, 0.1)
    expect(velocityOf(ball)[1]).toBeCloseTo(60, 6)
    expectHealthy(world)
  })

  it('carries a body along as a belt does, at the speed of its surface', () => {
    const world = new World()
    const turned: Quat = turnBy([0, 1, 0], Math.PI / 2)
    // In the frame of the collider the belt runs along x, in the world along -z.
    const belt = world.addCollider(make(), { surfaceVelocity: [0.5, 0, 0], rotation: turned })
    const body = world.addBody(cube, { ...stiff, position: [0, 0.15, 1] })
    // Friction alone speeds it up: v = mu g t until it is as fast as the belt, 0.064 s.
    run(world, 1 / 30)
    expect(velocityOf(body)[2]).toBeGreaterThan(-0.8 * 9.81 * (1 / 30) * 1.05)
    expect(velocityOf(body)[2]).toBeLessThan(-0.8 * 9.81 * (1 / 30) * 0.7)
    run(world, 0.4)
    const before = centerOf(body)[2]
    run(world, 1)
    expect(centerOf(body)[2] - before).toBeCloseTo(-0.5, 2)
    expect(Math.abs(centerOf(body)[0])).toBeLessThan(5e-3)
    // Live: it stops with the belt.
    belt.set({ surfaceVelocity: [0, 0, 0] })
    run(world, 0.5)
    const stopped = centerOf(body)[2]
    run(world, 0.5)
    expect(Math.abs(centerOf(body)[2] - stopped)).toBeLessThan(2e-3)
    expectHealthy(world)
  })
})

describe('surfaceVelocity', () => {
  it('counts along the surface alone: straight up it does nothing', () => {
    const heights = [0, 3].map((up) => {
      const world = new World()
      world.addCollider(box([2, 0.05, 2]), { surfaceVelocity: [0, up, 0] })
      const body = world.addBody(cube, { ...stiff, position: [0, 0.2, 0] })
      run(world, 1)
      return Array.from(positionsOf(body))
    })
    heights[0]!.forEach((x, k) => {
      expect(heights[1]![k]).toBeCloseTo(x, 9)
    })
  })

  it('slips at Coulomb friction where a ramp is too steep for it', () => {
    const angle = 0.6
    const world = new World()
    const ramp = turnBy([0, 0, 1], angle)
    world.addCollider(box([20, 0.05, 2]), { rotation: ramp, surfaceVelocity: [2, 0, 0] })
    const up: Vec3 = [-0.15 * Math.sin(angle), 0.15 * Math.cos(angle), 0]
    const body = world.addBody(cube, { ...stiff, friction: 0.3, position: up, rotation: ramp })
    run(world, 0.5)
    // The belt rubs uphill, wherever the body goes: g (sin - mu cos).
    const along = velocityOf(body)[0] * Math.cos(angle) + velocityOf(body)[1] * Math.sin(angle)
    expect(along / 0.5).toBeCloseTo(-9.81 * (Math.sin(angle) - 0.3 * Math.cos(angle)), 1)
    expectHealthy(world)
  })

  it('is part of a snapshot, and gives the same bits again', () => {
    const world = new World()
    const belt = world.addCollider(mesh(fromGeometry(new BoxGeometry(4, 0.1, 4))), { surfaceVelocity: [0.5, 0, 0] })
    const body = world.addBody(cube, { ...stiff, position: [0, 0.2, 0] })
    run(world, 0.3)
    const saved = world.snapshot()
    run(world, 0.3)
    const first = [...positionsOf(body)]
    belt.set({ surfaceVelocity: [-1, 0, 0] })
    run(world, 0.1)
    world.restore(saved)
    run(world, 0.3)
    expect([...positionsOf(body)]).toEqual(first)
  })

  it('refuses what is no velocity', () => {
    const world = new World()
    expect(() => world.addCollider(box([1, 1, 1]), { surfaceVelocity: [0, Number.NaN, 0] })).toThrow(
      /<Collider> surfaceVelocity=.*three finite numbers.*metres a second/,
    )
    const belt = world.addCollider(box([1, 1, 1]))
    expect(() => belt.set({ surfaceVelocity: [1e9, 0, 0] })).toThrow(/surfaceVelocity/)
  })
})
