import { Matrix4 } from 'three'
import { describe, expect, it } from 'vitest'
import {
  type BodySettings,
  box,
  type Model,
  plane,
  presets,
  softBodyModel,
  tetMeshModel,
  World,
} from '../../src/headless.js'
import { Random, seeds } from '../support/draw.js'
import { rebound } from '../support/drop.js'
import { mechanicalEnergy } from '../support/energy.js'
import { ball, boxLattice, cube } from '../support/lattice.js'
import { bodyMotion, centerOf, expectHealthy, lowest, particle, positionsOf, run, velocityOf } from '../support/laws.js'
import { moved, realMesh } from '../support/meshes.js'

describe('a particle that falls', () => {
  for (const seed of seeds(8)) {
    it(`bounces to e^2 of the drop, seed ${seed}`, () => {
      const random = new Random(seed)
      const drop = random.uniform(0.5, 4)
      const e = random.uniform(0.1, 1)
      const world = new World({ substeps: random.integer(5, 20) })
      // The larger of the two counts.
      world.addCollider(plane(), { restitution: seed % 2 === 0 ? e : e / 2 })
      const body = world.addBody(particle(), {
        position: [0, drop, 0],
        restitution: seed % 2 === 0 ? 0 : e,
        mass: random.scale(0.01, 100),
      })
      let rises = false
      let rebound = 0
      // The first apex comes within twice the time of the fall.
      run(world, 2 * Math.sqrt((2 * drop) / 9.81), () => {
        if (velocityOf(body)[1] > 0) rises = true
        if (rises) rebound = Math.max(rebound, centerOf(body)[1])
      })
      // The contact is found within a substep's fall, v h, at most 2 cm a metre at these speeds.
      expect(Math.abs(rebound - e * e * drop)).toBeLessThan(0.02 * Math.max(1, drop))
      expectHealthy(world)
    })
  }

  it('does not bounce without restitution', () => {
    const world = new World()
    world.addCollider(plane())
    const body = world.addBody(particle(), { position: [0, 1, 0] })
    run(world, 1)
    run(world, 0.5, () => expect(centerOf(body)[1]).toBeLessThan(1e-9))
  })
})

describe('a body that bounces', () => {
  for (const seed of seeds(16)) {
    it(`never gains energy, seed ${seed}`, () => {
      const random = new Random(seed)
      const world = new World()
      world.addCollider(plane())
      if (seed % 4 === 0)
        world.addCollider(box([0.3, 0.5, 0.3]), { rotation: random.rotation(), position: [0.2, 0.1, 0] })
      const modulus = random.scale(2e4, 5e6)
      const body = world.addBody(seed % 2 === 0 ? cube(0.5, 3) : ball(0.3, 4), {
        position: [0, random.uniform(0.8, 2), 0],
        rotation: random.rotation(),
        restitution: random.uniform(0.2, 1),
        friction: random.uniform(0, 1),
        density: random.scale(100, 5000),
        elastic: { edges: { modulus }, volumes: { modulus: modulus * random.uniform(1, 10) } },
      })
      body.setVelocity(random.vector(2), random.vector(6))
      world.flush()
      const start = mechanicalEnergy(world, body)
      let most = 0
      run(world, 3, () => {
        most = Math.max(most, mechanicalEnergy(world, body))
      })
      // It starts without elastic energy, so motion and height alone can never hold more than at the start.
      expect(most).toBeLessThan(1.001 * start)
      expectHealthy(world)
    })
  }
})

const neoHookean = (youngsModulus: number): Partial<BodySettings> => ({
  density: 1000,
  shapeDamping: 2,
  elastic: { neoHookean: { youngsModulus, poissonRatio: 0.45 }, edges: false, volumes: false, shape: false },
})
const materials: Record<string, Partial<BodySettings>> = {
  jelly: presets.jelly,
  rubber: presets.rubber,
  firm: presets.firm,
  'soft neo-Hookean': neoHookean(5e4),
  'neo-Hookean': neoHookean(3e5),
}

