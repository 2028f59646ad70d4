// What cannot be a body and says so, and what is made one although it is not closed.
import { createRef, type ReactNode } from 'react'
import {
  BatchedMesh,
  BoxGeometry,
  Group,
  InstancedMesh,
  LOD,
  Mesh,
  type Object3D,
  PlaneGeometry,
  SkinnedMesh,
  SphereGeometry,
} from 'three'
import { describe, expect, it, vi } from 'vitest'
import {
  Cloth,
  Collider,
  DebugView,
  Pin,
  Ragdoll,
  Rope,
  SettingError,
  SoftBody,
  type SoftBodyProps,
  type SoftBodyRef,
  SoftBodyStats,
} from '../../src/index.js'
import { quantisedScene } from '../support/gltf.js'
import { collectWarnings, mount } from './mount.js'
import { builtScene, coarse, meshesOf, red } from './scenes.js'

describe('what nothing holds together', () => {
  it.each([
    ['no material', { youngsModulus: false }, 1],
    ['shape matching', { youngsModulus: false, shapeMatching: true }, 0],
    ['pressure alone', { youngsModulus: false, pressure: 1 }, 0],
    ['a preset', {}, 0],
  ] as [string, SoftBodyProps, number][])('is warned of once in development: %s', async (_, props, times) => {
    const warnings = collectWarnings()
    const geometry = new BoxGeometry()
    const body = (more: SoftBodyProps) => <SoftBody geometry={geometry} {...coarse} {...props} {...more} />
    const scene = await mount(body({}))
    await scene.update(body({ friction: 0.1 }))
    const dust = warnings.messages.filter((message) => message.includes('falls to dust'))
    expect(dust).toEqual(Array(times).fill(expect.stringMatching(/^<SoftBody>: .*shapeMatching/)))
    warnings.stop()
    await scene.unmount()
  })
})

