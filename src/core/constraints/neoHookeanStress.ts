import type { Columns, Rows } from './kind.js'
import { COLLAPSED, FAR, THIN } from './neoHookeanSweep.js'

/** Largest strain that the stress of the last substep may make by itself in a tetrahedron; more would overshoot. */
const MOST = 0.25

/**
 * Before the sweeps: each tetrahedron pushes with the stress of the last substep, T = F S at the start of this one.
 *
 * S, the second Piola-Kirchhoff stress [Pa], does not know how a body is turned, and F S B_k has no torque, so that a body
 * turns freely. A sweep then changes the stress no more than the motion asks for. In equilibrium, where pushes and loads
 * cancel, nothing moves, and what one sweep cannot reach in one substep it reaches in some: the material is what its
 * numbers say, although a sweep goes through the tetrahedra once and one after the other.
 *
 * What has collapsed, is inverted or nearly so, or drawn out to more than twice its size is far from the rest that this is
 * made for, and its stress of a moment ago is none to push with: it is forgotten.
 */
export function warmStart(rows: Rows, start: number, end: number, columns: Columns): void {
  const { indices, rest, material, stresses } = rows
  const memory = columns.stresses
  const x = columns.positions
  const o = columns.previous
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
    const x0 = o[p0]!
    const y0 = o[p0 + 1]!
    const z0 = o[p0 + 2]!
    const ax = o[p1]! - x0
    const ay = o[p1 + 1]! - y0
    const az = o[p1 + 2]! - z0
    const bx = o[p2]! - x0
    const by = o[p2 + 1]! - y0
    const bz = o[p2 + 2]! - z0
    const cx = o[p3]! - x0
    const cy = o[p3 + 1]! - y0
    const cz = o[p3 + 2]! - z0
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
    const squared =
      Fxx * Fxx + Fxy * Fxy + Fxz * Fxz + Fyx * Fyx + Fyy * Fyy + Fyz * Fyz + Fzx * Fzx + Fzy * Fzy + Fzz * Fzz
    const s = stresses[row]! * 6
    if (!(J > THIN && squared > COLLAPSED * COLLAPSED && squared < FAR * FAR)) {
      for (let k = s; k < s + 6; k++) memory[k] = 0
      continue
    }
    const m = row * 10
    const unit = material[m + 8]!
    const Sxx = unit * memory[s]!
    const Syy = unit * memory[s + 1]!
    const Szz = unit * memory[s + 2]!
    const Sxy = unit * memory[s + 3]!
    const Syz = unit * memory[s + 4]!
    const Szx = unit * memory[s + 5]!
    let Txx = Fxx * Sxx + Fxy * Sxy + Fxz * Szx
    let Txy = Fxx * Sxy + Fxy * Syy + Fxz * Syz
    let Txz = Fxx * Szx + Fxy * Syz + Fxz * Szz
    let Tyx = Fyx * Sxx + Fyy * Sxy + Fyz * Szx
    let Tyy = Fyx * Sxy + Fyy * Syy + Fyz * Syz
    let Tyz = Fyx * Szx + Fyy * Syz + Fyz * Szz
    let Tzx = Fzx * Sxx + Fzy * Sxy + Fzz * Szx
    let Tzy = Fzx * Sxy + Fzy * Syy + Fzz * Syz
    let Tzz = Fzx * Szx + Fzy * Syz + Fzz * Szz
    const strain =
      material[m + 9]! *
      Math.sqrt(
        Txx * Txx + Txy * Txy + Txz * Txz + Tyx * Tyx + Tyy * Tyy + Tyz * Tyz + Tzx * Tzx + Tzy * Tzy + Tzz * Tzz,
      )
    if (strain > MOST) {
      const scale = MOST / strain
      for (let k = s; k < s + 6; k++) memory[k] = memory[k]! * scale
      Txx *= scale
      Txy *= scale
      Txz *= scale
      Tyx *= scale
      Tyy *= scale
      Tyz *= scale
      Tzx *= scale
      Tzy *= scale
      Tzz *= scale
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
    const w0 = w[i0]!
    const w1 = w[i1]!
    const w2 = w[i2]!
    const w3 = w[i3]!
    x[p0] = x[p0]! - w0 * (m1x + m2x + m3x)
    x[p0 + 1] = x[p0 + 1]! - w0 * (m1y + m2y + m3y)
    x[p0 + 2] = x[p0 + 2]! - w0 * (m1z + m2z + m3z)
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
