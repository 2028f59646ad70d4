import { symmetricAdjugate } from '../math/adjugate.js'
import type { Columns, EvaluatedKind, Rows } from './kind.js'
import { findResponse, findSolved, laterOf, M, more, stiffness } from './neoHookeanResponse.js'

const REST = Math.sqrt(3)
/**
 * |F| below which a tetrahedron is unfolded as one that has collapsed, wholly and in part: what is crushed flat has 0.82. All
 * at once, it would tremble where a load crushes it there.
 */
const COLLAPSED = 0.6 * REST
export const COLLAPSING = 0.8 * REST
/** |F| above which a change of volume is far stiffer than at rest: it is solved with lambda + mu, as if nothing came later. */
const FAR = 1.5 * REST
/** |F| below which it has no direction left to unfold in. */
export const POINT = 1e-6

/** Keeps a tetrahedron on a line, which has no inertia about it, from a division by zero. */
const LEAST = 1e-15

/** Largest response over compliance: what is stiffer cannot be resolved by a substep, and is made as soft as this. */
const STIFFEST = 1

/** Numbers of material a row, and the last of them: the pressure within over mu, and what it adds to lambda / mu. */
export const SIZE = 13
export const BORNE = 11
const STIFFER = 12

const R = new Float64Array(6)
const Q = new Float64Array(7)

/**
 * A tetrahedron of stable neo-Hookean material: energy density mu / 2 |F|^2 + lambda' / 2 (det F - 1 - mu / lambda')^2,
 * F = D_s B the deformation gradient, B the inverse of the rest edges; lambda' = lambda + mu, so that small strains show
 * Young's modulus and Poisson's ratio (Smith, de Goes and Kim 2018). As constraints (Macklin and Mueller 2021) these are
 * C_H = det F - 1 - mu / lambda' with the compliance 1 / (lambda' V), and C_D = F with 1 / (mu V), all nine entries of it:
 * |F| alone would leave shear to an explicit step, which is stable only where it is soft.
 *
 * T, their multipliers together, is the stress that it acts with: first Piola-Kirchhoff, times volume and h^2; a corner k
 * moves by w T B_k. T without torque (T F^T symmetric) is what the material has where its own T and those of the tetrahedra
 * after it will have led: alpha T + T R + (T R)^T + (C : T ((lambda / mu) R + more)) C = E, E = -alpha dEnergy / dF, C the
 * cofactors of F, with the Hessian of the rest shape turned with F, R the response of `findSolved`, and `more` of it for a
 * change of volume. So T = (E / 2 + s C + [k] F) Q, Q = (R + alpha / 2)^-1, with s by the Schur complement and the k that
 * leaves no torque.
 *
 * F = 0 is a stationary state of the energy. Where |F| < 0.6 sqrt 3, C_D = F - sqrt 3 F / |F|, with the goal held, which
 * unfolds what has collapsed; up to 0.8 sqrt 3 a part of it; a tetrahedron in one point unfolds as it lay at rest.
 *
 * A pressure P within adds -P det F to the density: C_H = det F - 1 - (mu + P) / lambda'; see `Inflation`. Where it has
 * grown to J times its volume, F = J^(1/3), it resists a change of that by 3 lambda' J^(4/3) - mu over 3, at rest by
 * lambda + 2/3 mu: as with J^(4/3) (lambda + mu (1 - J^(-4/3))) for lambda, which is what it is solved with. What is drawn
 * out far is solved with lambda + mu.
 *
 * Rest values are B by rows.
 */
