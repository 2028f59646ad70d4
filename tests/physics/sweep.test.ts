// Points that are faster than a collider is thick in a substep.
import { describe, expect, it } from 'vitest'
import { ballMesh, tetBox } from '../../scenes/index.js'
import {
  type Body,
  box,
  type ColliderShape,
  capsule,
  clothModel,
  cylinder,
  plane,
  type Quat,
  softBodyModel,
  sphere,
  tetMeshModel,
  type Vec3,
  World,
} from '../../src/headless.js'
import { Random, seeds } from '../support/draw.js'
import { centerOf, expectHealthy, particle, positionsOf, run, springPair, velocityOf } from '../support/laws.js'

const HALF: Vec3 = [1, 0.025, 1.5]
const degree = Math.PI / 180
const none: Vec3 = [0, 0, 0]
const noTurn: Quat = [0, 0, 0, 1]

const dot = (a: Vec3, b: Vec3) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
const plus = (a: Vec3, b: Vec3, s = 1): Vec3 => [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]]
const cross = (a: Vec3, b: Vec3): Vec3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
]
const size = (a: Vec3) => Math.sqrt(dot(a, a))
const multiply = (a: Quat, b: Quat): Quat => {
  const [x, y, z] = plus(
    plus(cross([a[0], a[1], a[2]], [b[0], b[1], b[2]]), [a[0], a[1], a[2]], b[3]),
    [b[0], b[1], b[2]],
    a[3],
  )
  return [x, y, z, a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]]
}
const rotate = (q: Quat, v: Vec3): Vec3 => {
  const u: Vec3 = [q[0], q[1], q[2]]
  const t = cross(u, v)
  return plus(plus(v, t, 2 * q[3]), cross(u, t), 2)
}
const inverse = (q: Quat): Quat => [-q[0], -q[1], -q[2], q[3]]
const turned = (axis: Vec3, angle: number): Quat => {
  const s = Math.sin(angle / 2)
  return [axis[0] * s, axis[1] * s, axis[2] * s, Math.cos(angle / 2)]
}

/** A plate 5 cm thick that moves and turns evenly. */
interface Plate {
  position: Vec3
  rotation: Quat
  velocity: Vec3
  /** Axis times rate [rad/s]. */
  spin: Vec3
}

const motions = {
  'that stands': () => ({ velocity: none, spin: none }),
  'that comes at 20 m/s': (_, normal) => ({ velocity: plus(none, normal, 20), spin: none }),
  'that goes at 20 m/s': (_, normal) => ({ velocity: plus(none, normal, -20), spin: none }),
  'that crosses at 20 m/s': (random, normal) => {
    const across = cross(normal, random.direction())
    return { velocity: plus(none, across, 20 / size(across)), spin: none }
  },
  'that turns at 12 rad/s': (random) => ({
    velocity: plus(none, random.direction(), 5),
    spin: plus(none, random.direction(), 12),
  }),
} satisfies Record<string, (random: Random, normal: Vec3) => { velocity: Vec3; spin: Vec3 }>

function poseAt({ position, rotation, velocity, spin }: Plate, time: number): [Vec3, Quat] {
  const rate = size(spin)
  const turn = rate === 0 ? noTurn : turned(plus(none, spin, 1 / rate), rate * time)
  return [plus(position, velocity, time), multiply(turn, rotation)]
}

interface Shot {
  plate: Plate
  start: Vec3
  velocity: Vec3
  /** When it meets the plate [s], where, and the plate's normal and speed there. */
  time: number
  place: Vec3
  normal: Vec3
  surface: Vec3
  thickness: number
}

