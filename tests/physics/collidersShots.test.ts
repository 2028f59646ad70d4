// Particles against meshes that are thinner than a substep's way: none passes.
import { SphereGeometry, TorusKnotGeometry } from 'three'
import { describe, expect, it } from 'vitest'
import { type ColliderShape, mesh, type Quat, type Vec3, World } from '../../src/headless.js'
import { Random, seeds } from '../support/draw.js'
import { centerOf, expectHealthy, particle, run, velocityOf } from '../support/laws.js'
import { fromGeometry } from '../support/meshes.js'
import { toLocal, turnBy } from '../support/poses.js'

const none: Vec3 = [0, 0, 0]

interface Mesh {
  positions: ArrayLike<number>
  index: ArrayLike<number>
}

/** A wavy sheet of 1.6 m with a rim, open; hardly any of its triangles are in one plane. */
function wavySheet(): Mesh {
  const n = 12
  const positions: number[] = []
  const index: number[] = []
  for (let r = 0; r <= n; r++) {
    for (let c = 0; c <= n; c++) {
      const [x, z] = [(1.6 * c) / n - 0.8, (1.6 * r) / n - 0.8]
      positions.push(x, 0.12 * Math.sin(4 * x) * Math.cos(3 * z), z)
      const a = r * (n + 1) + c
      if (r < n && c < n) index.push(a, a + n + 1, a + 1, a + 1, a + n + 1, a + n + 2)
    }
  }
  return { positions, index }
}

/** A closed plate 2 mm thick. */
function thinPlate(): Mesh {
  const positions: number[] = []
  for (const y of [-0.001, 0.001])
    for (const [x, z] of [
      [-1, -1],
      [1, -1],
      [1, 1],
      [-1, 1],
    ])
      positions.push(x!, y, z!)
  const index = [0, 1, 2, 0, 2, 3, 4, 6, 5, 4, 7, 6]
  for (let k = 0; k < 4; k++) {
    const next = (k + 1) % 4
    index.push(k, k + 4, next, next, k + 4, next + 4)
  }
  return { positions, index }
}

function indexed({ positions, index }: ReturnType<typeof fromGeometry>): Mesh {
  return { positions, index: index! }
}

/** How often a way from `a` to `b` goes through the triangles (Moeller, Trumbore 1997); with `inwards` from their fronts. */
function crossings({ positions: x, index }: Mesh, a: Vec3, b: Vec3, inwards: boolean): number {
  const d: Vec3 = [b[0] - a[0], b[1] - a[1], b[2] - a[2]]
  let count = 0
  for (let t = 0; t < index.length; t += 3) {
    const corner = (k: number): Vec3 => [x[3 * index[t + k]!]!, x[3 * index[t + k]! + 1]!, x[3 * index[t + k]! + 2]!]
    const [p, q, r] = [corner(0), corner(1), corner(2)]
    const u: Vec3 = [q[0] - p[0], q[1] - p[1], q[2] - p[2]]
    const v: Vec3 = [r[0] - p[0], r[1] - p[1], r[2] - p[2]]
    const h = cross(d, v)
    const det = dot(u, h)
    if (Math.abs(det) < 1e-18 || (inwards && det < 0)) continue
    const s: Vec3 = [a[0] - p[0], a[1] - p[1], a[2] - p[2]]
    const f = dot(s, h) / det
    const g = cross(s, u)
    const e = dot(d, g) / det
    const share = dot(v, g) / det
    if (f >= 0 && e >= 0 && f + e <= 1 && share > 1e-9 && share < 1 - 1e-9) count++
  }
  return count
}

const dot = (a: Vec3, b: Vec3) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
const cross = (a: Vec3, b: Vec3): Vec3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
]

const meshes: Record<string, { surface: Mesh; solid: boolean }> = {
  'an open sheet': { surface: wavySheet(), solid: false },
  'a closed plate of 2 mm': { surface: thinPlate(), solid: true },
  'a torus knot': { surface: indexed(fromGeometry(new TorusKnotGeometry(0.5, 0.08, 40, 6))), solid: true },
}

