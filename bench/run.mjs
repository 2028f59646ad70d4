// `npm run bench`: median time of a step of the scenes in cases.ts. Times depend on the machine; the last column does so
// far less: time of a row over that of a row of the calibration loop, which ran in turns with the scenes.
import { bundle } from '../scripts/bundle.mjs'

const WARM_UP = 60
const ROUNDS = 40
const STEPS = 5

/** @param {number[]} values */
function median(values) {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}

/** Time of one call [ns]. @param {() => void} work */
function timed(work) {
  const start = process.hrtime.bigint()
  work()
  return Number(process.hrtime.bigint() - start)
}

/** @param {typeof import('./cases.ts')} module */
function measure({ cases, calibrate }) {
  const list = cases()
  /** @type {number[][]} */
  const times = list.map(() => [])
  /** @type {number[]} */
  const calibration = []
  for (const { world } of list) for (let k = 0; k < WARM_UP; k++) world.step()
  const rows = calibrate()
  for (let round = 0; round < ROUNDS; round++) {
    calibration.push(timed(calibrate) / rows)
    for (const [k, { world }] of list.entries()) {
      const time = timed(() => {
        for (let step = 0; step < STEPS; step++) world.step()
      })
      times[k]?.push(time / STEPS)
    }
  }
  const unit = median(calibration)
  return list.map(({ name, world, rowsAStep }, k) => {
    const step = median(times[k] ?? [])
    const strain = Math.max(...world.bodies.map((body) => body.maxStrain()))
    return {
      scene: name,
      backend: world.backend,
      rows: rowsAStep,
      'ms a step': (step / 1e6).toFixed(2),
      'ns a row': (step / rowsAStep).toFixed(2),
      strain: `${(100 * strain).toFixed(2)}%`,
      'rows of calibration': (step / rowsAStep / unit).toFixed(2),
    }
  })
}

const { file, remove } = await bundle('bench/cases.ts')
try {
  console.table(measure(await import(file)))
} finally {
  remove()
}
