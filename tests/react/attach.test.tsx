// Attachments: body to body and body to object, as props and as children, breaking, and coming and going.
import { createRef, type ReactNode, useRef } from 'react'
import { BoxGeometry, type Group, Vector3 } from 'three'
import { describe, expect, it } from 'vitest'
import {
  Attach,
  type AttachProps,
  type AttachRef,
  Cloth,
  SoftBody,
  type SoftBodyProps,
  type SoftBodyRef,
  SoftBodyWorld,
  Spring,
} from '../../src/index.js'
import { collectWarnings, mount } from './mount.js'

const weightless = { gravity: [0, 0, 0], updateLoop: 'manual' } as const
const manual = { updateLoop: 'manual' } as const
const geometry = new BoxGeometry(0.5, 0.5, 0.5)

function Cube({ ref, ...props }: SoftBodyProps & { ref?: React.Ref<SoftBodyRef> }) {
  return <SoftBody ref={ref} geometry={geometry} resolution={2} preset="firm" shapeDamping={10} {...props} />
}

/** Two cubes side by side, the first one held, and what joins them. */
function two(content: (refs: [React.RefObject<SoftBodyRef | null>, React.RefObject<SoftBodyRef | null>]) => ReactNode) {
  const refs = [createRef<SoftBodyRef>(), createRef<SoftBodyRef>()] as [
    React.RefObject<SoftBodyRef | null>,
    React.RefObject<SoftBodyRef | null>,
  ]
  const scene = (
    <>
      <Cube ref={refs[0]} pins={() => true} />
      <Cube ref={refs[1]} position={[0.5, 0, 0]} />
      {content(refs)}
    </>
  )
  return { refs, scene }
}

const x = (ref: React.RefObject<SoftBodyRef | null>) => ref.current!.centerOfMass([0, 0, 0])[0]
const y = (ref: React.RefObject<SoftBodyRef | null>) => ref.current!.centerOfMass([0, 0, 0])[1]

