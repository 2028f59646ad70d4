// Rolling friction: round bodies come to lie still, and still roll where something makes them.
import { CapsuleGeometry, IcosahedronGeometry, SphereGeometry, TorusGeometry, TorusKnotGeometry } from 'three'
import { describe, expect, it } from 'vitest'
import {
  box,
  type Model,
  type PresetName,
  plane,
  presets,
  type Quat,
  SettingError,
  softBodyModel,
  type TriangleMesh,
  tetMeshModel,
  World,
} from '../../src/headless.js'
import { Random, seeds } from '../support/draw.js'
import { boxLattice, cube } from '../support/lattice.js'
import {
  centerOf,
  expectHealthy,
  largestSpeed,
  lowest,
  positionsOf,
  rmsSpeed,
  run,
  velocityOf,
} from '../support/laws.js'
import { long } from '../support/long.js'
import { fromGeometry } from '../support/meshes.js'
import { turnBy } from '../support/poses.js'
import { sized } from '../support/sized.js'

const g = 9.81

const egg = () => {
  const geometry = new SphereGeometry(1, 32, 16)
  geometry.scale(1, 1.4, 1)
  return geometry
}
const shapes: Record<string, () => TriangleMesh> = {
  'sphere 16 x 8': () => fromGeometry(new SphereGeometry(1, 16, 8)),
  'sphere 32 x 16': () => fromGeometry(new SphereGeometry(1, 32, 16)),
  'sphere 64 x 32': () => fromGeometry(new SphereGeometry(1, 64, 32)),
  'icosahedron 2': () => fromGeometry(new IcosahedronGeometry(1, 2)),
  'icosahedron 4': () => fromGeometry(new IcosahedronGeometry(1, 4)),
  'icosahedron 12': () => fromGeometry(new IcosahedronGeometry(1, 12)),
  capsule: () => fromGeometry(new CapsuleGeometry(1, 1, 8, 24)),
  torus: () => fromGeometry(new TorusGeometry(1, 0.4, 16, 48)),
  egg: () => fromGeometry(egg()),
  knot: () => fromGeometry(new TorusKnotGeometry(1, 0.4, 128, 16)),
}

/** Whatever rolls on the ground, 30 cm above it, turned by a seed. */
function dropped(shape: string, preset: PresetName, size: number, resolution: number, seed: number, sleeping: boolean) {
  const { model } = softBodyModel(sized(shapes[shape]!(), size), { resolution })
  const world = new World({ sleeping })
  world.addCollider(plane())
  const rotation = new Random(seed).rotation()
  const body = world.addBody(model, { ...presets[preset], position: [0, 20, 0], rotation })
  body.teleport([0, 20.3 - body.bounds(new Float64Array(6))[1]!, 0], rotation)
  return { world, body }
}

type Drop = [shape: string, preset: PresetName, size: number, resolution: number, seed: number]

/** The law is for whatever a seed draws: REST=all draws sixty. */
const drawn = Array.from({ length: process.env.REST ? 60 : 0 }, (_, k): Drop => {
  const random = new Random(1000 + k)
  const names = Object.keys(shapes)
  const kinds = Object.keys(presets) as PresetName[]
  const shape = names[random.integer(0, names.length - 1)]!
  const preset = kinds[random.integer(0, kinds.length - 1)]!
  return [shape, preset, Number(random.scale(0.1, 4).toPrecision(2)), random.integer(4, 9), 1000 + k]
})

describe('what is dropped by 30 cm, turned anyhow', () => {
  const cases: Drop[] = [
    ['sphere 32 x 16', 'jelly', 1, 6, 1],
    ['icosahedron 12', 'balloon', 2.95, 4, 11],
    ['capsule', 'muscle', 2.4, 6, 6],
    ...long<Drop>(['icosahedron 2', 'clay-soft', 1.04, 8, 7]),
    ...drawn,
  ]
  it.each(cases)('lies still after 10 s, and soon sleeps: %s of %s, %d m, resolution %d, seed %d', (...drop) => {
    const { world, body } = dropped(...drop, true)
    run(world, 10)
    expect(largestSpeed(body)).toBeLessThan(0.02)
    run(world, 2)
    expect(body.asleep).toBe(true)
    expectHealthy(world)
  })

  it('does so too where nothing sleeps: a ball of jelly, seed 1', () => {
    const { world, body } = dropped('sphere 32 x 16', 'jelly', 1, 6, 1, false)
    run(world, 9.5)
    let most = 0
    run(world, 0.5, () => {
      most = Math.max(most, largestSpeed(body))
    })
    expect(most).toBeLessThan(0.005)
  })

  // Of forty draws one in thirteen rocks on its end for longer than 10 s: these are the worst, 12.75 s.
  it.each([20, ...long(1, 2)])('rocks to rest within 14 s, and sleeps: an egg of rubber, 1.39 m, seed %d', (seed) => {
    const { world, body } = dropped('egg', 'rubber', 1.39, 6, seed, true)
    run(world, 14)
    expect(body.asleep).toBe(true)
    expectHealthy(world)
  })
})

