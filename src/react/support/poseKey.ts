const poseProp = /^(position|rotation|quaternion|scale)(-|$)/

/** Whether a prop is a part of the pose, as `position` or `rotation-y`. */
export function isPoseProp(name: string): boolean {
  return poseProp.test(name)
}

/** Equal for equal pose props: arrays, numbers, objects of three, or single components as in `position-y`. */
export function poseKeyOf(props: object): string {
  return JSON.stringify(
    Object.entries(props)
      .filter(([name]) => isPoseProp(name))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )
}
