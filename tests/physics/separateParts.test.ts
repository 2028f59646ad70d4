// Parts of one body that no constraint joins.
import { BoxGeometry, Matrix4, SphereGeometry } from 'three'
import { describe, expect, it } from 'vitest'
import { type PresetName, plane, presets, softBodyModel, World } from '../../src/headless.js'
import { expectHealthy, run } from '../support/laws.js'
import { long } from '../support/long.js'
import { fromGeometry, moved, together } from '../support/meshes.js'

describe('separate parts of a body', () => {
  const cases = [['firm', 0.004], ...long<[PresetName, number]>(['jelly', 0.1], ['balloon', 0.002])] as const
  for (const [preset, side] of cases) {
    it(`fall and rest each by itself: a cube of ${side} m beside a ball of a metre, ${preset}`, () => {
      const cube = moved(fromGeometry(new BoxGeometry(side, side, side)), new Matrix4().makeTranslation(0.9, 0, 0))
      const { model } = softBodyModel(together(fromGeometry(new SphereGeometry(0.5, 24, 16)), cube), { resolution: 10 })
      const world = new World({ sleeping: false })
      world.addCollider(plane())
      const body = world.addBody(model, { ...presets[preset], position: [0, 0.55, 0] })
      const particles = Array.from(model.positions.keys()).filter((i) => i % 3 === 0 && model.positions[i]! > 0.6)
      const before = new Float64Array(model.positions.length)
      const after = new Float64Array(model.positions.length)
      run(world, 5)
      body.readPositions(before)
      run(world, 1 / 60)
      body.readPositions(after)
      // It lies on the ground, and keeps its size within what the least of tetrahedra are softened by.
      const heights = particles.map((i) => after[i + 1]! - model.thickness)
      expect(Math.min(...heights)).toBeGreaterThan(-0.001)
      expect(Math.max(...heights)).toBeLessThan(1.5 * side + 0.002)
      // The law of rest: 2 cm/s.
      for (const i of particles) {
        const move = Math.hypot(after[i]! - before[i]!, after[i + 1]! - before[i + 1]!, after[i + 2]! - before[i + 2]!)
        expect(move * 60).toBeLessThan(0.02)
      }
      expectHealthy(world)
    })
  }
})
