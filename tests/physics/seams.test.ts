// Floors of several colliders that meet: at a seam the shortest way out of one leads into the other.
import { BoxGeometry, ConeGeometry, IcosahedronGeometry } from 'three'
import { describe, expect, it } from 'vitest'
import { box, compound, plane, presets, softBodyModel, type Vec3, World } from '../../src/headless.js'
import { Random } from '../support/draw.js'
import { expectHealthy, run } from '../support/laws.js'
import { long } from '../support/long.js'
import { fromGeometry } from '../support/meshes.js'

const sides = [-1, 1] as const

const floors: Readonly<Record<string, (world: World) => void>> = {
  'two boxes': (world) => {
    for (const s of sides) world.addCollider(box([3, 0.5, 6]), { position: [3 * s, -0.5, 0] })
  },
  'a compound of two boxes': (world) => {
    const parts = sides.map((s) => ({ shape: box([3, 0.5, 6]), position: [3 * s, -0.5, 0] as Vec3 }))
    world.addCollider(compound(parts))
  },
  'tiles of 0.5 m': (world) => {
    for (let i = -4; i < 4; i++) {
      for (let j = -4; j < 4; j++)
        world.addCollider(box([0.25, 0.1, 0.25]), { position: [i / 2 + 0.25, -0.1, j / 2 + 0.25] })
    }
  },
  'two boxes on a plane': (world) => {
    world.addCollider(plane(), { position: [0, -0.05, 0] })
    for (const s of sides) world.addCollider(box([3, 0.025, 6]), { position: [3 * s, -0.025, 0] })
  },
}

const meshes = [
  new BoxGeometry(0.5, 0.5, 0.5),
  new BoxGeometry(0.8, 0.15, 0.6),
  new IcosahedronGeometry(0.3, 2),
  new ConeGeometry(0.3, 0.6, 12),
].map(fromGeometry)

describe('what is thrown down on a seam, turned anyhow, at 2 to 10 m/s, stays above the floor', () => {
  for (const [name, lay] of Object.entries(floors)) {
    for (const seed of [9, 12, ...long(...Array.from({ length: 20 }, (_, k) => 100 + k))]) {
      it(`${name}, seed ${seed}`, () => {
        const random = new Random(seed)
        const { model } = softBodyModel(meshes[seed % meshes.length]!, { resolution: random.integer(4, 8) })
        const preset = (['firm', 'rubber', 'jelly'] as const)[random.integer(0, 2)]!
        const world = new World()
        lay(world)
        const body = world.addBody(model, { ...presets[preset], rotation: random.rotation() })
        const bottom = body.bounds(new Float64Array(6))[1]!
        body.teleport([random.uniform(-0.3, 0.3), 0.05 - bottom, random.uniform(-0.3, 0.3)])
        body.applyImpulse([0, -random.uniform(2, 10) * body.mass, 0])
        let lowest = 0
        run(world, 1.5, () => {
          lowest = Math.min(lowest, body.bounds(new Float64Array(6))[1]!)
        })
        expect(lowest).toBeGreaterThan(-1e-3)
        expectHealthy(world)
      })
    }
  }
})
