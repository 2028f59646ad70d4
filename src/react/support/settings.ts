import { type BodySettings, type ElasticSetting, type Model, presets } from '../../headless.js'
import type { BodyProps, ClothProps, ShapeMatching, SolidProps } from '../types.js'

type ElasticValue = ElasticSetting | false
type Common = Pick<BodySettings, 'damping' | 'shapeDamping' | 'friction' | 'restitution' | 'gravityScale'>

/** Rate of `shapeMatching` without a number [rad/s]. */
const shapeRate = 100

function common(props: BodyProps, base: Partial<BodySettings>): Common {
  return {
    damping: props.damping ?? base.damping ?? 0,
    shapeDamping: props.shapeDamping ?? base.shapeDamping ?? 0,
    friction: props.friction ?? base.friction ?? 0.5,
    restitution: props.restitution ?? base.restitution ?? 0,
    gravityScale: props.gravityScale ?? base.gravityScale ?? 1,
  }
}

/** The engine's settings of a solid. All of them are stated, so that a prop that is taken away falls back. */
export function solidSettings(props: SolidProps, model: Model): Partial<BodySettings> {
  const preset: Partial<BodySettings> = presets[props.preset ?? 'jelly']
  const density = props.density ?? preset.density ?? model.density
  const elastic: Record<string, ElasticValue> = { ...model.elastic, ...preset.elastic }
  const { edgeCompliance, volumeCompliance, shapeMatching } = props
  if (edgeCompliance !== undefined) elastic.edges = compliant(edgeCompliance)
  if (volumeCompliance !== undefined) elastic.volumes = compliant(volumeCompliance)
  if (shapeMatching !== undefined) elastic.shape = matched(shapeMatching)
  return {
    ...common(props, preset),
    density,
    mass: props.mass ?? density * model.measure,
    thickness: props.thickness ?? model.thickness,
    elastic,
  }
}

/** The engine's settings of a cloth. */
export function clothSettings(props: ClothProps, model: Model): Partial<BodySettings> {
  const elastic: Record<string, ElasticValue> = { ...model.elastic }
  if (props.stretchModulus !== undefined) elastic.stretch = stiff(props.stretchModulus)
  if (props.shearModulus !== undefined) elastic.shear = stiff(props.shearModulus)
  if (props.bendModulus !== undefined) elastic.bend = stiff(props.bendModulus)
  const density = props.areaDensity ?? model.density
  return {
    ...common(props, {}),
    density,
    mass: props.mass ?? density * model.measure,
    thickness: props.thickness ?? model.thickness,
    elastic,
  }
}

function compliant(compliance: number | false): ElasticValue {
  return compliance === false ? false : { compliance }
}

function matched(setting: ShapeMatching): ElasticValue {
  if (typeof setting === 'boolean') return setting && { rate: shapeRate }
  return setting
}

/** Stiffness from none to infinite. */
function stiff(modulus: number): ElasticValue {
  if (modulus === 0) return false
  return modulus === Number.POSITIVE_INFINITY ? { compliance: 0 } : { modulus }
}
