import type { Columns, EvaluatedKind, Rows } from './kind.js'

/** A pivot below this part of its diagonal entry belongs to a constraint that the others have met already. */
const DEPENDENT = 1e-12
/** Height by longest side below which a triangle is a sliver. */
const SLIVER = 0.1
/** Height by longest side below which a triangle is lean. */
export const LEAN = 0.3
/**
 * By how much a row may turn the threads of a lean triangle, or its hinges [rad]. It moves points along the tangent, so that
 * a triangle turned by C grows by C^2 / 2, 2% here, and one that is turned right over to three times its height.
 */
export const MOST_TURN = 0.2
/** Heights by which the longest side of a sliver may be off its threads. */
const ASKEW = 1.5
/** Compliance of what does not resist: finite, so that it never meets a multiplier of zero as 0 times Infinity. */
const LIMP = 1e30
/** Cosine to the y axis beyond which the normal of a triangle leaves the y axis no direction within it. */
const LEVEL = 0.99

/** Of the longest side of the triangle last looked at: its direction, and its length [m]. */
const longest = new Float64Array(4)

/** True for a sliver, or what is lower than another part of its longest side; that is in `longest` then. */
export function isSliver(x: ArrayLike<number>, a: number, b: number, c: number, part = SLIVER): boolean {
  longest.fill(0)
  let sum = 0
  let squares = 0
  const measureSide = (i: number, j: number) => {
    const [dx, dy, dz] = [x[j * 3]! - x[i * 3]!, x[j * 3 + 1]! - x[i * 3 + 1]!, x[j * 3 + 2]! - x[i * 3 + 2]!]
    const square = dx * dx + dy * dy + dz * dz
    const length = Math.sqrt(square)
    sum += square
    squares += square * square
    if (length > longest[3]!) longest.set([dx / length, dy / length, dz / length, length])
  }
  measureSide(a, b)
  measureSide(b, c)
  measureSide(c, a)
  // 16 A^2, of the squares of the sides (Heron), by the square of the longest twice: (2 height / longest)^2.
  const most = longest[3]! * longest[3]!
  return sum * sum - 2 * squares < 4 * part * part * most * most
}

/** True for a lean triangle, by its rest values. */
function isLean(rest: ArrayLike<number>, at: number): boolean {
  const [u1, v1, u2, v2] = [rest[at]!, rest[at + 1]!, rest[at + 2]!, rest[at + 3]!]
  const twiceArea = 1 / (u1 * v2 - u2 * v1)
  const squareOf = (u: number, v: number) => (u * u + v * v) * twiceArea * twiceArea
  return twiceArea < LEAN * Math.max(squareOf(u2, v2), squareOf(u1, v1), squareOf(u1 + u2, v1 + v2))
}

/**
 * A triangle of woven cloth, the strain in it constant: C = (|F u| - 1, |F v| - 1, F u . F v / (|F u| |F v|)) with the
 * compliances 1 / (W A), 1 / (S A), 1 / (G A), F the deformation gradient, A the area at rest. W and S are the tension per
 * width and strain along the threads u, the weft, and v, the warp (W is S unless given), G the shear force per width and angle between them; neither adds to the other, so
 * a strip along the threads shows S, and a sheared square G, exactly. (Strains along two directions of a triangle and the
 * shear between them: Baraff and Witkin 1998. Here they are solved together. Their F u . F v grows with the strains, and
 * where a cloth is drawn out to several times its length would overshoot; the sine of the angle does not.)
 *
 * The threads v run along the rest shape's y axis as far as the triangle lets them, and u across; in a level triangle u
 * runs along x. A sliver that lies across them has u along its longest side: threads that both run nearly from there to the
 * corner opposite tell little of it but its height, and what is moved by more than that in a substep would be thrown about (a
 * disc of cloth with such triangles at its rim at 30 m/s). A lean triangle is sheared back by at most `MOST_TURN` a sweep.
 * Rest values are the inverse of the rest edges in these directions, by rows.
 */
