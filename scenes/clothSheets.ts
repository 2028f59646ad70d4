import { clothModel, plane, sphere, type World } from '../src/headless.js'

const onItsBack = [Math.sqrt(0.5), 0, 0, Math.sqrt(0.5)] as const

/** A square cloth hangs from its two upper corners. */
export function hangingCloth(world: World): void {
  const { model } = clothModel({ width: 2, height: 2, segmentsX: 20, segmentsY: 20 })
  const cloth = world.addBody(model, {
    name: 'curtain',
    position: [0, 2, 0],
    rotation: [0.1, 0, 0, Math.sqrt(0.99)],
    damping: 0.5,
  })
  cloth.pin([0, 20])
}

/** A level cloth falls over a ball and reaches the ground. */
export function drapedCloth(world: World): void {
  const { model } = clothModel({ width: 2, height: 2, segmentsX: 20, segmentsY: 20 })
  world.addCollider(plane(), { name: 'ground' })
  world.addCollider(sphere(0.5), { name: 'ball', position: [0, 0.5, 0], friction: 0.4 })
  world.addBody(model, { name: 'sheet', position: [0.1, 1.2, 0.05], rotation: onItsBack, friction: 0.3 })
}
