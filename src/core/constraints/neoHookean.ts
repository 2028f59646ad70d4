import type { BakeContext, Columns, EvaluatedKind, Rows } from './kind.js'

const REST = Math.sqrt(3)
/** |F| below which a tetrahedron counts as collapsed. */
const COLLAPSED = 0.6 * REST
/** |F| below which it has no direction left to unfold in. */
const POINT = 1e-6

/**
 * Up to this response over compliance a tetrahedron turns freely, and angular momentum stays. One that is stiffer would
 * shake by itself; from twice this on it is held against turning within the substep, which calms it.
 */
const FREE = 0.25

/** Keeps a tetrahedron on a line, which has no inertia about it, from a division by zero. */
const LEAST = 1e-15

/**
 * Share of its own response that a tetrahedron is solved with. In equilibrium those that are solved after it take back
 * about half of what it does, so that at 1 the material is too soft, by up to 17% at the stiffest that a substep resolves;
 * at 1/2 it is as much too stiff.
 */
const RESPONSE = 0.75

/** Largest response over compliance: what is stiffer cannot be resolved by a substep, and is made as soft as this. */
const STIFFEST = 1

const M = new Float64Array(6)
const Q = new Float64Array(6)
const B = new Float64Array(3)

/**
 * A tetrahedron of stable neo-Hookean material: energy density mu / 2 |F|^2 + lambda' / 2 (det F - 1 - mu / lambda')^2,
 * F = D_s B the deformation gradient, B the inverse of the rest edges; lambda' = lambda + mu, so that small strains show
 * Young's modulus and Poisson's ratio (Smith, de Goes and Kim 2018). As constraints (Macklin and Mueller 2021) these are
 * C_H = det F - 1 - mu / lambda' with the compliance 1 / (lambda' V), and C_D = F with 1 / (mu V), all nine entries of it:
 * |F| alone would leave shear to an explicit step, which is stable only where it is soft. All ten are solved together,
 * else they would not meet at the rest shape: K = sum w B B^T + alpha inverts for the three rows of F at once, and
 * the hydrostatic part follows by its Schur complement.
 *
 * F = 0 is a stationary state of the energy. Where |F| < 0.6 sqrt 3, C_D = F - sqrt 3 F / |F|, with the goal held, which
 * unfolds what has collapsed; a tetrahedron in one point unfolds as it lay at rest.
 *
 * Rest values are B by rows. The gradient of det F at a corner is C B with C the cofactors of F, so that both parts act
 * through sum w B B^T alone, and its inverse is baked.
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
  materialSize: 9,
  compliances: [0, 0, 0, 0, 0, 0, 0, 0, 0, 1],

  // Compliances over h^2 of both parts, Q = (RESPONSE M + alpha)^-1, and how far the tetrahedron may turn. What flows is
  // baked in each step, so that nothing is allocated here.
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
    const xx = RESPONSE * M[0]! + alpha
    const yy = RESPONSE * M[1]! + alpha
    const zz = RESPONSE * M[2]! + alpha
    const xy = RESPONSE * M[3]!
    const yz = RESPONSE * M[4]!
    const zx = RESPONSE * M[5]!
    Q[0] = yy * zz - yz * yz
    Q[1] = xx * zz - zx * zx
    Q[2] = xx * yy - xy * xy
    Q[3] = yz * zx - xy * zz
    Q[4] = xy * zx - xx * yz
    Q[5] = xy * yz - yy * zx
    const determinant = xx * Q[0] + xy * Q[3] + zx * Q[5]
    for (let e = 0; e < 6; e++) material[at + 2 + e] = Q[e]! / determinant
    material[at + 8] = Math.min(1, Math.max(0, 2 - mean / (FREE * alpha)))
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
    C[9] = det - 1 - material[row * 9 + 1]! / material[row * 9]!
    const size = Math.sqrt(squared)
    if (size >= COLLAPSED) return
    for (let k = 0; k < 9; k++) C[k] = size < POINT ? (k % 4 === 0 ? -1 : 0) : C[k]! * (1 - REST / size)
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
      // F F^T, whose trace is |F|^2.
      const Gxx = Fxx * Fxx + Fxy * Fxy + Fxz * Fxz
      const Gyy = Fyx * Fyx + Fyy * Fyy + Fyz * Fyz
      const Gzz = Fzx * Fzx + Fzy * Fzy + Fzz * Fzz
      const Gxy = Fxx * Fyx + Fxy * Fyy + Fxz * Fyz
      const Gyz = Fyx * Fzx + Fyy * Fzy + Fyz * Fzz
      const Gzx = Fzx * Fxx + Fzy * Fxy + Fzz * Fxz
      const size = Math.sqrt(Gxx + Gyy + Gzz)
      const m = row * 9
      const alphaD = material[m]!
      const alphaH = material[m + 1]!
      const Qxx = material[m + 2]!
      const Qyy = material[m + 3]!
      const Qzz = material[m + 4]!
      const Qxy = material[m + 5]!
      const Qyz = material[m + 6]!
      const Qzx = material[m + 7]!
      // R = -C_D - alpha lambda, of which -C_D = toward F + seed I.
      const toward = size < POINT ? 0 : size < COLLAPSED ? REST / size - 1 : -1
      const seed = size < POINT ? 1 : 0
      const l = row * 10
      let Rxx = toward * Fxx + seed
      let Rxy = toward * Fxy
      let Rxz = toward * Fxz
      let Ryx = toward * Fyx
      let Ryy = toward * Fyy + seed
      let Ryz = toward * Fyz
      let Rzx = toward * Fzx
      let Rzy = toward * Fzy
      let Rzz = toward * Fzz + seed
      let RH = 1 + alphaH / alphaD - (Fxx * Cxx + Fxy * Cxy + Fxz * Cxz)
      if (iterated) {
        Rxx -= alphaD * lambda[l]!
        Rxy -= alphaD * lambda[l + 1]!
        Rxz -= alphaD * lambda[l + 2]!
        Ryx -= alphaD * lambda[l + 3]!
        Ryy -= alphaD * lambda[l + 4]!
        Ryz -= alphaD * lambda[l + 5]!
        Rzx -= alphaD * lambda[l + 6]!
        Rzy -= alphaD * lambda[l + 7]!
        Rzz -= alphaD * lambda[l + 8]!
        RH -= alphaH * lambda[l + 9]!
      }
      // P = C (1 - alpha Q), what the deviatoric part answers to a change of volume; the Schur complement of that.
      const Pxx = Cxx - alphaD * (Cxx * Qxx + Cxy * Qxy + Cxz * Qzx)
      const Pxy = Cxy - alphaD * (Cxx * Qxy + Cxy * Qyy + Cxz * Qyz)
      const Pxz = Cxz - alphaD * (Cxx * Qzx + Cxy * Qyz + Cxz * Qzz)
      const Pyx = Cyx - alphaD * (Cyx * Qxx + Cyy * Qxy + Cyz * Qzx)
      const Pyy = Cyy - alphaD * (Cyx * Qxy + Cyy * Qyy + Cyz * Qyz)
      const Pyz = Cyz - alphaD * (Cyx * Qzx + Cyy * Qyz + Cyz * Qzz)
      const Pzx = Czx - alphaD * (Czx * Qxx + Czy * Qxy + Czz * Qzx)
      const Pzy = Czy - alphaD * (Czx * Qxy + Czy * Qyy + Czz * Qyz)
      const Pzz = Czz - alphaD * (Czx * Qzx + Czy * Qyz + Czz * Qzz)
      const CP =
        Cxx * Pxx + Cxy * Pxy + Cxz * Pxz + Cyx * Pyx + Cyy * Pyy + Cyz * Pyz + Czx * Pzx + Czy * Pzy + Czz * Pzz
      const RP =
        Rxx * Pxx + Rxy * Pxy + Rxz * Pxz + Ryx * Pyx + Ryy * Pyy + Ryz * Pyz + Rzx * Pzx + Rzy * Pzy + Rzz * Pzz
      const sH = (RH - RP) / (alphaH + alphaD * CP)
      // Both parts move a corner by w D B, D = (R + alpha s_H C) Q.
      const t = alphaD * sH
      const Exx = Rxx + t * Cxx
      const Exy = Rxy + t * Cxy
      const Exz = Rxz + t * Cxz
      const Eyx = Ryx + t * Cyx
      const Eyy = Ryy + t * Cyy
      const Eyz = Ryz + t * Cyz
      const Ezx = Rzx + t * Czx
      const Ezy = Rzy + t * Czy
      const Ezz = Rzz + t * Czz
      let Dxx = Exx * Qxx + Exy * Qxy + Exz * Qzx
      let Dxy = Exx * Qxy + Exy * Qyy + Exz * Qyz
      let Dxz = Exx * Qzx + Exy * Qyz + Exz * Qzz
      let Dyx = Eyx * Qxx + Eyy * Qxy + Eyz * Qzx
      let Dyy = Eyx * Qxy + Eyy * Qyy + Eyz * Qyz
      let Dyz = Eyx * Qzx + Eyy * Qyz + Eyz * Qzz
      let Dzx = Ezx * Qxx + Ezy * Qxy + Ezz * Qzx
      let Dzy = Ezx * Qxy + Ezy * Qyy + Ezz * Qyz
      let Dzz = Ezx * Qzx + Ezy * Qyz + Ezz * Qzz
      // C_D is not blind to rotation, its energy is: what would turn the tetrahedron is taken out, D + [k] F without
      // torque, (tr G - G) k = -axial(D F^T), as far as it may turn.
      const tx = Dzx * Fyx + Dzy * Fyy + Dzz * Fyz - Dyx * Fzx - Dyy * Fzy - Dyz * Fzz
      const ty = Dxx * Fzx + Dxy * Fzy + Dxz * Fzz - Dzx * Fxx - Dzy * Fxy - Dzz * Fxz
      const tz = Dyx * Fxx + Dyy * Fxy + Dyz * Fxz - Dxx * Fyx - Dxy * Fyy - Dxz * Fyz
      const least = LEAST * size * size
      const Axx = Gyy + Gzz + least
      const Ayy = Gzz + Gxx + least
      const Azz = Gxx + Gyy + least
      const axx = Ayy * Azz - Gyz * Gyz
      const axy = Gyz * Gzx + Gxy * Azz
      const azx = Gxy * Gyz + Ayy * Gzx
      const determinant = Axx * axx - Gxy * axy - Gzx * azx
      const turn = determinant > 0 ? -material[m + 8]! / determinant : 0
      const kx = turn * (axx * tx + axy * ty + azx * tz)
      const ky = turn * (axy * tx + (Axx * Azz - Gzx * Gzx) * ty + (Axx * Gyz + Gxy * Gzx) * tz)
      const kz = turn * (azx * tx + (Axx * Gyz + Gxy * Gzx) * ty + (Axx * Ayy - Gxy * Gxy) * tz)
      Dxx += ky * Fzx - kz * Fyx
      Dxy += ky * Fzy - kz * Fyy
      Dxz += ky * Fzz - kz * Fyz
      Dyx += kz * Fxx - kx * Fzx
      Dyy += kz * Fxy - kx * Fzy
      Dyz += kz * Fxz - kx * Fzz
      Dzx += kx * Fyx - ky * Fxx
      Dzy += kx * Fyy - ky * Fxy
      Dzz += kx * Fyz - ky * Fxz
      if (iterated) {
        lambda[l] = lambda[l]! + Dxx - sH * Cxx
        lambda[l + 1] = lambda[l + 1]! + Dxy - sH * Cxy
        lambda[l + 2] = lambda[l + 2]! + Dxz - sH * Cxz
        lambda[l + 3] = lambda[l + 3]! + Dyx - sH * Cyx
        lambda[l + 4] = lambda[l + 4]! + Dyy - sH * Cyy
        lambda[l + 5] = lambda[l + 5]! + Dyz - sH * Cyz
        lambda[l + 6] = lambda[l + 6]! + Dzx - sH * Czx
        lambda[l + 7] = lambda[l + 7]! + Dzy - sH * Czy
        lambda[l + 8] = lambda[l + 8]! + Dzz - sH * Czz
        lambda[l + 9] = lambda[l + 9]! + sH
      }
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
  },
}

/** Sets M to the six distinct entries xx, yy, zz, xy, yz, zx of sum w B B^T over a tetrahedron's corners, B0 = -B1 - B2 - B3. */
function findResponse({ inverseMasses: w, rest, restAt }: BakeContext): void {
  M.fill(0)
  for (let k = 0; k < 4; k++) {
    for (let d = 0; d < 3; d++) {
      const o = restAt + d
      B[d] = k === 0 ? -rest[o]! - rest[o + 3]! - rest[o + 6]! : rest[o + (k - 1) * 3]!
    }
    for (let d = 0; d < 3; d++) {
      M[d] = M[d]! + w[k]! * (B[d]! * B[d]!)
      M[3 + d] = M[3 + d]! + w[k]! * (B[d]! * B[d === 2 ? 0 : d + 1]!)
    }
  }
}
