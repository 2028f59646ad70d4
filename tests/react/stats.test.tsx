import { BoxGeometry } from 'three'
import { describe, expect, it, vi } from 'vitest'
import { stages, World } from '../../src/headless.js'
import { Ground, SoftBody, SoftBodyStats } from '../../src/index.js'
import { collectWarnings, mount, TestCanvas } from './mount.js'

const scene = [<SoftBody key="a" geometry={new BoxGeometry()} resolution={3} />, <Ground key="b" />]

/** Stands for the page around a canvas: takes one element and keeps its text. */
function page() {
  const element = { style: { cssText: '' }, textContent: '', setAttribute() {}, remove: vi.fn() }
  const append = vi.fn()
  return {
    element,
    append,
    canvas: {
      parentElement: { append },
      ownerDocument: Object.assign(new EventTarget(), { createElement: () => element }),
    },
  }
}

describe('times by stage', () => {
  it('add up to all that passes between the begin and the end of the steps', () => {
    const world = new World()
    let now = 0
    const asked = vi.fn(() => ++now)
    world.measure(asked)
    world.step()
    const times = world.readStageTimes(new Float64Array(stages.length))
    // A clock that ticks once a reading: each reading but the first ends a stage, ten substeps have four.
    expect(asked).toHaveBeenCalledTimes(1 + 1 + 10 * 4)
    expect(Array.from(times)).toEqual([1, 10, 10, 10, 10])
    world.measure(null)
    world.step()
    expect(asked).toHaveBeenCalledTimes(42)
    expect(Array.from(world.readStageTimes(times))).toEqual([0, 0, 0, 0, 0])
  })
})

describe('SoftBodyStats', () => {
  it('writes times, counts and guards over the canvas, some times a second, and takes all away again', async () => {
    const { element, append, canvas } = page()
    Object.defineProperties(TestCanvas.prototype, {
      parentElement: { value: canvas.parentElement, configurable: true },
      ownerDocument: { value: canvas.ownerDocument, configurable: true },
    })
    let now = 1000
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 0.25))
    // The keyboard's element needs a real page.
    const mounted = await mount([...scene, <SoftBodyStats key="c" corner="bottom-right" />], { keyboard: false })
    const writes: string[] = []
    Object.defineProperty(element, 'textContent', {
      set(text: string) {
        writes.push(text)
      },
    })
    expect(append).toHaveBeenCalledWith(element)
    expect(element.style.cssText).toContain('bottom:0;right:0')
    const guards = { speedClamps: 1, contactClamps: 20, nonFiniteRescues: 300, inversionRescues: 4000 }
    for (let frame = 0; frame < 60; frame++) {
      if (frame === 30) Object.assign(mounted.world.world.stats, guards)
      now += 10
      await mounted.frames(1)
    }
    // 60 frames of a bit more than 16 ms each, readings at 0.2 s.
    expect(writes.length).toBeGreaterThanOrEqual(4)
    expect(writes.length).toBeLessThanOrEqual(12)
    const value = (name: string) => new RegExp(`^ ?${name} +(.*)$`, 'm').exec(writes.at(-1)!)![1]
    // The clock ticks 0.25 ms a reading: a step has 41 of them.
    expect(value('step')).toBe('10.25 ms')
    expect(value('search')).toBe('0.25 ms')
    expect(value('constraints')).toBe('2.50 ms')
    expect(value('meshes')).toBe('0.25 ms')
    expect(value('bodies')).toBe('1')
    expect(value('particles')).toBe(String(mounted.world.world.bodies[0]!.particleCount))
    expect(writes[0]).toMatch(/^speed clamps +0\ncontact clamps +0\nrescues +0$/m)
    expect(value('speed clamps')).toBe('1')
    expect(value('contact clamps')).toBe('20')
    expect(value('rescues')).toBe('4300')
    await mounted.update(scene, { keyboard: false })
    expect(element.remove).toHaveBeenCalled()
    const calls = clock.mock.calls.length
    const count = writes.length
    mounted.world.step(5)
    expect(clock.mock.calls.length).toBe(calls)
    expect(writes.length).toBe(count)
    clock.mockRestore()
    await mounted.unmount()
    delete (TestCanvas.prototype as { parentElement?: unknown }).parentElement
    delete (TestCanvas.prototype as { ownerDocument?: unknown }).ownerDocument
  })
})

describe('a body that is stiffer than substeps resolve', () => {
  it.each([
    [1e8, /Use substeps=\{\d+\}, a lower youngsModulus/],
    // More substeps than a world may have.
    [1e12, /Use a lower youngsModulus or a lower resolution/],
  ])('is told what can be done: %d Pa', async (youngsModulus, remedy) => {
    const warnings = collectWarnings()
    const mounted = await mount(
      <SoftBody geometry={new BoxGeometry()} resolution={3} youngsModulus={youngsModulus} density={1000} />,
    )
    expect(warnings.messages).toEqual([expect.stringMatching(remedy)])
    warnings.stop()
    await mounted.unmount()
  })
})
