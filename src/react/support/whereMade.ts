import type { RefObject } from 'react'

/**
 * Runs `mount` for what a ref holds, and returns what undoes it. Where an error in the same canvas has kept React Three
 * Fiber from making the object, effects run nonetheless: there it does nothing, so that the error is the only one.
 */
export function whereMade<T>(
  ref: RefObject<T | null>,
  mount: (object: T) => (() => void) | undefined,
): (() => void) | undefined {
  return ref.current ? mount(ref.current) : undefined
}
