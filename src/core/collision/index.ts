// A new collider is one file and one line here.
export { box } from './box.js'
export { capsule } from './capsule.js'
export { cylinder } from './cylinder.js'
export { plane } from './plane.js'
export type { ColliderShape } from './shape.js'
export { sphere } from './sphere.js'
