// Every kind of a solid, and the shell about it, on one body at once.
import { describe, expect, it } from 'vitest'
import { alternateDiagonals } from '../../src/core/bodies/diagonals.js'
import { hingesOf } from '../../src/core/bodies/hinges.js'
import { areaOf } from '../../src/core/bodies/sheet.js'
import {
  bending,
  type Elastic,
  type Model,
  ModelBuilder,
  membrane,
  plane,
  tetMeshModel,
  World,
} from '../../src/headless.js'
import { Random, seeds } from '../support/draw.js'
import { boxLattice } from '../support/lattice.js'
import { bodyMotion, expectHealthy, positionsOf, rmsSpeed, run } from '../support/laws.js'

/** A bar of tetrahedra in three clusters, with a skin that stretches and bends. */
function barInAShell(): Model {
  const { model } = tetMeshModel(boxLattice([1, 0.4, 0.4], [6, 2, 2]), undefined, { clusters: 3 })
  const builder = new ModelBuilder(model.positions).weights(model.massShares).with({
    measure: model.measure,
    density: model.density,
    tets: model.tets,
    triangles: model.triangles,
    edges: model.edges,
  })
  for (const { name, kind, indices, offsets, unitCompliance } of model.sets) {
    builder.constrain(name, kind, indices, { offsets, unitCompliance: (row) => unitCompliance[row]! })
  }
  const hinges = hingesOf(model.positions, alternateDiagonals(model.positions, model.triangles))
  return builder
    .constrain('skin', membrane, model.triangles, {
      unitCompliance: (row) => 1 / areaOf(model.positions, model.triangles, 3 * row),
    })
    .constrain('bend', bending, hinges.particles, { unitCompliance: (row) => 1 / hinges.shares[row]! })
    .build()
}

const model = barInAShell()
/** Each pulls about as hard as the others. */
const all: Elastic = {
  edges: { modulus: 3e4 },
  neoHookean: { youngsModulus: 5e4, poissonRatio: 0.3 },
  volumes: { modulus: 3e4 },
  shape: { rate: 40, linear: 0.3 },
  pressure: { ratio: 1.3, modulus: 3e5 },
  skin: { stretchModulus: 5e3, shearModulus: 1e3 },
  bend: { modulus: 30 },
}

describe('a body of all kinds at once', () => {
  it('has them all', () => {
    expect(model.sets.map(({ name }) => name).sort()).toEqual(Object.keys(all).sort())
  })

  it('stays at rest where nothing pulls, to rounding', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const body = world.addBody(model, { elastic: { ...all, pressure: { ratio: 1, modulus: 3e5 } } })
    run(world, 2)
    positionsOf(body).forEach((x, p) => expect(Math.abs(x - model.positions[p]!)).toBeLessThan(1e-9))
    expectHealthy(world)
  })

  it('feels each: without any one of them it comes to rest in another shape, bent by its weight between two ends', () => {
    const settled = (elastic: Elastic) => {
      const world = new World({ sleeping: false })
      const body = world.addBody(model, { density: 300, damping: 6, elastic })
      const ends: number[] = []
      model.positions.forEach((x, p) => {
        if (p % 3 === 0 && Math.abs(x) > 0.49) ends.push(p / 3)
      })
      body.pin(ends)
      run(world, 3)
      expect(rmsSpeed(body)).toBeLessThan(1e-3)
      expectHealthy(world)
      return positionsOf(body)
    }
    const whole = settled(all)
    for (const name of Object.keys(all)) {
      const without = settled({ ...all, [name]: false })
      const moved = Math.max(...whole.map((x, p) => Math.abs(x - without[p]!)))
      expect({ name, felt: moved > 1e-4 }).toEqual({ name, felt: true })
    }
  })

  it.each(seeds(3))('keeps momentum and spin, and survives a fall, seed %d', (seed) => {
    const random = new Random(seed)
    const flying = new World({ gravity: [0, 0, 0] })
    const body = flying.addBody(model, { elastic: all, rotation: random.rotation() })
    body.setVelocity(random.vector(3), random.vector(5))
    flying.flush()
    const before = bodyMotion(body)
    run(flying, 2)
    const after = bodyMotion(body)
    const spin = Math.hypot(...before.angularMomentum)
    for (let d = 0; d < 3; d++) {
      expect(Math.abs(after.momentum[d]! - before.momentum[d]!)).toBeLessThan(1e-9 * before.momentumSize)
      expect(Math.abs(after.angularMomentum[d]! - before.angularMomentum[d]!)).toBeLessThan(1e-6 * spin)
    }
    expectHealthy(flying)
    const world = new World()
    world.addCollider(plane())
    const fallen = world.addBody(model, {
      elastic: all,
      shapeDamping: 3,
      position: [0, 1.5, 0],
      rotation: random.rotation(),
    })
    run(world, 5)
    expect(rmsSpeed(fallen)).toBeLessThan(0.02)
    // Between that of its material and that of the gas.
    expect(fallen.volume() / model.volume).toBeGreaterThan(1)
    expect(fallen.volume() / model.volume).toBeLessThan(1.3)
    expectHealthy(world)
  })
})
