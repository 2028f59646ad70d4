import { createRef } from 'react'
import { Box3, Group, Vector3 } from 'three'
import { expect, it } from 'vitest'
import {
  Attach,
  Pin,
  Rope,
  type RopeRef,
  SettingError,
  SoftBody,
  type SoftBodyRef,
  type Vec3,
} from '../../src/index.js'
import { collectWarnings, contentOf, firstMeshOf, mount } from './mount.js'

const across: readonly Vec3[] = [
  [-1, 0, 0],
  [1, 0, 0],
]

it('hangs by both ends, drawn as a tube of its radius about its particles', async () => {
  const rope = createRef<RopeRef>()
  const scene = await mount(<Rope ref={rope} points={across} length={2.6} pins="ends" position={[0, 3, 0]} />)
  expect(scene.world.world.bodies).toHaveLength(1)
  await scene.frames(60)
  const { particleCount } = rope.current!
  expect(rope.current!.getPosition(0, [0, 0, 0])).toEqual([-1, 3, 0])
  expect(rope.current!.getPosition(particleCount - 1, [0, 0, 0])).toEqual([1, 3, 0])
  const middle = rope.current!.getPosition(particleCount >> 1, [0, 0, 0])
  expect(middle[1]).toBeLessThan(2.4)
  const { position, normal, uv } = firstMeshOf(scene).geometry.attributes
  const mesh = firstMeshOf(scene)
  const point = new Vector3()
  let lowest = Number.POSITIVE_INFINITY
  for (let k = 0; k < position!.count; k++) {
    lowest = Math.min(lowest, mesh.localToWorld(point.fromBufferAttribute(position!, k)).y)
    expect(new Vector3().fromBufferAttribute(normal!, k).length()).toBeCloseTo(1, 5)
    expect(uv!.getX(k)).toBeGreaterThanOrEqual(0)
    expect(uv!.getX(k)).toBeLessThanOrEqual(1)
  }
  expect(lowest).toBeGreaterThan(middle[1] - 0.025)
  expect(lowest).toBeLessThan(middle[1] - 0.015)
  await scene.unmount()
  expect(rope.current).toBeNull()
})

it.each([
  [1, 0.02],
  [4, 0.05],
])(
  'has its texture run along it: v is the way along by the circumference, u the way around, %d m of %d m',
  async (length, radius) => {
    const scene = await mount(<Rope length={length} radius={radius} segments={20} />, { gravity: [0, 0, 0] })
    const mesh = firstMeshOf(scene)
    const { position, uv } = mesh.geometry.attributes
    const point = new Vector3()
    const circumference = 2 * Math.PI * radius
    const tops = new Set<string>()
    for (let k = 0; k < position!.count; k++) {
      point.fromBufferAttribute(position!, k)
      // It hangs straight down from its origin; its ends are domes, on which the way is longer than the height.
      if (point.y > 0 || point.y < -length) continue
      expect(Math.abs(uv!.getY(k) + point.y / circumference)).toBeLessThan(1e-3 * (length / circumference))
      tops.add(uv!.getX(k).toFixed(4))
    }
    // All around, with a seam: 0 and 1 are the same place.
    expect(tops).toContain('0.0000')
    expect(tops).toContain('1.0000')
    // So a square of the texture is a square of the rope: as wide along as around.
    const { index } = mesh.geometry
    const [p, q] = [new Vector3(), new Vector3()]
    const ring = index!.count / 2
    const [i, j] = [index!.getX(ring - (ring % 3)), index!.getX(ring - (ring % 3) + 1)]
    p.fromBufferAttribute(position!, i)
    q.fromBufferAttribute(position!, j)
    const texture = Math.hypot(uv!.getX(i) - uv!.getX(j), uv!.getY(i) - uv!.getY(j)) * circumference
    expect(texture / p.distanceTo(q)).toBeCloseTo(1, 1)
    await scene.unmount()
  },
)

