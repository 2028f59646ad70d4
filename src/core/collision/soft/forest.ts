/** The root of the tree that `at` is in, of a forest whose roots are their own parents. Shortens the way there (union-find). */
export function rootOf(parents: Uint32Array, at: number): number {
  let root = at
  while (parents[root] !== root) {
    parents[root] = parents[parents[root]!]!
    root = parents[root]!
  }
  return root
}
