// A real mouse rips a curtain: the browser's own pointer events, moved from outside the page.
import type { RootState } from '@react-three/fiber'
import { createRef } from 'react'
import { DoubleSide } from 'three'
import { expect, it } from 'vitest'
import { userEvent } from 'vitest/browser'
import { Cloth, type ClothRef, SoftBodyWorld, type SoftBodyWorldRef, type Vec3 } from '../../src/index.js'
import { pixelOf, SIZE, showPage } from '../support/page.js'

globalThis.IS_REACT_ACT_ENVIRONMENT = false

async function showCurtain(onTear: (point: Vec3) => void) {
  const world = createRef<SoftBodyWorldRef>()
  const cloth = createRef<ClothRef>()
  const page = await showPage(
    <SoftBodyWorld ref={world} updateLoop="manual">
      <Cloth
        ref={cloth}
        args={[3, 3, 24, 24]}
        pins="top"
        tearStrain={0.4}
        tearWeakening={0.3}
        onTear={({ point }) => onTear([...point])}
      >
        <meshBasicMaterial color="crimson" side={DoubleSide} />
      </Cloth>
    </SoftBodyWorld>,
    () => cloth.current?.alive === true,
  )
  return { ...page, world: world.current!, cloth: cloth.current! }
}

/** How much of the canvas is of the cloth's colour. */
function shareOfCloth({ gl, scene, camera }: RootState): number {
  gl.render(scene, camera)
  const context = gl.getContext()
  const pixels = new Uint8Array(4 * SIZE * SIZE)
  context.readPixels(0, 0, SIZE, SIZE, context.RGBA, context.UNSIGNED_BYTE, pixels)
  let count = 0
  for (let k = 0; k < pixels.length; k += 4) if (pixels[k]! > 120 && pixels[k + 1]! < 80) count++
  return count / (SIZE * SIZE)
}

it('rips a curtain apart, with a hole where one can look through, and a reset mends it', async () => {
  const tears: Vec3[] = []
  const { canvas, world, cloth, state } = await showCurtain((point) => tears.push(point))
  world.step(10)
  const whole = cloth.particleCount
  const before = shareOfCloth(state)
  const source = pixelOf(state, [0, -0.3, 0])
  let trusted = true
  const onMove = (event: PointerEvent) => {
    trusted &&= event.isTrusted
    if (event.buttons !== 0) world.step(3)
  }
  window.addEventListener('pointermove', onMove, { capture: true })
  const targetPosition = { x: source.x + 60, y: SIZE - 10 }
  await userEvent.dragAndDrop(canvas, canvas, { sourcePosition: source, targetPosition, steps: 30 })
  window.removeEventListener('pointermove', onMove, { capture: true })
  expect(trusted).toBe(true)
  expect(cloth.particleCount).toBeGreaterThan(whole + 10)
  expect(tears.length).toBeGreaterThan(3)
  for (const point of tears) expect(Math.hypot(...point)).toBeLessThan(6)
  world.step(120)
  // The piece has fallen out of sight.
  expect(cloth.body!.model.torn!.pieceStarts.length).toBeGreaterThan(2)
  expect(shareOfCloth(state)).toBeLessThan(before - 0.02)
  cloth.reset()
  world.step(1)
  expect(cloth.particleCount).toBe(whole)
  expect(Math.abs(shareOfCloth(state) - before)).toBeLessThan(0.02)
})
