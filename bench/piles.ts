// Stacks and piles that have to come to rest, for piles.mjs.
import { ballMesh } from '../scenes/index.js'
import { clothModel, plane, type Quat, type TriangleMesh, type Vec3, World } from '../src/headless.js'
import { material } from '../tests/support/elastic.js'
import { invertedTets } from '../tests/support/inverted.js'
import { cube } from '../tests/support/lattice.js'
import { centerOf, driftFrom, largestSpeed, rmsSpeed } from '../tests/support/laws.js'
import { mixed, pour } from '../tests/support/pile.js'

const stiff = material(2e6, 0.45)
const lyingFlat: Quat = [Math.SQRT1_2, 0, 0, Math.SQRT1_2]

interface Scene {
  world: World
  /** For how long it is watched [s]. */
  seconds: number
}

function ground(sleeping: boolean): World {
  const world = new World({ sleeping })
  world.addCollider(plane())
  return world
}

/** `count` cubes on each other. */
function tower(count: number, side: number, modulus: number, seconds: number, shapeDamping: number, cells = 2): Scene {
  const world = ground(false)
  const model = cube(side, cells)
  const gap = 0.005 * side
  for (let k = 0; k < count; k++) {
    const position: Vec3 = [0, side / 2 + gap / 2 + k * (side + gap), 0]
    world.addBody(model, { position, shapeDamping, elastic: material(modulus, 0.45) })
  }
  return { world, seconds }
}

/** Twenty cubes as oranges are stacked: 10, 6, 3 and 1. */
function pyramid(shapeDamping: number): Scene {
  const world = ground(false)
  const model = cube(1, 2)
  for (let layer = 0; layer < 4; layer++) {
    for (let i = 0; i < 4 - layer; i++) {
      for (let j = 0; j < 4 - layer - i; j++) {
        const position: Vec3 = [(i + layer * 0.34) * 1.06, 0.5025 + layer * 1.005, (j + layer * 0.34) * 1.06]
        world.addBody(model, { position, shapeDamping, friction: 0.6, elastic: stiff })
      }
    }
  }
  return { world, seconds: 20 }
}

/** Bodies that are poured on each other, and a cloth on top where asked for. */
function pile(count: number, seconds: number, seed: number, meshes: readonly TriangleMesh[], covered = false): Scene {
  const world = ground(true)
  const side = pour(world, count, seed, meshes)
  if (covered) {
    const { model } = clothModel({ width: 2, height: 2, segmentsX: 20, segmentsY: 20 })
    world.addBody(model, {
      damping: 1,
      position: [0, 0.8 + Math.ceil(count / (side * side)) * 0.62, 0],
      rotation: lyingFlat,
    })
  }
  return { world, seconds }
}

export const scenes: Readonly<Record<string, () => Scene>> = {
  tower: () => tower(5, 1, 2e6, 20, 0),
  'tower, damped': () => tower(5, 1, 2e6, 12, 6),
  'small tower': () => tower(5, 0.4, 4e5, 20, 0),
  'small tower, damped': () => tower(5, 0.4, 4e5, 12, 6),
  three: () => tower(3, 0.5, 2e6, 12, 6, 3),
  pyramid: () => pyramid(6),
  'pyramid, undamped': () => pyramid(0),
  'pile of 20': () => pile(20, 20, 7, mixed),
  'pile of 100': () => pile(100, 25, 7, mixed),
  'pile of 100, seed 8': () => pile(100, 25, 8, mixed),
  'pile of 100, seed 9': () => pile(100, 25, 9, mixed),
  '25 balls': () => pile(25, 20, 7, [ballMesh(0.2, 6)]),
  'pile of 20 under a cloth': () => pile(20, 20, 7, mixed, true),
}

/** What moves and what is wrong in a world now. */
export function look({ bodies }: World): { inverted: number; fastest: number; rms: number; energy: number } {
  let inverted = 0
  let fastest = 0
  let rms = 0
  let energy = 0
  for (const body of bodies) {
    inverted += invertedTets(body)
    fastest = Math.max(fastest, largestSpeed(body))
    const speed = rmsSpeed(body)
    rms = Math.max(rms, speed)
    energy += (body.mass * speed * speed) / 2
  }
  return { inverted, fastest, rms, energy }
}

export { driftFrom }

export const centers = ({ bodies }: World): Vec3[] => bodies.map(centerOf)
