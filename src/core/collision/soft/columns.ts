/** `column` with room for at least `length` numbers: the same one, or one twice as long with what was in it. */
export function roomy<T extends Float64Array | Uint32Array | Int32Array | Uint8Array>(column: T, length: number): T {
  if (column.length >= length) return column
  const wider = new (column.constructor as new (length: number) => T)(Math.max(64, length * 2))
  wider.set(column)
  return wider
}
