import type { Meta, StoryObj } from '@storybook/react-vite'
import { useMemo } from 'react'
import { expect } from 'storybook/test'
import { type Body, SoftBody, useBeforeStep } from '../../src/index.js'
import { arrange } from '../support/arrange.js'
import { Label } from '../support/Label.js'
import { Jelly } from '../support/materials.js'
import { bodyOf, run } from '../support/play.js'
import { roundedBox } from '../support/shapes.js'
import { palette } from '../support/themes.js'
import { StoryWorld } from '../support/World.js'

interface Args {
  /** Of the springs [m/N]. */
  edgeCompliance: number
  /** Rate of the pull to the shape [rad/s]. */
  rate: number
}

/** Its mirror image, left for right. */
function mirrored(body: Body): (from: Float64Array) => Float64Array {
  const [x] = body.centerOfMass([0, 0, 0])
  return (from) => from.map((at, k) => (k % 3 === 0 ? 2 * x - at : at))
}

/** Turns every body inside out before the first step. */
function Mirror() {
  useBeforeStep((world) => {
    if (world.stepIndex > 0) return
    for (const body of world.bodies) arrange(world, body, mirrored(body))
  })
  return null
}

function Scene({ edgeCompliance, rate }: Args) {
  const shape = useMemo(() => roundedBox(0.9), [])
  return (
    <StoryWorld
      world={{ gravity: [0, 0, 0] }}
      floor={6}
      camera={{ position: [0, 1.5, 5.4], target: [0, 0.65, 0.1], fov: 26 }}
    >
      <SoftBody
        position={[-0.95, 0.8, 0]}
        rotation-y={0.5}
        resolution={4}
        youngsModulus={false}
        edgeCompliance={edgeCompliance}
        shapeDamping={4}
        rescue={false}
      >
        <mesh geometry={shape} castShadow receiveShadow>
          <Jelly color={palette.coral} pattern="grid" scale={7} />
        </mesh>
      </SoftBody>
      <Label position={[-0.95, 0.13, 1.2]}>springs</Label>
      <SoftBody
        position={[0.95, 0.8, 0]}
        rotation-y={0.5}
        resolution={4}
        youngsModulus={false}
        shapeMatching={{ rate }}
        shapeDamping={4}
        rescue={false}
      >
        <mesh geometry={shape} castShadow receiveShadow>
          <Jelly color={palette.azure} pattern="grid" scale={7} />
        </mesh>
      </SoftBody>
      <Label position={[0.95, 0.13, 1.2]}>shape matching</Label>
      <Mirror />
    </StoryWorld>
  )
}

const meta = {
  title: 'From the texts/Inside out',
  component: Scene,
  args: { edgeCompliance: 1e-4, rate: 12 },
  argTypes: {
    edgeCompliance: { control: { type: 'number', min: 0, step: 1e-4 } },
    rate: { control: { type: 'range', min: 2, max: 60, step: 1 } },
  },
  parameters: {
    docs: {
      description: {
        component:
          'Springs keep distances, and a mirror image has the same ones: a body of springs that is turned inside out stays so. ' +
          'Shape matching knows the shape, and turns it back.',
      },
    },
  },
} satisfies Meta<typeof Scene>

export default meta
type Story = StoryObj<typeof meta>

export const InsideOut: Story = { parameters: { shots: { steps: 9 } } }

export const SpringsStayMirroredAndShapesComeBack: Story = {
  tags: ['!dev', '!autodocs'],
  async play() {
    const hook = await run(0)
    const [springs, shape] = [bodyOf(hook, 0), bodyOf(hook, 1)]
    const volumes = [springs.volume(), shape.volume()]
    hook.world.step(1)
    await expect(springs.volume()).toBeLessThan(-0.9 * volumes[0]!)
    await expect(shape.volume()).toBeLessThan(0)
    hook.world.step(120)
    // det < 0 in the mean: as large as at rest, and of the other sign.
    await expect(springs.volume() / volumes[0]!).toBeLessThan(-0.9)
    await expect(shape.volume() / volumes[1]!).toBeGreaterThan(0.99)
  },
}
