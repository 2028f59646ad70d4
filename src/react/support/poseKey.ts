import type { ThreeElements } from '@react-three/fiber'

type PoseProps = Pick<ThreeElements['group'], 'position' | 'rotation' | 'quaternion' | 'scale'>

/** Equal for equal pose props, whether they are arrays, numbers or objects of three. */
export function poseKeyOf({ position, rotation, quaternion, scale }: PoseProps): string {
  return JSON.stringify([position, rotation, quaternion, scale])
}
