import { describe, expect, it } from 'vitest'
import { clothModel, plane, World } from '../../src/headless.js'
import { crossings } from '../support/crossings.js'
import { material } from '../support/elastic.js'
import { horseshoe } from '../support/lattice.js'
import { bodyMotion, expectHealthy, positionsOf, rmsSpeed, run } from '../support/laws.js'

describe('a cloth that collides with itself', () => {
  it('does not push itself at rest, to the last bit', () => {
    const world = new World({ gravity: [0, 0, 0], sleeping: false })
    const { model } = clothModel({ width: 1, height: 1, segmentsX: 17, segmentsY: 17 })
    const cloth = world.addBody(model, { selfCollision: true })
    run(world, 0.5)
    expect(positionsOf(cloth)).toEqual(model.positions)
    expect(world.stats.surfaceContacts).toBe(0)
  })

  it('a towel that falls on its own fold lies in layers', () => {
    const fall = (selfCollision: boolean) => {
      const world = new World()
      world.addCollider(plane())
      const { model } = clothModel({ width: 0.3, height: 0.8, segmentsX: 4, segmentsY: 12 })
      const towel = world.addBody(model, {
        position: [0, 0.42, 0],
        rotation: [0.02, 0, 0.01, Math.sqrt(1 - 0.0005)],
        shapeDamping: 2,
        density: 0.4,
        selfCollision,
      })
      let crossed = 0
      run(world, 2.5, (time) => {
        if (time > 0.3 && Math.round(time * 60) % 30 === 0) crossed += crossings(towel, towel)
      })
      return { world, towel, crossed }
    }
    const { world, towel, crossed } = fall(true)
    expect(crossed).toBe(0)
    expect(rmsSpeed(towel)).toBeLessThan(0.1)
    expectHealthy(world)
    expect(fall(false).crossed).toBeGreaterThan(0)
  })

  it('twisted by five turns and let go, comes undone', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const [nx, ny] = [4, 12]
    const { model } = clothModel({ width: 0.3, height: 1, segmentsX: nx, segmentsY: ny })
    const cloth = world.addBody(model, { selfCollision: true, damping: 0.5, shapeDamping: 2 })
    const top = Array.from({ length: nx + 1 }, (_, i) => i)
    const bottom = top.map((i) => ny * (nx + 1) + i)
    cloth.pin([...top, ...bottom])
    const rest = model.positions
    const steps = 240
    let crossed = 0
    for (let k = 1; k <= steps; k++) {
      for (const [row, sign] of [
        [top, 1],
        [bottom, -1],
      ] as const) {
        const angle = (sign * Math.PI * 5 * k) / steps
        for (const i of row) {
          const [x, y, z] = [rest[i * 3]!, rest[i * 3 + 1]!, rest[i * 3 + 2]!]
          cloth.movePin(i, [x * Math.cos(angle), y - (sign * 0.175 * k) / steps, z + x * Math.sin(angle)])
        }
      }
      world.step()
      if (k % 40 === 0) crossed += crossings(cloth, cloth)
    }
    expect(crossed).toBe(0)
    expect(world.stats.surfaceContacts).toBeGreaterThan(20)
    cloth.unpin(bottom)
    run(world, 4)
    expect(crossings(cloth, cloth)).toBe(0)
    // Its free end is as wide again as it was, whichever way it faces.
    const x = positionsOf(cloth)
    const [a, b] = [bottom[0]! * 3, bottom[nx]! * 3]
    expect(Math.hypot(x[a]! - x[b]!, x[a + 1]! - x[b + 1]!, x[a + 2]! - x[b + 2]!)).toBeGreaterThan(0.2)
    expect(world.stats.speedClamps).toBe(0)
  })
})

describe('a solid that collides with itself', () => {
  const model = horseshoe(0.5, 0.2, 0.1)
  const arm = (side: number) => {
    const particles = Uint32Array.from({ length: model.particleCount }, (_, i) => i).filter(
      (i) => side * model.positions[i * 3]! > 0 && model.positions[i * 3 + 1]! > 0.3,
    )
    return { particles, weights: Float64Array.from(particles, () => 1 / particles.length) }
  }
  const build = (selfCollision: boolean) => {
    const world = new World({ gravity: [0, 0, 0], sleeping: false })
    const body = world.addBody(model, { elastic: material(2e5, 0.4), shapeDamping: 2, selfCollision })
    return { world, body }
  }

  it('does not push itself at rest', () => {
    const { world, body } = build(true)
    run(world, 0.5)
    expect(world.stats.surfaceContacts).toBe(0)
    expect(rmsSpeed(body)).toBeLessThan(1e-9)
  })

  it.each([1, 5])('claps its arms together, and neither passes the other, kicked by 0.3 m times %i m/s', (speed) => {
    const clap = (selfCollision: boolean) => {
      const { world, body } = build(selfCollision)
      const impulse = 0.3 * speed * body.mass
      body.applyImpulse([-impulse, 0, 0], arm(1))
      body.applyImpulse([impulse, 0, 0], arm(-1))
      const { momentumSize } = bodyMotion(body)
      let crossed = 0
      let touched = 0
      run(world, 1, () => {
        crossed = Math.max(crossed, crossings(body, body))
        touched += world.stats.surfaceContacts
      })
      expectHealthy(world)
      expect(Math.hypot(...bodyMotion(body).momentum)).toBeLessThan(1e-10 * momentumSize)
      return { crossed, touched }
    }
    const { crossed, touched } = clap(true)
    expect(crossed).toBe(0)
    expect(touched).toBeGreaterThan(5)
    // Without it they do.
    expect(clap(false).crossed).toBeGreaterThan(20)
  })
})
