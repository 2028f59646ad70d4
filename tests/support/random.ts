import { Euler, Matrix4, Quaternion, Vector3 } from 'three'

/** Uniform numbers from 0 to 1, the same for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

/** A pose with any rotation, a size from 0.01 to 100 and an offset of up to ten sizes. */
export function randomPose(random: () => number): Matrix4 {
  const size = 10 ** (4 * random() - 2)
  const turn = new Euler(6.3 * random(), 6.3 * random(), 6.3 * random())
  const offset = new Vector3(random() - 0.5, random() - 0.5, random() - 0.5).multiplyScalar(20 * size)
  return new Matrix4().compose(offset, new Quaternion().setFromEuler(turn), new Vector3(size, size, size))
}
