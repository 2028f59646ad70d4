import type { Columns, Rows } from './kind.js'
import { MATERIAL, SQUARE_H } from './neoHookeanMaterial.js'

/**
 * Before the sweeps: each tetrahedron pushes with the stress of the last substep, where it was at the start of this one.
 *
 * S, the second Piola-Kirchhoff stress, does not know how a body is turned. In the basis of the edges a, b, c from the
 * first corner, and times the volume, it is six numbers [N/m]: corner 1 is pushed by a S_aa + b S_ab + c S_ca, and so on.
 * That has no torque, and a body turns freely. A sweep then changes the stress no more than the motion asks for. In
 * equilibrium, where pushes and loads cancel, nothing moves, and what one sweep cannot reach in one substep it reaches in
 * some: the material is what its numbers say, although a sweep goes through the tetrahedra once and one after the other.
 */
export function warmStart(rows: Rows, start: number, end: number, columns: Columns): void {
  const { indices, material, stresses } = rows
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
    const s = stresses[row]! * 6
    const hh = material[row * MATERIAL + SQUARE_H]!
    const haa = hh * memory[s]!
    const hbb = hh * memory[s + 1]!
    const hcc = hh * memory[s + 2]!
    const hab = hh * memory[s + 3]!
    const hbc = hh * memory[s + 4]!
    const hca = hh * memory[s + 5]!
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
