import { setFlagsFromString } from 'node:v8'
import { runInThisContext } from 'node:vm'
import { createRef } from 'react'
import { BufferAttribute } from 'three'
import { describe, expect, it, vi } from 'vitest'
import { clothModel, identitySkin, tornSkin, World } from '../../src/headless.js'
import { Cloth, type ClothRef } from '../../src/index.js'
import { firstMeshOf, mount } from './mount.js'

const slit = {
  from: [
    [-0.3, 0.03, -1],
    [-0.3, 0.03, 1],
  ],
  to: [
    [0.3, 0.03, -1],
    [0.3, 0.03, 1],
  ],
} as const

/** How often the frame of a first tear reads a geometry value by value, and the arrays that it is drawn from before. */
async function firstTear(settings: { tearStrain?: number }) {
  const ref = createRef<ClothRef>()
  const scene = await mount(<Cloth ref={ref} args={[1, 1, 12, 12]} {...settings} />, { gravity: [0, 0, 0] })
  await scene.frames(2)
  const { geometry } = firstMeshOf(scene)
  const before = { uv: geometry.attributes.uv, index: geometry.index, vertices: geometry.attributes.position!.count }
  const reads = vi.spyOn(BufferAttribute.prototype, 'getX')
  ref.current!.body!.cut(slit)
  await scene.frames(1)
  const count = reads.mock.calls.length
  reads.mockRestore()
  expect(ref.current!.particleCount).toBeGreaterThan(13 * 13 + 3)
  expect(geometry.attributes.uv).not.toBe(before.uv)
  await scene.unmount()
  return { count, before }
}

describe('a cloth that may tear', () => {
  it('has read its geometry before the frame in which it does; one that may not reads it then', async () => {
    expect((await firstTear({ tearStrain: 5 })).count).toBe(0)
    expect((await firstTear({})).count).toBeGreaterThanOrEqual(3 * 2 * 12 * 12)
  })

  it('shares what it does not write until then, and has no more vertices than it was given', async () => {
    const { before } = await firstTear({ tearStrain: 5 })
    const whole = await firstTear({})
    expect(before.vertices).toBe(13 * 13)
    expect(before.uv!.array).toEqual(whole.before.uv!.array)
    expect(before.uv!.count).toBe(13 * 13)
  })

  it('gets ready where it may tear only later', async () => {
    const ref = createRef<ClothRef>()
    const content = (tearStrain: number) => <Cloth ref={ref} args={[1, 1, 12, 12]} tearStrain={tearStrain} />
    const scene = await mount(content(Number.POSITIVE_INFINITY), { gravity: [0, 0, 0] })
    await scene.frames(2)
    await scene.update(content(5))
    await scene.frames(2)
    const reads = vi.spyOn(BufferAttribute.prototype, 'getX')
    ref.current!.body!.cut(slit)
    await scene.frames(1)
    expect(reads).not.toHaveBeenCalled()
    reads.mockRestore()
    await scene.unmount()
  })

  it('has skins of one kind, whole or torn, so that no loop that reads them is compiled anew', () => {
    const { model } = clothModel({ width: 1, height: 1, segmentsX: 6, segmentsY: 6 })
    const mesh = { positions: model.positions, normals: null, tangents: null, index: model.triangles }
    const skin = identitySkin(mesh)
    const body = new World().addBody(model)
    body.cut({ point: [0.02, 0, 0], normal: [1, 0, 0] })
    const torn = tornSkin(skin, body.model, [{ first: 0, count: skin.vertexCount }])
    expect(torn.vertexCount).toBe(skin.vertexCount + 7)
    setFlagsFromString('--allow-natives-syntax')
    const sameKind = runInThisContext('(a, b) => %HaveSameMap(a, b)')
    expect(sameKind(torn, skin)).toBe(true)
    expect(sameKind(torn, { ...skin })).toBe(false)
    setFlagsFromString('--no-allow-natives-syntax')
  })
})
