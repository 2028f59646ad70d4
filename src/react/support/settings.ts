import {
  type BodySettings,
  bodySettings,
  type CollisionGroups,
  distance,
  type ElasticSetting,
  type Model,
  type Plasticity,
  plasticitySettings,
  presets,
} from '../../headless.js'
import { clothProps, ragdollProps, ropeProps } from '../props.js'
import type {
  BodyProps,
  ClothSettings,
  Pressure,
  RagdollSettings,
  RopeSettings,
  ShapeMatching,
  SolidProps,
} from '../types.js'

type ElasticValue = ElasticSetting | false
type Common = Pick<
  BodySettings,
  | 'damping'
  | 'shapeDamping'
  | 'friction'
  | 'rollingFriction'
  | 'restitution'
  | 'contactDamping'
  | 'gravityScale'
  | 'collisionGroups'
  | 'sensor'
  | 'drag'
  | 'lift'
  | 'canSleep'
  | 'selfCollision'
>

/** Rate of `shapeMatching` without a number [rad/s]. */
const shapeRate = 100
/** Angular frequency at which a body of its size swings about the volume that `pressure` asks for [rad/s]. */
const fillRate = 30

/** A cloth flutters. */
const clothAir = { drag: clothProps.drag.default, lift: clothProps.lift.default }

function common(props: BodyProps, base: Partial<BodySettings>): Common {
  return {
    damping: props.damping ?? base.damping ?? 0,
    shapeDamping: props.shapeDamping ?? base.shapeDamping ?? 0,
    friction: props.friction ?? base.friction ?? 0.5,
    rollingFriction: props.rollingFriction ?? base.rollingFriction ?? 0,
    restitution: props.restitution ?? base.restitution ?? 0,
    contactDamping: props.contactDamping ?? base.contactDamping ?? 0,
    gravityScale: props.gravityScale ?? base.gravityScale ?? 1,
    collisionGroups: props.collisionGroups ?? (bodySettings.collisionGroups.default as CollisionGroups),
    sensor: props.sensor ?? false,
    canSleep: props.canSleep ?? true,
    selfCollision: props.selfCollision ?? false,
    drag: props.drag ?? base.drag ?? 0,
    lift: props.lift ?? base.lift ?? 0,
  }
}

/** The engine's settings of a solid. All of them are stated, so that a prop that is taken away falls back. */
export function solidSettings(props: SolidProps, model: Model): Partial<BodySettings> {
  const preset: Partial<BodySettings> = presets[props.preset ?? 'jelly']
  const density = props.density ?? preset.density ?? model.density
  const mass = props.mass ?? density * model.measure
  const elastic: Record<string, ElasticValue> = { ...model.elastic, ...preset.elastic }
  const { edgeCompliance, edgeRelaxation, volumeCompliance, shapeMatching, pressure } = props
  elastic.neoHookean = material(props, elastic.neoHookean)
  if (edgeCompliance !== undefined) elastic.edges = compliant(edgeCompliance)
  else if (edgeRelaxation !== undefined) elastic.edges = { relaxation: edgeRelaxation }
  if (volumeCompliance !== undefined) elastic.volumes = compliant(volumeCompliance)
  if (shapeMatching !== undefined) elastic.shape = matched(shapeMatching)
  if (pressure !== undefined) elastic.pressure = filled(pressure, mass / model.measure, model.size)
  return {
    ...common(props, preset),
    rescue: props.rescue ?? true,
    // The preset's goes with its material; what is given for a body without one is an error.
    plasticity: wholePlasticity(props.plasticity ?? ((elastic.neoHookean && preset.plasticity) || false)),
    density,
    mass,
    thickness: props.thickness ?? model.thickness,
    elastic,
  }
}

