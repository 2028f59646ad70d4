import { createRef, type ReactNode } from 'react'
import { BufferGeometry, CylinderGeometry, type Mesh, PlaneGeometry, SphereGeometry } from 'three'
import { describe, expect, it } from 'vitest'
import { Attach, Cloth, type ClothRef, Pin, Rope, Spring } from '../../src/index.js'
import { collectWarnings, contentOf, firstMeshOf, mount } from './mount.js'

const at = (ref: { current: ClothRef | null }, vertex: number) => {
  const position = ref.current!.geometry!.getAttribute('position')
  return [position.getX(vertex), position.getY(vertex), position.getZ(vertex)]
}

describe('the shape of a cloth', () => {
  it('is a rectangle of args, or where nothing is given; pins and materials make no mesh', async () => {
    const ref = createRef<ClothRef>()
    const particles = async (cloth: ReactNode) => {
      const scene = await mount(cloth)
      const { particleCount } = ref.current!
      await scene.unmount()
      return particleCount
    }
    expect(await particles(<Cloth ref={ref} args={[1, 1, 3, 4]} />)).toBe(20)
    expect(await particles(<Cloth ref={ref} />)).toBe(17 * 17)
    const inside = (
      <Cloth ref={ref}>
        <meshBasicMaterial />
        <>
          <Pin at="top" />
        </>
      </Cloth>
    )
    expect(await particles(inside)).toBe(17 * 17)
  })

  it('is the mesh among its children, or a geometry, which nobody writes into', async () => {
    const geometry = new CylinderGeometry(0.3, 0.5, 1, 16, 6, true)
    const before = contentOf(geometry)
    const ref = createRef<ClothRef>()
    const shapes = [
      <Cloth key="child" ref={ref} position={[0, 2, 0]} drag={0} lift={0}>
        <group scale={2}>
          <mesh geometry={geometry} />
        </group>
      </Cloth>,
      <Cloth key="prop" ref={ref} position={[0, 2, 0]} scale={2} drag={0} lift={0} geometry={geometry}>
        <meshBasicMaterial />
      </Cloth>,
    ]
    for (const shape of shapes) {
      const scene = await mount(shape)
      // The seam of uv is welded: 16 columns of 7, where the geometry has 17.
      expect(ref.current!.particleCount).toBe(16 * 7)
      const area = ref.current!.body!.model.measure
      expect(area).toBeGreaterThan(9)
      expect(area).toBeLessThan(11)
      expect(ref.current!.centerOfMass([0, 0, 0])[1]).toBeCloseTo(2, 0)
      await scene.frames(30)
      const drawn = firstMeshOf(scene)
      expect(drawn.geometry).not.toBe(geometry)
      expect(drawn.geometry.getAttribute('uv')).toBe(geometry.getAttribute('uv'))
      // It has fallen, and the two sides of the seam, vertices 0 and 16 of the first ring, are still at one place.
      expect(ref.current!.velocity([0, 0, 0])[1]).toBeCloseTo(-9.81 / 2, 1)
      expect(at(ref, 0)).toEqual(at(ref, 16))
      expect(contentOf(geometry)).toEqual(before)
      await scene.unmount()
      expect(contentOf(geometry)).toEqual(before)
    }
  })

  it('of one geometry is built once for several cloths, also in StrictMode', async () => {
    const geometry = new SphereGeometry(0.5, 12, 8)
    const refs = [createRef<ClothRef>(), createRef<ClothRef>()]
    const scene = await mount(
      refs.map((ref, k) => <Cloth key={k} ref={ref} geometry={geometry} position={[k, 0, 0]} />),
    )
    const [one, two] = refs.map((ref) => ref.current!.body!.model)
    expect(one).toBe(two)
    expect(scene.world.world.bodies.length).toBe(2)
    await scene.unmount()
  })

  it('changes with args, geometry and children, and comes and goes with them', async () => {
    const ref = createRef<ClothRef>()
    const geometry = new PlaneGeometry(2, 2, 5, 5)
    const scene = await mount(<Cloth ref={ref} args={[1, 1, 3, 3]} />)
    expect(ref.current!.particleCount).toBe(16)
    await scene.update(<Cloth ref={ref} geometry={geometry} />)
    expect(ref.current!.particleCount).toBe(36)
    const child = (
      <Cloth ref={ref}>
        <mesh>
          <planeGeometry args={[1, 1, 2, 2]} />
        </mesh>
      </Cloth>
    )
    await scene.update(child)
    expect(ref.current!.particleCount).toBe(9)
    await scene.update(<Cloth ref={ref} args={[1, 1, 3, 3]} />)
    expect(ref.current!.particleCount).toBe(16)
    expect(scene.world.world.bodies.length).toBe(1)
    await scene.unmount()
  })

  it('is a rectangle where pins, attachments and springs are all its children', async () => {
    const ref = createRef<ClothRef>()
    const scene = await mount(
      <Cloth ref={ref} pins="top">
        <meshBasicMaterial />
        <Spring />
        <Attach at="top" />
        <Pin at="corners" />
      </Cloth>,
    )
    expect(ref.current!.particleCount).toBe(17 * 17)
    await scene.unmount()
  })

  it('of a mesh without faces is refused', async () => {
    const warnings = collectWarnings()
    await expect(mount(<Cloth geometry={new BufferGeometry()} />)).rejects.toThrow(/<Cloth>/)
    warnings.stop()
  })
})

