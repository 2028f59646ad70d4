// After a restore sleeps what would still sleep: what has changed since the snapshot wakes those that it acts on, no others.
import { describe, expect, it } from 'vitest'
import { type Body, box, plane, presets, sphere, type Vec3, World } from '../../src/headless.js'
import { ball, cube } from '../support/lattice.js'
import { centerOf, positionsOf, run, substepOf } from '../support/laws.js'

const model = cube(0.4, 1)

/** Sleepers far from each other: a stack on a shelf, and in the air what is held, blown or pulled, each by something of its own. */
function sleepers() {
  const world = new World()
  const bodies: Record<string, Body> = {}
  const add = (name: string, position: Vec3, settings = {}) => {
    const body = world.addBody(model, { ...presets.firm, name, position, ...settings })
    bodies[name] = body
    return body
  }
  const shelf = world.addCollider(box([1, 0.2, 1]), { position: [0, 4.9, 0] })
  const lower = add('lower', [0, 5.2, 0])
  add('upper', [0, 5.6, 0])
  const hung = add('hung', [10, 5, 0])
  const left = add('left', [20, 5, 0])
  const right = add('right', [20.4, 5, 0])
  const sprung = add('sprung', [30, 5, 0])
  const alone = add('alone', [60, 5, 0])
  add('blown', [40, 5, 0], { drag: 1 })
  add('pulled', [50, 5, 0])
  const scene = {
    world,
    bodies,
    shelf,
    lower,
    left,
    alone,
    attachment: hung.attach(hung.region([10, 5, 0], 1)),
    joint: left.join(right)!,
    spring: sprung.spring(null, { to: [30, 6, 0] })!,
    wind: world.addWind({ velocity: [3, 0, 0], region: { center: [40, 5, 0], radius: 1 } }),
    attractor: world.addAttractor({ position: [50, 6, 0], range: 2 }),
    sensor: world.addCollider(sphere(1), { position: [60, 5, 0], sensor: true }),
  }
  for (const [name, body] of Object.entries(bodies)) if (name !== 'lower' && name !== 'upper') body.sleep()
  while (world.stats.sleeping < world.bodies.length) {
    world.step()
    expect(world.time).toBeLessThan(10)
  }
  return scene
}

type Scene = ReturnType<typeof sleepers>
type Change = readonly [what: string, act: (scene: Scene) => void, wakes: readonly string[] | 'all']

/** Which of the bodies are awake where a change and some steps are followed by a restore of the time before. */
function wokenBy(act: (scene: Scene) => void): string[] {
  const scene = sleepers()
  const { world } = scene
  const snapshot = world.snapshot()
  act(scene)
  run(world, 0.1)
  world.restore(snapshot)
  return world.bodies.filter(({ asleep }) => !asleep).map(({ settings }) => settings.name)
}

const at: Vec3 = [60, 5, 0]

const gone: Change[] = [
  ['the body below it', ({ lower }) => lower.remove(), ['upper']],
  ['the collider below it', ({ shelf }) => shelf.remove(), ['lower', 'upper']],
  ['its attachment', ({ attachment }) => attachment.remove(), ['hung']],
  ['its joint', ({ joint }) => joint.remove(), ['left', 'right']],
  ['what it is joined to', ({ left }) => left.remove(), ['right']],
  ['its spring', ({ spring }) => spring.remove(), ['sprung']],
  ['a wind', ({ wind }) => wind.remove(), ['blown']],
  ['an attractor', ({ attractor }) => attractor.remove(), ['pulled']],
  ['a sensor', ({ sensor }) => sensor.remove(), []],
]

const come: Change[] = [
  ['a collider in it', ({ world }) => world.addCollider(box([0.4, 0.4, 0.4]), { position: [60, 4.7, 0] }), ['alone']],
  ['a collider far from all', ({ world }) => world.addCollider(sphere(0.2), { position: [0, -90, 0] }), []],
  ['a sensor about it', ({ world }) => world.addCollider(sphere(1), { position: at, sensor: true }), []],
  ['an attachment', ({ alone }) => alone.attach(alone.region(at, 1)), ['alone']],
  ['a joint', ({ alone }) => alone.join(null), ['alone']],
  ['a spring', ({ alone, left }) => alone.spring(left), ['left', 'right', 'alone']],
  ['a wind', ({ world }) => world.addWind({ region: { center: [40, 5, 0], radius: 1 } }), ['blown']],
  ['a wind where nothing feels it', ({ world }) => world.addWind({ region: { center: at, radius: 1 } }), []],
  ['an attractor', ({ world }) => world.addAttractor({ position: at, range: 1 }), ['alone']],
  [
    'a body that sleeps',
    ({ world }) => world.addBody(model, { name: 'newcomer', position: [0, 0, 50] }).sleep(),
    ['newcomer'],
  ],
]

const settings: Change[] = [
  ['gravity', ({ world }) => world.set({ gravity: [0, -1.6, 0] }), 'all'],
  ['substeps', ({ world }) => world.set({ substeps: 20 }), 'all'],
  ['no sleeping', ({ world }) => world.set({ sleeping: false }), 'all'],
  ['wind', ({ world }) => world.set({ wind: [1, 0, 0] }), ['blown']],
  ['airDensity', ({ world }) => world.set({ airDensity: 1 }), ['blown']],
  ['a clock that stands', ({ world }) => world.set({ paused: true, timeScale: 0.5, maxSteps: 1 }), []],
]

