// What is wild but accepted: it is finite itself, and the rest of the world goes on.
import { describe, expect, it } from 'vitest'
import { type Body, box, type ContactEvent, clothModel, plane, presets, type Vec3, World } from '../../src/headless.js'
import { Random } from '../support/draw.js'
import { cube } from '../support/lattice.js'

const solid = cube(1, 2)
const { model: cloth } = clothModel({ width: 1, height: 1, segmentsX: 6, segmentsY: 6 })

type Throw = (body: Body, much: Vec3) => void
const throws: Record<string, Throw> = {
  velocity: (body, v) => body.setVelocity(v),
  spin: (body, v) => body.setVelocity([0, 0, 0], v),
  impulse: (body, v) => body.applyImpulse(v),
  'impulse at a point': (body, v) => body.applyImpulse(v, body.getPosition(0)),
  blast: (body, [x, y]) => body.applyRadialImpulse([0.1, y < 0 ? 3 : 0, 0.2], Math.abs(x), 10),
  force: (body, v) => body.addForce(v),
  // Their sum is beyond all numbers.
  forces: (body, v) =>
    [1, 1, 1].forEach((much) => body.addForce(v.map((x) => (x < 0 ? -much : much) * 1e308) as never)),
}

/** A direction, and how much of it: 10^3 to 10^300. */
function drawWild(random: Random): Vec3 {
  const size = random.scale(1e3, random.uniform() < 0.5 ? 1e20 : 1e300)
  return random.vector(1).map((x) => x * size) as unknown as Vec3
}

describe.each(Object.entries(throws))('what is thrown by a wild %s', (_, act) => {
  it('comes no farther in a step than maxSpeed allows, and what it does not touch goes on to the bit, seed 4711', () => {
    const random = new Random(4711)
    const alone = new World()
    const other = alone.addBody(solid, { ...presets.jelly, position: [50, 30, 30] })
    const path: Float64Array[] = []
    for (let k = 0; k < 5; k++) {
      alone.step()
      path.push(other.readPositions())
    }
    for (let n = 0; n < 10; n++) {
      const world = new World()
      const thrown = world.addBody(n % 2 ? solid : cloth, { position: [0, 2, 0] })
      const far = world.addBody(solid, { ...presets.jelly, position: [50, 30, 30] })
      world.step()
      const before = thrown.readPositions()
      act(thrown, drawWild(random))
      for (let k = 1; k < 5; k++) {
        world.step()
        expect(far.readPositions()).toEqual(path[k])
        const now = thrown.readPositions()
        if (k > 1) continue
        // What the material gives beside the way of the free particles is much less.
        for (let p = 0; p < now.length; p++) expect(Math.abs(now[p]! - before[p]!)).toBeLessThan((1.5 * 500) / 60)
      }
    }
  })
})

describe('what pins lead', () => {
  it.each([1e5, 1e6, 1e9])('%s m in one step bursts nothing beside it', (way) => {
    for (const model of [solid, cloth]) {
      for (const substeps of [2, 10]) {
        const world = new World({ substeps, sleeping: false })
        world.addCollider(plane())
        const led = world.addBody(model, { position: [0, 0.51, 0] })
        const beside = world.addBody(solid, { ...presets.jelly, position: [1.2, 0.5, 0] })
        const told: string[] = []
        world.onUnstable((body, reason) => body === beside && told.push(reason))
        for (let k = 0; k < 5; k++) world.step()
        led.pin([0])
        led.movePin(0, [way, 0.3, 0.2])
        for (let k = 0; k < 5; k++) world.step()
        expect(told).not.toContain('nonFinite')
      }
    }
  })
})

describe('what listeners are given in wild steps', () => {
  it('is finite, and normals are unit, seed 815', () => {
    const random = new Random(815)
    let touches = 0
    const out = new Float64Array(6000)
    for (let n = 0; n < 16; n++) {
      const world = new World({ sleeping: false })
      world.addCollider(plane(), { restitution: random.uniform() < 0.5 ? 0 : 0.5 })
      world.addCollider(box([1, 1, 1]), { position: [1.1, 0.5, 0], sensor: n % 3 === 0 })
      const body = world.addBody(n % 2 ? solid : cloth, { position: [0, n % 2 ? 0.505 : 0.04, 0] })
      const upper = world.addBody(solid, { position: [0, n % 2 ? 1.52 : 0.6, 0] })
      const listen = ({ impulse, point, normal }: ContactEvent) => {
        touches++
        expect([impulse, ...point].every(Number.isFinite)).toBe(true)
        expect(Math.hypot(...normal)).toBeCloseTo(1, 9)
      }
      world.onContactEnter(listen)
      world.onContactExit(listen)
      world.onImpact(listen)
      const all = Object.values(throws)
      for (let k = 0; k < 8; k++) {
        if (k % 3 === 0) all[Math.floor(random.uniform() * all.length)]!(k % 2 ? upper : body, drawWild(random))
        world.step()
        const count = Math.min(world.readContacts(out), 1000)
        expect(out.subarray(0, count * 6).every(Number.isFinite)).toBe(true)
      }
    }
    expect(touches).toBeGreaterThan(30)
  })
})
