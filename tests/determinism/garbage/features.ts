// What a frame may do beside the plain scene, one feature a function: each adds its bodies about a place of its own, and
// returns what drives them. Driven to and fro for ever, so that what is compiled in the warm-up is all that runs after.

import { ballMesh, tetBox } from '../../../scenes/index.js'
import {
  box,
  type ColliderShape,
  capsule,
  clothMeshModel,
  clothModel,
  compound,
  cylinder,
  heightfield,
  hull,
  type MutableVec3,
  mesh,
  presets,
  type Quat,
  ragdollModel,
  room,
  ropeModel,
  softBodyModel,
  tetMeshModel,
  type Vec3,
  type World,
} from '../../../src/headless.js'
import { Random } from '../../support/draw.js'
import { irregularSheet } from '../../support/sheets.js'

/** Moves a feature's things; `swing[k]` goes from -1 to 1 and back in `swing.length` steps. */
export type Drive = (k: number) => void

/** Fills its place in the world. */
export type Feature = (world: World, at: Vec3, swing: Float64Array) => Drive

const UPRIGHT: Quat = [0, 0, 0, 1]
const cube = tetMeshModel(tetBox([0.4, 0.4, 0.4], [1, 1, 1])).model
const finerCube = tetMeshModel(tetBox([0.4, 0.4, 0.4], [2, 2, 2])).model
const ball = softBodyModel(ballMesh(0.2, 4), { resolution: 3 }).model
// To fall asleep and to wake is rare, and what is rare is never compiled.
const canSleep = false

const plus = ([x, y, z]: Vec3, dx: number, dy: number, dz: number): MutableVec3 => [x + dx, y + dy, z + dz]

/** A bin of soft bodies that touch each other, pressed and let go. */
function pile(world: World, at: Vec3, swing: Float64Array): Drive {
  const wall = box([0.1, 1.2, 0.7])
  const side = box([0.7, 1.2, 0.1])
  const bin = compound([
    { shape: wall, position: [-0.4, 0.6, 0] },
    { shape: wall, position: [0.4, 0.6, 0] },
    { shape: side, position: [0, 0.6, -0.4] },
    { shape: side, position: [0, 0.6, 0.4] },
  ])
  world.addCollider(bin, { name: 'bin', position: at })
  const lid = world.addCollider(box([0.6, 0.2, 0.6]), { name: 'lid', position: plus(at, 0, 1.3, 0) })
  const soft = { ...presets.rubber, canSleep }
  world.addBody(finerCube, { ...soft, position: plus(at, -0.05, 0.21, 0.03) })
  world.addBody(ball, { ...soft, position: plus(at, 0.03, 0.63, 0.02) })
  world.addBody(finerCube, { ...soft, position: plus(at, 0.04, 1.05, -0.03) })
  const place = plus(at, 0.01, 1.41, 0.01)
  const middle = at[1] + 1.38
  return (k) => {
    place[1] = middle + 0.05 * swing[k]!
    lid.setPose(place, UPRIGHT)
  }
}

/** A cloth that must not pass through itself, lifted by a corner off a soft ball and laid back. */
function fabric(world: World, at: Vec3, swing: Float64Array): Drive {
  const sheet = clothModel({ width: 0.9, height: 0.9, segmentsX: 4, segmentsY: 4 })
  const stand = world.addBody(ball, { ...presets.rubber, position: plus(at, 0, 0.21, 0), canSleep })
  stand.join(null, { position: at, radius: 0.1 })
  const cloth = world.addBody(sheet.model, {
    position: plus(at, 0, 0.5, 0),
    rotation: [Math.SQRT1_2, 0, 0, Math.SQRT1_2],
    damping: 1,
    selfCollision: true,
    canSleep,
  })
  cloth.pin([0, 4])
  cloth.attach({ particles: Uint32Array.of(22), weights: Float64Array.of(1) })
  const left: MutableVec3 = [0.5, 0.5, 0.5]
  const right: MutableVec3 = [0.5, 0.5, 0.5]
  cloth.getPosition(0, left)
  cloth.getPosition(4, right)
  const middle = left[2]
  return (k) => {
    left[2] = middle + 0.3 * swing[k]!
    right[2] = middle + 0.3 * swing[k]!
    cloth.movePin(0, left)
    cloth.movePin(4, right)
  }
}

