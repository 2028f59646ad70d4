import { Matrix4, type Object3D } from 'three'
import { type ColliderShape, type CompoundPart, compound, SettingError } from '../../headless.js'
import { type ColliderOptions, poseError, poseProblem, surfaceProps } from './colliderTracker.js'
import { RigidPose } from './rigidPose.js'
import { shapeAt } from './shapeAt.js'

interface Part {
  readonly component: string
  readonly object: Object3D
  readonly options: () => ColliderOptions
  /** Where it was when the shape was made. */
  readonly placed: Matrix4
  /** The shape of a compound among the parts, as it was then. */
  inner: ColliderShape | null
}

const between = new Matrix4()
const pose = new RigidPose()

/** The colliders below a compound, as one shape. */
export class CompoundParts {
  private readonly parts: Part[] = []
  private shape: ColliderShape | null = null

  /** Takes a collider in; returns what takes it out again. */
  add(component: string, object: Object3D, options: () => ColliderOptions): () => void {
    const part: Part = { component, object, options, placed: new Matrix4(), inner: null }
    this.parts.push(part)
    this.shape = null
    return () => {
      this.parts.splice(this.parts.indexOf(part), 1)
      this.shape = null
    }
  }

  /** Something about a part other than its place has changed. */
  change(): void {
    this.shape = null
  }

  /**
   * The shape of all parts, the same one as long as none has changed or moved within `root`.
   * @throws SettingError without parts, or for one with a surface of its own or a scale that it cannot take
   */
  shapeBelow(root: Object3D): ColliderShape {
    if (this.shape && !this.hasChanged(root)) return this.shape
    this.shape = compound(this.parts.map((part) => placePart(part, root)))
    return this.shape
  }

  private hasChanged(root: Object3D): boolean {
    for (let k = 0; k < this.parts.length; k++) {
      const { object, placed, options, inner } = this.parts[k]!
      if (inner && options().read?.(object) !== inner) return true
      matrixBetween(root, object)
      if (!placed.equals(between)) return true
    }
    return false
  }
}

function placePart(part: Part, root: Object3D): CompoundPart {
  const { component, object, placed } = part
  const options = part.options()
  const own = surfaceProps.find((prop) => options[prop] !== undefined)
  if (own) {
    const remedy = 'Give it to the compound, which has one surface.'
    throw new SettingError(component, own, options[own], 'is of a part of a compound', remedy)
  }
  part.inner = options.read && options.watched ? options.read(object) : null
  matrixBetween(root, object)
  placed.copy(between)
  const problem = poseProblem(between, options, pose)
  if (problem) throw poseError(component, object, problem)
  return {
    shape: shapeAt(options, pose.scale, object),
    position: [...pose.position],
    rotation: [...pose.rotation],
  }
}

/** From the space of `object` to that of `root`, into `between`. */
function matrixBetween(root: Object3D, object: Object3D): void {
  between.identity()
  for (let at: Object3D | null = object; at && at !== root; at = at.parent) {
    if (at.matrixAutoUpdate) at.updateMatrix()
    between.premultiply(at.matrix)
  }
}
