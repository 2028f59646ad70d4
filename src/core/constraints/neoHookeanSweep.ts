import type { Columns, Rows } from './kind.js'
import { sweepFar } from './neoHookeanFar.js'
import {
  BULK,
  COLLAPSED,
  FAR,
  INVERSE,
  LARGEST,
  MATERIAL,
  MU,
  RATIO,
  REST_STRESS,
  SIX_VOLUMES,
  SQUARE_H,
  SQUARES,
  THIN,
} from './neoHookeanMaterial.js'

/**
 * One sweep: each tetrahedron in turn takes the implicit step from the stress that it acts with already to the one that
 * its material has where it is then.
 *
 * All of it is in the basis of the edges, where F is the edges themselves: G their products, N = J G^-1, R = mu at rest.
 * The material pushes with S(G) = mu (1 + lambda' / mu (1 - J)) N - R. A change D of S moves the corners so that S(G) changes
 * by -2 mu L D - lambda J (M : D) N, M = sum w B B^T, L X = (X M + M X) / 2 with the Hessian of the rest shape turned with F.
 * So (1 + 2 mu L) D = S(G) - S - bulk N: what inverts is baked, bulk follows by the Schur complement with N as it is now.
 * Any Hessian that is positive will do, since D vanishes where both stresses are the same. D is symmetric: no torque acts.
 *
 * What has collapsed, is inverted or nearly so, or drawn out to more than twice its size is far from the rest that this is
 * made for: `sweepFar` solves it from nothing, and it keeps no stress.
 */