/** A body on leash on each shape that is a belt, rocked. */
function belts(world: World, at: Vec3, swing: Float64Array): Drive {
  const rows = Array.from({ length: 5 }, (_, z) => Float64Array.from({ length: 5 }, (__, x) => ((x + z) % 2) * 0.05))
  const shapes: ColliderShape[] = [
    mesh(ballMesh(0.5, 4)),
    hull(ballMesh(0.5, 4).positions),
    heightfield(rows, 2, 2),
    compound([{ shape: box([1, 0.2, 1]) }, { shape: capsule(0.2, 0.6), position: [0, 0.2, 0] }]),
    cylinder(0.5, 0.4),
  ]
  const tops = [0.5, 0.5, 0.05, 0.7, 0.2]
  const moving = shapes.map((shape, k) => {
    const place = plus(at, 3 * k, 1, 0)
    const collider = world.addCollider(shape, { name: 'belt', position: place, surfaceVelocity: [0.5, 0, 0.1] })
    const body = world.addBody(cube, { ...presets.rubber, position: plus(place, 0, tops[k]! + 0.19, 0), canSleep })
    body.join(null, { position: plus(place, 0, 2, 0), compliance: 1e-3, damping: 10 })
    return { collider, place, middle: place[1] }
  })
  return (k) => {
    for (let m = 0; m < moving.length; m++) {
      const { collider, place, middle } = moving[m]!
      place[1] = middle + 0.05 * swing[k]!
      collider.setPose(place, UPRIGHT)
    }
  }
}

/** Flags in gusts, one on tethers, one with a limit of strain, one on an irregular mesh, and a ball that the wind pushes. */
function weather(world: World, at: Vec3): Drive {
  const sheet = clothModel({ width: 1, height: 0.7, segmentsX: 6, segmentsY: 4 }).model
  world.addWind({ velocity: [4, 0, 1], turbulence: 0.6, turbulenceSize: 0.7 })
  world.addWind({ velocity: [0, 0, 2], turbulence: 0.3, region: { center: plus(at, 0, 1, 0), radius: 3 } })
  world.addWind({ velocity: [0, 1, 0], region: { min: plus(at, -5, 0, -5), max: plus(at, 5, 5, 5) } })
  const inAir = { drag: 1, lift: 1, damping: 0.5, canSleep }
  const first = world.addBody(sheet, { ...inAir, position: plus(at, 0, 2, 0), tether: 1.02 })
  const second = world.addBody(sheet, { ...inAir, position: plus(at, 0, 3, 0), strainLimit: 0.02 })
  const edge = [0, 7, 14, 21, 28]
  first.pin(edge)
  second.pin(edge)
  const { positions, index } = irregularSheet(1, 1, 10, 10, 0.2, new Random(1))
  const third = world.addBody(clothMeshModel({ positions, index }).model, { ...inAir, position: plus(at, 0, 2, 2) })
  third.pin([0, 11, 22, 33, 44, 55, 66, 77, 88, 99, 110])
  const kite = world.addBody(ball, { ...presets.balloon, position: plus(at, 0, 4, 0), drag: 0.5, canSleep })
  kite.join(null, { position: plus(at, 0, 4.2, 0), compliance: 1e-3, damping: 10 })
  return () => {}
}

/** A sheet that was cut, and could tear by its load and its strain, led up and down by its pinned edge. */
function rags(world: World, at: Vec3, swing: Float64Array): Drive {
  const sheet = clothModel({ width: 1, height: 0.7, segmentsX: 6, segmentsY: 4 }).model
  const tears = { tearStrength: 1e6, tearStrain: 50, tearWeakening: 0.5, strainLimit: 0.02 }
  const body = world.addBody(sheet, { position: plus(at, 0, 3, 0), damping: 1, shapeDamping: 5, ...tears, canSleep })
  const edge = [0, 1, 2, 3, 4, 5, 6]
  body.pin(edge)
  body.cut({ point: plus(at, 0.03, 3, 0), normal: [1, 0.2, 0] })
  const places = edge.map((particle) => body.getPosition(particle, [0.5, 0.5, 0.5]))
  const height = places[0]![1]
  return (k) => {
    for (let i = 0; i < edge.length; i++) {
      const place = places[i]!
      place[1] = height + 0.1 * swing[k]!
      body.movePin(edge[i]!, place)
    }
  }
}

