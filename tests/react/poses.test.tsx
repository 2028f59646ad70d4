// Pose props: what React Three Fiber takes is taken, all else is refused by name before it reaches an object of three.
import { createRef, type ReactElement, type ReactNode } from 'react'
import { BoxGeometry, Euler, type Group, type Object3D, Quaternion, Vector3 } from 'three'
import { describe, expect, it, vi } from 'vitest'
import {
  Attach,
  Attractor,
  Bounds,
  Cloth,
  Collider,
  Cut,
  Ground,
  Particles,
  Pin,
  Ragdoll,
  Rope,
  SettingError,
  SoftBody,
  Spring,
} from '../../src/index.js'
import { collectWarnings, mount } from './mount.js'

type Pose = Record<string, unknown>

const cube = new BoxGeometry()
const heights = [
  [0, 0],
  [0, 0],
]
const held = (child: ReactElement) => (
  <SoftBody geometry={cube} resolution={2}>
    {child}
  </SoftBody>
)

const components: Record<string, (pose: Pose) => ReactNode> = {
  SoftBody: (pose) => <SoftBody geometry={cube} resolution={2} {...pose} />,
  Cloth: (pose) => <Cloth args={[1, 1, 2, 2]} {...pose} />,
  Rope: (pose) => <Rope segments={4} {...pose} />,
  Ragdoll: (pose) => <Ragdoll {...pose} />,
  Particles: (pose) => <Particles positions={[[0, 0, 0]]} {...pose} />,
  Ground: (pose) => <Ground {...pose} />,
  Bounds: (pose) => <Bounds {...pose} />,
  'Collider.Plane': (pose) => <Collider.Plane {...pose} />,
  'Collider.Box': (pose) => <Collider.Box {...pose} />,
  'Collider.Sphere': (pose) => <Collider.Sphere {...pose} />,
  'Collider.Capsule': (pose) => <Collider.Capsule {...pose} />,
  'Collider.Cylinder': (pose) => <Collider.Cylinder {...pose} />,
  'Collider.Mesh': (pose) => <Collider.Mesh geometry={cube} {...pose} />,
  'Collider.Heightfield': (pose) => <Collider.Heightfield heights={heights} {...pose} />,
  'Collider.Hull': (pose) => <Collider.Hull geometry={cube} {...pose} />,
  'Collider.Compound': (pose) => (
    <Collider.Compound {...pose}>
      <Collider.Box />
    </Collider.Compound>
  ),
  Attractor: (pose) => <Attractor {...pose} />,
  Cut: (pose) => <Cut {...pose} />,
  Pin: (pose) => held(<Pin at="top" {...pose} />),
  Attach: (pose) => held(<Attach {...pose} />),
  Spring: (pose) => held(<Spring {...pose} />),
}

const wrong: [prop: string, value: unknown][] = [
  ['position', '1,2,3'],
  ['position', '2'],
  ['position', ['1', '2', '3']],
  ['position', [1, 2]],
  ['position', [1, 2, 3, 4]],
  ['position', null],
  ['position', true],
  ['position', { x: 1, y: 2, z: 3 }],
  ['position', Float32Array.of(1, 2, 3)],
  ['position', new Euler(1, 2, 3)],
  ['position', [0, Number.NaN, 0]],
  ['position', Number.POSITIVE_INFINITY],
  ['position-y', '1'],
  ['position-y', Number.NaN],
  ['position-up', 1],
  ['rotation', '0 1 0'],
  ['rotation', 1],
  ['rotation', new Vector3(0, 1, 0)],
  ['rotation', new Quaternion()],
  ['rotation', [0, 1, 0, 'xyz']],
  ['rotation-x', '90deg'],
  ['rotation-order', 'ABC'],
  ['quaternion', [0, 0, 0]],
  ['quaternion', [0, 0, 0, 0]],
  ['quaternion', [0, 0, 0, '1']],
  ['quaternion', [1, 0, 0, 1]],
  ['quaternion', new Quaternion(0, 0, 0, 2)],
  ['quaternion-w', '1'],
  ['scale', '2'],
  ['scale', [1, 2]],
  ['scale', Number.NaN],
  ['scale-z', null],
]

const right: [Pose, look: Partial<Record<'position' | 'rotation' | 'scale', number[]>>][] = [
  [{ position: 2 }, { position: [2, 2, 2] }],
  [{ position: [1, 2, 3] }, { position: [1, 2, 3] }],
  [{ position: new Vector3(1, 2, 3) }, { position: [1, 2, 3] }],
  [{ 'position-y': 4, 'position-x': undefined }, { position: [0, 4, 0] }],
  [{ position: undefined }, { position: [0, 0, 0] }],
  [{ rotation: [0.1, 0.2, 0.3] }, { rotation: [0.1, 0.2, 0.3] }],
  [{ rotation: [0.1, 0.2, 0.3, 'XYZ'] }, { rotation: [0.1, 0.2, 0.3] }],
  [{ rotation: new Euler(0.1, 0.2, 0.3) }, { rotation: [0.1, 0.2, 0.3] }],
  [{ 'rotation-x': 0.5, 'rotation-order': 'XYZ' }, { rotation: [0.5, 0, 0] }],
  [{ quaternion: [0, 0, 0.7071, 0.7071] }, { rotation: [0, 0, Math.PI / 2] }],
  [{ quaternion: new Quaternion().setFromEuler(new Euler(0.5, 0, 0)) }, { rotation: [0.5, 0, 0] }],
  [{ scale: 2 }, { scale: [2, 2, 2] }],
  [{ scale: [2, 2, 2] }, { scale: [2, 2, 2] }],
  [{ scale: new Vector3(2, 2, 2) }, { scale: [2, 2, 2] }],
]