describe('what cannot be a body', () => {
  const named = <T extends Object3D>(name: string, object: T): T => {
    object.name = name
    return object
  }
  const morphed = new BoxGeometry()
  morphed.morphAttributes.position = [morphed.getAttribute('position')]

  it.each([
    ['skinned', new SkinnedMesh(new BoxGeometry()), /a skinned mesh cannot be simulated\. .*new Mesh/],
    ['instanced', new InstancedMesh(new BoxGeometry(), red, 2), /instances cannot be simulated\. .*each/],
    ['batched', new BatchedMesh(2, 64, 128, red), /instances cannot be simulated\. .*each/],
    ['morphing', new Mesh(morphed), /morph targets cannot be simulated\. Delete/],
    ['without positions', new Mesh(), /its geometry has no positions\. Give/],
    ['a level of detail', named('lod', new LOD()).addLevel(new Mesh(new BoxGeometry())), /levels of detail/],
  ])('is refused by name: %s', async (_, culprit, message) => {
    meshesOf(culprit)[0]!.name = 'Culprit'
    const object = builtScene().add(culprit)
    const error = await mount(<SoftBody object={object} {...coarse} />).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(SettingError)
    expect(error).toMatchObject({ component: 'SoftBody', prop: 'object', value: 'Culprit' })
    expect((error as Error).message).toMatch(message)
  })

  it.each([
    [
      'a scene without a mesh',
      { object: new Group() },
      /<SoftBody> object=\{'Group'\}: there is no mesh below it\. Give/,
    ],
    [
      'a loaded file instead of its scene',
      { object: { scene: new Group() } },
      /<SoftBody> object=.*no object of three/,
    ],
    [
      'a scene and a geometry',
      { object: builtScene(), geometry: new BoxGeometry() },
      /object=.*together with a geometry/,
    ],
    [
      'a scene and a mesh',
      { object: builtScene(), children: <mesh name="Extra" /> },
      /object=\{'Extra'\}: is a mesh beside/,
    ],
    [
      'a geometry and a mesh',
      { geometry: new BoxGeometry(), children: <mesh name="Extra" /> },
      /geometry=\{'Extra'\}: is a mesh beside/,
    ],
  ])('is refused: %s', async (_, props, message) => {
    await expect(mount(<SoftBody {...(props as SoftBodyProps)} {...coarse} />)).rejects.toThrow(message)
  })

  it('is refused by name: a mesh that a scale flattens, its own or that of a group', async () => {
    const flat = new Mesh(new BoxGeometry())
    flat.name = 'Flat'
    flat.scale.set(1, 0, 1)
    const within = new Mesh(new BoxGeometry())
    within.name = 'Within'
    const holder = named('Holder', new Group()).add(within)
    holder.scale.y = 0
    for (const [culprit, message] of [
      [flat, /<SoftBody> object=\{'Flat'\}: is flat: it has scale \[1, 0, 1\]\. .*visible/],
      [holder, /<SoftBody> object=\{'Within'\}: is flat: 'Holder' above it has scale \[1, 0, 1\]\. .*visible/],
    ] as const) {
      await expect(mount(<SoftBody object={builtScene().add(culprit)} {...coarse} />)).rejects.toThrow(message)
    }
    // Where no other is left, also one that has vanished; and what is above the body blames the body.
    const alone = <mesh name="Alone" geometry={new BoxGeometry()} scale={0} />
    await expect(mount(<SoftBody {...coarse}>{alone}</SoftBody>)).rejects.toThrow(/children=\{'Alone'\}: is flat/)
    await expect(mount(<SoftBody object={builtScene()} scale={0} {...coarse} />)).rejects.toThrow(
      /scale=\{0\}: flattens it/,
    )
  })

  it('is left out, with a warning in development, as what is hidden is: a mesh of scale 0', async () => {
    const gone = new Mesh(new BoxGeometry(9, 9, 9))
    gone.name = 'Gone'
    const holder = new Group().add(gone)
    holder.scale.setScalar(0)
    const hidden = new Mesh(new BoxGeometry(9, 9, 9))
    hidden.visible = false
    hidden.scale.setScalar(0)
    const warnings = collectWarnings()
    const ref = createRef<SoftBodyRef>()
    const body = <SoftBody ref={ref} object={builtScene().add(holder, hidden)} {...coarse} />
    const scene = await mount(body)
    expect(ref.current!.meshes.map(({ name }) => name)).toEqual(['Body', 'Left', 'Right', 'Hat', 'Ring'])
    expect(ref.current!.bounds(new Float64Array(6))[4]).toBeLessThan(2)
    expect(warnings.messages.filter((message) => message.includes('scale 0'))).toEqual([
      expect.stringMatching(/^<SoftBody>: 'Gone' has scale 0 and is not simulated\. Set visible/),
    ])
    warnings.stop()
    await scene.unmount()
  })

  it('is refused: an object that another body shows already, and says to clone it', async () => {
    const file = builtScene()
    file.name = 'File'
    const bodies = (second: Object3D) => [
      <SoftBody key="one" {...coarse}>
        <group>
          <primitive object={file} />
        </group>
      </SoftBody>,
      <SoftBody key="two" {...coarse}>
        <primitive object={second} />
      </SoftBody>,
    ]
    const message = /<SoftBody> children=\{'File'\}: is shown elsewhere as well\. .*object\.clone\(\)/
    await expect(mount(bodies(file))).rejects.toThrow(message)
    const scene = await mount(bodies(file.clone()))
    expect(scene.world.world.bodies.length).toBe(2)
    await scene.unmount()
  })

  it('warns once of a geometry that comes to a scene, and the scene stays', async () => {
    const ref = createRef<SoftBodyRef>()
    const object = builtScene()
    const body = (props: SoftBodyProps) => <SoftBody ref={ref} object={object} {...coarse} {...props} />
    const scene = await mount(body({}))
    const engine = ref.current!.body
    const warnings = collectWarnings()
    const geometry = new BoxGeometry()
    await scene.update(body({ geometry }))
    await scene.update(body({ geometry }))
    expect(warnings.messages).toEqual([expect.stringContaining('together with a geometry')])
    warnings.stop()
    expect(ref.current!.body).toBe(engine)
    await scene.unmount()
  })
})

describe('a body inside of a body', () => {
  const geometry = new BoxGeometry()
  const bodies: [string, ReactNode][] = [
    ['SoftBody', <SoftBody key="body" geometry={geometry} {...coarse} />],
    ['Cloth', <Cloth key="cloth" args={[1, 1, 2, 2]} />],
    ['Rope', <Rope key="rope" segments={4} />],
    ['Ragdoll', <Ragdoll key="ragdoll" />],
  ]
  const outer: [string, (inner: ReactNode) => ReactNode][] = [
    ['SoftBody', (inner) => <SoftBody {...coarse}>{[<mesh key="skin" geometry={geometry} />, inner]}</SoftBody>],
    ['Cloth', (inner) => <Cloth>{[<mesh key="skin" geometry={geometry} />, inner]}</Cloth>],
  ]

  it.each(outer)('is refused, with its remedy and nothing else: in a %s', async (name, render) => {
    const warnings = collectWarnings()
    for (const [inside, inner] of bodies) {
      const message = `<${inside}> is inside of a <${name}>. Put them side by side; <Attach> joins them.`
      await expect(mount(render(<group>{inner}</group>))).rejects.toThrow(message)
    }
    await expect(mount(<SoftBody {...coarse}>{bodies[0]![1]}</SoftBody>)).rejects.toThrow('inside of a <SoftBody>')
    expect(warnings.messages).toEqual([])
    warnings.stop()
  })

  it.each(bodies)('is none of it where a pin carries it: %s', async (_, inner) => {
    const ref = createRef<SoftBodyRef>()
    const scene = await mount(
      <SoftBody ref={ref} geometry={geometry} {...coarse}>
        <Pin at="top">{inner}</Pin>
      </SoftBody>,
    )
    const { body } = ref.current!
    await scene.frames(3)
    expect(scene.world.world.bodies.length).toBe(2)
    expect(ref.current!.body).toBe(body)
    await scene.unmount()
  })
})

