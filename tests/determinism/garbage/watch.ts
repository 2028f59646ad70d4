import { PerformanceObserver } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { getHeapStatistics } from 'node:v8'

/** Steps after which moving things are where they were. */
export const PERIOD = 360
/** Two turns: what happens once a turn is in each window. */
const STEPS = 2 * PERIOD
/**
 * Three quarters of the 16 bytes of the smallest thing that could be allocated [bytes a step]: what is done a few times in
 * a window, such as to tell of an impact, is never compiled and may take the rest.
 */
const NOTHING = 12

/** What each window of steps did to the heap. */
export interface Heap {
  /** Steps of a window. */
  readonly steps: number
  readonly limit: number
  /** [bytes], of each window; null where garbage was collected, which hides what it was. */
  readonly growth: readonly (number | null)[]
}

/**
 * Runs windows of frames until one has left the heap alone, at most so many, and prints their growth as JSON; needs
 * `--expose-gc`. Code that is not compiled yet allocates, and so does compiling, which goes on beside the program for as
 * long as a busy machine makes it: so the first windows prove nothing. What the engine itself allocates is in all.
 */
export async function watch(frame: () => void, mostWindows: number): Promise<void> {
  const limit = NOTHING * STEPS
  const collections: { startTime: number }[] = []
  const observer = new PerformanceObserver((list) => void collections.push(...list.getEntries()))
  observer.observe({ entryTypes: ['gc'] })
  getHeapStatistics() // its own first call allocates
  const growth: (number | null)[] = []
  while (growth.length < mostWindows && !growth.some((one) => one !== null && one < limit)) {
    globalThis.gc!()
    await sleep(100)
    const from = performance.now()
    const grown = run(frame)
    const to = performance.now()
    await sleep(50)
    const collected = collections.some(({ startTime }) => startTime >= from && startTime <= to)
    growth.push(collected ? null : grown)
  }
  observer.disconnect()
  const heap: Heap = { steps: STEPS, limit, growth }
  console.log(JSON.stringify(heap))
}

/** Growth by all frames [bytes]. Asked frame by frame, the heap counts things, not the chunks that they are given room in. */
function run(frame: () => void): number {
  let grown = 0
  for (let k = 0; k < STEPS; k++) {
    const before = getHeapStatistics().used_heap_size
    frame()
    grown += getHeapStatistics().used_heap_size - before
  }
  return grown
}
