/** How far a point must stand out to count, as a part of the cloud's diagonal. */
const EDGE = 1e-9
/** How thick a cloud must be, likewise. */
const FLAT = 1e-6

interface Face {
  /** Its corners, counter-clockwise as seen from outside, and the faces beyond the edges from each on. */
  readonly corners: readonly [number, number, number]
  readonly beyond: [Face | null, Face | null, Face | null]
  /** Unit normal, and height of the plane over the origin [m]. */
  readonly plane: readonly [number, number, number, number]
  /** Points above it that no other face has, and the highest of them. */
  above: number[]
  gone: boolean
}

/**
 * Triangles of the convex hull of points, by quickhull (Barber, Dobkin, Huhdanpaa 1996): the point that stands out most
 * of a face takes the place of all the faces that it sees. Points within 1e-9 of the diagonal of a face are in it, so
 * that grids of coplanar points leave no slivers.
 * @param positions [3 n] m
 * @returns [3 t] points of each triangle; null where the points are all in one plane
 */
export function quickhull(positions: Float64Array): Uint32Array | null {
  const size = diagonalOf(positions)
  const first = firstFaces(positions, FLAT * size)
  if (!first) return null
  const edge = EDGE * size
  const count = positions.length / 3
  for (let p = 0; p < count; p++) give(positions, first, p, edge)
  const faces = [...first]
  for (let at = 0; at < faces.length; at++) {
    const face = faces[at]!
    if (face.gone || face.above.length === 0) continue
    let eye = face.above[0]!
    for (const p of face.above) if (height(positions, face, p) > height(positions, face, eye)) eye = p
    const { seen, horizon } = look(positions, face, eye, edge)
    const added = cone(positions, horizon, eye)
    for (const old of seen) {
      old.gone = true
      for (const p of old.above) if (p !== eye) give(positions, added, p, edge)
      old.above = []
    }
    faces.push(...added)
  }
  return Uint32Array.from(faces.filter(({ gone }) => !gone).flatMap(({ corners }) => corners))
}

function diagonalOf(x: Float64Array): number {
  let square = 0
  for (let d = 0; d < 3; d++) {
    let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
    for (let p = d; p < x.length; p += 3) [min, max] = [Math.min(min, x[p]!), Math.max(max, x[p]!)]
    square += (max - min) * (max - min)
  }
  return Math.sqrt(square)
}

function height(x: Float64Array, { plane: [nx, ny, nz, h] }: Face, p: number): number {
  return nx * x[3 * p]! + ny * x[3 * p + 1]! + nz * x[3 * p + 2]! - h
}

/** Leaves a point to the face that it stands out of most, if to any. */
function give(x: Float64Array, faces: readonly Face[], p: number, edge: number): void {
  let best: Face | null = null
  let most = edge
  for (const face of faces) {
    const h = height(x, face, p)
    if (h > most) [best, most] = [face, h]
  }
  best?.above.push(p)
}

function faceOf(x: Float64Array, a: number, b: number, c: number): Face {
  const u = [0, 1, 2].map((d) => x[3 * b + d]! - x[3 * a + d]!) as [number, number, number]
  const v = [0, 1, 2].map((d) => x[3 * c + d]! - x[3 * a + d]!) as [number, number, number]
  const n = cross(u, v)
  const size = Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2])
  const [nx, ny, nz] = [n[0] / size, n[1] / size, n[2] / size]
  const h = nx * x[3 * a]! + ny * x[3 * a + 1]! + nz * x[3 * a + 2]!
  return { corners: [a, b, c], beyond: [null, null, null], plane: [nx, ny, nz, h], above: [], gone: false }
}

function cross(u: readonly [number, number, number], v: readonly [number, number, number]): [number, number, number] {
  return [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
}

/** A tetrahedron of points far from each other; null where none is thicker than `flat`. */
function firstFaces(x: Float64Array, flat: number): Face[] | null {
  const a = farthest(x, (p) => -x[3 * p]!)
  const b = farthest(x, (p) => square(x, p, a))
  const axis = [0, 1, 2].map((d) => x[3 * b + d]! - x[3 * a + d]!) as [number, number, number]
  const beside = (p: number) => {
    const n = cross(axis, [0, 1, 2].map((d) => x[3 * p + d]! - x[3 * a + d]!) as [number, number, number])
    return n[0] * n[0] + n[1] * n[1] + n[2] * n[2]
  }
  const c = farthest(x, beside)
  const length = square(x, a, b)
  // |axis x p| is the length times the distance from the line.
  if (!(beside(c) > length * flat * flat)) return null
  const base = faceOf(x, a, b, c)
  const d = farthest(x, (p) => Math.abs(height(x, base, p)))
  if (!(Math.abs(height(x, base, d)) > flat)) return null
  const [second, third] = height(x, base, d) > 0 ? [c, b] : [b, c]
  const faces = [
    faceOf(x, a, second, third),
    faceOf(x, a, third, d),
    faceOf(x, third, second, d),
    faceOf(x, second, a, d),
  ]
  join(faces)
  return faces
}

function square(x: Float64Array, p: number, q: number): number {
  let sum = 0
  for (let d = 0; d < 3; d++) sum += (x[3 * p + d]! - x[3 * q + d]!) * (x[3 * p + d]! - x[3 * q + d]!)
  return sum
}

/** The point for which a measure is largest, of several the first. */
function farthest(x: Float64Array, measure: (p: number) => number): number {
  let best = 0
  for (let p = 1; p < x.length / 3; p++) if (measure(p) > measure(best)) best = p
  return best
}

/** Makes faces with a common edge neighbours of each other, where they have none. */
function join(faces: readonly Face[]): void {
  const open = new Map<string, [Face, number]>()
  for (const face of faces) {
    for (let k = 0; k < 3; k++) {
      if (face.beyond[k]) continue
      const [from, to] = [face.corners[k]!, face.corners[(k + 1) % 3]!]
      const other = open.get(`${to},${from}`)
      if (!other) open.set(`${from},${to}`, [face, k])
      else {
        face.beyond[k] = other[0]
        other[0].beyond[other[1]] = face
      }
    }
  }
}

/** The faces that are seen from a point, and the edges about them with the faces beyond. */
function look(x: Float64Array, from: Face, eye: number, edge: number) {
  const seen = [from]
  const known = new Set(seen)
  const horizon: { from: number; to: number; beyond: Face }[] = []
  for (let at = 0; at < seen.length; at++) {
    const face = seen[at]!
    for (let k = 0; k < 3; k++) {
      const beyond = face.beyond[k]!
      if (known.has(beyond)) continue
      if (height(x, beyond, eye) > edge) {
        known.add(beyond)
        seen.push(beyond)
      }
    }
  }
  for (const face of seen) {
    for (let k = 0; k < 3; k++) {
      const beyond = face.beyond[k]!
      if (!known.has(beyond)) horizon.push({ from: face.corners[k]!, to: face.corners[(k + 1) % 3]!, beyond })
    }
  }
  return { seen, horizon }
}

/** Faces from each edge of a horizon to a point. */
function cone(x: Float64Array, horizon: readonly { from: number; to: number; beyond: Face }[], eye: number): Face[] {
  const faces = horizon.map(({ from, to, beyond }) => {
    const face = faceOf(x, from, to, eye)
    face.beyond[0] = beyond
    for (let k = 0; k < 3; k++) {
      if (beyond.corners[k] === to && beyond.corners[(k + 1) % 3] === from) beyond.beyond[k] = face
    }
    return face
  })
  join(faces)
  return faces
}
