import type { MutableVec3 } from '../../headless.js'
import { bodyProps } from '../props/bodies.js'
import { validateProp } from '../props/row.js'
import type { BodyRef, PinSelector } from '../types.js'
import type { BodyInstance } from './bodyInstance.js'
import { selectVertices } from './selectors.js'
import { placeOf, quat, vec3 } from './vectorLike.js'

const instances = new WeakMap<BodyRef, BodyInstance>()
const refs = new WeakMap<BodyInstance, BodyRef>()

const first: MutableVec3 = [0, 0, 0]
const second: MutableVec3 = [0, 0, 0]

/** What a ref stands for; null for what is no ref of a body. */
export function instanceOf(ref: BodyRef): BodyInstance | null {
  return instances.get(ref) ?? null
}

/** The ref of a body. */
export function refOf(instance: BodyInstance): BodyRef | null {
  return refs.get(instance) ?? null
}

/** The handle of a body. It outlives the body: without one, reads leave their target and writes do nothing. */
export function createBodyRef(instance: BodyInstance): BodyRef {
  const ref: BodyRef = {
    get alive() {
      return instance.body?.alive ?? false
    },
    get body() {
      return instance.body
    },
    get mesh() {
      return instance.meshes[0] ?? null
    },
    get meshes() {
      return instance.meshes
    },
    get geometry() {
      return instance.geometry
    },
    get particleCount() {
      return instance.body?.particleCount ?? 0
    },
    readPositions: (out) => instance.body?.readPositions(out) ?? out,
    getPosition: (particle, target = [0, 0, 0]) => instance.body?.getPosition(particle, target) ?? target,
    region: (point, radius, falloff) => instance.body?.region(vec3(point, first), radius, falloff) ?? null,
    pointOf: (region, target = [0, 0, 0]) => instance.body?.pointOf(region, target) ?? target,
    applyImpulse: (impulse, place, spread) =>
      instance.body?.applyImpulse(vec3(impulse, first), placeOf(place, second), spread),
    applyRadialImpulse: (center, strength, radius, falloff) =>
      instance.body?.applyRadialImpulse(vec3(center, first), strength, radius, falloff),
    addForce: (force, place, spread) => instance.body?.addForce(vec3(force, first), placeOf(place, second), spread),
    addForces: (forces) => instance.body?.addForces(forces),
    setVelocity: (velocity, angularVelocity) =>
      instance.body?.setVelocity(vec3(velocity, first), angularVelocity && vec3(angularVelocity, second)),
    teleport: (position, rotation) => {
      instance.body?.teleport(vec3(position, first), rotation && quat(rotation))
      instance.runtime.invalidate()
    },
    reset: () => {
      instance.body?.reset()
      instance.runtime.invalidate()
    },
    cut: (cut) => {
      instance.body?.cut(cut)
      instance.runtime.invalidate()
    },
    pin: (selector) => holdMore(ref, instance, selector),
    unpin: (selector) => holdLess(ref, instance, selector),
    centerOfMass: (target = [0, 0, 0]) => instance.body?.centerOfMass(target) ?? target,
    velocity: (target = [0, 0, 0]) => instance.body?.velocity(target) ?? target,
    bounds: (target) => instance.body?.bounds(target) ?? target,
    volume: () => instance.body?.volume() ?? 0,
    maxStrain: () => instance.body?.maxStrain() ?? 0,
    get asleep() {
      return instance.body?.asleep ?? false
    },
    sleep: () => instance.body?.sleep(),
    wake: () => instance.body?.wake(),
  }
  instances.set(ref, instance)
  refs.set(instance, ref)
  return ref
}

const givenPins = { ...bodyProps.pins, optional: false }

/** Render vertices that a selector names, or that the ref has pinned so far. */
function verticesOf(instance: BodyInstance, selector: PinSelector | undefined, method = 'pin'): number[] {
  const { source, component, shape } = instance
  if (selector !== undefined) validateProp(component, method, selector, bodyProps.pins)
  return source && selector !== undefined
    ? selectVertices(component, method, selector, source.geometry, source.parts, shape?.named)
    : []
}

/** A selector of render vertices: their indices, where these would not name a rope's particles. */
function oneOf({ shape }: BodyInstance, vertices: ReadonlySet<number>): PinSelector {
  return shape?.named ? (_, index) => vertices.has(index) : [...vertices]
}

function holdMore(ref: BodyRef, instance: BodyInstance, selector: PinSelector): void {
  validateProp(instance.component, 'pin', selector, givenPins)
  if (!instance.body) return
  const before = verticesOf(instance, instance.holds.selectorOf(ref))
  const vertices = new Set([...before, ...verticesOf(instance, selector)])
  instance.holds.set(ref, oneOf(instance, vertices), [instance.component, 'pin'])
}

function holdLess(ref: BodyRef, instance: BodyInstance, selector: PinSelector | undefined): void {
  if (!instance.body) return
  const vertices = new Set(selector === undefined ? [] : verticesOf(instance, instance.holds.selectorOf(ref)))
  for (const vertex of verticesOf(instance, selector, 'unpin')) vertices.delete(vertex)
  instance.holds.set(ref, vertices.size > 0 ? oneOf(instance, vertices) : undefined, [instance.component, 'pin'])
}