/** A shot that meets the upper face within half a plate of its middle, between 1 and 90 degrees to it. */
function drawShot(random: Random, motion: (random: Random, normal: Vec3) => { velocity: Vec3; spin: Vec3 }): Shot {
  const rotation = random.rotation()
  const plate = { position: random.vector(3), rotation, ...motion(random, rotate(rotation, [0, 1, 0])) }
  const time = random.uniform(0.02, 0.3)
  const thickness = random.integer(0, 1) * random.uniform(0, 0.01)
  const [position, turn] = poseAt(plate, time)
  const arm = rotate(turn, [random.uniform(-0.5, 0.5), HALF[1] + thickness, random.uniform(-0.7, 0.7)])
  const place = plus(position, arm)
  const normal = rotate(turn, [0, 1, 0])
  const surface = plus(plate.velocity, cross(plate.spin, arm))
  const aside = cross(normal, random.direction())
  const angle = random.scale(1, 90) * degree
  // Relative to the plate, so that the angle is what it says.
  const speed = random.scale(20, 400)
  const relative = plus(plus(none, normal, -Math.sin(angle) * speed), aside, (Math.cos(angle) * speed) / size(aside))
  const velocity = plus(surface, relative)
  return { plate, start: plus(place, velocity, -time), velocity, time, place, normal, surface, thickness }
}

/** Shoots, follows the plate, and stops with the step in which they meet. */
function shoot(shot: Shot, settings: { restitution: number; friction: number }): { world: World; body: Body } {
  const world = new World({ gravity: none })
  const { plate, thickness, start, velocity } = shot
  const collider = world.addCollider(box(HALF), { position: plate.position, rotation: plate.rotation })
  world.onBeforeStep(() => collider.setPose(...poseAt(plate, world.time + world.settings.timeStep)))
  const body = world.addBody(particle(), { ...settings, thickness, position: start })
  body.setVelocity([...velocity])
  while (world.time <= shot.time) world.step()
  return { world, body }
}

/** A place in the plate's own frame. */
function inPlate(plate: Plate, place: Vec3, time: number): Vec3 {
  const [position, rotation] = poseAt(plate, time)
  return rotate(inverse(rotation), plus(place, position, -1))
}

/** How far a place is from the plate [m]; above or below its edges that is enough, elsewhere it must be above. */
function clearance({ plate, thickness }: Shot, place: Vec3, time: number): number {
  const q = Float64Array.of(...inPlate(plate, place, time), 0, 0, 0, 0)
  box(HALF).distance(q)
  const [x, y, z] = inPlate(plate, place, time)
  const over = Math.abs(x) < HALF[0] && Math.abs(z) < HALF[2]
  return (over ? y - HALF[1] : q[3]!) - thickness
}

/** Velocity after the impact, by Newton's law of restitution and Coulomb's of friction. */
function velocityAfter({ velocity, surface, normal }: Shot, restitution: number, friction: number): Vec3 {
  const relative = plus(velocity, surface, -1)
  const along = dot(relative, normal)
  const slide = plus(relative, normal, -along)
  const blow = -(1 + restitution) * along
  return plus(plus(velocity, normal, blow), slide, -Math.min(size(slide), friction * blow) / size(slide))
}

/** True where the shot meets the plate once, when it should: a plate that turns may be met before, or strike again. */
function meetsOnce(shot: Shot, after: Vec3): boolean {
  const speed = size(shot.velocity)
  const near = 5 / speed // farther away it is out of reach
  for (let k = 1; k <= 250; k++) {
    const early = (k / 250) * Math.min(near, shot.time)
    const late = (k / 250) * Math.min(near, 0.02)
    // Of a turn the ways within a substep are followed in straight parts.
    const room = (time: number) => (time * speed > 0.3 ? 0.002 : 0)
    if (clearance(shot, plus(shot.place, shot.velocity, -early), shot.time - early) < room(early)) return false
    if (clearance(shot, plus(shot.place, after, late), shot.time + late) < room(late)) return false
  }
  return true
}

/** The moment at which the ways before and after meet, along the change of velocity [s]. */
function arrival({ start, velocity }: Shot, world: World, body: Body): number {
  const change = plus(velocityOf(body), velocity, -1)
  const origin = plus(centerOf(body), velocityOf(body), -world.time)
  return -dot(plus(origin, start, -1), change) / dot(change, change)
}

