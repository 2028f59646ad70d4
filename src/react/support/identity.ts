import type { BufferGeometry } from 'three'

const numbers = new WeakMap<object, number>()
let numbered = 0

/** A number that an object keeps, for keys that are to tell objects apart without holding them. */
export function numberOf(object: object): number {
  let number = numbers.get(object)
  if (number === undefined) {
    number = ++numbered
    numbers.set(object, number)
  }
  return number
}

/** What a shape is built from: equal as long as nobody has changed a geometry's positions or its index. */
export function stampOf(geometry: BufferGeometry): readonly unknown[] {
  const position = geometry.getAttribute('position')
  const version = 'data' in position ? position.data.version : position.version
  return [position, version, geometry.index, geometry.index?.version]
}

export function sameStamp(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((part, i) => part === b[i])
}
