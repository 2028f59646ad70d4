import { TorusGeometry } from 'three'
import { TeapotGeometry } from 'three/addons/geometries/TeapotGeometry.js'
import { describe, expect, it } from 'vitest'
import {
  type Body,
  type Model,
  plane,
  presets,
  type Quat,
  softBodyModel,
  tetMeshModel,
  type Vec3,
  World,
} from '../../src/headless.js'
import { Random, seeds } from '../support/draw.js'
import { boxLattice, cube } from '../support/lattice.js'
import { centerOf, expectHealthy, particle, run, velocityOf } from '../support/laws.js'
import { fromGeometry } from '../support/meshes.js'
import { sized } from '../support/sized.js'

const g = 9.81
const degree = Math.PI / 180

/** The turn by `angle` about z: it lifts the +x side. */
const tilt = (angle: number): Quat => [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)]
/** Gravity as it acts on a plane that is so tilted, seen from the plane. */
const tilted = (angle: number): Vec3 => [-g * Math.sin(angle), -g * Math.cos(angle), 0]

type Slope = 'a tilted plane' | 'tilted gravity'
const slopes: readonly Slope[] = ['a tilted plane', 'tilted gravity']

interface Scene {
  world: World
  body: Body
  /** Down the slope. */
  along: (vector: readonly number[]) => number
  turn: (angle: number) => void
}

/** A body that stands on a slope of `angle` through the origin, its base at the origin. */
function stand(
  slope: Slope,
  model: Model,
  height: number,
  mu: { body: number; plane?: number },
  angle: number,
  mass: number,
): Scene {
  const turned = slope === 'a tilted plane'
  const start = turned ? angle : 0
  const world = new World(turned ? {} : { gravity: tilted(angle) })
  const collider = world.addCollider(plane(), {
    rotation: tilt(start),
    ...(mu.plane !== undefined && { friction: mu.plane }),
  })
  const body = world.addBody(model, {
    position: [-height * Math.sin(start), height * Math.cos(start), 0],
    rotation: tilt(start),
    friction: mu.body,
    shapeDamping: 10,
    mass,
    ...(model.sets.length > 0 && { elastic: { edges: { modulus: 5e6 }, volumes: { modulus: 5e7 } } }),
  })
  let now = angle
  return {
    world,
    body,
    along: (vector) => (turned ? -vector[0]! * Math.cos(now) - vector[1]! * Math.sin(now) : -vector[0]!),
    turn(next) {
      now = next
      if (turned) collider.setPose([0, 0, 0], tilt(next))
      else world.set({ gravity: tilted(next) })
    },
  }
}

describe.each(slopes)('a particle on %s', (slope) => {
  for (const seed of seeds(6)) {
    it(`sticks 0.2 degrees below atan mu and slides 0.2 degrees above, seed ${seed}`, () => {
      const random = new Random(seed)
      const own = random.uniform(0.05, 1.5)
      const plane = seed % 2 === 0 ? random.uniform(0.05, 1.5) : undefined
      // A collider without friction of its own takes the body's; else the root of the product counts.
      const mu = plane === undefined ? own : Math.sqrt(own * plane)
      const friction = { body: own, ...(plane !== undefined && { plane }) }
      const mass = random.scale(0.01, 100)
      const below = stand(slope, particle(), 0, friction, Math.atan(mu) - 0.2 * degree, mass)
      run(below.world, 2)
      expect(Math.abs(below.along(centerOf(below.body)))).toBeLessThan(1e-9)
      const angle = Math.atan(mu) + 0.2 * degree
      const above = stand(slope, particle(), 0, friction, angle, mass)
      run(above.world, 2)
      // Coulomb's law by position is exact for one particle: what is left is the h / t of the first substep.
      const acceleration = g * (Math.sin(angle) - mu * Math.cos(angle))
      expect(above.along(velocityOf(above.body)) / (2 * acceleration)).toBeCloseTo(1, 3)
      expectHealthy(above.world)
    })
  }

  it('slides freely without friction', () => {
    const angle = 20 * degree
    const { world, body, along } = stand(slope, particle(), 0, { body: 0.8, plane: 0 }, angle, 1)
    run(world, 1)
    expect(along(velocityOf(body))).toBeCloseTo(g * Math.sin(angle), 6)
  })
})

