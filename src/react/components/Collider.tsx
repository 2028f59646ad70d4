import { BoxCollider } from './BoxCollider.js'
import { CapsuleCollider } from './CapsuleCollider.js'
import { CompoundCollider } from './CompoundCollider.js'
import { CylinderCollider } from './CylinderCollider.js'
import { HeightfieldCollider } from './HeightfieldCollider.js'
import { HullCollider } from './HullCollider.js'
import { MeshCollider } from './MeshCollider.js'
import { PlaneCollider } from './PlaneCollider.js'
import { SphereCollider } from './SphereCollider.js'

/**
 * What bodies collide with. Each collider is a group: it follows the group's pose, read before each frame's steps and
 * swept over them, and draws only its children.
 */
export const Collider = {
  Plane: PlaneCollider,
  Box: BoxCollider,
  Sphere: SphereCollider,
  Capsule: CapsuleCollider,
  Cylinder: CylinderCollider,
  Mesh: MeshCollider,
  Heightfield: HeightfieldCollider,
  Hull: HullCollider,
  Compound: CompoundCollider,
} as const
