// Colliders that are not convex: what lies in a corner touches two or three faces of the same one.
import { BoxGeometry, LatheGeometry, Vector2 } from 'three'
import { TeapotGeometry } from 'three/addons/geometries/TeapotGeometry.js'
import { describe, expect, it } from 'vitest'
import { ballMesh } from '../../scenes/index.js'
import {
  box,
  type ColliderShape,
  clothModel,
  compound,
  heightfield,
  mesh,
  plane,
  presets,
  softBodyModel,
  type Vec3,
  World,
} from '../../src/headless.js'
import { Random, seeds } from '../support/draw.js'
import { centerOf, expectHealthy, largestSpeed, particle, positionsOf, run } from '../support/laws.js'
import { fromGeometry } from '../support/meshes.js'

const degree = Math.PI / 180
const floating = { gravity: [0, 0, 0] as Vec3 }

/** Two walls that meet along z at the origin, `angle` between them, as an open sheet. */
function groove(angle: number): ColliderShape {
  const [x, y] = [Math.sin(angle / 2), Math.cos(angle / 2)]
  const positions = [0, 0, -1, 0, 0, 1, x, y, -1, x, y, 1, -x, y, -1, -x, y, 1]
  return mesh({ positions, index: [0, 1, 2, 2, 1, 3, 0, 4, 1, 1, 4, 5] }, { thickness: 0.002 })
}

/** How far a place is from the nearer wall of a groove, below zero outside of it. */
function room(angle: number, [x, y]: ArrayLike<number> & Iterable<number>): number {
  return y! * Math.sin(angle / 2) - Math.abs(x!) * Math.cos(angle / 2)
}

describe.each([10, 30, 60, 90, 150])('a groove of %d degrees', (degrees) => {
  const angle = degrees * degree
  for (const seed of seeds(3)) {
    it(`holds shots of 30 m/s on their side, seed ${seed}`, () => {
      const random = new Random(seed)
      for (let shot = 0; shot < 12; shot++) {
        const world = new World({ ...floating, maxSpeed: 100 })
        world.addCollider(groove(angle))
        const within = random.uniform(-0.4, 0.4) * angle
        const thickness = random.integer(0, 1) * 0.003
        const body = world.addBody(particle(), {
          position: [0.9 * Math.sin(within), 0.9 * Math.cos(within), random.uniform(-0.1, 0.1)],
          thickness,
          restitution: random.integer(0, 1) * random.uniform(0, 1),
          friction: random.uniform(0, 1),
        })
        // Towards the edge at the bottom.
        const aim = random.uniform(-0.2, 0.2) * angle
        body.setVelocity([-30 * Math.sin(within + aim), -30 * Math.cos(within + aim), random.uniform(-3, 3)])
        run(world, 0.1, () => {
          const x = centerOf(body)
          const near = Math.hypot(x[0], x[1]) < 0.95 && Math.abs(x[2]) < 0.95
          expect(near ? room(angle, x) : 1).toBeGreaterThan(0)
        })
        expectHealthy(world)
      }
    })
  }

  it('holds a particle at rest under its weight, at its distance from both walls', () => {
    const world = new World()
    world.addCollider(groove(angle))
    const body = world.addBody(particle(), { position: [0.01, 0.5, 0], thickness: 0.004, friction: 0, damping: 3 })
    run(world, 3)
    // Half the sheet's thickness and its own. Each wall pushes in turn: the last has the last word, by what falls in a
    // substep, over the sine of half the angle.
    const h = world.settings.timeStep / world.settings.substeps
    const slack = (9.81 * h * h) / Math.sin(angle / 2) + 1e-9
    expect(room(angle, centerOf(body))).toBeGreaterThan(0.005 - slack)
    expect(room(angle, centerOf(body))).toBeLessThan(0.005 + slack)
    expect(Math.abs(centerOf(body)[0])).toBeLessThan(1e-3)
    expect(largestSpeed(body)).toBeLessThan(slack / h)
    expectHealthy(world)
  })
})