export function sweep(rows: Rows, start: number, end: number, columns: Columns): void {
  const { indices, material, stresses } = rows
  const memory = columns.stresses
  const x = columns.positions
  const w = columns.inverseMasses
  for (let row = start; row < end; row++) {
    const at = row * 4
    const i0 = indices[at]!
    const i1 = indices[at + 1]!
    const i2 = indices[at + 2]!
    const i3 = indices[at + 3]!
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
    const Gaa = ax * ax + ay * ay + az * az
    const Gbb = bx * bx + by * by + bz * bz
    const Gcc = cx * cx + cy * cy + cz * cz
    const Gab = ax * bx + ay * by + az * bz
    const Gbc = bx * cx + by * cy + bz * cz
    const Gca = cx * ax + cy * ay + cz * az
    const sixVolumes = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)
    const m = row * MATERIAL
    const sixRest = material[m + SIX_VOLUMES]!
    const Raa = material[m + REST_STRESS]!
    const Rbb = material[m + REST_STRESS + 1]!
    const Rcc = material[m + REST_STRESS + 2]!
    const Rab = material[m + REST_STRESS + 3]!
    const Rbc = material[m + REST_STRESS + 4]!
    const Rca = material[m + REST_STRESS + 5]!
    const mu = material[m + MU]!
    const squared = Raa * Gaa + Rbb * Gbb + Rcc * Gcc + 2 * (Rab * Gab + Rbc * Gbc + Rca * Gca)
    if (!(sixVolumes > THIN * sixRest && squared > COLLAPSED * COLLAPSED * mu && squared < FAR * FAR * mu)) {
      sweepFar(rows, row, columns)
      continue
    }
    const i = 1 / sixVolumes
    const j = i * sixRest
    const n = i / sixRest
    const Naa = n * (Gbb * Gcc - Gbc * Gbc)
    const Nbb = n * (Gcc * Gaa - Gca * Gca)
    const Ncc = n * (Gaa * Gbb - Gab * Gab)
    const Nab = n * (Gbc * Gca - Gab * Gcc)
    const Nbc = n * (Gca * Gab - Gbc * Gaa)
    const Nca = n * (Gab * Gbc - Gca * Gbb)
    const s = stresses[row]! * 6
    const Saa = memory[s]!
    const Sbb = memory[s + 1]!
    const Scc = memory[s + 2]!
    const Sab = memory[s + 3]!
    const Sbc = memory[s + 4]!
    const Sca = memory[s + 5]!
    const p = mu * (1 + material[m + RATIO]! * (1 - sixVolumes / sixRest))
    const Daa = p * Naa - Raa - Saa
    const Dbb = p * Nbb - Rbb - Sbb
    const Dcc = p * Ncc - Rcc - Scc
    const Dab = p * Nab - Rab - Sab
    const Dbc = p * Nbc - Rbc - Sbc
    const Dca = p * Nca - Rca - Sca
    const Baa = material[m + BULK]!
    const Bbb = material[m + BULK + 1]!
    const Bcc = material[m + BULK + 2]!
    const Bab = material[m + BULK + 3]!
    const Bbc = material[m + BULK + 4]!
    const Bca = material[m + BULK + 5]!
    const bulk =
      (Baa * Daa + Bbb * Dbb + Bcc * Dcc + Bab * Dab + Bbc * Dbc + Bca * Dca) /
      (j + Baa * Naa + Bbb * Nbb + Bcc * Ncc + Bab * Nab + Bbc * Nbc + Bca * Nca)
    const Eaa = Daa - bulk * Naa
    const Ebb = Dbb - bulk * Nbb
    const Ecc = Dcc - bulk * Ncc
    const Eab = Dab - bulk * Nab
    const Ebc = Dbc - bulk * Nbc
    const Eca = Dca - bulk * Nca
    const k = m + INVERSE
    const daa =
      material[k]! * Eaa +
      material[k + 1]! * Ebb +
      material[k + 2]! * Ecc +
      material[k + 3]! * Eab +
      material[k + 4]! * Ebc +
      material[k + 5]! * Eca
    const dbb =
      material[k + 6]! * Eaa +
      material[k + 7]! * Ebb +
      material[k + 8]! * Ecc +
      material[k + 9]! * Eab +
      material[k + 10]! * Ebc +
      material[k + 11]! * Eca
    const dcc =
      material[k + 12]! * Eaa +
      material[k + 13]! * Ebb +
      material[k + 14]! * Ecc +
      material[k + 15]! * Eab +
      material[k + 16]! * Ebc +
      material[k + 17]! * Eca
    const dab =
      material[k + 18]! * Eaa +
      material[k + 19]! * Ebb +
      material[k + 20]! * Ecc +
      material[k + 21]! * Eab +
      material[k + 22]! * Ebc +
      material[k + 23]! * Eca
    const dbc =
      material[k + 24]! * Eaa +
      material[k + 25]! * Ebb +
      material[k + 26]! * Ecc +
      material[k + 27]! * Eab +
      material[k + 28]! * Ebc +
      material[k + 29]! * Eca
    const dca =
      material[k + 30]! * Eaa +
      material[k + 31]! * Ebb +
      material[k + 32]! * Ecc +
      material[k + 33]! * Eab +
      material[k + 34]! * Ebc +
      material[k + 35]! * Eca
    const saa = Saa + daa
    const sbb = Sbb + dbb
    const scc = Scc + dcc
    const sab = Sab + dab
    const sbc = Sbc + dbc
    const sca = Sca + dca
    // |F S| by lengths between those at rest and now.
    const la = Gaa + material[m + SQUARES]!
    const lb = Gbb + material[m + SQUARES + 1]!
    const lc = Gcc + material[m + SQUARES + 2]!
    const ta = la * saa
    const tb = lb * sbb
    const tc = lc * scc
    const size = ta * ta + tb * tb + tc * tc + 2 * (la * lb * sab * sab + lb * lc * sbc * sbc + lc * la * sca * sca)
    const most = material[m + LARGEST]!
    const keep = size > most ? Math.sqrt(most / size) : 1
    memory[s] = keep * saa
    memory[s + 1] = keep * sbb
    memory[s + 2] = keep * scc
    memory[s + 3] = keep * sab
    memory[s + 4] = keep * sbc
    memory[s + 5] = keep * sca
    const hh = material[m + SQUARE_H]!
    const haa = hh * daa
    const hbb = hh * dbb
    const hcc = hh * dcc
    const hab = hh * dab
    const hbc = hh * dbc
    const hca = hh * dca
    const m1x = haa * ax + hab * bx + hca * cx
    const m1y = haa * ay + hab * by + hca * cy
    const m1z = haa * az + hab * bz + hca * cz
    const m2x = hab * ax + hbb * bx + hbc * cx
    const m2y = hab * ay + hbb * by + hbc * cy
    const m2z = hab * az + hbb * bz + hbc * cz
    const m3x = hca * ax + hbc * bx + hcc * cx
    const m3y = hca * ay + hbc * by + hcc * cy
    const m3z = hca * az + hbc * bz + hcc * cz
    const w0 = w[i0]!
    const w1 = w[i1]!
    const w2 = w[i2]!
    const w3 = w[i3]!
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
}
