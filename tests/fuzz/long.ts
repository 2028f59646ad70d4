// `npm run fuzz`, bundled for plain Node: a run that is long is not for every push.
import { seeds } from '../support/draw.js'
import { realMesh } from '../support/meshes.js'
import { sized } from '../support/sized.js'
import { playCase } from './cases.js'
import { playHit } from './hits.js'
import { playInvalid } from './invalid.js'
import { playOverlap } from './overlaps.js'
import { playPile } from './piles.js'
import { playPull } from './pulls.js'
import { playSheet } from './sheets.js'
import { playShot } from './shots.js'
import { faultsOf, soak } from './soak.js'
import { type StartModel, settle, startModels, starts } from './starts.js'

const CASES = 10_000
/** One in so many cases is an invalid one. */
const INVALID_EVERY = 4

function playOne(seed: number): void {
  if (seed % INVALID_EVERY === 0) playInvalid(seed / INVALID_EVERY)
  else playCase(seed - Math.ceil(seed / INVALID_EVERY) + 1)
}

function playAll(from: number, count: number): void {
  const failed: number[] = []
  for (let seed = from; seed < from + count; seed++) {
    try {
      playOne(seed)
    } catch (error) {
      failed.push(seed)
      console.error(`case ${seed}: ${(error as Error).message}\n`)
    }
    if (seed % 500 === 0) console.log(`${seed - from + 1} of ${count} cases, ${failed.length} failed`)
  }
  console.log(
    `cases ${from} to ${from + count - 1}: ${failed.length} failed${failed.length ? `: ${failed.join(', ')}` : ''}`,
  )
  if (failed.length > 0) process.exitCode = 1
}

/** What is valid and what is not, of the seed that a failure names. */
function playSeed(seed: number): void {
  playCase(seed)
  playInvalid(seed)
  console.log(`fuzz seed ${seed}: passed`)
}

/** Ten seeds of every start, with the rescue and without, of every mesh or of those whose name has `only` in it. */
async function playStarts(only: string): Promise<void> {
  for (const name of Object.keys(startModels) as StartModel[]) {
    if (!name.includes(only)) continue
    const model = await startModels[name]()
    for (const material of ['neo-Hookean', 'neo-Hookean, rescued', 'shape matching', 'edges and volumes']) {
      // Springs, which are promised nothing, still ring after 3 s.
      const settled = material === 'edges and volumes' ? 0.015 : 0.01
      for (const start of starts) {
        const ends = seeds(10).map((seed) => settle(model, material, start, seed, material === 'neo-Hookean' ? 5 : 3))
        const line = ends.map(
          ({ inverted, volume, rms }) => `${inverted}, ${volume.toFixed(3)}, ${(100 * rms).toFixed(2)}%`,
        )
        console.log(`${name}, ${start}, ${material} (inverted, volume, RMS): ${line.join('; ')}`)
        const lost = ends.filter(
          ({ inverted, volume, rms }) => inverted > 0 || Math.abs(volume - 1) > 0.01 || rms > settled,
        )
        if (lost.length === 0) continue
        console.log(`${lost.length} of 10 did not find back`)
        process.exitCode = 1
      }
    }
  }
}

/** Says of each seed what a law forbids, and counts the seeds. */
function playLaws<T extends object>(count: number, play: (seed: number) => T, faults: (report: T) => string[]): void {
  const failed: number[] = []
  for (let seed = from; seed < from + count; seed++) {
    const report = play(seed)
    const found = faults(report)
    if (found.length === 0) continue
    failed.push(seed)
    console.log(`seed ${seed}: ${found.join(', ')}: ${JSON.stringify(report)}`)
  }
  console.log(`${count} seeds from ${from}: ${failed.length} failed${failed.length ? `: ${failed.join(', ')}` : ''}`)
  if (failed.length > 0) process.exitCode = 1
}

/** The names of what should be zero, or false, and is not. */
const said = (faults: Record<string, number | boolean>): string[] =>
  Object.entries(faults).flatMap(([name, value]) => (value ? [name] : []))

function playShots(count: number): void {
  let fastest = 0
  playLaws(count, playShot, ({ crossed, contactClamps, speedClamps, gained, speed, fastest: most }) => {
    fastest = Math.max(fastest, most / speed)
    return said({ crossed, contactClamps, speedClamps, gained: gained > 1e-6 })
  })
  console.log(`the fastest particle had ${fastest.toFixed(1)} times the speed of its shot`)
}

