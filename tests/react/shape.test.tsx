import { createRef } from 'react'
import { BoxGeometry } from 'three'
import { expect, it } from 'vitest'
import { SettingError, SoftBody, type SoftBodyProps, type SoftBodyRef } from '../../src/index.js'
import { collectWarnings, mount } from './mount.js'

const geometry = new BoxGeometry(1, 0.4, 0.4)

it('clusters rebuild the body, the rate and the linear share are live', async () => {
  const ref = createRef<SoftBodyRef>()
  const body = (shapeMatching: SoftBodyProps['shapeMatching']) => (
    <SoftBody ref={ref} geometry={geometry} resolution={6} shapeMatching={shapeMatching} />
  )
  const groups = () => ref.current!.body!.model.sets.find(({ name }) => name === 'shape')!.count
  const scene = await mount(body(true))
  expect(groups()).toBe(1)
  await scene.update(body({ rate: 60, clusters: 3 }))
  const cut = ref.current!.body
  expect(groups()).toBe(3)
  await scene.update(body({ rate: 30, clusters: 3, linear: 0.4 }))
  expect(ref.current!.body).toBe(cut)
  expect(cut!.settings.elastic.shape).toEqual({ rate: 30, linear: 0.4 })
  await scene.unmount()
  for (const wrong of [
    { rate: 60, clusters: 17 },
    { rate: 60, clusters: 1.5 },
    { rate: 60, linear: 1.1 },
  ]) {
    await expect(mount(body(wrong))).rejects.toBeInstanceOf(SettingError)
  }
})

it('a group that does not say how stiff it is has the stiffness of the prop without a group', async () => {
  const ref = createRef<SoftBodyRef>()
  const body = (props: SoftBodyProps) => <SoftBody ref={ref} geometry={geometry} resolution={6} {...props} />
  const elastic = () => ref.current!.body!.settings.elastic
  const scene = await mount(body({ shapeMatching: true, pressure: 1 }))
  const { shape, pressure } = elastic()
  await scene.update(body({ shapeMatching: { clusters: 3 }, pressure: {} }))
  expect(elastic().shape).toEqual(shape)
  expect(elastic().pressure).toEqual(pressure)
  await scene.update(body({ shapeMatching: { linear: 0.5 }, pressure: { modulus: 1e5 } }))
  expect(elastic().shape).toEqual({ ...(shape as object), linear: 0.5 })
  expect(elastic().pressure).toEqual({ ratio: 1, modulus: 1e5 })
  await scene.update(body({ shapeMatching: { relaxation: 10 }, pressure: { compliance: 0 } }))
  expect(elastic().shape).toEqual({ relaxation: 10 })
  expect(elastic().pressure).toEqual({ ratio: 1, compliance: 0 })
  await scene.unmount()
  for (const wrong of [{ shapeMatching: { rte: 60 } }, { pressure: { ratio: 1, moduls: 3 } }]) {
    await expect(mount(body(wrong as SoftBodyProps))).rejects.toThrow(/has no (rte|moduls)\. Use/)
  }
})

it('pressure inflates the body live, and false takes it off', async () => {
  const ref = createRef<SoftBodyRef>()
  const body = (pressure: SoftBodyProps['pressure']) => (
    <SoftBody ref={ref} geometry={geometry} resolution={4} volumeCompliance={false} pressure={pressure} />
  )
  const scene = await mount(body(undefined), { gravity: [0, 0, 0] })
  const engine = ref.current!.body
  const rest = ref.current!.volume()
  await scene.update(body(1.5))
  await scene.frames(90)
  expect(ref.current!.volume() / rest).toBeGreaterThan(1.1)
  expect(ref.current!.volume() / rest).toBeLessThan(1.5)
  await scene.update(body(false))
  await scene.frames(90)
  expect(ref.current!.volume() / rest).toBeCloseTo(1, 2)
  expect(ref.current!.body).toBe(engine)
  await scene.unmount()
  const wrong = [0, 11, { ratio: 1, modulus: 0 }, { ratio: 1, compliance: -1 }] as SoftBodyProps['pressure'][]
  for (const value of wrong) await expect(mount(body(value))).rejects.toBeInstanceOf(SettingError)
})

it('a count that is missed by more than half is warned of once a geometry', async () => {
  const warnings = collectWarnings()
  const [plate, cube] = [new BoxGeometry(1, 0.05, 1), new BoxGeometry()]
  const body = (of: BoxGeometry, tetCount: number) => <SoftBody geometry={of} tetCount={tetCount} />
  for (const content of [body(plate, 50), body(plate, 50), body(cube, 2500), body(plate, 500)]) {
    await (await mount(content)).unmount()
  }
  expect(warnings.messages).toEqual([
    expect.stringMatching(/^<SoftBody> tetCount=\{50\}: it has (\d+) tetrahedra\. Use tetCount=\{\1\}, or/),
  ])
  warnings.stop()
})
