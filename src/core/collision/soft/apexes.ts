import type { Model } from '../../model.js'

/** By triangle of a model: the fourth corner of the tetrahedron behind it, or its own first corner where there is none. */
export function apexesOf({ triangles, tets, particleCount: n }: Model): Uint32Array {
  const behind = new Map<number, number>()
  const key = (i: number, j: number, k: number) => {
    const least = Math.min(i, j, k)
    const most = Math.max(i, j, k)
    return (least * n + (i + j + k - least - most)) * n + most
  }
  for (let t = 0; t < tets.length; t += 4) {
    for (let k = 0; k < 4; k++) {
      const [i, j, l] = [1, 2, 3].map((d) => tets[t + ((k + d) & 3)]!)
      behind.set(key(i!, j!, l!), tets[t + k]!)
    }
  }
  return Uint32Array.from({ length: triangles.length / 3 }, (_, t) => {
    const [i, j, k] = [triangles[t * 3]!, triangles[t * 3 + 1]!, triangles[t * 3 + 2]!]
    return behind.get(key(i, j, k)) ?? i
  })
}
