import type { Quat, Vec3 } from '../../src/headless.js'

const cross = (a: Vec3, b: Vec3): Vec3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
]

/** A vector turned by a unit quaternion. */
export function rotate([x, y, z, w]: Quat, v: Vec3): Vec3 {
  const t = cross([x, y, z], v).map((c) => 2 * c) as unknown as Vec3
  const u = cross([x, y, z], t)
  return [v[0] + w * t[0] + u[0], v[1] + w * t[1] + u[1], v[2] + w * t[2] + u[2]]
}

/** The turn about a unit axis by an angle [rad]. */
export function turnBy(axis: Vec3, angle: number): Quat {
  const s = Math.sin(angle / 2)
  return [axis[0] * s, axis[1] * s, axis[2] * s, Math.cos(angle / 2)]
}

/** A place of the world in the frame of a pose. */
export function toLocal([position, [x, y, z, w]]: readonly [Vec3, Quat], place: Vec3): Vec3 {
  return rotate([-x, -y, -z, w], [place[0] - position[0], place[1] - position[1], place[2] - position[2]])
}
