import { ballMesh } from '../../scenes/index.js'
import { softBodyModel, type TriangleMesh, type World } from '../../src/headless.js'
import { Random } from './draw.js'
import { material } from './elastic.js'
import { ring } from './rings.js'

/** The corners of a box about the origin, and its faces. */
function boxMesh(width: number, height: number, depth: number): TriangleMesh {
  const corners = Array.from({ length: 8 }, (_, k) => [
    ((k & 1) - 0.5) * width,
    (((k >> 1) & 1) - 0.5) * height,
    ((k >> 2) - 0.5) * depth,
  ])
  const faces = [
    [0, 2, 3, 1],
    [4, 5, 7, 6],
    [0, 1, 5, 4],
    [2, 6, 7, 3],
    [0, 4, 6, 2],
    [1, 3, 7, 5],
  ]
  return { positions: corners.flat(), index: faces.flatMap(([a, b, c, d]) => [a!, b!, c!, a!, c!, d!]) }
}

/** Balls, cubes, plates and rings. */
export const mixed = [ballMesh(0.2, 6), boxMesh(0.35, 0.35, 0.35), boxMesh(0.5, 0.25, 0.25), ring(0.16, 0.08)]

/**
 * Pours bodies of some 500 tetrahedra on each other in columns, turned at random.
 * @returns how many columns there are along a side
 */
export function pour(world: World, count: number, seed: number, meshes: readonly TriangleMesh[]): number {
  const models = meshes.map((mesh) => softBodyModel(mesh, { tetCount: 500 }).model)
  const random = new Random(seed)
  const side = count > 50 ? 4 : 2
  for (let k = 0; k < count; k++) {
    const layer = Math.floor(k / (side * side))
    world.addBody(models[k % models.length]!, {
      rotation: random.rotation(),
      position: [
        ((k % side) - side / 2) * 0.56 + random.uniform(0, 0.05),
        0.4 + layer * 0.62,
        ((Math.floor(k / side) % side) - side / 2) * 0.56 + random.uniform(0, 0.05),
      ],
      shapeDamping: 6,
      friction: 0.6,
      elastic: material(2e5, 0.45),
    })
  }
  return side
}
