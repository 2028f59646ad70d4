import { afterEach, describe, expect, it, vi } from 'vitest'
import { NEAR, near, nearestOfSegments, nearestOnTriangle } from '../../src/core/collision/soft/closest.js'
import type { Meetings } from '../../src/core/collision/soft/meetings.js'
import { SoftList } from '../../src/core/collision/soft/softList.js'
import { PAIR, type SoftPairs } from '../../src/core/collision/soft/softPairs.js'
import { SURFACE } from '../../src/core/collision/soft/surfaces.js'
import { Tangles } from '../../src/core/collision/soft/tangles.js'
import type { State } from '../../src/core/state.js'
import { clothModel, type Model, presets, World } from '../../src/headless.js'
import { Random, seeds } from '../support/draw.js'
import { ball, cube } from '../support/lattice.js'

type Four = [number, number, number, number]

interface Seen {
  /** Times that were looked at, with what is near then, and what of that is not among the pairs. */
  looks: number
  pairs: number
  missing: string[]
}

/** Watches whether all that is nearer than its thickness is among the pairs, in each substep and each round of the ways. */
function watch(): Seen {
  const seen: Seen = { looks: 0, pairs: 0, missing: [] }
  let loose = new Uint8Array(0)
  before(Tangles.prototype, 'tell', (tangles) => {
    loose = tangles.loose
  })
  before(SoftList.prototype, 'look', (list, state) => compare(list, state as State, loose, seen, 'look'))
  before(SoftList.prototype, 'followAgain', (list, state) => compare(list, state as State, loose, seen, 'ways'))
  return seen
}

/** Has `action` be done before a method is called. */
function before<T extends object>(prototype: T, method: string, action: (self: T, argument: unknown) => void): void {
  const original = Reflect.get(prototype, method) as (...args: unknown[]) => unknown
  vi.spyOn(prototype, method as never).mockImplementation(function (this: T, ...args: unknown[]) {
    action(this, args[0])
    return Reflect.apply(original, this, args)
  } as never)
}

/** Compares the pairs with all particles and triangles, and edges of which one is thin, of different bodies, one by one. */
function compare(list: SoftList, { positions: x, masses }: State, loose: Uint8Array, seen: Seen, when: string): void {
  const { all, meetings } = list as unknown as { all: SoftPairs; meetings: Meetings }
  const { surfaces } = meetings
  const { triangles, triangleStarts, vertices, vertexStarts, edges, edgeStarts, numbers, solid } = surfaces
  const name = (i: number, j: number, k: number, l: number): number =>
    ((i * masses.length + j) * masses.length + k) * masses.length + l
  const known = new Set<number>()
  for (let pair = 0; pair < all.count; pair++) {
    const [i, j, k, l] = all.particles.subarray(pair * 4, pair * 4 + 4) as unknown as Four
    known.add(name(i, j, k, l))
    if (all.kind[pair] === PAIR.EDGES) known.add(name(k, l, i, j))
  }
  seen.looks++
  const check = (thickness: number, thin: boolean, ...[i, j, k, l]: Four): void => {
    if (near[NEAR.SQUARE]! >= thickness * thickness) return
    if (thin && loose[i]! + loose[j]! + loose[k]! + loose[l]! > 0) return // crosses, and has no contact
    seen.pairs++
    if (!known.has(name(i, j, k, l))) seen.missing.push(`${when} ${seen.looks}: ${i} ${j} ${k} ${l}`)
  }
  for (let a = 0; a < surfaces.bodies.length; a++) {
    for (let b = 0; b < surfaces.bodies.length; b++) {
      if (a === b || meetings.crowds.has(a, b)) continue
      const thickness = numbers[a * SURFACE.SIZE + SURFACE.THICKNESS]! + numbers[b * SURFACE.SIZE + SURFACE.THICKNESS]!
      for (const i of vertices.subarray(vertexStarts[a], vertexStarts[a + 1])) {
        for (let t = triangleStarts[b]! * 3; t < triangleStarts[b + 1]! * 3; t += 3) {
          const j = triangles[t]!
          const k = triangles[t + 1]!
          const l = triangles[t + 2]!
          if (areApart(x, thickness, i, i, j, k, l)) continue
          nearestOnTriangle(x, i * 3, j * 3, k * 3, l * 3)
          check(thickness, solid[b] === 0, i, j, k, l)
        }
      }
      if (a > b || solid[a]! + solid[b]! === 2) continue
      for (let e = edgeStarts[a]! * 2; e < edgeStarts[a + 1]! * 2; e += 2) {
        const i = edges[e]!
        const j = edges[e + 1]!
        for (let f = edgeStarts[b]! * 2; f < edgeStarts[b + 1]! * 2; f += 2) {
          const k = edges[f]!
          const l = edges[f + 1]!
          if (areApart(x, thickness, i, j, k, l, l)) continue
          nearestOfSegments(x, i * 3, j * 3, k * 3, l * 3)
          check(thickness, true, i, j, k, l)
        }
      }
    }
  }
}

/** True where the boxes of i, j and of k, l, m are at least `thickness` [m] apart along an axis. */
function areApart(x: Float64Array, thickness: number, i: number, j: number, k: number, l: number, m: number): boolean {
  for (let d = 0; d < 3; d++) {
    const one = x[i * 3 + d]!
    const two = x[j * 3 + d]!
    const a = x[k * 3 + d]!
    const b = x[l * 3 + d]!
    const c = x[m * 3 + d]!
    if (Math.min(a, b, c) - Math.max(one, two) >= thickness || Math.min(one, two) - Math.max(a, b, c) >= thickness) {
      return true
    }
  }
  return false
}

/** A row of light solids and cloths, a little apart, that something heavy and fast runs into: each is thrown at the next. */
function row(seed: number): World {
  const random = new Random(seed)
  const world = new World({ maxSpeed: 500, substeps: random.integer(4, 12), gravity: [0, 0, 0] })
  const kinds = [cube(0.2, 1), cube(0.2, 2), ball(0.12, 2)]
  const draw = (): Model => kinds[random.integer(0, 2)]!
  const aside = (): number => random.uniform(-0.05, 0.05)
  const heavy = world.addBody(draw(), { mass: 100, position: [-0.3, aside(), aside()], rotation: random.rotation() })
  heavy.setVelocity([random.uniform(10, 40), 0, 0], [0, 0, 0])
  let x = 0
  for (let k = 0; k < 5; k++) {
    x += random.scale(0.01, 0.1)
    const mass = random.scale(0.05, 5)
    if (random.uniform() < 0.5) {
      const { model } = clothModel({ width: 0.4, height: 0.4, segmentsX: 4, segmentsY: 4 })
      const upright = [0, Math.SQRT1_2, 0, Math.SQRT1_2] as const
      world.addBody(model, {
        mass,
        position: [x, aside(), aside()],
        rotation: upright,
        selfCollision: random.uniform() < 0.5,
      })
    } else {
      x += 0.17
      world.addBody(draw(), { ...presets.jelly, mass, position: [x, aside(), aside()], rotation: random.rotation() })
      x += 0.17
    }
  }
  return world
}

describe('pairs that may touch', () => {
  afterEach(() => vi.restoreAllMocks())

  it.each(seeds(8))('hold all that is nearer than its thickness, whatever strays within the step (seed %i)', (seed) => {
    const seen = watch()
    const world = row(seed)
    for (let step = 0; step < 6; step++) world.step()
    expect(seen.pairs, 'touched').toBeGreaterThan(100)
    expect(seen.missing.slice(0, 5), `of ${seen.pairs}`).toEqual([])
  })
})
