import { expect, it } from 'vitest'
import { bodySettings } from '../../src/core/bodySettings.js'
import { State } from '../../src/core/state.js'
import { addMotion, center, cross, findTurning, inverse, multiply, writeMobility } from '../../src/core/turning.js'
import { defaultsOf } from '../../src/core/validation.js'
import { type BodySettings, tetMeshModel } from '../../src/headless.js'
import { Random, seeds } from '../support/draw.js'
import { boxLattice } from '../support/lattice.js'

const { model } = tetMeshModel(boxLattice([1, 0.5, 0.3], [4, 2, 2]))

it.each(seeds(3))(
  'an impulse moves its point as the mobility there says, by moving and turning a body, seed %d',
  (seed) => {
    const random = new Random(seed)
    const state = new State()
    const rotation = random.rotation()
    const body = state.addBody(model, { ...(defaultsOf(bodySettings) as BodySettings), density: 300, rotation })
    expect(findTurning(state, body)).toBe(true)
    const p = (body.start + random.integer(0, model.particleCount - 1)) * 3
    const arm = state.positions.slice(p, p + 3).map((x, d) => x - center[d]!)
    const impulse = Float64Array.from(random.vector(5))
    const motion = new Float64Array(6)
    cross(arm, impulse, motion)
    multiply(inverse, motion, motion)
    impulse.forEach((j, d) => {
      motion[3 + d] = j / body.mass
    })
    addMotion(state, body, motion)
    const mobility = new Float64Array(6)
    writeMobility(body, arm, mobility)
    const told = new Float64Array(3)
    multiply(mobility, impulse, told)
    for (let d = 0; d < 3; d++) expect(state.velocities[p + d]).toBeCloseTo(told[d]!, 12)
  },
)
