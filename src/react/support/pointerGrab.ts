import type { Vector3 } from 'three'
import { type Camera, type Intersection, type Mesh, type Object3D, Raycaster, Vector2 } from 'three'
import type { Graspable } from './grasp.js'
import { Grip } from './grip.js'
import { refreshWorldMatrix } from './worldMatrix.js'
import { enlist, type FrameReader, type WorldRuntime } from './worldRuntime.js'

/** What the pointer needs of the canvas, asked anew each time: camera and controls may change. */
export interface PointerScene {
  /** What listens for pointers. */
  readonly element: HTMLElement
  camera(): Camera
  /** Where the picture is on the page [px]. */
  rectangle(): { left: number; top: number; width: number; height: number }
  /** The canvas's default controls, if there are any. */
  controls(): object | null
}

interface Controls {
  enabled: boolean
}

/** Controls that are switched off, by how many worlds, and what they were before. */
const suspensions = new WeakMap<Controls, { holders: number; readonly enabled: boolean }>()

/** By what listens for pointers: the worlds that share its presses. */
const listeners = new WeakMap<HTMLElement, PointerGrab[]>()

const ndc = new Vector2()
const raycaster = new Raycaster()
/** Native listeners in the capture phase: they come before those of controls on the same element. */
const capture = { capture: true }
const blocking = { capture: true, passive: false }

/**
 * Poking and grabbing with pointers, several at once. One ray is cast when a pointer goes down; none while it moves. Of
 * several worlds that one camera shows in a canvas, a press is for the nearest thing of all.
 * While a body is held the canvas's controls are switched off, and touches do not scroll.
 */
export class PointerGrab implements FrameReader {
  private readonly grips = new Map<number, Grip>()
  private suspended: Controls | null = null

  constructor(
    private readonly runtime: WorldRuntime,
    private readonly scene: PointerScene,
  ) {}

  /** Starts to listen; returns what lets everything go and leaves no listener. */
  connect(): () => void {
    const { element } = this.scene
    const page = element.ownerDocument ?? element
    const view = element.ownerDocument?.defaultView
    const delist = enlist(this.runtime.readers, this as FrameReader)
    const sharing = listeners.get(element) ?? []
    listeners.set(element, sharing)
    const leave = enlist(sharing, this as PointerGrab)
    const unsubscribe = this.runtime.world.onBeforeStep((_, dt) => this.poke(dt))
    const stop = [
      listen(element, 'pointerdown', this.onDown, capture),
      listen(element, 'touchstart', this.onTouch, blocking),
      listen(element, 'lostpointercapture', this.onLost, capture),
      listen(page, 'pointermove', this.onMove, capture),
      listen(page, 'pointerup', this.onUp, capture),
      listen(page, 'pointercancel', this.onLost, capture),
      listen(page, 'visibilitychange', this.releaseAll, capture),
      ...(view ? [listen(view, 'blur', this.releaseAll)] : []),
    ]
    return () => {
      this.releaseAll()
      for (const end of stop) end()
      unsubscribe()
      delist()
      leave()
    }
  }

  /** Before a frame's steps: what is held no longer is let go, the rest follows a camera that has moved. */
  read(): void {
    if (this.grips.size === 0) return
    const camera = this.scene.camera()
    for (const [pointer, grip] of this.grips) {
      if (grip.holding) grip.follow(camera)
      else this.release(pointer, false)
    }
  }

  private poke(dt: number): void {
    for (const grip of this.grips.values()) grip.poke(dt)
  }

  private readonly onDown = (event: PointerEvent) => {
    if (event.button !== 0 || this.grips.has(event.pointerId)) return
    const hit = this.cast(event)
    if (!hit) return
    const isHit = ({ meshes }: Graspable) => meshes.includes(hit.object as Mesh)
    const instance = this.runtime.bodies.find(isHit) ?? this.runtime.crowds.find(isHit)
    if (!instance?.options.grabbable || !instance.body || this.isHidden(hit, event)) return
    const push = pushDirection(hit, raycaster.ray.direction)
    const { pointerId, clientX, clientY } = event
    this.grips.set(pointerId, new Grip(instance, hit.point.clone(), push, clientX, clientY, this.toNdc(event).clone()))
    this.suspendControls()
    try {
      this.scene.element.setPointerCapture(event.pointerId)
    } catch {
      // A synthetic pointer cannot be captured; the page's listeners see it all the same.
    }
    this.runtime.invalidate()
  }

