// Poses that are not finite, or flat: no number of a geometry becomes one, and what was drawn last stays.
import { createRef, type ReactElement, type RefObject } from 'react'
import {
  Euler,
  type Group,
  type InstancedMesh,
  type Line,
  type Mesh,
  type Object3D,
  SphereGeometry,
  Vector3,
} from 'three'
import { describe, expect, it } from 'vitest'
import {
  type BodyRef,
  Cloth,
  type ClothRef,
  Particles,
  type ParticlesRef,
  Ragdoll,
  Rope,
  SoftBody,
  Spring,
} from '../../src/index.js'
import { collectWarnings, type Mounted, mount } from './mount.js'

const { NaN: nan, POSITIVE_INFINITY: infinity } = Number
const weightless = { gravity: [0, 0, 0] } as const
const ball = new SphereGeometry(0.5, 16, 12)

type Pose = Record<string, unknown>

const bodies: [string, (pose: Pose, ref: RefObject<BodyRef | null>) => ReactElement][] = [
  ['SoftBody of a geometry', (pose, ref) => <SoftBody ref={ref} geometry={ball} resolution={4} {...pose} />],
  [
    'SoftBody of meshes',
    (pose, ref) => (
      <SoftBody ref={ref} resolution={4} {...pose}>
        <mesh geometry={ball} />
        <mesh geometry={ball} position={[0.7, 0, 0]} />
      </SoftBody>
    ),
  ],
  ['Cloth', (pose, ref) => <Cloth ref={ref} args={[1, 1, 4, 4]} {...pose} />],
  ['Rope', (pose, ref) => <Rope ref={ref} segments={6} {...pose} />],
  ['Ragdoll', (pose, ref) => <Ragdoll ref={ref} {...pose} />],
]

const poses: [name: string, Pose][] = [
  ['position', { position: [nan, 0, 0] }],
  ['position', { position: [infinity, 0, 0] }],
  ['position', { position: new Vector3(0, nan, 0) }],
  ['position-y', { 'position-y': nan }],
  ['rotation', { rotation: new Euler(0, 0, nan) }],
  ['rotation-x', { 'rotation-x': nan }],
  ['quaternion', { quaternion: [0, 0, 0, nan] }],
  ['scale', { scale: nan }],
  ['scale', { scale: 0 }],
  ['scale', { scale: [1, 0, 1] }],
  ['scale-z', { 'scale-z': 0 }],
]

/** All that is drawn in a scene: positions, normals and bounds. */
function drawnIn(scene: Mounted): number[] {
  const numbers: number[] = []
  scene.state.scene.traverse((object) => {
    if (!('isMesh' in object)) return
    const { attributes, boundingSphere, boundingBox } = (object as Mesh).geometry
    numbers.push(...attributes.position!.array, ...attributes.normal!.array)
    numbers.push(...boundingSphere!.center, boundingSphere!.radius, ...boundingBox!.min, ...boundingBox!.max)
  })
  return numbers
}

/** The largest difference of two drawings; nothing moves a body but the rounding of its steps. */
function change(a: readonly number[], b: readonly number[]): number {
  expect(b.length).toBe(a.length)
  return a.reduce((most, value, k) => Math.max(most, Math.abs(value - b[k]!)), 0)
}

const ROUNDING = 1e-5

describe.each(bodies)('a pose that no body can have: %s', (_, body) => {
  it.each(poses)('stays what it was, with one warning: %s of %o', async (prop, pose) => {
    const given: Pose = prop.startsWith('scale') ? { scale: 1.5 } : { position: [0, 1, 0], rotation: [0, 1, 0] }
    const ref = createRef<BodyRef>()
    const scene = await mount(body(given, ref), weightless)
    await scene.frames(2)
    const engine = ref.current!.body
    const before = drawnIn(scene)
    const warnings = collectWarnings()
    for (let k = 0; k < 2; k++) {
      await scene.update(body({ ...given, ...pose }, ref))
      await scene.frames(2)
    }
    expect(warnings.messages).toEqual([expect.stringMatching(`^<\\w+> ${prop}=.*The last valid value stays`)])
    warnings.stop()
    scene.state.scene.traverse(({ matrixWorld }) => {
      expect(matrixWorld.elements.every(Number.isFinite) && matrixWorld.determinant() !== 0).toBe(true)
    })
    expect(change(before, drawnIn(scene))).toBeLessThan(ROUNDING)
    expect(ref.current!.body).toBe(engine)

    // And it is followed again.
    await scene.update(body({ position: [0, 3, 0] }, ref))
    await scene.frames(2)
    const [x, y] = ref.current!.centerOfMass([0, 0, 0])
    expect(Number.isFinite(x)).toBe(true)
    expect(y).toBeGreaterThan(2)
    await scene.unmount()
  })
})

