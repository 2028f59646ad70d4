// Geometry that nothing can be made of: every component says which prop or mesh it is, what is wrong and what to do.
import type { ReactNode } from 'react'
import { BoxGeometry, BufferGeometry, Float32BufferAttribute, Group, InstancedBufferGeometry, Mesh } from 'three'
import { describe, expect, it } from 'vitest'
import { Cloth, Collider, preload, SettingError, SoftBody, useSoftBody } from '../../src/index.js'
import { collectWarnings, mount } from './mount.js'

const tetrahedron = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]
const faces = [0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2]

function geometryOf(positions: readonly number[], index?: readonly number[], itemSize = 3): BufferGeometry {
  const geometry = new BufferGeometry().setAttribute('position', new Float32BufferAttribute([...positions], itemSize))
  return index ? geometry.setIndex([...index]) : geometry
}

function withNumber(value: number): BufferGeometry {
  return geometryOf([...tetrahedron.slice(0, 10), value, 1], faces)
}

const morphing = geometryOf(tetrahedron, faces)
morphing.morphAttributes.position = [morphing.getAttribute('position')]
const instanced = new InstancedBufferGeometry().copy(geometryOf(tetrahedron, faces) as InstancedBufferGeometry)
instanced.name = 'BufferGeometry'

const wrong: readonly [string, BufferGeometry, RegExp][] = [
  ['no position attribute', new BufferGeometry(), /no positions\. Give/],
  ['no vertex', geometryOf([]), /no positions\. Give/],
  ['a position that is no number', withNumber(Number.NaN), /vertex 3 has .*not a finite number \(NaN\)\. Look for/],
  ['an endless position', withNumber(Number.POSITIVE_INFINITY), /vertex 3 has .*\(Infinity\)\. Look for/],
  ['two numbers a vertex', geometryOf(tetrahedron, undefined, 2), /positions of 2 numbers\. Give three/],
  ['an index past the end', geometryOf(tetrahedron, [...faces.slice(1), 4]), /index 4 .* 4 vertices\. Use .*below 4/],
  ['corners that are not threes', geometryOf(tetrahedron, faces.slice(1)), /11 indices do not make whole .*Give three/],
  ['two vertices', geometryOf([0, 0, 0, 1, 0, 0]), /2 vertices do not make whole triangles\. Give three/],
  ['an empty index', geometryOf(tetrahedron, []), /no triangle has an area\. Give it faces/],
  ['all at one place', geometryOf(Array(12).fill(1), faces), /no triangle has an area\. Give it faces/],
  ['all in a line', geometryOf([0, 0, 0, 1, 2, 3, 2, 4, 6, 3, 6, 9], faces), /no triangle has an area\. Give it faces/],
  [
    'a corner ten thousand kilometres off',
    geometryOf([...tetrahedron, 0, 1e7, 0], [...faces, 0, 1, 4]),
    /vertex 4, at \(0, 10000000, 0\), is so far from the others .*\. Leave its triangles out/,
  ],
  ['morph targets', morphing, /morph targets cannot be simulated\. Delete/],
  ['instances of its own', instanced, /instances cannot be simulated\. Use a mesh for each/],
]

function Hooked({ geometry }: { geometry: BufferGeometry }): ReactNode {
  const { ref, geometry: own } = useSoftBody({ geometry, resolution: 3 })
  return <mesh ref={ref} name="Culprit" geometry={own} />
}

const culprit = (geometry: BufferGeometry) => <mesh name="Culprit" geometry={geometry} />
const fine = <mesh name="Fine" geometry={new BoxGeometry()} />

/** By component, prop and value of the error: what is rendered around a geometry. */
const components: readonly [string, string, unknown, (geometry: BufferGeometry) => ReactNode][] = [
  ['SoftBody', 'children', 'Culprit', (geometry) => <SoftBody>{culprit(geometry)}</SoftBody>],
  ['SoftBody', 'geometry', 'Mesh', (geometry) => <SoftBody geometry={geometry} />],
  [
    'SoftBody',
    'object',
    'Culprit',
    (geometry) => {
      const bad = new Mesh(geometry)
      bad.name = 'Culprit'
      return <SoftBody object={new Group().add(new Mesh(new BoxGeometry()), bad)} />
    },
  ],
  ['useSoftBody', 'ref', 'Culprit', (geometry) => <Hooked geometry={geometry} />],
  ['Cloth', 'children', 'Culprit', (geometry) => <Cloth>{culprit(geometry)}</Cloth>],
  ['Cloth', 'geometry', 'Mesh', (geometry) => <Cloth geometry={geometry} />],
  ['Collider.Mesh', 'children', 'Culprit', (geometry) => <Collider.Mesh>{culprit(geometry)}</Collider.Mesh>],
  ['Collider.Mesh', 'geometry', 'BufferGeometry', (geometry) => <Collider.Mesh geometry={geometry} />],
]

