import { plane, presets, softBodyModel, type TriangleMesh, type World } from '../src/headless.js'

/** A ball cut out of a triangle mesh, whole path from the surface to the particles, thrown along the ground. */
export function meshedBall(world: World): void {
  const { model } = softBodyModel(ballMesh(0.5, 8), { resolution: 6 })
  world.addCollider(plane(), { name: 'ground' })
  const ball = world.addBody(model, { ...presets.jelly, name: 'ball', position: [0, 1, 0] })
  ball.setVelocity([2, 0, 0.5], [0, 0, -3])
}

/** The faces of a cube, `segments` squares a side, blown up to a sphere; corners of neighbouring faces coincide. */
export function ballMesh(radius: number, segments: number): TriangleMesh {
  const positions: number[] = []
  const index: number[] = []
  for (let face = 0; face < 6; face++) {
    const axis = face % 3
    const side = face < 3 ? 1 : -1
    const first = positions.length / 3
    for (let j = 0; j <= segments; j++) {
      for (let i = 0; i <= segments; i++) {
        const point = [0, 0, 0]
        point[axis] = side
        point[(axis + 1) % 3] = ((2 * i) / segments - 1) * side
        point[(axis + 2) % 3] = (2 * j) / segments - 1
        const [x, y, z] = point as [number, number, number]
        const scale = radius / Math.sqrt(x * x + y * y + z * z)
        positions.push(x * scale, y * scale, z * scale)
        if (i === segments || j === segments) continue
        const corner = first + j * (segments + 1) + i
        const above = corner + segments + 1
        index.push(corner, corner + 1, above + 1, corner, above + 1, above)
      }
    }
  }
  return { positions, index }
}
