// Props and refs of all components, by subject.
export type * from './types/bodies.js'
export type * from './types/fabrics.js'
export type * from './types/fields.js'
export type * from './types/holds.js'
export type * from './types/surfaces.js'
export type * from './types/vectors.js'
export type * from './types/world.js'
