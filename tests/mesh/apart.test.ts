import {
  BoxGeometry,
  Euler,
  IcosahedronGeometry,
  Matrix4,
  PlaneGeometry,
  Quaternion,
  SphereGeometry,
  TorusGeometry,
  Vector3,
} from 'three'
import { describe, expect, it } from 'vitest'
import { softBodyModel } from '../../src/core/bodies/solid.js'
import { bindParts } from '../../src/core/mesh/bindParts.js'
import { embed } from '../../src/core/mesh/embed.js'
import { Groups } from '../../src/core/mesh/groups.js'
import { runToEnd } from '../../src/core/mesh/slices.js'
import { tetrahedralize } from '../../src/core/mesh/tetrahedralize.js'
import { topology } from '../../src/core/mesh/topology.js'
import { type TriangleMesh, weld } from '../../src/core/mesh/weld.js'
import { fromGeometry, moved, together } from '../support/meshes.js'
import { seededRandom } from '../support/random.js'
import { expectSound, farthestPoint, fill, piecesOf } from './sound.js'

const at = (mesh: TriangleMesh, x: number, y = 0, z = 0) => moved(mesh, new Matrix4().makeTranslation(x, y, z))
const all = (meshes: TriangleMesh[]) => meshes.reduce((a, b) => together(a, b))

interface Ball {
  readonly center: Vector3
  readonly radius: number
}

/** 2 to 12 closed parts, of which the largest is up to twenty times as large as the smallest, in balls that do not meet. */
function scattering(seed: number): { mesh: TriangleMesh; balls: Ball[] } {
  const random = seededRandom(seed)
  const count = 2 + Math.floor(11 * random())
  const spread = 2.5 + 5 * random()
  const balls: Ball[] = []
  const meshes: TriangleMesh[] = []
  while (balls.length < count) {
    const radius = 20 ** -random()
    const center = new Vector3(random() - 0.5, random() - 0.5, random() - 0.5).multiplyScalar(2 * spread)
    if (balls.some((ball) => ball.center.distanceTo(center) < ball.radius + radius)) continue
    balls.push({ center, radius })
    const turn = new Quaternion().setFromEuler(new Euler(6 * random(), 6 * random(), 6 * random()))
    const geometry = [
      new BoxGeometry(1.15, 1.15, 1.15),
      new SphereGeometry(1, 12, 8),
      new IcosahedronGeometry(1),
      new TorusGeometry(0.7, 0.3, 8, 12),
    ][Math.floor(4 * random())]!
    const mesh = moved(fromGeometry(geometry), new Matrix4().compose(center, turn, new Vector3(radius, radius, radius)))
    meshes.push({ ...mesh, index: mesh.index ?? Uint32Array.from({ length: mesh.positions.length / 3 }, (_, i) => i) })
  }
  return { mesh: all(meshes), balls }
}

/** How far the farthest point is from what carries it [cells], and for each part the pieces that carry it. */
function carriersOf(mesh: TriangleMesh, options: Parameters<typeof tetrahedralize>[1]) {
  const surface = runToEnd(weld(mesh))
  const filled = runToEnd(tetrahedralize(surface, options))
  const { particles, outside } = filled.ties ?? runToEnd(embed(filled, surface.positions))
  const pieces = new Groups(filled.positions.length / 3)
  filled.tets.forEach((vertex, corner) => pieces.join(vertex, filled.tets[corner & ~3]!))
  const carriers = new Map<number, Set<number>>()
  runToEnd(topology(surface)).partOf.forEach((part, point) => {
    if (!carriers.has(part)) carriers.set(part, new Set())
    carriers.get(part)!.add(pieces.find(particles[4 * point]!))
  })
  const farthest = outside.reduce((most, distance) => Math.max(most, distance)) / filled.cell
  return { filled, farthest, carriers, surface }
}