/** Bodies on a collider that turns, on each other, and on a rope. */
function joints(world: World, at: Vec3, swing: Float64Array): Drive {
  const arm = world.addCollider(box([0.2, 0.2, 0.2]), { name: 'arm', position: plus(at, 0, 2, 0) })
  const upper = world.addBody(cube, { ...presets.rubber, position: plus(at, 0, 1.6, 0), canSleep })
  const lower = world.addBody(cube, { ...presets.rubber, position: plus(at, 0, 1.1, 0), canSleep })
  upper.join(arm, { radius: 0.3 })
  upper.join(lower, { compliance: 1e-5, damping: 10, breakForce: 1e9 })
  const place = plus(at, 0, 2, 0)
  const turn: [number, number, number, number] = [0.5, 0.5, 0.5, 0.5]
  return (k) => {
    place[0] = at[0] + 0.1 * swing[k]!
    turn[0] = 0
    turn[1] = 0.1 * swing[k]!
    turn[2] = 0
    turn[3] = Math.sqrt(1 - turn[1] * turn[1])
    arm.setPose(place, turn)
  }
}

/** A rope in the wind that swings a ball, and one that is pulled taut across another. */
function ropes(world: World, at: Vec3, swing: Float64Array): Drive {
  const rope = { drag: 1, selfCollision: true, damping: 0.5, canSleep }
  const swung = world.addBody(ropeModel({ segments: 10 }).model, { ...rope, position: plus(at, 0, 2.5, 0) })
  const weight = world.addBody(ball, { ...presets.rubber, position: plus(at, 0, 1.3, 0), canSleep })
  swung.join(weight, { particles: [10] })
  const taut = world.addBody(
    ropeModel({ points: [plus(at, 1, 2, -0.5), plus(at, 1, 2, 0.5)], segments: 10 }).model,
    rope,
  )
  const laid = world.addBody(
    ropeModel({ points: [plus(at, 0.6, 2.1, 0), plus(at, 1.4, 2.1, 0)], segments: 10 }).model,
    rope,
  )
  swung.pin([0])
  taut.pin([0, 10])
  laid.pin([0, 10])
  const hook = plus(at, 0, 2.5, 0)
  const end = plus(at, 1, 2, 0.5)
  return (k) => {
    hook[0] = at[0] + 0.2 * swing[k]!
    end[2] = at[2] + 0.5 + 0.05 * swing[k]!
    swung.movePin(0, hook)
    taut.movePin(10, end)
  }
}

/** A ragdoll that is led about by a hand, and one that lies on the ground. */
function ragdolls(world: World, at: Vec3, swing: Float64Array): Drive {
  const doll = ragdollModel({ height: 0.9 })
  const loose = { damping: 1, canSleep }
  const led = world.addBody(doll.model, { ...loose, position: plus(at, 0, 1, 0) })
  world.addBody(doll.model, {
    ...loose,
    position: plus(at, 1.5, 0.1, 0),
    rotation: [0.7071067811865476, 0, 0, 0.7071067811865476],
  })
  const hand = led.attach({
    particles: Uint32Array.from(doll.particles.lowerArmLeft),
    weights: new Float64Array(19).fill(1 / 19),
  })
  const [x, y, z] = hand.point([0, 0, 0])
  return (k) => hand.setTarget(x + 0.1 * swing[k]!, y, z)
}

/** Clay that rests, and clay that is drawn and pressed so that it flows in every turn. */
function clay(world: World, at: Vec3, swing: Float64Array): Drive {
  world.addBody(finerCube, { ...presets.clay, position: plus(at, -1, 0.21, 0), canSleep })
  const worked = world.addBody(finerCube, { ...presets.clay, position: plus(at, 1, 1, 0), canSleep })
  const ends: number[] = []
  const point: MutableVec3 = [0.5, 0.5, 0.5]
  for (let i = 0; i < worked.particleCount; i++) {
    worked.getPosition(i, point)
    if (Math.abs(point[1] - at[1] - 1) > 0.19) ends.push(i)
  }
  worked.pin(ends)
  const pins = ends.map((i) => worked.getPosition(i, [0, 0, 0]))
  const heights = Float64Array.from(pins, (pin) => pin[1])
  const middle = at[1] + 1
  return (k) => {
    for (let n = 0; n < ends.length; n++) {
      pins[n]![1] = middle + (heights[n]! - middle) * (1.2 + 0.3 * swing[k]!)
      worked.movePin(ends[n]!, pins[n]!)
    }
  }
}