describe.each(Object.entries(components))('the pose of a %s', (component, render) => {
  it('that is none is refused by one error, with its remedy', async () => {
    const errors = vi.spyOn(console, 'error').mockImplementation(() => {})
    for (const [prop, value] of wrong) {
      const error = await mount(render({ [prop]: value })).catch((thrown: unknown) => thrown)
      expect(error, `${prop} of ${String(value)}`).toBeInstanceOf(SettingError)
      expect(error).toMatchObject({ component, prop })
      expect((error as SettingError).remedy).toMatch(/^Use .*\.$/)
    }
    errors.mockRestore()
  })

  it('may be in each form that an object of three is given', async () => {
    for (const [pose, look] of right) {
      const name = `of ${component}`
      const scene = await mount(render({ ...pose, name }), { paused: true })
      const object = scene.state.scene.getObjectByName(name)!
      for (const part of ['position', 'rotation', 'scale'] as const) {
        const numbers = object[part].toArray().slice(0, 3) as number[]
        look[part]?.forEach((expected, d) => expect(numbers[d]).toBeCloseTo(expected, 4))
      }
      await scene.unmount()
    }
  })

  it('stays what it was, with one warning, when it comes to be none', async () => {
    const name = `of ${component}`
    const good = { name, position: [0, 1, 0], scale: 1.5 }
    const scene = await mount(render(good), { paused: true })
    const object = scene.state.scene.getObjectByName(name) as Object3D
    const warnings = collectWarnings()
    const [first, second] = [
      { ...good, position: '0,2,0' },
      { name, position: [0, 1, 0], scale: 1.5, 'rotation-x': 'up' },
    ]
    for (const pose of [first, first, second]) {
      await scene.update(render(pose), { paused: true })
      await scene.frames(2)
    }
    expect(warnings.messages).toEqual([
      `<${component}> position={'0,2,0'}: must be three finite numbers. Use [0, 1, 0], a Vector3 or position-y={1}. The last valid value stays.`,
      expect.stringMatching(/ rotation-x=\{'up'\}: must be a finite number\. /),
    ])
    warnings.stop()
    expect([...object.position.toArray(), ...object.scale.toArray()]).toEqual([0, 1, 0, 1.5, 1.5, 1.5])
    expect(object.rotation.x).toBe(0)
    await scene.unmount()
  })

  it('has no scale of 0, unless nothing has to fit into it', async () => {
    const mayBeFlat = ['Attractor', 'Cut', 'Pin', 'Attach', 'Spring'].includes(component)
    const warnings = collectWarnings()
    for (const pose of [{ scale: 0 }, { scale: [1, 0, 1] }, { 'scale-y': 0 }]) {
      const outcome = await mount(render(pose)).then((scene) => scene.unmount(), String)
      const [prop] = Object.keys(pose)
      const refusal: unknown = expect.stringMatching(`<${component}> ${prop}=.*: flattens it\\. Use`)
      expect(outcome).toEqual(mayBeFlat ? undefined : refusal)
    }
    warnings.stop()
  })
})

it.each([
  ['written in a few digits', () => [0, 0, 0.7071, 0.7071]],
  ['of unit length', () => [0, 0, Math.SQRT1_2, Math.SQRT1_2]],
])('a quaternion that stays what it was puts back nothing that has been moved since: %s', async (_, quaternion) => {
  const group = createRef<Group>()
  const render = () => <Collider.Box ref={group} quaternion={quaternion() as never} />
  const scene = await mount(render(), { paused: true })
  group.current!.quaternion.set(1, 0, 0, 0)
  await scene.update(render(), { paused: true })
  expect(group.current!.quaternion.toArray()).toEqual([1, 0, 0, 0])
  await scene.unmount()
})

it('what React Three Fiber cannot make is the only error, and nothing of ours throws beside it', async () => {
  const errors = vi.spyOn(console, 'error').mockImplementation(() => {})
  const failing = { position: '1,2,3' as unknown as Vector3 }
  const all = Object.entries(components).map(([name, render]) => <group key={name}>{render({})}</group>)
  const thrown: unknown = await mount([<mesh key="culprit" {...failing} />, ...all]).catch((error: unknown) => error)
  const messages = (thrown as AggregateError).errors.map(({ message }: Error) => message)
  expect(messages[0]).toMatch(/read only property 'position'/)
  // The others are thrown by React Three Fiber as it takes away what it has not made.
  expect(new Set(messages.slice(1))).toEqual(new Set(['Cannot convert undefined or null to object']))
  const inner = held(<group {...failing} />)
  const within: unknown = await mount(inner).catch((error: unknown) => error)
  expect(String(within)).toMatch(/read only property 'position'|AggregateError/)
  errors.mockRestore()
})

it('a group that goes where nothing is by itself is warned of by its tracker, as before', async () => {
  const group = createRef<Group>()
  const scene = await mount(<Attractor ref={group} />)
  const warnings = collectWarnings()
  group.current!.position.x = Number.NaN
  await scene.frames(2)
  expect(warnings.messages).toEqual([expect.stringMatching(/^<Attractor> position=.*is not finite/)])
  warnings.stop()
  await scene.unmount()
})
