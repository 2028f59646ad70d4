import { describe, expect, it } from 'vitest'
import { angleDegrees, cosineDegrees } from '../../src/core/mesh/angle.js'
import { tetReport } from '../../src/core/mesh/quality.js'
import { runToEnd } from '../../src/core/mesh/slices.js'

describe('angles', () => {
  it('agree with Math.atan2 and Math.cos', () => {
    for (let degrees = 0; degrees <= 180; degrees += 0.37) {
      const radians = (degrees * Math.PI) / 180
      expect(angleDegrees(3 * Math.sin(radians), 3 * Math.cos(radians))).toBeCloseTo(degrees, 11)
      expect(cosineDegrees(degrees)).toBeCloseTo(Math.cos(radians), 13)
    }
  })
})

describe('tetReport', () => {
  it('knows the regular tetrahedron: arccos(1/3) at every edge, volume 8/3', () => {
    const positions = [1, 1, 1, 1, -1, -1, -1, 1, -1, -1, -1, 1]
    const report = runToEnd(tetReport(positions, [0, 2, 1, 3], 2))
    const angle = (Math.acos(1 / 3) * 180) / Math.PI
    expect(report.minDihedral).toBeCloseTo(angle, 10)
    expect(report.maxDihedral).toBeCloseTo(angle, 10)
    expect(report.volume).toBeCloseTo(8 / 3, 12)
    expect(report.volumeError).toBeCloseTo(1 / 3, 12)
  })

  it('knows a corner of a cube, and that an inverted tetrahedron has a negative volume', () => {
    const positions = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]
    const report = runToEnd(tetReport(positions, [0, 1, 2, 3, 0, 2, 1, 3]))
    expect(report.minVolume).toBeCloseTo(-1 / 6, 12)
    expect(report).toMatchObject({ tetCount: 2, vertexCount: 4, volumeError: 0 })
    const upright = runToEnd(tetReport(positions, [0, 1, 2, 3]))
    // Right angles at the axes, arccos(1 / sqrt 3) at the slanted face.
    expect(upright.maxDihedral).toBeCloseTo(90, 10)
    expect(upright.minDihedral).toBeCloseTo((Math.acos(1 / Math.sqrt(3)) * 180) / Math.PI, 10)
  })
})
