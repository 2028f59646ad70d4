// Colliders whose shape is read from the scene: meshes, hulls, landscapes, and colliders that are one.
import { createRef, type ReactNode } from 'react'
import {
  BoxGeometry,
  BufferGeometry,
  Float32BufferAttribute,
  type Group,
  InstancedMesh,
  MeshBasicMaterial,
  PlaneGeometry,
  SphereGeometry,
} from 'three'
import { describe, expect, it } from 'vitest'
import type { ColliderShape } from '../../src/headless.js'
import { Collider, Ground, SettingError, SoftBody, type SoftBodyRef } from '../../src/index.js'
import { collectWarnings, type Mounted, mount } from './mount.js'

const weightless = { gravity: [0, 0, 0] } as const

/** The shape and the pose of the only collider of a scene. */
function colliderOf({ world }: Mounted): { shape: ColliderShape; target: Float64Array } {
  expect(world.world.colliders.length).toBe(1)
  return (world.world.colliders[0] as unknown as { record: { shape: ColliderShape; target: Float64Array } }).record
}

/** Signed distance of a place in the collider's own frame. */
function distance({ shape }: { shape: ColliderShape }, x: number, y: number, z: number): number {
  const q = Float64Array.of(x, y, z, 0, 0, 0, 0)
  shape.distance(q)
  return q[3]!
}

async function refusal(content: ReactNode): Promise<SettingError> {
  const error = await mount(content).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(SettingError)
  return error as SettingError
}

