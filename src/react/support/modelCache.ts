import type { BufferGeometry } from 'three'
import { type Model, runInSlices, runToEnd, type Skin, softBodyModelSteps, tetMeshModel } from '../../headless.js'
import type { TetMeshInput } from '../types.js'
import { numberOf, sameStamp, stampOf } from './identity.js'
import { isMirrored, type RestPose } from './restPose.js'
import { transform, triangleCount, triangleMesh } from './triangleMesh.js'

/** What a body is made of: the engine's model, and what carries the render vertices along. */
export interface Shape {
  readonly model: Model
  readonly skin: Skin
  /** What had to be assumed of the mesh, if anything, and how good the tetrahedra are. */
  readonly report?: { readonly assumption: string | null; readonly tetCount: number }
  readonly named?: NamedVertices
}

/** Parts of a body that selectors may name, as render vertices. */
export interface NamedVertices {
  readonly names: Readonly<Record<string, readonly number[]>>
  /** What indices name instead of single vertices. */
  readonly numbers?: readonly (readonly number[])[]
}

export interface SolidOptions {
  /** Undefined where `tetCount` decides. */
  readonly resolution: number | undefined
  readonly tetCount: number | undefined
  readonly creaseAngle: number
  readonly clusters: number
  readonly tetMesh?: TetMeshInput | undefined
}

/** A shape that is being built, a slice at a time, for one or more bodies. */
interface Job {
  readonly done: Promise<Shape | undefined>
  readonly signal: { aborted: boolean }
  users: number
}

/** What the cache holds for one geometry, as long as its positions and its index are the ones it was built from. */
interface Entry {
  readonly stamp: readonly unknown[]
  readonly shapes: Map<string, Shape>
  readonly jobs: Map<string, Job>
}

/** Above this many triangles, or cells, a model is built in slices beside the frames, below both at once. */
const sliceAbove = { triangles: 20_000, resolution: 20, tetCount: 20_000 }
/** How long a slice may take [ms]. */
const sliceTime = 8

const entries = new WeakMap<BufferGeometry, Entry>()
/** Equal for equal options; ready tetrahedra are told apart by their arrays. */
/** 10 cells unless something else decides. */
export function statedResolution({ resolution, tetCount }: Partial<SolidOptions>): number | undefined {
  return resolution ?? (tetCount === undefined ? 10 : undefined)
}

export function optionsKey({ resolution, tetCount, creaseAngle, clusters, tetMesh }: SolidOptions): string {
  const tets = tetMesh ? `${numberOf(tetMesh.positions)}/${numberOf(tetMesh.tets)}` : `${resolution},${tetCount}`
  return `${tets};${creaseAngle};${clusters}`
}

function entryOf(geometry: BufferGeometry): Entry {
  const stamp = stampOf(geometry)
  const known = entries.get(geometry)
  if (known && sameStamp(known.stamp, stamp)) return known
  const entry: Entry = { stamp, shapes: new Map(), jobs: new Map() }
  entries.set(geometry, entry)
  return entry
}

function* buildSteps(geometry: BufferGeometry, options: SolidOptions, pose: RestPose): Generator<void, Shape> {
  const mesh = triangleMesh(geometry, pose)
  const { tetMesh, creaseAngle, resolution, tetCount, clusters } = options
  if (!tetMesh) return yield* softBodyModelSteps(mesh, { resolution, tetCount, creaseAngle, clusters })
  const positions = Float64Array.from(tetMesh.positions)
  transform(positions, pose.linear)
  const tets = Uint32Array.from(tetMesh.tets)
  if (isMirrored(pose)) swapPairs(tets)
  return tetMeshModel({ positions, tets }, mesh, { creaseAngle, clusters })
}

/** Turns tetrahedra that a mirror has turned inside out the right way round. */
function swapPairs(tets: Uint32Array): void {
  for (let t = 0; t < tets.length; t += 4) {
    const first = tets[t]!
    tets[t] = tets[t + 1]!
    tets[t + 1] = first
  }
}

function isLarge(geometry: BufferGeometry, { tetMesh, resolution = 0, tetCount = 0 }: SolidOptions): boolean {
  const fine = resolution > sliceAbove.resolution || tetCount > sliceAbove.tetCount
  return triangleCount(geometry) > sliceAbove.triangles || (!tetMesh && fine)
}

/** The solid shape of a geometry if it is there already or small enough to be built at once. */
export function solidNow(geometry: BufferGeometry, options: SolidOptions, pose: RestPose): Shape | undefined {
  const entry = entryOf(geometry)
  const key = `${optionsKey(options)};${pose.key}`
  const known = entry.shapes.get(key)
  if (known || isLarge(geometry, options)) return known
  const shape = runToEnd(buildSteps(geometry, options, pose))
  entry.shapes.set(key, shape)
  return shape
}

/**
 * The solid shape of a geometry, built in slices between frames and shared by all who wait for it.
 * Undefined after `leave`, which stops the work when nobody waits any more.
 */
export function solidLater(
  geometry: BufferGeometry,
  options: SolidOptions,
  pose: RestPose,
): { done: Promise<Shape | undefined>; leave: () => void } {
  const entry = entryOf(geometry)
  const key = `${optionsKey(options)};${pose.key}`
  const known = entry.shapes.get(key)
  if (known) return { done: Promise.resolve(known), leave: () => {} }
  const job = entry.jobs.get(key) ?? startJob(entry, key, buildSteps(geometry, options, pose))
  job.users++
  let waiting = true
  const leave = () => {
    if (!waiting) return
    waiting = false
    if (--job.users > 0) return
    job.signal.aborted = true
    if (entry.jobs.get(key) === job) entry.jobs.delete(key)
  }
  const wait = async () => {
    try {
      const shape = await job.done
      return waiting ? shape : undefined
    } catch (error) {
      if (waiting) throw error
      return undefined
    }
  }
  return { done: wait(), leave }
}

function startJob(entry: Entry, key: string, steps: Generator<void, Shape>): Job {
  const signal = { aborted: false }
  let sliceEnd = 0
  const shouldPause = () => performance.now() > sliceEnd
  const pause = () =>
    new Promise<void>((resolve) => {
      setTimeout(() => {
        sliceEnd = performance.now() + sliceTime
        resolve()
      })
    })
  const run = async () => {
    await pause()
    try {
      const shape = await runInSlices(steps, shouldPause, pause, signal)
      if (shape) entry.shapes.set(key, shape)
      return shape
    } finally {
      if (entry.jobs.get(key) === job) entry.jobs.delete(key)
    }
  }
  const job: Job = { signal, users: 0, done: run() }
  entry.jobs.set(key, job)
  return job
}
