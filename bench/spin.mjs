// `node bench/spin.mjs`: what restoring the spin of free bodies adds to a step, against the same bodies without it, in turns.
import { bundle } from '../scripts/bundle.mjs'

const WARM_UP = 60
const ROUNDS = 41
const STEPS = 5

/** Time of some steps [ms]. @param {{ step(): void }} world */
function timed(world) {
  const start = process.hrtime.bigint()
  for (let k = 0; k < STEPS; k++) world.step()
  return Number(process.hrtime.bigint() - start) / 1e6
}

/** @param {number[]} values */
function median(values) {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}

const { file, remove } = await bundle('bench/spin.ts')
try {
  const { tumbling } = /** @type {typeof import('./spin.ts')} */ (await import(file))
  const restored = tumbling(true)
  const left = tumbling(false)
  for (let k = 0; k < WARM_UP; k++) for (const world of [restored, left]) world.step()
  /** @type {number[]} */
  const shares = []
  for (let round = 0; round < ROUNDS; round++) shares.push(timed(restored) / timed(left) - 1)
  console.log(
    `restoring spins costs ${(100 * median(shares)).toFixed(1)}% of a step, median of ${ROUNDS} rounds; 5% at most`,
  )
} finally {
  remove()
}
