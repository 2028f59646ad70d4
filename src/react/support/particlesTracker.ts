import { Box3, DynamicDrawUsage, type InstancedMesh, Matrix4, type Mesh, type Object3D, Sphere, Vector3 } from 'three'
import {
  type Body,
  bodySettings,
  type CollisionGroups,
  type MutableVec3,
  type ParticleSettings,
  type Vec3,
} from '../../headless.js'
import type { ParticlesProps, ParticlesRef } from '../types.js'
import { ContactHandlers } from './contactHandlers.js'
import { invertFrame } from './frames.js'
import type { Graspable, GraspOptions } from './grasp.js'
import { namedError, warnOnce } from './propKeeper.js'
import { readRestPose } from './restPose.js'
import { vec3 } from './vectorLike.js'
import { refreshWorldMatrix } from './worldMatrix.js'
import { enlist, type FrameView, type WorldRuntime } from './worldRuntime.js'

type Places = ParticlesProps['positions']

export interface ParticlesOptions extends Omit<ParticlesProps, 'children' | 'ref' | keyof GraspOptions>, GraspOptions {
  /** Equal while position, rotation and scale props are. */
  readonly poseKey: string
}

const inverse = new Matrix4()
const point = new Vector3()
const box = new Box3()

/** Ties free particles of the engine to the instances of a mesh. */
export class ParticlesTracker implements FrameView, Graspable {
  readonly handle: ParticlesRef
  body: Body | null = null
  private root: Object3D | null = null
  private mesh: InstancedMesh | null = null
  private builtKey = ''
  private settingsKey = ''
  private drawn = new Float64Array(0)
  private readonly handlers: ContactHandlers
  private readonly said = new Set<string>()

  constructor(
    readonly runtime: WorldRuntime,
    public options: ParticlesOptions,
  ) {
    this.handle = createRef(this)
    this.handlers = new ContactHandlers(runtime, 'Particles')
    this.handlers.update(options)
  }

  get live(): Body | null {
    return this.body?.alive ? this.body : null
  }

  get shown(): InstancedMesh | null {
    return this.mesh
  }

  get meshes(): readonly Mesh[] {
    return this.mesh ? [this.mesh] : []
  }

  countOf(positions: Places): number {
    return positions.length === 0 || typeof positions[0] === 'number' ? positions.length / 3 : positions.length
  }

  mount(root: Object3D): () => void {
    this.root = root
    this.build()
    const delist = enlist(this.runtime.views, this as FrameView)
    const leave = enlist(this.runtime.crowds, this as Graspable)
    return () => {
      delist()
      leave()
      this.handlers.follow(null)
      this.body?.remove()
      this.body = null
      this.root = null
      this.mesh = null
      this.builtKey = ''
    }
  }

  /** Takes over new props, and the mesh that shows the particles now: live ones at once, others by a teleport or anew. */
  update(options: ParticlesOptions, mesh: InstancedMesh): void {
    const last = this.options
    this.options = options
    this.mesh = mesh
    mesh.instanceMatrix.setUsage(DynamicDrawUsage)
    this.handlers.update(options)
    if (!this.root) return
    if (!this.hasPose()) this.set()
    else if (this.keyOf() !== this.builtKey) this.build()
    else if (options.poseKey !== last.poseKey) this.place()
    else this.set()
    this.draw()
    this.runtime.invalidate()
  }

  private build(): void {
    const { world } = this.runtime
    const { positions, radius, masses } = this.options
    const { position, rotation, linear } = readRestPose('Particles', this.root!)
    this.handlers.follow(null)
    this.body?.remove()
    this.body = null
    const settings = settingsOf(this.options)
    this.builtKey = this.keyOf()
    this.settingsKey = JSON.stringify(settings)
    this.drawn = new Float64Array(0)
    if (positions.length === 0) return // a list may be empty; the engine has no body of nothing
    try {
      this.body = world.addParticles(transformed(positions, linear), {
        ...settings,
        name: 'Particles',
        ...(radius !== undefined && { radius }),
        ...(masses !== undefined && { masses }),
        position,
        rotation,
      })
    } catch (error) {
      throw namedError('Particles', error)
    }
    this.runtime.owners.set(this.body, this.root!)
    this.handlers.follow(this.body)
    this.drawn = new Float64Array(this.body.particleCount * 3)
  }

  /** Equal while the same particles are asked for. The linear part of the pose is baked into their places. */
  private keyOf(): string {
    const { positions, radius, masses } = this.options
    const { key } = readRestPose('Particles', this.root!)
    return [key, radius, masses && Array.from(masses).join(), numbersOf(positions).join()].join(';')
  }

