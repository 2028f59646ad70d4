/** A vector or point handed to the engine, in SI units. */
export type Vec3 = readonly [number, number, number]

/** A unit quaternion x, y, z, w handed to the engine. */
export type Quat = readonly [number, number, number, number]

/** A vector that the engine writes its answer into. */
export type MutableVec3 = [number, number, number]
