import { Matrix4, type Object3D } from 'three'
import type { Body, BodySettings, World } from '../../headless.js'
import { capturePose, type LivePose, reframed } from './bodyPose.js'
import type { BodySource } from './bodySource.js'
import { DrawnBody } from './drawnBody.js'
import type { Shape } from './modelCache.js'
import { type RestPose, restPose } from './restPose.js'
import { LooseWarning, StiffnessWarning } from './stiffness.js'

/** A body that is part of the simulation, and what is drawn for it. */
export class RunningBody {
  readonly body: Body
  readonly drawn: DrawnBody
  private settingsKey: string
  private readonly stiffness = new StiffnessWarning()
  private readonly looseness = new LooseWarning()

  constructor(
    private readonly world: World,
    private readonly name: string,
    private readonly source: BodySource,
    readonly shape: Shape,
    readonly pose: RestPose,
    settings: Partial<BodySettings>,
  ) {
    const { position, rotation } = pose
    this.settingsKey = JSON.stringify(settings)
    this.body = world.addBody(shape.model, { ...settings, name, position, rotation })
    this.drawn = new DrawnBody(source, shape)
    this.warn()
  }

  /** Takes over settings that have changed. @throws SettingError for some that do not go together; others are taken over */
  apply(settings: Partial<BodySettings>): void {
    const key = JSON.stringify(settings)
    if (key === this.settingsKey) return
    this.settingsKey = key
    try {
      this.body.set(settings)
    } catch (error) {
      this.applyEach(settings)
      throw error
    }
    this.warn()
  }

  private warn(): void {
    this.stiffness.check(this.name, this.body, this.world.settings)
    this.looseness.check(this.name, this.body)
  }

  private applyEach(settings: Partial<BodySettings>): void {
    for (const [name, value] of Object.entries(settings)) {
      try {
        this.body.set({ [name]: value })
      } catch {
        // What the whole of them threw says it already.
      }
    }
  }

  /** Puts the rest shape at another pose, which is also where a reset puts it. */
  place({ position, rotation }: RestPose): void {
    this.body.set({ position, rotation })
    this.body.teleport(position, rotation)
  }

  /** Goes on from the pose and with the speed of the body that was there before. */
  goOn(kept: LivePose): void {
    this.body.teleport(kept.position, kept.rotation)
    this.body.setVelocity(kept.velocity, kept.spin)
  }

  /** Where the body is now, as a pose of the frame that `next` has below the same root. */
  poseFor(next: BodySource, root: Object3D): LivePose {
    const kept = capturePose(this.body)
    const atRest = ({ toRoot }: BodySource) => restPose(new Matrix4().multiplyMatrices(root.matrixWorld, toRoot))
    const from = atRest(this.source)
    const to = atRest(next)
    return from && to ? reframed(kept, from, to) : kept
  }

  remove(): void {
    this.body.remove()
    this.drawn.dispose()
  }
}