describe('<Attach> of two bodies', () => {
  it('holds one to the other, whichever comes first, and bears its weight', async () => {
    for (const before of [true, false]) {
      const attach = createRef<AttachRef>()
      const refs = [createRef<SoftBodyRef>(), createRef<SoftBodyRef>()] as const
      const joint = <Attach key="joint" ref={attach} a={refs[0]} b={refs[1]} />
      const scene = await mount(
        <>
          {before && joint}
          <Cube ref={refs[0]} pins={() => true} />
          <Cube ref={refs[1]} position={[0.5, 0, 0]} damping={3} />
          {!before && joint}
        </>,
        manual,
      )
      scene.world.step(180)
      const { mass } = refs[1].current!.body!
      expect(scene.world.stats.nonFiniteRescues).toBe(0)
      expect(attach.current!.joint!.alive).toBe(true)
      expect(attach.current!.force([0, 0, 0])[1] / -(mass * 9.81)).toBeCloseTo(1, 1)
      expect(y(refs[1])).toBeGreaterThan(-0.2)
      await scene.unmount()
    }
  })

  it('takes a point in the space of its group, or vertices, and turns freely about a point', async () => {
    const turned = async (props: Partial<AttachProps>) => {
      const { refs, scene } = two(([a, b]) => <Attach a={a} b={b} position={[0, 0.25, 0]} {...props} />)
      const mounted = await mount(scene, manual)
      mounted.world.step(30)
      const drop = -y(refs[1])
      await mounted.unmount()
      return drop
    }
    // Held by one upper corner it swings down, held by the face it does not.
    expect(await turned({ at: new Vector3(0.25, 0, 0), radius: 0 })).toBeGreaterThan(0.1)
    expect(await turned({ at: new Vector3(0.25, -0.25, 0), radius: 0.4 })).toBeLessThan(0.05)
    expect(await turned({ at: ({ x: side }: Vector3) => side > 0.2 })).toBeLessThan(0.05)
  })

  it('breaks beyond what it bears, says so once, and is whole after a reset', async () => {
    const attach = createRef<AttachRef>()
    const told: unknown[] = []
    const { refs, scene } = two(([a, b]) => (
      <Attach ref={attach} a={a} b={b} breakForce={2000} onBreak={(joint) => told.push(joint)} />
    ))
    const mounted = await mount(scene, weightless)
    mounted.world.step(10)
    refs[1].current!.applyImpulse([5 * refs[1].current!.body!.mass, 0, 0])
    mounted.world.step(60)
    expect(told).toEqual([attach.current!.joint])
    expect(attach.current!.broken).toBe(true)
    expect(x(refs[1])).toBeGreaterThan(2)
    mounted.world.reset()
    expect(attach.current!.broken).toBe(false)
    mounted.world.step(60)
    expect(x(refs[1])).toBeCloseTo(0.5, 3)
    refs[1].current!.applyImpulse([5 * refs[1].current!.body!.mass, 0, 0])
    mounted.world.step(60)
    expect(told.length).toBe(2)
    await mounted.unmount()
  })

  it('stays broken when a body is made anew, and calls the latest callback', async () => {
    const attach = createRef<AttachRef>()
    const told: string[] = []
    const refs = [createRef<SoftBodyRef>(), createRef<SoftBodyRef>()] as const
    const content = (resolution: number, name: string) => (
      <>
        <Cube ref={refs[0]} pins={() => true} />
        <Cube ref={refs[1]} position={[0.5, 0, 0]} resolution={resolution} />
        <Attach ref={attach} a={refs[0]} b={refs[1]} breakForce={2000} onBreak={() => told.push(name)} />
      </>
    )
    const mounted = await mount(content(2, 'first'), weightless)
    // Made anew, it is joined anew.
    const [before] = [attach.current!.joint]
    await mounted.update(content(3, 'second'))
    mounted.world.step(2)
    expect(attach.current!.joint).not.toBe(before)
    expect(attach.current!.joint!.alive).toBe(true)
    refs[1].current!.applyImpulse([5 * refs[1].current!.body!.mass, 0, 0])
    mounted.world.step(30)
    expect(told).toEqual(['second'])
    await mounted.update(content(2, 'third'))
    mounted.world.step(30)
    expect(attach.current!.broken).toBe(true)
    expect(attach.current!.joint).toBeNull()
    mounted.world.reset()
    mounted.world.step(1)
    expect(attach.current!.broken).toBe(false)
    expect(attach.current!.joint!.alive).toBe(true)
    expect(told).toEqual(['second'])
    await mounted.unmount()
  })

  it('ends with a body that is unmounted, without a word, and comes back with it; with itself it lets go', async () => {
    const attach = createRef<AttachRef>()
    const refs = [createRef<SoftBodyRef>(), createRef<SoftBodyRef>()] as const
    const content = (second: boolean, attached: boolean) => (
      <>
        <Cube ref={refs[0]} pins={() => true} />
        {second && <Cube ref={refs[1]} position={[0.5, 0, 0]} />}
        {attached && (
          <Attach
            ref={attach}
            a={refs[0]}
            b={refs[1]}
            breakForce={1e9}
            onBreak={() => {
              throw new Error('told of a break that was none')
            }}
          />
        )}
      </>
    )
    const warnings = collectWarnings()
    const mounted = await mount(content(true, true), manual)
    mounted.world.step(5)
    expect(attach.current!.joint!.alive).toBe(true)
    await mounted.update(content(false, true))
    mounted.world.step(5)
    expect(attach.current!.joint).toBeNull()
    expect(attach.current!.broken).toBe(false)
    await mounted.update(content(true, true))
    mounted.world.step(60)
    expect(attach.current!.joint!.alive).toBe(true)
    expect(y(refs[1])).toBeGreaterThan(-0.1)
    await mounted.update(content(true, false))
    mounted.world.step(30)
    expect(y(refs[1])).toBeLessThan(-0.5)
    expect(warnings.messages).toEqual([])
    warnings.stop()
    await mounted.unmount()
  })

  it('softens and breaks by live props, and joins anew at another place', async () => {
    const attach = createRef<AttachRef>()
    const refs = [createRef<SoftBodyRef>(), createRef<SoftBodyRef>()] as const
    const content = (props: Partial<AttachProps>) => (
      <>
        <Cube ref={refs[0]} pins={() => true} />
        <Cube ref={refs[1]} position={[0.5, 0, 0]} damping={2} />
        <Attach ref={attach} a={refs[0]} b={refs[1]} {...props} />
      </>
    )
    const mounted = await mount(content({}), manual)
    const { joint } = attach.current!
    await mounted.update(content({ compliance: 1e-4, damping: 50, breakForce: 1e5 }))
    expect(attach.current!.joint).toBe(joint)
    expect(joint!.settings).toEqual({ compliance: 1e-4, damping: 50, breakForce: 1e5 })
    await mounted.update(content({ at: new Vector3(0.25, 0.1, 0) }))
    const moved = attach.current!.joint
    expect(moved).not.toBe(joint)
    // Written anew, but the same.
    await mounted.update(content({ at: new Vector3(0.25, 0.1, 0) }))
    expect(attach.current!.joint).toBe(moved)
    await mounted.update(content({ at: new Vector3(0.25, 0.1, 0), breakForce: 1 }))
    mounted.world.step(5)
    expect(attach.current!.broken).toBe(true)
    await mounted.unmount()
  })
})

