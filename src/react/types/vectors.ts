// How calls on refs take vectors.

/** A vector that is handed to a call: three numbers in any array, or x, y and z as of a Vector3. */
export type Vec3Like = ArrayLike<number> | { readonly x: number; readonly y: number; readonly z: number }

/** A unit quaternion that is handed to a call: x, y, z, w in any array, or as of a Quaternion. */
export type QuatLike =
  | ArrayLike<number>
  | { readonly x: number; readonly y: number; readonly z: number; readonly w: number }
