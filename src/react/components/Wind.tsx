import { useEffect, useRef } from 'react'
import type { Wind as EngineWind, Vec3, WindRegion, WindSettings } from '../../headless.js'
import { windProps } from '../props.js'
import { useWorldRuntime } from '../support/contexts.js'
import { useValidProps } from '../support/propKeeper.js'
import type { WindProps } from '../types.js'

/**
 * Wind, on every body of the world that has `drag` or `lift`: each `<Cloth>`, unless told otherwise. Several winds add
 * up; it goes with the component.
 * @throws SettingError at mount for an invalid prop, Error outside of a world
 */
export function Wind(props: WindProps): null {
  const [valid] = useValidProps<keyof WindProps, WindProps>('Wind', windProps, props, 'nothing')
  const { world } = useWorldRuntime('<Wind>')
  const wind = useRef<EngineWind | null>(null)
  const key = JSON.stringify(windSettingsOf(valid))
  const settings = useRef(key)
  useEffect(() => {
    settings.current = key
    wind.current?.set(parsed(key))
  }, [key])
  useEffect(() => {
    const added = world.addWind(parsed(settings.current))
    wind.current = added
    return () => {
      wind.current = null
      added.remove()
    }
  }, [world])
  return null
}

/** What JSON leaves out is everywhere. */
function parsed(key: string): Partial<WindSettings> {
  return { region: undefined, ...(JSON.parse(key) as Partial<WindSettings>) }
}

/** All settings, with defaults, so that a prop that is taken away falls back. */
function windSettingsOf(props: WindProps): Partial<WindSettings> {
  const { turbulence, turbulenceSize, seed } = props
  return {
    velocity: velocityOf(props),
    turbulence: turbulence ?? (windProps.turbulence.default as number),
    turbulenceSize: turbulenceSize ?? (windProps.turbulenceSize.default as number),
    seed: seed ?? (windProps.seed.default as number),
    region: props.region && regionOf(props.region),
  }
}

function velocityOf({ velocity, direction, speed }: WindProps): Vec3 {
  const given = velocity ?? (windProps.velocity.default as Vec3)
  const along = direction ?? given
  const length = Math.hypot(...along)
  const scale = length === 0 ? 0 : (speed ?? Math.hypot(...given)) / length
  return direction === undefined && speed === undefined
    ? [...given]
    : [along[0] * scale, along[1] * scale, along[2] * scale]
}

function regionOf(region: NonNullable<WindProps['region']>): WindRegion {
  if ('isBox3' in region) return { min: region.min.toArray(), max: region.max.toArray() }
  if ('isSphere' in region) return { center: region.center.toArray(), radius: region.radius }
  return region
}
