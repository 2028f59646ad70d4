// A real mouse takes a ragdoll by a hand: the browser's own pointer events, moved from outside the page.
import { createRef } from 'react'
import { expect, it } from 'vitest'
import { userEvent } from 'vitest/browser'
import { ragdollModel } from '../../src/headless.js'
import { type MutableVec3, Ragdoll, type RagdollRef, SoftBodyWorld, type SoftBodyWorldRef } from '../../src/index.js'
import { METRES_A_PIXEL, pixelOf, showPage } from '../support/page.js'

globalThis.IS_REACT_ACT_ENVIRONMENT = false

it('is dragged by a hand, which leads, and thrown', async () => {
  const world = createRef<SoftBodyWorldRef>()
  const doll = createRef<RagdollRef>()
  const { canvas, state } = await showPage(
    <SoftBodyWorld ref={world} updateLoop="manual" gravity={[0, 0, 0]}>
      <Ragdoll ref={doll} position={[0, -0.9, 0]} damping={0}>
        <meshNormalMaterial />
      </Ragdoll>
    </SoftBodyWorld>,
    () => doll.current?.alive === true,
  )
  const hand = ragdollModel().particles.lowerArmLeft
  const middleOf = (particles: readonly number[]): MutableVec3 => {
    const sum: MutableVec3 = [0, 0, 0]
    for (const i of particles) {
      doll.current!.getPosition(i, [0, 0, 0]).forEach((x, d) => {
        sum[d]! += x / particles.length
      })
    }
    return sum
  }
  const [start, before] = [middleOf(hand), doll.current!.centerOfMass([0, 0, 0])]
  const source = pixelOf(state, start)
  const target = { x: source.x + 30, y: source.y - 90 }
  let moves = 0
  let trusted = true
  let ahead = 0
  // The events are real, their times are those of a steady hand.
  const stamp = (event: PointerEvent) => Object.defineProperty(event, 'timeStamp', { value: moves * 16 })
  const onMove = (event: PointerEvent) => {
    trusted &&= event.isTrusted
    if (event.buttons === 0) return
    moves++
    stamp(event)
    world.current!.step(4)
    const raised = middleOf(hand)[1] - start[1]
    ahead = Math.max(ahead, raised - (doll.current!.centerOfMass([0, 0, 0])[1] - before[1]))
  }
  window.addEventListener('pointermove', onMove, { capture: true })
  window.addEventListener('pointerup', stamp, { capture: true })
  await userEvent.dragAndDrop(canvas, canvas, { sourcePosition: source, targetPosition: target, steps: 20 })
  window.removeEventListener('pointermove', onMove, { capture: true })
  window.removeEventListener('pointerup', stamp, { capture: true })
  expect(trusted).toBe(true)
  expect(moves).toBeGreaterThan(10)
  const after = doll.current!.centerOfMass([0, 0, 0])
  expect(middleOf(hand)[1] - start[1]).toBeGreaterThan(0.5 * 90 * METRES_A_PIXEL)
  expect(after[1] - before[1]).toBeGreaterThan(0.05)
  // The arm is drawn out before the body comes, which then swings past the hand.
  expect(ahead).toBeGreaterThan(0.4)
  expect(doll.current!.velocity([0, 0, 0])[1]).toBeGreaterThan(0.5)
})
