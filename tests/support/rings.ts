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

/** A capsule about the y axis: half balls of `radius` at both ends of a cylinder of `length`. */
export function capsule(radius: number, length: number): TriangleMesh {
  const [n, m] = [12, 6]
  const positions: number[] = [0, -radius - length / 2, 0]
  const index: number[] = []
  const rows = 2 * m
  for (let row = 0; row < rows; row++) {
    // Up the lower half ball to its rim, then on from the rim of the upper one.
    const angle = (Math.PI / 2) * ((row < m ? row + 1 : row) / m - 1)
    const y = radius * Math.sin(angle) + (row < m ? -length / 2 : length / 2)
    for (let k = 0; k < n; k++) {
      const turn = (2 * Math.PI * k) / n
      positions.push(radius * Math.cos(angle) * Math.cos(turn), y, radius * Math.cos(angle) * Math.sin(turn))
    }
  }
  const top = positions.push(0, radius + length / 2, 0) / 3 - 1
  for (let k = 0; k < n; k++) {
    const next = (k + 1) % n
    index.push(0, 1 + k, 1 + next, top, top - n + next, top - n + k)
    for (let row = 1; row < rows; row++) {
      const [a, b] = [1 + (row - 1) * n + k, 1 + (row - 1) * n + next]
      index.push(a, a + n, b + n, a, b + n, b)
    }
  }
  return { positions, index }
}
