import type { Object3D } from 'three'
import {
  type Body,
  type Collider,
  SettingError,
  type Snapshot,
  type Stats,
  type TimeSource,
  World,
  type WorldSettings,
} from '../../headless.js'
import type { SoftBodyWorldHandle } from '../types.js'
import type { BodyInstance } from './bodyInstance.js'
import type { Graspable } from './grasp.js'
import { castRay, findInSphere } from './sceneQueries.js'
import { vec3 } from './vectorLike.js'

/** Reads poses of the scene before a frame's steps: colliders, pins, the pointer. */
export interface FrameReader {
  read(): void
}

/** Draws after a frame's steps. */
export interface FrameView {
  draw(): void
}

/** One world as React drives it: the engine and all that is read before and written after its steps. */
export class WorldRuntime {
  readonly world: World
  readonly bodies: BodyInstance[] = []
  /** Free particles: no bodies of meshes, which pointers reach as well. */
  readonly crowds: Graspable[] = []
  readonly readers: FrameReader[] = []
  readonly views: FrameView[] = []
  /** Objects that stand for colliders: they hide what is behind them from the pointer. */
  readonly colliderObjects: Object3D[] = []
  /** What of the scene a body or a collider of the engine belongs to. */
  readonly owners = new WeakMap<Body | Collider, BodyInstance | Object3D>()
  readonly handle: SoftBodyWorldHandle
  mounted = false
  interpolate = true
  invalidate: SoftBodyWorldHandle['invalidate'] = () => {}
  /** True after steps by hand: what is drawn is then the last step itself. */
  private exact = true
  private skipTime = false
  /** How many hold a body now: while anybody does, the world does not rest. */
  private holders = 0
  /** True while nothing moves and a canvas with frameloop="demand" is asked for no frames. */
  private resting = false
  /** How many look at the times that are measured. */
  private watchers = 0
  private readonly syncTime = new Float64Array(1)

  constructor(settings: Partial<WorldSettings>) {
    this.world = new World(settings)
    this.handle = createHandle(this)
    this.world.onDisturb(() => this.wake())
  }

  /** Something may move again: asks for a frame. The rest before takes no time. */
  wake(): void {
    this.resting = false
    this.invalidate()
  }

  /** Somebody holds a body from now on; returns what lets go of it. */
  hold(): () => void {
    this.holders++
    this.wake()
    return () => {
      this.holders--
      this.wake()
    }
  }

  /** Measures where the time goes, from now on until what it returns is called. */
  watch(): () => void {
    if (this.watchers++ === 0) this.measure(secondsNow)
    return () => {
      if (--this.watchers === 0) this.measure(null)
    }
  }

  /** Time that writing the meshes has taken since somebody watches [s]. */
  get syncSeconds(): number {
    return this.syncTime[0]!
  }

  /** True where what is drawn lies between the last two steps. */
  get interpolated(): boolean {
    return this.interpolate && !this.exact
  }

  /** False while no frame lets any time pass in the world. */
  private get runs(): boolean {
    const { paused, timeScale } = this.world.settings
    return !paused && timeScale > 0
  }

  /** Lets no time pass in the next frame: its length is that of a pause. */
  skipNextFrame(): void {
    this.skipTime = true
  }

  /**
   * One frame: reads the scene, lets `seconds` pass, shows the result. On demand it asks for the next one, until
   * everything rests: the last frame then shows the last step itself, and frames that others ask for take no time. While
   * the world stands still, it asks for none.
   */
  frame(seconds: number, onDemand: boolean): void {
    if (!onDemand) this.resting = false
    this.read()
    const isStill = this.skipTime || this.resting || Number.isNaN(seconds) // a clock may have no time to tell
    const steps = this.world.advance(isStill ? 0 : seconds)
    this.skipTime = false
    if (steps > 0) this.exact = false
    if (onDemand && steps > 0 && this.holders === 0 && this.world.atRest()) {
      this.resting = true
      this.exact = true
    }
    this.present()
    if (!onDemand) return
    if (!this.resting && this.runs && this.world.bodies.length > 0) this.invalidate()
    else this.skipNextFrame() // it may come after any pause
  }

  /** Exactly `count` steps, whatever the clock says. */
  step(count: number): void {
    if (!this.mounted) return
    for (let k = 0; k < count; k++) {
      this.read()
      this.world.step()
    }
    this.exact = true
    this.present()
    this.invalidate()
  }

  /** Shows the state as it is; also the frame of a world that others step. */
  present(): void {
    this.world.flush()
    const { interpolated } = this
    const start = this.watchers > 0 ? secondsNow() : 0
    for (let k = 0; k < this.bodies.length; k++) this.bodies[k]!.sync(interpolated)
    if (this.watchers > 0) this.syncTime[0] = this.syncTime[0]! + secondsNow() - start
    for (let k = 0; k < this.views.length; k++) this.views[k]!.draw()
  }

  /** Shows the last step itself until the clock steps on, as after a reset. */
  presentExactly(): void {
    this.exact = true
    this.present()
    this.invalidate()
  }

  private measure(source: TimeSource | null): void {
    this.world.measure(source)
    this.syncTime[0] = 0
  }

  private read(): void {
    for (let k = 0; k < this.readers.length; k++) this.readers[k]!.read()
  }
}

function secondsNow(): number {
  return performance.now() / 1000
}

/** Adds `item` and returns what takes it out again. */
export function enlist<T>(list: T[], item: T): () => void {
  list.push(item)
  return () => {
    const at = list.indexOf(item)
    if (at >= 0) list.splice(at, 1)
  }
}

function createHandle(runtime: WorldRuntime): SoftBodyWorldHandle {
  const { world } = runtime
  return {
    world,
    get stats(): Readonly<Stats> {
      return world.stats
    },
    step(count = 1) {
      if (!(Number.isInteger(count) && count >= 0)) {
        throw new SettingError('SoftBodyWorld', 'step', count, 'must be a whole number of steps', 'Use 0 or above.')
      }
      runtime.step(count)
    },
    reset() {
      if (!runtime.mounted) return
      world.reset()
      runtime.presentExactly()
    },
    snapshot() {
      return runtime.mounted ? world.snapshot() : null
    },
    raycast: (origin, direction, options) => castRay(runtime, origin, direction, options),
    overlapSphere: (center, radius, options) => findInSphere(runtime, center, radius, options),
    applyRadialImpulse(center, strength, radius, falloff) {
      if (runtime.mounted) world.applyRadialImpulse(vec3(center, [0, 0, 0]), strength, radius, falloff)
    },
    restore(snapshot: Snapshot) {
      if (!runtime.mounted) return
      world.restore(snapshot)
      runtime.presentExactly()
    },
    invalidate(frames) {
      runtime.invalidate(frames)
    },
  }
}
