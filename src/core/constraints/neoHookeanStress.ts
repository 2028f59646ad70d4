import type { Rows } from './kind.js'
import { BORNE, COLLAPSING, collapsed, POINT, SIZE } from './neoHookean.js'

/**
 * Of the tetrahedra of a body together, sums of k F F^T (xx, yy, zz, xy, yz, zx), of k s det F, which less that is the Kirchhoff
 * stress, s = -(lambda' / mu) (det F - 1 - (mu + P) / lambda'), and of k (lambda' / mu) (det F)^2; k = mu V h^2.
 */
export const stress = new Float64Array(8)

/** Adds to `stress` what the tetrahedra from..to bear; k[row - first] is k, all are of one material. */
export function addStress(
  { indices, rest, material }: Rows,
  from: number,
  to: number,
  x: Float64Array,
  k: Float64Array,
  first: number,
): void {
  const bulk = material[from * SIZE + 8]!
  const borne = 1 + material[from * SIZE + BORNE]!
  let xx = 0
  let yy = 0
  let zz = 0
  let xy = 0
  let yz = 0
  let zx = 0
  let even = 0
  let bulky = 0
  for (let row = from; row < to; row++) {
    const at = row * 4
    const p0 = indices[at]! * 3
    const p1 = indices[at + 1]! * 3
    const p2 = indices[at + 2]! * 3
    const p3 = indices[at + 3]! * 3
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
    const Fxx = ax * B1x + bx * B2x + cx * B3x
    const Fxy = ax * B1y + bx * B2y + cx * B3y
    const Fxz = ax * B1z + bx * B2z + cx * B3z
    const Fyx = ay * B1x + by * B2x + cy * B3x
    const Fyy = ay * B1y + by * B2y + cy * B3y
    const Fyz = ay * B1z + by * B2z + cy * B3z
    const Fzx = az * B1x + bz * B2x + cz * B3x
    const Fzy = az * B1y + bz * B2y + cz * B3y
    const Fzz = az * B1z + bz * B2z + cz * B3z
    const J = Fxx * (Fyy * Fzz - Fyz * Fzy) + Fxy * (Fyz * Fzx - Fyx * Fzz) + Fxz * (Fyx * Fzy - Fyy * Fzx)
    const share = k[row - first]!
    const along = Fxx * Fxx + Fxy * Fxy + Fxz * Fxz
    const up = Fyx * Fyx + Fyy * Fyy + Fyz * Fyz
    const beside = Fzx * Fzx + Fzy * Fzy + Fzz * Fzz
    const size = Math.sqrt(along + up + beside)
    const pull = size >= COLLAPSING ? share : size < POINT ? 0 : share * (1 - collapsed(size))
    xx += pull * along
    yy += pull * up
    zz += pull * beside
    xy += pull * (Fxx * Fyx + Fxy * Fyy + Fxz * Fyz)
    yz += pull * (Fyx * Fzx + Fyy * Fzy + Fyz * Fzz)
    zx += pull * (Fzx * Fxx + Fzy * Fxy + Fzz * Fxz)
    even += share * (borne + bulk * (1 - J)) * J
    bulky += share * J * J
  }
  stress[0] = stress[0]! + xx
  stress[1] = stress[1]! + yy
  stress[2] = stress[2]! + zz
  stress[3] = stress[3]! + xy
  stress[4] = stress[4]! + yz
  stress[5] = stress[5]! + zx
  stress[6] = stress[6]! + even
  stress[7] = stress[7]! + bulk * bulky
}

/**
 * Adds to `push` [3 x 3] what the tetrahedra from..to push with against a field w, sum h^2 F w^T over their corners. That is the
 * sum of T s^T, T = -k dW / dF, W the energy over mu, and s the slopes of w along the rest shape [3 x 3] of row - first, as k.
 */
