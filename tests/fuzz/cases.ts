import { type Attachment, type Body, type Collider, isHealthy, plane, World } from '../../src/headless.js'
import { Random } from '../support/draw.js'
import { Draws, type Mood } from './draws.js'

export const moodOf = (seed: number): Mood => (seed % 2 === 0 ? 'calm' : 'wild')

/** Steps of a case. */
const STEPS = 40

/**
 * Plays one valid case; throws with its story where it throws, is not finite, or, a calm one, has called a guard.
 * @param each called after each frame
 */
export function playCase(seed: number, each?: () => void): void {
  const play = new Play(new Random(seed), moodOf(seed), each)
  try {
    play.run()
  } catch (error) {
    throw new Error(`fuzz seed ${seed} (${moodOf(seed)}): ${(error as Error).message}\n${play.story.join('\n')}`, {
      cause: error,
    })
  }
}

class Play {
  readonly story: string[] = []
  private readonly world: World
  private readonly draws: Draws
  private readonly bodies: Body[] = []
  private readonly colliders: Collider[] = []
  private readonly grips: Attachment[] = []

  constructor(
    private readonly random: Random,
    private readonly mood: Mood,
    private readonly each?: () => void,
  ) {
    this.draws = new Draws(random, mood)
    const settings = this.draws.worldSettings()
    this.tell('world', settings)
    this.world = new World(settings)
  }

  run(): void {
    const { random } = this
    if (random.uniform() < 0.8) this.addCollider(plane())
    for (let k = random.integer(0, 2); k > 0; k--) this.addCollider()
    for (let k = random.integer(1, 3); k > 0; k--) this.mount()
    for (let k = 0; k < STEPS; k++) {
      if (random.uniform() < 0.35) this.operate()
      this.world.advance(this.frame())
      this.check()
      this.each?.()
    }
  }

  /** Seconds of a frame: mostly one step, now and then a hitch. */
  private frame(): number {
    const { random, mood } = this
    if (random.uniform() < 0.9) return this.world.settings.timeStep * random.uniform(0.5, 1.5)
    return mood === 'calm' ? random.uniform(0, 0.5) : random.scale(1e-6, 1e6)
  }

  private mount(): void {
    if (this.bodies.length >= 4) return
    const model = this.draws.model()
    const settings = this.draws.bodySettings(model, this.bodies.length)
    this.tell('mount', { particles: model.particleCount, tets: model.tets.length / 4, size: model.size, ...settings })
    const body = this.world.addBody(model, settings)
    this.bodies.push(body)
    if (this.random.uniform() < 0.3) body.pin([this.random.integer(0, model.particleCount - 1)])
  }

  private addCollider(shape = this.draws.shape()): void {
    const { random, mood } = this
    const pose = {
      position: shape.name === 'plane' ? ([0, 0, 0] as const) : random.vector(mood === 'calm' ? 3 : 10),
      ...(shape.name === 'plane' ? {} : { rotation: random.rotation() }),
      ...(random.uniform() < 0.5 ? { friction: random.uniform(0, mood === 'calm' ? 1 : 10) } : {}),
      ...(random.uniform() < 0.5 ? { restitution: random.uniform(0, mood === 'calm' ? 0.6 : 1) } : {}),
    }
    this.tell(`collider ${shape.name}`, pose)
    this.colliders.push(this.world.addCollider(shape, pose))
  }

