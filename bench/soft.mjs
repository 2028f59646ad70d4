// `node bench/soft.mjs`: time of a step by its stages for crowds of boxes, close together and far apart. Per particle it
// stays nearly the same from a thousand to a hundred thousand.
import { bundle } from '../scripts/bundle.mjs'

const STEPS = 5
const sizes = [1000, 3000, 10_000, 30_000, 100_000]

const { file, remove } = await bundle('bench/soft.ts')
try {
  /** @type {typeof import('./soft.ts')} */
  const { crowd } = await import(file)
  const rows = []
  for (const apart of [1.004, 3]) {
    for (const size of sizes) {
      const world = crowd(size, apart)
      for (let k = 0; k < 3; k++) world.step()
      world.measure(() => Number(process.hrtime.bigint()) / 1e9)
      for (let k = 0; k < STEPS; k++) world.step()
      const times = world.readStageTimes(new Float64Array(5))
      const { particles, surfaceCandidates, surfaceContacts } = world.stats
      const perParticle = (/** @type {number} */ stage) =>
        `${(((times[stage] ?? 0) / STEPS / particles) * 1e9).toFixed(0)} ns`
      rows.push({
        apart,
        particles,
        pairs: surfaceCandidates,
        contacts: surfaceContacts,
        'constraints a particle': perParticle(2),
        'contacts a particle': perParticle(3),
        ratio: ((times[3] ?? 0) / (times[2] ?? 1)).toFixed(2),
      })
    }
  }
  console.table(rows)
} finally {
  remove()
}
