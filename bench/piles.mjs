// `node bench/piles.mjs [name ...]`: stacks and piles, second by second: what is inverted, how fast what moves moves, what
// sleeps, and the milliseconds a step by its stages. Without names, all of them.
import { bundle } from '../scripts/bundle.mjs'

const { file, remove } = await bundle('bench/piles.ts')
try {
  /** @type {typeof import('./piles.ts')} */
  const { centers, driftFrom, look, scenes } = await import(file)
  const names = process.argv.slice(2)
  for (const name of names.length > 0 ? names : Object.keys(scenes)) {
    const build = scenes[name]
    if (!build) throw new Error(`There is no ${name}. There are: ${Object.keys(scenes).join(', ')}.`)
    const { world, seconds } = build()
    console.log(`${name}: ${world.bodies.length} bodies`)
    const started = centers(world)
    world.measure(() => Number(process.hrtime.bigint()) / 1e9)
    let before = world.readStageTimes(new Float64Array(5))
    let worst = 0
    let fell = false
    let settled = started
    for (let k = 1; k <= seconds * 60 && !fell; k++) {
      world.step()
      if (k % 5 === 0) worst = Math.max(worst, look(world).inverted)
      if (k === 60) settled = centers(world)
      if (k % 60 !== 0) continue
      const { inverted, fastest, rms, energy } = look(world)
      const times = world.readStageTimes(new Float64Array(5))
      const stages = Array.from(times, (time, s) => (((time - (before[s] ?? 0)) / 60) * 1e3).toFixed(1)).join(' ')
      before = times
      const { sleeping, surfaceCandidates, surfaceContacts, contactClamps, speedClamps, inversionRescues } = world.stats
      console.log(
        `${k / 60} s: inverted ${inverted} (${worst}), fastest ${mm(fastest)}, rms ${mm(rms)} mm/s, ${energy.toExponential(1)} J, ` +
          `drift ${mm(driftFrom(world, settled))} mm, asleep ${sleeping}, pairs ${surfaceCandidates} ${surfaceContacts}, ` +
          `guards ${contactClamps} ${speedClamps} ${inversionRescues}, ms ${stages}`,
      )
      worst = 0
      fell = sleeping === world.bodies.length
    }
  }
} finally {
  remove()
}

/** @param {number} value [m] */
function mm(value) {
  return (value * 1e3).toFixed(2)
}
