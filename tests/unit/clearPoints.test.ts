import { BoxGeometry, type BufferGeometry, IcosahedronGeometry, TorusGeometry } from 'three'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ChosenColliders } from '../../src/core/collision/chosenColliders.js'
import { Contacts } from '../../src/core/collision/contacts.js'
import { query } from '../../src/core/collision/touching.js'
import type { State } from '../../src/core/state.js'
import {
  box,
  type ColliderShape,
  capsule,
  compound,
  hull,
  mesh,
  plane,
  presets,
  type Quat,
  softBodyModel,
  sphere,
  World,
} from '../../src/headless.js'
import { Random, seeds } from '../support/draw.js'
import { expectHealthy, positionsOf } from '../support/laws.js'
import { fromGeometry } from '../support/meshes.js'

/** The parts of `Contacts` that are looked into. */
interface Inside {
  group: Uint32Array
  thickness: Float64Array
  staysClear(first: number, margin: Float64Array): boolean
  locate(state: State, pair: number): void
  measure(pair: number): boolean
}

interface Seen {
  clear: number
  looked: number
  /** The deepest that a point was which was taken to be clear [m]. */
  deepest: number
}

/** Does something else than a method of `Contacts` or what it asks, which it is told of. */
function replace<F extends (...args: never[]) => unknown>(
  method: string,
  action: (self: Inside, args: Parameters<F>, original: F) => ReturnType<F>,
  of: object = Contacts.prototype,
): void {
  const original = Reflect.get(of, method) as F
  const prototype = of as Record<string, () => unknown>
  vi.spyOn(prototype, method).mockImplementation(function (this: Inside, ...args: Parameters<F>) {
    return action(this, args, original)
  })
}

/** Watches, at each point that is taken to be clear of all colliders, whether it is, by their distances. */
function watch(): Seen {
  const seen = { clear: 0, looked: 0, deepest: 0 }
  let state: State
  replace<(state: State, b: number) => void>('findStrays', (self, args, original) => {
    state = args[0]
    original.apply(self, args)
  })
  replace<Inside['staysClear']>('staysClear', (self, args, original) => {
    const [first] = args
    seen.looked++
    if (!original.apply(self, args)) return false
    seen.clear++
    self.locate(state, first)
    for (let pair = first; pair < first + self.group[first]!; pair++) {
      if (self.measure(pair)) seen.deepest = Math.max(seen.deepest, self.thickness[pair]! - query[3]!)
    }
    return true
  })
  return seen
}

const cornersOf = (geometry: BufferGeometry) => Float64Array.from(geometry.getAttribute('position').array)

const shapes: Record<string, () => ColliderShape> = {
  plane: () => plane(),
  box: () => box([0.4, 0.1, 0.4]),
  sphere: () => sphere(0.3),
  capsule: () => capsule(0.2, 0.5),
  hull: () => hull(cornersOf(new IcosahedronGeometry(0.35))),
  mesh: () => mesh(fromGeometry(new TorusGeometry(0.3, 0.12, 8, 16))),
  compound: () => compound([{ shape: box([0.4, 0.1, 0.4]) }, { shape: sphere(0.2), position: [0, 0.2, 0] }]),
}
const bodies = [
  () => softBodyModel(fromGeometry(new IcosahedronGeometry(0.2, 8)), { resolution: 3 }).model,
  () => softBodyModel(fromGeometry(new BoxGeometry(0.3, 0.2, 0.4, 6, 6, 6)), { resolution: 2 }).model,
]

/** Some steps of a body that is thrown at a collider above the ground. */
function throwAt(shape: ColliderShape, seed: number, moves: boolean): Float64Array {
  const random = new Random(seed)
  const world = new World({ sleeping: false })
  world.addCollider(plane(), { position: [0, -0.5, 0] })
  const collider = world.addCollider(shape)
  const body = world.addBody(bodies[seed % 2]!(), {
    ...presets[(['jelly', 'rubber', 'balloon'] as const)[random.integer(0, 2)]!],
    position: [random.uniform(-0.2, 0.2), 0.9, random.uniform(-0.2, 0.2)],
    rotation: random.rotation(),
  })
  body.setVelocity([random.uniform(-2, 2), random.uniform(-12, 0), random.uniform(-2, 2)])
  for (let k = 1; k <= 30; k++) {
    const pose: Quat = [0, Math.sin(k / 9), 0, Math.cos(k / 9)]
    if (moves) collider.setPose([0.2 * Math.sin(k / 5), 0.1 * Math.sin(k / 3), 0], pose)
    world.step()
  }
  expectHealthy(world)
  return positionsOf(body)
}

describe('what is far from a collider', () => {
  afterEach(() => vi.restoreAllMocks())

  for (const [name, shape] of Object.entries(shapes)) {
    for (const moves of [false, true]) {
      const which = `${name} that ${moves ? 'moves' : 'stands'}`
      it(`points that are left out of a sweep are clear: ${which}`, () => {
        const seen = watch()
        for (const seed of seeds(2)) throwAt(shape(), seed, moves)
        expect(seen.clear).toBeGreaterThan((moves ? 0.02 : 0.2) * seen.looked)
        expect(seen.deepest).toBe(0)
      })
    }
    it(`to leave ${name} out for a whole body changes nothing`, () => {
      const moves = name.length % 2 === 0
      const positions = throwAt(shape(), 3, moves)
      replace<() => void>('leaveFar', () => {}, ChosenColliders.prototype)
      expect(positions).toEqual(throwAt(shape(), 3, moves))
    })
  }
})