describe('pins of a mesh', () => {
  it('hold the particles of the vertices that a selector names', async () => {
    const ref = createRef<ClothRef>()
    const geometry = new CylinderGeometry(0.3, 0.5, 1, 16, 6, true)
    const held = () => {
      const { body } = ref.current!
      return Array.from({ length: body!.particleCount }, (_, i) => i).filter((i) => body!.isPinned(i)).length
    }
    const cloth = (pins: 'top' | readonly number[], inside?: ReactNode) => (
      <Cloth ref={ref} pins={pins}>
        <mesh geometry={geometry} />
        {inside}
      </Cloth>
    )
    const scene = await mount(cloth('top'))
    expect(held()).toBe(16)
    // Both vertices of the seam are one particle.
    await scene.update(cloth([0, 16]))
    expect(held()).toBe(1)
    await scene.update(cloth([0, 16], <Pin at={[5]} />))
    expect(held()).toBe(2)
    await scene.frames(30)
    expect(at(ref, 0)[1]).toBeCloseTo(0.5, 9)
    expect(at(ref, 40)[1]).toBeLessThan(0.45)
    await scene.unmount()
  })
})

it.each([1e12, 1e-320, [1e12, 1, 1]] as const)(
  'a scale that no cloth can have is named, not its args: %s',
  async (scale) => {
    const error: unknown = await mount(<Cloth args={[1, 1e-4, 3, 3]} scale={scale} />).catch(
      (thrown: unknown) => thrown,
    )
    expect(error).toMatchObject({ component: 'Cloth', prop: 'scale' })
  },
)

describe('moduli of a cloth', () => {
  it('reach the engine live, none and Infinity too, and fall back when taken away', async () => {
    const ref = createRef<ClothRef>()
    const scene = await mount(<Cloth ref={ref} args={[1, 1, 3, 3]} />)
    const elastic = () => ref.current!.body!.settings.elastic
    const defaults = elastic()
    expect(defaults).toEqual({ membrane: { stretchModulus: 1000, shearModulus: 100 }, bend: { modulus: 1e-4 } })
    await scene.update(
      <Cloth ref={ref} args={[1, 1, 3, 3]} stretchModulus={Infinity} shearModulus={0} bendRigidity={0} />,
    )
    expect(elastic()).toEqual({ membrane: { stretchModulus: Infinity, shearModulus: 0 }, bend: false })
    await scene.update(<Cloth ref={ref} args={[1, 1, 3, 3]} shearModulus={5} bendRigidity={Infinity} />)
    expect(elastic()).toEqual({ membrane: { stretchModulus: 1000, shearModulus: 5 }, bend: { compliance: 0 } })
    await scene.update(<Cloth ref={ref} args={[1, 1, 3, 3]} />)
    expect(elastic()).toEqual(defaults)
    await scene.unmount()
  })

  it.each([5e-324, 1e-100, 1e13, 1e308])(
    'and stiffnesses of a rope may be anything from 0 to Infinity: %d',
    async (value) => {
      const far = { stretchModulus: value, shearModulus: value, bendRigidity: value }
      const scene = await mount([
        <Cloth key="cloth" args={[1, 1, 3, 3]} pins="top" {...far} />,
        <Rope
          key="rope"
          position={[2, 0, 0]}
          segments={4}
          pins="start"
          stretchStiffness={value}
          bendRigidity={value}
        />,
      ])
      await scene.frames(10)
      expect(scene.world.world.bodies.length).toBe(2)
      expect(scene.world.stats.nonFiniteRescues).toBe(0)
      await scene.unmount()
    },
  )

  it('leave the material of a mesh to the user', async () => {
    const mesh = createRef<Mesh>()
    const cloth = (
      <Cloth>
        <mesh ref={mesh}>
          <planeGeometry args={[1, 1, 4, 4]} />
          <meshBasicMaterial name="mine" />
        </mesh>
      </Cloth>
    )
    const scene = await mount(cloth)
    expect(mesh.current!.material).toMatchObject({ name: 'mine' })
    await scene.unmount()
  })
})
