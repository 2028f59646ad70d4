// Runs by itself in a fresh Node process, `node --expose-gc`: prints what a long run does to the heap, as JSON.

import { ballMesh, tetBox, wave } from '../../../scenes/index.js'
import {
  box,
  clothModel,
  createSkinWorkspace,
  type MutableVec3,
  plane,
  presets,
  type Skin,
  type StepCallback,
  softBodyModel,
  sphere,
  tetMeshModel,
  updateSkin,
  World,
} from '../../../src/headless.js'
import { PERIOD, watch } from './watch.js'

/** A frame's work of one drawn body: where it stands between two steps, and its skin. */
function drawn(skin: Skin, particleCount: number) {
  return {
    skin,
    particles: new Float64Array(particleCount * 3),
    workspace: createSkinWorkspace(skin),
    out: {
      positions: new Float32Array(skin.vertexCount * 3),
      normals: new Float32Array(skin.vertexCount * 3),
      bounds: new Float64Array(10),
    },
  }
}

/** Everything that a frame may do, none of which may leave garbage behind. Returns one frame. */
function everything(): { world: World; drive: StepCallback; frame: () => void } {
  const world = new World()
  const cube = tetMeshModel(tetBox([1, 1, 1], [2, 2, 2]))
  const ball = softBodyModel(ballMesh(0.5, 4), { resolution: 3 })
  const sheet = clothModel({ width: 1, height: 1, segmentsX: 5, segmentsY: 5 })
  world.addCollider(plane(), { name: 'ground' })
  world.addCollider(sphere(0.3), { name: 'ball', position: [4, 0.5, 0] })
  const plate = world.addCollider(box([1, 0.1, 1]), { name: 'plate', position: [0, 1.5, 0], restitution: 0.2 })
  // To fall asleep and to wake is rare, and what is rare is never compiled: one sleeps from the start, the others never.
  const canSleep = false
  world.addBody(cube.model, { ...presets.rubber, position: [0, 0.51, 0], damping: 0.1, canSleep })
  // Apart from the first, which the plate drives along little by little.
  const held = world.addBody(cube.model, { ...presets.jelly, position: [2, 1, 3], canSleep })
  const rigid = world.addBody(cube.model, {
    position: [-2, 1, 0],
    restitution: 0.3,
    canSleep,
    elastic: { neoHookean: false, shape: { rate: 60 } },
  })
  const round = world.addBody(ball.model, { ...presets.rubber, position: [-4, 0.6, 0], canSleep })
  world.addBody(cube.model, { position: [0, 0, 40] }).sleep()
  const flag = world.addBody(sheet.model, {
    position: [4, 1, 0],
    damping: 1,
    canSleep,
    rotation: [Math.SQRT1_2, 0, 0, Math.SQRT1_2],
  })
  flag.pin([0, 5])
  const grip = held.attach(held.region([2, 1.5, 3], 0.6), { compliance: 1e-4, damping: 50, maxForce: 1e5 })
  // Two that hang from each other and from a hook that is led about.
  const pendant = world.addBody(cube.model, { ...presets.rubber, position: [8, 3, 0] })
  const lower = world.addBody(cube.model, { ...presets.rubber, position: [8, 2, 0] })
  const hook = pendant.join(null, { position: [8, 3.5, 0], radius: 0.8, compliance: 1e-5, damping: 100 })!
  const link = pendant.join(lower, { breakForce: 1e9 })!
  const forces = new Float64Array(3 * lower.particleCount)
  const about = { radius: 0.6 }

  // Read from a table, so that the engine's calls are all that could allocate here.
  const swing = Float64Array.from({ length: PERIOD }, (_, k) => wave(k / PERIOD))
  const position: MutableVec3 = [0.5, 1.5, 0.5]
  const rotation: [number, number, number, number] = [0.5, 0.5, 0.5, 0.5]
  const hanging: MutableVec3 = [8.5, 3.5, 0.5]
  const upright: [number, number, number, number] = [0, 0, 0, 1]
  const corner: MutableVec3 = [3.5, 1.5, 0.5]
  const push: MutableVec3 = [0.5, 0.5, 0.5]
  const answer: MutableVec3 = [0.5, 0.5, 0.5]
  const drive: StepCallback = ({ stepIndex }) => {
    const slow = swing[stepIndex % PERIOD]!
    const fast = swing[(3 * stepIndex + PERIOD / 4) % PERIOD]!
    position[0] = 0.1 * fast
    position[1] = 1.2 + 0.3 * slow
    rotation[0] = 0
    rotation[1] = 0
    rotation[2] = 0.05 * fast
    rotation[3] = Math.sqrt(1 - rotation[2] * rotation[2])
    plate.setPose(position, rotation)
    grip.setTarget(2 + 0.2 * fast, 1.5 + 0.2 * slow, 3.1)
    hanging[0] = 8 + 0.1 * slow
    hook.setPose(hanging, upright)
    corner[2] = 0.1 * fast
    flag.movePin(0, corner)
  }
  world.onBeforeStep(drive)
  // Apart, since forces add up where no step spends them.
  world.onBeforeStep(({ stepIndex }) => {
    push[0] = 5 * swing[stepIndex % PERIOD]!
    rigid.addForce(push)
    lower.addForce(push, hanging, about)
    for (let k = 0; k < forces.length; k++) forces[k] = push[0]
    lower.addForces(forces)
  })

  let heard = 0
  round.onContactExit(() => void heard++)
  round.onImpact(() => void heard++)

  const bodies = [
    { body: held, ...drawn(cube.skin, held.particleCount) },
    { body: round, ...drawn(ball.skin, round.particleCount) },
    { body: flag, ...drawn(sheet.skin, flag.particleCount) },
  ]
  const extent = new Float64Array(6)
  const identity = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)
  const { timeStep } = world.settings
  const frame = () => {
    world.advance(timeStep)
    for (let k = 0; k < bodies.length; k++) {
      const { body, skin, workspace, particles, out } = bodies[k]!
      body.readPositions(particles, true)
      updateSkin(skin, workspace, particles, identity, out)
      body.centerOfMass(answer)
      body.velocity(answer)
      body.getPosition(0, answer)
      body.bounds(extent)
    }
    grip.force(answer)
    link.force(answer)
  }
  return { world, drive, frame }
}

const { world, drive, frame } = everything()
// What runs once a step is compiled after some 4,000 calls, and arithmetic allocates until then: frames too short for
// a step get the clock and the scene's own code there.
for (let k = 0; k < 10_000; k++) {
  drive(world, world.settings.timeStep)
  world.advance(1e-9)
}
await watch(frame, 20)
