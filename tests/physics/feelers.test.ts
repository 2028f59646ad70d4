import { ConeGeometry, SphereGeometry, TorusGeometry } from 'three'
import { describe, expect, it } from 'vitest'
import { plane, presets, softBodyModel, World } from '../../src/headless.js'
import { expectHealthy, lowest, positionsOf, rmsSpeed, run, velocityOf } from '../support/laws.js'
import { fromGeometry } from '../support/meshes.js'

// A finely drawn ball touches the ground with feelers, and can roll: nothing hides a push that adds energy.
describe('a meshed ball put on the ground', () => {
  it('does not start to roll', () => {
    const { model } = softBodyModel(fromGeometry(new SphereGeometry(0.5, 32, 16)))
    expect(model.feelers.particles.length).toBeGreaterThan(0)
    const world = new World()
    world.addCollider(plane())
    const ball = world.addBody(model, { ...presets.rubber, restitution: 0, position: [0, 0.503, 0] })
    run(world, 10)
    expect(rmsSpeed(ball)).toBeLessThan(1e-3)
    expect(Math.hypot(...velocityOf(ball))).toBeLessThan(1e-3)
    expect(lowest(ball)).toBeGreaterThan(model.thickness - 1e-5)
    expectHealthy(world)
  })
})

// The tip of a cone stands out of coarse tetrahedra by a third of a cell.
it.each([3, 5, 8])(
  'bounds are about what is drawn, and about all that lies on the ground: a cone of %i cells',
  (resolution) => {
    const mesh = fromGeometry(new ConeGeometry(0.5, 1, 17).rotateX(Math.PI))
    const { model } = softBodyModel(mesh, { resolution })
    const world = new World()
    world.addCollider(plane())
    const cone = world.addBody(model, presets.firm)
    const bounds = cone.bounds()
    for (let k = 0; k < mesh.positions.length; k++) {
      expect(mesh.positions[k]).toBeGreaterThan(bounds[k % 3]! - 1e-6)
      expect(mesh.positions[k]).toBeLessThan(bounds[3 + (k % 3)]! + 1e-6)
    }
    cone.teleport([0, model.thickness - bounds[1]!, 0])
    run(world, 0.1)
    // It stands on its tip by now, or has begun to tip over.
    expect(cone.bounds()[1]).toBeGreaterThan(-1e-5)
    expect(cone.bounds()[1]).toBeLessThan(2 * model.thickness)
  },
)

describe('shape damping of a body that touches ice', () => {
  it('does not drive it: a turning ball never turns faster', () => {
    const { model } = softBodyModel(fromGeometry(new SphereGeometry(0.5, 32, 16)))
    const bare = { ...model, feelers: { particles: new Uint32Array(0), weights: new Float64Array(0) } }
    const world = new World()
    world.addCollider(plane())
    const ball = world.addBody(bare, { ...presets.firm, restitution: 0, friction: 0, position: [0, 0.503, 0] })
    run(world, 1)
    ball.setVelocity([0, 0, 0], [0, 0, 2])
    const atFirst = rmsSpeed(ball)
    run(world, 5, () => expect(rmsSpeed(ball)).toBeLessThan(1.05 * atFirst))
    expectHealthy(world)
  })
})

describe('a collider that feelers are near, and never touch', () => {
  // Torus: lies on feelers that share particles, whose pushes are taken back in part.
  const { model } = softBodyModel(fromGeometry(new TorusGeometry(0.4, 0.15, 12, 24).rotateX(Math.PI / 2)), {
    resolution: 6,
  })

  function fallen(below: boolean): Float64Array {
    const world = new World()
    world.addCollider(plane())
    if (below) world.addCollider(plane(), { position: [0, -0.003, 0] })
    const torus = world.addBody(model, presets.jelly)
    torus.teleport([0, 0.01 - lowest(torus), 0])
    run(world, 1)
    expectHealthy(world)
    return positionsOf(torus)
  }

  it('changes nothing: a plane below the ground', () => {
    const alone = fallen(false)
    // To rounding: of a point's colliders the worst is found first.
    const furthest = Math.max(...fallen(true).map((at, k) => Math.abs(at - alone[k]!)))
    expect(furthest).toBeLessThan(1e-9)
  })
})
