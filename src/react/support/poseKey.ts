const poseProp = /^(position|rotation|quaternion|scale)(-|$)/

/** Equal for equal pose props: arrays, numbers, objects of three, or single components as in `position-y`. */
export function poseKeyOf(props: object): string {
  return JSON.stringify(
    Object.entries(props)
      .filter(([name]) => poseProp.test(name))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )
}