describe('separate parts', () => {
  it('have tetrahedra of their own, however coarse the lattice: two cubes', () => {
    const cube = fromGeometry(new BoxGeometry(0.2, 0.2, 0.2))
    const two = together(at(cube, -1), at(cube, 1))
    for (let resolution = 1; resolution <= 24; resolution++) {
      const filled = fill(two, resolution)
      expectSound(filled)
      expect(piecesOf(filled)).toBe(2)
      expect(farthestPoint(two, filled)).toBeLessThan(0.6)
    }
  })

  it('have tetrahedra of their own: a ball beside a larger one, by counts too', () => {
    const balls = together(
      fromGeometry(new SphereGeometry(0.5, 24, 16)),
      at(fromGeometry(new SphereGeometry(0.08, 12, 8)), 0, 0.75),
    )
    for (const options of [6, 8, 10, 13, 20].map((resolution) => ({ resolution }))) {
      expect(piecesOf(runToEnd(tetrahedralize(runToEnd(weld(balls)), options)))).toBe(2)
    }
    for (const tetCount of [1000, 3000, 20000]) {
      const { filled, farthest } = carriersOf(balls, { tetCount })
      expect(piecesOf(filled)).toBe(2)
      expect(farthest).toBeLessThan(0.6)
      expect(Math.abs(filled.report.tetCount / tetCount - 1)).toBeLessThan(0.15)
    }
  })

  for (const seed of [1, 2, 3, 8, 9, 12, 20, 25, 27, 63, 77, 98, 121, 139]) {
    it(`are each carried whole, by tetrahedra near to all of it: a scattering, seed ${seed}`, () => {
      const { mesh, balls } = scattering(seed)
      for (const resolution of [1, 2 + (seed % 4), 6 + (seed % 9), 15 + (seed % 6)]) {
        const { filled, farthest, carriers, surface } = carriersOf(mesh, { resolution })
        expectSound(filled)
        expect(farthest).toBeLessThan(1)
        expect([...carriers.values()].filter((pieces) => pieces.size > 1)).toEqual([])
        // What one piece carries hangs together across gaps of less than two cells: here between the balls around the parts.
        const near = new Groups(balls.length)
        const gap = (a: Ball, b: Ball) => a.center.distanceTo(b.center) - a.radius - b.radius
        balls.forEach((a, i) => {
          balls.forEach((b, j) => {
            if (gap(a, b) < 2 * filled.cell) near.join(i, j)
          })
        })
        const ballOf = (point: number) => {
          const place = new Vector3(...surface.positions.subarray(3 * point, 3 * point + 3))
          return balls.findIndex(({ center, radius }) => center.distanceTo(place) < radius * (1 + 1e-6))
        }
        const clusters = new Map<number, Set<number>>()
        for (const [part, [piece]] of carriers) {
          if (!clusters.has(piece!)) clusters.set(piece!, new Set())
          clusters.get(piece!)!.add(near.find(ballOf(part)))
        }
        expect([...clusters.values()].filter((ones) => ones.size > 1)).toEqual([])
      }
    })
  }

  it('that touch others, or stay within a cell of them, go with them', () => {
    const ball = fromGeometry(new SphereGeometry(0.5, 24, 16))
    // A button that hovers, a spike that stands in the ball, a post on a box, beside the lines of the lattice.
    const button = at(fromGeometry(new BoxGeometry(0.06, 0.02, 0.06)), 0, 0.515)
    const spike = at(fromGeometry(new BoxGeometry(0.01, 0.14, 0.01)), 0.03, 0.56, 0.02)
    const post = at(fromGeometry(new BoxGeometry(0.01, 0.14, 0.01)), 0.03, 0.57, 0.02)
    const box = fromGeometry(new BoxGeometry(1, 1, 1))
    for (const mesh of [together(ball, button), together(ball, spike), together(box, post)]) {
      expect(piecesOf(fill(mesh, 10))).toBe(1)
    }
  })

  it('that are rings come out as rings', () => {
    const ball = fromGeometry(new SphereGeometry(0.5, 24, 16))
    const turned = moved(fromGeometry(new TorusGeometry(0.05, 0.015, 8, 16)), new Matrix4().makeRotationX(0.7))
    const filled = fill(together(ball, at(turned, 0.9)), 10)
    expectSound(filled)
    const ring = Array.from(filled.positions.keys()).filter((i) => i % 3 === 0 && filled.positions[i]! > 0.7)
    expect(ring.length).toBeGreaterThan(0)
    // None of it is farther from the middle than the ring is wide, and half as much again.
    for (const i of ring)
      expect(Math.hypot(filled.positions[i]! - 0.9, ...filled.positions.subarray(i + 1, i + 3))).toBeLessThan(0.075)
  })

  it('stay with their hollows: a bead beside a ball', () => {
    const ball = fromGeometry(new SphereGeometry(0.5, 24, 16))
    const bead = fromGeometry(new BoxGeometry(0.1, 0.1, 0.1))
    const inner = at(fromGeometry(new BoxGeometry(0.05, 0.05, 0.05)), 0.9)
    const hollow = { ...inner, index: Uint32Array.from(inner.index!).reverse() }
    expect(piecesOf(fill(all([ball, at(bead, 0.9), hollow]), 10))).toBe(2)
  })

  it('that are sheets go with what is near to one of a heap', () => {
    const ball = fromGeometry(new SphereGeometry(0.5, 24, 16))
    const leaf = fromGeometry(new PlaneGeometry(0.1, 0.1))
    const chain = [0.55, 0.7, 0.85, 1].map((x) => at(leaf, x))
    expect(piecesOf(fill(all([ball, ...chain]), 10))).toBe(1)
    // Without those that lead there, the last two are a heap of their own.
    expect(piecesOf(fill(all([ball, ...chain.slice(2)]), 10))).toBe(2)
  })

  it('are carried by one piece, also where a point is nearer to another', () => {
    // Two tetrahedra a gap apart. A part in the first reaches into the gap, past its middle.
    const corner = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]
    const mesh = {
      positions: Float64Array.from([...corner, ...corner.map((x, i) => (i % 3 === 0 ? x + 1.5 : x))]),
      tets: Uint32Array.of(0, 1, 2, 3, 4, 5, 6, 7),
    }
    const points = Float64Array.of(0.2, 0.2, 0.2, 1.4, 0, 0, 1.8, 0.2, 0.2)
    const partOf = Int32Array.of(0, 0, 2)
    for (const [reach, particle] of [
      [0.5, 0],
      // Too far to be carried by either: it stays with what is nearest.
      [0.3, 4],
    ] as const) {
      const ties = runToEnd(embed(mesh, points))
      runToEnd(bindParts(mesh, points, partOf, ties, reach))
      expect([0, 1, 2].map((p) => ties.particles[4 * p]! & ~3)).toEqual([0, particle, 4])
      expect(ties.outside[1]).toBeCloseTo(particle === 0 ? 0.4 : 0.1, 12)
    }
  })

  it('are pressed by gas only where their tetrahedra are about as large as the others', () => {
    const ball = fromGeometry(new SphereGeometry(0.5, 24, 16))
    const rows = (side: number) => {
      const small = at(fromGeometry(new BoxGeometry(side, side, side)), 0.9)
      const { model } = softBodyModel(together(ball, small), { resolution: 10 })
      const pressed = model.sets.find(({ name }) => name === 'pressure')!.indices
      return Math.max(...Array.from(pressed, (vertex) => model.positions[3 * vertex]!))
    }
    expect(rows(0.15)).toBeGreaterThan(0.9)
    expect(rows(0.03)).toBeLessThan(0.6)
  })
})
