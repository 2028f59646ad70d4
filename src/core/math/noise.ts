/** Parts of the sum: gusts of full size, and of half of it. */
const LARGE = 2 / 3
const SMALL = 1 / 3

/**
 * Adds smooth noise to out[0..2]: three numbers from -1 to 1, times `scale[0]`, that change over distances of one. A
 * lattice of random vectors, blended by 6 t^5 - 15 t^4 + 10 t^3 (Perlin 2002), and half as much of twice as fine a one.
 * The same point and seed give the same noise.
 */
export function addNoise(point: Float64Array, seed: number, scale: Float64Array, out: Float64Array): void {
  const x = point[0]!
  const y = point[1]!
  const z = point[2]!
  for (let octave = 1; octave <= 2; octave++) {
    const part = (octave === 1 ? LARGE : SMALL) * scale[0]!
    const px = x * octave
    const py = y * octave
    const pz = z * octave
    const ix = Math.floor(px)
    const iy = Math.floor(py)
    const iz = Math.floor(pz)
    const tx = px - ix
    const ty = py - iy
    const tz = pz - iz
    const bx = tx * tx * tx * (tx * (tx * 6 - 15) + 10)
    const by = ty * ty * ty * (ty * (ty * 6 - 15) + 10)
    const bz = tz * tz * tz * (tz * (tz * 6 - 15) + 10)
    for (let corner = 0; corner < 8; corner++) {
      const cx = corner & 1
      const cy = (corner >> 1) & 1
      const cz = corner >> 2
      const weight = part * (cx ? bx : 1 - bx) * (cy ? by : 1 - by) * (cz ? bz : 1 - bz)
      let hash =
        Math.imul((ix + cx) | 0, 0x27d4eb2d) ^
        Math.imul((iy + cy) | 0, 0x165667b1) ^
        Math.imul((iz + cz) | 0, 0x1b873593) ^
        Math.imul(seed + octave, 0x2c1b3c6d)
      hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b)
      hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
      hash ^= hash >>> 16
      out[0] = out[0]! + weight * ((hash & 1023) / 511.5 - 1)
      out[1] = out[1]! + weight * (((hash >>> 10) & 1023) / 511.5 - 1)
      out[2] = out[2]! + weight * (((hash >>> 20) & 1023) / 511.5 - 1)
    }
  }
}
