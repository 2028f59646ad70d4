// Props of all components: what each is, its unit, default and range.
export {
  boundsProps,
  boxColliderProps,
  capsuleColliderProps,
  compoundColliderProps,
  cylinderColliderProps,
  groundProps,
  heightfieldColliderProps,
  hullColliderProps,
  meshColliderProps,
  planeColliderProps,
  sphereColliderProps,
} from './props/colliders.js'
export { clothProps, ragdollProps, ropeProps } from './props/fabrics.js'
export { attractorProps, particlesProps, windProps } from './props/fields.js'
export { attachProps, cutProps, pinProps, springProps, weldProps } from './props/holds.js'
export { type Applies, type PropRow, type PropTable, validateProp } from './props/row.js'
export { softBodyProps } from './props/solids.js'
export { debugLayers, debugViewProps, softBodyStatsProps, worldProps } from './props/world.js'