/** A ball of 1 m that is as smooth as can be, on ground that is tilted by so many degrees. */
const round = sized(fromGeometry(new IcosahedronGeometry(1, 12)), 1)
const smooth = softBodyModel(round, { resolution: 5 }).model
const finer = softBodyModel(round, { resolution: 6 }).model
function onSlope(
  model: Model,
  preset: PresetName,
  degrees: number,
  rollingFriction: number,
  rotation: Quat = [0, 0, 0, 1],
) {
  const angle = (degrees * Math.PI) / 180
  const world = new World({ sleeping: false, gravity: [g * Math.sin(angle), -g * Math.cos(angle), 0] })
  world.addCollider(plane())
  const body = world.addBody(model, { ...presets[preset], rollingFriction, rotation, position: [0, 0.505, 0] })
  return { world, body }
}

describe('a ball', () => {
  // On points that are 10 degrees apart it rolls as a polyhedron does: in half a second by 0.69 to 0.98 of that, in the mean
  // of sixteen runs 0.87.
  it.each(seeds(3))(
    'rolls down a slope of 10 degrees, with 5/7 g sin a less what it resists, ever faster, seed %d',
    (seed) => {
      const rotation = new Random(seed).rotation()
      const { world, body } = onSlope(smooth, 'firm', 10, presets.firm.rollingFriction, rotation)
      run(world, 0.5)
      const speeds = [velocityOf(body)[0]]
      for (let k = 0; k < 3; k++) {
        run(world, 0.5)
        speeds.push(velocityOf(body)[0])
      }
      const free = (5 / 7) * g * Math.sin(Math.PI / 18)
      for (let k = 0; k < 3; k++) {
        const acceleration = (speeds[k + 1]! - speeds[k]!) / 0.5
        expect(acceleration).toBeGreaterThan(free / 2)
        expect(acceleration).toBeLessThan(free)
      }
      expect((speeds[3]! - speeds[0]!) / 1.5).toBeGreaterThan(0.78 * free)
    },
  )

  it('stays on one of 0.5 degrees', () => {
    const { world, body } = onSlope(smooth, 'firm', 0.5, presets.firm.rollingFriction)
    run(world, 3)
    expect(Math.abs(velocityOf(body)[0])).toBeLessThan(2e-3)
  })

  it('goes on after a restore, to the last bit', () => {
    const { world, body } = onSlope(smooth, 'firm', 3, presets.firm.rollingFriction)
    run(world, 0.4)
    const snapshot = world.snapshot()
    run(world, 0.3)
    const after = positionsOf(body)
    body.reset()
    run(world, 0.1)
    world.restore(snapshot)
    run(world, 0.3)
    expect(positionsOf(body)).toEqual(after)
  })

  /** What a ball that rolls at 1 m/s loses in a second [m/s]. */
  const lost = (rollingFriction: number) => {
    const { world, body } = onSlope(smooth, 'firm', 0, 0.01)
    run(world, 1)
    body.set({ rollingFriction })
    body.setVelocity([1, 0, 0], [0, 0, -1 / centerOf(body)[1]])
    run(world, 0.3)
    const before = velocityOf(body)[0]
    run(world, 0.5)
    return 2 * (before - velocityOf(body)[0])
  }

  it('on the level is slowed by 5/7 g c s / R, in proportion to rolling friction c, on a patch of spread s', () => {
    const [little, more, most] = [lost(0.1), lost(0.4), lost(0.7)]
    expect(Math.abs((most - little) / (more - little) - 2)).toBeLessThan(0.4)
    // Hertz: a^3 = 3 W R (1 - nu^2) / (4 E), of which s is 1 / sqrt 5. Of a body of five cells a few points bear it at a time.
    const [R, W] = [0.5, (1000 * g * Math.PI) / 6]
    const a = ((3 * W * R * (1 - 0.45 ** 2)) / (4 * 1e6)) ** (1 / 3)
    const ratio = (most - little) / (((5 / 7) * g * 0.6 * a) / Math.sqrt(5) / R)
    expect(ratio).toBeGreaterThan(0.25)
    expect(ratio).toBeLessThan(1)
  }, 20_000)

  it('is held to the plate that it lies on, and turns with it', () => {
    const world = new World({ sleeping: false })
    const plate = world.addCollider(box([2, 0.05, 2]))
    const body = world.addBody(finer, { ...presets.firm, rollingFriction: 1, position: [0, 0.555, 0] })
    run(world, 1)
    const before = positionsOf(body)
    const center = centerOf(body)
    // So slowly that what pushes need not know of it, by less than the plate can be tilted until the ball rolls off.
    const angle = 0.02
    const start = world.time
    world.onBeforeStep((_, dt) =>
      plate.setPose([0, 0, 0], turnBy([0, 0, 1], Math.min(angle, (world.time + dt - start) * angle))),
    )
    run(world, 1.5)
    const after = positionsOf(body)
    const now = centerOf(body)
    let [sine, square] = [0, 0]
    for (let p = 0; p < after.length; p += 3) {
      const [x, y] = [before[p]! - center[0], before[p + 1]! - center[1]]
      sine += x * (after[p + 1]! - now[1]) - y * (after[p]! - now[0])
      square += x * x + y * y
    }
    // It rolls by as much as builds up what holds it: measured 0.7 to 1.4, by how its facets lie.
    expect(sine / square / angle).toBeGreaterThan(0.95)
    expect(sine / square / angle).toBeLessThan(2)
    expectHealthy(world)
  })
})

