// What acts on bodies beside their own elements: attractors, rooms, springs, welds; and free particles.
import { createRef } from 'react'
import { BoxGeometry, type Group, type InstancedMesh, type Line, Matrix4, type Scene, Vector3 } from 'three'
import { describe, expect, it, vi } from 'vitest'
import {
  Attractor,
  Bounds,
  Collider,
  Particles,
  type ParticlesRef,
  SettingError,
  SoftBody,
  type SoftBodyRef,
  Spring,
  type SpringRef,
  type Vec3,
  Weld,
  type WeldRef,
} from '../../src/index.js'
import { firstMeshOf, mount } from './mount.js'

const weightless = { gravity: [0, 0, 0] } as const
const cube = new BoxGeometry(1, 1, 1)

describe('Attractor', () => {
  it('pulls towards its group, follows it, and is gone with it', async () => {
    const body = createRef<SoftBodyRef>()
    const group = createRef<Group>()
    const ball = <SoftBody ref={body} geometry={cube} resolution={2} position={[3, 0, 0]} />
    const scene = await mount(
      <>
        {ball}
        <group position={[1, 0, 0]}>
          <Attractor ref={group} position={[0, 2, 0]} strength={5} name="sun" />
        </group>
      </>,
      weightless,
    )
    expect(group.current!.name).toBe('sun')
    await scene.frames(2)
    const v = body.current!.velocity([0, 0, 0])
    // From [3, 0, 0] towards [1, 2, 0].
    expect(v[0]).toBeLessThan(0)
    expect(v[1] / -v[0]).toBeCloseTo(1, 1)
    group.current!.position.set(2, -8, 0)
    body.current!.setVelocity([0, 0, 0])
    await scene.frames(3)
    expect(body.current!.velocity([0, 0, 0])[1]).toBeLessThan(0)
    await scene.update(ball)
    body.current!.setVelocity([0, 0, 0])
    await scene.frames(3)
    for (const part of body.current!.velocity([0, 0, 0])) expect(part).toBeCloseTo(0, 12)
    await scene.unmount()
  })

  it('takes props live, falls back when they are taken away, and needs a place that is finite', async () => {
    const body = createRef<SoftBodyRef>()
    const with_ = (props: object) => (
      <>
        <SoftBody ref={body} geometry={cube} resolution={2} position={[3, 0, 0]} />
        <Attractor {...props} />
      </>
    )
    const scene = await mount(with_({ strength: -4 }), weightless)
    await scene.frames(2)
    expect(body.current!.velocity([0, 0, 0])[0]).toBeGreaterThan(0)
    await scene.update(with_({}))
    body.current!.setVelocity([0, 0, 0])
    scene.world.step()
    expect(body.current!.velocity([0, 0, 0])[0]).toBeCloseTo(-9.81 / 60, 2)
    await scene.unmount()
    await expect(mount(with_({ position: [Number.NaN, 0, 0] }))).rejects.toBeInstanceOf(SettingError)
  })
})

describe('Bounds', () => {
  it('keeps a body in its room, and takes the scale of its group', async () => {
    const body = createRef<SoftBodyRef>()
    const scene = await mount(
      <>
        <Bounds args={[4, 4, 4]} scale={0.5} restitution={0.5} />
        <SoftBody ref={body} geometry={cube} resolution={2} scale={0.5} />
      </>,
    )
    body.current!.setVelocity([8, 3, -9])
    await scene.frames(120)
    const box = body.current!.bounds(new Float64Array(6))
    for (let d = 0; d < 6; d++) expect(Math.abs(box[d]!)).toBeLessThan(1.02)
    expect(scene.world.world.colliders.length).toBe(1)
    await scene.unmount()
  })
})

