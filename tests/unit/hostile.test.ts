// What a caller may hold by mistake, given to every argument of the engine: it is refused by one error that names the
// component, the argument and a remedy, or it is something that the argument takes, and then the world goes on.
import { describe, expect, it } from 'vitest'
import * as core from '../../src/headless.js'
import { cube } from '../support/lattice.js'
import { positionsOf } from '../support/laws.js'

const { SettingError, World } = core

/** One of each kind, made anew, since an answer may be written into it. */
const makeMistakes = () => ({
  null: null,
  text: '1',
  five: 5,
  NaN: Number.NaN,
  true: true,
  object: {},
  xyz: { x: 0, y: 1, z: 0 },
  list: [],
  texts: ['0', '0', '0', '1'],
  nulls: [null, 1, 0, 1],
  numbers: [0.5, 1, 0],
  function: () => {},
})
type Mistake = keyof ReturnType<typeof makeMistakes>

const solid = cube(0.5, 2)
const skin: core.TriangleMesh = { positions: solid.positions, index: solid.triangles }

function makeScene() {
  const world = new World()
  const floor = world.addCollider(core.plane(), { name: 'Floor' })
  const body = world.addBody(solid, { name: 'Jelly', position: [0, 1, 0] })
  body.pin([0])
  const other = world.addBody(solid, { name: 'Other', position: [3, 1, 0] })
  const region = body.region([0, 1, 0], 0.2)
  return {
    world,
    floor,
    body,
    region,
    joint: other.join(null)!,
    spring: other.spring(null, { to: [3, 2, 0] })!,
    attachment: other.attach(other.region([3, 1, 0], 0.2)),
    wind: world.addWind(),
    attractor: world.addAttractor(),
  }
}
type Scene = ReturnType<typeof makeScene>

/** An argument: whose it is, what an error calls it, how it is given, and what of the mistakes it takes. */
type Slot = [component: string, prop: string, give: (scene: Scene, value: never) => unknown, takes?: Mistake[]]

/** Of settings an error names the one that there is not. */
const SETTINGS = 'settings|x'
const options = (method: string) => `${method}|${method}\\.x`
/** Which says nothing. */
const empty: Mistake[] = ['object']
const listens = (component: string, method: string, give: Slot[2], takes: Mistake[] = []): Slot => [
  component,
  method,
  give,
  ['function', ...takes],
]
/** An answer is written to what has room for it; whatever it held. */
const answers: Mistake[] = ['texts', 'nulls', 'numbers']

