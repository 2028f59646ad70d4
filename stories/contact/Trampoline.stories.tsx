import type { Meta, StoryObj } from '@storybook/react-vite'
import { useMemo } from 'react'
import { expect } from 'storybook/test'
import { Cloth, Ground, SoftBody } from '../../src/index.js'
import { Fabric, Jelly, Rubber } from '../support/materials.js'
import { bodyOf, boundsOf, centerOf, run } from '../support/play.js'
import { roundedBox } from '../support/shapes.js'
import { palette, wood } from '../support/themes.js'
import { StoryWorld } from '../support/World.js'

interface Args {
  /** Of the cloth [N/m]. */
  stretchModulus: number
  /** Of the body [kg/m^3]. */
  density: number
}

const SIZE = 1.8
const HEIGHT = 0.8
const JELLY = 0.36
const isRim = ({ x, y }: { x: number; y: number }) => Math.max(Math.abs(x), Math.abs(y)) > 0.499 * SIZE

/** Rails around the cloth, and a leg under each corner. */
function Frame() {
  const half = SIZE / 2
  return [0, 1, 2, 3].map((k) => (
    <group key={k} rotation-y={(k * Math.PI) / 2}>
      <mesh position={[0, HEIGHT, half]} rotation-z={Math.PI / 2} castShadow receiveShadow>
        <capsuleGeometry args={[0.035, SIZE, 8, 24]} />
        <Rubber color={wood} />
      </mesh>
      <mesh position={[half, HEIGHT / 2, half]} castShadow receiveShadow>
        <cylinderGeometry args={[0.032, 0.032, HEIGHT, 24]} />
        <Rubber color={wood} />
      </mesh>
    </group>
  ))
}

function Scene({ stretchModulus, density }: Args) {
  const cube = useMemo(() => roundedBox(JELLY, 0.06), [])
  return (
    <StoryWorld floor={6} camera={{ position: [1.3, 3.1, 4.9], target: [0, 0.66, 0], fov: 23 }}>
      <Frame />
      <Cloth
        args={[SIZE, SIZE, 20, 20]}
        position={[0, HEIGHT, 0]}
        rotation-x={-Math.PI / 2}
        pins={isRim}
        areaDensity={0.5}
        stretchModulus={stretchModulus}
        shearModulus={1000}
        thickness={0.01}
        drag={0}
        lift={0}
        castShadow
        receiveShadow
      >
        <Fabric color={palette.azure} ink="#f7efe0" weave="grid" repeat={[9, 9]} />
      </Cloth>
      <SoftBody
        position={[0, HEIGHT + 0.9, 0]}
        rotation={[0.1, 0.5, 0.06]}
        resolution={3}
        density={density}
        youngsModulus={5e4}
      >
        <mesh geometry={cube} castShadow receiveShadow>
          <Jelly color={palette.coral} pattern="grid" scale={8} />
        </mesh>
      </SoftBody>
      <Ground />
    </StoryWorld>
  )
}

const meta = {
  title: 'Contact/Trampoline',
  component: Scene,
  args: { stretchModulus: 5000, density: 150 },
  argTypes: {
    stretchModulus: { control: { type: 'range', min: 2000, max: 10000, step: 500 } },
    density: { control: { type: 'range', min: 50, max: 400, step: 10 } },
  },
  parameters: {
    docs: {
      description: {
        component:
          'A jelly on a Cloth that is pinned all around: what the cloth takes up it gives back.\n\n' +
          'Throw it sideways, or make it heavier.',
      },
    },
  },
} satisfies Meta<typeof Scene>

export default meta
type Story = StoryObj<typeof meta>

export const Trampoline: Story = { parameters: { shots: { steps: 27 } } }

export const ThrowsItBack: Story = {
  tags: ['!dev', '!autodocs'],
  async play() {
    const hook = await run(0)
    const [cloth, jelly] = [bodyOf(hook, 0), bodyOf(hook, 1)]
    const fall = centerOf(jelly)[1] - HEIGHT
    let lowest = Number.POSITIVE_INFINITY
    let back = 0
    for (let step = 0; step < 90; step++) {
      hook.world.step()
      const height = centerOf(jelly)[1]
      if (height < lowest) {
        lowest = height
        back = height
      } else back = Math.max(back, height)
      // It never is below the cloth that it has pushed down.
      await expect(boundsOf(jelly)[1]).toBeGreaterThan(boundsOf(cloth)[1]!)
    }
    await expect(lowest).toBeLessThan(HEIGHT)
    await expect(back - HEIGHT).toBeGreaterThan(0.5 * fall)
  },
}