describe('Collider.Mesh', () => {
  it('is made of the meshes below it, where they are, hidden ones too', async () => {
    const scene = await mount(
      <Collider.Mesh position={[5, 0, 0]}>
        <group position={[0, 1, 0]} rotation-z={Math.PI / 2}>
          <mesh geometry={new BoxGeometry(2, 1, 1)} visible={false} />
        </group>
        <mesh position={[0, -3, 0]} geometry={new SphereGeometry(1, 32, 16)} />
      </Collider.Mesh>,
    )
    const collider = colliderOf(scene)
    expect(collider.target[0]).toBe(5)
    // Turned, the box is 1 wide and 2 high about y = 1.
    expect(distance(collider, 1, 1, 0)).toBeCloseTo(0.5, 6)
    expect(distance(collider, 0, 2.5, 0)).toBeCloseTo(0.5, 6)
    expect(distance(collider, 0, -4.5, 0)).toBeCloseTo(0.5, 6)
    await scene.unmount()
  })

  it('shares what it is built of with all colliders of its geometry, at any size', async () => {
    const geometry = new SphereGeometry(1, 24, 16)
    const scene = await mount(
      <>
        <Collider.Mesh geometry={geometry} />
        <Collider.Mesh>
          <mesh geometry={geometry} />
        </Collider.Mesh>
        <Collider.Mesh geometry={geometry} scale={2} />
      </>,
    )
    const shapes = scene.world.world.colliders.map(
      (collider) => (collider as unknown as { record: { shape: ColliderShape } }).record.shape,
    )
    expect(shapes[1]).toBe(shapes[0])
    expect(distance({ shape: shapes[2]! }, 0, 3, 0)).toBeCloseTo(1, 2)
    await scene.unmount()
  })

  it('takes an even scale live, and no other, nor a mirror', async () => {
    const group = createRef<Group>()
    const scene = await mount(<Collider.Mesh ref={group} geometry={new BoxGeometry()} />)
    group.current!.scale.setScalar(3)
    await scene.frames(2)
    expect(distance(colliderOf(scene), 2, 0, 0)).toBeCloseTo(0.5, 9)
    const warnings = collectWarnings()
    group.current!.scale.set(3, 2, 3)
    await scene.frames(3)
    expect(warnings.messages).toEqual([expect.stringMatching(/<Collider.Mesh> scale=.*same along all axes/)])
    group.current!.scale.set(-3, 3, 3)
    await scene.frames(3)
    expect(warnings.messages[1]).toMatch(/must not mirror it/)
    expect(distance(colliderOf(scene), 2, 0, 0)).toBeCloseTo(0.5, 9)
    warnings.stop()
    await scene.unmount()
    expect(await refusal(<Collider.Mesh scale={[1, 2, 1]} geometry={new BoxGeometry()} />)).toMatchObject({
      component: 'Collider.Mesh',
      prop: 'scale',
    })
  })

  it('takes another geometry live, also one that was written into', async () => {
    const geometry = new BoxGeometry()
    const collider = (given: BufferGeometry) => <Collider.Mesh geometry={given} />
    const scene = await mount(collider(geometry))
    expect(distance(colliderOf(scene), 2, 0, 0)).toBeCloseTo(1.5, 9)
    await scene.update(collider(new BoxGeometry(2, 2, 2)))
    expect(distance(colliderOf(scene), 2, 0, 0)).toBeCloseTo(1, 9)
    geometry.scale(3, 3, 3)
    await scene.update(collider(geometry))
    expect(distance(colliderOf(scene), 2, 0, 0)).toBeCloseTo(0.5, 9)
    // What cannot be a collider warns, and the last one stays.
    const warnings = collectWarnings()
    await scene.update(
      collider(new BufferGeometry().setAttribute('position', new Float32BufferAttribute([0, 0, 0], 3))),
    )
    expect(warnings.messages).toEqual([expect.stringMatching(/<Collider.Mesh> geometry=/)])
    expect(distance(colliderOf(scene), 2, 0, 0)).toBeCloseTo(0.5, 9)
    warnings.stop()
    await scene.unmount()
  })

  it('says what is wrong with what is below it', async () => {
    expect(await refusal(<Collider.Mesh />)).toMatchObject({ component: 'Collider.Mesh', prop: 'children' })
    expect(await refusal(<Collider.Mesh geometry={new BufferGeometry()} />)).toMatchObject({ prop: 'geometry' })
    expect((await refusal(<Collider.Mesh solid geometry={new PlaneGeometry()} />)).message).toMatch(/the mesh is open/)
    const many = new InstancedMesh(new BoxGeometry(), new MeshBasicMaterial(), 3)
    const instances = <Collider.Mesh>{<primitive object={many} />}</Collider.Mesh>
    expect((await refusal(instances)).message).toMatch(/instances cannot be simulated/)
  })

  it('stops a body, and lets it fall when it is gone', async () => {
    const ref = createRef<SoftBodyRef>()
    const geometry = new BoxGeometry(0.5, 0.5, 0.5)
    const content = (floor: boolean) => (
      <>
        {floor && (
          <Collider.Mesh rotation-x={-Math.PI / 2}>
            <mesh geometry={plane} />
          </Collider.Mesh>
        )}
        <SoftBody ref={ref} geometry={geometry} resolution={3} preset="firm" position={[0, 0.3, 0]} />
      </>
    )
    const plane = new PlaneGeometry(4, 4)
    const scene = await mount(content(true))
    await scene.frames(60)
    expect(ref.current!.centerOfMass([0, 0, 0])[1]).toBeGreaterThan(0.23)
    await scene.update(content(false))
    expect(scene.world.world.colliders.length).toBe(0)
    await scene.frames(30)
    expect(ref.current!.centerOfMass([0, 0, 0])[1]).toBeLessThan(-0.5)
    await scene.unmount()
  })
})

describe('Collider.Hull', () => {
  it('is made of points, of a geometry or of the meshes below it', async () => {
    const box = new BoxGeometry(2, 2, 2)
    const corners = [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].map((z) => [x, y, z] as const)))
    const kinds = [
      <Collider.Hull key="points" points={corners} />,
      <Collider.Hull key="geometry" geometry={box} />,
      <Collider.Hull key="mesh">
        <mesh geometry={box} />
      </Collider.Hull>,
      // Two plates: the hull is what is between them, too.
      <Collider.Hull key="plates">
        <mesh geometry={new BoxGeometry(2, 0.1, 2)} position={[0, 0.95, 0]} />
        <mesh geometry={new BoxGeometry(2, 0.1, 2)} position={[0, -0.95, 0]} />
      </Collider.Hull>,
    ]
    for (const kind of kinds) {
      const scene = await mount(kind)
      expect(distance(colliderOf(scene), 1.5, 0, 0)).toBeCloseTo(0.5, 6)
      expect(distance(colliderOf(scene), 0, 0, 0)).toBeCloseTo(-1, 6)
      await scene.unmount()
    }
    const flat = [0, 1, 2, 3].map((k) => [k, k * k, 0] as const)
    expect((await refusal(<Collider.Hull points={flat} />)).message).toMatch(/in one plane/)
    expect((await refusal(<Collider.Hull geometry={new PlaneGeometry()} />)).message).toMatch(/in one plane/)
  })
})

