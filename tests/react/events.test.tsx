// Contact and sleep events as props of the components.
import { createRef } from 'react'
import { BoxGeometry } from 'three'
import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  type BodyHandlers,
  Collider,
  Ground,
  type SceneContact,
  SoftBody,
  type SoftBodyProps,
  type SoftBodyRef,
  type SurfaceHandlers,
} from '../../src/index.js'
import { mount } from './mount.js'

const geometry = new BoxGeometry()

afterEach(() => vi.restoreAllMocks())

/** Handlers that write down what they are told. */
function recorder() {
  const told: string[] = []
  const contacts: SceneContact[] = []
  const on = (kind: string) => (contact: SceneContact) => {
    told.push(kind)
    contacts.push({ ...contact, point: [...contact.point], normal: [...contact.normal] })
  }
  const ofSurface: SurfaceHandlers = { onContactEnter: on('enter'), onContactExit: on('exit'), onImpact: on('impact') }
  const ofBody: BodyHandlers = { ...ofSurface, onSleep: () => told.push('sleep'), onWake: () => told.push('wake') }
  return { told, contacts, ofSurface, ofBody }
}

/** A box that falls by 0.3 m, and stays where it falls: each time that one bounces it begins to touch again. */
const box = (props: SoftBodyProps) => (
  <SoftBody
    key="box"
    geometry={geometry}
    resolution={3}
    preset="firm"
    restitution={0}
    position={[0, 0.8, 0]}
    {...props}
  />
)

describe('event props', () => {
  it('tell a body and the ground of each other, by ref, group and user data', async () => {
    const ref = createRef<SoftBodyRef>()
    const body = recorder()
    const ground = recorder()
    const scene = await mount([
      box({ ref, ...body.ofBody }),
      <Ground key="ground" name="lawn" userData={{ sound: 'thud' }} {...ground.ofSurface} />,
    ])
    await scene.frames(40)
    expect(body.told.slice(0, 2)).toEqual(['enter', 'impact'])
    expect(body.contacts[1]!).toMatchObject({ ref: null, normal: [0, 1, 0] })
    expect(body.contacts[1]!.object).toMatchObject({ name: 'lawn', userData: { sound: 'thud' } })
    expect(body.contacts[1]!.collider).toBe(scene.world.world.colliders[0])
    expect(body.contacts[1]!.impulse).toBeGreaterThan(100) // a ton at 2 m/s
    expect(ground.contacts[0]!).toMatchObject({ ref: ref.current, collider: null, object: ref.current!.mesh })
    expect(ground.contacts[0]!.normal[1]).toBe(-1)
    await scene.unmount()
  })

  it('tell of sleep and of waking, and the ref says so too', async () => {
    const ref = createRef<SoftBodyRef>()
    const { told, ofBody } = recorder()
    const scene = await mount([box({ ref, ...ofBody, position: [0, 0.51, 0] }), <Ground key="ground" />])
    await scene.frames(300)
    expect(told).toContain('sleep')
    expect(ref.current!.asleep).toBe(true)
    expect(scene.world.stats.sleeping).toBe(1)
    ref.current!.wake()
    await scene.frames(1)
    expect(told.at(-1)).toBe('wake')
    ref.current!.sleep()
    await scene.frames(1)
    expect(told.at(-1)).toBe('sleep')
    await scene.unmount()
    expect(ref.current?.asleep ?? false).toBe(false)
  })

  it('may change with every render, come and go: the last one is called, and nothing is made anew', async () => {
    const ref = createRef<SoftBodyRef>()
    const told: string[] = []
    const children = (name: string | undefined) => [
      box({ ref, ...(name !== undefined && { onContactEnter: () => told.push(name) }) }),
      <Ground key="ground" />,
    ]
    const scene = await mount(children('first'))
    const body = ref.current!.body
    await scene.update(children('second'))
    await scene.frames(40)
    expect(told).toEqual(['second'])
    const bounce = async () => {
      ref.current!.teleport([0, 0.8, 0])
      await scene.frames(30)
    }
    await scene.update(children(undefined))
    await bounce()
    expect(told).toEqual(['second'])
    await scene.update(children('third'))
    await bounce()
    expect(told).toEqual(['second', 'third'])
    expect(ref.current!.body).toBe(body)
    await scene.unmount()
  })

  it('that throw are reported, and the frame goes on', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const { told, ofSurface } = recorder()
    const scene = await mount([
      box({
        onContactEnter: () => {
          throw new Error('mine')
        },
      }),
      <Ground key="ground" {...ofSurface} />,
    ])
    await scene.frames(40)
    expect(log).toHaveBeenCalledTimes(1)
    expect(log.mock.calls[0]![0]).toBe('<SoftBody> onContactEnter threw:')
    expect(told.slice(0, 2)).toEqual(['enter', 'impact'])
    expect(scene.world.stats.steps).toBeGreaterThan(35)
    await scene.unmount()
  })

  it('tell that a body has gone by unmount, and that one was made anew', async () => {
    const ref = createRef<SoftBodyRef>()
    const body = recorder()
    const ground = recorder()
    const children = (shown: boolean, resolution: number) => [
      shown && box({ ref, resolution, position: [0, 0.51, 0], ...body.ofSurface }),
      <Ground key="ground" {...ground.ofSurface} />,
    ]
    const scene = await mount(children(true, 3))
    await scene.frames(60)
    const touches = ({ told }: { told: string[] }) => told.filter((kind) => kind !== 'impact')
    expect(touches(ground)).toEqual(['enter'])
    await scene.update(children(true, 4))
    await scene.frames(60)
    expect(touches(ground)).toEqual(['enter', 'exit', 'enter'])
    expect(touches(body)).toEqual(['enter', 'exit', 'enter'])
    await scene.update(children(false, 4))
    await scene.frames(1)
    expect(ground.told.at(-1)).toBe('exit')
    expect(ground.contacts.at(-1)!.ref?.alive ?? false).toBe(false)
    await scene.unmount()
  })
})

describe('a sensor', () => {
  it('notices what passes through its group, and what it moves over', async () => {
    const { told, contacts, ofSurface } = recorder()
    const ref = createRef<SoftBodyRef>()
    const scene = await mount([
      box({ ref, position: [0, 2, 0] }),
      <Collider.Box key="gate" sensor args={[2, 0.2, 2]} {...ofSurface} />,
    ])
    await scene.frames(90)
    expect(told).toEqual(['enter', 'exit'])
    expect(contacts[0]).toMatchObject({ ref: ref.current, impulse: 0 })
    expect(ref.current!.centerOfMass([0, 0, 0])[1]).toBeLessThan(-5)
    await scene.unmount()
  })
})
