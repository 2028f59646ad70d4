// Pins: what each selector names, in a mesh and in a scene, and how held vertices follow an object of the scene.
import { createRef, type RefObject, useRef } from 'react'
import {
  Box3,
  BoxGeometry,
  type BufferGeometry,
  DodecahedronGeometry,
  Float32BufferAttribute,
  Group,
  Matrix4,
  Mesh,
  type Object3D,
  SphereGeometry,
  TorusKnotGeometry,
  Vector3,
} from 'three'
import { describe, expect, it } from 'vitest'
import { Pin, type PinSelector, SettingError, SoftBody, type SoftBodyRef, useBeforeStep } from '../../src/index.js'
import { readSource } from '../../src/react/support/bodySource.js'
import { selectVertices } from '../../src/react/support/selectors.js'
import { collectWarnings, mount } from './mount.js'

const weightless = { gravity: [0, 0, 0] } as const
const coarse = { resolution: 6 }

/** A box of 24 vertices, the first `held` of which have the attribute of that name; 'uv' for all. */
function box(held?: number): BufferGeometry {
  const geometry = new BoxGeometry()
  if (held === undefined) return geometry
  const values = Array.from({ length: 24 }, (_, i) => (i < held ? 1 : 0))
  return geometry.setAttribute('held', new Float32BufferAttribute(values, 1))
}

function meshAt(name: string, geometry: BufferGeometry, y: number): Mesh {
  const mesh = new Mesh(geometry)
  mesh.name = name
  mesh.position.y = y
  return mesh
}

/** Three boxes on top of each other from y = -0.5 to 2.5, the upper two in a group, the topmost lying on its side. */
function tower(): Group {
  const top = meshAt('Top', box(), 1)
  top.rotation.z = Math.PI / 2
  const upper = new Group().add(meshAt('Middle', box(3), 0), top)
  upper.name = 'Upper'
  upper.position.y = 1
  return new Group().add(meshAt('Bottom', box(5), 0), upper)
}

/** Vertices that a selector names in a scene, as [mesh, vertex of the mesh]. */
function named(object: Group, selector: PinSelector): [string, number][] {
  const { geometry, parts } = readSource('SoftBody', new Group().add(object), { prop: 'object', object })
  return selectVertices('SoftBody', 'pins', selector, geometry, parts).map((vertex) => {
    const part = parts.findLast(({ firstVertex }) => firstVertex <= vertex)!
    return [part.mesh.name, vertex - part.firstVertex]
  })
}

/** Which vertices of a mesh of the tower lie at a place of the scene that passes a test. */
function where(object: Group, name: string, test: (point: Vector3) => boolean): [string, number][] {
  object.updateMatrixWorld(true)
  const mesh = object.getObjectByName(name) as Mesh
  const position = mesh.geometry.getAttribute('position')
  const point = new Vector3()
  return Array.from({ length: position.count }, (_, i): [string, number] => [name, i]).filter(([, i]) =>
    test(point.fromBufferAttribute(position, i).applyMatrix4(mesh.matrixWorld)),
  )
}

function first(name: string, count: number): [string, number][] {
  return Array.from({ length: count }, (_, i) => [name, i])
}

function thrownBy(act: () => void): unknown {
  try {
    act()
  } catch (error) {
    return error
  }
  return undefined
}

