import type { TriangleMesh } from '../../src/headless.js'

/** A mesh whose longest side is `size` [m], about the origin, and the height of its lowest point. */
export function sized(mesh: TriangleMesh, size: number): TriangleMesh & { lowest: number } {
  const low = [Infinity, Infinity, Infinity]
  const high = [-Infinity, -Infinity, -Infinity]
  for (let p = 0; p < mesh.positions.length; p++) {
    low[p % 3] = Math.min(low[p % 3]!, mesh.positions[p]!)
    high[p % 3] = Math.max(high[p % 3]!, mesh.positions[p]!)
  }
  const scale = size / Math.max(...high.map((value, d) => value - low[d]!))
  const positions = Float64Array.from(mesh.positions, (v, p) => (v - (low[p % 3]! + high[p % 3]!) / 2) * scale)
  return { positions, index: mesh.index ?? null, lowest: ((low[1]! - high[1]!) / 2) * scale }
}
