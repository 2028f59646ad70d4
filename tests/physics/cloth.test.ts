import { describe, expect, it } from 'vitest'
import { clothMeshModel, clothModel, type Elastic, type Model, sphere, type Vec3, World } from '../../src/headless.js'
import { Random, seeds } from '../support/draw.js'
import { expectHealthy, positionsOf, rmsSpeed, run } from '../support/laws.js'
import { long } from '../support/long.js'
import { energyOf, planeSheet, sheetModels } from '../support/sheets.js'

interface Strip {
  model: Model
  width: number
  height: number
  /** Cells along the height, or more where the smallest is smaller. */
  rows: number
  modulus: number
  load: number
}

/**
 * Substeps at which chi^2 = h^2 modulus / (density l^2) is at most one, l the side of a cell. One iteration of XPBD
 * stretches a chain by chi^2 too much, for every substep starts from multipliers of zero; ten iterations at chi = 1
 * leave a thousandth of that.
 */
function enoughSubsteps({ height, rows, modulus }: Strip): number {
  return Math.ceil((Math.sqrt(modulus / 0.2) / 60) * (rows / height))
}

/** The particles of an edge y = `y`, and the share of it that each has. */
function edgeAt(model: Model, y: number): { particles: Uint32Array; weights: Float64Array } {
  const at = (i: number) => model.positions[i * 3]!
  const particles = Array.from({ length: model.particleCount }, (_, i) => i)
    .filter((i) => Math.abs(model.positions[i * 3 + 1]! - y) < 1e-9)
    .sort((i, j) => at(i) - at(j))
  const ends = particles.map(
    (_, k) => at(particles[Math.min(k + 1, particles.length - 1)]!) - at(particles[Math.max(k - 1, 0)]!),
  )
  const total = ends.reduce((sum, length) => sum + length, 0)
  return { particles: Uint32Array.from(particles), weights: Float64Array.from(ends, (length) => length / total) }
}

/** Where the lower edge goes by a load on it, the upper one held, without gravity [m]: the mean of some particles. */
function moved(strip: Strip, direction: Vec3, elastic: Elastic, of: (x: number) => boolean): [number, number] {
  const { model, height, load } = strip
  const world = new World({ gravity: [0, 0, 0], substeps: enoughSubsteps(strip), iterations: 10 })
  const body = world.addBody(model, { elastic, damping: 20 })
  body.pin(edgeAt(model, height / 2).particles)
  const lower = edgeAt(model, -height / 2)
  world.onBeforeStep(() => body.addForce([load * direction[0], load * direction[1], load * direction[2]], lower))
  run(world, 1)
  expect(rmsSpeed(body)).toBeLessThan(1e-3)
  expectHealthy(world)
  const x = positionsOf(body)
  const chosen = Array.from(lower.particles).filter((i) => of(model.positions[i * 3]!))
  const mean = (d: number) =>
    chosen.reduce((sum, i) => sum + (x[i * 3 + d]! - model.positions[i * 3 + d]!) / chosen.length, 0)
  return [mean(0), mean(1)]
}

describe('a hanging strip', () => {
  for (const grid of [
    [2, 8],
    [4, 16],
    [4, 24],
  ] as const) {
    for (const seed of seeds(grid[1] < 24 ? 2 : 1)) {
      it(`stretches by load x length / (modulus x width) on a grid of ${grid.join(' x ')}, seed ${seed}`, () => {
        const random = new Random(seed)
        const width = random.uniform(0.2, 0.6)
        const height = random.uniform(0.8, 1.6)
        const modulus = random.scale(100, 1000)
        const load = random.uniform(0.02, 0.05) * modulus * width
        const expected = (load * height) / (modulus * width)
        // Shear and bending add nothing to it, and no mesh does.
        const elastic: Elastic = {
          membrane: { stretchModulus: modulus, shearModulus: modulus * random.uniform(0.1, 0.4) },
          bend: { modulus: 1e-3 },
        }
        for (const model of Object.values(sheetModels(width, height, grid[0], grid[1], random))) {
          const strip = { model, width, height, rows: grid[1] * 1.5, modulus, load }
          const [, down] = moved(strip, [0, -1, 0], elastic, () => true)
          expect(Math.abs(-down / expected - 1)).toBeLessThan(0.01)
        }
      })
    }
  }

  it('stretches twice as far at twice the load, and at half the modulus', () => {
    const { model } = clothModel({ width: 0.3, height: 1, segmentsX: 3, segmentsY: 10 })
    const strip: Strip = { model, width: 0.3, height: 1, rows: 10, load: 3, modulus: 500 }
    const drawn = (load: number, stretchModulus: number) =>
      moved({ ...strip, load }, [0, -1, 0], { membrane: { stretchModulus, shearModulus: 50 } }, () => true)[1]
    const once = drawn(3, 500)
    expect(drawn(6, 500) / once).toBeCloseTo(2, 2)
    expect(drawn(3, 250) / once).toBeCloseTo(2, 2)
  })

  it('is sheared by load x height / (modulus x width), seed 1', () => {
    const random = new Random(1)
    const [width, height] = [4, 0.25]
    const shearModulus = random.uniform(20, 60)
    const load = 0.02 * shearModulus * width
    const elastic: Elastic = { membrane: { stretchModulus: 1000, shearModulus }, bend: false }
    for (const model of Object.values(sheetModels(width, height, 64, 4, random))) {
      const strip = { model, width, height, rows: 8, modulus: 1000, load }
      // Far from its ends, which are free to turn.
      const [along] = moved(strip, [1, 0, 0], elastic, (x) => Math.abs(x) < 1)
      expect(Math.abs(along / ((load * height) / (shearModulus * width)) - 1)).toBeLessThan(0.035)
    }
  })
})

