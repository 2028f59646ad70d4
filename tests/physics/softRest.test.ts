import { describe, expect, it } from 'vitest'
import { ballMesh } from '../../scenes/index.js'
import { plane, softBodyModel, tetMeshModel, World } from '../../src/headless.js'
import { Random } from '../support/draw.js'
import { material } from '../support/elastic.js'
import { invertedTets } from '../support/inverted.js'
import { boxLattice, cube } from '../support/lattice.js'
import { centerOf, driftFrom, expectHealthy, rmsSpeed, run } from '../support/laws.js'
import { long } from '../support/long.js'

function ground(sleeping: boolean): World {
  const world = new World({ sleeping })
  world.addCollider(plane(), { friction: 0.8 })
  return world
}

const fastest = ({ bodies }: World): number => Math.max(...bodies.map(rmsSpeed))

describe('what stands makes no noise: settled, then without any damping or sleep', () => {
  const scenes: Record<string, (world: World) => void> = {
    'a wall of ten bricks': (world) => {
      const brick = tetMeshModel(boxLattice([0.6, 0.3, 0.3], [4, 2, 2])).model
      for (let layer = 0; layer < 4; layer++) {
        for (let i = 0; i < 4 - layer; i++) {
          world.addBody(brick, {
            position: [(i + layer / 2) * 0.64, 0.151 + layer * 0.302, 0],
            elastic: material(1e6, 0.45),
          })
        }
      }
    },
    'a cube on one that is ten times lighter': (world) => {
      world.addBody(cube(0.5, 3), { position: [0, 0.251, 0], density: 200, elastic: material(2e6, 0.4) })
      world.addBody(cube(0.5, 4), { position: [0.1, 0.754, 0.1], density: 2000, elastic: material(5e6, 0.4) })
    },
    'a tower of five turned cubes': (world) => {
      for (let k = 0; k < 5; k++) {
        world.addBody(cube(1, 3), {
          position: [0.03 * (k % 2), 0.5025 + k * 1.005, 0.02 * k],
          rotation: [0, Math.sin(0.1 * k), 0, Math.cos(0.1 * k)],
          elastic: material(4e6, 0.3),
        })
      }
    },
    'a ball on three balls': (world) => {
      const { model } = softBodyModel(ballMesh(0.2, 8), { resolution: 4 })
      const settings = { friction: 0.8, elastic: material(5e5, 0.4) }
      for (let k = 0; k < 3; k++) {
        const [x, z] = [0.244 * Math.cos((k * 2 * Math.PI) / 3), 0.244 * Math.sin((k * 2 * Math.PI) / 3)]
        world.addBody(model, { ...settings, position: [x, 0.201, z] })
      }
      world.addBody(model, { ...settings, position: [0, 0.52, 0] })
    },
  }
  for (const name of [
    'a cube on one that is ten times lighter',
    'a ball on three balls',
    ...long('a wall of ten bricks', 'a tower of five turned cubes'),
  ]) {
    it(`${name}, to 1 mm/s`, () => {
      const world = ground(false)
      scenes[name]!(world)
      for (const body of world.bodies) body.set({ damping: 3 })
      run(world, 4)
      for (const body of world.bodies) body.set({ damping: 0 })
      const from = world.bodies.map(centerOf)
      run(world, 2)
      expect(fastest(world)).toBeLessThan(1e-3)
      expect(driftFrom(world, from)).toBeLessThan(1e-3)
      expectHealthy(world)
    })
  }
})

describe('a pile', () => {
  it('of ten balls and cubes comes to rest without an inverted tetrahedron, and sleeps, seed 7', () => {
    const world = ground(true)
    const models = [softBodyModel(ballMesh(0.2, 6), { tetCount: 150 }).model, cube(0.3, 3)]
    const random = new Random(7)
    for (let k = 0; k < 10; k++) {
      world.addBody(models[k % 2]!, {
        position: [(k % 2) * 0.2 + random.uniform(0, 0.05), 0.4 + k * 0.4, random.uniform(0, 0.1)],
        rotation: random.rotation(),
        shapeDamping: 6,
        friction: 0.6,
        elastic: material(2e5, 0.45),
      })
    }
    let time = 0
    while (time < 20 && world.stats.sleeping < 10) {
      run(world, 0.5)
      time += 0.5
    }
    expect(world.stats.sleeping).toBe(10)
    expect(world.bodies.map(invertedTets)).toEqual(Array(10).fill(0))
    expectHealthy(world)
  })
})