/** The scanned bunny, 0.6 m long. */
async function bunny(): Promise<Model> {
  const mesh = await realMesh('bunny')
  const low = [Infinity, Infinity, Infinity]
  const high = [-Infinity, -Infinity, -Infinity]
  for (let p = 0; p < mesh.positions.length; p++) {
    low[p % 3] = Math.min(low[p % 3]!, mesh.positions[p]!)
    high[p % 3] = Math.max(high[p % 3]!, mesh.positions[p]!)
  }
  const scale = 0.6 / Math.max(...high.map((x, d) => x - low[d]!))
  return softBodyModel(moved(mesh, new Matrix4().makeScale(scale, scale, scale)), { resolution: 6 }).model
}

/** Turns the diagonal of a cube upright. */
const onCorner = [Math.SQRT1_2 * Math.sin(-half()), 0, -Math.SQRT1_2 * Math.sin(-half()), Math.cos(half())] as const
function half(): number {
  return Math.acos(1 / Math.sqrt(3)) / 2
}

const shapes: Record<string, () => Model | Promise<Model>> = {
  ball: () => ball(0.3, 4),
  'cube, flat': () => cube(0.5, 3),
  'cube, on a corner': () => cube(0.5, 3),
  bunny,
}

describe('a body that falls 1 m', () => {
  for (const [shape, model] of Object.entries(shapes)) {
    for (const [name, material] of Object.entries(materials)) {
      it(`bounces to e^2: ${shape}, ${name}`, async () => {
        const built = await model()
        for (const restitution of [0, 0.5, 0.9]) {
          const world = new World()
          world.addCollider(plane())
          const body = world.addBody(built, { ...material, restitution })
          const rise = rebound(world, body, shape === 'cube, on a corner' ? onCorner : [0, 0, 0, 1])
          expect(Math.abs(rise - restitution * restitution)).toBeLessThan(0.08)
          expectHealthy(world)
        }
      })
    }
  }

  it('bounces by the restitution of the ground where that is more', () => {
    const world = new World()
    world.addCollider(plane(), { restitution: 0.8 })
    const body = world.addBody(ball(0.3, 4), { ...presets.jelly, restitution: 0.1 })
    expect(Math.abs(rebound(world, body, [0, 0, 0, 1]) - 0.64)).toBeLessThan(0.08)
  })

  it('keeps its wobble where it does not bounce', () => {
    const world = new World()
    world.addCollider(plane())
    const body = world.addBody(cube(0.5, 3), { ...presets.jelly, position: [0, 1.25, 0] })
    let most = 0
    run(world, 0.5)
    run(world, 0.5, () => {
      most = Math.max(most, body.maxStrain())
    })
    expect(most).toBeGreaterThan(0.05)
  })
})

