import { tetVolume } from '../../src/core/constraints/volume.js'
import { type Model, tetMeshModel } from '../../src/headless.js'

export interface Tets {
  positions: Float64Array
  tets: Uint32Array
}

/** A box of n x m x k cells about the origin, five tetrahedra a cell, mirrored from cell to cell so that faces meet. */
export function boxLattice(size: readonly [number, number, number], cells: readonly [number, number, number]): Tets {
  const [n, m, k] = cells
  const at = (x: number, y: number, z: number) => x + (n + 1) * (y + (m + 1) * z)
  const positions: number[] = []
  for (let z = 0; z <= k; z++) {
    for (let y = 0; y <= m; y++) {
      for (let x = 0; x <= n; x++) {
        positions.push((x / n - 0.5) * size[0], (y / m - 0.5) * size[1], (z / k - 0.5) * size[2])
      }
    }
  }
  const tets: number[] = []
  for (let z = 0; z < k; z++) {
    for (let y = 0; y < m; y++) {
      for (let x = 0; x < n; x++) {
        const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((c) => [x + (c & 1), y + ((c >> 1) & 1), z + (c >> 2)] as const)
        const even = corners.filter((c) => (c[0] + c[1] + c[2]) % 2 === 0)
        // One tetrahedron joins the even corners; each odd corner has one with its three even neighbours.
        tets.push(...even.map((c) => at(...c)))
        for (const odd of corners.filter((c) => (c[0] + c[1] + c[2]) % 2 === 1)) {
          const beside = even.filter(
            (c) => Math.abs(c[0] - odd[0]) + Math.abs(c[1] - odd[1]) + Math.abs(c[2] - odd[2]) === 1,
          )
          tets.push(at(...odd), ...beside.map((c) => at(...c)))
        }
      }
    }
  }
  return oriented(Float64Array.from(positions), Uint32Array.from(tets))
}

/** A ball about the origin: a cube's lattice whose shells are drawn onto spheres. */
export function ballLattice(radius: number, cells: number): Tets {
  const { positions, tets } = boxLattice([2, 2, 2], [cells, cells, cells])
  for (let p = 0; p < positions.length; p += 3) {
    const [x, y, z] = [positions[p]!, positions[p + 1]!, positions[p + 2]!]
    const length = Math.hypot(x, y, z)
    const scale = length === 0 ? 0 : (radius * Math.max(Math.abs(x), Math.abs(y), Math.abs(z))) / length
    for (let d = 0; d < 3; d++) positions[p + d]! *= scale
  }
  return oriented(positions, tets)
}

/** A bar as thick as `thickness`, bent to a U: two arms of `arm` m with `gap` between them, open at the top. */
export function horseshoe(arm: number, gap: number, thickness: number): Model {
  const radius = (gap + thickness) / 2
  const turn = (Math.PI * radius) / 2
  const { positions: x, tets } = boxLattice([2 * (arm + turn), thickness, thickness], [24, 2, 2])
  for (let p = 0; p < x.length; p += 3) {
    const side = Math.sign(x[p]!)
    const along = Math.abs(x[p]!)
    const inward = x[p + 1]!
    const angle = Math.min(along, turn) / radius
    x[p] = side * (radius - inward) * Math.sin(angle)
    x[p + 1] = Math.max(0, along - turn) - (radius - inward) * Math.cos(angle)
  }
  return tetMeshModel(oriented(x, tets)).model
}

function oriented(positions: Float64Array, tets: Uint32Array): Tets {
  for (let t = 0; t < tets.length; t += 4) {
    if (tetVolume(positions, tets, t) < 0) [tets[t], tets[t + 1]] = [tets[t + 1]!, tets[t]!]
  }
  return { positions, tets }
}

/** The body of a cube of tetrahedra: `side` m, `cells` cells a side. */
export function cube(side: number, cells: number): Model {
  return tetMeshModel(boxLattice([side, side, side], [cells, cells, cells])).model
}

export function ball(radius: number, cells: number): Model {
  return tetMeshModel(ballLattice(radius, cells)).model
}
