import type { Matrix4, Object3D } from 'three'
import { type Quat, SettingError, type Vec3 } from '../../headless.js'
import { refreshWorldMatrix } from './worldMatrix.js'

/** A matrix taken apart: world = position + rotation * (linear * local). */
export interface RestPose {
  readonly position: Vec3
  readonly rotation: Quat
  /** Scale and shear, [9] row by row, rounded to 1e-9 of its largest entry: it is baked into the rest shape. */
  readonly linear: readonly number[]
  /** Equal for equal linear parts. */
  readonly key: string
}

/** A side that is shorter than this share of the longest is none. */
const FLAT = 1e-9

const identityKey = '1,0,0,0,1,0,0,0,1'

export function isIdentity(pose: Pick<RestPose, 'key'>): boolean {
  return pose.key === identityKey
}

/** The linear part is upper triangular and its first two diagonal entries are lengths: the third has the sign. */
export function isMirrored(pose: Pick<RestPose, 'linear'>): boolean {
  return pose.linear[8]! < 0
}

/**
 * Takes a world matrix apart by Gram-Schmidt on its columns. A mirrored matrix gives a proper rotation and a mirrored
 * linear part. Undefined where the matrix flattens space or is not finite.
 */
export function restPose(matrix: Matrix4): RestPose | undefined {
  const e = matrix.elements
  const columns = [0, 4, 8].map((at) => [e[at]!, e[at + 1]!, e[at + 2]!] as const)
  const [a, b, c] = columns as [Vec3, Vec3, Vec3]
  const x = unit(a)
  const y = x && unit(minus(b, x, dot(b, x)))
  if (!x || !y) return undefined
  const z = cross(x, y)
  const height = dot(c, z)
  const largest = Math.max(...columns.flat().map(Math.abs))
  if (!Number.isFinite(largest) || !(Math.abs(height) > FLAT * largest)) return undefined
  const upper = [dot(x, a), dot(x, b), dot(x, c), 0, dot(y, b), dot(y, c), 0, 0, height]
  const linear = rounded(upper, largest)
  return {
    position: [e[12], e[13], e[14]],
    rotation: quaternionOf(x, y, z),
    linear,
    key: linear.join(','),
  }
}

/** The pose of an object of the scene, all parents included. @throws SettingError for one that no body can have */
export function readRestPose(component: string, object: Object3D): RestPose {
  refreshWorldMatrix(object)
  const flaw = notFinite(component, object)
  if (flaw) throw flaw
  const pose = restPose(object.matrixWorld)
  if (pose) return pose
  let flat = object
  while (flat.parent && !flat.scale.toArray().includes(0)) flat = flat.parent
  throw flattens(component, 'scale', flat.scale.toArray())
}

/** Whether scales are 0, or as good as 0 beside another. */
export function isFlat(scales: readonly unknown[]): boolean {
  const sizes = scales.map((scale) => Math.abs(scale as number))
  return !(Math.min(...sizes) > FLAT * Math.max(...sizes))
}

export function flattens(component: string, prop: string, value: unknown): SettingError {
  const remedy = 'Use scales other than 0, for its parents too.'
  return new SettingError(component, prop, value, 'flattens it', remedy)
}

/** Which part of the pose of an object, or of one of its parents, is not finite; undefined when all are. */
export function notFinite(component: string, object: Object3D): SettingError | undefined {
  for (let at: Object3D | null = object; at; at = at.parent) {
    const [x, y, z] = at.rotation
    const parts = { position: at.position.toArray(), rotation: [x, y, z], scale: at.scale.toArray() }
    for (const [prop, value] of Object.entries(parts)) {
      if (value.every(Number.isFinite)) continue
      return new SettingError(component, prop, value, 'is not finite', 'Use finite numbers, for its parents too.')
    }
  }
  return undefined
}

/** Entries rounded to 1e-9 of the largest, so that the same scale under other parents is the same key. */
function rounded(entries: readonly number[], largest: number): number[] {
  const digits = 10 ** (9 - Math.ceil(Math.log10(largest)))
  return entries.map((entry) => Math.round(entry * digits) / digits + 0)
}

function dot(a: Vec3, b: Vec3): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

function minus(a: Vec3, b: Vec3, scale: number): Vec3 {
  return [a[0] - scale * b[0], a[1] - scale * b[1], a[2] - scale * b[2]]
}

function cross(a: Vec3, b: Vec3): Vec3 {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

function unit(a: Vec3): Vec3 | undefined {
  const length = Math.sqrt(dot(a, a))
  return length > 0 && Number.isFinite(length) ? [a[0] / length, a[1] / length, a[2] / length] : undefined
}

/** Unit quaternion of the rotation with these columns, from its largest component (Shepperd 1978). */
function quaternionOf(x: Vec3, y: Vec3, z: Vec3): Quat {
  const trace = x[0] + y[1] + z[2]
  const squares = [x[0] - y[1] - z[2], y[1] - x[0] - z[2], z[2] - x[0] - y[1], trace]
  const largest = squares.indexOf(Math.max(...squares))
  const s = 2 * Math.sqrt(1 + squares[largest]!)
  const wx = (y[2] - z[1]) / s
  const wy = (z[0] - x[2]) / s
  const wz = (x[1] - y[0]) / s
  const xy = (y[0] + x[1]) / s
  const xz = (z[0] + x[2]) / s
  const yz = (z[1] + y[2]) / s
  if (largest === 3) return [wx, wy, wz, s / 4]
  if (largest === 0) return [s / 4, xy, xz, wx]
  return largest === 1 ? [xy, s / 4, yz, wy] : [xz, yz, s / 4, wz]
}