describe('Particles', () => {
  const places = [
    [0, 1, 0],
    [1, 2, 0],
    [0, 3, 1],
  ] as const

  it('are one mesh of as many instances, which are drawn where they are', async () => {
    const ref = createRef<ParticlesRef>()
    const scene = await mount(
      <>
        <Collider.Plane />
        <Particles ref={ref} positions={places} position={[0, 1, 0]} scale={2} radius={0.1}>
          <boxGeometry args={[0.2, 0.2, 0.2]} />
          <meshBasicMaterial />
        </Particles>
      </>,
    )
    const { mesh } = ref.current!
    expect(mesh).toBe(firstMeshOf(scene))
    expect(mesh!.count).toBe(3)
    expect(mesh!.geometry.type).toBe('BoxGeometry')
    expect(ref.current!.getPosition(1, [0, 0, 0])).toEqual([2, 5, 0])
    await scene.frames(30)
    scene.world.step()
    const x = ref.current!.readPositions(new Float64Array(9))
    for (let k = 0; k < 3; k++) {
      const at = new Vector3().setFromMatrixPosition(instanceOf(mesh!, k))
      at.applyMatrix4(mesh!.matrixWorld)
      at.toArray().forEach((value, d) => expect(value).toBeCloseTo(x[k * 3 + d]!, 5))
      expect(mesh!.boundingSphere!.containsPoint(new Vector3().setFromMatrixPosition(instanceOf(mesh!, k)))).toBe(true)
    }
    await scene.frames(200)
    for (let k = 0; k < 3; k++) expect(ref.current!.getPosition(k, [0, 0, 0])[1]).toBeCloseTo(0.1, 2)
    await scene.unmount()
    expect(ref.current).toBeNull()
  })

  it('go on when they are rendered again, teleport with their position, and are made anew with other places', async () => {
    const ref = createRef<ParticlesRef>()
    const some = (props: object) => <Particles ref={ref} positions={structuredClone(places)} {...props} />
    const scene = await mount(some({}), weightless)
    const { body } = ref.current!
    ref.current!.applyImpulse([1, 0, 0], 2)
    await scene.frames(2)
    expect(ref.current!.getPosition(2, [0, 0, 0])[0]).toBeGreaterThan(0)
    expect(ref.current!.getPosition(1, [0, 0, 0])[0]).toBe(1)
    await scene.update(some({ friction: 0.9 }))
    expect(ref.current!.body).toBe(body)
    expect(body!.settings.friction).toBe(0.9)
    await scene.update(some({ position: [0, 5, 0] }))
    expect(ref.current!.body).toBe(body)
    expect(ref.current!.getPosition(2, [0, 0, 0])).toEqual([0, 8, 1])
    await scene.update(some({ positions: [0, 0, 0] }))
    await scene.frames(1)
    expect(ref.current!.count).toBe(1)
    expect(ref.current!.mesh!.count).toBe(1)
    expect(scene.world.world.bodies.length).toBe(1)
    await scene.unmount()
  })

  it('may be none at all: the first come later, and the last may go', async () => {
    const some = (count: number, props = {}) => (
      <Particles ref={ref} positions={Array.from({ length: count }, (_, k): Vec3 => [k, 1, 0])} {...props} />
    )
    const ref = createRef<ParticlesRef>()
    const scene = await mount(some(0))
    await scene.frames(2)
    expect(scene.world.world.bodies.length).toBe(0)
    await scene.update(some(0, { friction: 0.1, mass: 2, position: [0, 1, 0] }))
    for (const count of [3, 1, 0, 2]) {
      await scene.update(some(count))
      await scene.frames(5)
      expect(scene.world.world.bodies.map(({ particleCount }) => particleCount)).toEqual(count > 0 ? [count] : [])
    }
    expect(ref.current!.getPosition(0, [0, 0, 0])[1]).toBeLessThan(1)
    await scene.unmount()
  })

  it('touch soft bodies, with events on both sides', async () => {
    const enter = vi.fn()
    const touched = vi.fn()
    const ref = createRef<ParticlesRef>()
    const scene = await mount(
      <>
        <SoftBody geometry={cube} resolution={3} onContactEnter={touched} />
        <Particles ref={ref} positions={[[0, 1, 0]]} mass={50} onContactEnter={enter} />
      </>,
      weightless,
    )
    ref.current!.applyImpulse([0, -150, 0])
    await scene.frames(40)
    expect(enter).toHaveBeenCalled()
    expect(touched).toHaveBeenCalled()
    expect(ref.current!.getPosition(0, [0, 0, 0])[1]).toBeGreaterThan(0.4)
    await scene.unmount()
  })
})

