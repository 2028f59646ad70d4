import {
  type Camera,
  type Intersection,
  Matrix4,
  type Object3D,
  type PerspectiveCamera,
  Raycaster,
  Vector2,
  Vector3,
} from 'three'
import type { MutableVec3 } from '../../headless.js'
import type { BodyInstance } from './bodyInstance.js'
import { BoxOutline } from './boxOutline.js'
import { invertFrame } from './frames.js'
import { Grasp } from './grasp.js'
import { KeyboardElement } from './keyboardElement.js'
import { refreshWorldMatrix } from './worldMatrix.js'
import { enlist, type FrameReader, type FrameView, type WorldRuntime } from './worldRuntime.js'

/** What the keyboard needs of the canvas. */
export interface KeyboardScene {
  readonly canvas: HTMLElement
  /** Where the box around the chosen body is drawn. */
  readonly root: Object3D
  camera(): Camera
}

/** A press of an arrow leads what is held by this share of the picture's height; with Shift by a quarter of it. */
const stride = 1 / 40
/** What the keys lead along: right, up and the way that the camera looks. */
const ways: Readonly<Record<string, readonly [number, number, number]>> = {
  ArrowRight: [1, 0, 0],
  ArrowLeft: [-1, 0, 0],
  ArrowUp: [0, 1, 0],
  ArrowDown: [0, -1, 0],
  PageUp: [0, 0, 1],
  PageDown: [0, 0, -1],
}

const raycaster = new Raycaster()
const eye = new Vector3()
const point = new Vector3()
const inverse = new Matrix4()
const axes = [new Vector3(), new Vector3(), new Vector3()] as const

/**
 * Choosing, grabbing and leading bodies with the keyboard. Keys are taken only while the element beside the canvas has
 * the focus, and only those that mean something there.
 */
export class KeyboardGrab implements FrameReader, FrameView {
  private readonly element: KeyboardElement
  private readonly outline = new BoxOutline(0x60a5fa)
  private chosen: BodyInstance | null = null
  private grasp: Grasp | null = null
  private readonly aim: MutableVec3 = [0, 0, 0]
  private focused = false

  constructor(
    private readonly runtime: WorldRuntime,
    private readonly scene: KeyboardScene,
  ) {
    this.element = new KeyboardElement(scene.canvas)
  }

  /** Starts to listen; returns what lets go and leaves nothing behind. */
  connect(): () => void {
    const { element } = this.element
    const delistReader = enlist(this.runtime.readers, this as FrameReader)
    const delistView = enlist(this.runtime.views, this as FrameView)
    element.addEventListener('focus', this.onFocus)
    element.addEventListener('blur', this.onBlur)
    element.addEventListener('keydown', this.onKey)
    this.read()
    return () => {
      this.onBlur()
      element.removeEventListener('focus', this.onFocus)
      element.removeEventListener('blur', this.onBlur)
      element.removeEventListener('keydown', this.onKey)
      this.element.remove()
      this.outline.dispose()
      delistReader()
      delistView()
    }
  }

  /** Before a frame's steps: a body that has gone is held and chosen no more, and where there was none the first is chosen. */
  read(): void {
    const { bodies } = this.runtime
    const any = bodies.some(isGrabbable)
    this.element.available = this.focused || any
    if (!this.focused) return
    if (this.grasp && !this.grasp.valid) this.release()
    const sound = this.chosen ? bodies.includes(this.chosen) && isGrabbable(this.chosen) : !any
    if (!sound) this.choose(0)
  }

  draw(): void {
    if (!this.focused || !this.chosen?.body) return
    this.outline.draw(this.chosen.body)
    // What is drawn is in the world, wherever the canvas's root is.
    this.outline.object.matrixAutoUpdate = false
    if (invertFrame(this.scene.root.matrixWorld, inverse)) this.outline.object.matrix.copy(inverse)
  }

  private readonly onFocus = () => {
    this.focused = true
    this.element.show()
    this.scene.root.add(this.outline.object)
    this.choose(0)
  }

  private readonly onBlur = () => {
    if (!this.focused) return
    this.release()
    this.focused = false
    this.element.hide()
    this.outline.object.removeFromParent()
    this.runtime.invalidate()
  }