const slots: Slot[] = [
  ['SoftBodyWorld', SETTINGS, (_, v) => new World(v), empty],
  ['SoftBodyWorld', SETTINGS, ({ world }, v) => world.set(v), empty],
  ['Body', 'model', ({ world }, v) => world.addBody(v)],
  ['Body', SETTINGS, ({ world }, v) => world.addBody(solid, v), empty],
  ['Body', SETTINGS, ({ world }, v) => world.checkBody(solid, v), empty],
  ['Particles', 'positions', ({ world }, v) => world.addParticles(v), ['numbers']],
  ['Particles|Body', SETTINGS, ({ world }, v) => world.addParticles([0, 1, 2], v), empty],
  ['Particles', 'masses', ({ world }, v) => world.addParticles([0, 1, 2], { masses: v })],
  ['Collider', 'shape', ({ world }, v) => world.addCollider(v)],
  ['Collider', SETTINGS, ({ world }, v) => world.addCollider(core.plane(), v), empty],
  ['Wind', SETTINGS, ({ world }, v) => world.addWind(v), empty],
  ['Attractor', SETTINGS, ({ world }, v) => world.addAttractor(v), empty],
  ['SoftBodyWorld', 'raycast.origin', ({ world }, v) => world.raycast(v, [0, 1, 0]), ['numbers']],
  ['SoftBodyWorld', 'raycast.direction', ({ world }, v) => world.raycast([0, 5, 0], v), ['numbers']],
  ['SoftBodyWorld', options('raycast'), ({ world }, v) => world.raycast([0, 5, 0], [0, -1, 0], v), empty],
  [
    'SoftBodyWorld',
    'raycast.filter',
    ({ world }, v) => world.raycast([0, 5, 0], [0, -1, 0], { filter: v }),
    ['function'],
  ],
  ['SoftBodyWorld', 'overlapSphere.center', ({ world }, v) => world.overlapSphere(v, 1), ['numbers']],
  ['SoftBodyWorld', 'overlapSphere.radius', ({ world }, v) => world.overlapSphere([0, 1, 0], v), ['five']],
  ['SoftBodyWorld', options('overlapSphere'), ({ world }, v) => world.overlapSphere([0, 1, 0], 1, v), empty],
  ['SoftBodyWorld', 'applyRadialImpulse', ({ world }, v) => world.applyRadialImpulse(v, 1, 1), ['numbers']],
  [
    'SoftBodyWorld',
    'applyRadialImpulse.strength',
    ({ world }, v) => world.applyRadialImpulse([0, 0, 0], v, 1),
    ['five'],
  ],
  ['SoftBodyWorld', 'applyRadialImpulse.radius', ({ world }, v) => world.applyRadialImpulse([0, 0, 0], 1, v), ['five']],
  ['SoftBodyWorld', 'applyRadialImpulse.falloff', ({ world }, v) => world.applyRadialImpulse([0, 0, 0], 1, 1, v)],
  ['SoftBodyWorld', 'advance', ({ world }, v) => world.advance(v), ['five']],
  listens('SoftBodyWorld', 'onBeforeStep', ({ world }, v) => world.onBeforeStep(v)),
  listens('SoftBodyWorld', 'onAfterStep', ({ world }, v) => world.onAfterStep(v)),
  listens('SoftBodyWorld', 'onTear', ({ world }, v) => world.onTear(v)),
  listens('SoftBodyWorld', 'onUnstable', ({ world }, v) => world.onUnstable(v)),
  listens('SoftBodyWorld', 'onDisturb', ({ world }, v) => world.onDisturb(v)),
  listens('SoftBodyWorld', 'onContactEnter', ({ world }, v) => world.onContactEnter(v)),
  listens('SoftBodyWorld', 'onContactExit', ({ world }, v) => world.onContactExit(v)),
  listens('SoftBodyWorld', 'onImpact', ({ world }, v) => world.onImpact(v)),
  listens('SoftBodyWorld', 'onSleep', ({ world }, v) => world.onSleep(v)),
  listens('SoftBodyWorld', 'onWake', ({ world }, v) => world.onWake(v)),
  ['SoftBodyWorld', 'measure', ({ world }, v) => world.measure(v), ['null', 'function']],
  ['SoftBodyWorld', 'readContacts.target', ({ world }, v) => world.readContacts(v), ['list', ...answers]],
  ['SoftBodyWorld', 'readStageTimes.target', ({ world }, v) => world.readStageTimes(v)],
  ['SoftBodyWorld', 'restore', ({ world }, v) => world.restore(v)],

  ['Jelly', SETTINGS, ({ body }, v) => body.set(v), empty],
  ['Jelly', 'substepsNeeded', ({ body }, v) => body.substepsNeeded(v)],
  ['Jelly', 'readPositions.target', ({ body }, v) => body.readPositions(v), ['list', ...answers]],
  ['Jelly', 'readVelocities.target', ({ body }, v) => body.readVelocities(v), ['list', ...answers]],
  ['Jelly', 'getPosition.particle', ({ body }, v) => body.getPosition(v), ['five']],
  ['Jelly', 'getPosition.target', ({ body }, v) => body.getPosition(0, v), answers],
  ['Jelly', 'region', ({ body }, v) => body.region(v, 1), ['numbers']],
  ['Jelly', 'region.radius', ({ body }, v) => body.region([0, 1, 0], v), ['five']],
  ['Jelly', 'region.falloff', ({ body }, v) => body.region([0, 1, 0], 1, v)],
  ['Jelly', 'pointOf.region', ({ body }, v) => body.pointOf(v)],
  ['Jelly', 'pointOf.target', ({ body, region }, v) => body.pointOf(region, v), answers],
  ['Jelly', 'pieceOf', ({ body }, v) => body.pieceOf(v), ['list']],
  ['Jelly', 'attach.region', ({ body }, v) => body.attach(v)],
  ['Jelly', 'attach.region', ({ body }, v) => body.attach({ particles: v, weights: [1, 0, 0, 0] as never })],
  ['Jelly', 'attach.region', ({ body }, v) => body.attach({ particles: [0, 1, 2] as never, weights: v }), ['numbers']],
  ['Jelly', options('attach'), ({ body, region }, v) => body.attach(region, v), empty],
  ['Jelly', 'attach.target', ({ body, region }, v) => body.attach(region, { target: v }), ['numbers']],
  ['Jelly', 'attach.compliance', ({ body, region }, v) => body.attach(region, { compliance: v }), ['five']],
  ['Jelly', 'spring.other', ({ body }, v) => body.spring(v), ['null']],
  ['Jelly', `${options('spring')}|x`, ({ body }, v) => body.spring(null, v), empty],
  ['Jelly', 'stiffness', ({ body }, v) => body.spring(null, { stiffness: v }), ['five']],
  ['Jelly', 'spring.from', ({ body }, v) => body.spring(null, { from: v }), ['numbers']],
  ['Jelly', 'position', ({ body }, v) => body.spring(null, { position: v }), ['numbers']],
  ['Jelly', 'join.other', ({ body }, v) => body.join(v), ['null']],
  ['Jelly', `${options('join')}|x`, ({ body }, v) => body.join(null, v), empty],
  ['Jelly', 'compliance', ({ body }, v) => body.join(null, { compliance: v }), ['five']],
  ['Jelly', 'join.at', ({ body }, v) => body.join(null, { at: v }), ['numbers']],
  ['Jelly', 'join.radius', ({ body }, v) => body.join(null, { radius: v }), ['five']],
  ['Jelly', 'join.particles', ({ body }, v) => body.join(null, { particles: v })],
  ['Jelly', 'rotation', ({ body }, v) => body.join(null, { rotation: v })],
  ['Jelly', 'applyImpulse', ({ body }, v) => body.applyImpulse(v), ['numbers']],
  ['Jelly', 'applyImpulse.point', ({ body }, v) => body.applyImpulse([1, 0, 0], v), ['numbers', 'null']],
  ['Jelly', options('applyImpulse'), ({ body }, v) => body.applyImpulse([1, 0, 0], [0, 1, 0], v), empty],
  ['Jelly', 'addForce', ({ body }, v) => body.addForce(v), ['numbers']],
  ['Jelly', 'addForce.point', ({ body }, v) => body.addForce([1, 0, 0], v), ['numbers', 'null']],
  ['Jelly', options('addForce'), ({ body }, v) => body.addForce([1, 0, 0], [0, 1, 0], v), empty],
  ['Jelly', 'addForces', ({ body }, v) => body.addForces(v)],
  ['Jelly', 'applyRadialImpulse', ({ body }, v) => body.applyRadialImpulse(v, 1, 1), ['numbers']],
  ['Jelly', 'setVelocity', ({ body }, v) => body.setVelocity(v), ['numbers']],
  ['Jelly', 'setVelocity', ({ body }, v) => body.setVelocity([0, 0, 0], v), ['numbers']],
  ['Jelly', 'position', ({ body }, v) => body.teleport(v), ['numbers']],
  ['Jelly', 'rotation', ({ body }, v) => body.teleport([0, 1, 0], v)],
  ['Jelly', 'pin', ({ body }, v) => body.pin(v), ['list']],
  ['Jelly', 'unpin', ({ body }, v) => body.unpin(v), ['list']],
  ['Jelly', 'movePin.particle', ({ body }, v) => body.movePin(v, [0, 1, 0]), ['five']],
  ['Jelly', 'movePin', ({ body }, v) => body.movePin(0, v), ['numbers']],
  ['Jelly', 'isPinned.particle', ({ body }, v) => body.isPinned(v), ['five']],
  ['Jelly', 'cut', ({ body }, v) => body.cut(v)],
  ['Jelly', 'cut.normal', ({ body }, v) => body.cut({ point: [0, 0, 0], normal: v }), ['numbers']],
  ['Jelly', 'centerOfMass.target', ({ body }, v) => body.centerOfMass(v), answers],
  ['Jelly', 'velocity.target', ({ body }, v) => body.velocity(v), answers],
  ['Jelly', 'bounds.target', ({ body }, v) => body.bounds(v)],
  listens('Jelly', 'onSleep', ({ body }, v) => body.onSleep(v)),
  listens('Jelly', 'onWake', ({ body }, v) => body.onWake(v)),
  listens('Jelly', 'onTear', ({ body }, v) => body.onTear(v)),
  listens('Jelly', 'onImpact', ({ body }, v) => body.onImpact(v)),

  ['Other', SETTINGS, ({ joint }, v) => joint.set(v), empty],
  ['Other', 'setPose.position', ({ joint }, v) => joint.setPose(v, [0, 0, 0, 1]), ['numbers']],
  ['Other', 'setPose.rotation', ({ joint }, v) => joint.setPose([0, 0, 0], v)],
  ['Other', 'position', ({ joint }, v) => joint.teleport(v, [0, 0, 0, 1]), ['numbers']],
  ['Other', 'rotation', ({ joint }, v) => joint.teleport([0, 0, 0], v)],
  ['Other', 'force.target', ({ joint }, v) => joint.force(v), answers],
  listens('Other', 'onBreak', ({ joint }, v) => joint.onBreak(v)),
  ['Other', SETTINGS, ({ spring }, v) => spring.set(v), empty],
  ['Other', 'ends.from.target', ({ spring }, v) => spring.ends(v, [0, 0, 0]), answers],
  ['Other', 'ends.to.target', ({ spring }, v) => spring.ends([0, 0, 0], v), answers],
  ['Other', 'setTarget', ({ attachment }, v) => attachment.setTarget(v, 1, 0), ['five', 'NaN']],
  ['Other', 'setTarget', ({ attachment }, v) => attachment.setTarget(3, v, 0), ['five', 'NaN']],
  ['Other', 'setTarget', ({ attachment }, v) => attachment.setTarget(3, 1, v), ['five', 'NaN']],
  ['Other', 'force.target', ({ attachment }, v) => attachment.force(v), answers],
  ['Other', 'point.target', ({ attachment }, v) => attachment.point(v), answers],

  ['Floor', SETTINGS, ({ floor }, v) => floor.set(v), empty],
  ['Floor', 'shape', ({ floor }, v) => floor.set({ shape: v })],
  ['Floor', 'setPose.position', ({ floor }, v) => floor.setPose(v, [0, 0, 0, 1]), ['numbers']],
  ['Floor', 'setPose.rotation', ({ floor }, v) => floor.setPose([0, 0, 0], v)],
  ['Floor', 'position', ({ floor }, v) => floor.teleport(v, [0, 0, 0, 1]), ['numbers']],
  ['Floor', 'rotation', ({ floor }, v) => floor.teleport([0, 0, 0], v)],
  listens('Collider', 'onContactEnter', ({ floor }, v) => floor.onContactEnter(v)),
  ['Wind', SETTINGS, ({ wind }, v) => wind.set(v), empty],
  ['Wind', 'region', ({ wind }, v) => wind.set({ region: v })],
  ['Attractor', SETTINGS, ({ attractor }, v) => attractor.set(v), empty],
  ['Attractor', 'moveTo', ({ attractor }, v) => attractor.moveTo(v), ['numbers']],
  ['Attractor', 'position.target', ({ attractor }, v) => attractor.position(v), answers],

  ['Collider.Sphere', 'args', (_, v) => core.sphere(v), ['five']],
  ['Collider.Box', 'args', (_, v) => core.box(v)],
  ['Collider.Box', 'args', (_, v) => core.room(v)],
  ['Collider.Capsule', 'args', (_, v) => core.capsule(v, 1), ['five']],
  ['Collider.Cylinder', 'args', (_, v) => core.cylinder(1, v), ['five']],
  ['Collider.Heightfield', 'heights', (_, v) => core.heightfield(v, 1, 1)],
  ['Collider.Heightfield', 'heights', (_, v) => core.heightfield([[0, 0, 0], v], 1, 1), ['numbers']],
  ['Collider.Hull', 'points', (_, v) => core.hull(v)],
  ['Collider.Mesh|Mesh', 'geometry|positions|index', (_, v) => core.mesh(v)],
  ['Collider.Mesh', SETTINGS, (_, v) => core.mesh(skin, v), empty],
  ['Collider.Mesh', 'solid', (_, v) => core.mesh(skin, { solid: v }), ['true']],
  ['Collider.Compound', 'children|shape', (_, v) => core.compound(v)],
  ['Collider.Compound', 'shape', (_, v) => core.compound([v])],
  ['Collider.Compound', 'position', (_, v) => core.compound([{ shape: core.plane(), position: v }]), ['numbers']],
  ['Collider.Compound', 'rotation', (_, v) => core.compound([{ shape: core.plane(), rotation: v }])],
  ['Collider', 'shape', (_, v) => core.scaled(v, 2)],
  ['Collider', 'scale', (_, v) => core.scaled(core.sphere(1), v), ['five']],

  ['Mesh', 'positions|index', (_, v) => core.softBodyModel(v)],
  ['SoftBody', SETTINGS, (_, v) => core.softBodyModel(skin, v), empty],
  ['SoftBody', 'tetMesh', (_, v) => core.tetMeshModel(v)],
  ['Mesh', 'positions|index', (_, v) => core.clothMeshModel(v)],
  ['Cloth', `${SETTINGS}|width`, (_, v) => core.clothModel(v)],
  ['Rope', SETTINGS, (_, v) => core.ropeModel(v), empty],
  ['Rope', 'points', (_, v) => core.ropeModel({ points: v })],
  ['Ragdoll', SETTINGS, (_, v) => core.ragdollModel(v), empty],
  ['Particles', 'positions', (_, v) => core.particlesModel(v), ['numbers']],
]