/** How a collider moves: its pose at a time. */
type Motion = (time: number) => [Vec3, Quat]
const motions: Record<string, (random: Random) => Motion> = {
  still: (random) => {
    const pose: [Vec3, Quat] = [random.vector(2), random.rotation()]
    return () => pose
  },
  'moving at up to 20 m/s': (random) => {
    const [velocity, rotation, from] = [random.vector(12), random.rotation(), random.vector(2)]
    return (time) => [from.map((x, d) => x + velocity[d]! * time) as unknown as Vec3, rotation]
  },
  'turning at 12 rad/s': (random) => {
    const [axis, place] = [random.direction(), random.vector(2)]
    return (time) => [place, turnBy(axis, 12 * time)]
  },
}

describe.each(Object.entries(meshes))('%s', (_, { surface, solid }) => {
  const shape = mesh(surface)
  for (const [how, motion] of Object.entries(motions)) {
    for (const seed of seeds(2)) {
      it(`${how} lets no shot of 30 m/s through, seed ${seed}`, () => {
        const random = new Random(seed)
        let met = 0
        for (let shot = 0; shot < 40; shot++) met += shoot(random, shape, surface, solid, motion(random))
        expect(met).toBeGreaterThan(12)
      })
    }
  }
})

/** Shoots at the collider, and follows the shot substep by substep in its frame; returns 1 where the two met. */
function shoot(random: Random, shape: ColliderShape, surface: Mesh, solid: boolean, motion: Motion): number {
  const world = new World({ gravity: none, timeStep: 1 / 600, substeps: 1, maxSpeed: 100 })
  const [place, rotation] = motion(0)
  const collider = world.addCollider(shape, { position: place, rotation })
  world.onBeforeStep(() => collider.setPose(...motion(world.time + 1 / 600)))
  const speed = 30
  const from = random.direction()
  const time = random.uniform(0.02, 0.08)
  // At a place of the surface, where that is by then; each third shot grazes.
  const [there] = motion(time)
  const aim = random.vector(shot3(random))
  const start = there.map((x, d) => x + aim[d]! + speed * time * from[d]!) as unknown as Vec3
  const body = world.addBody(particle(), {
    position: start,
    restitution: random.uniform(0, 1),
    friction: random.uniform(0, 1),
    thickness: random.integer(0, 1) * random.uniform(0, 0.005),
  })
  body.setVelocity(from.map((x) => -speed * x) as unknown as Vec3)
  const q = new Float64Array(7)
  let local = toLocal(motion(0), start)
  run(world, 0.15, () => {
    const next = toLocal(motion(world.time), centerOf(body))
    q.set(next)
    shape.distance(q)
    // What rests on the surface without a thickness is at it to rounding, on either side.
    const beside = Math.abs(q[3]!) > 1e-9
    expect(beside ? crossings(surface, local, next, solid) : 0).toBe(0)
    local = next
  })
  expectHealthy(world)
  return world.stats.sweptContacts > 0 ? 1 : 0
}

const shot3 = (random: Random) => (random.integer(0, 2) === 0 ? 0.6 : 0.25)

describe('a closed mesh that is a room', () => {
  for (const seed of seeds(4)) {
    it(`keeps what bounces in it at 30 m/s, at its full speed, seed ${seed}`, () => {
      const random = new Random(seed)
      const room = indexed(fromGeometry(new SphereGeometry(0.5, 12, 8)))
      const world = new World({ gravity: none, maxSpeed: 100 })
      world.addCollider(mesh(room, { solid: false }))
      const shots = Array.from({ length: 12 }, () => {
        const body = world.addBody(particle(), {
          position: random.vector(0.2),
          restitution: 1,
          friction: 0,
          thickness: random.integer(0, 1) * 0.002,
        })
        body.setVelocity(random.direction().map((x) => 30 * x) as unknown as Vec3)
        return body
      })
      run(world, 1.5, () => {
        for (const body of shots) expect(Math.hypot(...centerOf(body))).toBeLessThan(0.5)
      })
      // Some 60 bounces each, none of which loses or gains anything.
      for (const body of shots) expect(Math.hypot(...velocityOf(body)) / 30).toBeCloseTo(1, 9)
      expect(world.stats.sweptContacts).toBeGreaterThan(500)
      expectHealthy(world)
    })
  }
})