describe('a sheet of one strain', () => {
  it('stores S (e_u^2 + e_v^2) / 2 + G sin^2 g / 2 per area on every mesh, seeds 1 to 20', () => {
    for (const seed of seeds(20)) {
      const random = new Random(seed)
      const [stretchModulus, shearModulus] = [random.scale(10, 1e4), random.scale(1, 1e3)]
      const [a, b, c, d] = [
        random.uniform(0.8, 1.2),
        random.uniform(-0.3, 0.3),
        random.uniform(-0.3, 0.3),
        random.uniform(0.8, 1.2),
      ]
      const strain = (Math.hypot(a, c) - 1) ** 2 + (Math.hypot(b, d) - 1) ** 2
      const sine = (a * b + c * d) / (Math.hypot(a, c) * Math.hypot(b, d))
      const density = (stretchModulus * strain + shearModulus * sine ** 2) / 2
      for (const model of Object.values(sheetModels(1.5, 0.7, 6, 5, random))) {
        const x = model.positions.slice()
        for (let p = 0; p < x.length; p += 3) {
          x[p] = a * model.positions[p]! + b * model.positions[p + 1]!
          x[p + 1] = c * model.positions[p]! + d * model.positions[p + 1]!
        }
        const energy = energyOf(model, 'membrane', { stretchModulus, shearModulus }, x)
        expect(energy / (density * model.measure)).toBeCloseTo(1, 9)
      }
    }
  })
})

const GRIDS = [12, 24, 48] as const
const onItsBack = [-Math.SQRT1_2, 0, 0, Math.SQRT1_2] as const

/** How far three grids of one cloth lie apart, as a part of the value on the finest. */
function spreadOver(measure: (grid: number) => number, grids: readonly number[] = GRIDS): number {
  const values = grids.map(measure)
  return (Math.max(...values) - Math.min(...values)) / values[values.length - 1]!
}

describe(`one cloth on grids of ${GRIDS.join(', ')} cells, at the default substeps`, () => {
  const square = (grid: number) => clothModel({ width: 1, height: 1, segmentsX: grid, segmentsY: grid }).model

  it('hangs as long from its upper edge', () => {
    const length = (grid: number) => {
      const world = new World()
      const body = world.addBody(square(grid), { damping: 4 })
      body.pin(Array.from({ length: grid + 1 }, (_, i) => i))
      run(world, 2)
      expectHealthy(world)
      return 0.5 - positionsOf(body).at(-2)!
    }
    expect(spreadOver(length)).toBeLessThan(0.05)
  })

  for (const [name, width, reach] of [
    ['nothing else', 0.8, {}],
    ...long(['nothing else', 1, {}], ['a tether', 1, { tether: 1 }], ['a limit of strain', 0.8, { strainLimit: 0.01 }]),
  ] as const) {
    it(`hangs as deep from two corners ${width} m apart, with ${name}`, () => {
      const depth = (grid: number) => {
        const world = new World()
        const body = world.addBody(square(grid), { damping: 4, ...reach })
        body.pin([0, grid])
        body.movePin(0, [-width / 2, 0.5, 0])
        body.movePin(grid, [width / 2, 0.5, 0])
        body.applyImpulse([0, 0, 0.001])
        run(world, 2)
        expectHealthy(world)
        return 0.5 - body.bounds(new Float64Array(6))[1]!
      }
      expect(spreadOver(depth)).toBeLessThan(0.05)
    })
  }

  // With forty sweeps, which resolve it, by 10.0 to 10.5 cm.
  it.each([[8, 16, 32], [10, 20, 40], ...long(GRIDS)])(
    'sags as deep between four corners at their own distance: %d, %d, %d cells',
    (...grids) => {
      const depth = (grid: number) => {
        const world = new World()
        const body = world.addBody(square(grid), { damping: 3, rotation: onItsBack })
        body.pin([0, grid, grid * (grid + 1), (grid + 1) ** 2 - 1])
        run(world, 3)
        expectHealthy(world)
        const sag = -body.bounds(new Float64Array(6))[1]!
        expect(sag).toBeGreaterThan(0.1)
        expect(sag).toBeLessThan(0.109)
        return sag
      }
      expect(spreadOver(depth, grids)).toBeLessThan(0.05)
    },
  )

  for (const [name, reach] of [['nothing else', {}], ...long(['a limit of strain', { strainLimit: 0.02 }])] as const) {
    it(`drapes as deep over a ball, with ${name}`, () => {
      const radius = 0.25
      const depth = (grid: number) => {
        const world = new World()
        world.addCollider(sphere(radius))
        const body = world.addBody(square(grid), {
          position: [0, radius + 0.02, 0],
          rotation: onItsBack,
          damping: 3,
          friction: 1,
          thickness: 0.005,
          ...reach,
          elastic: { bend: { modulus: 1e-3 } },
        })
        run(world, 2)
        expectHealthy(world)
        return radius - body.bounds(new Float64Array(6))[1]!
      }
      expect(spreadOver(depth)).toBeLessThan(0.05)
    })
  }
})