/** The engine's settings of a cloth. */
export function clothSettings(props: ClothSettings, model: Model): Partial<BodySettings> {
  const elastic: Record<string, ElasticValue> = { ...model.elastic }
  const { stretchModulus, shearModulus, bendRigidity } = props
  const [warp, weft] = typeof stretchModulus === 'number' ? [stretchModulus] : (stretchModulus ?? [])
  const moduli = { stretchModulus: warp, weftModulus: weft, shearModulus }
  const given = Object.entries(moduli).filter(([, value]) => value !== undefined)
  elastic.membrane = { ...model.elastic.membrane, ...Object.fromEntries(given) }
  if (bendRigidity !== undefined) elastic.bend = stiff(bendRigidity)
  const density = props.areaDensity ?? model.density
  return {
    ...common(props, clothAir),
    tether: slackOf(props.tether),
    strainLimit: typeof props.strainLimit === 'number' ? props.strainLimit : Number.POSITIVE_INFINITY,
    tearStrength: props.tearStrength ?? Number.POSITIVE_INFINITY,
    tearStrain: props.tearStrain ?? Number.POSITIVE_INFINITY,
    tearWeakening: props.tearWeakening ?? 0,
    density,
    mass: props.mass ?? density * model.measure,
    thickness: props.thickness ?? model.thickness,
    elastic,
  }
}

/** The engine's settings of a rope. */
export function ropeBodySettings(props: RopeSettings, model: Model): Partial<BodySettings> {
  const density = props.linearDensity ?? model.density
  return {
    ...common(props, { drag: ropeProps.drag.default }),
    density,
    mass: props.mass ?? density * model.measure,
    thickness: props.thickness ?? model.thickness,
    elastic: {
      stretch: props.stretchStiffness === undefined ? model.elastic.stretch! : stiff(props.stretchStiffness),
      bend: props.bendRigidity === undefined ? model.elastic.bend! : stiff(props.bendRigidity),
    },
    tearStrength: props.tearStrength ?? Number.POSITIVE_INFINITY,
  }
}

/** The engine's settings of a ragdoll. */
export function ragdollBodySettings(props: RagdollSettings, model: Model): Partial<BodySettings> {
  return {
    ...common(props, { damping: ragdollProps.damping.default }),
    rescue: false, // its limbs are rigid
    mass: props.mass ?? model.density * model.measure,
    thickness: props.thickness ?? model.thickness,
  }
}

function slackOf(tether: boolean | number = false): number {
  if (typeof tether === 'number') return tether
  return tether ? 1 : Number.POSITIVE_INFINITY
}

function wholePlasticity(given: Readonly<Partial<Plasticity>> | false): Plasticity | false {
  if (given === false) return false
  const valueOf = (key: keyof Plasticity) => given[key] ?? (plasticitySettings[key].default as number)
  return { yield: valueOf('yield'), creep: valueOf('creep'), max: valueOf('max') }
}

/** The neo-Hookean part: the preset's, with what is stated beside it. */
function material({ youngsModulus, poissonRatio }: SolidProps, preset: ElasticValue = false): ElasticValue {
  if (youngsModulus === false || (youngsModulus === undefined && preset === false)) return false
  const base = preset || { poissonRatio: 0.45 }
  return {
    youngsModulus: youngsModulus ?? base.youngsModulus,
    poissonRatio: poissonRatio ?? base.poissonRatio,
  }
}

function compliant(compliance: number | false): ElasticValue {
  return compliance === false ? false : { compliance }
}

/** Cells along the longest side that shape matching cuts a body into: the model is built with them. */
export function clustersOf(setting: ShapeMatching | undefined): number {
  return typeof setting === 'object' ? (setting.clusters ?? 1) : 1
}

function matched(setting: ShapeMatching): ElasticValue {
  if (typeof setting === 'boolean') return setting && { rate: shapeRate }
  const { clusters: _, linear, ...given } = setting
  const isStated = Object.values(given).some((value) => value !== undefined)
  const stiffness = isStated ? given : { rate: shapeRate }
  return linear === undefined ? stiffness : { ...stiffness, linear }
}

/** Where no stiffness is given, one that a leap of the ratio makes swing and not explode, for a body of any weight. */
function filled(setting: Pressure, density: number, size: number): ElasticValue {
  if (setting === false) return false
  const given: { ratio?: number; modulus?: number; compliance?: number } =
    typeof setting === 'number' ? { ratio: setting } : setting
  const { ratio = 1, modulus, compliance } = given
  if (compliance !== undefined) return { ratio, compliance }
  return { ratio, modulus: modulus ?? density * (size * fillRate) * (size * fillRate) }
}

/** Stiffness from none to infinite: below what a modulus can be nothing resists, above it nothing gives way. */
function stiff(modulus: number): ElasticValue {
  const { min, max } = distance.parameters.modulus!
  if (modulus < min!) return false
  return modulus > max! ? { compliance: 0 } : { modulus }
}
