'use client'

export type {
  AttractorFalloff,
  Body,
  CollisionGroups,
  CutShape,
  Falloff,
  Joint,
  JointOptions,
  JointSettings,
  QueryOptions,
  RaycastOptions,
  RayHit,
  Region,
  Snapshot,
  Spread,
  Spring as EngineSpring,
  Stats,
  UnstableReason,
  World,
} from './headless.js'
export { SettingError } from './headless.js'
export { Attach } from './react/components/Attach.js'
export { Attractor } from './react/components/Attractor.js'
export { Bounds } from './react/components/Bounds.js'
export { Cloth } from './react/components/Cloth.js'
export { Collider } from './react/components/Collider.js'
export { Cut } from './react/components/Cut.js'
export { DebugView } from './react/components/DebugView.js'
export { Ground } from './react/components/Ground.js'
export { Particles } from './react/components/Particles.js'
export { Pin } from './react/components/Pin.js'
export { Ragdoll } from './react/components/Ragdoll.js'
export { Rope } from './react/components/Rope.js'
export { SoftBody } from './react/components/SoftBody.js'
export { SoftBodyStats } from './react/components/SoftBodyStats.js'
export { SoftBodyWorld } from './react/components/SoftBodyWorld.js'
export { Spring } from './react/components/Spring.js'
export { Weld } from './react/components/Weld.js'
export { Wind } from './react/components/Wind.js'
export { useSoftBody } from './react/hooks/useSoftBody.js'
export { useSoftBodyWorld } from './react/hooks/useSoftBodyWorld.js'
export { useAfterStep, useBeforeStep } from './react/hooks/useStep.js'
export {
  attachProps,
  attractorProps,
  boundsProps,
  boxColliderProps,
  capsuleColliderProps,
  clothProps,
  compoundColliderProps,
  cutProps,
  cylinderColliderProps,
  debugViewProps,
  groundProps,
  heightfieldColliderProps,
  hullColliderProps,
  meshColliderProps,
  type PropRow,
  type PropTable,
  particlesProps,
  pinProps,
  planeColliderProps,
  ragdollProps,
  ropeProps,
  softBodyProps,
  softBodyStatsProps,
  sphereColliderProps,
  springProps,
  weldProps,
  windProps,
  worldProps,
} from './react/props.js'
export { preload } from './react/support/preload.js'
export type * from './react/types.js'