describe('one cloth as a mesh of 8, 16, 32 cells, neither tethered nor limited, seed 1', () => {
  const meshes = [8, 16, 32].map((n) => sheetModels(1, 1, n, n, new Random(1)))
  const spread = (kind: string, measure: (model: Model) => number) => {
    const values = meshes.map((models) => measure(models[kind]!))
    return (Math.max(...values) - Math.min(...values)) / values[2]!
  }
  const corner = (model: Model, side: number) =>
    Array.from({ length: model.particleCount }, (_, i) => i).find(
      (i) => model.positions[i * 3] === side / 2 && model.positions[i * 3 + 1] === 0.5,
    )!

  for (const kind of ['grid', ...long('irregular')]) {
    it(`sags as deep from two corners that were brought together, ${kind}, 20 substeps`, () => {
      const depth = (model: Model) => {
        const world = new World({ substeps: 20 })
        const body = world.addBody(model, { damping: 4 })
        for (const side of [-1, 1]) {
          body.pin([corner(model, side)])
          body.movePin(corner(model, side), [0.4 * side, 0.5, 0])
        }
        body.applyImpulse([0, 0, 0.001])
        run(world, 2)
        expectHealthy(world)
        return 0.5 - body.bounds(new Float64Array(6))[1]!
      }
      expect(spread(kind, depth)).toBeLessThan(0.05)
    })
  }

  it('drapes as deep over a ball, irregular, 10 substeps', () => {
    const radius = 0.25
    const depth = (model: Model) => {
      const world = new World()
      world.addCollider(sphere(radius))
      const body = world.addBody(model, {
        position: [0, radius + 0.02, 0],
        rotation: onItsBack,
        damping: 3,
        friction: 1,
        thickness: 0.005,
        elastic: { bend: { modulus: 1e-3 } },
      })
      run(world, 2)
      expectHealthy(world)
      return radius - body.bounds(new Float64Array(6))[1]!
    }
    expect(spread('irregular', depth)).toBeLessThan(0.05)
  })
})

describe('moduli without end, and none', () => {
  for (const stretchModulus of [0, Number.POSITIVE_INFINITY]) {
    for (const bend of [false, { modulus: 1 }, { compliance: 0 }] as const) {
      it(`stretch ${stretchModulus}, bend ${JSON.stringify(bend)}: hangs, and no guard fires`, () => {
        for (const model of Object.values(sheetModels(1, 1, 10, 10, new Random(1)))) {
          const world = new World()
          const body = world.addBody(model, {
            elastic: { membrane: { stretchModulus, shearModulus: stretchModulus / 10 }, bend },
          })
          body.pin(edgeAt(model, 0.5).particles)
          run(world, 1)
          expectHealthy(world)
          expect(stretchModulus === 0 || body.maxStrain() < 0.02).toBe(true)
        }
      })
    }
  }
})

