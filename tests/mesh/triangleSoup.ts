import type { TriangleMesh } from '../../src/core/mesh/weld.js'
import { seededRandom } from '../support/random.js'

/**
 * A random triangle soup: 1 to 200 triangles of any arrangement, some flat, repeated, degenerate, glued or crossing, in
 * several heaps, at any scale from a millionth to a million metres.
 */
export function triangleSoup(seed: number): TriangleMesh {
  const random = seededRandom(seed)
  const count = 1 + Math.floor(200 * random() ** 2)
  const scale = 10 ** (12 * random() - 6)
  const flat = random() < 0.2
  const heaps = 1 + Math.floor(3 * random())
  const size = 0.02 + random()
  const pool = 3 + Math.floor(count * 3 * random())
  const glued = random() < 0.5
  const points = Array.from({ length: pool }, () => {
    const heap = Math.floor(heaps * random())
    return [0, 1, 2].map((axis) => (flat && axis === 1 ? 0 : scale * (3 * heap + random() - 0.5)))
  })
  const positions: number[] = []
  for (let t = 0; t < count; t++) {
    const kind = random()
    const corner = () => points[Math.floor(pool * random())]!
    const first = corner()
    const near = () => first.map((x, axis) => (flat && axis === 1 ? 0 : x + scale * size * (random() - 0.5)))
    const second = glued ? corner() : near()
    const third =
      kind < 0.05 ? first : kind < 0.1 ? second.map((x, i) => (x + first[i]!) / 2) : glued ? corner() : near()
    positions.push(...first, ...second, ...third)
    if (kind > 0.95) positions.push(...first, ...third, ...second)
  }
  return { positions, index: null }
}