/** Strikes that are told of: a body is put down on the ground and taken up, and one on another. */
function strikes(world: World, at: Vec3, swing: Float64Array): Drive {
  let heard = 0
  const listener = () => void heard++
  world.onContactEnter(listener)
  world.onContactExit(listener)
  world.onImpact(listener)
  const below = world.addBody(cube, { ...presets.rubber, position: plus(at, 0, 0.21, 0), canSleep })
  below.onImpact(listener)
  const held = world.addBody(cube, { ...presets.rubber, position: plus(at, 0, 0.7, 0), canSleep })
  const alone = world.addBody(cube, { ...presets.rubber, position: plus(at, 1, 0.5, 0), canSleep })
  const grips = [held, alone].map((body, b) => body.attach(body.region(plus(at, b, 0.7 - 0.2 * b, 0), 0.4)))
  return (k) => {
    // Twenty times as often as the others: what is told once in a turn would not be compiled by then.
    const height = 0.15 * swing[(20 * k) % swing.length]!
    grips[0]!.setTarget(at[0], at[1] + 0.7 + height, at[2])
    grips[1]!.setTarget(at[0] + 1, at[1] + 0.3 + height, at[2])
  }
}

/** Free particles in a shaken room about an attractor that goes to and fro, a bob on a spring, a body that relaxes. */
function forces(world: World, at: Vec3, swing: Float64Array): Drive {
  const middle = plus(at, 0, 1, 0)
  const walls = world.addCollider(room([1, 1, 1]), { name: 'room', position: middle, restitution: 0.3 })
  const attractor = world.addAttractor({ position: middle, strength: 12, range: 3 })
  const places = Array.from({ length: 36 }, (_, k) => 0.4 * Math.sin(7 * k + 1))
  const surface = { contactDamping: 4, canSleep }
  world.addParticles(places, { ...surface, position: middle, radius: 0.04, restitution: 0.2 })
  const still = { neoHookean: false, edges: { relaxation: 30 }, shape: { relaxation: 60 } } as const
  world.addBody(cube, { ...surface, position: plus(at, 0, 1.2, 0.1), elastic: still })
  const bob = world.addBody(cube, { ...presets.rubber, canSleep, position: plus(at, 3, 1, 0) })
  bob.spring(null, { to: plus(at, 3, 2, 0), stiffness: 2000, damping: 30 })
  return (k) => {
    middle[0] = at[0] + 0.1 * swing[k]!
    walls.setPose(middle, UPRIGHT)
    attractor.moveTo(middle)
  }
}

/** A stiff solid that hangs from pins, which go up and down. */
function pins(world: World, at: Vec3, swing: Float64Array): Drive {
  const { particleCount, positions } = finerCube
  const top = Array.from({ length: particleCount }, (_, i) => i).filter((i) => positions[i * 3 + 1]! > 0.1)
  const body = world.addBody(finerCube, { ...presets.firm, position: plus(at, 0, 1, 0), canSleep })
  body.pin(top)
  const places = top.map((i) => plus(at, positions[i * 3]!, 0, positions[i * 3 + 2]!))
  return (k) => {
    for (let n = 0; n < top.length; n++) {
      places[n]![1] = at[1] + 1.2 + 0.1 * swing[k]!
      body.movePin(top[n]!, places[n]!)
    }
  }
}

/** Bodies that sleep on each other, with others about. */
function sleepers(world: World, at: Vec3): Drive {
  const bodies = [0.2, 0.6, 1].map((y) => world.addBody(cube, { ...presets.rubber, position: plus(at, 0, y, 0) }))
  for (const body of bodies) body.sleep()
  return () => {}
}

/** Bodies held in one place, too many for contact, and two that are drawn into each other and out again. */
function crowds(world: World, at: Vec3, swing: Float64Array): Drive {
  const hold = (x: number) => {
    const body = world.addBody(cube, { ...presets.rubber, position: plus(at, x, 1, 0), canSleep })
    return body.attach(body.region(plus(at, x, 1, 0), 0.4))
  }
  for (let k = 0; k < 6; k++) hold(0.01 * k).setTarget(at[0], at[1] + 1, at[2])
  const [left, right] = [hold(2), hold(2.1)]
  return (k) => {
    // Often, and fast enough to be stopped.
    const x = 0.2 * swing[(8 * k) % swing.length]!
    left.setTarget(at[0] + 2 - x, at[1] + 1, at[2])
    right.setTarget(at[0] + 2 + x, at[1] + 1, at[2])
  }
}

/** Every feature by its name. */
export const features: Readonly<Record<string, Feature>> = {
  pile,
  fabric,
  belts,
  weather,
  rags,
  joints,
  ropes,
  ragdolls,
  clay,
  strikes,
  forces,
  pins,
  sleepers,
  crowds,
}