describe('a selector in a scene of several meshes', () => {
  const scene = tower()

  it('top is the highest of the scene, whichever way its mesh lies', () => {
    const highest = where(scene, 'Top', ({ y }) => y > 2.45)
    expect(highest.length).toBe(12)
    expect(named(scene, 'top')).toEqual(highest)
  })

  it('corners are those of the whole', () => {
    const corners = named(scene, 'corners')
    expect(corners.map(([name]) => name).sort()).toEqual([...Array(4).fill('Bottom'), ...Array(4).fill('Top')])
  })

  it('an attribute is read from each mesh that has it', () => {
    expect(named(scene, { attribute: 'held' })).toEqual([...first('Bottom', 5), ...first('Middle', 3)])
  })

  it('indices count on from mesh to mesh', () => {
    expect(named(scene, [50, 0, 23, 24])).toEqual([
      ['Bottom', 0],
      ['Bottom', 23],
      ['Middle', 0],
      ['Top', 2],
    ])
  })

  it('a mesh is all its vertices, or those of the indices; a group is its meshes', () => {
    expect(named(scene, { mesh: 'Middle' })).toEqual(first('Middle', 24))
    expect(named(scene, { mesh: 'Top', indices: [7, 3] })).toEqual([
      ['Top', 3],
      ['Top', 7],
    ])
    expect(named(scene, { mesh: 'Upper' })).toEqual([...first('Middle', 24), ...first('Top', 24)])
    expect(named(scene, { mesh: 'Upper', indices: [25] })).toEqual([['Top', 1]])
  })

  it('a box and a predicate are in the space of the scene', () => {
    const region = new Box3(new Vector3(-9, 0.4, 0.4), new Vector3(9, 1.6, 0.6))
    const inside = (point: Vector3) => region.containsPoint(point)
    const expected = [
      ...where(scene, 'Bottom', inside),
      ...where(scene, 'Middle', inside),
      ...where(scene, 'Top', inside),
    ]
    expect(expected.length).toBeGreaterThan(12)
    expect(named(scene, region)).toEqual(expected)
    expect(named(scene, inside)).toEqual(expected)
    expect(named(scene, (_, index) => index === 30)).toEqual([['Middle', 6]])
  })

  it.each([
    [{ attribute: 'weight' }, /no such attribute\. It has position, normal, uv, held/],
    [{ mesh: 'Roof' }, /no such mesh\. It has 'Bottom', 'Middle', 'Top'/],
    [{ mesh: 'Top', indices: [24] }, /vertex 24 of it does not exist\. Use indices below 24/],
    [[72], /vertex 72 does not exist\. Use indices below 72/],
    [new Box3(), /selects no vertex\. Use one that holds some, in the space of the body: 'top', .*predicate/],
  ] as [PinSelector, RegExp][])('%o names nothing, and says what there is', (selector, message) => {
    expect(() => named(scene, selector)).toThrow(message)
  })
})

describe('a selector in one mesh', () => {
  const geometry = box(2)
  const vertices = (selector: PinSelector) => {
    const mesh = meshAt('Box', geometry, 3)
    mesh.rotation.z = Math.PI / 2
    const { geometry: rest, parts } = readSource('SoftBody', new Group().add(mesh), { prop: 'children' })
    return selectVertices('SoftBody', 'pins', selector, rest, parts)
  }
  const at = (test: (point: Vector3) => boolean) => {
    const position = geometry.getAttribute('position')
    const point = new Vector3()
    return Array.from({ length: 24 }, (_, i) => i).filter((i) => test(point.fromBufferAttribute(position, i)))
  }

  it.each([
    ['top', 'top', at(({ y }) => y === 0.5)],
    ['an attribute', { attribute: 'held' }, [0, 1]],
    ['indices', [5, 3], [3, 5]],
    ['a mesh', { mesh: 'Box', indices: [9] }, [9]],
    ['a box', new Box3(new Vector3(0.4, -1, -1), new Vector3(1, 1, 1)), at(({ x }) => x === 0.5)],
    [
      'a predicate',
      (point: Vector3, index: number) => point.y < 0 && index < 12,
      at(({ y }) => y < 0).filter((i) => i < 12),
    ],
  ] as [string, PinSelector, number[]][])('is in the space of its geometry: %s', (_, selector, expected) => {
    expect(vertices(selector)).toEqual(expected)
  })

  it('corners are one vertex at each', () => {
    const position = geometry.getAttribute('position')
    const places = vertices('corners').map((i) => new Vector3().fromBufferAttribute(position, i).toArray().join())
    expect(new Set(places).size).toBe(8)
  })

  describe('with vertices that no triangle uses', () => {
    // Vertices 0 to 23 are the box's, 24 is above it, 25 beside the corner of least x, y and z.
    const stray = box(2)
    const places = [...stray.getAttribute('position').array, 0, 5, 0, -3, -0.6, -0.6]
    stray.setAttribute('position', new Float32BufferAttribute(places, 3))
    stray.setAttribute('held', new Float32BufferAttribute([...Array(24).fill(0), 1, 1], 1))
    const { geometry: rest, parts } = readSource('SoftBody', new Group().add(meshAt('Box', stray, 0)), {
      prop: 'children',
    })
    const select = (selector: PinSelector) => selectVertices('SoftBody', 'pins', selector, rest, parts)

    it.each(['top', 'corners', { mesh: 'Box' }, new Box3(new Vector3(-9, 0.4, -9), new Vector3(9, 9, 9))] as const)(
      'names what it names without: %o',
      (selector) => {
        expect(select(selector)).toEqual(vertices(selector))
      },
    )

    it('names none of them by an attribute or a place', () => {
      expect(() => select({ attribute: 'held' })).toThrow(/selects no vertex/)
      expect(() => select((point) => point.y > 1)).toThrow(/selects no vertex/)
    })

    it('takes the nearest that is drawn for the number of one', () => {
      const [nearest] = at(({ x, y, z }) => x < 0 && y < 0 && z < 0)
      expect(select([25])).toEqual([nearest])
      expect(select({ mesh: 'Box', indices: [3, 25] })).toEqual([3, nearest])
    })
  })

  it('that is no selector throws at mount, and warns when it comes later', async () => {
    const bad = { mesh: 'Box', indices: [-1] }
    await expect(mount(<SoftBody geometry={geometry} pins={bad} />)).rejects.toThrow(SettingError)
    const scene = await mount(<SoftBody geometry={geometry} {...coarse} pins="top" />)
    const held = () => scene.world.world.bodies[0]!
    const count = () =>
      Array.from({ length: held().particleCount }, (_, i) => i).filter((i) => held().isPinned(i)).length
    const before = count()
    const warnings = collectWarnings()
    await scene.update(<SoftBody geometry={geometry} {...coarse} pins={{ mesh: 'Roof' }} />)
    expect(warnings.messages).toEqual([expect.stringContaining('the body has no such mesh')])
    warnings.stop()
    expect(before).toBeGreaterThan(0)
    expect(count()).toBe(before)
    await scene.unmount()
  })
})