describe('a cloth of any mesh', () => {
  it('is one with the grid of the same plane', () => {
    const grid = clothModel({ width: 1.2, height: 0.9, segmentsX: 8, segmentsY: 6 }).model
    const mesh = clothMeshModel(planeSheet(1.2, 0.9, 8, 6)).model
    expect(mesh.measure).toBeCloseTo(grid.measure, 12)
    const shares = grid.massShares.slice().sort()
    mesh.massShares
      .slice()
      .sort()
      .forEach((share, i) => expect(share).toBeCloseTo(shares[i]!, 12))
    const fallen = (model: Model) => {
      const world = new World()
      const body = world.addBody(model, { damping: 2 })
      body.pin(edgeAt(model, 0.45).particles)
      body.applyImpulse([0, 0, 0.05])
      run(world, 1)
      return positionsOf(body)
    }
    const [one, two] = [fallen(grid), fallen(mesh)]
    // Welded points come in the order of the triangles.
    for (let i = 0; i < mesh.particleCount; i++) {
      const at = [0, 1, 2].map((d) => mesh.positions[i * 3 + d]!)
      const j = Array.from({ length: grid.particleCount }, (_, k) => k).find((k) =>
        at.every((value, d) => Math.abs(value - grid.positions[k * 3 + d]!) < 1e-9),
      )!
      for (let d = 0; d < 3; d++) expect(Math.abs(two[i * 3 + d]! - one[j * 3 + d]!)).toBeLessThan(0.01)
    }
  })

  it('holds together at doubled vertices, and leaves out what has no area', () => {
    const { positions, index } = planeSheet(1, 1, 2, 2)
    const split = Float64Array.from(index.flatMap((i) => Array.from(positions.subarray(3 * i, 3 * i + 3))))
    // A triangle with two corners at one place, a needle whose tip nothing else holds, and a vertex in no triangle.
    const more = [0.5, 0.5, 0, 0.5, 0.5, 0, 0, 0.5, 0, 0.5, 0.5, 0, 0, 0.5, 0, 0.25, 0.5, 0]
    const { model, skin } = clothMeshModel({ positions: [...split, ...more] })
    expect(model.particleCount).toBe(9)
    expect(model.triangles.length).toBe(3 * 8)
    expect(model.measure).toBeCloseTo(1, 12)
    expect(skin.vertexToPoint.length).toBe(24 + 6)
    expect(Math.max(...skin.vertexToPoint)).toBe(8)
    expect(() => clothMeshModel({ positions: [0, 0, 0, 1, 0, 0, 2, 0, 0] })).toThrow(/no triangle/)
  })

  it('may be in pieces, closed, or have edges of three triangles, which do not bend', () => {
    // Three squares that share the edge 0 1, and a tetrahedron beside them.
    const fan = [0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0, -1, 0, 1, -1, 1, 1, -1, 0, -1, -1, 1, -1]
    const index = [2, 4, 6].flatMap((k) => [0, 1, k, 1, k + 1, k])
    const tet = [5, 0, 0, 6, 0, 0, 5, 1, 0, 5, 0, 1]
    index.push(8, 10, 9, 8, 9, 11, 9, 10, 11, 8, 11, 10)
    const { model } = clothMeshModel({ positions: [...fan, ...tet], index })
    const bend = model.sets.find(({ name }) => name === 'bend')!
    const hinges = Array.from({ length: bend.count }, (_, row) =>
      Array.from(bend.indices.subarray(row * 4, row * 4 + 2)),
    )
    expect(hinges.some(([a, b]) => Math.max(a!, b!) === 1)).toBe(false)
    const world = new World()
    const body = world.addBody(model)
    run(world, 0.5)
    expectHealthy(world)
    expect(body.maxStrain()).toBeLessThan(1e-9)
  })
})

describe('a cloth that falls on a ball', () => {
  for (const seed of seeds(2)) {
    it(`lies on it with no particle inside, seed ${seed}`, () => {
      const random = new Random(seed)
      const world = new World()
      const radius = random.uniform(0.3, 0.5)
      world.addCollider(sphere(radius))
      const { model } = clothModel({ width: 2, height: 2, segmentsX: 20, segmentsY: 20 })
      const body = world.addBody(model, {
        position: [random.uniform(-0.1, 0.1), radius + 0.3, random.uniform(-0.1, 0.1)],
        rotation: onItsBack,
        friction: 0.8,
        damping: 1,
      })
      run(world, 3, () => {
        const x = positionsOf(body)
        let least = Number.POSITIVE_INFINITY
        for (let p = 0; p < x.length; p += 3) least = Math.min(least, Math.hypot(x[p]!, x[p + 1]!, x[p + 2]!))
        // Contacts have the last word in a substep.
        expect(least).toBeGreaterThan(radius + model.thickness - 1e-9)
      })
      // It hangs over the ball: its middle lies on top, its rim far below.
      const bounds = body.bounds(new Float64Array(6))
      expect(bounds[4]!).toBeGreaterThan(radius)
      expect(bounds[1]!).toBeLessThan(0)
      expectHealthy(world)
    })
  }
})