describe('Spring', () => {
  it('holds two bodies at its length, draws itself between them, and lets go when it is gone', async () => {
    const [a, b] = [createRef<SoftBodyRef>(), createRef<SoftBodyRef>()]
    const spring = createRef<SpringRef>()
    const bodies = (
      <>
        <SoftBody ref={a} geometry={cube} resolution={2} />
        <SoftBody ref={b} geometry={cube} resolution={2} position={[4, 0, 0]} />
      </>
    )
    const scene = await mount(
      <>
        {bodies}
        <Spring
          ref={spring}
          a={a}
          b={b}
          stiffness={4e4}
          damping={4e3}
          restLength={3}
          line
          coils={4}
          position={[0, 9, 0]}
        >
          <lineBasicMaterial color="red" />
        </Spring>
      </>,
      weightless,
    )
    expect(spring.current!.length()).toBeCloseTo(4, 6)
    await scene.frames(300)
    expect(spring.current!.length()).toBeCloseTo(3, 2)
    const line = lineOf(scene.state.scene)
    expect(line.visible).toBe(true)
    const ends = new Vector3().fromBufferAttribute(line.geometry.getAttribute('position'), 0)
    line.localToWorld(ends)
    a.current!.centerOfMass([0, 0, 0]).forEach((x, d) => expect(ends.getComponent(d)).toBeCloseTo(x, 2))
    await scene.update(bodies)
    expect(spring.current).toBeNull()
    b.current!.setVelocity([1, 0, 0])
    await scene.frames(30)
    expect(b.current!.velocity([0, 0, 0])[0]).toBeCloseTo(1, 6)
    await scene.unmount()
  })

  it('hangs on its own group inside a body, is led by it, changes live and breaks', async () => {
    const body = createRef<SoftBodyRef>()
    const spring = createRef<SpringRef>()
    const group = createRef<Group>()
    const broke = vi.fn()
    const with_ = (props: object) => (
      <SoftBody ref={body} geometry={cube} resolution={2} mass={10}>
        <group ref={group}>
          <Spring ref={spring} position={[0, 2, 0]} stiffness={1000} damping={200} onBreak={broke} line {...props} />
        </group>
      </SoftBody>
    )
    const scene = await mount(with_({ restLength: 2 }))
    await scene.frames(240)
    // The material gives way as well.
    expect(spring.current!.length()).toBeGreaterThan(2.09)
    expect(spring.current!.length()).toBeLessThan(2.11)
    group.current!.position.x = 1
    await scene.frames(300)
    expect(body.current!.centerOfMass([0, 0, 0])[0]).toBeGreaterThan(0.5)
    await scene.update(with_({ restLength: 2, breakForce: 20 }))
    await scene.frames(30)
    expect(broke).toHaveBeenCalledTimes(1)
    expect(spring.current!.broken).toBe(true)
    expect(lineOf(scene.state.scene).visible).toBe(false)
    await scene.unmount()
  })

  it('needs a body', async () => {
    await expect(mount(<Spring />)).rejects.toThrow(/<Spring> needs a body/)
  })
})

describe('Weld', () => {
  const module_ = (x: number, ref?: React.Ref<SoftBodyRef>) => (
    <SoftBody key={x} ref={ref} geometry={cube} resolution={3} position={[x, 0, 0]} />
  )

  it('joins what touches, and nothing else; what comes later too', async () => {
    const weld = createRef<WeldRef>()
    const [first, last] = [createRef<SoftBodyRef>(), createRef<SoftBodyRef>()]
    const scene = await mount(
      <Weld ref={weld}>
        {module_(0, first)}
        {module_(1)}
        {module_(3)}
      </Weld>,
      weightless,
    )
    await scene.frames(1)
    expect(weld.current!.joints.length).toBe(1)
    await scene.update(
      <Weld ref={weld}>
        {module_(0, first)}
        {module_(1)}
        {module_(3)}
        {module_(2, last)}
      </Weld>,
    )
    await scene.frames(1)
    expect(weld.current!.joints.length).toBe(3)
    first.current!.applyImpulse([0, 500, 0])
    await scene.frames(60)
    // It pulls the whole row along.
    expect(last.current!.velocity([0, 0, 0])[1]).not.toBe(0)
    const [a, b] = [first.current!.centerOfMass([0, 0, 0]), last.current!.centerOfMass([0, 0, 0])]
    expect(Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])).toBeGreaterThan(1.7)
    await scene.unmount()
  })

  it('breaks, tells so, and lets go when it is unmounted', async () => {
    const weld = createRef<WeldRef>()
    const first = createRef<SoftBodyRef>()
    const broke = vi.fn()
    const rows = (
      <>
        {module_(0, first)}
        {module_(1)}
      </>
    )
    const scene = await mount(
      <Weld ref={weld} breakForce={100} onBreak={broke}>
        {rows}
      </Weld>,
      weightless,
    )
    await scene.frames(1)
    first.current!.applyImpulse([-5000, 0, 0])
    await scene.frames(20)
    expect(broke).toHaveBeenCalledTimes(1)
    expect(weld.current!.joints[0]!.broken).toBe(true)
    await scene.update(rows)
    await scene.frames(1)
    expect(weld.current).toBeNull()
    await scene.unmount()
  })
})

function instanceOf(mesh: InstancedMesh, k: number): Matrix4 {
  const matrix = new Matrix4()
  mesh.getMatrixAt(k, matrix)
  return matrix
}

function lineOf(scene: Scene): Line {
  let found: Line | undefined
  scene.traverse((object) => {
    if ('isLine' in object) found = object as Line
  })
  return found!
}
