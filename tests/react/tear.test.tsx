import { createRef } from 'react'
import {
  BufferAttribute,
  type BufferGeometry,
  type Group,
  MeshBasicMaterial,
  PlaneGeometry,
  SphereGeometry,
  Vector3,
} from 'three'
import { describe, expect, it } from 'vitest'
import { Cloth, type ClothRef, type ClothTear, type CollisionGroups, Cut } from '../../src/index.js'
import { collectWarnings, contentOf, firstMeshOf, mount } from './mount.js'

const still = { gravity: [0, 0, 0] } as const

/** Area of the uv of all triangles. */
function uvArea({ attributes: { uv }, index }: BufferGeometry): number {
  let sum = 0
  for (let i = 0; i < index!.count; i += 3) {
    const [a, b, c] = [index!.getX(i), index!.getX(i + 1), index!.getX(i + 2)]
    const u = (p: number, q: number) => uv!.getX(q) - uv!.getX(p)
    const v = (p: number, q: number) => uv!.getY(q) - uv!.getY(p)
    sum += Math.abs(u(a, b) * v(a, c) - u(a, c) * v(a, b)) / 2
  }
  return sum
}

/** The largest distance between a drawn corner and the particle of the model's that has the same place at rest. */
function expectDrawn(ref: ClothRef, geometry: BufferGeometry): void {
  const { model } = ref.body!
  const x = ref.readPositions(new Float64Array(3 * ref.particleCount))
  const position = geometry.attributes.position!
  const places = (list: Float64Array | ArrayLike<number>, i: number) =>
    [0, 1, 2].map((d) => Math.fround(list[3 * i + d]!).toFixed(5)).join()
  const drawn: string[] = []
  for (let i = 0; i < geometry.index!.count; i += 3) {
    const corners = [0, 1, 2].map((k) => geometry.index!.getX(i + k))
    drawn.push(
      corners
        .map((v) => places(position.array, v))
        .sort()
        .join(' '),
    )
  }
  const simulated: string[] = []
  for (let t = 0; t < model.triangles.length; t += 3) {
    simulated.push(
      [0, 1, 2]
        .map((k) => places(x, model.triangles[t + k]!))
        .sort()
        .join(' '),
    )
  }
  expect(drawn.sort()).toEqual(simulated.sort())
}

/** Normals are those of the triangles that are drawn at a vertex and hang together there: one for each point of a side. */
function expectNormals(
  { attributes: { position, normal }, index }: BufferGeometry,
  particles: (v: number) => number,
): void {
  const sums = new Map<number, Vector3>()
  const [a, b, c] = [new Vector3(), new Vector3(), new Vector3()]
  const corners = (t: number) => [index!.getX(t), index!.getX(t + 1), index!.getX(t + 2)] as const
  for (let t = 0; t < index!.count; t += 3) {
    const [i, j, k] = corners(t)
    a.fromBufferAttribute(position!, i)
    b.fromBufferAttribute(position!, j).sub(a)
    c.fromBufferAttribute(position!, k).sub(a)
    b.cross(c)
    for (const v of [i, j, k]) sums.set(particles(v), (sums.get(particles(v)) ?? new Vector3()).add(b))
  }
  for (let t = 0; t < index!.count; t += 3) {
    for (const v of corners(t)) {
      const own = a.fromBufferAttribute(normal!, v)
      expect(own.dot(b.copy(sums.get(particles(v))!).normalize())).toBeGreaterThan(0.999)
    }
  }
}