describe('<Attach> to an object', () => {
  it('holds the body above it to its own group, and follows that rigidly', async () => {
    const ref = createRef<SoftBodyRef>()
    const group = createRef<Group>()
    const mounted = await mount(
      <group ref={group}>
        <Cube ref={ref} damping={3}>
          <Attach at="top" />
          <meshBasicMaterial />
        </Cube>
      </group>,
      manual,
    )
    mounted.world.step(120)
    expect(y(ref)).toBeGreaterThan(-0.1)
    for (let k = 1; k <= 60; k++) {
      group.current!.position.x = k / 60
      mounted.world.step()
    }
    mounted.world.step(120)
    expect(x(ref)).toBeCloseTo(1, 1)
    await mounted.unmount()
  })

  it('is held by an object, either way round, and puts it back with a reset', async () => {
    for (const swapped of [false, true]) {
      const ref = createRef<SoftBodyRef>()
      const hook = createRef<Group>()
      const attach = createRef<AttachRef>()
      function Scene() {
        const end = useRef<Group>(null)
        const ends = swapped ? { a: end, b: ref } : { a: ref, b: end }
        return (
          <>
            <group ref={hook} position={[0, 0.25, 0]}>
              <group ref={end} />
            </group>
            <Cube ref={ref} damping={3} />
            <Attach ref={attach} {...ends} radius={0.3} />
          </>
        )
      }
      const mounted = await mount(<Scene />, manual)
      mounted.world.step(60)
      hook.current!.position.x = 0.3
      mounted.world.step(180)
      expect(x(ref)).toBeCloseTo(0.3, 1)
      expect(attach.current!.force([0, 0, 0])[1] / (9.81 * ref.current!.body!.mass)).toBeCloseTo(1, 1)
      hook.current!.position.x = 0
      mounted.world.reset()
      mounted.world.step(1)
      // Put there, not swept: nothing was torn along.
      expect(Math.hypot(...ref.current!.velocity([0, 0, 0]))).toBeLessThan(0.3)
      mounted.world.step(60)
      expect(Math.abs(x(ref))).toBeLessThan(0.02)
      await mounted.unmount()
    }
  })

  it('makes no part of a cloth of what it carries', async () => {
    const ref = createRef<SoftBodyRef>()
    const mounted = await mount(
      <Cloth ref={ref} args={[1, 1, 4, 4]}>
        <meshBasicMaterial />
        <Attach at="top">
          <mesh geometry={geometry} />
        </Attach>
      </Cloth>,
      manual,
    )
    mounted.world.step(30)
    expect(ref.current!.meshes.length).toBe(1)
    expect(ref.current!.particleCount).toBe(25)
    expect(y(ref)).toBeGreaterThan(-0.3)
    await mounted.unmount()
  })
})

