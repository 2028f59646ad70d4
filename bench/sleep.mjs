// `node bench/sleep.mjs`: what a step of bodies that sleep costs of one of the same bodies awake, in turns.
import { bundle } from '../scripts/bundle.mjs'

const ROUNDS = 5
const STEPS = { awake: 5, asleep: 500 }

/** Time of a step [ms]. @param {{ step(): void }} world @param {number} steps */
function timed(world, steps) {
  const start = process.hrtime.bigint()
  for (let k = 0; k < steps; k++) world.step()
  return Number(process.hrtime.bigint() - start) / 1e6 / steps
}

const { file, remove } = await bundle('bench/sleep.ts')
try {
  const { field } = /** @type {typeof import('./sleep.ts')} */ (await import(file))
  const awake = field(false)
  const asleep = field(true)
  const { bodies, sleeping, particles } = asleep.stats
  console.log(`${sleeping} of ${bodies} bodies sleep, ${particles} particles`)
  for (let round = 0; round < ROUNDS; round++) {
    const a = timed(awake, STEPS.awake)
    const b = timed(asleep, STEPS.asleep)
    console.log(`awake ${a.toFixed(2)} ms a step, asleep ${b.toFixed(4)} ms: ${((100 * b) / a).toFixed(3)}%`)
  }
} finally {
  remove()
}
