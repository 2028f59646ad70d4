// The engine without a renderer: make a world, add bodies from arrays, step, read positions.
import { selectSolver } from './backends/select.js'
import { World as CoreWorld } from './core/world.js'
import type { WorldSettings } from './core/worldSettings.js'

/** Bodies, colliders and the clock, stepped by the best backend there is. */
export class World extends CoreWorld {
  /** @throws SettingError for a setting outside its range */
  constructor(settings: Partial<WorldSettings> = {}) {
    super(settings, selectSolver())
  }
}

export { Attachment, type AttachOptions } from './core/attachment.js'
export { Attractor, type AttractorFalloff, type AttractorSettings, attractorSettings } from './core/attractor.js'
export { type ClothArgs, type ClothModel, clothArgs, clothMeshModel, clothModel } from './core/bodies/cloth.js'
export { type Limb, limbNames } from './core/bodies/figure.js'
export { type ParticleSettings, particlesModel, radiusSpec } from './core/bodies/particles.js'
export { type Preset, type PresetName, presets } from './core/bodies/presets.js'
export { type RagdollModel, type RagdollOptions, ragdollModel, ragdollSettings } from './core/bodies/ragdoll.js'
export {
  problemOfPoints,
  type RopeModel,
  type RopeOptions,
  ropeModel,
  ropePoints,
  ropeSettings,
} from './core/bodies/rope.js'
export {
  type SoftBodyModel,
  type SolidOptions,
  softBodyModel,
  softBodyModelSteps,
  tetMeshModel,
} from './core/bodies/solid.js'
export { Body } from './core/body.js'
export { type BodySettings, bodySettings } from './core/bodySettings.js'
export { Collider, type ColliderChange, type ColliderSettings, colliderSettings } from './core/collider.js'
export { ALL_GROUPS, type CollisionGroups, groupsMeet } from './core/collision/groups.js'
export * from './core/collision/index.js'
export { scaled } from './core/collision/scaled.js'
export * from './core/constraints/index.js'
export type { ConstraintKind } from './core/constraints/kind.js'
export { isHealthy, type Stats } from './core/counters.js'
export type { Elastic, ElasticSetting } from './core/elastic.js'
export { type ContactCallback, ContactEvent, type SleepCallback, type TearCallback, TearEvent } from './core/events.js'
export { type BreakCallback, Joint, type JointOptions, type JointSettings, jointSettings } from './core/joint.js'
export type { StepCallback } from './core/listened.js'
export type { TetReport } from './core/mesh/quality.js'
export {
  brokenSkin,
  createSkin,
  createSkinWorkspace,
  identitySkin,
  type Skin,
  type SkinOutput,
  type SkinWorkspace,
  updateSkin,
} from './core/mesh/skin.js'
export { runInSlices, runToEnd } from './core/mesh/slices.js'
export { prepareTornSkin, type TornSkin, tornSkin, type VertexRange } from './core/mesh/tornSkin.js'
export { particleOfPoint, type TubeMesh } from './core/mesh/tube.js'
export { checkTriangles, type TriangleMesh } from './core/mesh/weld.js'
export { type ConstraintSet, type Feelers, type Model, ModelBuilder, type Torn } from './core/model.js'
export type { BodyOverlap, Overlap } from './core/overlap.js'
export { type Plasticity, plasticitySettings } from './core/plasticitySettings.js'
export type { QueryOptions } from './core/query.js'
export type { RaycastOptions, RayHit } from './core/raycast.js'
export type { Region } from './core/region.js'
export type { Snapshot } from './core/snapshot.js'
export type { Falloff, Place, Spread } from './core/spread.js'
export { Spring, type SpringOptions, type SpringSettings, springSettings } from './core/spring.js'
export { stages, type TimeSource } from './core/stageTimes.js'
export type { CutShape } from './core/tear/cut.js'
export { tears } from './core/tear/takeOver.js'
export type { UnstableCallback, UnstableReason } from './core/unstable.js'
export { SettingError, type SettingSpec, type SettingTable, validateSetting } from './core/validation.js'
export type { MutableVec3, Quat, Vec3 } from './core/vectors.js'
export { Wind, type WindRegion, type WindSettings, windSettings } from './core/wind.js'
export { type WorldSettings, worldSettings } from './core/worldSettings.js'