/** Vertices of one of the body's meshes where they are drawn, in the world. */
function drawn(ref: RefObject<SoftBodyRef | null>, name: string): Vector3[] {
  const mesh = ref.current!.meshes.find((one) => one.name === name)!
  mesh.updateWorldMatrix(true, false)
  const position = mesh.geometry.getAttribute('position')
  return Array.from({ length: position.count }, (_, i) =>
    new Vector3().fromBufferAttribute(position, i).applyMatrix4(mesh.matrixWorld),
  )
}

function largestMove(before: readonly Vector3[], after: readonly Vector3[], matrix = new Matrix4()): number {
  return Math.max(...before.map((point, i) => point.clone().applyMatrix4(matrix).distanceTo(after[i]!)))
}

function at(points: readonly Vector3[], chosen: readonly number[]): Vector3[] {
  return chosen.map((index) => points[index]!)
}

describe('the held vertices of a mesh', () => {
  it.each([
    ['a knot', new TorusKnotGeometry(1, 0.3, 96, 12), 'top', 10],
    ['a ball in few cells', new SphereGeometry(1, 24, 16), (point: Vector3) => point.y > 0.3, 4],
    ['the corners of what stands out of its cells', new DodecahedronGeometry(1, 2), 'corners', 3],
  ] as [string, BufferGeometry, PinSelector, number][])(
    'stay where they are, whatever else carries them: %s',
    async (_, geometry, pins, resolution) => {
      const ref = createRef<SoftBodyRef>()
      const scene = await mount(
        <SoftBody ref={ref} pins={pins} resolution={resolution} youngsModulus={2e4}>
          <mesh name="Held" geometry={geometry} />
        </SoftBody>,
      )
      const before = drawn(ref, 'Held')
      const held = selectVertices('SoftBody', 'pins', pins, geometry)
      await scene.frames(30)
      const after = drawn(ref, 'Held')
      const sag = largestMove(before, after)
      expect(sag).toBeGreaterThan(0.01)
      // Weights below 1e-7 are let go, and what is drawn is rounded to 6e-8 of its coordinates.
      expect(largestMove(at(before, held), at(after, held))).toBeLessThan(1e-6)
      await scene.unmount()
    },
  )
})