// What holds still has no velocity, whatever moment holds it.
it('what rolling friction holds is still: a ball on a lying torus of firm, resolution 5', () => {
  const world = new World({ sleeping: false })
  world.addCollider(plane())
  const torus = softBodyModel(fromGeometry(new TorusGeometry(0.25, 0.1, 8, 16)), { resolution: 5 }).model
  const ball = softBodyModel(fromGeometry(new SphereGeometry(0.25, 12, 8)), { resolution: 4 }).model
  const below = world.addBody(torus, { ...presets.firm, rotation: turnBy([1, 0, 0], Math.PI / 2) })
  below.teleport([0, 0.003 - lowest(below), 0])
  const above = world.addBody(ball, presets.firm)
  above.teleport([0.01, below.bounds(new Float64Array(6))[4]! - 0.05 - lowest(above), 0.005])
  run(world, 8)
  const from = positionsOf(below)
  run(world, 1, () => expect(Math.max(rmsSpeed(below), rmsSpeed(above))).toBeLessThan(1e-4))
  const moved = positionsOf(below).map((x, k) => Math.abs(x - from[k]!))
  expect(Math.max(...moved)).toBeLessThan(1e-4)
  expectHealthy(world)
})

describe('rolling friction leaves alone', () => {
  it('what nothing touches', () => {
    const places = [0, 1].map((rollingFriction) => {
      const world = new World()
      const body = world.addBody(cube(0.5, 2), { rollingFriction, shapeDamping: 3, position: [0, 5, 0] })
      body.setVelocity([1, 0, 0], [3, 2, 1])
      run(world, 0.5)
      return positionsOf(body)
    })
    expect(places[0]).toEqual(places[1])
  })

  it('the sway of a block of jelly on its foot', () => {
    /** How far it swings to the other side, over where it came from. */
    const swing = (rollingFriction: number) => {
      const world = new World({ sleeping: false })
      world.addCollider(plane())
      const body = world.addBody(cube(0.5, 3), {
        ...presets.jelly,
        shapeDamping: 0,
        friction: 2,
        rollingFriction,
        position: [0, 0.26, 0],
      })
      run(world, 2)
      const x = centerOf(body)[0]
      body.setVelocity([0.2, 0, 0])
      let most = 0
      run(world, 1.5, (t) => {
        if (t > 1) most = Math.max(most, Math.abs(centerOf(body)[0] - x))
      })
      return most
    }
    expect(swing(presets.jelly.rollingFriction) / swing(0)).toBeGreaterThan(0.8)
  })

  it('a bar that tips over its edge', () => {
    const { model } = tetMeshModel(boxLattice([0.3, 1.2, 0.3], [1, 4, 1]))
    const fall = (rollingFriction: number) => {
      const world = new World({ sleeping: false })
      world.addCollider(plane())
      // It balances at atan(0.3 / 1.2), 14 degrees.
      const body = world.addBody(model, {
        ...presets.firm,
        rollingFriction,
        position: [0, 0.64, 0],
        rotation: turnBy([0, 0, 1], (18 * Math.PI) / 180),
      })
      let time = 0
      run(world, 3, (t) => {
        if (time === 0 && centerOf(body)[1] < 0.4) time = t
      })
      expect(time).toBeGreaterThan(0)
      return time
    }
    expect(fall(presets.firm.rollingFriction) / fall(0)).toBeLessThan(1.1)
  })
})

it.each([-0.1, 1.1, Number.NaN])('rolling friction of %d is no setting', (rollingFriction) => {
  const world = new World()
  expect(() => world.addBody(cube(0.5, 1), { rollingFriction })).toThrow(SettingError)
})