it('turns no ring of its tube by more than it moves, also through the vertical', async () => {
  const rope = createRef<RopeRef>()
  const holder = new Group()
  const target = { current: holder }
  const scene = await mount(
    <>
      <primitive object={holder} />
      <Rope ref={rope} points={across} segments={16} pins={[0, 1]} bendRigidity={1}>
        <Pin at={[0, 1]} target={target} />
      </Rope>
    </>,
    { gravity: [0, 0, 0] },
  )
  const { position } = firstMeshOf(scene).geometry.attributes
  let before = position!.array.slice()
  for (let frame = 0; frame < 120; frame++) {
    const angle = (frame / 120) * 2 * Math.PI
    holder.rotation.set(angle, 0, angle)
    await scene.frames(1)
    const now = position!.array
    const rings = 16 * 3 + 1
    for (let ring = 0; ring < rings; ring++) {
      // Against its own middle: two points that face each other.
      const at = (ring + 2) * 11 * 3
      let square = 0
      for (let d = 0; d < 3; d++)
        square += (now[at + d]! - now[at + 15 + d]! - before[at + d]! + before[at + 15 + d]!) ** 2
      // Turns of 6 degrees a frame about two axes, and what the rod swings beside that.
      expect(Math.sqrt(square) / 0.04).toBeLessThan(0.35)
    }
    before = now.slice()
  }
  await scene.unmount()
})

it('is pinned by its ends and by its particles, by boxes and predicates of the tube', async () => {
  const rope = createRef<RopeRef>()
  const held = () => Array.from({ length: 9 }, (_, k) => k).filter((k) => rope.current!.body!.isPinned(k))
  const element = (props: object) => <Rope ref={rope} points={across} segments={8} {...props} />
  const scene = await mount(element({ pins: 'start' }))
  expect(held()).toEqual([0])
  for (const [pins, expected] of [
    ['end', [8]],
    ['ends', [0, 8]],
    [
      [2, 5],
      [2, 5],
    ],
    [new Box3(new Vector3(-1.2, -1, -1), new Vector3(-0.7, 1, 1)), [0, 1]],
    [({ x }: Vector3) => x > 0.95, [8]],
    [undefined, []],
  ] as const) {
    await scene.update(element({ pins }))
    expect(held()).toEqual(expected)
  }
  rope.current!.pin([3])
  rope.current!.pin('end')
  expect(held()).toEqual([3, 8])
  rope.current!.unpin([3])
  expect(held()).toEqual([8])
  const warnings = collectWarnings()
  await scene.update(element({ pins: [9] }))
  expect(warnings.messages).toEqual([expect.stringContaining('particle 9 does not exist')])
  warnings.stop()
  await scene.unmount()
  const error = await mount(
    <SoftBody pins="start">
      <mesh>
        <boxGeometry />
      </mesh>
    </SoftBody>,
  ).catch((e: unknown) => e)
  expect(error).toBeInstanceOf(SettingError)
  expect((error as Error).message).toContain('no such part')
})

it.each([
  ['end', 'start'],
  ['start', 'end'],
] as const)('carries a body at its %s', async (end, pins) => {
  const rope = createRef<RopeRef>()
  const box = createRef<SoftBodyRef>()
  const points: readonly Vec3[] =
    end === 'end'
      ? [
          [0, 0, 0],
          [0, -1, 0],
        ]
      : [
          [0, -1, 0],
          [0, 0, 0],
        ]
  const scene = await mount(
    <>
      <SoftBody ref={box} position={[0, 0.8, 0]} mass={2} resolution={3} damping={2}>
        <mesh>
          <boxGeometry args={[0.3, 0.3, 0.3]} />
        </mesh>
      </SoftBody>
      <Rope ref={rope} points={points} position={[0, 2, 0]} pins={pins} damping={2}>
        <Attach at={end} b={box} />
      </Rope>
    </>,
  )
  await scene.frames(400)
  expect(box.current!.centerOfMass([0, 0, 0])[1]).toBeGreaterThan(0.75)
  expect(rope.current!.body!.asleep).toBe(box.current!.body!.asleep)
  await scene.unmount()
})

