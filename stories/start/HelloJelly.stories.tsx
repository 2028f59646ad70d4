import type { Meta, StoryObj } from '@storybook/react-vite'
import { useMemo } from 'react'
import { expect } from 'storybook/test'
import { Ground, SoftBody } from '../../src/index.js'
import { Jelly } from '../support/materials.js'
import {
  bodyOf,
  boundsOf,
  centerOf,
  deformation,
  mouseOn,
  positionsOf,
  run,
  runUntilAsleep,
  speedOf,
} from '../support/play.js'
import { roundedBox } from '../support/shapes.js'
import { palette } from '../support/themes.js'
import { StoryWorld } from '../support/World.js'

const source = `
import { Canvas } from '@react-three/fiber'
import { Ground, SoftBody, SoftBodyWorld } from 'react-three-softbody'

<Canvas camera={{ position: [0, 1.5, 4] }}>
  <SoftBodyWorld>
    <SoftBody position={[0, 1.5, 0]} rotation={[0.5, 0.4, 0.3]}>
      <mesh>
        <icosahedronGeometry args={[0.6, 12]} />
        <meshNormalMaterial />
      </mesh>
    </SoftBody>
    <Ground />
  </SoftBodyWorld>
</Canvas>`

function Scene() {
  const box = useMemo(() => roundedBox(1), [])
  return (
    <StoryWorld floor={5} camera={{ position: [0.4, 1.2, 4.4], target: [0.02, 0.46, 0], fov: 24 }}>
      <SoftBody position={[0, 1.25, 0]} rotation={[0.3, 0.5, 0.25]} resolution={6}>
        <mesh geometry={box} castShadow receiveShadow>
          <Jelly color={palette.coral} pattern="grid" scale={6} />
        </mesh>
      </SoftBody>
      <Ground />
    </StoryWorld>
  )
}

const meta = {
  title: 'Start/Hello jelly',
  component: Scene,
  parameters: {
    docs: {
      description: {
        component:
          'Wrap a mesh in SoftBody and it is jelly: it falls, squashes and wobbles.\n\n' +
          'Press on it to poke it, drag to pick it up, let go to throw it.',
      },
      source: { code: source.trim(), language: 'tsx' },
    },
  },
} satisfies Meta<typeof Scene>

export default meta
type Story = StoryObj<typeof meta>

export const HelloJelly: Story = { parameters: { shots: { steps: 28 } } }

export const FallsAndRests: Story = {
  tags: ['!dev', '!autodocs'],
  async play() {
    const hook = await run(0)
    const start = bodyOf(hook)
    const volume = start.volume()
    await expect(boundsOf(start)[1]).toBeGreaterThan(0.5)
    const landed = bodyOf(await run(40))
    // It squashes as it lands: more than under its own weight.
    await expect(landed.maxStrain()).toBeGreaterThan(0.06)
    runUntilAsleep(hook, 500)
    const resting = bodyOf(await run(0))
    await expect(speedOf(resting)).toBeLessThan(0.01)
    const [, bottom, , , top] = boundsOf(resting)
    // It lies on the ground, by its contact thickness of 0.25% of its size, and has kept its height and volume.
    await expect(bottom).toBeGreaterThan(-0.001)
    await expect(bottom).toBeLessThan(0.01)
    await expect(top! - bottom!).toBeGreaterThan(0.8)
    await expect(Math.abs(resting.volume() / volume - 1)).toBeLessThan(0.05)
  },
}

export const PressSpringsBack: Story = {
  tags: ['!dev', '!autodocs'],
  async play({ canvasElement }) {
    const hook = await run(0)
    runUntilAsleep(hook, 500)
    const box = bodyOf(hook)
    const rest = positionsOf(box)
    const mouse = mouseOn(canvasElement.querySelector('canvas')!)
    const at = hook.screenOf(centerOf(box))
    mouse.down(at)
    await run(40)
    const dent = deformation(box, rest)
    await expect(dent).toBeGreaterThan(0.02)
    mouse.up(at)
    runUntilAsleep(hook, 400)
    await run(0)
    // Friction on the ground keeps a part of it.
    await expect(deformation(box, rest)).toBeLessThan(0.5 * dent)
  },
}
