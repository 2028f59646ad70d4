import type { SkinOutput } from '../../headless.js'

/**
 * Copies the vertices of one mesh out of those of a whole body, from the body's space into the mesh's. Normals turn with
 * the cofactors of the map, as those of faces do, tangents with the map itself. Allocates nothing.
 * @param first the mesh's first vertex among those of the body
 * @param m [16] affine map from the body's space, column by column as three's Matrix4.elements
 * @param mirrored true where the body's faces are wound the other way than the mesh's
 */
export function carryPart(
  body: SkinOutput,
  first: number,
  m: ArrayLike<number>,
  mirrored: boolean,
  out: SkinOutput,
): void {
  carryPositions(body.positions, 3 * first, m, out.positions, out.bounds)
  boundSphere(out.positions, out.bounds)
  carryNormals(body.normals, 3 * first, m, mirrored, out.normals)
  if (body.tangents && out.tangents) carryTangents(body.tangents, 4 * first, m, out.tangents)
}

function carryPositions(
  from: Float32Array,
  start: number,
  m: ArrayLike<number>,
  to: Float32Array,
  bounds: Float64Array,
): void {
  const m0 = m[0]!
  const m1 = m[1]!
  const m2 = m[2]!
  const m4 = m[4]!
  const m5 = m[5]!
  const m6 = m[6]!
  const m8 = m[8]!
  const m9 = m[9]!
  const m10 = m[10]!
  const m12 = m[12]!
  const m13 = m[13]!
  const m14 = m[14]!
  for (let axis = 0; axis < 3; axis++) {
    bounds[axis] = Number.POSITIVE_INFINITY
    bounds[3 + axis] = Number.NEGATIVE_INFINITY
  }
  for (let i = 0; i < to.length; i += 3) {
    const x = from[start + i]!
    const y = from[start + i + 1]!
    const z = from[start + i + 2]!
    to[i] = m0 * x + m4 * y + m8 * z + m12
    to[i + 1] = m1 * x + m5 * y + m9 * z + m13
    to[i + 2] = m2 * x + m6 * y + m10 * z + m14
    for (let axis = 0; axis < 3; axis++) {
      const value = to[i + axis]!
      if (value < bounds[axis]!) bounds[axis] = value
      if (value > bounds[3 + axis]!) bounds[3 + axis] = value
    }
  }
}

/** The smallest sphere about the middle of the box. */
function boundSphere(points: Float32Array, bounds: Float64Array): void {
  for (let axis = 0; axis < 3; axis++) bounds[6 + axis] = (bounds[axis]! + bounds[3 + axis]!) / 2
  const cx = bounds[6]!
  const cy = bounds[7]!
  const cz = bounds[8]!
  let square = 0
  for (let i = 0; i < points.length; i += 3) {
    const dx = points[i]! - cx
    const dy = points[i + 1]! - cy
    const dz = points[i + 2]! - cz
    const distance = dx * dx + dy * dy + dz * dz
    if (distance > square) square = distance
  }
  bounds[9] = Math.sqrt(square)
}

function carryNormals(
  from: Float32Array,
  start: number,
  m: ArrayLike<number>,
  mirrored: boolean,
  to: Float32Array,
): void {
  const sign = mirrored ? -1 : 1
  const a = m[0]!
  const b = m[4]!
  const c = m[8]!
  const d = m[1]!
  const e = m[5]!
  const f = m[9]!
  const g = m[2]!
  const h = m[6]!
  const i = m[10]!
  for (let k = 0; k < to.length; k += 3) {
    const x = from[start + k]!
    const y = from[start + k + 1]!
    const z = from[start + k + 2]!
    const nx = (e * i - f * h) * x + (f * g - d * i) * y + (d * h - e * g) * z
    const ny = (c * h - b * i) * x + (a * i - c * g) * y + (b * g - a * h) * z
    const nz = (b * f - c * e) * x + (c * d - a * f) * y + (a * e - b * d) * z
    const square = nx * nx + ny * ny + nz * nz
    if (square === 0) continue // a flattened mesh keeps its last normals
    const scale = sign / Math.sqrt(square)
    to[k] = nx * scale
    to[k + 1] = ny * scale
    to[k + 2] = nz * scale
  }
}

/** Handedness stays: it says how the mesh's own uv lie. */
function carryTangents(from: Float32Array, start: number, m: ArrayLike<number>, to: Float32Array): void {
  for (let k = 0; k < to.length; k += 4) {
    const x = from[start + k]!
    const y = from[start + k + 1]!
    const z = from[start + k + 2]!
    const tx = m[0]! * x + m[4]! * y + m[8]! * z
    const ty = m[1]! * x + m[5]! * y + m[9]! * z
    const tz = m[2]! * x + m[6]! * y + m[10]! * z
    const square = tx * tx + ty * ty + tz * tz
    if (square === 0) continue // a flattened mesh keeps its last tangents
    const scale = 1 / Math.sqrt(square)
    to[k] = tx * scale
    to[k + 1] = ty * scale
    to[k + 2] = tz * scale
    to[k + 3] = from[start + k + 3]!
  }
}
