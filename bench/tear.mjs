// `node bench/tear.mjs`: what it costs that a cloth may tear, and what a step in which it does costs of one in which not.
import { bundle } from '../scripts/bundle.mjs'

const ROUNDS = 30

/** Time of some work [ms]. @param {() => void} work */
function timed(work) {
  const start = process.hrtime.bigint()
  work()
  return Number(process.hrtime.bigint() - start) / 1e6
}

/** @param {number[]} values */
const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN

const { file, remove } = await bundle('bench/tear.ts')
try {
  const { hanging, cutOn } = /** @type {typeof import('./tear.ts')} */ (await import(file))
  for (const others of [0, 3]) {
    const plain = hanging({}, others)
    const ready = hanging({ tearStrain: 5 }, others)
    const loaded = hanging({ tearStrength: 1e6 }, others)
    const torn = hanging({ tearStrain: 5 }, others)
    /** @type {Record<string, number[]>} */
    const times = { plain: [], strain: [], strength: [], cut: [], torn: [] }
    for (let k = 0; k < ROUNDS; k++) {
      times.plain?.push(timed(() => plain.world.step()))
      times.strain?.push(timed(() => ready.world.step()))
      times.strength?.push(timed(() => loaded.world.step()))
      times.cut?.push(
        timed(() => {
          cutOn(torn.body, k)
          void torn.body.particleCount // carries the cut out
        }),
      )
      times.torn?.push(timed(() => torn.world.step()))
    }
    const of = /** @param {string} name */ (name) => median(times[name] ?? [])
    const part = /** @param {string} name */ (name) => `${(100 * (of(name) / of('plain') - 1)).toFixed(1)}%`
    console.log(`64 x 64 cells, ${others} sheets beside it: ${of('plain').toFixed(2)} ms a step`)
    console.log(`  may tear by its strain ${part('strain')}, by its load ${part('strength')}`)
    console.log(
      `  a cut ${of('cut').toFixed(2)} ms, the step after it ${part('torn')}; the first ${times.cut?.[0]?.toFixed(2)} ms`,
    )
  }
} finally {
  remove()
}
