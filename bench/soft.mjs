// `node bench/soft.mjs`: time of a step by its stages. First for crowds of boxes, close together and far apart, then for
// thousands of small cubes that touch nothing, in walls, in a cube and in a heap. Per particle it stays nearly the same from
// a thousand to a hundred thousand, however they lie.
import { bundle } from '../scripts/bundle.mjs'

const STEPS = 5
const sizes = [1000, 3000, 10_000, 30_000, 100_000]
const tenfold = [1000, 10_000, 100_000]

/** @typedef {import('../src/headless.js').World} World */

/** @param {World} world */
function measure(world) {
  for (let k = 0; k < 3; k++) world.step()
  world.measure(() => Number(process.hrtime.bigint()) / 1e9)
  for (let k = 0; k < STEPS; k++) world.step()
  const { particles, surfaceCandidates, surfaceContacts } = world.stats
  const [, , constraints = 0, contacts = 0] = world.readStageTimes(new Float64Array(5))
  const perParticle = (/** @type {number} */ time) => (time / STEPS / particles) * 1e9
  return {
    particles,
    pairs: surfaceCandidates,
    touching: surfaceContacts,
    constraints: perParticle(constraints),
    contacts: perParticle(contacts),
  }
}

const { file, remove } = await bundle('bench/soft.ts')
try {
  /** @type {typeof import('./soft.ts')} */
  const { crowd, field, layouts } = await import(file)
  const rows = []
  for (const apart of [1.004, 3]) {
    for (const size of sizes) {
      const { particles, pairs, touching, constraints, contacts } = measure(crowd(size, apart))
      rows.push({
        apart,
        particles,
        pairs,
        contacts: touching,
        'constraints a particle': `${constraints.toFixed(0)} ns`,
        'contacts a particle': `${contacts.toFixed(0)} ns`,
        ratio: (contacts / constraints).toFixed(2),
      })
    }
  }
  console.table(rows)
  const apart = []
  for (const layout of layouts) {
    let before = 0
    for (const size of tenfold) {
      const { particles, contacts } = measure(field(size, layout))
      const time = contacts * particles
      apart.push({
        layout,
        particles,
        'contacts a particle': `${contacts.toFixed(0)} ns`,
        'times the size before': before > 0 ? (time / before).toFixed(1) : '',
      })
      before = time
    }
  }
  console.table(apart)
} finally {
  remove()
}