  private readonly onMove = (event: PointerEvent) => {
    const grip = this.grips.get(event.pointerId)
    if (!grip) return
    grip.move(event, this.toNdc(event), this.scene.camera())
    this.runtime.invalidate()
  }

  private readonly onUp = (event: PointerEvent) => {
    const grip = this.grips.get(event.pointerId)
    if (!grip) return
    if (grip.grabbing) grip.move(event, this.toNdc(event), this.scene.camera())
    this.release(event.pointerId, true)
  }

  private readonly onLost = (event: PointerEvent) => this.release(event.pointerId, false)

  private readonly onTouch = (event: TouchEvent) => {
    if (this.grips.size > 0 && event.cancelable) event.preventDefault()
  }

  private readonly releaseAll = () => {
    for (const pointer of this.grips.keys()) this.release(pointer, false)
  }

  private release(pointer: number, thrown: boolean): void {
    const grip = this.grips.get(pointer)
    if (!grip) return
    this.grips.delete(pointer)
    grip.release(thrown)
    if (this.grips.size === 0) this.restoreControls()
    this.runtime.invalidate()
  }

  /** The nearest body, particle or collider under the pointer. */
  private cast(event: PointerEvent): Intersection | undefined {
    const camera = this.scene.camera()
    refreshWorldMatrix(camera)
    raycaster.setFromCamera(this.toNdc(event), camera)
    const { bodies, crowds, colliderObjects } = this.runtime
    const hits: Intersection[] = []
    for (const { meshes } of [...bodies, ...crowds]) {
      for (const mesh of meshes) if (isShown(mesh)) raycaster.intersectObject(mesh, false, hits)
    }
    for (const object of colliderObjects) {
      refreshWorldMatrix(object)
      object.updateMatrixWorld(true) // it may have moved since it was drawn
      if (isShown(object)) raycaster.intersectObject(object, true, hits)
    }
    let nearest: Intersection | undefined
    for (const hit of hits) if (!nearest || hit.distance < nearest.distance) nearest = hit
    return nearest
  }

  /** True where another world of the canvas is hit in front; of equally near ones the first has it. */
  private isHidden({ distance }: Intersection, event: PointerEvent): boolean {
    let isBefore = true
    for (const other of listeners.get(this.scene.element) ?? []) {
      if (other === this) isBefore = false
      else if (other.scene.camera() === this.scene.camera()) {
        const hit = other.cast(event)
        if (hit && (isBefore ? hit.distance <= distance : hit.distance < distance)) return true
      }
    }
    return false
  }

  private toNdc(event: PointerEvent): Vector2 {
    const { left, top, width, height } = this.scene.rectangle()
    return ndc.set(((event.clientX - left) / width) * 2 - 1, 1 - ((event.clientY - top) / height) * 2)
  }

  private suspendControls(): void {
    const controls = this.scene.controls()
    if (this.suspended || !controls || !('enabled' in controls)) return
    this.suspended = controls as Controls
    const suspension = suspensions.get(this.suspended)
    if (suspension) suspension.holders++
    else suspensions.set(this.suspended, { holders: 1, enabled: this.suspended.enabled })
    this.suspended.enabled = false
  }

  private restoreControls(): void {
    const controls = this.suspended
    const suspension = controls && suspensions.get(controls)
    if (!controls || !suspension) return
    this.suspended = null
    if (--suspension.holders > 0) return
    suspensions.delete(controls)
    controls.enabled = suspension.enabled
  }
}

function listen(
  target: EventTarget,
  type: string,
  listener: (event: never) => void,
  options?: AddEventListenerOptions,
): () => void {
  target.addEventListener(type, listener as EventListener, options)
  return () => target.removeEventListener(type, listener as EventListener, options)
}

function isShown(object: Object3D): boolean {
  for (let at: Object3D | null = object; at; at = at.parent) if (!at.visible) return false
  return true
}

/** Half way between straight into the surface and along the ray of sight. */
function pushDirection(hit: Intersection, ray: Vector3): Vector3 {
  const push = ray.clone()
  if (!hit.face) return push
  const normal = hit.face.normal.clone().transformDirection(hit.object.matrixWorld)
  if (normal.dot(ray) > 0) normal.negate()
  return push.sub(normal).normalize()
}