  /** False, with a warning, while a parent gives them a pose that nothing can have. */
  private hasPose(): boolean {
    try {
      readRestPose('Particles', this.root!)
      return true
    } catch (error) {
      warnOnce(this.said, error)
      return false
    }
  }

  private place(): void {
    const { position, rotation } = readRestPose('Particles', this.root!)
    this.body?.set({ position, rotation })
    this.body?.teleport(position, rotation)
  }

  private set(): void {
    const settings = settingsOf(this.options)
    const key = JSON.stringify(settings)
    if (key === this.settingsKey || !this.body) return
    this.settingsKey = key
    const { density, mass } = this.options
    const base = this.options.masses ? this.body.model.measure : undefined
    this.body.set({ ...settings, mass: mass ?? base ?? (density ?? 1000) * this.body.model.measure })
  }

  /** Writes the particles' places into the instances, in the mesh's own frame, wherever that is now; none where it is flat or not finite. */
  draw(): void {
    const { body, mesh, drawn, runtime } = this
    if (!body || !mesh || mesh.count * 3 !== drawn.length) return
    body.readPositions(drawn, runtime.interpolated)
    refreshWorldMatrix(mesh)
    if (!invertFrame(mesh.matrixWorld, inverse)) return
    const { array } = mesh.instanceMatrix
    box.makeEmpty()
    for (let k = 0; k < mesh.count; k++) {
      point.set(drawn[k * 3]!, drawn[k * 3 + 1]!, drawn[k * 3 + 2]).applyMatrix4(inverse)
      const o = k * 16
      array[o] = 1
      array[o + 5] = 1
      array[o + 10] = 1
      array[o + 15] = 1
      array[o + 12] = point.x
      array[o + 13] = point.y
      array[o + 14] = point.z
      box.expandByPoint(point)
    }
    mesh.instanceMatrix.needsUpdate = true
    mesh.boundingSphere ??= new Sphere()
    const { geometry } = mesh
    if (!geometry.boundingSphere) geometry.computeBoundingSphere()
    const { center, radius } = geometry.boundingSphere!
    box.getBoundingSphere(mesh.boundingSphere)
    mesh.boundingSphere.radius += radius + center.length()
  }
}

/** All settings, with defaults, so that a prop that is taken away falls back. */
function settingsOf(options: ParticlesOptions): Partial<ParticleSettings> {
  const { density, mass } = options
  return {
    damping: options.damping ?? 0,
    friction: options.friction ?? 0.5,
    restitution: options.restitution ?? 0,
    contactDamping: options.contactDamping ?? 0,
    drag: options.drag ?? 0,
    gravityScale: options.gravityScale ?? 1,
    collisionGroups: options.collisionGroups ?? (bodySettings.collisionGroups.default as CollisionGroups),
    sensor: options.sensor ?? false,
    canSleep: options.canSleep ?? true,
    ...(density !== undefined && { density }),
    ...(mass !== undefined && { mass }),
  }
}

function numbersOf(positions: Places): number[] {
  if (typeof positions[0] === 'number') return Array.from(positions as ArrayLike<number>)
  const numbers: number[] = []
  for (const at of positions as readonly (Vec3 | Vector3)[]) {
    if ('x' in at) numbers.push(at.x, at.y, at.z)
    else numbers.push(...at)
  }
  return numbers
}

/** The places with scale and shear [9] of the group. */
function transformed(positions: Places, linear: readonly number[]): Float64Array {
  const numbers = numbersOf(positions)
  return Float64Array.from(numbers, (_, k) => {
    const [p, row] = [k - (k % 3), (k % 3) * 3]
    return linear[row]! * numbers[p]! + linear[row + 1]! * numbers[p + 1]! + linear[row + 2]! * numbers[p + 2]!
  })
}

function createRef(tracker: ParticlesTracker): ParticlesRef {
  return {
    get body() {
      return tracker.live
    },
    get mesh() {
      return tracker.shown
    },
    get count() {
      return tracker.live?.particleCount ?? 0
    },
    readPositions: (out) => tracker.live?.readPositions(out) ?? out,
    getPosition: (particle, target = [0, 0, 0]) => tracker.live?.getPosition(particle, target) ?? target,
    applyImpulse: (impulse, particle) => {
      const place = particle === undefined ? undefined : { particles: Uint32Array.of(particle), weights: whole }
      tracker.live?.applyImpulse(vec3(impulse, push), place)
    },
    reset: () => tracker.live?.reset(),
  }
}

const push: MutableVec3 = [0, 0, 0]
const whole = Float64Array.of(1)
