import type { Meta, StoryObj } from '@storybook/react-vite'
import { useMemo } from 'react'
import { expect } from 'storybook/test'
import { Collider, Ground, SoftBody } from '../../src/index.js'
import { Label } from '../support/Label.js'
import { Balloon, Rubber } from '../support/materials.js'
import { bodyOf, centerOf, run } from '../support/play.js'
import { roundedBox } from '../support/shapes.js'
import { palette, wood } from '../support/themes.js'
import { StoryWorld } from '../support/World.js'

const frictions = [0, 0.2, 0.4, 0.8]
const colors = [palette.azure, palette.mint, palette.apricot, palette.coral]
/** A box holds where its friction is above the tangent of this, 0.33 [rad]. */
const TILT = 0.32
const SIZE = 0.36
const LENGTH = 2.6
const WIDTH = 3.4
/** Of the middle of the ramp above the floor, so that its lower edge lies on it [m]. */
const HEIGHT = (LENGTH / 2) * Math.sin(TILT)

function Scene() {
  const box = useMemo(() => roundedBox(SIZE, 0.06), [])
  return (
    <StoryWorld floor={6.5} camera={{ position: [0.7, 2.8, 7.2], target: [0, 0.3, 0.3], fov: 24.5 }}>
      {/* The ramp falls towards the viewer. */}
      <Collider.Box
        args={[WIDTH, 0.1, LENGTH]}
        position={[0, HEIGHT - 0.05 * Math.cos(TILT), -0.05 * Math.sin(TILT)]}
        rotation-x={TILT}
      >
        <mesh castShadow receiveShadow>
          <boxGeometry args={[WIDTH, 0.1, LENGTH]} />
          <Rubber color={wood} />
        </mesh>
      </Collider.Box>
      <Collider.Box args={[WIDTH, 0.16, 0.1]} position={[0, 0.08, 1.55]}>
        <mesh castShadow receiveShadow>
          <boxGeometry args={[WIDTH, 0.16, 0.1]} />
          <Rubber color={wood} />
        </mesh>
      </Collider.Box>
      {frictions.map((friction, k) => (
        <group key={friction} position-x={(k - 1.5) * 0.82}>
          <SoftBody
            position={[0, HEIGHT + 0.85 * Math.sin(TILT) + (SIZE / 2 + 0.01) * Math.cos(TILT), -0.85 * Math.cos(TILT)]}
            rotation-x={TILT}
            preset="firm"
            restitution={0}
            resolution={4}
            friction={friction}
          >
            <mesh geometry={box} castShadow receiveShadow>
              <Balloon color={colors[k]} />
            </mesh>
          </SoftBody>
          <Label position={[0, 0.12, 2.2]} width={0.8}>{`friction ${friction}`}</Label>
        </group>
      ))}
      <Ground />
    </StoryWorld>
  )
}

const meta = {
  title: 'Colliders/Friction ramp',
  component: Scene,
  parameters: {
    docs: {
      description: {
        component:
          'Boxes on a ramp that falls by a third. What has less friction than that slides, what has more stays.\n\n' +
          'The ramp has no friction of its own, so that of each body counts.',
      },
    },
  },
} satisfies Meta<typeof Scene>

export default meta
type Story = StoryObj<typeof meta>

export const FrictionRamp: Story = { parameters: { shots: { steps: 48 } } }

export const SlideOrHold: Story = {
  tags: ['!dev', '!autodocs'],
  async play() {
    const start = await run(12)
    const before = frictions.map((_, k) => centerOf(bodyOf(start, k))[2])
    const hook = await run(36)
    const ways = before.map((z, k) => (centerOf(bodyOf(hook, k))[2] - z) / Math.cos(TILT))
    await expect(ways[0]).toBeGreaterThan(1.3 * ways[1]!)
    await expect(ways[1]).toBeGreaterThan(0.1)
    await expect(Math.abs(ways[2]!)).toBeLessThan(0.02)
    await expect(Math.abs(ways[3]!)).toBeLessThan(0.02)
  },
}
