import { createRef } from 'react'
import { Box3, Sphere, Vector3 } from 'three'
import { describe, expect, it } from 'vitest'
import { Cloth, type ClothRef, SoftBody, type SoftBodyRef, Wind } from '../../src/index.js'
import { mount } from './mount.js'

const light = { args: [1, 1, 4, 4], areaDensity: 0.01, lift: 0 } as const
const still = { gravity: [0, 0, 0] } as const

/** Velocity of the cloth's centre [m/s]. */
const velocityOf = (ref: { current: ClothRef | null }) => ref.current!.velocity([0, 0, 0])

describe('<Wind>', () => {
  it('blows on a cloth that was not told of it, anywhere in the world, and not on a solid', async () => {
    const cloth = createRef<ClothRef>()
    const solid = createRef<SoftBodyRef>()
    const scene = await mount(
      <>
        <Cloth ref={cloth} {...light} />
        <SoftBody ref={solid} position={[3, 0, 0]} resolution={2}>
          <mesh>
            <boxGeometry />
          </mesh>
        </SoftBody>
        <group position={[9, 9, 9]}>
          <Wind velocity={[0, 0, 2]} />
        </group>
      </>,
      still,
    )
    scene.world.step(30)
    expect(velocityOf(cloth)[2]).toBeGreaterThan(1)
    expect(Math.hypot(...solid.current!.velocity([0, 0, 0]))).toBeLessThan(1e-12)
    await scene.unmount()
  })

  it('adds up, follows its props, and goes when it is unmounted', async () => {
    const cloth = createRef<ClothRef>()
    const render = (winds: object[]) => (
      <>
        <Cloth ref={cloth} {...light} />
        {winds.map((wind, k) => (
          <Wind key={`${k + 1}`} {...wind} />
        ))}
      </>
    )
    const scene = await mount(render([{ velocity: [0, 0, 2] }, { direction: [0, 0, -5], speed: 2 }]), still)
    scene.world.step(30)
    expect(velocityOf(cloth)[2]).toBe(0)
    await scene.update(render([{ velocity: [0, 0, 2] }, { direction: [0, 0, 5], speed: 1 }]), still)
    scene.world.step(60)
    expect(velocityOf(cloth)[2]).toBeGreaterThan(2.5)
    await scene.update(render([]), still)
    cloth.current!.reset()
    scene.world.step(30)
    expect(velocityOf(cloth)[2]).toBe(0)
    await scene.unmount()
  })

  it('takes its speed along its direction, and the default of what is left out', async () => {
    const cloth = createRef<ClothRef>()
    const carried = async (wind: object) => {
      const scene = await mount(
        <>
          <Cloth ref={cloth} {...light} drag={100} rotation={[0, 0.7, 0]} />
          <Wind {...wind} />
        </>,
        still,
      )
      scene.world.step(60)
      const v = velocityOf(cloth)
      await scene.unmount()
      return v
    }
    expect(Math.abs((await carried({}))[0] - 3)).toBeLessThan(0.1)
    expect(Math.abs((await carried({ speed: 6 }))[0] - 6)).toBeLessThan(0.1)
    expect(Math.abs((await carried({ direction: [0, 0, -9] }))[2] + 3)).toBeLessThan(0.1)
  })

  it.each([
    ['a Box3', new Box3(new Vector3(2, -1, -1), new Vector3(4, 1, 1))],
    ['a Sphere', new Sphere(new Vector3(3, 0, 0), 1)],
    ['numbers', { min: [2, -1, -1], max: [4, 1, 1] } as const],
  ])('blows in a region alone: %s', async (_, region) => {
    const inside = createRef<ClothRef>()
    const outside = createRef<ClothRef>()
    const scene = await mount(
      <>
        <Cloth ref={inside} {...light} position={[3, 0, 0]} />
        <Cloth ref={outside} {...light} />
        <Wind velocity={[0, 0, 5]} region={region} />
      </>,
      still,
    )
    scene.world.step(3)
    expect(velocityOf(inside)[2]).toBeGreaterThan(1)
    expect(velocityOf(outside)[2]).toBe(0)
    await scene.unmount()
  })

  it('needs a box that is not empty', async () => {
    await expect(mount(<Wind region={new Box3()} />)).rejects.toThrow(/<Wind> region=.*finite corners/)
  })
})

describe('wind of the world', () => {
  it('blows everywhere, and not in a vacuum', async () => {
    const cloth = createRef<ClothRef>()
    const scene = await mount(<Cloth ref={cloth} {...light} />, { ...still, wind: [0, 0, 2] })
    scene.world.step(10)
    expect(velocityOf(cloth)[2]).toBeGreaterThan(0.5)
    await scene.update(<Cloth ref={cloth} {...light} />, { ...still, wind: [0, 0, 2], airDensity: 0 })
    cloth.current!.reset()
    scene.world.step(10)
    expect(velocityOf(cloth)[2]).toBe(0)
    await scene.unmount()
  })
})
