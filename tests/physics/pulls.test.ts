// A solid that hands have drawn through another: it finds back to its own side, and the two come apart.
import { describe, expect, it } from 'vitest'
import { plane, tetMeshModel, type Vec3, World } from '../../src/headless.js'
import { between, within } from '../fuzz/overlaps.js'
import { playPull } from '../fuzz/pulls.js'
import { boxLattice } from '../support/lattice.js'
import { expectHealthy, run } from '../support/laws.js'
import { long } from '../support/long.js'

const box = (size: Vec3, cells: Vec3) => tetMeshModel(boxLattice(size, cells)).model

describe('a solid that hands have drawn about another', () => {
  it.each([0, 5, ...long(124)])('has nothing in common with it 3 s after they let go, seed %i', (seed) => {
    expect(playPull(seed)).toMatchObject({ crossed: 0, within: 0, speedClamps: 0, contactClamps: 0 })
  })

  it('has nothing either where it is never calm, on a ground that shakes by 20 m/s^2, seed 0', () => {
    expect(playPull(0, 20)).toMatchObject({ crossed: 0, within: 0, speedClamps: 0, contactClamps: 0 })
  })
})

describe('a plate in the foot of a block that is pinned', () => {
  it('goes aside, since the ground leaves no room on the nearer way', () => {
    const world = new World()
    world.addCollider(plane())
    const block = world.addBody(box([0.6, 0.5, 0.6], [3, 3, 3]), { position: [0, 0.26, 0] })
    block.pin([0])
    const plate = world.addBody(box([0.5, 0.1, 0.5], [4, 1, 4]), { position: [0.05, 0.06, 0.03] })
    expect(between(plate, block) + within(plate, block)).toBeGreaterThan(0)
    run(world, 3)
    expect({ crossed: between(plate, block), within: within(plate, block) + within(block, plate) }).toEqual({
      crossed: 0,
      within: 0,
    })
    expectHealthy(world)
  })
})