export function addPush(
  { indices, rest, material }: Rows,
  from: number,
  to: number,
  x: Float64Array,
  k: Float64Array,
  slopes: Float64Array,
  first: number,
  push: Float64Array,
): void {
  const bulk = material[from * SIZE + 8]!
  const borne = 1 + material[from * SIZE + BORNE]!
  let xx = 0
  let xy = 0
  let xz = 0
  let yx = 0
  let yy = 0
  let yz = 0
  let zx = 0
  let zy = 0
  let zz = 0
  for (let row = from; row < to; row++) {
    const at = row * 4
    const p0 = indices[at]! * 3
    const p1 = indices[at + 1]! * 3
    const p2 = indices[at + 2]! * 3
    const p3 = indices[at + 3]! * 3
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
    const Fxx = ax * B1x + bx * B2x + cx * B3x
    const Fxy = ax * B1y + bx * B2y + cx * B3y
    const Fxz = ax * B1z + bx * B2z + cx * B3z
    const Fyx = ay * B1x + by * B2x + cy * B3x
    const Fyy = ay * B1y + by * B2y + cy * B3y
    const Fyz = ay * B1z + by * B2z + cy * B3z
    const Fzx = az * B1x + bz * B2x + cz * B3x
    const Fzy = az * B1y + bz * B2y + cz * B3y
    const Fzz = az * B1z + bz * B2z + cz * B3z
    // Cofactors: dJ / dF.
    const Cxx = Fyy * Fzz - Fyz * Fzy
    const Cxy = Fyz * Fzx - Fyx * Fzz
    const Cxz = Fyx * Fzy - Fyy * Fzx
    const Cyx = Fzy * Fxz - Fzz * Fxy
    const Cyy = Fzz * Fxx - Fzx * Fxz
    const Cyz = Fzx * Fxy - Fzy * Fxx
    const Czx = Fxy * Fyz - Fxz * Fyy
    const Czy = Fxz * Fyx - Fxx * Fyz
    const Czz = Fxx * Fyy - Fxy * Fyx
    const J = Fxx * Cxx + Fxy * Cxy + Fxz * Cxz
    const share = k[row - first]!
    const along = Fxx * Fxx + Fxy * Fxy + Fxz * Fxz
    const up = Fyx * Fyx + Fyy * Fyy + Fyz * Fyz
    const beside = Fzx * Fzx + Fzy * Fzy + Fzz * Fzz
    const size = Math.sqrt(along + up + beside)
    const pull = size >= COLLAPSING ? share : size < POINT ? 0 : share * (1 - collapsed(size))
    const even = share * (borne + bulk * (1 - J))
    const Txx = even * Cxx - pull * Fxx
    const Txy = even * Cxy - pull * Fxy
    const Txz = even * Cxz - pull * Fxz
    const Tyx = even * Cyx - pull * Fyx
    const Tyy = even * Cyy - pull * Fyy
    const Tyz = even * Cyz - pull * Fyz
    const Tzx = even * Czx - pull * Fzx
    const Tzy = even * Czy - pull * Fzy
    const Tzz = even * Czz - pull * Fzz
    const s = (row - first) * 9
    const sxx = slopes[s]!
    const sxy = slopes[s + 1]!
    const sxz = slopes[s + 2]!
    const syx = slopes[s + 3]!
    const syy = slopes[s + 4]!
    const syz = slopes[s + 5]!
    const szx = slopes[s + 6]!
    const szy = slopes[s + 7]!
    const szz = slopes[s + 8]!
    xx += Txx * sxx + Txy * sxy + Txz * sxz
    xy += Txx * syx + Txy * syy + Txz * syz
    xz += Txx * szx + Txy * szy + Txz * szz
    yx += Tyx * sxx + Tyy * sxy + Tyz * sxz
    yy += Tyx * syx + Tyy * syy + Tyz * syz
    yz += Tyx * szx + Tyy * szy + Tyz * szz
    zx += Tzx * sxx + Tzy * sxy + Tzz * sxz
    zy += Tzx * syx + Tzy * syy + Tzz * syz
    zz += Tzx * szx + Tzy * szy + Tzz * szz
  }
  push[0] = push[0]! + xx
  push[1] = push[1]! + xy
  push[2] = push[2]! + xz
  push[3] = push[3]! + yx
  push[4] = push[4]! + yy
  push[5] = push[5]! + yz
  push[6] = push[6]! + zx
  push[7] = push[7]! + zy
  push[8] = push[8]! + zz
}
