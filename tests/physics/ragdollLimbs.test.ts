import { describe, expect, it } from 'vitest'
import { figureJoints } from '../../src/core/bodies/figure.js'
import { type Body, type Limb, limbNames, plane, ragdollModel, World } from '../../src/headless.js'
import { centerOf, expectHealthy, lowest, run } from '../support/laws.js'

/** Segments' masses in that of the body (Winter 2009, table 4.1): arms with hands, legs with feet. */
const masses: Record<string, number> = {
  head: 0.081,
  trunk: 0.497,
  upperArm: 0.028,
  lowerArm: 0.022,
  upperLeg: 0.1,
  lowerLeg: 0.061,
}
const segmentOf = (limb: Limb) => (limb === 'chest' || limb === 'hips' ? 'trunk' : limb.replace(/Left|Right/, ''))

const doll = ragdollModel()

const centerOfLimb = (body: Body, limb: Limb) => {
  const sum: [number, number, number] = [0, 0, 0]
  for (const i of doll.particles[limb]) {
    body.getPosition(i, [0, 0, 0]).forEach((x, d) => {
      sum[d]! += x / doll.particles[limb].length
    })
  }
  return sum
}

describe('the limbs of a ragdoll', () => {
  it('have the shares of a human’s mass, and its lengths', () => {
    const { massShares } = doll.model
    const shares: Record<string, number> = {}
    for (const limb of limbNames) {
      const share = doll.particles[limb].reduce((sum, i) => sum + massShares[i]!, 0)
      shares[segmentOf(limb)] = (shares[segmentOf(limb)] ?? 0) + (/Right/.test(limb) ? 0 : share)
    }
    for (const [segment, share] of Object.entries(masses)) expect(shares[segment]).toBeCloseTo(share, 9)
    const at = (child: Limb) => figureJoints.find((joint) => joint.child === child)!.at
    const way = (from: readonly number[], to: readonly number[]) => Math.hypot(...from.map((x, d) => x - to[d]!))
    // In heights of the body: the knee is at 0.285 of it, the hip at 0.53, the shoulder at 0.818; an upper arm is 0.186.
    expect(at('lowerLegLeft')[1]).toBeCloseTo(0.285, 3)
    expect(at('upperLegLeft')[1]).toBeCloseTo(0.53, 3)
    expect(Math.abs(at('upperArmLeft')[1] / 0.818 - 1)).toBeLessThan(0.05)
    expect(Math.abs(way(at('upperArmLeft'), at('lowerArmLeft')) / 0.186 - 1)).toBeLessThan(0.1)
    for (const left of limbNames.filter((limb) => /Left/.test(limb))) {
      const right = left.replace('Left', 'Right') as Limb
      expect(at(right)).toEqual([-at(left)[0], at(left)[1], at(left)[2]])
    }
  })

  it.each(limbNames)('can each be dragged, the others follow: %s', (limb) => {
    const world = new World()
    world.addCollider(plane())
    // Damped, so that it no longer swings from the hand when it is looked at.
    const body = world.addBody(doll.model, { position: [0, 0.02, 0], damping: 2 })
    const from = centerOfLimb(body, limb)
    // As a pointer takes it: 8 Hz, at most 400 m/s^2.
    const stiffness = body.mass * (16 * Math.PI) ** 2
    const grip = body.attach(body.region(from, 0.15), {
      compliance: 1 / stiffness,
      damping: 2 * Math.sqrt(stiffness * body.mass),
      maxForce: 400 * body.mass,
    })
    const start = grip.point([0, 0, 0])
    const target = [start[0] + 0.8, start[1] + 1.5, start[2] + 0.5] as const
    run(world, 2.5, (time) => {
      const share = Math.min(1, time)
      const [x, y, z] = target.map((to, d) => start[d]! + share * (to - start[d]!)) as [number, number, number]
      grip.setTarget(x, y, z)
    })
    // It is where it was led, m g / k = 4 mm below, and bears all of the weight; nothing is left on the floor.
    const now = grip.point([0, 0, 0])
    expect(Math.hypot(...now.map((x, d) => x - target[d]!))).toBeLessThan(0.03)
    expect(lowest(body)).toBeGreaterThan(0)
    expect(Math.hypot(...centerOfLimb(body, limb).map((x, d) => x - now[d]!))).toBeLessThan(0.15)
    expect(centerOf(body)[1]).toBeGreaterThan(0.8)
    expectHealthy(world)
  })
})