describe.each(Object.entries(motions))('a shot at a plate %s', (_, motion) => {
  for (const seed of seeds(4)) {
    it(`arrives on time and leaves by Coulomb's and Newton's laws, seed ${seed}`, () => {
      const random = new Random(seed)
      let met = 0
      for (let k = 0; k < 40; k++) {
        const shot = drawShot(random, motion)
        const restitution = random.uniform(0.3, 1)
        const friction = random.integer(0, 1) * random.uniform(0, 0.5)
        const expected = velocityAfter(shot, restitution, friction)
        if (!meetsOnce(shot, expected)) continue
        met++
        const { world, body } = shoot(shot, { restitution, friction })
        // A plate's own speed counts as even within a substep: up to w^2 r h / 2, of 20 m/s and more, off.
        expect(size(plus(velocityOf(body), expected, -1)) / size(shot.velocity)).toBeLessThan(0.005)
        expect(Math.abs(arrival(shot, world, body) / shot.time - 1)).toBeLessThan(0.001)
        expect(world.stats.sweptContacts).toBe(1)
        expect(clearance(shot, centerOf(body), world.time)).toBeGreaterThan(-1e-9)
        expectHealthy(world)
      }
      expect(met).toBeGreaterThan(20)
    })

    it(`stays on its side without a bounce, seed ${seed}`, () => {
      const random = new Random(100 + seed)
      for (let k = 0; k < 40; k++) {
        const shot = drawShot(random, motion)
        const friction = random.uniform(0, 1)
        if (!meetsOnce(shot, velocityAfter(shot, 1, 0))) continue
        const { world, body } = shoot(shot, { restitution: 0, friction })
        for (let later = 0; later < 3; later++) {
          const place = inPlate(shot.plate, centerOf(body), world.time)
          if (Math.abs(place[0]) > HALF[0] || Math.abs(place[2]) > HALF[2]) break // past the edge it is free
          expect(place[1]).toBeGreaterThan(HALF[1] + shot.thickness - 1e-9)
          world.step()
        }
        expect(world.stats.sweptContacts).toBeGreaterThan(0)
        expectHealthy(world)
      }
    })
  }
})

describe.each<[string, ColliderShape]>([
  ['ball', sphere(0.05)],
  ['capsule', capsule(0.05, 0.6)],
  ['rod', cylinder(0.05, 1)],
])('a shot at a turning %s, whose normal is another one a little beside', (_, shape) => {
  for (const seed of seeds(2)) {
    it(`leaves by the normal and the speed of where and when it meets it, seed ${seed}`, () => {
      const random = new Random(seed)
      for (let k = 0; k < 40; k++) {
        const axis = random.direction()
        const spin = random.uniform(-12, 12)
        const start = random.rotation()
        const time = random.uniform(0.02, 0.07)
        const pose = (at: number): [Vec3, Quat] => [none, multiply(turned(axis, spin * at), start)]
        // Where a radius meets the round part, and from there back.
        const [x, z] = [random.uniform(-1, 1), random.uniform(-1, 1)]
        const out: Vec3 = [x / Math.sqrt(x * x + z * z), 0, z / Math.sqrt(x * x + z * z)]
        const height = shape.name === 'sphere' ? 0 : random.uniform(-0.25, 0.25)
        const place = rotate(pose(time)[1], plus([0, height, 0], out, 0.05))
        const normal = rotate(pose(time)[1], out)
        const surface = cross(plus(none, axis, spin), place)
        const aside = cross(normal, random.direction())
        const [angle, speed] = [random.uniform(10, 90) * degree, random.scale(40, 400)]
        const slide = plus(none, aside, (Math.cos(angle) * speed) / size(aside))
        const velocity = plus(plus(surface, slide), normal, -Math.sin(angle) * speed)
        const restitution = random.uniform(0.3, 1)
        const world = new World({ gravity: none, maxSpeed: 1000 })
        const collider = world.addCollider(shape, { rotation: start })
        world.onBeforeStep(() => collider.setPose(...pose(world.time + world.settings.timeStep)))
        const settings = { restitution, friction: 0, thickness: 0 }
        const body = world.addBody(particle(), { ...settings, position: plus(place, velocity, -time) })
        body.setVelocity([...velocity])
        while (world.time <= time) world.step()
        const expected = plus(velocity, normal, (1 + restitution) * Math.sin(angle) * speed)
        expect(size(plus(velocityOf(body), expected, -1)) / size(velocity)).toBeLessThan(0.005)
        expectHealthy(world)
      }
    })
  }
})

