import { atan2 } from '../math/elementary.js'
import { bakeCompliance, type Columns, complianceOrModulus, type EvaluatedKind, type Rows } from './kind.js'
import { isSliver, LEAN, MOST_TURN } from './membrane.js'

const PI = 3.141592653589793
/** Square of twice an area [m^4] below which it has lost its digits to underflow. */
const NO_AREA = 1e-200

/**
 * Two triangles (0, 1, 2) and (1, 0, 3) at their common edge 0 1 keep the angle between them (Grinspun et al. 2003):
 * C = theta - theta0 [rad], theta = 0 where they are flat, compliance [rad/(N m)]. The difference is taken the short way
 * round, -pi to pi, so that a sheet folded through itself unfolds the way it came. A triangle without area has no angle
 * and is let alone. At a lean triangle a sweep turns it by at most `MOST_TURN`, which is the second of the rest values:
 * turned right over, it would be drawn out to several times its height, and its neighbours would do the same to it.
 */
export const bending: EvaluatedKind = {
  name: 'bending',
  arity: 4,
  contract: 'scalar',
  bounds: 'equality',
  internal: true,
  ...complianceOrModulus('rad/(N m)', 'N m', {
    quantity: 'bending rigidity',
    default: 1e-4,
    min: 0,
    remedy: 'Use 1e-4 N m for a cloth, 1e-2 for a stiff one, 0 for no bending stiffness.',
  }),
  restSize: 2,
  lambdaSize: 1,
  materialSize: 1,
  bake: bakeCompliance,

  measure(x, indices, at, _count, _m, rest, restAt) {
    const [i, j, k, l] = [indices[at]!, indices[at + 1]!, indices[at + 2]!, indices[at + 3]!]
    rest[restAt] = hingeAngle(x, indices, at)
    rest[restAt + 1] = isSliver(x, i, j, k, LEAN) || isSliver(x, i, j, l, LEAN) ? MOST_TURN : Number.POSITIVE_INFINITY
  },

  mostTurn: ({ rest }, row) => rest[row * 2 + 1]!,

  evaluate({ indices, rest }, row, x, C) {
    const turned = hingeAngle(x, indices, row * 4) - rest[row * 2]!
    C[0] = turned > PI ? turned - 2 * PI : turned < -PI ? turned + 2 * PI : turned
  },

  project(rows: Rows, start: number, end: number, columns: Columns) {
    const { indices, rest, material, lambda } = rows
    const x = columns.positions
    const w = columns.inverseMasses
    for (let row = start; row < end; row++) {
      const at = row * 4
      const i0 = indices[at]!
      const i1 = indices[at + 1]!
      const i2 = indices[at + 2]!
      const i3 = indices[at + 3]!
      const w0 = w[i0]!
      const w1 = w[i1]!
      const w2 = w[i2]!
      const w3 = w[i3]!
      if (w0 + w1 + w2 + w3 === 0) continue // pinned
      const p0 = i0 * 3
      const p1 = i1 * 3
      const p2 = i2 * 3
      const p3 = i3 * 3
      const x0 = x[p0]!
      const y0 = x[p0 + 1]!
      const z0 = x[p0 + 2]!
      const ex = x[p1]! - x0
      const ey = x[p1 + 1]! - y0
      const ez = x[p1 + 2]! - z0
      const ax = x[p2]! - x0
      const ay = x[p2 + 1]! - y0
      const az = x[p2 + 2]! - z0
      const bx = x[p3]! - x0
      const by = x[p3 + 1]! - y0
      const bz = x[p3 + 2]! - z0
      const nx = ey * az - ez * ay
      const ny = ez * ax - ex * az
      const nz = ex * ay - ey * ax
      const mx = by * ez - bz * ey
      const my = bz * ex - bx * ez
      const mz = bx * ey - by * ex
      const n2 = nx * nx + ny * ny + nz * nz
      const m2 = mx * mx + my * my + mz * mz
      const e2 = ex * ex + ey * ey + ez * ez
      if (n2 < NO_AREA || m2 < NO_AREA) continue // a triangle without area: no angle
      const e = Math.sqrt(e2)
      const perE = 1 / e
      const sine = ((ny * mz - nz * my) * ex + (nz * mx - nx * mz) * ey + (nx * my - ny * mx) * ez) * perE
      let C = atan2(sine, nx * mx + ny * my + nz * mz) - rest[row * 2]!
      if (C > PI) C -= 2 * PI
      else if (C < -PI) C += 2 * PI
      // Gradients: -e n / n^2 at 2, -e m / m^2 at 3; at the edge's ends what is opposite, by lever arms.
      const n = e / n2
      const m = e / m2
      const s1 = n * (ex * ax + ey * ay + ez * az) * perE * perE
      const t1 = m * (ex * bx + ey * by + ez * bz) * perE * perE
      const s0 = n - s1
      const t0 = m - t1
      const g0x = s0 * nx + t0 * mx
      const g0y = s0 * ny + t0 * my
      const g0z = s0 * nz + t0 * mz
      const g1x = s1 * nx + t1 * mx
      const g1y = s1 * ny + t1 * my
      const g1z = s1 * nz + t1 * mz
      const alpha = material[row]!
      const weight =
        w0 * (g0x * g0x + g0y * g0y + g0z * g0z) +
        w1 * (g1x * g1x + g1y * g1y + g1z * g1z) +
        w2 * n * n * n2 +
        w3 * m * m * m2 +
        alpha
      if (weight === 0) continue // what could turn it is pinned
      let deltaLambda = (-C - alpha * lambda[row]!) / weight
      const mostTurn = rest[row * 2 + 1]!
      const turn = Math.abs(C + alpha * (lambda[row]! + deltaLambda))
      if (turn > mostTurn) deltaLambda *= mostTurn / turn
      lambda[row] = lambda[row]! + deltaLambda
      const c0 = w0 * deltaLambda
      const c1 = w1 * deltaLambda
      const c2 = w2 * deltaLambda * n
      const c3 = w3 * deltaLambda * m
      x[p0] = x0 + c0 * g0x
      x[p0 + 1] = y0 + c0 * g0y
      x[p0 + 2] = z0 + c0 * g0z
      x[p1] = x[p1]! + c1 * g1x
      x[p1 + 1] = x[p1 + 1]! + c1 * g1y
      x[p1 + 2] = x[p1 + 2]! + c1 * g1z
      x[p2] = x[p2]! - c2 * nx
      x[p2 + 1] = x[p2 + 1]! - c2 * ny
      x[p2 + 2] = x[p2 + 2]! - c2 * nz
      x[p3] = x[p3]! - c3 * mx
      x[p3 + 1] = x[p3 + 1]! - c3 * my
      x[p3 + 2] = x[p3 + 2]! - c3 * mz
    }
  },
}

/** Angle between the triangles at the edge 0 1 of the row that starts at indices[at]: -pi to pi, 0 where they are flat. */
function hingeAngle(x: ArrayLike<number>, indices: ArrayLike<number>, at: number): number {
  const side = (k: number, d: number) => x[indices[at + k]! * 3 + d]! - x[indices[at]! * 3 + d]!
  const [ex, ey, ez] = [side(1, 0), side(1, 1), side(1, 2)]
  const [ax, ay, az] = [side(2, 0), side(2, 1), side(2, 2)]
  const [bx, by, bz] = [side(3, 0), side(3, 1), side(3, 2)]
  const [nx, ny, nz] = [ey * az - ez * ay, ez * ax - ex * az, ex * ay - ey * ax]
  const [mx, my, mz] = [by * ez - bz * ey, bz * ex - bx * ez, bx * ey - by * ex]
  const length = Math.sqrt(ex * ex + ey * ey + ez * ez)
  const triple = (ny * mz - nz * my) * ex + (nz * mx - nx * mz) * ey + (nx * my - ny * mx) * ez
  return atan2(length === 0 ? 0 : triple / length, nx * mx + ny * my + nz * mz)
}
