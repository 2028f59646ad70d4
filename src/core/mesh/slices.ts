/**
 * How long work is run: every mesh builder is a generator which yields each time it has done about a millisecond of
 * work, so that the same code runs at once in Node and a slice at a time beside a page's frames.
 */

/** Runs a builder to its end and returns its result. */
export function runToEnd<T>(work: Generator<void, T>): T {
  let next = work.next()
  while (!next.done) next = work.next()
  return next.value
}

/**
 * Runs a builder in slices.
 * @param shouldPause asked after every yield; true ends the slice (core has no clock, so the caller brings one)
 * @param pause resolves when the next slice may start
 * @param signal once `aborted`, the work stops at the next yield
 * @returns the result, or undefined when the work was aborted
 */
export async function runInSlices<T>(
  work: Generator<void, T>,
  shouldPause: () => boolean,
  pause: () => Promise<void>,
  signal?: { readonly aborted: boolean },
): Promise<T | undefined> {
  while (true) {
    if (signal?.aborted) {
      work.return(undefined as never)
      return undefined
    }
    const next = work.next()
    if (next.done) return next.value
    if (shouldPause()) await pause()
  }
}