export const neoHookean: EvaluatedKind = {
  name: 'neoHookean',
  arity: 4,
  contract: 'energy',
  bounds: 'equality',
  internal: true,
  parameters: {
    youngsModulus: {
      quantity: "Young's modulus",
      unit: 'Pa',
      type: 'number',
      default: 5e4,
      min: 1,
      max: 1e12,
      remedy: 'Use 5e4 for jelly, 3e5 for soft rubber.',
    },
    poissonRatio: {
      quantity: "Poisson's ratio",
      unit: '1',
      type: 'number',
      default: 0.45,
      min: 0,
      max: 0.495,
      remedy: 'Use 0.45 for what is mostly water, 0.3 for foam, 0 for cork.',
    },
  },
  ways: [['youngsModulus', 'poissonRatio']],
  restSize: 9,
  lambdaSize: 10,
  materialSize: SIZE,
  compliances: [0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
  laterSize: 24,
  laterOf,

  // Compliances over h^2 of both parts, Q, the ratio of the compliances, and lambda / mu alpha / 2 less `more` near
  // rest, with lambda + mu far from it; what
  // `bear` sets stays. What flows is baked in each step, so that nothing is allocated here.
  bake({ youngsModulus, poissonRatio }, context, material, at) {
    const E = youngsModulus!
    const nu = poissonRatio!
    const mu = E / (2 * (1 + nu))
    const lambda = (E * nu) / ((1 + nu) * (1 - 2 * nu))
    findResponse(context)
    const mean = (M[0]! + M[1]! + M[2]!) / 3
    const alpha = Math.max(context.unitCompliance / (mu * context.h * context.h), mean / STIFFEST)
    material[at] = alpha
    material[at + 1] = (alpha * mu) / (lambda + mu)
    stiffness[0] = alpha
    stiffness[1] = lambda / mu
    findSolved(context, R)
    for (let e = 0; e < 3; e++) R[e] = R[e]! + alpha / 2
    symmetricAdjugate(R, 0, Q)
    for (let e = 0; e < 6; e++) material[at + 2 + e] = Q[e]! / Q[6]!
    material[at + 8] = (lambda + mu) / mu
    material[at + 9] = (lambda / mu) * (alpha / 2) - more[0]!
    material[at + 10] = material[at + 8]! * (alpha / 2) - more[1]!
  },

  longestSubstep({ youngsModulus, poissonRatio }, context) {
    const mu = youngsModulus! / (2 * (1 + poissonRatio!))
    findResponse(context)
    return Math.sqrt((3 * STIFFEST * context.unitCompliance) / (mu * (M[0]! + M[1]! + M[2]!)))
  },

  measure(x, indices, at, _count, _m, rest, restAt) {
    const corner = (k: number, d: number) => x[indices[at + k]! * 3 + d]! - x[indices[at]! * 3 + d]!
    const [ax, ay, az] = [corner(1, 0), corner(1, 1), corner(1, 2)]
    const [bx, by, bz] = [corner(2, 0), corner(2, 1), corner(2, 2)]
    const [cx, cy, cz] = [corner(3, 0), corner(3, 1), corner(3, 2)]
    const b = [by * cz - bz * cy, bz * cx - bx * cz, bx * cy - by * cx]
    b.push(cy * az - cz * ay, cz * ax - cx * az, cx * ay - cy * ax)
    b.push(ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx)
    const sixVolume = ax * b[0]! + ay * b[1]! + az * b[2]!
    for (let k = 0; k < 9; k++) rest[restAt + k] = b[k]! / sixVolume
  },

  evaluate({ indices, rest, material }, row, x, C) {
    const r = row * 9
    let squared = 0
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        let f = 0
        for (let k = 0; k < 3; k++) {
          f += (x[indices[row * 4 + k + 1]! * 3 + i]! - x[indices[row * 4]! * 3 + i]!) * rest[r + k * 3 + j]!
        }
        C[i * 3 + j] = f
        squared += f * f
      }
    }
    const minor = (a: number, b: number) => C[3 + a]! * C[6 + b]! - C[3 + b]! * C[6 + a]!
    const det = C[0]! * minor(1, 2) - C[1]! * minor(0, 2) + C[2]! * minor(0, 1)
    const m = row * SIZE
    C[9] = det - 1 - ((1 + material[m + BORNE]!) * material[m + 1]!) / material[m]!
    const size = Math.sqrt(squared)
    if (size >= COLLAPSING) return
    for (let k = 0; k < 9; k++) C[k] = size < POINT ? (k % 4 === 0 ? -1 : 0) : C[k]! * (1 - collapsed(size))
  },

  project(rows: Rows, start: number, end: number, columns: Columns) {
    const { indices, rest, material, lambda, iterated } = rows
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
      const ax = x[p1]! - x0
      const ay = x[p1 + 1]! - y0
      const az = x[p1 + 2]! - z0
      const bx = x[p2]! - x0
      const by = x[p2 + 1]! - y0
      const bz = x[p2 + 2]! - z0
      const cx = x[p3]! - x0
      const cy = x[p3 + 1]! - y0
      const cz = x[p3 + 2]! - z0
      const r = row * 9
      const B1x = rest[r]!
      const B1y = rest[r + 1]!
      const B1z = rest[r + 2]!
      const B2x = rest[r + 3]!
      const B2y = rest[r + 4]!
      const B2z = rest[r + 5]!
      const B3x = rest[r + 6]!
      const B3y = rest[r + 7]!
      const B3z = rest[r + 8]!
      // F = a B1^T + b B2^T + c B3^T, and its cofactors: the gradient of det F.
      const Fxx = ax * B1x + bx * B2x + cx * B3x
      const Fxy = ax * B1y + bx * B2y + cx * B3y
      const Fxz = ax * B1z + bx * B2z + cx * B3z
      const Fyx = ay * B1x + by * B2x + cy * B3x
      const Fyy = ay * B1y + by * B2y + cy * B3y
      const Fyz = ay * B1z + by * B2z + cy * B3z
      const Fzx = az * B1x + bz * B2x + cz * B3x
      const Fzy = az * B1y + bz * B2y + cz * B3y
      const Fzz = az * B1z + bz * B2z + cz * B3z
      const Cxx = Fyy * Fzz - Fyz * Fzy
      const Cxy = Fyz * Fzx - Fyx * Fzz
      const Cxz = Fyx * Fzy - Fyy * Fzx
      const Cyx = Fzy * Fxz - Fzz * Fxy
      const Cyy = Fzz * Fxx - Fzx * Fxz
      const Cyz = Fzx * Fxy - Fzy * Fxx
      const Czx = Fxy * Fyz - Fxz * Fyy
      const Czy = Fxz * Fyx - Fxx * Fyz
      const Czz = Fxx * Fyy - Fxy * Fyx
      const size = Math.sqrt(
        Fxx * Fxx + Fxy * Fxy + Fxz * Fxz + Fyx * Fyx + Fyy * Fyy + Fyz * Fyz + Fzx * Fzx + Fzy * Fzy + Fzz * Fzz,
      )
      const m = row * SIZE
      const alpha = material[m]!
      const Qxx = material[m + 2]!
      const Qyy = material[m + 3]!
      const Qzz = material[m + 4]!
      const Qxy = material[m + 5]!
      const Qyz = material[m + 6]!
      const Qzx = material[m + 7]!
      const bulk = material[m + 8]!
      const J = Fxx * Cxx + Fxy * Cxy + Fxz * Cxz
      const toward = size < POINT ? 0 : size < COLLAPSING ? collapsed(size) - 1 : -1
      const seed = size < POINT ? 1 : 0
      // E = toward F + sC C + seed, less what it acts with already.
      const sC = 1 + material[m + BORNE]! + bulk * (1 - J)
      const l = row * 10
      let Exx = toward * Fxx + sC * Cxx + seed
      let Exy = toward * Fxy + sC * Cxy
      let Exz = toward * Fxz + sC * Cxz
      let Eyx = toward * Fyx + sC * Cyx
      let Eyy = toward * Fyy + sC * Cyy + seed
      let Eyz = toward * Fyz + sC * Cyz
      let Ezx = toward * Fzx + sC * Czx
      let Ezy = toward * Fzy + sC * Czy
      let Ezz = toward * Fzz + sC * Czz + seed
      if (iterated) {
        Exx -= alpha * lambda[l]!
        Exy -= alpha * lambda[l + 1]!
        Exz -= alpha * lambda[l + 2]!
        Eyx -= alpha * lambda[l + 3]!
        Eyy -= alpha * lambda[l + 4]!
        Eyz -= alpha * lambda[l + 5]!
        Ezx -= alpha * lambda[l + 6]!
        Ezy -= alpha * lambda[l + 7]!
        Ezz -= alpha * lambda[l + 8]!
      }
      // C Q, and P = C Q (ratio R + more) = ratio C - (ratio alpha / 2 - more) C Q.
      const stiffer = size < FAR ? material[m + STIFFER]! : 1
      const ratio = bulk - 1 + stiffer
      const share = material[m + 9]! + stiffer * (material[m + 10]! - material[m + 9]!)
      const CQxx = Cxx * Qxx + Cxy * Qxy + Cxz * Qzx
      const CQxy = Cxx * Qxy + Cxy * Qyy + Cxz * Qyz
      const CQxz = Cxx * Qzx + Cxy * Qyz + Cxz * Qzz
      const CQyx = Cyx * Qxx + Cyy * Qxy + Cyz * Qzx
      const CQyy = Cyx * Qxy + Cyy * Qyy + Cyz * Qyz
      const CQyz = Cyx * Qzx + Cyy * Qyz + Cyz * Qzz
      const CQzx = Czx * Qxx + Czy * Qxy + Czz * Qzx
      const CQzy = Czx * Qxy + Czy * Qyy + Czz * Qyz
      const CQzz = Czx * Qzx + Czy * Qyz + Czz * Qzz
      const Pxx = ratio * Cxx - share * CQxx
      const Pxy = ratio * Cxy - share * CQxy
      const Pxz = ratio * Cxz - share * CQxz
      const Pyx = ratio * Cyx - share * CQyx
      const Pyy = ratio * Cyy - share * CQyy
      const Pyz = ratio * Cyz - share * CQyz
      const Pzx = ratio * Czx - share * CQzx
      const Pzy = ratio * Czy - share * CQzy
      const Pzz = ratio * Czz - share * CQzz
      const CP =
        Cxx * Pxx + Cxy * Pxy + Cxz * Pxz + Cyx * Pyx + Cyy * Pyy + Cyz * Pyz + Czx * Pzx + Czy * Pzy + Czz * Pzz
      const EP =
        Exx * Pxx + Exy * Pxy + Exz * Pxz + Eyx * Pyx + Eyy * Pyy + Eyz * Pyz + Ezx * Pzx + Ezy * Pzy + Ezz * Pzz
      const t = (-0.5 * EP) / (2 + CP)
      let Txx = 0.5 * (Exx * Qxx + Exy * Qxy + Exz * Qzx) + t * CQxx
      let Txy = 0.5 * (Exx * Qxy + Exy * Qyy + Exz * Qyz) + t * CQxy
      let Txz = 0.5 * (Exx * Qzx + Exy * Qyz + Exz * Qzz) + t * CQxz
      let Tyx = 0.5 * (Eyx * Qxx + Eyy * Qxy + Eyz * Qzx) + t * CQyx
      let Tyy = 0.5 * (Eyx * Qxy + Eyy * Qyy + Eyz * Qyz) + t * CQyy
      let Tyz = 0.5 * (Eyx * Qzx + Eyy * Qyz + Eyz * Qzz) + t * CQyz
      let Tzx = 0.5 * (Ezx * Qxx + Ezy * Qxy + Ezz * Qzx) + t * CQzx
      let Tzy = 0.5 * (Ezx * Qxy + Ezy * Qyy + Ezz * Qyz) + t * CQzy
      let Tzz = 0.5 * (Ezx * Qzx + Ezy * Qyz + Ezz * Qzz) + t * CQzz
      // [k] F Q takes out what would turn it: (tr G - G) k = -axial(T F^T), G = F Q F^T.
      const Hxx = Fxx * Qxx + Fxy * Qxy + Fxz * Qzx
      const Hxy = Fxx * Qxy + Fxy * Qyy + Fxz * Qyz
      const Hxz = Fxx * Qzx + Fxy * Qyz + Fxz * Qzz
      const Hyx = Fyx * Qxx + Fyy * Qxy + Fyz * Qzx
      const Hyy = Fyx * Qxy + Fyy * Qyy + Fyz * Qyz
      const Hyz = Fyx * Qzx + Fyy * Qyz + Fyz * Qzz
      const Hzx = Fzx * Qxx + Fzy * Qxy + Fzz * Qzx
      const Hzy = Fzx * Qxy + Fzy * Qyy + Fzz * Qyz
      const Hzz = Fzx * Qzx + Fzy * Qyz + Fzz * Qzz
      const Gxx = Hxx * Fxx + Hxy * Fxy + Hxz * Fxz
      const Gyy = Hyx * Fyx + Hyy * Fyy + Hyz * Fyz
      const Gzz = Hzx * Fzx + Hzy * Fzy + Hzz * Fzz
      const Gxy = Hxx * Fyx + Hxy * Fyy + Hxz * Fyz
      const Gyz = Hyx * Fzx + Hyy * Fzy + Hyz * Fzz
      const Gzx = Hzx * Fxx + Hzy * Fxy + Hzz * Fxz
      const tx = Tzx * Fyx + Tzy * Fyy + Tzz * Fyz - Tyx * Fzx - Tyy * Fzy - Tyz * Fzz
      const ty = Txx * Fzx + Txy * Fzy + Txz * Fzz - Tzx * Fxx - Tzy * Fxy - Tzz * Fxz
      const tz = Tyx * Fxx + Tyy * Fxy + Tyz * Fxz - Txx * Fyx - Txy * Fyy - Txz * Fyz
      const least = LEAST * (Gxx + Gyy + Gzz)
      const Axx = Gyy + Gzz + least
      const Ayy = Gzz + Gxx + least
      const Azz = Gxx + Gyy + least
      const axx = Ayy * Azz - Gyz * Gyz
      const axy = Gyz * Gzx + Gxy * Azz
      const azx = Gxy * Gyz + Ayy * Gzx
      const determinant = Axx * axx - Gxy * axy - Gzx * azx
      const turn = determinant > 0 ? -1 / determinant : 0
      const kx = turn * (axx * tx + axy * ty + azx * tz)
      const ky = turn * (axy * tx + (Axx * Azz - Gzx * Gzx) * ty + (Axx * Gyz + Gxy * Gzx) * tz)
      const kz = turn * (azx * tx + (Axx * Gyz + Gxy * Gzx) * ty + (Axx * Ayy - Gxy * Gxy) * tz)
      Txx += ky * Hzx - kz * Hyx
      Txy += ky * Hzy - kz * Hyy
      Txz += ky * Hzz - kz * Hyz
      Tyx += kz * Hxx - kx * Hzx
      Tyy += kz * Hxy - kx * Hzy
      Tyz += kz * Hxz - kx * Hzz
      Tzx += kx * Hyx - ky * Hxx
      Tzy += kx * Hyy - ky * Hxy
      Tzz += kx * Hyz - ky * Hxz
      if (iterated) {
        lambda[l] = lambda[l]! + Txx
        lambda[l + 1] = lambda[l + 1]! + Txy
        lambda[l + 2] = lambda[l + 2]! + Txz
        lambda[l + 3] = lambda[l + 3]! + Tyx
        lambda[l + 4] = lambda[l + 4]! + Tyy
        lambda[l + 5] = lambda[l + 5]! + Tyz
        lambda[l + 6] = lambda[l + 6]! + Tzx
        lambda[l + 7] = lambda[l + 7]! + Tzy
        lambda[l + 8] = lambda[l + 8]! + Tzz
      }
      const m1x = Txx * B1x + Txy * B1y + Txz * B1z
      const m1y = Tyx * B1x + Tyy * B1y + Tyz * B1z
      const m1z = Tzx * B1x + Tzy * B1y + Tzz * B1z
      const m2x = Txx * B2x + Txy * B2y + Txz * B2z
      const m2y = Tyx * B2x + Tyy * B2y + Tyz * B2z
      const m2z = Tzx * B2x + Tzy * B2y + Tzz * B2z
      const m3x = Txx * B3x + Txy * B3y + Txz * B3z
      const m3y = Tyx * B3x + Tyy * B3y + Tyz * B3z
      const m3z = Tzx * B3x + Tzy * B3y + Tzz * B3z
      x[p0] = x0 - w0 * (m1x + m2x + m3x)
      x[p0 + 1] = y0 - w0 * (m1y + m2y + m3y)
      x[p0 + 2] = z0 - w0 * (m1z + m2z + m3z)
      x[p1] = x[p1]! + w1 * m1x
      x[p1 + 1] = x[p1 + 1]! + w1 * m1y
      x[p1 + 2] = x[p1 + 2]! + w1 * m1z
      x[p2] = x[p2]! + w2 * m2x
      x[p2 + 1] = x[p2 + 1]! + w2 * m2y
      x[p2 + 2] = x[p2 + 2]! + w2 * m2z
      x[p3] = x[p3]! + w3 * m3x
      x[p3 + 1] = x[p3 + 1]! + w3 * m3y
      x[p3 + 2] = x[p3 + 2]! + w3 * m3z
    }
  },
}

/**
 * Sets what presses within the tetrahedra from..to: the pressure over mu, pressing[0], and 1 - J^(-4/3), pressing[1], where
 * they have J times their volume by that, 0 at least. By array, since a call with numbers allocates.
 */
export function bear({ material }: Rows, from: number, to: number, pressing: Float64Array): void {
  for (let row = from; row < to; row++) {
    material[row * SIZE + BORNE] = pressing[0]!
    material[row * SIZE + STIFFER] = pressing[1]!
  }
}

/** Which part of F a tetrahedron of this |F| < COLLAPSING is drawn to. */
export function collapsed(size: number): number {
  return (Math.min(1, (COLLAPSING - size) / (COLLAPSING - COLLAPSED)) * REST) / size
}
