/**
 * `rows` where LONG is set, and none otherwise. What only `npm test -- --long` plays: more cases of a law that a quicker
 * case in the same file states.
 */
export function long<const T>(...rows: T[]): T[] {
  return process.env.LONG ? rows : []
}
