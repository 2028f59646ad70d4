// Bodies of every kind thrown about in a room for a long time: none gets out, none bursts, and nothing piles up in memory.
import {
  type Body,
  type BodySettings,
  clothModel,
  type Model,
  plane,
  presets,
  type Quat,
  ropeModel,
  softBodyModel,
  tetMeshModel,
  type Vec3,
  World,
} from '../../src/headless.js'
import { Random } from '../support/draw.js'
import { unconstrained } from '../support/elastic.js'
import { ball, boxLattice } from '../support/lattice.js'
import { ring } from '../support/rings.js'

export interface Soaked {
  minutes: number
  steps: number
  /** Tetrahedra of each body; 0 of a cloth and a rope. */
  tets: number[]
  finite: boolean
  speedClamps: number
  contactClamps: number
  nonFiniteRescues: number
  inversionRescues: number
  /** How far the farthest got out of the room [m], below 0 within. */
  outside: number
  /** Heap in use after collection, by tenth of the run [bytes]. */
  heap: number[]
}

/** How far anything may get out of its room [m], also a cloth between a wall and what is a thousand times as heavy. */
const OUTSIDE = 0.05
/** What the heap may grow by in the second half of a run [bytes]: half of it is compiled code in 20 s. */
const GROWTH = 512 * 1024

/** The names of what should not be. */
export function faultsOf(soaked: Soaked): string[] {
  const { finite, outside, speedClamps, contactClamps, nonFiniteRescues, heap } = soaked
  const grown = heap.at(-1)! - heap[(heap.length >> 1) - 1]!
  const faults = {
    'not finite': !finite,
    outside: !(outside < OUTSIDE),
    speedClamps: speedClamps > 0,
    contactClamps: contactClamps > 0,
    nonFiniteRescues: nonFiniteRescues > 0,
    'the heap grows': !(grown < GROWTH),
  }
  return Object.entries(faults).flatMap(([name, found]) => (found ? [name] : []))
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

type Kind = readonly [Model, Partial<BodySettings>]

const lattice = (size: Vec3, cells: Vec3): Model => tetMeshModel(boxLattice(size, cells)).model

/** Ten bodies of several kinds; solids of 125 to 250 tetrahedra. */
function kinds(): Kind[] {
  const matched = { ...unconstrained, shape: { rate: 60 } } as const
  const springs = { ...unconstrained, edges: { compliance: 1e-5 }, volumes: { compliance: 0 } } as const
  return [
    [lattice([0.5, 0.5, 0.5], [3, 3, 3]), presets.jelly],
    [lattice([1, 0.25, 0.25], [8, 2, 2]), presets.rubber],
    [lattice([0.7, 0.15, 0.6], [5, 1, 5]), presets.clay],
    [lattice([0.45, 0.6, 0.45], [3, 4, 3]), presets.muscle],
    [ball(0.3, 3), presets.balloon],
    [ball(0.25, 3), { density: 500, elastic: springs }],
    [ball(0.2, 3), { density: 800, elastic: matched }],
    [softBodyModel(ring(0.3, 0.1), { tetCount: 250 }).model, presets.firm],
    [clothModel({ width: 1, height: 0.8, segmentsX: 10, segmentsY: 8 }).model, { drag: 1, lift: 1 }],
    [ropeModel({ length: 1, radius: 0.03, segments: 12 }).model, { drag: 1 }],
  ]
}

/** Ten bodies thrown about in a room for `minutes` of simulated time, each anew about every second. */
export function soak(minutes: number, seed = 1): Soaked {
  const random = new Random(seed)
  const world = new World()
  for (const [position, rotation] of walls) world.addCollider(plane(), { position, rotation })
  // Apart at first: what is put into each other has laws of its own.
  const place = (k: number): Vec3 => [1.4 * ((k % 4) - 1.5), 1.4 * ((k >> 2) - 1), 0]
  const bodies: Body[] = kinds().map(([model, settings], k) =>
    world.addBody(model, { ...settings, position: place(k) }),
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
  const { speedClamps, contactClamps, nonFiniteRescues, inversionRescues } = world.stats
  const tets = bodies.map(({ model }) => model.tets.length / 4)
  const guards = { speedClamps, contactClamps, nonFiniteRescues, inversionRescues }
  return { minutes, steps, tets, finite, ...guards, outside, heap }
}
