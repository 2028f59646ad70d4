import type { Rows } from '../../core/constraints/kind.js'

/** Rows of `span` from `row` to `end`. */
export interface Spans {
  readonly rows: Rows
  readonly row: number
  readonly end: number
}

/** What holds a limb to the one before it on the way to the root; limbs are counted from the body's first. */
export interface Link {
  readonly child: number
  readonly parent: number
  /** Rows of `span`; `sign` is 1 where the child's point is the first of the two, else -1. */
  readonly spans: readonly { readonly rows: Rows; readonly row: number; readonly sign: number }[]
}

/**
 * The limbs as a tree, or several: its links from the leaves to the roots. What would close a loop is no link of it.
 * @param limbOf the limb of a particle of the world
 */
export function linksOf(
  limbCount: number,
  spans: readonly Spans[],
  limbOf: (particle: number) => number,
): { readonly links: readonly Link[]; readonly roots: readonly number[] } {
  const ties = spans.flatMap(({ rows, row, end }) =>
    Array.from({ length: end - row }, (_, k) => {
      const from = rows.offsets[row + k]!
      const between = from + rows.rest[from * 2 + 5]!
      return { rows, row: row + k, one: limbOf(rows.indices[from]!), other: limbOf(rows.indices[between]!) }
    }),
  )
  const links: Link[] = []
  const roots: number[] = []
  const seen = new Set<number>()
  for (let root = 0; root < limbCount; root++) {
    if (seen.has(root)) continue
    seen.add(root)
    roots.push(root)
    const queue = [root]
    for (const parent of queue) {
      for (const tie of ties) {
        if (tie.one !== parent && tie.other !== parent) continue
        const child = tie.one === parent ? tie.other : tie.one
        if (seen.has(child)) continue
        seen.add(child)
        queue.push(child)
        const own = ties.filter(
          ({ one, other }) => (one === child && other === parent) || (one === parent && other === child),
        )
        const held = own.map(({ rows, row, one }) => ({ rows, row, sign: one === child ? 1 : -1 }))
        links.unshift({ child, parent, spans: held })
      }
    }
  }
  return { links, roots }
}
