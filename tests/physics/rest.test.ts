import { describe, expect, it } from 'vitest'
import {
  createSkinWorkspace,
  type PresetName,
  plane,
  presets,
  softBodyModel,
  updateSkin,
  World,
} from '../../src/headless.js'
import { Random } from '../support/draw.js'
import { ball, cube } from '../support/lattice.js'
import { centerOf, expectHealthy, lowest, rmsSpeed, run, velocityOf } from '../support/laws.js'
import { long } from '../support/long.js'
import { realMesh } from '../support/meshes.js'

const names = Object.keys(presets) as PresetName[]

describe.each(names)('a body of %s on the ground', (name) => {
  for (const shape of ['cube', 'ball'] as const) {
    for (const seed of [1, ...long(2)]) {
      it(`comes to rest without sinking in, ${shape}, seed ${seed}`, () => {
        const random = new Random(seed)
        const size = random.uniform(0.3, 1.5)
        const world = new World()
        world.addCollider(plane())
        const model = shape === 'cube' ? cube(size, 3) : ball(size / 2, 4)
        // Upright up to a little tilt: on an edge or a facet's rim it might balance, and tip much later.
        const [x, , z] = random.vector(0.1)
        const body = world.addBody(model, {
          ...presets[name],
          position: [0, size * 0.7, 0],
          rotation: [x, 0, z, Math.sqrt(1 - x * x - z * z)],
        })
        run(world, 10)
        // A ball that came down on the rim of a facet tips off it first, at some mm/s.
        if (rmsSpeed(body) > 1e-3) run(world, 4)
        expect(Math.hypot(...velocityOf(body))).toBeLessThan(1e-3)
        expect(rmsSpeed(body)).toBeLessThan(1e-3)
        expect(lowest(body)).toBeGreaterThan(model.thickness - 1e-5)
        expect(lowest(body)).toBeLessThan(model.thickness + 1e-3)
        // It lies still from then on, too.
        const before = centerOf(body)
        run(world, 1, () => expect(rmsSpeed(body)).toBeLessThan(1e-3))
        expect(Math.hypot(...centerOf(body).map((value, d) => value - before[d]!))).toBeLessThan(1e-3)
        expectHealthy(world)
      })
    }
  }
})

describe('the bunny as anyone would put it down', () => {
  it('keeps its volume and touches the ground with what is drawn', async () => {
    const raw = await realMesh('bunny')
    const size = 1.5
    const [low, high] = [1, -1].map((sign) =>
      [0, 1, 2].map((d) => {
        let least = Number.POSITIVE_INFINITY
        for (let p = d; p < raw.positions.length; p += 3) least = Math.min(least, sign * raw.positions[p]!)
        return sign * least
      }),
    ) as [number[], number[]]
    const scale = size / Math.max(...high.map((value, d) => value - low[d]!))
    const positions = Float32Array.from(raw.positions, (value, k) => (value - (low[k % 3]! + high[k % 3]!) / 2) * scale)
    const { model, skin } = softBodyModel({ positions, index: raw.index ?? null })
    const world = new World()
    world.addCollider(plane())
    const body = world.addBody(model, { ...presets.jelly, position: [0, size / 2 + 0.05, 0] })
    const volume = body.volume()
    const particles = new Float64Array(3 * body.particleCount)
    const workspace = createSkinWorkspace(skin)
    const out = {
      positions: new Float32Array(3 * skin.vertexCount),
      normals: new Float32Array(3 * skin.vertexCount),
      bounds: new Float64Array(10),
    }
    const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
    const lowestDrawn = () => {
      updateSkin(skin, workspace, body.readPositions(particles), identity, out)
      let least = Number.POSITIVE_INFINITY
      for (let p = 1; p < out.positions.length; p += 3) least = Math.min(least, out.positions[p]!)
      return least
    }
    run(world, 6)
    for (let k = 0; k < 10; k++) {
      run(world, 0.1)
      expect(Math.abs(body.volume() / volume - 1)).toBeLessThan(0.02)
      expect(lowestDrawn()).toBeGreaterThanOrEqual(0)
      expect(lowestDrawn()).toBeLessThan(0.005 * size)
    }
    expectHealthy(world)
  })
})