describe('<Attach> that cannot be', () => {
  it('says what it needs', async () => {
    await expect(mount(<Attach />)).rejects.toThrow(/<Attach> needs a body/)
    const object = createRef<Group>()
    await expect(
      mount(
        <>
          <group ref={object} />
          <Attach a={object} />
        </>,
      ),
    ).rejects.toThrow(/joins no body/)
    const none = { current: 3 } as unknown as React.RefObject<Group | null>
    await expect(
      mount(
        <>
          <group ref={object} />
          <Attach a={none} b={object} />
        </>,
      ),
    ).rejects.toThrow(/<Attach> a=.*is no body and no object/)
    const ref = createRef<SoftBodyRef>()
    const bad = (
      <>
        <Cube ref={ref} />
        <Attach a={ref} at={{ mesh: 'Roof' }} />
      </>
    )
    await expect(mount(bad)).rejects.toThrow(/no such mesh/)
  })

  it.each(['a', 'b'] as const)('says so of %s in another world, at mount and later', async (prop) => {
    const [near, far] = [createRef<SoftBodyRef>(), createRef<SoftBodyRef>()]
    const content = (attach: ReactNode) => (
      <>
        <Cube ref={near} />
        <SoftBodyWorld>
          <Cube ref={far} />
        </SoftBodyWorld>
        {attach}
      </>
    )
    const reason = (component: string) =>
      `<${component}> ${prop}={Object}: is a body of another <SoftBodyWorld>. Put both bodies into one world.`
    const ends = prop === 'a' ? { a: far, b: near } : { a: near, b: far }
    await expect(mount(content(<Attach {...ends} />))).rejects.toThrow(reason('Attach'))
    await expect(mount(content(<Spring {...ends} />))).rejects.toThrow(reason('Spring'))
    const warnings = collectWarnings()
    const scene = await mount(content(<Attach a={near} />))
    await scene.update(content(<Attach {...ends} />))
    await scene.frames(3)
    expect(warnings.messages).toEqual([`${reason('Attach')} Nothing is held until then.`])
    warnings.stop()
    await scene.unmount()
  })

  it('waits for what is not there yet', async () => {
    const attach = createRef<AttachRef>()
    const [ref, late] = [createRef<SoftBodyRef>(), createRef<Group>()]
    const content = (there: boolean) => (
      <>
        <Cube ref={ref} />
        <Attach ref={attach} a={ref} b={late} />
        {there && <group ref={late} />}
      </>
    )
    const mounted = await mount(content(false), weightless)
    mounted.world.step(2)
    expect(attach.current!.joint).toBeNull()
    expect(attach.current!.force([1, 2, 3])).toEqual([1, 2, 3])
    await mounted.update(content(true))
    mounted.world.step(1)
    expect(attach.current!.joint!.alive).toBe(true)
    await mounted.unmount()
    expect(attach.current).toBeNull()
  })
  it.each([
    ['flat', { scale: 0 }, /<Attach> b=\{'Group'\}: is flat/],
    ['nowhere', { position: [0, Number.NaN, 0] }, /<Attach> position=\{\[0, NaN, 0\]\}: is not finite/],
  ] as const)('says once that its group is %s, and joins once it has a pose', async (_, pose, message) => {
    const attach = createRef<AttachRef>()
    const content = (above: object) => (
      <Cube>
        <group {...above}>
          <Attach ref={attach} />
        </group>
      </Cube>
    )
    const warnings = collectWarnings()
    const mounted = await mount(content(pose), manual)
    mounted.world.step(3)
    expect(warnings.messages).toEqual([expect.stringMatching(message)])
    warnings.stop()
    expect(attach.current!.joint).toBeNull()
    await mounted.update(content({ scale: 1, position: [0, 0, 0] }), manual)
    mounted.world.step(1)
    expect(attach.current!.joint!.alive).toBe(true)
    await mounted.unmount()
  })
})
