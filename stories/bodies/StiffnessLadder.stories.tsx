import type { Meta, StoryObj } from '@storybook/react-vite'
import { useMemo } from 'react'
import { expect } from 'storybook/test'
import { Ground, SoftBody } from '../../src/index.js'
import { Label } from '../support/Label.js'
import { Balloon } from '../support/materials.js'
import { bodyOf, boundsOf, run } from '../support/play.js'
import { ball } from '../support/shapes.js'
import { palette } from '../support/themes.js'
import { StoryWorld } from '../support/World.js'

/** Young's modulus [Pa], each a third of the one before. */
const ladder = [8.1e5, 2.7e5, 9e4, 3e4, 1e4]
const colors = [palette.azure, palette.mint, palette.butter, palette.apricot, palette.coral]

function Scene() {
  const shape = useMemo(() => ball(0.4), [])
  return (
    <StoryWorld floor={7} camera={{ position: [0, 2.3, 11], target: [0, 0.42, 0.1], fov: 19.5 }}>
      {ladder.map((modulus, k) => (
        <group key={modulus} position-x={(k - 2) * 1.16}>
          <SoftBody position={[0, 1, 0]} youngsModulus={modulus} resolution={6}>
            <mesh geometry={shape} castShadow receiveShadow rotation-z={0.25}>
              <Balloon color={colors[k]} pattern="bands" ink="#fbf5ea" scale={3.2} />
            </mesh>
          </SoftBody>
          <Label position={[0, 0.1, 1.4]} width={0.95}>{`${Math.round(modulus / 1000)} kPa`}</Label>
        </group>
      ))}
      <Ground />
    </StoryWorld>
  )
}

const meta = {
  title: 'Bodies/Stiffness ladder',
  component: Scene,
  parameters: {
    docs: {
      description: {
        component:
          'The same ball five times, dropped from the same height. From left to right youngsModulus falls to a third.\n\n' +
          'It is the stress over the strain of the material, whatever the mesh: 10 kPa is a pudding, 1 MPa soft rubber.',
      },
    },
  },
} satisfies Meta<typeof Scene>

export default meta
type Story = StoryObj<typeof meta>

export const StiffnessLadder: Story = { parameters: { shots: { steps: 30 } } }

export const SofterSquashMore: Story = {
  tags: ['!dev', '!autodocs'],
  async play() {
    const hook = await run(0)
    // Least height of each ball while it lands.
    const least = ladder.map(() => Number.POSITIVE_INFINITY)
    for (let step = 0; step < 60; step += 2) {
      hook.world.step(2)
      for (const k of ladder.keys()) {
        const [, bottom, , , top] = boundsOf(bodyOf(hook, k))
        least[k] = Math.min(least[k]!, top! - bottom!)
      }
    }
    for (let k = 1; k < ladder.length; k++) await expect(least[k]).toBeLessThan(least[k - 1]!)
    await expect(least.at(-1)).toBeLessThan(0.6 * least[0]!)
  },
}
