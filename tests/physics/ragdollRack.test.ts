import { describe, expect, it } from 'vitest'
import { type Limb, plane, ragdollModel, type Vec3, World } from '../../src/headless.js'
import { faultsOf } from '../support/figures.js'
import { expectHealthy, largestSpeed, positionsOf, rmsSpeed, run } from '../support/laws.js'
import { long } from '../support/long.js'

const HEIGHT = 1.75
const doll = ragdollModel()
const arms: readonly Limb[] = ['lowerArmLeft', 'lowerArmRight']
const all: readonly Limb[] = [...arms, 'lowerLegLeft', 'lowerLegRight']

type Way = 'pins' | 'joints' | 'attachments'

interface Rack {
  readonly limbs: readonly Limb[]
  /** What holds each of them. */
  readonly ways: readonly Way[]
  /** How far each is drawn away from the middle of the figure [m]. */
  readonly out: number
  /** True where they are drawn level. */
  readonly sideways?: boolean
}

/** Draws a figure out within a second, and holds it for two. */
function rack(world: World, { limbs, ways, out, sideways }: Rack, damping = 0) {
  const body = world.addBody(doll.model, { damping })
  const x = positionsOf(body)
  const held = limbs.map((limb, k) => {
    const particles = doll.particles[limb]
    const center = [0, 1, 2].map((d) => particles.reduce((sum, i) => sum + x[i * 3 + d]! / particles.length, 0))
    const at = center as [number, number, number]
    const away = [at[0], sideways ? 0 : at[1] - 0.55 * HEIGHT, sideways ? 0 : at[2]] as const
    const direction = away.map((value) => value / Math.hypot(...away)) as unknown as Vec3
    const way = ways[k % ways.length]!
    if (way === 'pins') body.pin(particles)
    const joint = way === 'joints' ? body.join(null, { at, radius: 0.1 }) : null
    const attachment = way === 'attachments' ? body.attach(body.region(at, 0.1)) : null
    const lead = (far: number) => {
      const [dx, dy, dz] = [far * direction[0], far * direction[1], far * direction[2]]
      joint?.setPose([dx, dy, dz], [0, 0, 0, 1])
      attachment?.setTarget(at[0] + dx, at[1] + dy, at[2] + dz)
      if (way !== 'pins') return
      for (const i of particles) body.movePin(i, [x[i * 3]! + dx, x[i * 3 + 1]! + dy, x[i * 3 + 2]! + dz])
    }
    const letGo = () => {
      joint?.remove()
      attachment?.remove()
      if (way === 'pins') body.unpin(particles)
    }
    return { lead, letGo }
  })
  for (let step = 1; step <= 180; step++) {
    for (const { lead } of held) lead(out * Math.min(1, step / 60))
    world.step()
  }
  return { body, letGo: () => held.forEach(({ letGo }) => letGo()) }
}

type Drawn = [ways: readonly Way[], out: number, substeps: number]

describe('a figure on the rack', () => {
  it.each<Drawn>([
    [['pins'], 0.6, 10],
    [['joints'], 0.6, 2],
    ...long<Drawn>(
      [['pins'], 0.26, 10],
      [['pins'], 0.6, 30],
      [['joints'], 0.6, 10],
      [['joints'], 1.5, 30],
      [['pins', 'joints'], 0.6, 10],
    ),
  ])('lies still: its hands held by %s, %d m farther out each, %d substeps', (ways, out, substeps) => {
    const world = new World({ substeps, sleeping: false })
    const { body } = rack(world, { limbs: arms, ways, out })
    run(world, 3, () => expect(rmsSpeed(body)).toBeLessThan(3e-3))
    expectHealthy(world)
  })

  it('lies still, its hands and feet attached by single points, once it has swung out about them', () => {
    const world = new World({ sleeping: false })
    const { body } = rack(world, { limbs: all, ways: ['attachments'], out: 0.6 }, 2)
    run(world, 1, () => expect(rmsSpeed(body)).toBeLessThan(2e-3))
    expectHealthy(world)
  })

  it.each<[readonly Limb[], Way, number, number]>([
    [arms, 'pins', 0.2, 10],
    [arms, 'pins', 0.6, 30],
    [all, 'pins', 0.6, 2],
    [all, 'pins', 1.5, 10],
    [all, 'joints', 0.6, 10],
  ])(
    'draws itself together once it is let go, and gets no speed by it: %j, %s, %d m, %d substeps',
    (limbs, way, out, substeps) => {
      const world = new World({ gravity: [0, 0, 0], substeps, sleeping: false })
      const { body, letGo } = rack(world, { limbs, ways: [way], out })
      letGo()
      run(world, 1, () => expect(largestSpeed(body)).toBeLessThan(0.5))
      const { apart, beyond, askew } = faultsOf(doll, body, HEIGHT)
      expect(apart).toBeLessThan(2e-3)
      expect(Math.max(beyond, askew)).toBeLessThan(1)
      expectHealthy(world)
    },
  )

  it('keeps hanging on what still holds it, whole again', () => {
    const world = new World({ sleeping: false })
    const { body, letGo } = rack(world, { limbs: arms, ways: ['pins'], out: 0.6 })
    letGo()
    body.pin(doll.particles.lowerArmLeft)
    run(world, 1)
    expect(faultsOf(doll, body, HEIGHT).apart).toBeLessThan(5e-3)
    expectHealthy(world)
  })

  it('is not thrown where it stands on a floor that it hardly weighs on', () => {
    const world = new World({ gravity: [0, -0.5, 0], substeps: 30 })
    world.addCollider(plane())
    const { body, letGo } = rack(world, { limbs: arms, ways: ['pins'], out: 0.6, sideways: true })
    letGo()
    run(world, 0.6, () => expect(largestSpeed(body)).toBeLessThan(1))
    expect(faultsOf(doll, body, HEIGHT).apart).toBeLessThan(0.01 * HEIGHT)
    expectHealthy(world)
  })

  it('is not thrown where it falls on the floor: it gets no faster than limbs of its height that whip', () => {
    const world = new World({ sleeping: false })
    world.addCollider(plane())
    const { body, letGo } = rack(world, { limbs: arms, ways: ['pins'], out: 0.6, sideways: true })
    letGo()
    // The end of a rod that falls over has sqrt(3 g l), of limbs that whip about twice that.
    run(world, 1, () => expect(largestSpeed(body)).toBeLessThan(2 * Math.sqrt(3 * 9.81 * HEIGHT)))
    expect(faultsOf(doll, body, HEIGHT).apart).toBeLessThan(0.01 * HEIGHT)
    expectHealthy(world)
  })
})
