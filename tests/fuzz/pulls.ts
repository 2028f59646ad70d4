// One solid drawn by two hands about another, and let go: the two come apart.
import { type Body, type BodySettings, type MutableVec3, plane, type Vec3, World } from '../../src/headless.js'
import { Random } from '../support/draw.js'
import { material, unconstrained } from '../support/elastic.js'
import { takeHold } from '../support/hands.js'
import { centerOf, largestSpeed, run } from '../support/laws.js'
import { between, modelOf, within } from './overlaps.js'

/** What a solid that was drawn about another has come to. */
export interface PullReport {
  name: string
  /** Edges of one through triangles of the other as the hands let go. */
  before: number
  /** The same 3 s later, once the two have been sent apart by a metre, and their particles within each other. */
  crossed: number
  within: number
  /** Speed of the fastest particle after the hands have let go [m/s]. */
  fastest: number
  /** Guards that have acted since. */
  speedClamps: number
  contactClamps: number
}

const kinds = ['box', 'bar', 'plate', 'ball', 'ring'] as const

/** An elastic solid, or one that shape matching alone holds. */
function settingsOf(random: Random): Partial<BodySettings> {
  const density = random.scale(200, 1000)
  const elastic = material(random.scale(5e4, 4e5), 0.4)
  const rate = random.scale(40, 120)
  return { density, elastic: random.uniform() < 0.6 ? elastic : { ...unconstrained, shape: { rate } } }
}

/** Draws `one` about `other` by two places of it, as hands would, through whatever is in the way. */
function drawAbout(world: World, one: Body, other: Body, random: Random): void {
  const hands = [0, 1].map(() => {
    const from = one.getPosition(random.integer(0, one.particleCount - 1)) as Vec3
    return { from, hand: takeHold(one, from, 0.1, 1000) }
  })
  const steps = random.integer(8, 30)
  for (let k = 0; k < 5; k++) {
    const center = centerOf(other)
    const goals = hands.map(() => {
      const far = random.uniform(0.2, 0.7)
      const way = random.direction()
      return [0, 1, 2].map((d) => Math.max(center[d]! + far * way[d]!, d === 1 ? 0.1 : -9)) as MutableVec3
    })
    for (let s = 1; s <= steps + 20; s++) {
      const share = Math.min(1, s / steps)
      hands.forEach(({ from, hand }, h) => {
        const at = (d: number) => from[d]! + share * (goals[h]![d]! - from[d]!)
        hand.setTarget(at(0), at(1), at(2))
      })
      world.step()
    }
    hands.forEach((hand, h) => {
      hand.from = goals[h]!
    })
  }
  for (const { hand } of hands) hand.remove()
}

/** Sends two bodies apart by a metre, weightless: what hooks draws the other along. */
function sendApart(world: World, one: Body, other: Body): void {
  const [a, b] = [centerOf(one), centerOf(other)]
  const gap = Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])
  const velocity = (speed: number) => a.map((x, d) => (speed * (x - b[d]!)) / gap) as MutableVec3
  world.set({ gravity: [0, 0, 0] })
  other.unpin()
  one.setVelocity(velocity(1), [0, 0, 0])
  other.setVelocity(velocity(-1), [0, 0, 0])
  run(world, 0.5)
}

/**
 * Draws one of two solids of the seed about the other, which two particles pin in half of the cases, and lets go.
 * @param shaken by how much the ground then shakes [m/s^2]
 */
export function playPull(seed: number, shaken = 0): PullReport {
  const random = new Random(seed)
  const world = new World()
  world.addCollider(plane())
  const any = () => kinds[random.integer(0, kinds.length - 1)]!
  const names = [any(), any()]
  const [one, other] = names.map((kind, k) =>
    world.addBody(modelOf(kind, random), {
      ...settingsOf(random),
      position: [1.2 * k - 0.6, 0.6, 0],
      rotation: random.rotation(),
    }),
  ) as [Body, Body]
  run(world, 1)
  const particle = () => random.integer(0, other.particleCount - 1)
  if (random.uniform() < 0.5) other.pin([particle(), particle()])
  drawAbout(world, one, other, random)
  const before = between(one, other)
  const { speedClamps, contactClamps } = world.stats
  let fastest = 0
  run(world, 3, (time) => {
    if (shaken > 0) world.set({ gravity: [random.uniform(-shaken, shaken), -9.81, random.uniform(-shaken, shaken)] })
    if (time > 0.25) fastest = Math.max(fastest, largestSpeed(one), largestSpeed(other))
  })
  sendApart(world, one, other)
  return {
    name: names.join(' about '),
    before,
    crossed: between(one, other),
    within: within(one, other) + within(other, one),
    fastest,
    speedClamps: world.stats.speedClamps - speedClamps,
    contactClamps: world.stats.contactClamps - contactClamps,
  }
}