describe('Collider.Heightfield', () => {
  it('takes heights live; equal ones in a new array change nothing', async () => {
    const field = (height: number) => (
      <Collider.Heightfield
        args={[2, 2]}
        heights={[
          [height, height],
          [height, height],
        ]}
      />
    )
    const scene = await mount(field(1))
    const { shape } = colliderOf(scene)
    expect(distance({ shape }, 0, 2, 0)).toBeCloseTo(1, 9)
    await scene.update(field(1))
    expect(colliderOf(scene).shape).toBe(shape)
    await scene.update(field(1.5))
    expect(distance(colliderOf(scene), 0, 2, 0)).toBeCloseTo(0.5, 9)
    await scene.unmount()
  })
})

describe('Collider.Compound', () => {
  const dumbbell = (distance: number, props: object = {}) => (
    <Collider.Compound position={[0, 1, 0]} {...props}>
      <Collider.Sphere args={[0.5]} position={[-distance, 0, 0]} />
      <group position={[distance, 0, 0]} rotation-z={Math.PI / 4}>
        <Collider.Box />
      </group>
    </Collider.Compound>
  )

  it('makes one collider of those below it, where they are', async () => {
    const scene = await mount(dumbbell(2))
    const collider = colliderOf(scene)
    expect(collider.target[1]).toBe(1)
    expect(distance(collider, -3, 0, 0)).toBeCloseTo(0.5, 9)
    expect(distance(collider, 2, 1, 0)).toBeCloseTo(1 - Math.SQRT1_2, 9)
    await scene.update(dumbbell(3))
    await scene.frames(1)
    expect(distance(colliderOf(scene), -4, 0, 0)).toBeCloseTo(0.5, 9)
    await scene.unmount()
    expect(scene.world.world.colliders.length).toBe(0)
  })

  it('follows parts that come, go, change and move within it', async () => {
    const part = createRef<Group>()
    const compound = (radius: number, extra: boolean) => (
      <Collider.Compound>
        <Collider.Sphere ref={part} args={[radius]} />
        {extra && (
          <Collider.Compound position={[0, 5, 0]}>
            <Collider.Box position={[0, 1, 0]} />
          </Collider.Compound>
        )}
      </Collider.Compound>
    )
    const scene = await mount(compound(1, false))
    await scene.update(compound(2, false))
    await scene.frames(1)
    expect(distance(colliderOf(scene), 3, 0, 0)).toBeCloseTo(1, 9)
    await scene.update(compound(2, true))
    await scene.frames(1)
    expect(distance(colliderOf(scene), 0, 8, 0)).toBeCloseTo(1.5, 9)
    part.current!.position.x = 1
    await scene.frames(1)
    expect(distance(colliderOf(scene), 4, 0, 0)).toBeCloseTo(1, 9)
    await scene.update(compound(2, false))
    await scene.frames(1)
    expect(distance(colliderOf(scene), 1, 8, 0)).toBeCloseTo(6, 9)
    await scene.unmount()
  })

  it('has the surface; its parts have none', async () => {
    const scene = await mount(dumbbell(2, { friction: 0.7, surfaceVelocity: [1, 0, 0] }))
    const { record } = scene.world.world.colliders[0] as unknown as { record: Record<string, unknown> }
    expect(record).toMatchObject({ friction: 0.7, surfaceVelocity: [1, 0, 0] })
    await scene.unmount()
    const error = await refusal(
      <Collider.Compound>
        <Collider.Box friction={0.5} />
      </Collider.Compound>,
    )
    expect(error).toMatchObject({ component: 'Collider.Box', prop: 'friction', value: 0.5 })
    expect(await refusal(<Collider.Compound />)).toMatchObject({ component: 'Collider.Compound', prop: 'children' })
    const uneven = (
      <Collider.Compound>
        <Collider.Sphere scale={[1, 2, 1]} />
      </Collider.Compound>
    )
    expect(await refusal(uneven)).toMatchObject({ component: 'Collider.Sphere', prop: 'scale' })
  })
})

