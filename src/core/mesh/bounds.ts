/** [3] least and greatest coordinates. */
export function boundsOf(positions: Float64Array): { min: number[]; max: number[] } {
  const min = [Infinity, Infinity, Infinity]
  const max = [-Infinity, -Infinity, -Infinity]
  for (let i = 0; i < positions.length; i++) {
    const axis = i % 3
    if (positions[i]! < min[axis]!) min[axis] = positions[i]!
    if (positions[i]! > max[axis]!) max[axis] = positions[i]!
  }
  return { min, max }
}