/** Beside sound meshes, triangles without an area harm nobody. */
const harmless = /no triangle has an area/

async function refusalOf(content: ReactNode): Promise<SettingError> {
  const error = await mount(content).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(SettingError)
  return error as SettingError
}

describe.each(wrong)('%s', (_, geometry, message) => {
  const told = components.filter(([, prop]) => prop !== 'object' || !harmless.test(String(message)))
  it.each(told)('is refused by <%s> as its %s', async (component, prop, value, render) => {
    const error = await refusalOf(render(geometry))
    expect(error).toMatchObject({ component, prop, value })
    expect(error.message).toMatch(message)
  })

  it('is refused by preload', async () => {
    const error: unknown = await preload(geometry).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(SettingError)
    expect(error).toMatchObject({ component: 'preload', prop: 'geometry', value: 'BufferGeometry' })
    expect((error as Error).message).toMatch(message)
  })
})

describe('a mesh among others', () => {
  it('is the one that is named', async () => {
    for (const content of [
      <SoftBody key="body">{[fine, culprit(withNumber(Number.NaN))]}</SoftBody>,
      <Collider.Mesh key="collider">{[fine, culprit(withNumber(Number.NaN))]}</Collider.Mesh>,
    ]) {
      const error = await refusalOf(content)
      expect(error).toMatchObject({ prop: 'children', value: 'Culprit' })
      expect(error.message).toMatch(/vertex 3 has/)
    }
  })
})

describe('Collider.Hull', () => {
  it.each([
    ['in one plane', geometryOf(tetrahedron.slice(0, 9)), /four points/],
    ['not finite', withNumber(Number.NaN), /finite numbers/],
  ])('names the mesh or the geometry whose vertices are %s', async (_, geometry, message) => {
    const ofMesh = await refusalOf(<Collider.Hull>{culprit(geometry)}</Collider.Hull>)
    expect(ofMesh).toMatchObject({ component: 'Collider.Hull', prop: 'children', value: 'Culprit' })
    const given = await refusalOf(<Collider.Hull geometry={geometry} />)
    expect(given).toMatchObject({ component: 'Collider.Hull', prop: 'geometry', value: 'BufferGeometry' })
    for (const error of [ofMesh, given]) expect(error.message).toMatch(message)
  })
})

describe('a geometry that becomes wrong', () => {
  it('warns once, and the body goes on as it was', async () => {
    const body = (geometry: BufferGeometry) => <SoftBody geometry={geometry} resolution={3} />
    const scene = await mount(body(new BoxGeometry()))
    const [before] = scene.world.world.bodies
    const warnings = collectWarnings()
    await scene.update(body(withNumber(Number.NaN)))
    await scene.frames(3)
    expect(warnings.messages).toEqual([expect.stringMatching(/<SoftBody> geometry=\{'Mesh'\}: vertex 3 has/)])
    warnings.stop()
    expect(scene.world.world.bodies).toEqual([before])
    await scene.unmount()
  })
})

describe('tetMesh', () => {
  it.each([
    ['turned inside out', tetrahedron, [0, 2, 1, 3], /tetrahedron 0 is inverted or flat\. Swap/],
    ['of a vertex that is not there', tetrahedron, [0, 1, 2, 9], /vertex 9 of 4 does not exist\. Use indices below 4/],
    ['not finite', [Number.NaN, ...tetrahedron.slice(1)], [0, 1, 2, 3], /vertex 0 has .*finite number\. Look for/],
    ['with a vertex too many', [...tetrahedron, 1, 1, 1], [0, 1, 2, 3], /vertex 4 is in no tetrahedron\. Drop/],
  ] as const)('%s is refused', async (_, positions, tets, message) => {
    const error = await refusalOf(<SoftBody geometry={new BoxGeometry()} tetMesh={{ positions, tets }} />)
    expect(error).toMatchObject({ component: 'SoftBody', prop: 'tetMesh' })
    expect(error.message).toMatch(message)
  })
})

describe('a mesh of millimetres', () => {
  it('is too heavy, and the error says how to mend it', async () => {
    const error = await refusalOf(<SoftBody geometry={new BoxGeometry(200, 200, 200)} resolution={3} />)
    expect(error).toMatchObject({ component: 'SoftBody', prop: 'mass', value: 8e9 })
    expect(error.remedy).toMatch(/scale to metres/)
  })
})