describe('a pose that no collider can have', () => {
  const kinds: [string, (props: object) => ReactNode][] = [
    ['Ground', (props) => <Ground {...props} />],
    ['Collider.Box', (props) => <Collider.Box {...props} />],
    ['Collider.Mesh', (props) => <Collider.Mesh geometry={new BoxGeometry()} {...props} />],
    [
      'Collider.Compound',
      (props) => (
        <Collider.Compound {...props}>
          <Collider.Box />
        </Collider.Compound>
      ),
    ],
  ]
  it.each(kinds)('%s says at mount which part of it is wrong', async (component, render) => {
    for (const [prop, value] of [
      ['scale', [0, 0, 0]],
      ['scale', [1, 0, 1]],
      ['position', [0, Number.NaN, 0]],
      ['rotation', [0, Number.NaN, 0]],
    ] as const) {
      expect(await refusal(render({ [prop]: value }))).toMatchObject({ component, prop, value })
    }
  })

  it('warns once when it comes later, and the collider stays where it was', async () => {
    const group = createRef<Group>()
    const scene = await mount(<Collider.Box ref={group} position={[0, 2, 0]} />)
    const warnings = collectWarnings()
    group.current!.position.x = Number.NaN
    await scene.frames(3)
    group.current!.position.x = 0
    group.current!.scale.y = 0
    await scene.frames(3)
    expect(warnings.messages).toEqual([
      expect.stringMatching(/<Collider.Box> position=\{\[NaN, 2, 0\]\}: is not finite/),
      expect.stringMatching(/<Collider.Box> scale=\{\[1, 0, 1\]\}: is flat/),
    ])
    warnings.stop()
    expect(Array.from(colliderOf(scene).target)).toEqual([0, 2, 0, 0, 0, 0, 1])
    expect(distance(colliderOf(scene), 0, 2, 0)).toBeCloseTo(1.5, 9)
    await scene.unmount()
  })
})

describe('a moving object with several colliders', () => {
  it('sweeps each of them, and takes along what lies on it', async () => {
    const cart = createRef<Group>()
    const ref = createRef<SoftBodyRef>()
    const scene = await mount(
      <>
        <group ref={cart}>
          <Collider.Box args={[2, 0.1, 2]} />
          <Collider.Hull position={[1.1, 0.3, 0]} geometry={new BoxGeometry(0.2, 1, 2)} />
          <Collider.Mesh position={[-1.1, 0.3, 0]} geometry={new BoxGeometry(0.2, 1, 2)} />
        </group>
        <SoftBody
          ref={ref}
          geometry={new BoxGeometry(0.4, 0.4, 0.4)}
          resolution={2}
          preset="firm"
          position={[0, 0.26, 0]}
        />
      </>,
    )
    await scene.frames(20)
    // Faster than friction takes it along: the mesh behind pushes it.
    for (let frame = 0; frame < 60; frame++) {
      cart.current!.position.x += (frame / 60) * 0.2
      await scene.frames(1)
    }
    const [x, y] = ref.current!.centerOfMass([0, 0, 0])
    expect(x - cart.current!.position.x).toBeGreaterThan(-0.85)
    expect(x - cart.current!.position.x).toBeLessThan(0)
    expect(y).toBeGreaterThan(0.2)
    await scene.unmount()
  })

  it('runs a belt by surfaceVelocity, live', async () => {
    const ref = createRef<SoftBodyRef>()
    const geometry = new BoxGeometry(0.4, 0.4, 0.4)
    const belt = (speed: number | undefined) => (
      <>
        <Collider.Box
          args={[8, 0.1, 2]}
          friction={1}
          {...(speed !== undefined && { surfaceVelocity: [speed, 0, 0] as const })}
        />
        <SoftBody ref={ref} geometry={geometry} resolution={2} preset="firm" friction={1} position={[0, 0.26, 0]} />
      </>
    )
    const scene = await mount(belt(1))
    await scene.frames(60)
    expect(ref.current!.velocity([0, 0, 0])[0]).toBeCloseTo(1, 1)
    await scene.update(belt(undefined))
    await scene.frames(60)
    expect(ref.current!.velocity([0, 0, 0])[0]).toBeCloseTo(0, 1)
    await scene.unmount()
  })
})

it('a part of a compound is no collider of its own in a weightless world either', async () => {
  const scene = await mount(
    <Collider.Compound>
      <Collider.Box />
      <Collider.Plane position={[0, -1, 0]} />
    </Collider.Compound>,
    weightless,
  )
  expect(colliderOf(scene).shape.name).toBe('compound')
  expect(distance(colliderOf(scene), 0, -2, 0)).toBeLessThan(0)
  await scene.unmount()
})
