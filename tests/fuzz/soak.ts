import { tetBox } from '../../scenes/index.js'
import { plane, presets, type Quat, tetMeshModel, type Vec3, World } from '../../src/headless.js'
import { Random } from '../support/draw.js'

export interface Soaked {
  minutes: number
  steps: number
  finite: boolean
  speedClamps: number
  nonFiniteRescues: number
  inversionRescues: number
  /** How far the farthest body got out of the room [m]; below 0 within. */
  outside: number
  /** Heap in use after collection, by tenth of the run [bytes]. */
  heap: number[]
}

/** Half the side of the room [m]. */
const ROOM = 3
const h = Math.SQRT1_2
/** The floor, four walls and the ceiling: a plane looks along its y. */
const walls: readonly (readonly [Vec3, Quat])[] = [
  [
    [0, -ROOM, 0],
    [0, 0, 0, 1],
  ],
  [
    [0, ROOM, 0],
    [1, 0, 0, 0],
  ],
  [
    [-ROOM, 0, 0],
    [0, 0, -h, h],
  ],
  [
    [ROOM, 0, 0],
    [0, 0, h, h],
  ],
  [
    [0, 0, -ROOM],
    [h, 0, 0, h],
  ],
  [
    [0, 0, ROOM],
    [-h, 0, 0, h],
  ],
]

/** Ten small bodies thrown about in a room for `minutes` of simulated time, each anew about every second. */
export function soak(minutes: number, seed = 1): Soaked {
  const random = new Random(seed)
  const world = new World()
  for (const [position, rotation] of walls) world.addCollider(plane(), { position, rotation })
  const { model } = tetMeshModel(tetBox([0.5, 0.5, 0.5], [1, 1, 1]))
  const names = ['jelly', 'rubber', 'balloon', 'clay-soft', 'muscle'] as const
  const bodies = Array.from({ length: 10 }, (_, k) =>
    world.addBody(model, { ...presets[names[k % names.length]!], position: random.vector(2) }),
  )
  const steps = Math.round((minutes * 60) / world.settings.timeStep)
  const bounds = new Float64Array(6)
  const heap: number[] = []
  let finite = true
  let outside = Number.NEGATIVE_INFINITY
  for (let step = 1; step <= steps; step++) {
    if (step % 6 === 0) {
      const body = bodies[random.integer(0, bodies.length - 1)]!
      body.setVelocity(random.vector(8), random.vector(8))
    }
    world.step()
    for (const body of bodies) {
      for (const x of body.bounds(bounds)) {
        if (!Number.isFinite(x)) finite = false
        outside = Math.max(outside, Math.abs(x) - ROOM)
      }
    }
    if (step % Math.round(steps / 10) === 0) {
      globalThis.gc?.()
      heap.push(process.memoryUsage().heapUsed)
    }
  }
  const { speedClamps, nonFiniteRescues, inversionRescues } = world.stats
  return { minutes, steps, finite, speedClamps, nonFiniteRescues, inversionRescues, outside, heap }
}
