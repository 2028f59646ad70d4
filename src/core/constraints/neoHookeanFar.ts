import type { Columns, Rows } from './kind.js'
import { COLLAPSED, FREE, MATERIAL, POINT, REST, STIFFER } from './neoHookeanMaterial.js'

/** Keeps a tetrahedron on a line, which has no inertia about it, from a division by zero. */
const LEAST = 1e-15

/**
 * A sweep over one tetrahedron that is far from rest, inverted, flat or drawn out. It acts with nothing yet: P(F) is its
 * material's first Piola-Kirchhoff stress times volume and h^2, T B_k the force on corner k.
 *
 * (1 + H M) D = P, M = sum w B B^T, gives the T that it takes by the end of the substep. H is the Hessian of the rest
 * shape, turned with F: 2 mu on what does not turn, and lambda' C C^T, C the cofactors of F. D F^T is symmetric, so that no
 * torque acts: D = (R + alpha s C + [k] F) Q, R = alpha P, Q = (M + alpha)^-1, alpha = 1 / (2 mu V h^2), with the k that
 * makes it so, and s by the Schur complement.
 *
 * F^-1 would make much of little: no stress is kept.
 */
export function sweepFar(rows: Rows, row: number, columns: Columns): void {
  const { indices, rest, material, stresses } = rows
  const x = columns.positions
  const w = columns.inverseMasses
  const at = row * 4
  const i0 = indices[at]!
  const i1 = indices[at + 1]!
  const i2 = indices[at + 2]!
  const i3 = indices[at + 3]!
  const w0 = w[i0]!
  const w1 = w[i1]!
  const w2 = w[i2]!
  const w3 = w[i3]!
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
  const m = row * MATERIAL
  const alphaD = material[m]!
  const alphaH = material[m + 1]!
  const alpha = STIFFER * alphaD
  const Qxx = material[m + FREE]!
  const Qyy = material[m + FREE + 1]!
  const Qzz = material[m + FREE + 2]!
  const Qxy = material[m + FREE + 3]!
  const Qyz = material[m + FREE + 4]!
  const Qzx = material[m + FREE + 5]!
  const J = Fxx * Cxx + Fxy * Cxy + Fxz * Cxz
  const toward = size < POINT ? 0 : size < COLLAPSED ? REST / size - 1 : -1
  const seed = size < POINT ? STIFFER : 0
  const sF = STIFFER * toward
  const sC = STIFFER * (1 + (alphaD / alphaH) * (1 - J))
  // P = sC C + sF F, or towards the rest shape where it has collapsed.
  const Rxx = seed + sF * Fxx + sC * Cxx
  const Rxy = sF * Fxy + sC * Cxy
  const Rxz = sF * Fxz + sC * Cxz
  const Ryx = sF * Fyx + sC * Cyx
  const Ryy = seed + sF * Fyy + sC * Cyy
  const Ryz = sF * Fyz + sC * Cyz
  const Rzx = sF * Fzx + sC * Czx
  const Rzy = sF * Fzy + sC * Czy
  const Rzz = seed + sF * Fzz + sC * Czz
  // F Q, and the inverse of A = tr G - G with G = F Q F^T.
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
  const least = LEAST * (Gxx + Gyy + Gzz)
  const Axx = Gyy + Gzz + least
  const Ayy = Gzz + Gxx + least
  const Azz = Gxx + Gyy + least
  const axx = Ayy * Azz - Gyz * Gyz
  const axy = Gyz * Gzx + Gxy * Azz
  const azx = Gxy * Gyz + Ayy * Gzx
  const ayy = Axx * Azz - Gzx * Gzx
  const ayz = Axx * Gyz + Gxy * Gzx
  const azz = Axx * Ayy - Gxy * Gxy
  const determinant = Axx * axx - Gxy * axy - Gzx * azx
  const turn = determinant > 0 ? -1 / determinant : 0
  // P = C Q without torque: P += [j] F Q, A j = -axial(P F^T).
  let Pxx = Cxx * Qxx + Cxy * Qxy + Cxz * Qzx
  let Pxy = Cxx * Qxy + Cxy * Qyy + Cxz * Qyz
  let Pxz = Cxx * Qzx + Cxy * Qyz + Cxz * Qzz
  let Pyx = Cyx * Qxx + Cyy * Qxy + Cyz * Qzx
  let Pyy = Cyx * Qxy + Cyy * Qyy + Cyz * Qyz
  let Pyz = Cyx * Qzx + Cyy * Qyz + Cyz * Qzz
  let Pzx = Czx * Qxx + Czy * Qxy + Czz * Qzx
  let Pzy = Czx * Qxy + Czy * Qyy + Czz * Qyz
  let Pzz = Czx * Qzx + Czy * Qyz + Czz * Qzz
  const ux = Pzx * Fyx + Pzy * Fyy + Pzz * Fyz - Pyx * Fzx - Pyy * Fzy - Pyz * Fzz
  const uy = Pxx * Fzx + Pxy * Fzy + Pxz * Fzz - Pzx * Fxx - Pzy * Fxy - Pzz * Fxz
  const uz = Pyx * Fxx + Pyy * Fxy + Pyz * Fxz - Pxx * Fyx - Pxy * Fyy - Pxz * Fyz
  const jx = turn * (axx * ux + axy * uy + azx * uz)
  const jy = turn * (axy * ux + ayy * uy + ayz * uz)
  const jz = turn * (azx * ux + ayz * uy + azz * uz)
  Pxx += jy * Hzx - jz * Hyx
  Pxy += jy * Hzy - jz * Hyy
  Pxz += jy * Hzz - jz * Hyz
  Pyx += jz * Hxx - jx * Hzx
  Pyy += jz * Hxy - jx * Hzy
  Pyz += jz * Hxz - jx * Hzz
  Pzx += jx * Hyx - jy * Hxx
  Pzy += jx * Hyy - jy * Hxy
  Pzz += jx * Hyz - jy * Hxz
  const CC = Cxx * Cxx + Cxy * Cxy + Cxz * Cxz + Cyx * Cyx + Cyy * Cyy + Cyz * Cyz + Czx * Czx + Czy * Czy + Czz * Czz
  const CP = Cxx * Pxx + Cxy * Pxy + Cxz * Pxz + Cyx * Pyx + Cyy * Pyy + Cyz * Pyz + Czx * Pzx + Czy * Pzy + Czz * Pzz
  const RC = Rxx * Cxx + Rxy * Cxy + Rxz * Cxz + Ryx * Cyx + Ryy * Cyy + Ryz * Cyz + Rzx * Czx + Rzy * Czy + Rzz * Czz
  const RP = Rxx * Pxx + Rxy * Pxy + Rxz * Pxz + Ryx * Pyx + Ryy * Pyy + Ryz * Pyz + Rzx * Pzx + Rzy * Pzy + Rzz * Pzz
  const bulk = alphaD / alphaH
  const sH = (bulk * (alpha * RP - RC)) / (alphaD + bulk * alpha * (CC - alpha * CP))
  const t = alpha * sH
  let Dxx = Rxx * Qxx + Rxy * Qxy + Rxz * Qzx
  let Dxy = Rxx * Qxy + Rxy * Qyy + Rxz * Qyz
  let Dxz = Rxx * Qzx + Rxy * Qyz + Rxz * Qzz
  let Dyx = Ryx * Qxx + Ryy * Qxy + Ryz * Qzx
  let Dyy = Ryx * Qxy + Ryy * Qyy + Ryz * Qyz
  let Dyz = Ryx * Qzx + Ryy * Qyz + Ryz * Qzz
  let Dzx = Rzx * Qxx + Rzy * Qxy + Rzz * Qzx
  let Dzy = Rzx * Qxy + Rzy * Qyy + Rzz * Qyz
  let Dzz = Rzx * Qzx + Rzy * Qyz + Rzz * Qzz
  const tx = Dzx * Fyx + Dzy * Fyy + Dzz * Fyz - Dyx * Fzx - Dyy * Fzy - Dyz * Fzz
  const ty = Dxx * Fzx + Dxy * Fzy + Dxz * Fzz - Dzx * Fxx - Dzy * Fxy - Dzz * Fxz
  const tz = Dyx * Fxx + Dyy * Fxy + Dyz * Fxz - Dxx * Fyx - Dxy * Fyy - Dxz * Fyz
  const kx = turn * (axx * tx + axy * ty + azx * tz)
  const ky = turn * (axy * tx + ayy * ty + ayz * tz)
  const kz = turn * (azx * tx + ayz * ty + azz * tz)
  Dxx += t * Pxx + ky * Hzx - kz * Hyx
  Dxy += t * Pxy + ky * Hzy - kz * Hyy
  Dxz += t * Pxz + ky * Hzz - kz * Hyz
  Dyx += t * Pyx + kz * Hxx - kx * Hzx
  Dyy += t * Pyy + kz * Hxy - kx * Hzy
  Dyz += t * Pyz + kz * Hxz - kx * Hzz
  Dzx += t * Pzx + kx * Hyx - ky * Hxx
  Dzy += t * Pzy + kx * Hyy - ky * Hxy
  Dzz += t * Pzz + kx * Hyz - ky * Hxz
  columns.stresses.fill(0, stresses[row]! * 6, stresses[row]! * 6 + 6)
  const m1x = Dxx * B1x + Dxy * B1y + Dxz * B1z
  const m1y = Dyx * B1x + Dyy * B1y + Dyz * B1z
  const m1z = Dzx * B1x + Dzy * B1y + Dzz * B1z
  const m2x = Dxx * B2x + Dxy * B2y + Dxz * B2z
  const m2y = Dyx * B2x + Dyy * B2y + Dyz * B2z
  const m2z = Dzx * B2x + Dzy * B2y + Dzz * B2z
  const m3x = Dxx * B3x + Dxy * B3y + Dxz * B3z
  const m3y = Dyx * B3x + Dyy * B3y + Dyz * B3z
  const m3z = Dzx * B3x + Dzy * B3y + Dzz * B3z
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
