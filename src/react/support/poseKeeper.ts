import { useState } from 'react'
import type { SettingError } from '../../headless.js'
import { isPoseProp } from './poseKey.js'
import { warnOnce } from './propKeeper.js'
import { flattens, isFlat, nonFinite } from './restPose.js'

/** Keeps pose props from an object of three that no body could follow: after mount an invalid one warns and the last stays. */
class PoseKeeper {
  private last: Record<string, unknown> | null = null
  private readonly warned = new Set<string>()

  constructor(private readonly component: string) {}

  read(props: Record<string, unknown>): Record<string, unknown> {
    const { last } = this
    const next = { ...props }
    for (const prop of Object.keys(props)) {
      if (!last || props[prop] === last[prop] || !isPoseProp(prop)) continue
      const error = flawOf(this.component, prop, props[prop])
      if (!error) continue
      warnOnce(this.warned, error)
      if (prop in last) next[prop] = last[prop]
      else delete next[prop]
    }
    this.last = next
    return next
  }
}

/** Props with a valid pose. At mount it is the one that is given: what reads it there says what is wrong with it. */
export function useValidPose<P extends object>(component: string, props: P): P {
  const [keeper] = useState(() => new PoseKeeper(component))
  return keeper.read(props as Record<string, unknown>) as P
}

function flawOf(component: string, prop: string, value: unknown): SettingError | undefined {
  const numbers = numbersOf(prop, value)
  if (!numbers) return undefined
  const shown = prop.includes('-') ? value : numbers
  if (!numbers.every(Number.isFinite)) return nonFinite(component, prop, shown)
  return prop.startsWith('scale') && isFlat(numbers) ? flattens(component, prop, shown) : undefined
}

/** The numbers that a pose prop gives an object; undefined for what is none of its forms. */
function numbersOf(prop: string, value: unknown): unknown[] | undefined {
  const count = prop === 'quaternion' ? 4 : 3
  if (typeof value === 'number') {
    if (prop.includes('-')) return [value]
    return prop === 'position' || prop === 'scale' ? [value, value, value] : undefined
  }
  if (typeof value !== 'object' || value === null) return undefined
  const row = 'x' in value ? ['x', 'y', 'z', 'w'].map((name) => value[name as keyof typeof value]) : value
  return Array.from({ length: count }, (_, k) => (row as unknown[])[k])
}
