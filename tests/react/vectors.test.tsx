// Calls on refs take vectors as any array, or as three has them.
import { createRef } from 'react'
import { BoxGeometry, Quaternion, Vector3 } from 'three'
import { describe, expect, it } from 'vitest'
import {
  Particles,
  type ParticlesRef,
  type QuatLike,
  SettingError,
  SoftBody,
  type SoftBodyRef,
  type SoftBodyWorldHandle,
  useSoftBodyWorld,
  type Vec3Like,
} from '../../src/index.js'
import { mount } from './mount.js'

const cube = new BoxGeometry(1, 1, 1)
const tuple = (x: number, y: number, z: number): Vec3Like => [x, y, z]
const forms: [string, (x: number, y: number, z: number) => Vec3Like][] = [
  ['a Vector3', (x, y, z) => new Vector3(x, y, z)],
  ['an object', (x, y, z) => ({ x, y, z })],
  ['a Float32Array', (x, y, z) => Float32Array.of(x, y, z)],
]

/** Where two seconds of pushes leave the particles of a body, and free ones, and what was found. */
async function pushed(v: (x: number, y: number, z: number) => Vec3Like, turn: QuatLike) {
  const body = createRef<SoftBodyRef>()
  const free = createRef<ParticlesRef>()
  let world!: SoftBodyWorldHandle
  function Reader() {
    world = useSoftBodyWorld()
    return null
  }
  const scene = await mount(
    <>
      <Reader />
      <SoftBody ref={body} geometry={cube} resolution={3} />
      <Particles ref={free} positions={[[3, 0, 0]]} radius={0.1}>
        <sphereGeometry />
      </Particles>
    </>,
    { gravity: [0, 0, 0] },
  )
  const ref = body.current!
  ref.teleport(v(0.5, 1, 0.25), turn)
  ref.setVelocity(v(0.5, 0, -0.25), v(0, 1, 0))
  ref.applyImpulse(v(10, 20, 5), v(0.5, 1.5, 0.5), { radius: 0.5 })
  ref.applyImpulse(v(0, 4, 0), ref.region(v(0.5, 1.5, 0.5), 0.5)!)
  ref.applyRadialImpulse(v(0, 0.5, 0), 8, 2)
  world.applyRadialImpulse(v(1, 0.5, 0), 4, 3)
  free.current!.applyImpulse(v(0.25, 0, 0.5))
  for (let step = 0; step < 5; step++) {
    ref.addForce(v(50, 0, 25), v(0.5, 1, 0.5))
    await scene.frames(1)
  }
  const hit = world.raycast(v(0.5, 9, 0.25), v(0, -1, 0))
  const found = world.overlapSphere(v(0.5, 1, 0.25), 0.5).bodies[0]!.particles
  const result = {
    x: [...ref.readPositions(new Float64Array(3 * ref.particleCount))],
    free: [...free.current!.readPositions(new Float64Array(3))],
    hit: [...hit!.point],
    found: [...found],
  }
  await scene.unmount()
  return result
}

describe('vectors that are handed to refs', () => {
  const turn = new Quaternion(0.5, 0.5, 0.5, 0.5)
  for (const [name, form] of forms) {
    it(`do the same as tuples: ${name}`, async () => {
      expect(await pushed(form, turn)).toEqual(await pushed(tuple, turn.toArray()))
    })
  }

  it('are refused where they are not finite, and say so', async () => {
    const body = createRef<SoftBodyRef>()
    const scene = await mount(<SoftBody ref={body} geometry={cube} resolution={2} />)
    expect(() => body.current!.applyImpulse(new Vector3(Number.NaN, 0, 0))).toThrow(SettingError)
    expect(() => body.current!.addForce(Float32Array.of(1, 2))).toThrow(/three finite numbers/)
    for (const nothing of [undefined, null, 5, 'up'] as never[]) {
      expect(() => body.current!.applyImpulse(nothing)).toThrow(SettingError)
      expect(() => body.current!.setVelocity(nothing)).toThrow(SettingError)
      expect(() => body.current!.teleport(nothing)).toThrow(SettingError)
      expect(() => scene.world.raycast([0, 0, 0], nothing)).toThrow(SettingError)
    }
    expect(() => body.current!.applyImpulse([0, 0, 0], 5 as never)).toThrow(SettingError)
    await scene.unmount()
  })
})
