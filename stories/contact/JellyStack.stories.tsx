import type { Meta, StoryObj } from '@storybook/react-vite'
import { useMemo, useState } from 'react'
import { expect, waitFor } from 'storybook/test'
import { Ground, SoftBody } from '../../src/index.js'
import { Buttons } from '../support/Buttons.js'
import { Jelly } from '../support/materials.js'
import { bodyOf, centerOf, run } from '../support/play.js'
import { roundedBox } from '../support/shapes.js'
import { palette } from '../support/themes.js'
import { StoryWorld } from '../support/World.js'

interface Args {
  /** Young's modulus [kPa]. */
  stiffness: number
}

const SIZE = 0.4
const CUBES = 3
/** More would cost more than a phone has. */
const MOST = 8
const colors = [palette.coral, palette.apricot, palette.mint, palette.azure, palette.plum]

function Stack({ stiffness, count }: Args & { count: number }) {
  const cube = useMemo(() => roundedBox(SIZE, 0.04), [])
  return Array.from({ length: count }, (_, k) => {
    const color = colors[k % colors.length]!
    // The first stand a little above each other; those that are dropped come from above them all.
    const height = k < CUBES ? (SIZE + 0.03) * k : CUBES * SIZE + 0.2
    return (
      <SoftBody
        key={`cube ${k}`}
        position={[0, SIZE / 2 + 0.02 + height, 0]}
        rotation-y={0.5 + 0.25 * (k % 3)}
        resolution={3}
        density={150}
        youngsModulus={stiffness * 1e3}
        shapeDamping={6}
        friction={0.8}
      >
        <mesh geometry={cube} castShadow receiveShadow>
          <Jelly color={color} pattern="grid" scale={7.5} />
        </mesh>
      </SoftBody>
    )
  })
}

function Scene({ stiffness }: Args) {
  const [count, setCount] = useState(CUBES)
  return (
    <div style={{ position: 'relative' }}>
      <StoryWorld floor={5} camera={{ position: [0.4, 1.55, 5.6], target: [0, 0.72, 0], fov: 20.5 }}>
        <Stack stiffness={stiffness} count={count} />
        <Ground friction={0.8} />
      </StoryWorld>
      <Buttons actions={{ 'One more': () => setCount((before) => Math.min(MOST, before + 1)) }} />
    </div>
  )
}

const meta = {
  title: 'Contact/Jelly stack',
  component: Scene,
  args: { stiffness: 600 },
  argTypes: { stiffness: { control: { type: 'range', min: 20, max: 1000, step: 20 } } },
  parameters: {
    docs: {
      description: {
        component:
          'Bodies touch each other, surface against surface, and friction keeps them where they are. Nothing is to be switched on.\n\n' +
          'Drop one more, or make them softer: a column buckles as soon as its own weight is too much for it.',
      },
    },
  },
} satisfies Meta<typeof Scene>

export default meta
type Story = StoryObj<typeof meta>

export const JellyStack: Story = { parameters: { shots: { steps: 60 } } }

export const StandsAndBearsOneMore: Story = {
  tags: ['!dev', '!autodocs'],
  async play({ canvas, userEvent }) {
    const hook = await run(0)
    const standsAsStacked = async (count: number, within: number) => {
      for (let k = 0; k < count; k++) {
        const [x, y, z] = centerOf(bodyOf(hook, k))
        await expect(Math.hypot(x, z)).toBeLessThan(within)
        if (k === 0) continue
        // Each lies on the one below, and has not sunk into it: the weight above takes some of their height.
        const apart = y - centerOf(bodyOf(hook, k - 1))[1]
        await expect(apart).toBeGreaterThan(0.9 * SIZE)
        await expect(apart).toBeLessThan(1.05 * SIZE)
      }
    }
    await run(100)
    await standsAsStacked(CUBES, 0.25 * SIZE)
    await userEvent.click(canvas.getByRole('button', { name: 'One more' }))
    await waitFor(() => expect(hook.world.world.bodies.length).toBe(CUBES + 1))
    await run(120)
    await standsAsStacked(CUBES + 1, 0.35 * SIZE)
  },
}