/** Stairs as a closed mesh: three steps of 0.2 m going down along x. */
function stairs(): ColliderShape {
  const outline = [0, 0, 0.6, 0, 0.6, 0.2, 0.4, 0.2, 0.4, 0.4, 0.2, 0.4, 0.2, 0.6, 0, 0.6]
  const positions = [-0.5, 0.5].flatMap((z) =>
    [0, 1, 2, 3, 4, 5, 6, 7].flatMap((k) => [outline[2 * k]!, outline[2 * k + 1]!, z]),
  )
  const cap = [0, 1, 3, 1, 2, 3, 0, 3, 5, 3, 4, 5, 0, 5, 7, 5, 6, 7]
  const index = [...cap.slice().reverse(), ...cap.map((k) => k + 8)]
  for (let k = 0; k < 8; k++) {
    const next = (k + 1) % 8
    index.push(k, next, k + 8, next, next + 8, k + 8)
  }
  return mesh({ positions, index }, { solid: true })
}

/** The same stairs of boxes. */
function boxStairs(): ColliderShape {
  return compound(
    [0, 1, 2].map((k) => ({
      shape: box([0.1, 0.3 - 0.1 * k, 0.5]),
      position: [0.1 + 0.2 * k, 0.3 - 0.1 * k, 0] as Vec3,
    })),
  )
}

describe.each([
  ['a mesh', stairs],
  ['a compound', boxStairs],
])('stairs that are %s', (_, make) => {
  const above = ([x, y]: readonly number[]) => y! - (x! < 0.2 ? 0.6 : x! < 0.4 ? 0.4 : x! < 0.6 ? 0.2 : 0)

  for (const seed of seeds(4)) {
    it(`hold what falls down them, and in their corners, seed ${seed}`, () => {
      const random = new Random(seed)
      const world = new World()
      world.addCollider(make())
      world.addCollider(plane())
      const balls = Array.from({ length: 8 }, () => {
        const body = world.addBody(particle(), {
          position: [random.uniform(0.05, 0.55), 0.9, random.uniform(-0.3, 0.3)],
          restitution: 0.5,
          friction: 0.3,
          thickness: random.integer(0, 1) * 0.01,
        })
        // Against the risers.
        body.setVelocity([random.uniform(-30, 1), random.uniform(-30, 0), 0])
        return body
      })
      run(world, 2, () => {
        for (const body of balls) {
          const x = centerOf(body)
          expect(x[0] > 0 && x[0] < 0.6 ? above(x) : 0).toBeGreaterThan(-1e-6)
        }
      })
      expectHealthy(world)
    })
  }

  it('stop a body that is pushed into a corner on both faces', () => {
    const world = new World({ gravity: [-6, -9.81, 0] })
    world.addCollider(make())
    const body = world.addBody(particle(), { position: [0.35, 0.55, 0], friction: 0, thickness: 0.01 })
    run(world, 2)
    expect(centerOf(body)[0]).toBeCloseTo(0.21, 4)
    expect(centerOf(body)[1]).toBeCloseTo(0.41, 4)
    expectHealthy(world)
  })
})

describe('a bowl', () => {
  const profile = Array.from(
    { length: 13 },
    (_, k) => new Vector2(0.5 * Math.sin(k * 0.12), 0.5 - 0.5 * Math.cos(k * 0.12)),
  )
  const bowl = mesh(fromGeometry(new LatheGeometry(profile, 24)))

  it('keeps a ball of rubber, which comes to rest within 12 s in the middle', () => {
    const world = new World()
    world.addCollider(bowl)
    const ball = softBodyModel(ballMesh(0.15, 8), { resolution: 4 }).model
    const body = world.addBody(ball, { ...presets.rubber, position: [0.15, 0.5, 0.05], damping: 1, shapeDamping: 5 })
    run(world, 12)
    const x = positionsOf(body)
    for (let p = 0; p < x.length; p += 3) {
      // Inside of the sphere that the bowl is cut from; its facets lie up to 0.5 (1 - cos 0.13) within.
      expect(Math.hypot(x[p]!, x[p + 1]! - 0.5, x[p + 2]!)).toBeLessThan(0.5)
    }
    expect(Math.hypot(centerOf(body)[0], centerOf(body)[2])).toBeLessThan(0.05)
    expect(largestSpeed(body)).toBeLessThan(0.02)
    expectHealthy(world)
  })

  it('takes a cloth that is laid into it, none of whose particles gets through', () => {
    const world = new World()
    world.addCollider(bowl)
    const sheet = clothModel({ width: 0.7, height: 0.7, segmentsX: 10, segmentsY: 10 }).model
    const body = world.addBody(sheet, {
      position: [0, 0.52, 0],
      rotation: [Math.SQRT1_2, 0, 0, Math.SQRT1_2],
      damping: 1,
    })
    run(world, 1, () => {
      const x = positionsOf(body)
      for (let p = 0; p < x.length; p += 3) {
        const [a, b, c] = [x[p]!, x[p + 1]!, x[p + 2]!]
        const within = Math.hypot(a, c) < 0.45 && b < 0.4
        expect(within ? Math.hypot(a, b - 0.5, c) : 0).toBeLessThan(0.5)
      }
    })
    expectHealthy(world)
  })
})

