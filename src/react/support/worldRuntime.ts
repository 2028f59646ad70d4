import type { Object3D } from 'three'
import { type Snapshot, type Stats, World, type WorldSettings } from '../../headless.js'
import type { SoftBodyWorldHandle } from '../types.js'
import type { BodyInstance } from './bodyInstance.js'

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
  readonly readers: FrameReader[] = []
  readonly views: FrameView[] = []
  /** Objects that stand for colliders: they hide what is behind them from the pointer. */
  readonly colliderObjects: Object3D[] = []
  readonly handle: SoftBodyWorldHandle
  mounted = false
  interpolate = true
  invalidate: SoftBodyWorldHandle['invalidate'] = () => {}
  /** True after steps by hand: what is drawn is then the last step itself. */
  private exact = true
  private skipTime = false

  constructor(settings: Partial<WorldSettings>) {
    this.world = new World(settings)
    this.handle = createHandle(this)
  }

  /** Lets no time pass in the next frame: its length is that of a pause. */
  skipNextFrame(): void {
    this.skipTime = true
  }

  /** One frame: reads the scene, lets `seconds` pass, shows the result. */
  frame(seconds: number): void {
    this.read()
    const steps = this.world.advance(this.skipTime ? 0 : seconds)
    this.skipTime = false
    if (steps > 0) this.exact = false
    this.present()
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
    const interpolated = this.interpolate && !this.exact
    for (let k = 0; k < this.bodies.length; k++) this.bodies[k]!.sync(interpolated)
    for (let k = 0; k < this.views.length; k++) this.views[k]!.draw()
  }

  /** Shows the last step itself until the clock steps on, as after a reset. */
  presentExactly(): void {
    this.exact = true
    this.present()
    this.invalidate()
  }

  private read(): void {
    for (let k = 0; k < this.readers.length; k++) this.readers[k]!.read()
  }
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