describe('a torn cloth', () => {
  it('has the normals of either side along a rip, however far apart they turn, and after a reset those of one sheet', async () => {
    const ref = createRef<ClothRef>()
    const scene = await mount(<Cloth ref={ref} args={[1, 1, 6, 6]} bendRigidity={0} drag={0} lift={0} />, still)
    ref.current!.cut({ point: [0.02, 0, 0], normal: [1, 0.1, 0] })
    const { body } = ref.current!
    const [left, right] = [body!.pieceOf([0]), body!.pieceOf([6])]
    // One side turns about its middle, and the other the other way.
    const turn = new Float64Array(3 * body!.particleCount)
    for (const [piece, sign] of [
      [left, 1],
      [right, -1],
    ] as const) {
      for (const i of piece.particles) {
        const [x] = body!.getPosition(i, [0, 0, 0])
        turn[3 * i + 2] = sign * 400 * (x + sign * 0.25) * body!.mass * body!.model.massShares[i]!
      }
    }
    ref.current!.addForces(turn)
    scene.world.step(12)
    const { geometry } = ref.current!
    const { position, normal, uv } = geometry!.attributes
    const place = (v: number) => [0, 1, 2].map((d) => position!.getComponent(v, d).toFixed(5)).join()
    const at = new Map<string, number>()
    expectNormals(geometry!, (v) => at.get(place(v)) ?? (at.set(place(v), at.size), at.size - 1))
    // Where one uv is drawn twice, its two normals are far apart.
    let apart = 0
    for (let v = 49; v < body!.particleCount; v++) {
      const twin = [...Array(49).keys()].find((k) => uv!.getX(k) === uv!.getX(v) && uv!.getY(k) === uv!.getY(v))!
      const [one, two] = [v, twin].map((k) => new Vector3().fromBufferAttribute(normal!, k))
      apart = Math.max(apart, one!.angleTo(two!))
    }
    expect(apart).toBeGreaterThan(0.5)
    ref.current!.reset()
    scene.world.step(1)
    const side = ref.current!.geometry!.attributes.normal!
    for (let v = 0; v < 49; v++) expect(side.getZ(v)).toBeCloseTo(1, 5)
    await scene.unmount()
  })

  it('tells of each tear where the particle is that was split off', async () => {
    const ref = createRef<ClothRef>()
    let count = 0
    const scene = await mount(
      <Cloth
        ref={ref}
        args={[1, 1, 8, 8]}
        pins="top"
        gravityScale={40}
        tearStrength={20}
        strainLimit={0.05}
        onTear={({ particle, point, ref: own }) => {
          count++
          expect(own?.getPosition(particle, [0, 0, 0])).toEqual([...point])
        }}
      />,
    )
    scene.world.step(40)
    expect(count).toBeGreaterThan(2)
    await scene.unmount()
  })

  it('is drawn as it is simulated, with uv and groups kept, and whole again after a reset; the geometry is not touched', async () => {
    const geometry = new PlaneGeometry(1, 1, 6, 6)
    geometry.addGroup(0, 30, 0)
    geometry.addGroup(30, 186, 1)
    geometry.setAttribute(
      'color',
      new BufferAttribute(
        new Uint8Array(49 * 3).map((_, k) => k),
        3,
        true,
      ),
    )
    const before = contentOf(geometry)
    const ref = createRef<ClothRef>()
    const other = createRef<ClothRef>()
    const materials = [new MeshBasicMaterial(), new MeshBasicMaterial()]
    const scene = await mount(
      <>
        <Cloth ref={ref}>
          <mesh geometry={geometry} material={materials} />
        </Cloth>
        <Cloth ref={other} position={[3, 0, 0]}>
          <mesh geometry={geometry} material={materials} />
        </Cloth>
      </>,
      still,
    )
    const area = uvArea(ref.current!.geometry!)
    ref.current!.cut({ point: [0.02, 0.03, 0], normal: [1, 0.3, 0] })
    ref.current!.cut({ point: [0.02, 0.03, 0], normal: [0.2, -1, 0] })
    scene.world.step(1)
    const drawn = ref.current!.geometry!
    expect(ref.current!.particleCount).toBeGreaterThan(49 + 8)
    expect(drawn.index!.count).toBe(geometry.index!.count)
    expect(drawn.groups).toEqual(geometry.groups)
    expect(uvArea(drawn)).toBeCloseTo(area, 6)
    ref.current!.applyRadialImpulse([0.02, 0.03, 0.3], 0.3, 2)
    scene.world.step(10)
    expectDrawn(ref.current!, drawn)
    // Colours and uv are those of the vertex that was doubled: where it lies at rest, they are.
    const { model } = ref.current!.body!
    for (let i = 0; i < drawn.index!.count; i++) {
      const v = drawn.index!.getX(i)
      if (v < 49) continue
      const uv = [drawn.attributes.uv!.getX(v), drawn.attributes.uv!.getY(v)]
      const source = [...Array(49).keys()].find((k) => {
        const { uv: own } = geometry.attributes
        return own!.getX(k) === uv[0] && own!.getY(k) === uv[1]
      })!
      for (let k = 0; k < 3; k++) {
        expect(drawn.attributes.color!.getComponent(v, k)).toBe(geometry.attributes.color!.getComponent(source, k))
      }
      const normal = drawn.attributes.normal!
      expect(Math.hypot(normal.getX(v), normal.getY(v), normal.getZ(v))).toBeCloseTo(1, 5)
    }
    expect(model.torn).toBeDefined()
    expect(other.current!.particleCount).toBe(49)
    expect(other.current!.geometry!.getAttribute('uv')).toBe(geometry.getAttribute('uv'))
    ref.current!.reset()
    scene.world.step(1)
    expect(ref.current!.particleCount).toBe(49)
    expectDrawn(ref.current!, drawn)
    expect(uvArea(drawn)).toBeCloseTo(area, 6)
    await scene.unmount()
    expect(contentOf(geometry)).toEqual(before)
  })

  it('tears where it is overloaded, tells where, and goes with its component in the middle of it', async () => {
    const ref = createRef<ClothRef>()
    const tears: ClothTear[] = []
    const scene = await mount(
      <Cloth
        ref={ref}
        args={[1, 1, 8, 8]}
        pins="top"
        gravityScale={40}
        tearStrength={20}
        strainLimit={0.05}
        onTear={(tear) => tears.push({ ...tear, point: [...tear.point] })}
      />,
    )
    scene.world.step(40)
    const total = tears.reduce((sum, { count }) => sum + count, 0)
    expect(total).toBeGreaterThan(5)
    expect(ref.current!.particleCount).toBe(81 + total)
    expect(tears[0]!.ref).toBe(ref.current)
    expect(tears[0]!.particle).toBe(81)
    expect(Math.abs(tears[0]!.point[0])).toBeLessThan(0.8)
    expect(uvArea(ref.current!.geometry!)).toBeCloseTo(1, 6)
    expectDrawn(ref.current!, ref.current!.geometry!)
    const mesh = firstMeshOf(scene)
    await scene.unmount()
    expect(ref.current).toBeNull()
    expect(mesh).toBeDefined()
  })

  it('is drawn right where seams of uv close it, and in several meshes', async () => {
    const ref = createRef<ClothRef>()
    const half = new PlaneGeometry(0.5, 1, 3, 6)
    const scene = await mount(
      <>
        <Cloth ref={ref}>
          <group>
            <mesh geometry={half} position={[-0.25, 0, 0]} />
            <mesh geometry={half} position={[0.25, 0, 0]} />
          </group>
        </Cloth>
      </>,
      still,
    )
    ref.current!.cut({ point: [0, 0.03, 0], normal: [0.1, 1, 0] })
    scene.world.step(1)
    expect(ref.current!.particleCount).toBe(49 + 7)
    const [left, right] = ref.current!.meshes
    for (const mesh of [left!, right!]) {
      expect(uvArea(mesh.geometry)).toBeCloseTo(1, 6)
      expect(Math.max(...mesh.geometry.index!.array)).toBeGreaterThan(27)
    }
    await scene.unmount()
    const globe = await mount(
      <Cloth ref={ref}>
        <mesh geometry={new SphereGeometry(0.5, 12, 8)} />
      </Cloth>,
      still,
    )
    const area = uvArea(new SphereGeometry(0.5, 12, 8))
    const { geometry } = ref.current!
    // Triangles of no area at the poles are none of the body's.
    ref.current!.cut({ point: [0, 0.05, 0], normal: [0, 1, 0] })
    globe.world.step(1)
    expect(ref.current!.body!.model.torn!.pieceStarts.length).toBe(3)
    expect(uvArea(geometry!)).toBeCloseTo(area, 6)
    await globe.unmount()
  })
})