describe('the held vertices of a scene', () => {
  it('stay, and the rest hangs from them', async () => {
    const ref = createRef<SoftBodyRef>()
    const scene = await mount(<SoftBody ref={ref} object={tower()} {...coarse} pins={{ mesh: 'Top' }} />)
    const top = drawn(ref, 'Top')
    const bottom = drawn(ref, 'Bottom')
    await scene.frames(60)
    expect(largestMove(top, drawn(ref, 'Top'))).toBeLessThan(1e-6)
    const sag = Math.min(...drawn(ref, 'Bottom').map((point, i) => bottom[i]!.y - point.y))
    expect(sag).toBeGreaterThan(0.01)
    expect(sag).toBeLessThan(0.5)
    await scene.unmount()
  })

  it('name meshes of the body alone, not by what is above it', async () => {
    const ref = createRef<SoftBodyRef>()
    const object = tower()
    const inRoom = (pins: PinSelector) => (
      <group name="Room">
        <SoftBody ref={ref} name="Tower" object={object} {...coarse} pins={pins} />
      </group>
    )
    await expect(mount(inRoom({ mesh: 'Room' }))).rejects.toThrow("no such mesh. It has 'Bottom', 'Middle', 'Top'")
    const scene = await mount(inRoom({ mesh: 'Tower' }))
    const { body, particleCount } = ref.current!
    const held = () => Array.from({ length: particleCount }, (_, i) => i).filter((i) => body!.isPinned(i))
    const all = held()
    await scene.update(inRoom({ mesh: 'Top' }))
    expect(held().length).toBeLessThan(all.length)
    await scene.update(inRoom(() => true))
    expect(held()).toEqual(all)
    await scene.unmount()
  })

  it('name no mesh by an empty name: that is refused', async () => {
    const flaw = { component: 'SoftBody', value: { mesh: '' }, problem: 'names no mesh', remedy: expect.any(String) }
    const body = (props: object) => <SoftBody geometry={box()} {...coarse} {...props} />
    const refused = await mount(body({ pins: { mesh: '' } })).catch((thrown: unknown) => thrown)
    expect(refused).toMatchObject({ ...flaw, prop: 'pins' })
    const ref = createRef<SoftBodyRef>()
    const scene = await mount(body({ ref }))
    for (const method of ['pin', 'unpin'] as const) {
      const thrown = thrownBy(() => ref.current![method]({ mesh: '' }))
      expect(thrown).toMatchObject({ ...flaw, prop: method })
    }
    const warnings = collectWarnings()
    await scene.update(body({ ref, pins: { mesh: '' } }))
    expect(warnings.messages).toEqual([expect.stringMatching(/<SoftBody> pins=.*names no mesh.*stays/)])
    warnings.stop()
    expect(ref.current!.body!.isPinned(0)).toBe(false)
    await scene.unmount()
  })

  it('must be given to pin of the ref, which says what it was given', async () => {
    const ref = createRef<SoftBodyRef>()
    const scene = await mount(<SoftBody ref={ref} geometry={box()} {...coarse} />)
    ref.current!.pin([0])
    const thrown = thrownBy(() => ref.current!.pin(undefined as unknown as PinSelector))
    expect(thrown).toMatchObject({ component: 'SoftBody', prop: 'pin', value: undefined, problem: 'must be given' })
    ref.current!.unpin()
    await scene.unmount()
  })

  it('are added to and taken away by the ref', async () => {
    const ref = createRef<SoftBodyRef>()
    const scene = await mount(<SoftBody ref={ref} object={tower()} {...coarse} />)
    const { body, particleCount } = ref.current!
    const held = () => Array.from({ length: particleCount }, (_, i) => i).filter((i) => body!.isPinned(i))
    ref.current!.pin({ mesh: 'Top' })
    const top = held()
    ref.current!.pin({ mesh: 'Bottom' })
    expect(held().length).toBeGreaterThan(top.length)
    ref.current!.unpin({ mesh: 'Bottom' })
    expect(held()).toEqual(top)
    ref.current!.unpin()
    expect(held()).toEqual([])
    await scene.unmount()
  })
})

