import { BoxGeometry, type BufferGeometry, CapsuleGeometry, IcosahedronGeometry } from 'three'
import { RoundedBoxGeometry } from 'three/addons/geometries/RoundedBoxGeometry.js'
import { mergeVertices } from 'three/addons/utils/BufferGeometryUtils.js'
import { withRest } from './materials.js'

/** Joins vertices that differ in uv or normal alone, so that the surface is smooth. */
function welded(geometry: BufferGeometry): BufferGeometry {
  geometry.deleteAttribute('uv')
  geometry.deleteAttribute('normal')
  const joined = mergeVertices(geometry)
  joined.computeVertexNormals()
  return withRest(joined)
}

/** A cube with rounded edges, `size` wide [m]. */
export function roundedBox(size: number, radius = size * 0.2): BufferGeometry {
  return welded(new RoundedBoxGeometry(size, size, size, 8, radius))
}

/** A cube with rounded edges, `size` wide [m], with as many vertices on its sides: for dents. */
export function fineBox(size: number, radius: number): BufferGeometry {
  const geometry = new BoxGeometry(size, size, size, 28, 28, 28)
  const points = geometry.getAttribute('position')
  const inner = size / 2 - radius
  for (let i = 0; i < points.count; i++) {
    const point = [points.getX(i), points.getY(i), points.getZ(i)]
    const core = point.map((value) => Math.min(inner, Math.max(-inner, value)))
    const length = Math.hypot(...point.map((value, d) => value - core[d]!))
    const [x, y, z] = point.map((value, d) => core[d]! + (radius * (value - core[d]!)) / length)
    points.setXYZ(i, x!, y!, z!)
  }
  return welded(geometry)
}

/** A ball of `radius` [m] with triangles of much the same size. */
export function ball(radius: number): BufferGeometry {
  return welded(new IcosahedronGeometry(radius, 14))
}

/** A ball squashed to a heart, about `size` wide [m], pointing down. */
export function heart(size: number): BufferGeometry {
  const geometry = new IcosahedronGeometry(1, 20)
  const points = geometry.getAttribute('position')
  for (let i = 0; i < points.count; i++) {
    const x = points.getX(i)
    const y = points.getY(i)
    // Lobes rise with the distance from the middle, and the tip is drawn together.
    const across = Math.sqrt(x * x + 0.02)
    const taper = 0.62 + 0.38 * Math.min(1, (y + 1) * 0.8)
    points.setXYZ(i, x * taper, 0.85 * y + 0.72 * across - 0.25, points.getZ(i) * taper * 0.62)
  }
  geometry.scale(size / 2, size / 2, size / 2)
  return welded(geometry)
}

/** A rod with round ends along x, `length` in all [m]. */
export function rod(length: number, radius: number): BufferGeometry {
  const middle = length - 2 * radius
  const geometry = new CapsuleGeometry(radius, middle, 10, 32, Math.round((middle / radius) * 4))
  return welded(geometry.rotateZ(Math.PI / 2))
}

/** A ball of `radius` [m] pressed flat to `share` of its height. */
export function lentil(radius: number, share: number): BufferGeometry {
  return welded(new IcosahedronGeometry(radius, 14).scale(1, share, 1))
}
