import type { Meta, StoryObj } from '@storybook/react-vite'
import { useMemo } from 'react'
import { expect } from 'storybook/test'
import { Ground, Particles, SoftBody, useBeforeStep } from '../../src/index.js'
import { arrange } from '../support/arrange.js'
import { Label } from '../support/Label.js'
import { Jelly } from '../support/materials.js'
import { bodyOf, positionsOf, run } from '../support/play.js'
import { roundedBox } from '../support/shapes.js'
import { palette } from '../support/themes.js'
import { StoryWorld } from '../support/World.js'

interface Args {
  /** Of the marbles, from the front to the back: 0, this, and three times this [1/s]. */
  contactDamping: number
  /** At which the right cube gets back to its shape [1/s]. */
  relaxation: number
}

const SPEED = 2
const RADIUS = 0.08
const lanes = [0, 1, 3]

/** At the start the marbles roll, and the cubes are stretched. */
function Start() {
  useBeforeStep((world) => {
    if (world.stepIndex > 0) return
    for (const body of world.bodies) {
      if (body.model.tets.length === 0) body.setVelocity([SPEED, 0, 0])
      else {
        const [x, y, z] = body.centerOfMass([0, 0, 0])
        const [c, by] = [
          [x, y, z],
          [1.6, 0.8, 0.8],
        ]
        arrange(world, body, (from) => from.map((at, k) => c[k % 3]! + by[k % 3]! * (at - c[k % 3]!)))
      }
    }
  })
  return null
}

function Scene({ contactDamping, relaxation }: Args) {
  const shape = useMemo(() => roundedBox(0.5), [])
  const common = { resolution: 4, youngsModulus: false, gravityScale: 0, density: 300 } as const
  return (
    <StoryWorld floor={6.5} camera={{ position: [0, 2.1, 6.6], target: [0, 0.6, 0], fov: 26 }}>
      {lanes.map((times, k) => (
        <Particles
          key={times}
          positions={[[-1.9, RADIUS, 0.9 - 0.45 * k]]}
          radius={RADIUS}
          friction={0}
          contactDamping={times * contactDamping}
          castShadow
        >
          <meshStandardMaterial color={[palette.coral, palette.apricot, palette.mint][k]} roughness={0.3} />
        </Particles>
      ))}
      <SoftBody position={[-0.8, 1.3, -0.6]} shapeMatching={{ rate: relaxation }} {...common}>
        <mesh geometry={shape} castShadow receiveShadow>
          <Jelly color={palette.azure} pattern="grid" scale={8} />
        </mesh>
      </SoftBody>
      <Label position={[-0.8, 0.72, -0.6]}>{'rate:\nswings'}</Label>
      <SoftBody position={[0.8, 1.3, -0.6]} shapeMatching={{ relaxation }} {...common}>
        <mesh geometry={shape} castShadow receiveShadow>
          <Jelly color={palette.plum} pattern="grid" scale={8} />
        </mesh>
      </SoftBody>
      <Label position={[0.8, 0.72, -0.6]}>{'relaxation:\ndoes not'}</Label>
      <Start />
      <Ground />
    </StoryWorld>
  )
}

const meta = {
  title: 'From the texts/Settling',
  component: Scene,
  args: { contactDamping: 1, relaxation: 6 },
  argTypes: {
    contactDamping: { control: { type: 'range', min: 0, max: 20, step: 0.5 } },
    relaxation: { control: { type: 'range', min: 1, max: 60, step: 1 } },
  },
  parameters: {
    docs: {
      description: {
        component:
          'Two rates in 1/s. `contactDamping` lets what slides on something slow down as exp(-k t), however hard it is ' +
          'pressed. `relaxation` draws a shape back as exp(-k t) without giving it any speed: it does not swing.',
      },
    },
  },
} satisfies Meta<typeof Scene>

export default meta
type Story = StoryObj<typeof meta>

export const Settling: Story = { parameters: { shots: { steps: 40 } } }

export const BothDecayAsTheirRates: Story = {
  tags: ['!dev', '!autodocs'],
  async play({ args }) {
    const hook = await run(0)
    hook.world.step(1)
    const relaxed = bodyOf(hook, 4)
    const length = () => {
      const x = positionsOf(relaxed).filter((_, k) => k % 3 === 0)
      return Math.max(...x) - Math.min(...x)
    }
    const [before, rest] = [length(), 0.5]
    hook.world.step(30)
    const time = 31 / 60
    for (let k = 0; k < 3; k++) {
      const law = SPEED * Math.exp(-lanes[k]! * args.contactDamping * time)
      await expect(Math.abs(bodyOf(hook, k).velocity([0, 0, 0])[0] / law - 1)).toBeLessThan(0.02)
    }
    const kept = (length() - rest) / (before - rest)
    await expect(Math.abs(kept / Math.exp(-args.relaxation * 0.5) - 1)).toBeLessThan(0.15)
    await expect(Math.hypot(...relaxed.velocity([0, 0, 0]))).toBeLessThan(1e-6)
  },
}