const undone: (readonly [what: string, act: (scene: Scene) => void])[] = [
  ['nothing', () => {}],
  ['bodies elsewhere', ({ world }) => world.bodies.map((body) => body.teleport([0, 0, 90]))],
  ['bodies that are set and pinned', ({ alone, left }) => (alone.set({ mass: 9, gravityScale: 2 }), left.pin([0]))],
  ['a collider elsewhere', ({ shelf }) => shelf.teleport([0, -9, 0], [0, 0, 0, 1])],
  ['a collider that is no more solid', ({ shelf }) => shelf.set({ sensor: true, friction: 0, shape: sphere(0.1) })],
  ['an attachment that leads', ({ attachment }) => attachment.setTarget(10, 9, 0)],
  ['a softer joint', ({ joint }) => joint.set({ compliance: 1 })],
  ['a stiffer spring', ({ spring }) => spring.set({ stiffness: 900 })],
  ['a wind that turns', ({ wind }) => wind.set({ velocity: [0, 0, 9], region: undefined })],
  ['an attractor elsewhere', ({ attractor }) => attractor.set({ position: at, strength: 99 })],
  ['gravity for a while', ({ world }) => (world.set({ gravity: [0, 9, 0] }), world.set({ gravity: [0, -9.81, 0] }))],
]

describe('after a restore wakes what', () => {
  it.each(gone)('slept by what has gone: %s', (_, act, wakes) => expect(wokenBy(act)).toEqual(wakes))

  it.each(come)('has come, or is acted on by it: %s', (_, act, wakes) => expect(wokenBy(act)).toEqual(wakes))

  it.each(settings)('slept under other settings of the world: %s', (_, act, wakes) =>
    expect(wokenBy(act)).toEqual(wakes === 'all' ? Object.keys(sleepers().bodies) : wakes),
  )
})

describe('after a restore sleeps', () => {
  it.each(undone)('what slept, where it is all undone: %s', (_, act) => expect(wokenBy(act)).toEqual([]))
})

describe('restored without its support a stack', () => {
  // Symplectic Euler falls from rest by g t (t + h) / 2; the two push each other apart as well, so it is the mean that does.
  it('falls freely', () => {
    const { world, bodies, shelf } = sleepers()
    const snapshot = world.snapshot()
    shelf.remove()
    run(world, 1)
    world.restore(snapshot)
    const height = () => (centerOf(bodies.lower!)[1] + centerOf(bodies.upper!)[1]) / 2
    const before = height()
    run(world, 0.5)
    expect(before - height()).toBeCloseTo((9.81 * 0.5 * (0.5 + substepOf(world))) / 2, 4)
  })
})

describe('what has come since the snapshot', () => {
  it('falls where what it slept on is elsewhere again', () => {
    const { world, alone, lower } = sleepers()
    const snapshot = world.snapshot()
    world.addCollider(plane())
    lower.teleport([70, 0.2, 0])
    const rider = world.addBody(model, { ...presets.firm, position: [70, 0.6, 0] })
    run(world, 3)
    expect(rider.asleep && lower.asleep).toBe(true)
    world.restore(snapshot)
    run(world, 1)
    expect(centerOf(rider)[1]).toBeLessThan(0.25)
    expect(alone.asleep).toBe(true) // high above the plane
  })

  it('pushes what sleeps in it, if it is a body, and that wakes', () => {
    const { world, alone } = sleepers()
    const snapshot = world.snapshot()
    alone.teleport([70, 5, 0])
    world.addBody(model, { ...presets.firm, position: [60.2, 5, 0], gravityScale: 0 })
    world.restore(snapshot)
    expect(alone.asleep).toBe(true)
    run(world, 0.1)
    expect(alone.asleep).toBe(false)
  })

  it('notices what sleeps in it, if it is a sensor, and lets it sleep', () => {
    const { world, alone } = sleepers()
    const snapshot = world.snapshot()
    alone.teleport([70, 5, 0])
    let inside = 0
    const sensor = world.addCollider(sphere(1), { position: at, sensor: true })
    sensor.onContactEnter(() => inside++)
    run(world, 0.1)
    expect(inside).toBe(0)
    world.restore(snapshot)
    run(world, 0.1)
    expect(inside).toBe(1)
    expect(alone.asleep).toBe(true)
  })
})

describe('a body that was saved in a state that is not finite', () => {
  it('is awake, and so is what slept on it', () => {
    const { world, bodies } = sleepers()
    const snapshot = world.snapshot()
    snapshot.bodies[0]!.vectors[0]!.fill(Number.NaN)
    world.restore(snapshot)
    expect(bodies.lower!.asleep).toBe(false)
    expect(bodies.upper!.asleep).toBe(false)
    expect(bodies.alone!.asleep).toBe(true)
  })
})

describe('a snapshot of sleepers that are struck soon', () => {
  it('gives the same bits again, where nothing has come or gone to stay', () => {
    const { world, bodies, shelf } = sleepers()
    world.addBody(ball(0.2, 2), { ...presets.rubber, position: [0.1, 7, 0] })
    run(world, 0.1)
    const snapshot = world.snapshot()
    const played = () => {
      const states: (boolean | Float64Array)[] = []
      run(world, 0.7, () => {
        for (const body of world.bodies) states.push(body.asleep, positionsOf(body))
      })
      return states
    }
    const first = played()
    expect(bodies.upper!.asleep).toBe(false)
    expect(bodies.alone!.asleep).toBe(true)
    shelf.teleport([0, -9, 0], [0, 0, 0, 1])
    world.addBody(model, { position: [0, 0, 5] }).remove()
    world.addCollider(sphere(1), { position: at }).remove()
    run(world, 0.1)
    world.restore(snapshot)
    expect(played()).toEqual(first)
  })
})