const spoilt: [name: string, (object: Object3D) => void][] = [
  ['a place that is no number', ({ position }) => position.setX(nan)],
  ['an infinite place', ({ position }) => position.setX(-infinity)],
  ['a turn that is no number', ({ rotation }) => rotation.set(nan, 0, 0)],
  ['a scale that is no number', ({ scale }) => scale.setScalar(nan)],
  ['no size', ({ scale }) => scale.setScalar(0)],
  ['no depth', ({ scale }) => scale.setZ(0)],
  ...[1e-300, 1e-60, 1e-35, 1e-20, 1e20, 1e60, 1e100, 1e300].map((size): [string, (object: Object3D) => void] => [
    `a size of ${size}`,
    ({ scale }) => scale.setScalar(size),
  ]),
]

describe.each(bodies)('a frame that is made one in which nothing has a place: %s', (_, body) => {
  it.each(['the parent', 'the mesh'].flatMap((whose) => spoilt.map(([what, spoil]) => [whose, what, spoil] as const)))(
    'of %s: %s',
    async (whose, what, spoil) => {
      const parent = createRef<Group>()
      const ref = createRef<BodyRef>()
      const scene = await mount(<group ref={parent}>{body({}, ref)}</group>, weightless)
      await scene.frames(2)
      const before = drawnIn(scene)
      const object: Object3D = whose === 'the parent' ? parent.current! : ref.current!.meshes[0]!
      const { position, rotation, scale } = object.clone()
      spoil(object)
      await scene.frames(2)
      const during = drawnIn(scene)
      expect(during.every(Number.isFinite)).toBe(true)
      // In a frame of another size the same body is drawn with other numbers.
      expect(change(before, during)).toBeLessThan(what.startsWith('a size') ? Number.POSITIVE_INFINITY : ROUNDING)

      object.position.copy(position)
      object.rotation.copy(rotation)
      object.scale.copy(scale)
      ref.current!.setVelocity([1, 0, 0])
      await scene.frames(10)
      const after = drawnIn(scene)
      expect(after.every(Number.isFinite)).toBe(true)
      expect(change(before, after)).toBeGreaterThan(0.1)
      await scene.unmount()
    },
  )
})

describe('particles', () => {
  const group = createRef<Group>()
  const ref = createRef<ParticlesRef>()
  const places = [
    [0, 0, 0],
    [1, 0, 0],
  ] as const
  const dust = (pose: Pose) => (
    <group ref={group}>
      <Particles ref={ref} positions={places} radius={0.1} {...pose} />
    </group>
  )
  const drawn = () => Array.from((ref.current!.mesh as InstancedMesh).instanceMatrix.array)

  it('are drawn where they were while their pose, or that of a parent, is none', async () => {
    const scene = await mount(dust({ position: [0, 1, 0] }), weightless)
    await scene.frames(2)
    const before = drawn()
    const warnings = collectWarnings()
    for (const pose of [{ position: [nan, 0, 0] }, { position: [0, 1, 0], scale: 0 }]) {
      await scene.update(dust(pose))
      await scene.frames(2)
      expect(drawn()).toEqual(before)
    }
    expect(warnings.messages).toHaveLength(2)
    for (const size of [nan, 0]) {
      group.current!.scale.setScalar(size)
      await scene.update(dust({ position: [0, 1, 0] }))
      await scene.frames(2)
      expect(drawn()).toEqual(before)
    }
    warnings.stop()
    group.current!.scale.setScalar(1)
    await scene.update(dust({ position: [0, 2, 0] }))
    await scene.frames(2)
    expect(ref.current!.getPosition(1, [0, 0, 0])).toEqual([1, 2, 0])
    expect(drawn()).toEqual(before)
    await scene.unmount()
  })
})

describe('the line of a spring', () => {
  it('is drawn where it was while its parent is nowhere', async () => {
    const parent = createRef<Group>()
    const scene = await mount(
      <group ref={parent}>
        <SoftBody geometry={ball} resolution={4} pins="top">
          <Spring position={[0, 2, 0]} line coils={3} />
        </SoftBody>
      </group>,
      weightless,
    )
    await scene.frames(2)
    const line = scene.state.scene.getObjectsByProperty('type', 'Line')[0] as Line
    const drawn = () => Array.from(line.geometry.getAttribute('position').array)
    const before = drawn()
    const warnings = collectWarnings()
    for (const size of [nan, 0]) {
      parent.current!.scale.setScalar(size)
      await scene.frames(2)
      expect(change(before, drawn())).toBeLessThan(ROUNDING)
    }
    warnings.stop()
    await scene.unmount()
  })
})

describe('a cloth that is cut', () => {
  it('while its parent is nowhere is drawn torn once that is back', async () => {
    const parent = createRef<Group>()
    const ref = createRef<ClothRef>()
    const cloth = <Cloth ref={ref} args={[1, 1, 4, 4]} />
    const scene = await mount(<group ref={parent}>{cloth}</group>, weightless)
    await scene.frames(2)
    const whole = ref.current!.body!.model
    parent.current!.position.x = nan
    ref.current!.cut({ point: [0.1, 0, 0], normal: [1, 0, 0] })
    await scene.frames(2)
    expect(drawnIn(scene).every(Number.isFinite)).toBe(true)
    expect(ref.current!.body!.model).not.toBe(whole)
    parent.current!.position.x = 0
    await scene.frames(2)
    expect(drawnIn(scene).every(Number.isFinite)).toBe(true)
    await scene.unmount()
  })
})
