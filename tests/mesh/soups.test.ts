import { describe, expect, it } from 'vitest'
import { softBodyModel } from '../../src/core/bodies/solid.js'
import { expectConforming } from './sound.js'
import { triangleSoup } from './triangleSoup.js'

/** How many soups are tried: more with SOUPS=300. */
const COUNT = Number(process.env.SOUPS ?? 100)

describe('triangle soups', () => {
  for (let first = 1; first <= COUNT; first += 20) {
    it(`give a body or say why not, seeds ${first} to ${first + 19}`, () => {
      let bodies = 0
      const refusals: string[] = []
      for (let seed = first; seed < first + 20; seed++) {
        const mesh = triangleSoup(seed)
        let body: ReturnType<typeof softBodyModel>
        try {
          body = softBodyModel(mesh, { resolution: 3 + (seed % 8) })
        } catch (error) {
          refusals.push(String(error))
          continue
        }
        bodies++
        const { model, report } = body
        expectConforming({ positions: model.positions, tets: model.tets, triangles: model.triangles }, true)
        expect(report.minVolume, `seed ${seed}`).toBeGreaterThan(0)
        // Thin parts of many layers come nearer to the lattice's extremes than bodies do.
        expect(report.minDihedral, `seed ${seed}`).toBeGreaterThan(9)
        expect(report.maxDihedral, `seed ${seed}`).toBeLessThan(165)
        expect(model.positions.every(Number.isFinite), `seed ${seed}`).toBe(true)
      }
      expect(bodies).toBeGreaterThan(10)
      // The only way out is a soup of which nothing is left.
      const reason = expect.stringMatching(/^SettingError: <Mesh> index=\{.*: no triangle has an area\./)
      expect(refusals).toEqual(refusals.map(() => reason))
    }, 60000)
  }
})