describe('the bounce of a body', () => {
  // Undamped, since damping holds on to the points that touch.
  const smooth = { ...presets.rubber, shapeDamping: 0, friction: 0, restitution: 0.5 }

  it('leaves the speed along the ground, and its spin about the normal', () => {
    const world = new World()
    world.addCollider(plane(), { friction: 0 })
    const body = world.addBody(ball(0.3, 4), { ...smooth, position: [0, 0.8, 0] })
    body.setVelocity([2, 0, 1], [0, 3, 0])
    world.flush()
    const spin = bodyMotion(body).angularMomentum[1]!
    run(world, 0.6)
    expect(velocityOf(body)[0]).toBeCloseTo(2, 9)
    expect(velocityOf(body)[2]).toBeCloseTo(1, 9)
    // In the contact, a twentieth of a second, spin is lost as ever: w^2 h t = 0.1%.
    expect(bodyMotion(body).angularMomentum[1]! / spin).toBeGreaterThan(0.995)
  })

  // As it lands beside its centre, some of its energy becomes spin about the normal, which stays: it is short of the rest.
  const bar = () => tetMeshModel(boxLattice([0.8, 0.2, 0.2], [8, 2, 2])).model

  it.each(seeds(3))('leaves the speed along a slope also where all energy is asked for, seed %d', (seed) => {
    const a = Math.PI / 9
    const world = new World()
    world.addCollider(plane(), { friction: 0, rotation: [0, 0, -Math.sin(a / 2), Math.cos(a / 2)] }) // down towards +x
    const settings = { ...smooth, restitution: 1, rotation: new Random(seed).rotation() }
    const body = world.addBody(bar(), { ...settings, position: [0, 1, 0] })
    body.setVelocity([2, 0, 1])
    run(world, 0.8)
    const [x, y, z] = velocityOf(body)
    // Nothing acts along the slope but gravity.
    expect(x * Math.cos(a) - y * Math.sin(a)).toBeCloseTo(2 * Math.cos(a) + 9.81 * world.time * Math.sin(a), 9)
    expect(z).toBeCloseTo(1, 9)
    expect(x * Math.sin(a) + y * Math.cos(a)).toBeGreaterThan(0)
  })

  it.each(seeds(3))('is the same on a ground that travels along, seed %d', (seed) => {
    const landing = (speed: number) => {
      const world = new World()
      const ground = world.addCollider(box([10, 1, 10]), { position: [0, -0.5, 0] })
      const settings = { ...smooth, friction: 0.6, rollingFriction: 0, restitution: 0.95 }
      const body = world.addBody(bar(), { ...settings, rotation: new Random(seed).rotation(), position: [0, 1, 0] })
      body.setVelocity([speed, 0, 0])
      run(world, 0.6, (time) => ground.setPose([speed * time, -0.5, 0], [0, 0, 0, 1]))
      const [x, y, z] = velocityOf(body)
      return [x - speed, y, z]
    }
    const moving = landing(2)
    landing(0).forEach((v, d) => {
      expect(moving[d]).toBeCloseTo(v, 6)
    })
  })

  it('is judged against the collider that hits it', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const plate = world.addCollider(box([1, 0.1, 1]), { position: [0, -1, 0] })
    const body = world.addBody(ball(0.3, 4), smooth)
    run(world, 1, (time) => plate.setPose([0, -1 + 3 * time, 0], [0, 0, 0, 1]))
    // The plate comes at 3 m/s and sends the body ahead at 1 + e times that.
    expect(Math.abs(velocityOf(body)[1] - 4.5)).toBeLessThan(0.1)
  })

  it('goes off both walls of a corner', () => {
    const world = new World({ gravity: [0, 0, 0] })
    world.addCollider(plane(), { friction: 0 })
    world.addCollider(plane(), { friction: 0, rotation: [0, 0, -Math.SQRT1_2, Math.SQRT1_2] }) // faces +x
    const body = world.addBody(ball(0.3, 4), { ...smooth, position: [0.6, 0.6, 0] })
    body.setVelocity([-2, -2, 0])
    run(world, 1)
    expect(Math.abs(velocityOf(body)[0] - 1)).toBeLessThan(0.1)
    expect(Math.abs(velocityOf(body)[1] - 1)).toBeLessThan(0.1)
  })

  // The wall that it leaves last gives back what energy there is by then: 0.4 m/s at worst of a hundred draws.
  it.each(seeds(4))('off one wall takes nothing from that off the one it left before, seed %d', (seed) => {
    const world = new World({ gravity: [0, 0, 0] })
    world.addCollider(plane(), { friction: 0 })
    world.addCollider(plane(), { friction: 0, rotation: [0, 0, -Math.SQRT1_2, Math.SQRT1_2] }) // faces +x
    const random = new Random(seed)
    const settings = { ...smooth, restitution: 1, rotation: random.rotation() }
    const body = world.addBody(cube(0.5, 3), { ...settings, position: [0.6 + random.uniform(0, 0.05), 0.6, 0] })
    body.setVelocity([-2, -2, 0])
    let first = -1
    run(world, 1, () => {
      if (first < 0) first = velocityOf(body).findIndex((speed) => speed > 2 - 1e-6)
    })
    const [vx, vy] = velocityOf(body)
    expect([vx, vy][first]).toBeCloseTo(2, 6)
    expect(Math.min(vx, vy)).toBeGreaterThan(0)
  })

  it('takes nothing from an impulse soon after', () => {
    const speedAfterImpulse = (fall: number) => {
      const world = new World()
      world.addCollider(plane())
      const body = world.addBody(cube(0.5, 3), { ...presets.firm, restitution: 0, position: [0, 0.251 + fall, 0] })
      run(world, Math.sqrt((2 * fall) / 9.81) + 0.1)
      body.applyImpulse([0, 3 * body.mass, 0])
      run(world, 0.2)
      return velocityOf(body)[1]
    }
    // 3 m/s less 0.2 s of gravity; what still swings after the fall adds or takes a little.
    expect(Math.abs(speedAfterImpulse(0.5) - (3 - 0.2 * 9.81))).toBeLessThan(0.2)
  })

  it('lets a platform throw what has just landed on it', () => {
    const world = new World()
    const plate = world.addCollider(box([2, 0.2, 2]), { position: [0, -0.1, 0] })
    const body = world.addBody(cube(0.5, 3), { ...presets.firm, restitution: 0, position: [0, 0.75, 0] })
    let most = 0
    run(world, 1.3, (time) => {
      // It lands after 0.32 s. From 0.7 s on the plate gets faster by 15 m/s^2 for 0.2 s, and stops at 3 m/s.
      const lift = Math.min(0.2, Math.max(0, time - 0.7))
      plate.setPose([0, -0.1 + 7.5 * lift * lift, 0], [0, 0, 0, 1])
      most = Math.max(most, centerOf(body)[1])
    })
    // It stands 0.3 m higher, and flies 3^2 / (2 g) = 0.46 m from there.
    expect(Math.abs(most - (0.25 + 0.3 + 0.46))).toBeLessThan(0.1)
  })

  it('is the same after a pause in its middle', () => {
    const world = new World()
    world.addCollider(plane())
    const body = world.addBody(ball(0.3, 4), { ...presets.jelly, restitution: 0.7, position: [0, 0.6, 0] })
    const end = () => {
      run(world, 0.5)
      return positionsOf(body)
    }
    run(world, 0.3) // it touches after 0.25 s
    expect(lowest(body)).toBeLessThan(0.01)
    const snapshot = world.snapshot()
    const first = end()
    world.restore(snapshot)
    expect(end()).toEqual(first)
  })

  for (const seed of seeds(4)) {
    it(`gains no energy out of stored strain, seed ${seed}`, () => {
      const random = new Random(seed)
      const world = new World()
      world.addCollider(plane())
      const body = world.addBody(cube(0.5, 3), {
        ...neoHookean(random.scale(5e4, 1e6)),
        shapeDamping: 0,
        position: [0, random.uniform(1, 1.5), 0],
        rotation: random.rotation(),
        restitution: random.uniform(0.9, 1),
      })
      world.flush()
      const start = mechanicalEnergy(world, body)
      run(world, 3, () => expect(mechanicalEnergy(world, body)).toBeLessThan(1.001 * start))
      expectHealthy(world)
    })
  }

  it('ends: the body comes to rest', () => {
    const world = new World()
    world.addCollider(plane())
    const body = world.addBody(cube(0.5, 3), { ...presets.firm, restitution: 0.5, position: [0, 0.75, 0] })
    run(world, 4)
    run(world, 1, () => expect(Math.abs(velocityOf(body)[1])).toBeLessThan(1e-3))
  })
})