  private operate(): void {
    const { random, mood, world } = this
    const calm = mood === 'calm'
    const body = this.bodies[random.integer(0, this.bodies.length - 1)]
    const speed = calm ? 4 : random.scale(0.1, 1e9)
    const names = [
      'mount',
      'unmount',
      'grab',
      'drag',
      'release',
      'teleport',
      'setBody',
      'setWorld',
      'pause',
      'reset',
      'pin',
    ]
    const all = [...names, 'unpin', 'movePin', 'throw', 'impulse', 'force', 'collider', 'restore']
    const name = all[random.integer(0, all.length - 1)]!
    this.tell(name, `step ${world.stepIndex}`)
    if (name === 'mount') this.mount()
    else if (name === 'setWorld') world.set(calm ? { substeps: random.integer(8, 14) } : this.draws.worldSettings())
    else if (name === 'pause') world.set({ paused: !world.settings.paused })
    else if (name === 'reset') world.reset()
    else if (name === 'restore') world.restore(world.snapshot())
    else if (name === 'collider') this.changeCollider()
    else if (name === 'drag') this.grips.at(-1)?.setTarget(...random.vector(calm ? 2 : 1e6))
    else if (name === 'release') this.grips.pop()?.remove()
    if (!body) return
    const center = body.centerOfMass([0, 0, 0])
    const push = (scale: number) => random.vector(scale)
    if (name === 'unmount') {
      body.remove()
      this.bodies.splice(this.bodies.indexOf(body), 1)
    } else if (name === 'grab') {
      const hold = calm
        ? { compliance: 1e-3, damping: 20, maxForce: 50 * body.mass }
        : { compliance: random.uniform() < 0.3 ? 0 : random.scale(1e-12, 1), damping: random.scale(1e-3, 1e6) }
      this.grips.push(body.attach(body.region(center, body.model.size * random.uniform(0.1, 1)), hold))
    } else if (name === 'teleport') body.teleport(calm ? [random.uniform(-3, 3), 2, 4] : push(100), random.rotation())
    else if (name === 'setBody') {
      const { position: _, rotation: __, ...settings } = this.draws.bodySettings(body.model, 0)
      body.set(settings)
    } else if (name === 'pin') body.pin([random.integer(0, body.particleCount - 1)])
    else if (name === 'unpin') body.unpin()
    else if (name === 'movePin' && !calm) body.movePin(random.integer(0, body.particleCount - 1), push(10))
    else if (name === 'throw') body.setVelocity(push(speed), push(calm ? 4 : speed))
    else if (name === 'impulse') body.applyImpulse(push(speed * body.mass))
    else if (name === 'force') body.addForce(push(20 * speed * body.mass))
  }

  private changeCollider(): void {
    const { random, mood } = this
    const calm = mood === 'calm'
    const collider = this.colliders[random.integer(0, this.colliders.length - 1)]
    if (!collider || random.uniform() < 0.3) {
      if (this.colliders.length < 5) this.addCollider()
      return
    }
    const choice = random.uniform()
    if (choice < 0.2) {
      collider.remove()
      this.colliders.splice(this.colliders.indexOf(collider), 1)
    } else if (choice < 0.4) collider.set({ friction: random.uniform(0, 1), restitution: undefined })
    else if (!calm && choice < 0.6) collider.set({ shape: this.draws.shape() })
    else if (!calm) collider.setPose(random.vector(random.scale(0.1, 1e6)), random.rotation())
  }

  /** Everything that a picture could be made of is finite, in 32 bits too. */
  private check(): void {
    const at = `step ${this.world.stepIndex}`
    for (const body of this.world.bodies) {
      const n = 3 * body.particleCount
      const columns = [
        body.readPositions(new Float64Array(n)),
        body.readPositions(new Float64Array(n), true),
        body.readVelocities(new Float64Array(n)),
      ]
      for (const column of columns) {
        const where = column.findIndex((x) => !Number.isFinite(Math.fround(x)))
        if (where >= 0) throw new Error(`${column[where]} at ${where}, ${at}`)
      }
    }
    const force: [number, number, number] = [0, 0, 0]
    for (const grip of this.grips)
      if (!grip.force(force).every(Number.isFinite)) throw new Error(`force ${force.join()}, ${at}`)
    const { speedClamps, nonFiniteRescues, inversionRescues } = this.world.stats
    if (this.mood === 'calm' && !isHealthy(this.world.stats)) {
      throw new Error(`guards: ${JSON.stringify({ speedClamps, nonFiniteRescues, inversionRescues })}, ${at}`)
    }
  }

  private tell(what: string, details: unknown): void {
    this.story.push(`${what} ${JSON.stringify(details)}`)
  }
}