function thrownBy(act: () => unknown): Error | undefined {
  try {
    act()
  } catch (error) {
    return error as Error
  }
  return undefined
}

/** Whether the world steps on, its bodies finite by themselves. */
function goesOn(world: core.World): boolean {
  for (let k = 0; k < 2; k++) world.step()
  return world.stats.nonFiniteRescues === 0 && world.bodies.every((body) => positionsOf(body).every(Number.isFinite))
}

/** What comes of giving a mistake: 'taken', 'refused', or what should not be. */
function outcomeOf([component, prop, give]: Slot, mistake: Mistake): string {
  const scene = makeScene()
  const error = thrownBy(() => give(scene, makeMistakes()[mistake] as never))
  if (!goesOn(scene.world)) return 'breaks the world'
  if (!error) return 'taken'
  if (!(error instanceof SettingError)) return `${error.name}: ${error.message}`
  const isNamed = new RegExp(`^(${component}) (${prop})$`).test(`${error.component} ${error.prop}`)
  return isNamed && /^[A-Z].*\.$/.test(error.remedy) ? 'refused' : error.message
}

describe('what is of the wrong kind', () => {
  it.each(slots.map((slot, k) => [`${k} ${slot[0]} ${slot[1].split('|')[0]}`, slot] as const))(
    'is refused by name, or taken as documented: %s',
    (_, slot) => {
      const takes = slot[3] ?? []
      for (const mistake of Object.keys(makeMistakes()) as Mistake[]) {
        const expected = takes.includes(mistake) ? 'taken' : 'refused'
        expect(outcomeOf(slot, mistake), mistake).toBe(expected)
      }
    },
  )
})