describe('a teapot', () => {
  const teapot = mesh(fromGeometry(new TeapotGeometry(0.3, 6)))
  for (const seed of seeds(3)) {
    it(`is hit and never entered by a hail of 30 m/s, seed ${seed}`, () => {
      const random = new Random(seed)
      const world = new World({ ...floating, maxSpeed: 100 })
      world.addCollider(teapot)
      const q = new Float64Array(7)
      for (let shot = 0; shot < 40; shot++) {
        const from = random.direction()
        const aim = random.vector(0.2)
        const body = world.addBody(particle(), {
          position: from.map((x, d) => 1.5 * x + aim[d]!) as unknown as Vec3,
          restitution: random.uniform(0, 0.6),
          thickness: 0.002,
        })
        body.setVelocity(from.map((x) => -30 * x) as unknown as Vec3)
      }
      run(world, 0.2, () => {
        for (const body of world.bodies) {
          q.set(centerOf(body))
          teapot.distance(q)
          // At least at the sheet's own surface: a sheet has no other inside.
          expect(q[3]).toBeGreaterThan(-1e-9)
        }
      })
      expect(world.stats.sweptContacts).toBeGreaterThan(30)
      expectHealthy(world)
    })
  }
})

describe('a heightfield', () => {
  const size = 24
  const height = (x: number, z: number) => 0.3 * Math.sin(3 * x) * Math.cos(2 * z)
  const rows = Array.from({ length: size + 1 }, (_, r) =>
    Array.from({ length: size + 1 }, (_, c) => height((4 * c) / size - 2, (4 * r) / size - 2)),
  )
  const field = heightfield(rows, 4, 4)

  for (const seed of seeds(3)) {
    it(`stops shots of 30 m/s from above, and holds them, seed ${seed}`, () => {
      const random = new Random(seed)
      const world = new World({ maxSpeed: 100 })
      world.addCollider(field)
      const bodies = Array.from({ length: 30 }, () => {
        const body = world.addBody(particle(), {
          position: [random.uniform(-1, 1), random.uniform(0.5, 2), random.uniform(-1, 1)],
          thickness: random.integer(0, 1) * 0.005,
          friction: 1,
        })
        body.setVelocity([random.uniform(-5, 5), random.uniform(-30, -5), random.uniform(-5, 5)])
        return body
      })
      const q = new Float64Array(7)
      run(world, 1, () => {
        for (const body of bodies) {
          q.set(centerOf(body))
          field.distance(q)
          expect(q[3]).toBeGreaterThan(-1e-6)
        }
      })
      expectHealthy(world)
    })
  }

  it('of one height everywhere is a ground: boxes stand on it as on a plane', () => {
    const heights: number[] = []
    for (const ground of [
      heightfield(
        [
          [0, 0],
          [0, 0],
        ],
        4,
        4,
      ),
      plane(),
    ]) {
      const world = new World()
      world.addCollider(ground)
      const cube = softBodyModel(fromGeometry(new BoxGeometry(0.3, 0.3, 0.3)), { resolution: 3 }).model
      const body = world.addBody(cube, { ...presets.rubber, position: [0.1, 0.2, 0.1], shapeDamping: 5 })
      run(world, 2)
      heights.push(centerOf(body)[1])
    }
    // By friction each keeps some of how it fell: 7 µm of the 100 by which it settles.
    expect(Math.abs(heights[0]! - heights[1]!)).toBeLessThan(2e-5)
  })
})
