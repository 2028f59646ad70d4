import { isInPieces, isLoose, type Model } from '../model.js'

/** The particles of each piece that hangs together: piece p is members[pieceStarts[p]] to members[pieceStarts[p + 1]]. */
export interface Pieces {
  readonly members: Uint32Array
  readonly pieceStarts: Uint32Array
}

/** Pieces in the order of their first particles, particles ascending. @param elements [3 t] particles of the triangles */
export function piecesOf(elements: Uint32Array, particleCount: number): Pieces {
  const group = Uint32Array.from({ length: particleCount }, (_, i) => i)
  const root = (i: number): number => {
    let at = i
    while (group[at] !== at) {
      group[at] = group[group[at]!]!
      at = group[at]!
    }
    return at
  }
  for (let t = 0; t < elements.length; t += 3) {
    for (let k = 1; k < 3; k++) {
      const a = root(elements[t]!)
      const b = root(elements[t + k]!)
      group[Math.max(a, b)] = Math.min(a, b)
    }
  }
  const numbers = new Int32Array(particleCount).fill(-1)
  const counts: number[] = []
  for (let i = 0; i < particleCount; i++) {
    const at = root(i)
    if (numbers[at]! < 0) numbers[at] = counts.push(0) - 1
    counts[numbers[at]!]!++
  }
  const pieceStarts = new Uint32Array(counts.length + 1)
  counts.forEach((count, piece) => {
    pieceStarts[piece + 1] = pieceStarts[piece]! + count
  })
  const cursor = pieceStarts.slice()
  const members = new Uint32Array(particleCount)
  for (let i = 0; i < particleCount; i++) members[cursor[numbers[root(i)]!]!++] = i
  return { members, pieceStarts }
}

/**
 * All particles that hang together with some of `particles`, ascending: those of their pieces where a body is torn apart, and
 * each alone where it has no elements. Null for all of the body.
 */
export function hangingTogether(model: Model, particles: Uint32Array): Uint32Array | null {
  if (isLoose(model)) return particles.slice().sort()
  if (!isInPieces(model)) return null
  const { members, pieceStarts } = model.torn!
  const meant = new Uint8Array(model.particleCount)
  for (const particle of particles) meant[particle] = 1
  const found: number[] = []
  for (let piece = 0; piece + 1 < pieceStarts.length; piece++) {
    const some = members.subarray(pieceStarts[piece], pieceStarts[piece + 1])
    if (some.some((particle) => meant[particle] === 1)) for (const particle of some) found.push(particle)
  }
  return found.length === model.particleCount ? null : Uint32Array.from(found).sort()
}