export const membrane: EvaluatedKind = {
  name: 'membrane',
  arity: 3,
  contract: 'block',
  bounds: 'equality',
  internal: true,
  parameters: {
    stretchModulus: {
      quantity: 'tension per strain along the threads',
      unit: 'N/m',
      type: 'number',
      default: 1000,
      min: 0,
      max: Number.POSITIVE_INFINITY,
      remedy: 'Use 1000 for cotton, Infinity for what does not stretch.',
    },
    weftModulus: {
      quantity: 'tension per strain across the warp',
      unit: 'N/m',
      type: 'number',
      default: undefined,
      optional: true,
      min: 0,
      max: Number.POSITIVE_INFINITY,
      remedy: 'Leave it out for a cloth that is alike along both threads.',
    },
    shearModulus: {
      quantity: 'tension per angle between the threads',
      unit: 'N/m',
      type: 'number',
      default: 100,
      min: 0,
      max: Number.POSITIVE_INFINITY,
      remedy: 'Use 200 for cotton, Infinity for what does not shear.',
    },
  },
  ways: [
    ['stretchModulus', 'shearModulus'],
    ['stretchModulus', 'weftModulus', 'shearModulus'],
  ],
  restSize: 4,
  lambdaSize: 3,
  materialSize: 4,

  bake(
    { stretchModulus, weftModulus = stretchModulus, shearModulus },
    { unitCompliance, h, rest, restAt },
    material,
    at,
  ) {
    material[at] = Math.min(LIMP, unitCompliance / (weftModulus! * h * h))
    material[at + 1] = Math.min(LIMP, unitCompliance / (stretchModulus! * h * h))
    material[at + 2] = Math.min(LIMP, unitCompliance / (shearModulus! * h * h))
    material[at + 3] = isLean(rest, restAt) ? MOST_TURN : Number.POSITIVE_INFINITY
  },

  measure(x, indices, at, _count, _m, rest, restAt) {
    const edge = (k: number, d: number) => x[indices[at + k]! * 3 + d]! - x[indices[at]! * 3 + d]!
    const [ax, ay, az] = [edge(1, 0), edge(1, 1), edge(1, 2)]
    const [bx, by, bz] = [edge(2, 0), edge(2, 1), edge(2, 2)]
    let [nx, ny, nz] = [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx]
    const twiceArea = Math.sqrt(nx * nx + ny * ny + nz * nz)
    nx /= twiceArea
    ny /= twiceArea
    nz /= twiceArea
    // u = y x n, or x less its part along n; v = n x u.
    const level = Math.abs(ny) > LEVEL
    let [ux, uy, uz] = level ? [1 - nx * nx, -nx * ny, -nx * nz] : [nz, 0, -nx]
    const size = Math.sqrt(ux * ux + uy * uy + uz * uz)
    ux /= size
    uy /= size
    uz /= size
    let [vx, vy, vz] = [ny * uz - nz * uy, nz * ux - nx * uz, nx * uy - ny * ux]
    if (isSliver(x, indices[at]!, indices[at + 1]!, indices[at + 2]!)) {
      const [lx, ly, lz, length] = longest as unknown as [number, number, number, number]
      const off = Math.min(Math.abs(lx * ux + ly * uy + lz * uz), Math.abs(lx * vx + ly * vy + lz * vz))
      if (off * length * length > ASKEW * twiceArea) {
        ;[ux, uy, uz] = [lx, ly, lz]
        ;[vx, vy, vz] = [ny * uz - nz * uy, nz * ux - nx * uz, nx * uy - ny * ux]
      }
    }
    rest[restAt] = (bx * vx + by * vy + bz * vz) / twiceArea
    rest[restAt + 1] = -(bx * ux + by * uy + bz * uz) / twiceArea
    rest[restAt + 2] = -(ax * vx + ay * vy + az * vz) / twiceArea
    rest[restAt + 3] = (ax * ux + ay * uy + az * uz) / twiceArea
  },

  mostTurn: ({ material }, row) => material[row * 4 + 3]!,

  evaluate({ indices, rest }, row, x, C) {
    const F = (d: number, thread: number) => {
      const x0 = x[indices[row * 3]! * 3 + d]!
      const a = x[indices[row * 3 + 1]! * 3 + d]! - x0
      const b = x[indices[row * 3 + 2]! * 3 + d]! - x0
      return a * rest[row * 4 + thread]! + b * rest[row * 4 + 2 + thread]!
    }
    const dot = (i: number, j: number) => F(0, i) * F(0, j) + F(1, i) * F(1, j) + F(2, i) * F(2, j)
    C[0] = Math.sqrt(dot(0, 0)) - 1
    C[1] = Math.sqrt(dot(1, 1)) - 1
    C[2] = dot(0, 1) / Math.sqrt(dot(0, 0) * dot(1, 1))
  },

  project(rows: Rows, start: number, end: number, columns: Columns) {
    const { indices, rest, material, lambda } = rows
    const x = columns.positions
    const w = columns.inverseMasses
    for (let row = start; row < end; row++) {
      const at = row * 3
      const i0 = indices[at]!
      const i1 = indices[at + 1]!
      const i2 = indices[at + 2]!
      const w0 = w[i0]!
      const w1 = w[i1]!
      const w2 = w[i2]!
      if (w0 + w1 + w2 === 0) continue // pinned
      const p0 = i0 * 3
      const p1 = i1 * 3
      const p2 = i2 * 3
      const x0 = x[p0]!
      const y0 = x[p0 + 1]!
      const z0 = x[p0 + 2]!
      const ax = x[p1]! - x0
      const ay = x[p1 + 1]! - y0
      const az = x[p1 + 2]! - z0
      const bx = x[p2]! - x0
      const by = x[p2 + 1]! - y0
      const bz = x[p2 + 2]! - z0
      // F u = sum u_i x_i and F v = sum v_i x_i.
      const u1 = rest[row * 4]!
      const v1 = rest[row * 4 + 1]!
      const u2 = rest[row * 4 + 2]!
      const v2 = rest[row * 4 + 3]!
      const u0 = -u1 - u2
      const v0 = -v1 - v2
      const Ux = ax * u1 + bx * u2
      const Uy = ay * u1 + by * u2
      const Uz = az * u1 + bz * u2
      const Vx = ax * v1 + bx * v2
      const Vy = ay * v1 + by * v2
      const Vz = az * v1 + bz * v2
      const lu = Math.sqrt(Ux * Ux + Uy * Uy + Uz * Uz)
      const lv = Math.sqrt(Vx * Vx + Vy * Vy + Vz * Vz)
      if (lu === 0 || lv === 0) continue // no direction to part in
      const c = (Ux * Vx + Uy * Vy + Uz * Vz) / (lu * lv)
      const p = w0 * u0 * u0 + w1 * u1 * u1 + w2 * u2 * u2
      const q = w0 * u0 * v0 + w1 * u1 * v1 + w2 * u2 * v2
      const r = w0 * v0 * v0 + w1 * v1 * v1 + w2 * v2 * v2
      // J W J^T + alphaTilde: the gradients at particle i are u_i a, v_i b and u_i (b - c a) / |Fu| + v_i (a - c b) / |Fv|,
      // a = Fu / |Fu|, b = Fv / |Fv|.
      const alpha0 = material[row * 4]!
      const alpha1 = material[row * 4 + 1]!
      const alpha2 = material[row * 4 + 2]!
      const mostTurn = material[row * 4 + 3]!
      const a00 = p + alpha0
      const a11 = r + alpha1
      const part = 1 - c * c
      const a22 = part * (p / (lu * lu) - (2 * q * c) / (lu * lv) + r / (lv * lv)) + alpha2
      const a01 = q * c
      const a02 = (q * part) / lv
      const a12 = (q * part) / lu
      // Solved as L D L^T.
      const d0 = a00 > 0 ? 1 / a00 : 0
      const l1 = a01 * d0
      const l2 = a02 * d0
      const pivot1 = a11 - l1 * a01
      const d1 = pivot1 > DEPENDENT * a11 ? 1 / pivot1 : 0
      const m = a12 - l2 * a01
      const l3 = m * d1
      const pivot2 = a22 - l2 * a02 - l3 * m
      const d2 = pivot2 > DEPENDENT * a22 ? 1 / pivot2 : 0
      const r0 = 1 - lu - alpha0 * lambda[at]!
      const r1 = 1 - lv - alpha1 * lambda[at + 1]! - l1 * r0
      const r2 = -c - alpha2 * lambda[at + 2]! - l2 * r0 - l3 * r1
      let change2 = r2 * d2
      const turn = Math.abs(c + alpha2 * (lambda[at + 2]! + change2))
      if (turn > mostTurn) change2 *= mostTurn / turn
      const change1 = r1 * d1 - l3 * change2
      const change0 = r0 * d0 - l1 * change1 - l2 * change2
      lambda[at] = lambda[at]! + change0
      lambda[at + 1] = lambda[at + 1]! + change1
      lambda[at + 2] = lambda[at + 2]! + change2
      // Particle i moves by w_i (u_i g + v_i k).
      const across = change2 / (lu * lv)
      const su = (change0 - (change2 * c) / lu) / lu
      const sv = (change1 - (change2 * c) / lv) / lv
      const gx = su * Ux + across * Vx
      const gy = su * Uy + across * Vy
      const gz = su * Uz + across * Vz
      const kx = sv * Vx + across * Ux
      const ky = sv * Vy + across * Uy
      const kz = sv * Vz + across * Uz
      x[p0] = x0 + w0 * (u0 * gx + v0 * kx)
      x[p0 + 1] = y0 + w0 * (u0 * gy + v0 * ky)
      x[p0 + 2] = z0 + w0 * (u0 * gz + v0 * kz)
      x[p1] = x[p1]! + w1 * (u1 * gx + v1 * kx)
      x[p1 + 1] = x[p1 + 1]! + w1 * (u1 * gy + v1 * ky)
      x[p1 + 2] = x[p1 + 2]! + w1 * (u1 * gz + v1 * kz)
      x[p2] = x[p2]! + w2 * (u2 * gx + v2 * kx)
      x[p2 + 1] = x[p2 + 1]! + w2 * (u2 * gy + v2 * ky)
      x[p2 + 2] = x[p2 + 2]! + w2 * (u2 * gz + v2 * kz)
    }
  },
}
