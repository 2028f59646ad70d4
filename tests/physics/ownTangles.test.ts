import { describe, expect, it } from 'vitest'
import { type Body, clothModel, plane, type Vec3, World } from '../../src/headless.js'
import { crossings } from '../support/crossings.js'
import { Random } from '../support/draw.js'
import { takeHold } from '../support/hands.js'
import { expectHealthy, run } from '../support/laws.js'
import { long } from '../support/long.js'

/** A cloth that lies on the ground, or hangs from its upper edge or that one's ends. */
function laid(random: Random): { world: World; cloth: Body; size: number } {
  const segments = random.integer(10, 20)
  const size = random.uniform(0.7, 1.5)
  const way = random.integer(0, 2)
  const { model } = clothModel({ width: size, height: size, segmentsX: segments, segmentsY: segments })
  const world = new World()
  world.addCollider(plane())
  const lies = way === 2
  const cloth = world.addBody(model, {
    position: [0, lies ? 0.3 : 1.6, 0],
    rotation: lies ? [-Math.SQRT1_2, 0, 0, Math.SQRT1_2] : [0, 0, 0, 1],
  })
  const upper = Array.from({ length: segments + 1 }, (_, k) => k)
  if (!lies) cloth.pin(way === 1 ? upper : [0, segments])
  run(world, 1)
  return { world, cloth, size }
}

/** Draws a cloth about by a place of it, as a hand would, through whatever is in its way. */
function drawThrough(world: World, cloth: Body, size: number, random: Random): void {
  const place = cloth.getPosition(random.integer(0, cloth.particleCount - 1)) as Vec3
  const hand = takeHold(cloth, place, 0.15 * size)
  const speed = random.uniform(2, 8)
  let from = place
  for (let k = random.integer(3, 6); k > 0; k--) {
    const to: Vec3 = [random.uniform(-size, size), random.uniform(0.1, 1.5), random.uniform(-size, size)]
    const steps = Math.ceil((60 * Math.hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2])) / speed)
    for (let s = 1; s <= steps; s++) {
      const share = s / steps
      hand.setTarget(...(from.map((c, d) => c + share * (to[d]! - c)) as [number, number, number]))
      world.step()
    }
    from = to
  }
  hand.remove()
}

describe('a cloth that was drawn through itself while that did not stop it', () => {
  it.each([309, 378, ...long(2, 85, 114, 173)])('comes undone within 3 s once it does, seed %i', (seed) => {
    const random = new Random(seed)
    const { world, cloth, size } = laid(random)
    drawThrough(world, cloth, size, random)
    expect(crossings(cloth, cloth)).toBeGreaterThan(0)
    cloth.set({ selfCollision: true })
    run(world, 3)
    expect(crossings(cloth, cloth)).toBe(0)
    expectHealthy(world)
  })
})