describe('<Pin> in a scene', () => {
  it('leads what it holds with a target that a step moves, to where it is by the end of that step', async () => {
    const ref = createRef<SoftBodyRef>()
    const handle = createRef<Group>()
    function Scene({ pinned }: { pinned: boolean }) {
      const target = useRef<Group>(null)
      return (
        <>
          <group ref={handle} position={[0, 3, 0]}>
            <group ref={target} />
          </group>
          <SoftBody ref={ref} object={tower()} {...coarse}>
            {pinned && <Pin at={{ mesh: 'Top' }} target={target} />}
          </SoftBody>
        </>
      )
    }
    const scene = await mount(<Scene pinned />, { ...weightless, updateLoop: 'manual' })
    const before = drawn(ref, 'Top')
    const start = handle.current!.matrixWorld.clone()
    for (let k = 1; k <= 5; k++) {
      handle.current!.position.set(0.02 * k, 3, 0.01 * k)
      handle.current!.rotation.set(0, 0.05 * k, 0.02 * k)
      scene.world.step()
      handle.current!.updateWorldMatrix(true, true)
      const motion = handle.current!.matrixWorld.clone().multiply(start.clone().invert())
      expect(largestMove(before, drawn(ref, 'Top'), motion)).toBeLessThan(1e-6)
    }
    const { body, particleCount } = ref.current!
    const held = () => Array.from({ length: particleCount }, (_, i) => i).filter((i) => body!.isPinned(i))
    expect(held().length).toBeGreaterThan(0)
    await scene.unmount()
  })

  it.each([
    ['flat', /<Pin> scale=\{\[0, 0, 0\]\}: is flat/, (group: Group) => group.scale.setScalar(0)],
    ['nowhere', /<Pin> position=\{\[NaN, 0, 0\]\}/, (group: Group) => group.position.setX(Number.NaN)],
  ] as const)(
    'holds its particles where they are while its target is %s, and follows it from then on',
    async (_, message, spoil) => {
      const warnings = collectWarnings()
      const ref = createRef<SoftBodyRef>()
      const handle = new Group()
      spoil(handle)
      const scene = await mount(
        [
          <primitive key="handle" object={handle} />,
          <SoftBody key="body" ref={ref} object={tower()} {...coarse}>
            <Pin at={{ mesh: 'Top' }} target={{ current: handle }} />
          </SoftBody>,
        ],
        { ...weightless, updateLoop: 'manual' },
      )
      const before = drawn(ref, 'Top')
      scene.world.step(3)
      expect(largestMove(before, drawn(ref, 'Top'))).toBeLessThan(1e-6)
      expect(warnings.messages.filter((said) => said.startsWith('<Pin>'))).toEqual([expect.stringMatching(message)])
      warnings.stop()
      handle.scale.setScalar(1)
      handle.position.set(2, 0, 0)
      scene.world.step(2)
      expect(largestMove(before, drawn(ref, 'Top'))).toBeLessThan(1e-6)
      handle.position.set(2, 0.1, 0)
      scene.world.step(2)
      const raised = new Matrix4().makeTranslation(0, 0.1, 0)
      expect(largestMove(before, drawn(ref, 'Top'), raised)).toBeLessThan(1e-6)
      for (const size of [Number.NaN, 1e300]) {
        handle.scale.setScalar(size)
        handle.position.setX(size)
        scene.world.step(2)
        expect(ref.current!.meshes.every((mesh) => mesh.geometry.boundingSphere!.radius > 0)).toBe(true)
      }
      await scene.unmount()
    },
  )

  it('follows a target from when its ref is filled, and stays where that was once it is empty again', async () => {
    const ref = createRef<SoftBodyRef>()
    const target = createRef<Group>() as { current: Group | null }
    const group = createRef<Group>()
    const content = (there: boolean) => [
      <SoftBody key="body" ref={ref} object={object} {...coarse}>
        <Pin at={{ mesh: 'Top' }} target={target} ref={group} />
      </SoftBody>,
      there && <group key="target" ref={target} position={[0, 5, 0]} rotation={[0, 1, 0]} />,
    ]
    const object = tower()
    const scene = await mount(content(false), weightless)
    const before = drawn(ref, 'Top')
    const moved = (x: number) => largestMove(before, drawn(ref, 'Top'), new Matrix4().makeTranslation(x, 0, 0))
    group.current!.position.x = 3
    await scene.frames(3)
    expect(moved(0)).toBeLessThan(1e-6)
    await scene.update(content(true))
    await scene.frames(3)
    expect(moved(0)).toBeLessThan(1e-6)
    target.current!.position.x = 0.1
    await scene.frames(3)
    expect(moved(0.1)).toBeLessThan(1e-6)
    await scene.update(content(false))
    expect(target.current).toBeNull()
    await scene.frames(3)
    expect(moved(0.1)).toBeLessThan(1e-6)
    // Another object, elsewhere: it leads them from where they are.
    await scene.update(content(true))
    await scene.frames(1)
    target.current!.position.x += 0.1
    await scene.frames(3)
    expect(moved(0.2)).toBeLessThan(1e-6)
    await scene.unmount()
  })

  it('says what is wrong with a target that is no object: at mount, and once when it comes later', async () => {
    const ref = createRef<SoftBodyRef>()
    const target: { current: unknown } = { current: null }
    const object = tower()
    const content = (given: unknown) => (
      <SoftBody ref={ref} object={object} {...coarse}>
        <Pin at="top" target={given as RefObject<Object3D | null>} />
      </SoftBody>
    )
    await expect(mount(content(new Group()))).rejects.toThrow(/<Pin> target=.*is no ref\. Use the ref of an object/)
    for (const current of [{}, 3, 'top']) {
      await expect(mount(content({ current }))).rejects.toThrow(/<Pin> target=.*is no object of the scene\. /)
    }
    const scene = await mount(content(target))
    const warnings = collectWarnings()
    target.current = ref.current
    await scene.frames(3)
    expect(warnings.messages).toEqual([expect.stringMatching(/<Pin> target=.*is no object of the scene\. .*<Attach>/)])
    warnings.stop()
    await scene.unmount()
  })

  it('frees what it held at unmount, and holds on through another scene', async () => {
    const ref = createRef<SoftBodyRef>()
    const objects = [tower(), tower()]
    objects[1]!.getObjectByName('Bottom')!.scale.setScalar(0.5)
    const content = (pinned: boolean, which: number) => (
      <SoftBody ref={ref} object={objects[which]} {...coarse}>
        {pinned && <Pin at={{ mesh: 'Top' }} />}
      </SoftBody>
    )
    const scene = await mount(content(true, 0), weightless)
    const top = drawn(ref, 'Top')
    const middle = drawn(ref, 'Middle')
    const engine = ref.current!.body
    await scene.update(content(true, 1))
    expect(ref.current!.body).not.toBe(engine)
    await scene.update(content(true, 1), {})
    await scene.frames(30)
    expect(largestMove(middle, drawn(ref, 'Middle'))).toBeGreaterThan(0.01)
    expect(largestMove(top, drawn(ref, 'Top'))).toBeLessThan(1e-6)
    await scene.update(content(false, 1), {})
    const { body, particleCount } = ref.current!
    expect(Array.from({ length: particleCount }, (_, i) => body!.isPinned(i))).not.toContain(true)
    const [before] = drawn(ref, 'Top')
    await scene.frames(30)
    expect(before!.y - drawn(ref, 'Top')[0]!.y).toBeGreaterThan(0.5)
    await scene.unmount()
  })

  it('carries meshes of its own that are no part of the body', async () => {
    const ref = createRef<SoftBodyRef>()
    const scene = await mount(
      <SoftBody ref={ref} object={tower()} {...coarse}>
        <Pin at="top">
          <mesh name="Hook" geometry={new BoxGeometry()} />
        </Pin>
      </SoftBody>,
    )
    await scene.frames(2)
    expect(ref.current!.meshes.map(({ name }) => name)).toEqual(['Bottom', 'Middle', 'Top'])
    await scene.unmount()
  })

  it('is led by a callback of each step', async () => {
    const ref = createRef<SoftBodyRef>()
    function Lifted() {
      const group = useRef<Group>(null)
      useBeforeStep(() => {
        group.current!.position.y += 0.01
      })
      return (
        <>
          <group ref={group} />
          <SoftBody ref={ref} object={tower()} {...coarse}>
            <Pin at={{ mesh: 'Bottom' }} target={group} />
          </SoftBody>
        </>
      )
    }
    const scene = await mount(<Lifted />, { ...weightless, updateLoop: 'manual' })
    const before = drawn(ref, 'Bottom')
    scene.world.step(10)
    // A callback moves the object after a step's poses were read: what is held follows with the next step.
    expect(largestMove(before, drawn(ref, 'Bottom'), new Matrix4().makeTranslation(0, 0.09, 0))).toBeLessThan(1e-6)
    await scene.unmount()
  })
})
