import type { Meta, StoryObj } from '@storybook/react-vite'
import { useMemo } from 'react'
import { expect } from 'storybook/test'
import { Ground, SoftBody } from '../../src/index.js'
import { Label } from '../support/Label.js'
import { Jelly } from '../support/materials.js'
import { bodyOf, run } from '../support/play.js'
import { roundedBox } from '../support/shapes.js'
import { palette } from '../support/themes.js'
import { StoryWorld } from '../support/World.js'

function Scene() {
  const box = useMemo(() => roundedBox(0.9), [])
  return (
    <StoryWorld floor={6} camera={{ position: [0, 1.35, 5.2], target: [0, 0.32, 0.1], fov: 26 }}>
      <SoftBody position={[-0.85, 1.1, 0]} rotation-y={0.5}>
        <mesh geometry={box} castShadow receiveShadow>
          <Jelly color={palette.azure} pattern="grid" scale={6} />
        </mesh>
      </SoftBody>
      <Label position={[-0.85, 0.13, 1.45]}>{'Tetrahedra\nkeep their volume'}</Label>
      <SoftBody
        position={[0.85, 1.1, 0]}
        rotation-y={0.5}
        edgeCompliance={false}
        volumeCompliance={false}
        shapeMatching={{ rate: 120 }}
      >
        <mesh geometry={box} castShadow receiveShadow>
          <Jelly color={palette.coral} pattern="grid" scale={6} />
        </mesh>
      </SoftBody>
      <Label position={[0.85, 0.13, 1.45]}>{'Shape matching\nkeeps its shape'}</Label>
      <Ground />
    </StoryWorld>
  )
}

const meta = {
  title: 'Bodies/Tet volume against shape matching',
  component: Scene,
  parameters: {
    docs: {
      description: {
        component:
          'Two ways to be elastic. Tetrahedra keep their volume: what is squashed bulges at the sides.\n\n' +
          'Shape matching pulls all particles to the rest shape at once: cheap and robust, without a bulge.',
      },
    },
  },
} satisfies Meta<typeof Scene>

export default meta
type Story = StoryObj<typeof meta>

export const TetVolumeAgainstShapeMatching: Story = { parameters: { shots: { steps: 28 } } }

export const OnlyTetrahedraKeepVolume: Story = {
  tags: ['!dev', '!autodocs'],
  async play() {
    const hook = await run(0)
    const [tet, shape] = [bodyOf(hook, 0), bodyOf(hook, 1)]
    const [tetRest, shapeRest] = [tet.volume(), shape.volume()]
    const least = [1, 1]
    for (let step = 0; step < 60; step += 2) {
      hook.world.step(2)
      least[0] = Math.min(least[0]!, tet.volume() / tetRest)
      least[1] = Math.min(least[1]!, shape.volume() / shapeRest)
    }
    await expect(least[0]).toBeGreaterThan(0.85)
    await expect(least[1]).toBeLessThan(least[0]!)
  },
}
