import { Matrix3, Vector3 } from 'three'
import type { Body } from '../../src/headless.js'
import { bodyMotion, positionsOf, velocitiesOf } from './laws.js'

/** Speed of the particle that differs most from the rigid motion of its body's momentum and angular momentum [m/s]. */
export function largestWobble(body: Body): number {
  const { mass, center, momentum, angularMomentum } = bodyMotion(body)
  const x = positionsOf(body)
  const v = velocitiesOf(body)
  const inertia = new Matrix3().set(0, 0, 0, 0, 0, 0, 0, 0, 0)
  const e = inertia.elements
  const r = new Vector3()
  const c = new Vector3().fromArray(center)
  body.model.massShares.forEach((share, i) => {
    const at = r
      .fromArray(x, i * 3)
      .sub(c)
      .toArray()
    for (let j = 0; j < 3; j++) {
      for (let k = 0; k < 3; k++) e[j * 3 + k]! += share * mass * ((j === k ? r.lengthSq() : 0) - at[j]! * at[k]!)
    }
  })
  const spin = new Vector3().fromArray(angularMomentum).applyMatrix3(inertia.invert())
  const drift = new Vector3().fromArray(momentum).divideScalar(mass)
  const of = new Vector3()
  let largest = 0
  for (let i = 0; i < body.particleCount; i++) {
    const rigid = r
      .fromArray(x, i * 3)
      .sub(c)
      .cross(spin)
      .negate()
      .add(drift)
    largest = Math.max(
      largest,
      of
        .fromArray(v, i * 3)
        .sub(rigid)
        .length(),
    )
  }
  return largest
}
