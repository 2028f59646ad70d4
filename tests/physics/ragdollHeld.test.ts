import { describe, expect, it } from 'vitest'
import { type Body, plane, type RagdollModel, ragdollModel, room, World } from '../../src/headless.js'
import { Random } from '../support/draw.js'
import { faultsOf } from '../support/figures.js'
import { expectHealthy, positionsOf, run } from '../support/laws.js'
import { long } from '../support/long.js'

/** Notes the worst that is seen of figures of that height [m]. */
class Watch {
  readonly worst = { beyond: 0, askew: 0, apart: 0 }

  constructor(
    private readonly doll: RagdollModel,
    private readonly bodies: readonly Body[],
    readonly height: number,
  ) {}

  look(): void {
    for (const body of this.bodies) {
      const now = faultsOf(this.doll, body, this.height)
      for (const key of ['beyond', 'askew', 'apart'] as const) this.worst[key] = Math.max(this.worst[key], now[key])
    }
  }
}

function expectWhole({ worst, height }: Watch): void {
  expect(worst.beyond).toBeLessThan(5)
  expect(worst.askew).toBeLessThan(5)
  expect(worst.apart).toBeLessThan(0.01 * height)
}

describe('the joints of a ragdoll stay within 5 degrees', () => {
  it.each([
    [0.3, 2],
    [0.3, 4],
    [1, 1],
    [1.75, 4],
    [3, 2],
  ])('where it is pinned by a hand and led round a circle: %d m, at %d m/s', (height, speed) => {
    const world = new World({ sleeping: false })
    const doll = ragdollModel({ height })
    const body = world.addBody(doll.model, { damping: 0.5 })
    const hand = Array.from(doll.particles.lowerArmLeft)
    const start = positionsOf(body)
    const radius = 0.4 * height
    const watch = new Watch(doll, [body], height)
    body.pin(hand)
    run(world, 1.5, (time) => {
      watch.look()
      const angle = (speed * time) / radius
      const [dx, dy] = [radius * Math.sin(angle), radius * (1 - Math.cos(angle))]
      for (const i of hand) body.movePin(i, [start[i * 3]! + dx, start[i * 3 + 1]! + dy, start[i * 3 + 2]!])
    })
    expectWhole(watch)
    expectHealthy(world)
  })

  it.each([
    ['joint', 50],
    ['joint', 51],
    ['soft spring', 50],
  ])('where two of 0.3 m tumble that a %s holds together, seed %d', (kind, seed) => {
    const random = new Random(seed)
    const height = 0.3
    const world = new World({ sleeping: false })
    world.addCollider(plane())
    const doll = ragdollModel({ height })
    const one = world.addBody(doll.model, { position: [0, 0.5 * height, 0] })
    const other = world.addBody(doll.model, { position: [0.7 * height, 0.5 * height, 0] })
    const link =
      kind === 'joint' ? one.join(other, { radius: 0 }) : one.spring(other, { stiffness: 200 * one.mass, damping: 5 })
    expect(link).not.toBeNull()
    one.setVelocity(random.vector(4), random.vector(6))
    const watch = new Watch(doll, [one, other], height)
    run(world, 1, () => watch.look())
    expectWhole(watch)
  })

  it.each(long(51))('in a heap of three, seed %i', (seed) => {
    const random = new Random(seed)
    const world = new World()
    world.addCollider(room([1, 3, 1]), { position: [0, 3, 0] })
    const doll = ragdollModel({ height: 1 })
    const bodies = [0, 1, 2].map((k) =>
      world.addBody(doll.model, {
        position: [random.uniform(-0.2, 0.2), 0.3 + 0.3 * k, -0.5 + random.uniform(-0.2, 0.2)],
        rotation: [Math.SQRT1_2, 0, 0, Math.SQRT1_2],
        damping: 0.5,
      }),
    )
    const watch = new Watch(doll, bodies, 1)
    run(world, 1, () => watch.look())
    expectWhole(watch)
    expect(world.stats.crossings).toBe(0)
  })

  it.each([1, 5, 6])('where a doll of 0.3 m is thrown at a wall at 15 m/s, seed %d', (seed) => {
    const random = new Random(seed)
    const height = 0.3
    const world = new World()
    world.addCollider(room([0.45, 0.45, 0.45]))
    const doll = ragdollModel({ height })
    const body = world.addBody(doll.model, { position: [0, -0.15, 0], rotation: random.rotation() })
    const way = random.vector(1)
    const scale = 15 / Math.hypot(...way)
    body.setVelocity([way[0] * scale, way[1] * scale, way[2] * scale], random.vector(10))
    const watch = new Watch(doll, [body], height)
    run(world, 0.7, () => watch.look())
    expectWhole(watch)
  })
})

describe('a ragdoll that is dropped', () => {
  it.each([
    [0.3, 3],
    [1, 1],
  ])('sleeps within 8 seconds: %d m, seed %d', (height, seed) => {
    const random = new Random(seed)
    const world = new World()
    world.addCollider(plane())
    const body = world.addBody(ragdollModel({ height }).model, {
      position: [0, 0.6 * height, 0],
      rotation: random.rotation(),
      damping: 0.5,
    })
    body.setVelocity(random.vector(1), random.vector(4))
    run(world, 8)
    expect(body.asleep).toBe(true)
  })
})