it('is made anew where it is for another shape, and writes to no geometry but its own', async () => {
  const rope = createRef<RopeRef>()
  const element = (props: object) => <Rope ref={rope} points={across} segments={8} {...props} />
  const scene = await mount(element({}), { gravity: [0, 0, 0] })
  const { body } = rope.current!
  await scene.update(element({ points: across.map((point) => [...point]) }))
  expect(rope.current!.body).toBe(body)
  rope.current!.setVelocity([1, 0, 0])
  await scene.frames(60)
  await scene.update(element({ segments: 12 }))
  expect(rope.current!.body).not.toBe(body)
  expect(rope.current!.particleCount).toBe(13)
  expect(rope.current!.centerOfMass([0, 0, 0])[0]).toBeCloseTo(1, 1)
  const warnings = collectWarnings()
  await scene.update(
    element({
      points: [
        [0, 0, 0],
        [0, 1, 0],
      ],
      length: 3,
    }),
  )
  expect(warnings.messages).toEqual([expect.stringContaining('<Rope> length={3}')])
  warnings.stop()
  expect(rope.current!.particleCount).toBe(13)
  const geometry = firstMeshOf(scene).geometry
  let disposed = false
  geometry.addEventListener('dispose', () => {
    disposed = true
  })
  await scene.unmount()
  expect(disposed).toBe(true)
  expect(contentOf(geometry)).toBeDefined()
})

it('takes an even scale, and refuses another', async () => {
  const rope = createRef<RopeRef>()
  const scene = await mount(<Rope ref={rope} points={across} scale={2} />)
  const bounds = rope.current!.bounds(new Float64Array(6))
  expect(bounds[3]! - bounds[0]!).toBeCloseTo(4, 6)
  await scene.unmount()
  await expect(mount(<Rope points={across} scale={[1, 2, 1]} />)).rejects.toMatchObject({ prop: 'scale' })
})

it('breaks in two as it is drawn, with rounded ends, and is mended by a reset', async () => {
  const rope = createRef<RopeRef>()
  const told: number[] = []
  const scene = await mount(
    <Rope
      ref={rope}
      length={1}
      segments={10}
      pins="start"
      tearStrength={5}
      onTear={({ count }) => void told.push(count)}
    />,
  )
  const mesh = firstMeshOf(scene)
  const index = mesh.geometry.index!
  /** Longest side of any triangle that has an area [m]. */
  const longest = () => {
    const { position } = mesh.geometry.attributes
    const [a, b, c] = [new Vector3(), new Vector3(), new Vector3()]
    let most = 0
    for (let t = 0; t < index.count; t += 3) {
      a.fromBufferAttribute(position!, index.getX(t))
      b.fromBufferAttribute(position!, index.getX(t + 1))
      c.fromBufferAttribute(position!, index.getX(t + 2))
      const area = new Vector3().subVectors(b, a).cross(new Vector3().subVectors(c, a)).length()
      if (area > 1e-9) most = Math.max(most, a.distanceTo(b), b.distanceTo(c), c.distanceTo(a))
    }
    return most
  }
  await scene.frames(2)
  const whole = longest()
  const forces = new Float64Array(33)
  forces[3 * 5 + 1] = -30
  for (let k = 0; k < 20; k++) {
    if (told.length === 0) rope.current!.addForces(forces)
    await scene.frames(1)
  }
  expect(told).toEqual([1])
  await scene.frames(20)
  // The pieces are far apart by now, and nothing is drawn in between.
  const gap = rope.current!.getPosition(0, [0, 0, 0])[1] - rope.current!.getPosition(6, [0, 0, 0])[1]
  expect(gap).toBeGreaterThan(0.9)
  expect(longest()).toBeLessThan(1.6 * whole)
  rope.current!.reset()
  await scene.frames(1)
  expect(longest()).toBeLessThan(1.2 * whole)
  expect(rope.current!.body!.model.torn).toBeUndefined()
  await scene.unmount()
})