it.each([
  ['SoftBody', (beside: ReactNode) => <SoftBody geometry={new BoxGeometry()}>{beside}</SoftBody>],
  ['Cloth', (beside: ReactNode) => <Cloth>{[<meshBasicMaterial key="material" />, beside]}</Cloth>],
])('a DebugView and SoftBodyStats may stand in a %s', async (_, render) => {
  const scene = await mount(render([<DebugView key="view" />, <SoftBodyStats key="stats" />]))
  const [body] = scene.world.world.bodies
  await scene.frames(3)
  expect(scene.world.world.bodies).toEqual([body])
  await scene.unmount()
})

it('a geometry of which a part is drawn is simulated as a whole, with one warning in development', async () => {
  const geometry = new BoxGeometry()
  geometry.setDrawRange(0, 6)
  const warnings = collectWarnings()
  const ref = createRef<SoftBodyRef>()
  const body = (friction: number) => [
    <SoftBody key="a" ref={ref} geometry={geometry} {...coarse} friction={friction} resolution={friction} />,
    <Collider.Mesh key="b" geometry={geometry} position={[3, 0, 0]} />,
  ]
  const scene = await mount(body(3))
  await scene.update(body(4))
  expect(warnings.messages).toEqual([
    expect.stringMatching(/^<\S+>: of '\w+' a part is drawn, by its drawRange, and all of it is simulated\. Leave/),
  ])
  warnings.stop()
  expect(ref.current!.volume()).toBeCloseTo(1, 1)
  await scene.unmount()
})

describe('a mesh that is not closed', () => {
  it('gives a body, and one warning in development that says what was assumed', async () => {
    const open = () => new Mesh(new SphereGeometry(0.5, 16, 12, 0, Math.PI * 2, 0, Math.PI * 0.8))
    const file = new Group().add(open())
    const warnings = collectWarnings()
    const scene = await mount([
      <SoftBody key="a" object={file} {...coarse} />,
      <SoftBody key="b" object={file} {...coarse} position={[2, 0, 0]} />,
    ])
    await scene.frames(2)
    expect(scene.world.world.bodies.length).toBe(2)
    expect(warnings.messages).toEqual([expect.stringMatching(/<SoftBody> 'Mesh': .*boundary edges.*winding numbers/)])
    warnings.stop()
    await scene.unmount()
    vi.stubEnv('NODE_ENV', 'production')
    const silent = collectWarnings()
    const other = await mount(<SoftBody object={new Group().add(open())} {...coarse} />)
    expect(silent.messages).toEqual([])
    silent.stop()
    vi.unstubAllEnvs()
    await other.unmount()
  })

  it('is nothing to warn of where it is closed by another mesh of the scene', async () => {
    const file = await quantisedScene()
    const warnings = collectWarnings()
    const scene = await mount(<SoftBody object={file} {...coarse} />)
    expect(warnings.messages).toEqual([])
    warnings.stop()
    await scene.unmount()
  })

  it('is nothing to warn of where it is closed by its mirror image', async () => {
    const half = new SphereGeometry(0.5, 24, 16, 0, Math.PI)
    const image = new Group().add(new Mesh(half))
    image.scale.z = -1
    const warnings = collectWarnings()
    const ref = createRef<SoftBodyRef>()
    const scene = await mount(<SoftBody ref={ref} object={new Group().add(new Mesh(half), image)} resolution={12} />)
    expect(warnings.messages).toEqual([])
    warnings.stop()
    // A sphere of 24 x 16 segments misses 2% of the ball, a lattice of 12 cells at most as much again.
    expect(ref.current!.volume() / ((Math.PI * 4) / 24)).toBeGreaterThan(0.96)
    expect(ref.current!.volume() / ((Math.PI * 4) / 24)).toBeLessThan(1)
    await scene.unmount()
  })

  it('may be a plane', async () => {
    const warnings = collectWarnings()
    const scene = await mount(<SoftBody geometry={new PlaneGeometry()} {...coarse} />)
    expect(scene.world.world.bodies.length).toBe(1)
    warnings.stop()
    await scene.unmount()
  })
})