describe('a grazing shot', () => {
  for (const seed of seeds(4)) {
    it(`at one degree slides on without friction, and does not stick with it, seed ${seed}`, () => {
      const random = new Random(seed)
      const speed = random.uniform(20, 400)
      const height = 0.025 + speed * Math.sin(degree) * random.uniform(0.1, 0.4)
      for (const friction of [0, 0.5]) {
        const world = new World({ gravity: none })
        world.addCollider(box([1000, 0.025, 1000]))
        const body = world.addBody(particle(), { friction, thickness: 0, position: [0, height, 0] })
        body.setVelocity([speed * Math.cos(degree), -speed * Math.sin(degree), 0])
        run(world, 0.5)
        expect(centerOf(body)[1]).toBeCloseTo(0.025, 9)
        expect(velocityOf(body)[0] / speed).toBeCloseTo(Math.cos(degree) - friction * Math.sin(degree), 9)
        expect(Math.abs(velocityOf(body)[1])).toBeLessThan(1e-9)
        expectHealthy(world)
      }
    })
  }
})

/** Share of the way from `start` to `end` at which it first comes as near as `thickness`, by very small steps. */
function marched(shape: ColliderShape, start: Vec3, end: Vec3, thickness: number): number | undefined {
  const q = new Float64Array(7)
  const gap = (share: number) => {
    q.set(plus(start, plus(end, start, -1), share))
    shape.distance(q)
    return q[3]! - thickness
  }
  const steps = 4000
  for (let k = 1; k <= steps; k++) {
    if (gap(k / steps) > 0) continue
    let [low, high] = [(k - 1) / steps, k / steps]
    for (let round = 0; round < 40; round++) {
      const middle = (low + high) / 2
      if (gap(middle) > 0) low = middle
      else high = middle
    }
    return high
  }
  return undefined
}

/** A ring about y: not convex. */
function ring(radius: number, tube: number): ColliderShape {
  return {
    name: 'ring',
    inradius: tube,
    convex: false,
    distance(query) {
      const r = Math.hypot(query[0]!, query[2]!)
      const d = Math.hypot(r - radius, query[1]!)
      query[3] = d - tube
      query[4] = (query[0]! / r) * ((r - radius) / d)
      query[5] = query[1]! / d
      query[6] = (query[2]! / r) * ((r - radius) / d)
    },
  }
}

const shapes: Record<string, ColliderShape> = {
  plane: plane(),
  'thin box': box([0.5, 0.025, 0.3]),
  sphere: sphere(0.1),
  capsule: capsule(0.05, 0.6),
  'thin cylinder': cylinder(0.4, 0.05),
  rod: cylinder(0.03, 1),
  ring: ring(0.4, 0.05),
}

describe.each(Object.entries(shapes).filter(([name]) => name !== 'plane'))('one substep past a %s', (_, shape) => {
  for (const seed of seeds(3)) {
    it(`stops at the first touch where there is one, and changes nothing where there is none, seed ${seed}`, () => {
      const random = new Random(seed)
      let hits = 0
      let misses = 0
      for (let k = 0; k < 60; k++) {
        const thickness = random.uniform(0, 0.02)
        const world = new World({ gravity: none, substeps: 1 })
        const h = world.settings.timeStep
        world.addCollider(shape)
        const start = plus(none, random.direction(), 1.5)
        const through = random.vector(0.25)
        const end = plus(start, plus(through, start, -1), 2)
        const velocity = plus(none, plus(end, start, -1), 1 / h)
        const share = marched(shape, start, end, thickness)
        const body = world.addBody(particle(), { thickness, restitution: 1, friction: 0, position: start })
        body.setVelocity([...velocity])
        world.step()
        if (share === undefined) misses++
        else hits++
        // Without a touch it ends its way as it began.
        const touch = plus(start, plus(end, start, -1), share ?? 1)
        const q = Float64Array.of(...touch, 0, 0, 0, 0)
        shape.distance(q)
        const normal: Vec3 = share === undefined ? none : [q[4]!, q[5]!, q[6]!]
        const bounced = plus(velocity, normal, -2 * dot(velocity, normal))
        const rest = plus(touch, bounced, (1 - (share ?? 1)) * h)
        // Off the inner side of a ring it may touch the other.
        const free = plus(touch, bounced, 0.01 * h)
        if (!shape.convex && share !== undefined && marched(shape, free, rest, thickness) !== undefined) continue
        // Past a concave shape the first touch is looked for in steps of up to 1/512 of the way.
        const tolerance = share === undefined ? 1e-12 : shape.convex ? 1e-5 : 0.05
        expect(size(plus(velocityOf(body), bounced, -1)) / size(velocity)).toBeLessThan(tolerance)
        expect(size(plus(centerOf(body), rest, -1)) / size(plus(end, start, -1))).toBeLessThan(tolerance)
        expectHealthy(world)
      }
      expect(hits).toBeGreaterThan(3)
      expect(misses).toBeGreaterThan(5)
    })
  }
})

