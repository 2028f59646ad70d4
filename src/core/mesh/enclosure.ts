import { flatAxes, NOWHERE } from './flatAxes.js'
import { orient } from './orient.js'
import { topology } from './topology.js'
import type { Surface } from './weld.js'
import { type Openings, openings } from './winding.js'

/** What a surface is taken to enclose. */
export interface Enclosure {
  /** The surface, its triangles turned to agree. */
  readonly surface: Surface
  /** Null for a closed surface, also one with edges of four faces. */
  readonly openings: Openings | null
  /** Enclosed volume [m^3]; 0 for a surface with openings. */
  readonly volume: number
  /** Twice the volume over the area [m]: the thickness of a sheet, the radius of a rod. */
  readonly thickness: number
  /** Parts that share no point. */
  readonly partCount: number
  /** [p] lowest point of the part that each point belongs to. */
  readonly partOf: Int32Array
  /** What was taken for granted, or null. */
  readonly assumption: string | null
  /** By axis: whether it is flat on both sides, and cells are to be whole between these; on none where it is open. */
  readonly flat: readonly boolean[]
}

/** Makes sense of any surface: faces that disagree are turned, openings are bridged by winding numbers. */
export function* enclosureOf(surface: Surface): Generator<void, Enclosure> {
  let found = yield* topology(surface)
  let shape = surface
  const assumed: string[] = []
  if (!found.closed && found.flippedEdges > 0) {
    const { triangles, turned } = yield* orient(surface.triangles)
    if (turned > 0) {
      shape = { ...surface, triangles }
      found = yield* topology(shape)
      assumed.push(`${turned} faces turned to agree with their neighbours`)
    }
  }
  if (!found.closed) {
    const flaws = [
      [found.boundaryEdges, 'boundary'],
      [found.nonManifoldEdges, 'non-manifold'],
      [found.flippedEdges, 'flipped'],
    ] as const
    const counts = flaws.filter(([count]) => count > 0).map(([count, kind]) => `${count} ${kind} edges`)
    assumed.push(`${counts.join(', ')}: treated as closed by winding numbers`)
  } else if (found.nonManifoldEdges > 0) {
    // Closed, and yet four faces at an edge may be two bodies that touch, or one surface that crosses itself.
    assumed.push(`${found.nonManifoldEdges} non-manifold edges: inside is where the winding number is not zero`)
  }
  const volume = found.closed ? Math.abs(found.signedVolume) : 0
  return {
    surface: shape,
    openings: found.closed ? null : yield* openings(shape),
    volume,
    thickness: (2 * volume) / found.area,
    partCount: found.partCount,
    partOf: found.partOf,
    assumption: assumed.length > 0 ? assumed.join('; ') : null,
    flat: found.closed ? yield* flatAxes(shape) : NOWHERE,
  }
}