  private readonly onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.altKey || event.metaKey || !this.act(event)) return
    event.preventDefault()
    event.stopPropagation()
  }

  /** False for a key that means nothing here. One that is kept down chooses and leads on, but grabs, lets go or leaves once. */
  private act({ key, shiftKey, repeat }: KeyboardEvent): boolean {
    if (key === 'Enter' || key === ' ') {
      if (repeat) return true
      if (this.grasp) this.release()
      else this.grab()
      return true
    }
    if (key === 'Escape') {
      if (repeat) return true
      if (this.grasp) this.release()
      else this.element.element.blur()
      return true
    }
    const way = ways[key]
    if (!way) return false
    if (this.grasp) this.lead(way, shiftKey ? stride / 4 : stride)
    else if (way[2] !== 0) return false
    else this.choose(way[0] - way[1])
    return true
  }

  /** Chooses the body `by` places further on; 0 keeps the one that is chosen, or takes the first. */
  private choose(by: number): void {
    const bodies = this.runtime.bodies.filter(isGrabbable)
    const at = this.chosen ? bodies.indexOf(this.chosen) : -1
    this.chosen = bodies.length === 0 ? null : bodies[at < 0 ? 0 : (at + by + bodies.length) % bodies.length]!
    this.outline.object.visible = this.chosen !== null
    this.tell()
    this.runtime.invalidate()
  }

  private tell(): void {
    const { chosen } = this
    const bodies = this.runtime.bodies.filter(isGrabbable)
    if (!chosen) this.element.say('Nothing to grab.')
    else if (this.grasp)
      this.element.say(`${nameOf(chosen)} is held. Arrows, Page Up and Page Down move it, Escape lets go.`)
    else {
      const place = bodies.length > 1 ? `, ${bodies.indexOf(chosen) + 1} of ${bodies.length}. Arrows choose` : '.'
      this.element.say(`${nameOf(chosen)}${place}${bodies.length > 1 ? ', ' : ' '}Enter grabs.`)
    }
  }

  /** Takes the chosen body by the place that is seen in its middle. */
  private grab(): void {
    const { chosen } = this
    if (!chosen?.body || !isGrabbable(chosen)) return
    const camera = this.scene.camera()
    point.fromArray(chosen.body.centerOfMass(this.aim))
    refreshWorldMatrix(camera)
    const middle = point.clone().project(camera)
    raycaster.setFromCamera(new Vector2(middle.x, middle.y), camera)
    const hits: Intersection[] = []
    for (const mesh of chosen.meshes) raycaster.intersectObject(mesh, false, hits)
    hits.sort((a, b) => a.distance - b.distance)
    this.grasp = new Grasp(chosen, hits[0]?.point ?? point)
    this.grasp.take(this.aim)
    this.tell()
  }

  private lead([right, up, away]: readonly [number, number, number], share: number): void {
    const camera = this.scene.camera()
    refreshWorldMatrix(camera)
    camera.matrixWorld.extractBasis(...axes)
    eye.setFromMatrixPosition(camera.matrixWorld)
    const depth = point.fromArray(this.aim).sub(eye).dot(axes[2])
    // Height of the picture where the held place is [m]; the projection has 1 / tan(fov / 2), or 2 / height, there.
    // What is behind the camera goes as far as it would as far before it; at the camera still as far as at the near plane,
    // so that it gets past.
    const scale = camera.projectionMatrix.elements[5]
    const { near } = camera as PerspectiveCamera
    const height = (2 / scale) * ('isPerspectiveCamera' in camera ? Math.max(Math.abs(depth), near) : 1)
    const step = share * height
    point.fromArray(this.aim)
    point.addScaledVector(axes[0], right * step).addScaledVector(axes[1], up * step)
    point.addScaledVector(axes[2], -away * step)
    point.toArray(this.aim)
    this.grasp?.lead(this.aim)
  }

  private release(): void {
    const { grasp } = this
    if (!grasp) return
    this.grasp = null
    grasp.release(null)
    this.tell()
  }
}

function isGrabbable(instance: BodyInstance): boolean {
  return instance.options.grabbable && instance.body !== null
}

function nameOf({ meshes, component }: BodyInstance): string {
  return meshes[0]?.name || meshes[0]?.parent?.name || component
}
