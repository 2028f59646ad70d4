import { type BufferGeometry, IcosahedronGeometry } from 'three'
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

/** A ball of `radius` [m] with triangles of much the same size. */
export function ball(radius: number): BufferGeometry {
  return welded(new IcosahedronGeometry(radius, 14))
}
