import type { Solver } from '../core/solver.js'
import { ReferenceSolver } from './reference/step.js'

/** The backend to step a world with. There is one so far: the readable Float64 reference. */
export function selectSolver(): Solver {
  return new ReferenceSolver()
}