describe('several colliders in the way of one substep', () => {
  for (const seed of seeds(8)) {
    it(`the first that is met stops a shot, whichever was added first, seed ${seed}`, () => {
      const random = new Random(seed)
      const heights = [0, -0.1, -0.2, -0.3].sort(() => random.uniform(-1, 1))
      const world = new World({ gravity: none })
      for (const y of heights) world.addCollider(box(HALF), { position: [0, y, 0] })
      const body = world.addBody(particle(), { thickness: 0, restitution: 1, position: [0, random.uniform(1, 3), 0] })
      body.setVelocity([random.uniform(-20, 20), -400, 0])
      run(world, 0.05, () => expect(centerOf(body)[1]).toBeGreaterThan(0.025 - 1e-9))
      expect(velocityOf(body)[1]).toBeCloseTo(400, 6)
      expectHealthy(world)
    })

    it(`a corner of thin boxes holds a shot, seed ${seed}`, () => {
      const random = new Random(seed)
      const world = new World({ gravity: none })
      const half = [60, 60, 60] as [number, number, number]
      for (const d of [0, 1, 2]) {
        const thin = [...half] as [number, number, number]
        const position: [number, number, number] = [0, 0, 0]
        thin[d] = 0.025
        position[d] = -0.025
        world.addCollider(box(thin), { position })
      }
      const start: Vec3 = [random.uniform(0.1, 2), random.uniform(0.1, 2), random.uniform(0.1, 2)]
      const body = world.addBody(particle(), { thickness: 0, restitution: random.integer(0, 1), position: start })
      body.setVelocity([random.uniform(-250, -20), random.uniform(-250, -20), random.uniform(-250, -20)])
      run(world, 0.2, () => expect(Math.min(...centerOf(body))).toBeGreaterThan(-1e-9))
      expectHealthy(world)
    })
  }

  for (const seed of seeds(4)) {
    it(`between a bat and a thin wall a ball goes through neither, seed ${seed}`, () => {
      const random = new Random(seed)
      for (let k = 0; k < 20; k++) {
        const gap = random.uniform(0.01, 0.08)
        const world = new World({ gravity: none })
        world.addCollider(box(HALF), { position: [0, -HALF[1] - gap, 0] })
        // After two steps at 30 m/s it stops within a tenth of the gap from the wall; the ball in the gap is at rest.
        const height = (time: number) => HALF[1] - 0.9 * gap + Math.max(0, 1 - 30 * time)
        const bat = world.addCollider(box(HALF), { position: [0, height(0), 0] })
        const body = world.addBody(particle(), { thickness: 0, restitution: 1 })
        world.onBeforeStep((_, dt) => bat.setPose([0, height(world.time + dt), 0], noTurn))
        run(world, 0.1, (time) => {
          expect(centerOf(body)[1]).toBeGreaterThan(-gap - 1e-9)
          expect(centerOf(body)[1]).toBeLessThan(height(time) - HALF[1] + 1e-9)
        })
        expectHealthy(world)
      }
    })
  }
})