describe.each(slopes)('a stiff body on %s', (slope) => {
  const side = 0.3
  const model = cube(side, 2)
  const height = side / 2 + model.thickness

  for (const seed of seeds(3)) {
    it(`slips within 1.5 degrees of atan mu where the slope gets steeper slowly, seed ${seed}`, () => {
      const random = new Random(seed)
      const mu = random.uniform(0.2, 0.7)
      const start = Math.atan(mu) - 3 * degree
      const { world, body, along, turn } = stand(slope, model, height, { body: mu }, start, random.scale(1, 100))
      run(world, 1)
      let slipped = Number.NaN
      run(world, 12, (time) => {
        const angle = start + 0.5 * degree * time
        turn(angle)
        // A quarter of a degree beyond the edge, a body gets to 1 cm/s within 0.3 s.
        if (Number.isNaN(slipped) && along(velocityOf(body)) > 0.01) slipped = angle
      })
      expect(Math.abs(slipped - Math.atan(mu))).toBeLessThan(1.5 * degree)
      expectHealthy(world)
    })

    it(`creeps under 0.1 mm/s one degree below atan mu, seed ${seed}`, () => {
      const random = new Random(seed)
      const mu = random.uniform(0.2, 0.7)
      const { world, body, along } = stand(
        slope,
        model,
        height,
        { body: mu },
        Math.atan(mu) - degree,
        random.scale(1, 100),
      )
      run(world, 2)
      const settled = along(centerOf(body))
      run(world, 5)
      expect(Math.abs(along(centerOf(body)) - settled) / 5).toBeLessThan(1e-4)
      expectHealthy(world)
    })

    it(`accelerates by g (sin - mu cos) beyond, seed ${seed}`, () => {
      const random = new Random(seed)
      const mu = random.uniform(0.1, 0.5)
      const angle = Math.atan(mu) + random.uniform(4, 12) * degree
      // Flat, so that it does not tip.
      const flat = tetMeshModel(boxLattice([0.4, 0.2, 0.4], [4, 2, 4])).model
      const { world, body, along } = stand(slope, flat, 0.1 + flat.thickness, { body: mu }, angle, random.scale(1, 100))
      run(world, 0.5)
      const before = along(velocityOf(body))
      run(world, 1)
      const acceleration = along(velocityOf(body)) - before
      expect(acceleration / (g * (Math.sin(angle) - mu * Math.cos(angle)))).toBeGreaterThan(0.95)
      expect(acceleration / (g * (Math.sin(angle) - mu * Math.cos(angle)))).toBeLessThan(1.05)
      expectHealthy(world)
    })
  }
})

// Feelers share particles: their pushes and rubs are found over many sweeps.
describe.each(['teapot', 'torus'] as const)('what lies on feelers: a %s', (shape) => {
  const geometry =
    shape === 'teapot' ? new TeapotGeometry(1, 6) : new TorusGeometry(0.4, 0.15, 12, 24).rotateX(Math.PI / 2)
  const { model } = softBodyModel(sized(fromGeometry(geometry), 1), { resolution: 6 })

  function lay(angle: number, mu: number): { world: World; body: Body } {
    const world = new World({ sleeping: false, gravity: tilted(angle) })
    world.addCollider(plane())
    const body = world.addBody(model, { ...presets.firm, friction: mu })
    body.teleport([0, 0.001 - body.bounds(new Float64Array(6))[1]!, 0])
    return { world, body }
  }

  it.each([0.3, 0.5])('creeps under 0.1 mm/s two degrees below atan mu, mu %d', (mu) => {
    const { world, body } = lay(Math.atan(mu) - 2 * degree, mu)
    run(world, 2)
    const settled = centerOf(body)[0]
    run(world, 5)
    expect(Math.abs(centerOf(body)[0] - settled) / 5).toBeLessThan(1e-4)
    expectHealthy(world)
  })

  it.each([0.3, 0.5])('accelerates by g (sin - mu cos) six degrees beyond, mu %d', (mu) => {
    const angle = Math.atan(mu) + 6 * degree
    const { world, body } = lay(angle, mu)
    run(world, 1)
    const before = velocityOf(body)[0]
    run(world, 1)
    const ratio = (before - velocityOf(body)[0]) / (g * (Math.sin(angle) - mu * Math.cos(angle)))
    expect(Math.abs(ratio - 1)).toBeLessThan(0.05)
    expectHealthy(world)
  })

  it('stops after v^2 / (2 mu g)', () => {
    const { world, body } = lay(0, 0.3)
    run(world, 2)
    const start = centerOf(body)[0]
    body.setVelocity([1.5, 0, 0], [0, 0, 0])
    run(world, 2)
    // It leans forward as it is braked, and has swung back by the end: a teapot's lid and body are above its foot.
    const way = centerOf(body)[0] - start
    expect(Math.abs((way * 2 * 0.3 * g) / 1.5 ** 2 - 1)).toBeLessThan(0.1)
    expectHealthy(world)
  })
})
