// What a body keeps when it is made anew, or only moved among its siblings.
import { createRef, type ReactNode } from 'react'
import { BoxGeometry, BufferGeometry, Group, SkinnedMesh, SphereGeometry } from 'three'
import { describe, expect, it } from 'vitest'
import { type Body, Cloth, type ClothRef, Pin, SoftBody, type SoftBodyRef, useSoftBody } from '../../src/index.js'
import { bodyMotion } from '../support/laws.js'
import { collectWarnings, type Mounted, mount } from './mount.js'

const box = new BoxGeometry(1, 1, 1, 3, 3, 3)
const ball = new SphereGeometry(0.5, 16, 12)

/** Places of the pinned particles [3 n] m. */
function pinnedOf(body: Body): number[] {
  const x = body.readPositions()
  return Array.from(x).filter((_, k) => body.isPinned(Math.floor(k / 3)))
}

const largest = (values: readonly number[]) => Math.max(...values.map(Math.abs))

describe('pins stay where they are when a body that hangs from them is made anew', () => {
  const hung: Record<string, (k: number) => ReactNode> = {
    'a block from its top': (k) => (
      <SoftBody geometry={box} resolution={4} pins="top" youngsModulus={2e4} creaseAngle={k % 2 ? 40 : 30} />
    ),
    'a block from a Pin': (k) => (
      <SoftBody geometry={box} resolution={4} youngsModulus={2e4} creaseAngle={k % 2 ? 40 : 30}>
        <Pin at="top" />
      </SoftBody>
    ),
    'a cloth from its upper edge': (k) => <Cloth args={[1, 1, 8, 8 + (k % 2)]} pins="top" rotation={[-1, 0, 0]} />,
    'a block from one corner': (k) => (
      <SoftBody geometry={box} resolution={3} pins={[0]} youngsModulus={5e4} creaseAngle={k % 2 ? 40 : 30} />
    ),
  }
  it.each(Object.keys(hung))('%s', async (name) => {
    const scene = await mount(hung[name]!(0))
    const before = pinnedOf(scene.world.world.bodies[0]!)
    expect(before.length).toBeGreaterThan(0)
    for (let k = 1; k <= 4; k++) {
      await scene.frames(30)
      const body = scene.world.world.bodies[0]!
      await scene.update(hung[name]!(k))
      await scene.frames(1)
      expect(scene.world.world.bodies[0]).not.toBe(body)
      const now = pinnedOf(scene.world.world.bodies[0]!)
      expect(largest(now.map((x, i) => x - before[i]!))).toBeLessThan(1e-4)
    }
    await scene.unmount()
  })

  it('also with other tetrahedra', async () => {
    const hang = (resolution: number) => (
      <SoftBody geometry={box} resolution={resolution} pins="top" youngsModulus={2e4} />
    )
    const scene = await mount(hang(4))
    for (const resolution of [5, 4, 6, 4]) {
      await scene.frames(30)
      await scene.update(hang(resolution))
      await scene.frames(1)
      const heights = pinnedOf(scene.world.world.bodies[0]!).filter((_, k) => k % 3 === 1)
      expect(largest(heights.map((y) => y - 0.5))).toBeLessThan(1e-4)
    }
    await scene.unmount()
  })
})

it('a body that is made anew keeps its spin', async () => {
  const turning = (resolution: number) => <SoftBody geometry={box} resolution={resolution} preset="firm" />
  const scene = await mount(turning(4), { gravity: [0, 0, 0] })
  scene.world.world.bodies[0]!.setVelocity([1, 0, 0], [0, 2, 1])
  await scene.frames(2)
  const spinOf = () => {
    const body = scene.world.world.bodies[0]!
    return bodyMotion(body).angularMomentum.map((value) => value / body.mass)
  }
  const before = spinOf()
  await scene.update(turning(5))
  await scene.frames(2)
  for (let d = 0; d < 3; d++) expect(Math.abs(spinOf()[d]! - before[d]!)).toBeLessThan(0.05 * largest(before))
  expect(scene.world.world.bodies[0]!.velocity()[0]).toBeCloseTo(1, 6)
  await scene.unmount()
})

