import { Matrix4, Quaternion, Vector3 } from 'three'
import type { MutableVec3 } from '../../headless.js'

const x = new Vector3()
const y = new Vector3()
const z = new Vector3()
const turn = new Quaternion()
const basis = new Matrix4()

/** A world matrix as position, rotation and scale along the object's own axes. Reading it allocates nothing. */
export class RigidPose {
  readonly position: MutableVec3 = [0, 0, 0]
  readonly rotation: [number, number, number, number] = [0, 0, 0, 1]
  readonly scale: MutableVec3 = [1, 1, 1]

  /** What keeps the matrix from being such a pose, undefined when nothing does; then the pose is as it was. */
  read(matrix: Matrix4): string | undefined {
    const e = matrix.elements
    if (!Number.isFinite(e[12] + e[13] + e[14])) return 'is not finite'
    // Not `extractBasis`: that of a flat matrix is the identity's.
    x.setFromMatrixColumn(matrix, 0)
    y.setFromMatrixColumn(matrix, 1)
    z.setFromMatrixColumn(matrix, 2)
    const sx = x.length()
    const sy = y.length()
    const sz = z.length()
    if (!(sx * sy * sz > 0 && sx + sy + sz < Number.POSITIVE_INFINITY)) return 'is flat or not finite'
    x.divideScalar(sx)
    y.divideScalar(sy)
    z.divideScalar(sz)
    if (Math.abs(x.dot(y)) + Math.abs(y.dot(z)) + Math.abs(z.dot(x)) > 1e-4) return 'is sheared by its parents'
    // A mirrored plane, box or sphere is itself, turned: its x axis does not matter.
    if (matrix.determinant() < 0) x.negate()
    turn.setFromRotationMatrix(basis.makeBasis(x, y, z)).normalize()
    turn.toArray(this.rotation)
    this.scale[0] = sx
    this.scale[1] = sy
    this.scale[2] = sz
    this.position[0] = e[12]!
    this.position[1] = e[13]!
    this.position[2] = e[14]!
    return undefined
  }
}
