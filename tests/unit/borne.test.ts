import { describe, expect, it } from 'vitest'
import { Borne } from '../../src/core/collision/soft/borne.js'
import type { SoftList } from '../../src/core/collision/soft/softList.js'
import { SoftPairs } from '../../src/core/collision/soft/softPairs.js'
import type { Surfaces } from '../../src/core/collision/soft/surfaces.js'
import { MARK } from '../../src/core/collision/touching.js'
import { State } from '../../src/core/state.js'

const SOLID = 0.5
const THIN = 100

/** Of a solid's particle, of SOLID [1/kg], on a triangle of a sheet, of THIN: how the four give way on a floor of this normal. */
function givingOn(normal: readonly [number, number, number]): number[] {
  const bodies = [
    { start: 0, model: { particleCount: 1 } },
    { start: 1, model: { particleCount: 3 } },
  ]
  const surfaces = {
    solid: Uint8Array.of(1, 0),
    bodyOf: Uint32Array.of(0, 1, 1, 1),
    mobility: Float64Array.of(SOLID, THIN, THIN, THIN),
    bodies,
  } as unknown as Surfaces
  const pairs = Object.assign(new SoftPairs(), {
    first: Uint32Array.of(0),
    second: Uint32Array.of(1),
    silent: Uint8Array.of(0),
    particles: Uint32Array.of(0, 1, 2, 3),
    weights: Float64Array.of(1, -1 / 3, -1 / 3, -1 / 3),
    normals: Float64Array.of(0, 1, 0), // the solid is above
  })
  const borne = new Borne(pairs, surfaces, Float64Array.of(1))
  const numbers = () => new Float64Array(12)
  const state = Object.assign(new State(), {
    masses: new Float64Array(4),
    positions: numbers(),
    previous: numbers(),
    velocities: numbers(),
  })
  borne.begin(4)
  borne.find(state, { pairs: Uint32Array.of(0), count: 1 } as unknown as SoftList, {
    findStopped(_state, b, marks, normals) {
      for (let i = bodies[b]!.start; i < bodies[b]!.start + bodies[b]!.model.particleCount; i++) {
        if (marks[i] !== MARK.ASKED) continue
        marks[i] = MARK.STOPPED
        normals.set(normal, i * 3)
      }
    },
  })
  return [...borne.mobility.subarray(0, 4)]
}

describe('what a solid presses onto a collider', () => {
  it('gives way as something ten times as heavy as the solid', () => {
    const [solid, ...thin] = givingOn([0, 1, 0])
    expect(solid).toBe(SOLID)
    for (const giving of thin) expect(giving).toBeCloseTo(SOLID / 10, 12)
  })

  it('gives way as ever where it is pressed along the collider or off it', () => {
    for (const normal of [
      [1, 0, 0],
      [0, -1, 0],
    ] as const) {
      expect(givingOn(normal)).toEqual([SOLID, THIN, THIN, THIN])
    }
  })
})