describe('a body that is moved among its siblings', () => {
  const other = <group key="other" />
  const places = (body: Body) => Array.from(body.readPositions())

  async function moved(content: ReactNode, change: (scene: Mounted) => Promise<void>): Promise<Mounted> {
    const scene = await mount([content, other])
    await change(scene)
    const body = scene.world.world.bodies[0]!
    const before = places(body)
    for (const order of [
      [other, content],
      [content, other],
    ]) {
      await scene.update(order)
      expect(scene.world.world.bodies).toHaveLength(1)
      expect(scene.world.world.bodies[0]).toBe(body)
    }
    expect(places(body)).toEqual(before)
    return scene
  }

  it('goes on as it was: a cloth that was cut', async () => {
    const ref = createRef<ClothRef>()
    const scene = await moved(<Cloth key="body" ref={ref} args={[1, 1, 8, 8]} />, async (scene) => {
      ref.current!.cut({ point: [0, 0, 0], normal: [1, 0, 0] })
      await scene.frames(2)
      expect(ref.current!.body!.particleCount).toBe(90)
    })
    await scene.frames(2)
    expect(ref.current!.body!.particleCount).toBe(90)
    await scene.unmount()
  })

  it('goes on as it was, and is drawn: a body that was thrown', async () => {
    const ref = createRef<SoftBodyRef>()
    const content = <SoftBody key="body" ref={ref} geometry={box} resolution={4} preset="clay" />
    const scene = await moved(content, async (scene) => {
      ref.current!.setVelocity([0, 5, 0], [5, 0, 0])
      await scene.frames(10)
    })
    await scene.frames(1)
    const geometry = ref.current!.geometry!
    let drawn = 0
    scene.state.scene.traverse((object) => {
      if ('geometry' in object && object.geometry === geometry) drawn++
    })
    expect(drawn).toBe(1)
    await scene.unmount()
  })
})

describe('a new mesh whose geometry nothing can be made of', () => {
  const nothing = new BufferGeometry()
  const ways: Record<string, (name: string, geometry: BufferGeometry) => ReactNode> = {
    SoftBody: (name, geometry) => (
      <SoftBody resolution={3}>
        <mesh key={name} geometry={geometry} />
      </SoftBody>
    ),
    Cloth: (name, geometry) => (
      <Cloth>
        <mesh key={name} geometry={geometry} />
      </Cloth>
    ),
  }
  it.each(Object.keys(ways))('ends the body, says so, and starts it once it has another: %s', async (way) => {
    const scene = await mount(ways[way]!('a', box))
    const warnings = collectWarnings()
    await scene.update(ways[way]!('b', nothing))
    await scene.frames(2)
    expect(scene.world.world.bodies).toHaveLength(0)
    expect(warnings.messages).toEqual([expect.stringMatching(/no positions.*There is no body until/)])
    await scene.update(ways[way]!('b', ball))
    await scene.frames(2)
    warnings.stop()
    expect(scene.world.world.bodies).toHaveLength(1)
    await scene.unmount()
  })

  it('starts it once it has another: a mesh of useSoftBody', async () => {
    function Hooked({ name, given }: { name: string; given: BufferGeometry }): ReactNode {
      const { ref, geometry } = useSoftBody({ geometry: given, resolution: 3 })
      return <mesh key={name} ref={ref} geometry={geometry} />
    }
    const scene = await mount(<Hooked name="a" given={box} />)
    const warnings = collectWarnings()
    await scene.update(<Hooked name="b" given={nothing} />)
    await scene.frames(2)
    expect(warnings.messages).toEqual([expect.stringMatching(/no positions/)])
    await scene.update(<Hooked name="b" given={ball} />)
    await scene.frames(2)
    warnings.stop()
    expect(scene.world.world.bodies).toHaveLength(1)
    await scene.unmount()
  })

  it('is told of as it is: an object that cannot be simulated in place of one that could', async () => {
    const good = new Group().add(new SkinnedMesh(box).clone())
    const scene = await mount(<SoftBody geometry={box} />)
    const warnings = collectWarnings()
    await scene.update(<SoftBody object={good} />)
    await scene.frames(2)
    expect(scene.world.world.bodies).toHaveLength(0)
    expect(warnings.messages).toEqual([expect.stringMatching(/skinned mesh.*There is no body until/)])
    warnings.stop()
    await scene.update(<SoftBody geometry={ball} />)
    await scene.frames(2)
    expect(scene.world.world.bodies).toHaveLength(1)
    await scene.unmount()
  })
})
