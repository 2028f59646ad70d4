import { expect } from 'vitest'
import type { Body, Model } from '../../src/headless.js'

const keyOf = (i: number, j: number) => `${Math.min(i, j)} ${Math.max(i, j)}`

/** Particles of each piece, by a search of their own. */
export function piecesOf({ triangles, particleCount }: Model): number[][] {
  const group = Array.from({ length: particleCount }, (_, i) => i)
  const root = (i: number): number => (group[i] === i ? i : root(group[i]!))
  for (let t = 0; t < triangles.length; t += 3) {
    for (const k of [1, 2]) group[root(triangles[t + k]!)] = root(triangles[t]!)
  }
  const pieces = new Map<number, number[]>()
  for (let i = 0; i < particleCount; i++) pieces.set(root(i), [...(pieces.get(root(i)) ?? []), i])
  return [...pieces.values()]
}

/** Every law that a torn model keeps, whatever tore it. */
export function expectSound(model: Model): void {
  const { torn, triangles, edges, sets, particleCount, massShares, positions } = model
  const whole = torn?.whole ?? model
  expect(triangles.length).toBe(whole.triangles.length)
  expect(massShares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12)
  expect(Math.min(...massShares)).toBeGreaterThan(0)
  expect(positions.length).toBe(3 * particleCount)
  // Every triangle has its three particles, which are those it had at first, or split off from them.
  const origin = (i: number) => (i < whole.particleCount ? i : torn!.origins[i - whole.particleCount]!)
  expect(Array.from(triangles, origin)).toEqual(Array.from(whole.triangles))
  const used = new Set(triangles)
  expect(used.size).toBe(particleCount)
  // The triangles at a particle hang together by edges: nothing is held by a point alone.
  const fans = Array.from({ length: particleCount }, (): number[] => [])
  for (let c = 0; c < triangles.length; c++) fans[triangles[c]!]!.push(c - (c % 3))
  const hinged = fans.filter((fan, i) => {
    const reached = new Set([fan[0]!])
    for (const t of reached) {
      const corners = new Set([0, 1, 2].map((k) => triangles[t + k]!).filter((j) => j !== i))
      for (const u of fan) if ([0, 1, 2].some((k) => corners.has(triangles[u + k]!))) reached.add(u)
    }
    return reached.size < fan.length
  })
  expect(hinged).toEqual([])
  // Edges are those of the triangles, each once.
  const ofTriangles = new Set<string>()
  for (let t = 0; t < triangles.length; t += 3) {
    for (const [a, b] of [
      [0, 1],
      [1, 2],
      [2, 0],
    ])
      ofTriangles.add(keyOf(triangles[t + a!]!, triangles[t + b!]!))
  }
  const listed = Array.from({ length: edges.length / 2 }, (_, e) => keyOf(edges[2 * e]!, edges[2 * e + 1]!))
  expect(new Set(listed).size).toBe(listed.length)
  expect(new Set(listed)).toEqual(ofTriangles)
  // No row spans a gap, and no two of one colour share a particle.
  const piece = new Int32Array(particleCount)
  piecesOf(model).forEach((members, number) => {
    for (const i of members) piece[i] = number
  })
  const wrong: string[] = []
  for (const { indices, offsets, colors, count } of sets) {
    expect(offsets[count]).toBe(indices.length)
    for (let color = 0; color + 1 < colors.length; color++) {
      const taken = new Set<number>()
      for (let row = colors[color]!; row < colors[color + 1]!; row++) {
        const particles = indices.subarray(offsets[row], offsets[row + 1])
        if (particles.every((i) => i === particles[0])) continue // dead
        if (new Set(particles).size < particles.length) wrong.push(`a row twice at one particle: ${particles.join()}`)
        for (const i of particles) {
          if (piece[i] !== piece[particles[0]!]) wrong.push(`a row over a gap: ${particles.join()}`)
          if (taken.has(i)) wrong.push(`a colour twice at particle ${i}`)
          taken.add(i)
        }
      }
    }
  }
  expect(wrong).toEqual([])
}

/** Momentum and angular momentum about the origin [kg m/s], [kg m^2/s], and the mass. */
export function momentumOf(body: Body): number[] {
  const x = body.readPositions(new Float64Array(body.particleCount * 3))
  const v = body.readVelocities(new Float64Array(body.particleCount * 3))
  const sum = [0, 0, 0, 0, 0, 0, 0]
  for (let i = 0; i < body.particleCount; i++) {
    const m = body.mass * body.model.massShares[i]!
    const [px, py, pz] = [x[3 * i]!, x[3 * i + 1]!, x[3 * i + 2]!]
    const [vx, vy, vz] = [v[3 * i]!, v[3 * i + 1]!, v[3 * i + 2]!]
    const own = [vx, vy, vz, py * vz - pz * vy, pz * vx - px * vz, px * vy - py * vx, 1]
    own.forEach((value, k) => {
      sum[k]! += m * value
    })
  }
  return sum
}
