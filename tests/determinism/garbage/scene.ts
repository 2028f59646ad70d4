// Runs by itself in a fresh Node process, `node --expose-gc`: prints what a long run does to the heap, as JSON.
import { getHeapStatistics } from 'node:v8'
import { PerformanceObserver } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  box,
  clothModel,
  createSkinWorkspace,
  type MutableVec3,
  plane,
  presets,
  type Quat,
  type Skin,
  softBodyModel,
  sphere,
  tetMeshModel,
  updateSkin,
  World,
} from '../../../src/headless.js'
import { ballMesh, tetBox, wave } from '../../../scenes/index.js'

const WARM_UP = 1_000
const STEPS = 10_000

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
function everything(): () => void {
  const world = new World()
  const cube = tetMeshModel(tetBox([1, 1, 1], [2, 2, 2]))
  const ball = softBodyModel(ballMesh(0.5, 4), { resolution: 3 })
  const sheet = clothModel({ width: 1, height: 1, segmentsX: 5, segmentsY: 5 })
  world.addCollider(plane(), { name: 'ground' })
  world.addCollider(sphere(0.3), { name: 'ball', position: [4, 0.5, 0] })
  const plate = world.addCollider(box([1, 0.1, 1]), { name: 'plate', position: [0, 1.5, 0], restitution: 0.2 })
  world.addBody(cube.model, { ...presets.rubber, position: [0, 0.51, 0], damping: 0.1 })
  const held = world.addBody(cube.model, { ...presets.jelly, position: [2, 1, 0] })
  const rigid = world.addBody(cube.model, {
    position: [-2, 1, 0],
    restitution: 0.3,
    elastic: { edges: false, volumes: false, shape: { rate: 60 } },
  })
  const round = world.addBody(ball.model, { ...presets.rubber, position: [-4, 0.6, 0] })
  const flag = world.addBody(sheet.model, { position: [4, 1, 0], damping: 1, rotation: [Math.SQRT1_2, 0, 0, Math.SQRT1_2] })
  flag.pin([0, 5])
  const grip = held.attach(held.region([2, 1.5, 0], 0.6), { compliance: 1e-4, damping: 50, maxForce: 1e5 })

  const position: MutableVec3 = [0.5, 1.5, 0.5]
  const rotation: [number, number, number, number] = [0.5, 0.5, 0.5, 0.5]
  const corner: MutableVec3 = [3.5, 1.5, 0.5]
  const push: MutableVec3 = [0.5, 0.5, 0.5]
  const answer: MutableVec3 = [0.5, 0.5, 0.5]
  world.onBeforeStep(({ time }) => {
    position[0] = 0.1 * wave(time)
    position[1] = 1.2 + 0.3 * wave(time / 2 + 0.25)
    rotation[0] = 0
    rotation[1] = 0
    rotation[2] = 0.05 * wave(time / 3)
    rotation[3] = Math.sqrt(1 - rotation[2] * rotation[2])
    plate.setPose(position, rotation as Quat)
    grip.setTarget(2 + 0.2 * wave(time), 1.5 + 0.2 * wave(time / 2), 0.1)
    corner[2] = 0.1 * wave(time)
    flag.movePin(0, corner)
    push[0] = 5 * wave(time + 0.5)
    rigid.addForce(push)
  })

  const bodies = [
    { body: held, ...drawn(cube.skin, held.particleCount) },
    { body: round, ...drawn(ball.skin, round.particleCount) },
    { body: flag, ...drawn(sheet.skin, flag.particleCount) },
  ]
  const identity = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)
  const { timeStep } = world.settings
  return () => {
    world.advance(timeStep)
    for (let k = 0; k < bodies.length; k++) {
      const { body, skin, workspace, particles, out } = bodies[k]!
      body.readPositions(particles, true)
      updateSkin(skin, workspace, particles, identity, out)
      body.centerOfMass(answer)
    }
    grip.force(answer)
  }
}

const collections: { startTime: number }[] = []
const observer = new PerformanceObserver((list) => void collections.push(...list.getEntries()))
observer.observe({ entryTypes: ['gc'] })

const frame = everything()
for (let k = 0; k < WARM_UP; k++) frame()
// Compilers work beside the program; what they have begun ends here.
await sleep(300)
globalThis.gc!()
await sleep(50)

const from = performance.now()
const before = getHeapStatistics().used_heap_size
for (let k = 0; k < STEPS; k++) frame()
const growth = getHeapStatistics().used_heap_size - before
const to = performance.now()
await sleep(50)
observer.disconnect()

const collected = collections.filter(({ startTime }) => startTime >= from && startTime <= to).length
console.log(JSON.stringify({ steps: STEPS, collections: collected, growth, milliseconds: to - from }))
