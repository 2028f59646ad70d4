import { createRef } from 'react'
import { Quaternion, Vector3 } from 'three'
import { expect, it } from 'vitest'
import { Attach, Ground, Ragdoll, type RagdollRef, SettingError } from '../../src/index.js'
import { collectWarnings, firstMeshOf, mount } from './mount.js'

it('stands where it is put, is drawn whole, and falls', async () => {
  const doll = createRef<RagdollRef>()
  const scene = await mount(
    <>
      <Ragdoll ref={doll} position={[1, 0.02, -2]} rotation={[0, 1, 0]} />
      <Ground />
    </>,
  )
  expect(scene.world.world.bodies).toHaveLength(1)
  const mesh = firstMeshOf(scene)
  const { position, normal, uv } = mesh.geometry.attributes
  expect(uv!.count).toBe(position!.count)
  const heights = Array.from(
    { length: position!.count },
    (_, k) => mesh.localToWorld(new Vector3().fromBufferAttribute(position!, k)).y,
  )
  expect(Math.max(...heights)).toBeGreaterThan(1.7)
  expect(Math.min(...heights)).toBeGreaterThan(0)
  for (let k = 0; k < normal!.count; k++)
    expect(new Vector3().fromBufferAttribute(normal!, k).length()).toBeCloseTo(1, 5)
  expect(doll.current!.centerOfMass([0, 0, 0])[0]).toBeCloseTo(1, 2)
  await scene.frames(200)
  expect(doll.current!.centerOfMass([0, 0, 0])[1]).toBeLessThan(0.5)
  await scene.unmount()
})

it.each([1e-6, 400])(
  'may be %d m tall, at mount and later, of its own mass and of that height by its scale',
  async (height) => {
    const doll = createRef<RagdollRef>()
    const scale = height < 1 ? 0.5 : 2
    const mass = 70 * (height / 1.75) ** 3
    const warnings = collectWarnings()
    const scene = await mount(<Ragdoll ref={doll} height={height} />)
    expect(doll.current!.body!.mass / mass).toBeCloseTo(1, 9)
    await scene.update(<Ragdoll ref={doll} />)
    expect(doll.current!.body!.mass).toBeCloseTo(70, 9)
    await scene.update(<Ragdoll ref={doll} height={height} />)
    expect(doll.current!.body!.mass / mass).toBeCloseTo(1, 9)
    await scene.update(<Ragdoll ref={doll} height={height / scale} scale={scale} />)
    expect(doll.current!.body!.mass / mass).toBeCloseTo(1, 9)
    await scene.frames(10)
    expect(doll.current!.centerOfMass([0, 0, 0]).every(Number.isFinite)).toBe(true)
    expect(warnings.messages).toEqual([])
    warnings.stop()
    await scene.unmount()
  },
)

it.each([9e-7, 401])('says so of a height that no mass goes with: %d', async (height) => {
  const reason = `<Ragdoll> height={${height}}: must be between 0.000001 and 400. Use 1.75 for a grown-up, 0.4 for a doll.`
  await expect(mount(<Ragdoll height={height} />)).rejects.toThrow(reason)
  const warnings = collectWarnings()
  const scene = await mount(<Ragdoll />)
  await scene.update(<Ragdoll height={height} />)
  expect(warnings.messages).toEqual([`${reason} The last valid value stays.`])
  warnings.stop()
  await scene.unmount()
})

it('draws each limb rigid, however it is bent', async () => {
  const doll = createRef<RagdollRef>()
  const scene = await mount(<Ragdoll ref={doll} radialSegments={8} pins="lowerArmLeft" />)
  const { position } = firstMeshOf(scene).geometry.attributes
  const per = position!.count / 11
  const distances = () =>
    Array.from({ length: 11 }, (_, limb) => {
      const point = (k: number) => new Vector3().fromBufferAttribute(position!, limb * per + k)
      return [1, 20, 40, per - 1].map((k) => point(0).distanceTo(point(k)))
    }).flat()
  const before = distances()
  await scene.frames(120)
  for (const [k, length] of distances().entries()) expect(Math.abs(length - before[k]!)).toBeLessThan(0.002)
  await scene.unmount()
})

it('is pinned and attached by the names of its limbs', async () => {
  const doll = createRef<RagdollRef>()
  const held = () => {
    const { body, particleCount } = doll.current!
    return Array.from({ length: particleCount }, (_, k) => k).filter((k) => body!.isPinned(k)).length
  }
  const scene = await mount(<Ragdoll ref={doll} pins="head" />)
  const one = held()
  expect(one).toBeGreaterThan(10)
  await scene.frames(120)
  // It hangs by its head.
  expect(doll.current!.centerOfMass([0, 0, 0])[1]).toBeGreaterThan(0.8)
  await scene.update(<Ragdoll ref={doll} pins={['head', 'lowerLegLeft']} />)
  expect(held()).toBe(2 * one)
  doll.current!.pin('chest')
  expect(held()).toBe(3 * one)
  await scene.update(<Ragdoll ref={doll} />)
  expect(held()).toBe(one)
  doll.current!.unpin()
  expect(held()).toBe(0)
  await scene.unmount()
  const hung = await mount(
    <Ragdoll ref={doll} damping={2}>
      <Attach at="lowerArmRight" />
    </Ragdoll>,
  )
  const before = doll.current!.centerOfMass([0, 0, 0])[1]
  await hung.frames(300)
  // It sinks until its arm is stretched, and no further.
  expect(doll.current!.centerOfMass([0, 0, 0])[1]).toBeLessThan(before - 0.04)
  expect(doll.current!.centerOfMass([0, 0, 0])[1]).toBeGreaterThan(before - 1.2)
  await hung.unmount()
  const error = await mount(<Ragdoll pins="start" />).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(SettingError)
})

it('is made anew at another height, where it is and as it moves', async () => {
  const doll = createRef<RagdollRef>()
  const element = (props: object) => <Ragdoll ref={doll} damping={0} {...props} />
  const scene = await mount(element({}), { gravity: [0, 0, 0] })
  expect(doll.current!.body!.mass).toBeCloseTo(70, 6)
  doll.current!.setVelocity([1, 0, 0])
  await scene.frames(30)
  await scene.update(element({ height: 0.875 }))
  expect(doll.current!.body!.mass).toBeCloseTo(70 / 8, 6)
  expect(doll.current!.velocity([0, 0, 0])[0]).toBeCloseTo(1, 6)
  await scene.update(element({ height: 0.875, scale: 2 }))
  expect(doll.current!.body!.mass).toBeCloseTo(70, 4)
  await scene.unmount()
  await expect(mount(<Ragdoll scale={[1, 2, 1]} />)).rejects.toMatchObject({ component: 'Ragdoll', prop: 'scale' })
})

it('turns as it is told to at the start', async () => {
  const doll = createRef<RagdollRef>()
  const quaternion = new Quaternion().setFromAxisAngle(new Vector3(0, 0, 1), Math.PI / 2)
  const scene = await mount(<Ragdoll ref={doll} quaternion={quaternion} position={[0, 1, 0]} />)
  const bounds = doll.current!.bounds(new Float64Array(6))
  expect(bounds[3]! - bounds[0]!).toBeGreaterThan(1.6)
  await scene.unmount()
})