function playHits(count: number): void {
  playLaws(count, playHit, ({ crossed, contactClamps, speedClamps, nonFiniteRescues, gained }) =>
    said({ crossed, contactClamps, speedClamps, nonFiniteRescues, gained: gained > 1e-6 }),
  )
}

function playPiles(count: number): void {
  let speed = 0
  playLaws(
    count,
    (seed) => playPile(seed, 6),
    ({ finite, crossed, below, contactClamps, speedClamps, inversionRescues, speed: last }) => {
      speed = Math.max(speed, last)
      return said({ burst: !finite, crossed, below, contactClamps, speedClamps, inversionRescues })
    },
  )
  console.log(`the liveliest moved by ${(1000 * speed).toFixed(1)} mm/s (RMS) at the end`)
}

async function playOverlaps(count: number): Promise<void> {
  const bunny = sized(await realMesh('bunny'), 0.7)
  let fastest = 0
  playLaws(
    count,
    (seed) => playOverlap(seed, bunny),
    ({ apart, within, speedClamps, contactClamps, momentum, fastest: most }) => {
      fastest = Math.max(fastest, most)
      // What has come apart may touch again: rims of two solids slip into each other by a little then.
      const locked = apart === Number.POSITIVE_INFINITY
      return said({ locked, within, speedClamps, contactClamps, gained: momentum > 1e-9, fast: most > 9 })
    },
  )
  console.log(`the fastest particle had ${fastest.toFixed(1)} m/s`)
}

function playSheets(count: number): void {
  let fastest = 0
  playLaws(
    count,
    (seed) => playSheet(seed),
    ({ crossed, within, slept, speedClamps, contactClamps, nonFiniteRescues, fastest: most }) => {
      fastest = Math.max(fastest, most)
      return said({ crossed, within, slept, speedClamps, contactClamps, nonFiniteRescues })
    },
  )
  console.log(`the fastest particle had ${fastest.toFixed(1)} m/s`)
}

function playPulls(count: number): void {
  let fastest = 0
  playLaws(count, playPull, ({ crossed, within, speedClamps, contactClamps, fastest: most }) => {
    fastest = Math.max(fastest, most)
    return said({ crossed, within, speedClamps, contactClamps })
  })
  console.log(`the fastest particle had ${fastest.toFixed(1)} m/s`)
}

function playSoak(minutes: number): void {
  const soaked = soak(minutes)
  console.log(JSON.stringify(soaked))
  const faults = faultsOf(soaked)
  if (faults.length === 0) return
  console.error(`soak of ${minutes} minutes: ${faults.join(', ')}`)
  process.exitCode = 1
}

const OPTIONS = ['seed', 'from', 'count', 'soak', 'starts', 'shots', 'hits', 'overlaps', 'sheets', 'piles', 'pulls']
const unknown = process.argv.slice(2).find((arg) => arg.startsWith('--') && !OPTIONS.includes(arg.slice(2)))
if (unknown !== undefined) {
  console.error(`npm run fuzz: there is no ${unknown}. Use one of: --${OPTIONS.join(', --')}.`)
  process.exit(2)
}
const option = (name: string): string | undefined => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? undefined : (process.argv[at + 1] ?? '')
}
const seed = option('seed')
const from = Number(option('from') ?? 1)
if (seed !== undefined) playSeed(Number(seed))
else if (option('soak') !== undefined) playSoak(Number(option('soak')) || 30)
else if (option('starts') !== undefined) await playStarts(option('starts')!)
else if (option('shots') !== undefined) playShots(Number(option('shots')) || 240)
else if (option('hits') !== undefined) playHits(Number(option('hits')) || 240)
else if (option('overlaps') !== undefined) await playOverlaps(Number(option('overlaps')) || 60)
else if (option('sheets') !== undefined) playSheets(Number(option('sheets')) || 60)
else if (option('pulls') !== undefined) playPulls(Number(option('pulls')) || 60)
else if (option('piles') !== undefined) playPiles(Number(option('piles')) || 60)
else playAll(from, Number(option('count') ?? CASES))
