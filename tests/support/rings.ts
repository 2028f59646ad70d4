import type { TriangleMesh } from '../../src/headless.js'

/** A ring about the z axis, `radius` to the middle of a tube as thick as `tube`. */
export function ring(radius: number, tube: number): TriangleMesh {
  const [n, m] = [24, 10]
  const positions: number[] = []
  const index: number[] = []
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < m; j++) {
      const [u, v] = [(2 * Math.PI * i) / n, (2 * Math.PI * j) / m]
      const reach = radius + tube * Math.cos(v)
      positions.push(reach * Math.cos(u), reach * Math.sin(u), tube * Math.sin(v))
      const [a, b] = [i * m + j, i * m + ((j + 1) % m)]
      const [c, d] = [((i + 1) % n) * m + j, ((i + 1) % n) * m + ((j + 1) % m)]
      index.push(a, c, d, a, d, b)
    }
  }
  return { positions, index }
}
