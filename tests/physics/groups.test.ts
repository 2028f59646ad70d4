// Collision groups and sensors: what does not meet, or only notices, does not push.
import { describe, expect, it } from 'vitest'
import { type BodySettings, type ColliderSettings, type CollisionGroups, plane, World } from '../../src/headless.js'
import { centerOf, expectHealthy, particle, run } from '../support/laws.js'

/** Height of a particle that fell for one second from 1 m onto the ground. */
function heightAfter(body: Partial<BodySettings>, ground: Partial<ColliderSettings>): number {
  const world = new World()
  world.addCollider(plane(), ground)
  const faller = world.addBody(particle(), { position: [0, 1, 0], thickness: 0.01, ...body })
  run(world, 1)
  expectHealthy(world)
  return centerOf(faller)[1]
}

const all: CollisionGroups = [0xffffffff, 0xffffffff]

describe('collision groups', () => {
  it.each<[CollisionGroups, CollisionGroups, boolean]>([
    [all, all, true],
    [[1, 2], [2, 1], true],
    [[1, 2], [2, 2], false], // one wants to, the other does not
    [[1, 1], [2, 1], false],
    [[0x80000000, 0x80000000], [0x80000000, 0x80000000], true],
    [[0, 0xffffffff], all, false],
    [[1, 0], all, false],
  ])('a body of %j meets a collider of %j: %s', (mine, its, meets) => {
    const height = heightAfter({ collisionGroups: mine }, { collisionGroups: its })
    expect(Math.abs(height - 0.01) < 1e-9).toBe(meets)
    expect(height < -3).toBe(!meets) // 1 m - g t^2 / 2
  })

  it('change live, on either side', () => {
    const world = new World()
    const ground = world.addCollider(plane())
    const body = world.addBody(particle(), { position: [0, 0.01, 0], thickness: 0.01 })
    run(world, 0.5)
    expect(centerOf(body)[1]).toBeCloseTo(0.01, 9)
    ground.set({ collisionGroups: [2, 2] })
    body.set({ collisionGroups: [1, 1] })
    run(world, 0.1)
    expect(centerOf(body)[1]).toBeLessThan(0)
    // Back again, it is brought up at the speed at which contacts recover.
    body.set({ collisionGroups: [3, 3] })
    run(world, 1.5)
    expect(centerOf(body)[1]).toBeCloseTo(0.01, 9)
  })
})

describe('sensors', () => {
  it('neither push nor are pushed', () => {
    expect(heightAfter({ sensor: true }, {})).toBeLessThan(-3)
    expect(heightAfter({}, { sensor: true })).toBeLessThan(-3)
  })
})