describe('<Cut>', () => {
  it('cuts what it is led through, and what falls on it, and nothing where it is not active', async () => {
    const ref = createRef<ClothRef>()
    const blade = createRef<Group>()
    const scene = await mount(
      <>
        <Cloth ref={ref} args={[1, 1, 8, 8]} />
        <Cut ref={blade} length={1.5} rotation-y={Math.PI / 2} position={[-2, 0.03, 0]} active={false} />
      </>,
      still,
    )
    const lead = (x: number) => {
      blade.current!.position.x = x
      scene.world.step(1)
    }
    for (let x = -1; x <= 1; x += 0.13) lead(x)
    expect(ref.current!.particleCount).toBe(81)
    const content = (active: boolean) => (
      <>
        <Cloth ref={ref} args={[1, 1, 8, 8]} />
        <Cut ref={blade} length={1.5} rotation-y={Math.PI / 2} active={active} />
      </>
    )
    await scene.update(content(true), still)
    for (let x = 1; x >= -1; x -= 0.13) lead(x)
    expect(ref.current!.body!.model.torn!.pieceStarts.length).toBe(3)
    await scene.unmount()

    const falling = await mount(
      <>
        <Cloth ref={ref} args={[1, 1, 8, 8]} position={[0.03, 1, 0]} rotation-x={-Math.PI / 2} drag={0} lift={0} />
        <Cut length={3} rotation-y={Math.PI / 2} />
      </>,
    )
    falling.world.step(60)
    expect(ref.current!.centerOfMass([0, 0, 0])[1]).toBeLessThan(-1)
    expect(ref.current!.body!.model.torn!.pieceStarts.length).toBe(3)
    await falling.unmount()
  })

  it('cuts the cloths that its collisionGroups meet', async () => {
    const [met, spared] = [createRef<ClothRef>(), createRef<ClothRef>()]
    const content = (groups?: CollisionGroups) => (
      <>
        <Cloth ref={met} args={[1, 1, 6, 6]} collisionGroups={[1, 1]} />
        <Cloth ref={spared} args={[1, 1, 6, 6]} position={[0, 0, 0.5]} collisionGroups={[2, 2]} />
        <Cut
          length={4}
          position={[0.03, 0, 0]}
          rotation-y={Math.PI / 2}
          rotation-x={0}
          {...(groups && { collisionGroups: groups })}
        />
      </>
    )
    const scene = await mount(content([1, 1]))
    scene.world.step(30)
    expect(met.current!.body!.model.torn).toBeDefined()
    expect(spared.current!.body!.model.torn).toBeUndefined()
    await scene.update(content())
    scene.world.reset()
    scene.world.step(30)
    expect(spared.current!.body!.model.torn).toBeDefined()
    await scene.unmount()
  })

  it('waits, with one warning, while it is at no place, and cuts on from where it is next', async () => {
    const blade = createRef<Group>()
    const warnings = collectWarnings()
    const mounted = await mount(
      <>
        <Cloth args={[1, 1, 6, 6]} pins="top">
          <meshBasicMaterial />
        </Cloth>
        <Cut ref={blade} position={[-1, 0.03, 0]} rotation-y={Math.PI / 2} />
      </>,
    )
    await mounted.frames(2)
    const [cloth] = mounted.world.world.bodies
    for (const x of [Number.NaN, 1]) {
      blade.current!.position.x = x
      await mounted.frames(3)
      expect(cloth!.model.torn).toBeUndefined()
    }
    expect(warnings.messages).toEqual([expect.stringMatching(/^<Cut> position=.*is not finite/)])
    warnings.stop()
    blade.current!.position.x = -1
    await mounted.frames(3)
    expect(cloth!.model.torn).toBeDefined()
    await mounted.unmount()
  })
})
