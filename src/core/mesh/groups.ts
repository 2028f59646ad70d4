/** The vertices that tetrahedra tie together, of `count`. */
export function* tiedBy(tets: Uint32Array, count: number): Generator<void, Groups> {
  const pieces = new Groups(count)
  for (let corner = 0; corner < tets.length; corner++) {
    pieces.join(tets[corner & ~3]!, tets[corner]!)
    if ((corner & 0x7fff) === 0x7fff) yield
  }
  return pieces
}

/** Disjoint sets of whole numbers; each is known by its lowest member. */
export class Groups {
  private readonly parents: Int32Array

  constructor(count: number) {
    this.parents = new Int32Array(count)
    for (let i = 0; i < count; i++) this.parents[i] = i
  }

  find(member: number): number {
    let root = member
    while (this.parents[root] !== root) root = this.parents[root]!
    let at = member
    while (at !== root) {
      const parent = this.parents[at]!
      this.parents[at] = root
      at = parent
    }
    return root
  }

  join(a: number, b: number): void {
    const rootA = this.find(a)
    const rootB = this.find(b)
    if (rootA < rootB) this.parents[rootB] = rootA
    else this.parents[rootA] = rootB
  }

  /** How many sets there are. */
  count(): number {
    let count = 0
    for (let i = 0; i < this.parents.length; i++) if (this.parents[i] === i) count++
    return count
  }
}
