import { tetVolume } from '../../src/core/constraints/volume.js'
import type { Body } from '../../src/headless.js'
import { positionsOf } from './laws.js'

/** How many tetrahedra of a body are turned inside out or flat. */
export function invertedTets(body: Body): number {
  const x = positionsOf(body)
  const { tets } = body.model
  let count = 0
  for (let t = 0; t < tets.length; t += 4) if (!(tetVolume(x, tets, t) > 0)) count++
  return count
}