describe('a whole body', () => {
  const solid = tetMeshModel(tetBox([0.3, 0.3, 0.3], [3, 3, 3])).model
  const ball = softBodyModel(ballMesh(0.2, 8), { resolution: 5 }).model
  const sheet = clothModel({ width: 0.5, height: 0.5, segmentsX: 8, segmentsY: 8 }).model
  for (const [name, model] of Object.entries({ solid, ball, sheet })) {
    for (const speed of [20, 60, 150]) {
      it(`${name} thrown at ${speed} m/s at a thin plate stays before it`, () => {
        const random = new Random(speed)
        const world = new World()
        world.addCollider(box([4, 0.025, 4]))
        const body = world.addBody(model, { position: [0, 1, 0], rotation: random.rotation(), restitution: 0.3 })
        body.setVelocity([0.2 * speed, -speed, 0])
        run(world, 0.5, () => {
          const x = positionsOf(body)
          let least = Number.POSITIVE_INFINITY
          for (let p = 0; p < x.length; p += 3) {
            // Beyond the edge of the plate it may fall.
            if (Math.abs(x[p]!) < 3.9 && Math.abs(x[p + 2]!) < 3.9) least = Math.min(least, x[p + 1]!)
          }
          expect(least).toBeGreaterThan(0.025)
        })
        // Flattened at such a speed a soft body may turn inside out, which another guard sees to.
        expect(world.stats).toMatchObject({ speedClamps: 0, nonFiniteRescues: 0 })
      })
    }
  }
})

describe('what the speeds at the start of a step do not tell of', () => {
  for (const iterations of [1, 2]) {
    it(`a rigid hold leads no particle through a plate, iterations ${iterations}`, () => {
      const world = new World({ gravity: none, iterations })
      world.addCollider(box(HALF), { position: [0, -1, 0] })
      const body = world.addBody(particle(), { thickness: 0 })
      const hold = body.attach({ particles: Uint32Array.of(0), weights: Float64Array.of(1) })
      for (let k = 0; k < 10; k++) {
        hold.setTarget(0, -3, 0)
        world.advance(world.settings.timeStep)
        expect(centerOf(body)[1]).toBeGreaterThan(-1 + HALF[1] - 1e-9)
      }
    })
  }

  it('a pull into a plate is no approach that bounces', () => {
    const world = new World({ gravity: none })
    world.addCollider(box(HALF))
    const body = world.addBody(particle(), { thickness: 0, restitution: 1, position: [0, HALF[1], 0] })
    body.attach({ particles: Uint32Array.of(0), weights: Float64Array.of(1) }, { target: [0, -3, 0] })
    run(world, 0.5, () => expect(centerOf(body)[1]).toBeCloseTo(HALF[1], 9))
    expect(world.stats.sweptContacts).toBeGreaterThan(0)
  })

  it('a spring that snaps back draws no particle through a plate', () => {
    const world = new World({ gravity: none })
    // The upper particle is led away by 3 m in a step; the lower follows in a substep, towards the plate between.
    world.addCollider(box(HALF), { position: [0, 1, 0] })
    const body = world.addBody(springPair(0.5), { thickness: 0, position: [3, 2, 0] })
    const hold = body.attach({ particles: Uint32Array.of(0), weights: Float64Array.of(1) })
    hold.setTarget(0, 5, 0)
    run(world, 0.2)
    body.teleport([0, 0.8, 0])
    hold.setTarget(0, 4, 0)
    run(world, 0.2, () => expect(positionsOf(body)[4]!).toBeLessThan(1 - HALF[1] + 1e-9))
  })

  it('a blow sends a particle at rest through nothing', () => {
    const world = new World({ gravity: none })
    const bat = world.addCollider(box(HALF), { position: [0, 0.5, 0] })
    world.addCollider(box(HALF), { position: [0, -0.5, 0] })
    const body = world.addBody(particle(), { thickness: 0, restitution: 1 })
    world.onBeforeStep((_, dt) => bat.setPose([0, Math.max(0, 0.5 - 100 * (world.time + dt)), 0], noTurn))
    run(world, 0.1, () => expect(centerOf(body)[1]).toBeGreaterThan(-0.5 + HALF[1] - 1e-9))
    expect(world.stats.sweptContacts).toBeGreaterThan(1)
    expectHealthy(world)
  })
})
