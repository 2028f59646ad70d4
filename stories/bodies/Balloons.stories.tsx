import type { Meta, StoryObj } from '@storybook/react-vite'
import { useMemo } from 'react'
import { expect } from 'storybook/test'
import { Ground, SoftBody, type SoftBodyProps } from '../../src/index.js'
import { Balloon } from '../support/materials.js'
import { bodyOf, boundsOf, centerOf, run } from '../support/play.js'
import { ball, heart } from '../support/shapes.js'
import { palette } from '../support/themes.js'
import { StoryWorld } from '../support/World.js'

const source = `
<SoftBody preset="balloon" damping={0.4} position={[0, 2, 0]}>
  <mesh geometry={heart}>
    <meshPhysicalMaterial color="tomato" clearcoat={1} />
  </mesh>
</SoftBody>`

/** Air slows what weighs little: it falls, but not like a stone. */
const light = { preset: 'balloon', damping: 0.4, castShadow: true, receiveShadow: true } as const

interface PartProps {
  at: [number, number, number]
  /** Radius and height of the middle [m]. */
  size: [number, number]
  turn?: [number, number, number]
}

const straight: [number, number, number] = [0, 0, 0]

function Part({ at, size, turn = straight }: PartProps) {
  return (
    <mesh position={at} rotation={turn} castShadow receiveShadow>
      <capsuleGeometry args={[...size, 10, 28, 6]} />
      <Balloon color={palette.azure} />
    </mesh>
  )
}

/** A dog of one long balloon, as it is twisted at fairs: nine meshes, one body. */
function Dog(props: Pick<SoftBodyProps, 'position' | 'rotation'>) {
  return (
    <SoftBody preset="balloon" youngsModulus={2e4} damping={0.4} resolution={9} {...props}>
      <Part at={[0, 0, 0]} size={[0.17, 0.3]} turn={[0, 0, Math.PI / 2]} />
      <Part at={[-0.31, 0.24, 0]} size={[0.13, 0.16]} turn={[0, 0, 0.2]} />
      <Part at={[-0.44, 0.42, 0]} size={[0.14, 0.16]} turn={[0, 0, Math.PI / 2 + 0.1]} />
      {[-1, 1].map((side) => (
        <group key={side}>
          <Part at={[-0.28, 0.56, 0.1 * side]} size={[0.085, 0.1]} turn={[0.5 * side, 0, -0.4]} />
          <Part at={[-0.23, -0.2, 0.13 * side]} size={[0.13, 0.1]} turn={[-0.3 * side, 0, 0.1]} />
          <Part at={[0.25, -0.2, 0.13 * side]} size={[0.13, 0.1]} turn={[-0.3 * side, 0, -0.1]} />
        </group>
      ))}
      <Part at={[0.31, 0.17, 0]} size={[0.1, 0.22]} turn={[0, 0, -0.5]} />
    </SoftBody>
  )
}

function Scene() {
  const round = useMemo(() => ball(0.34), [])
  const love = useMemo(() => heart(0.95), [])
  return (
    <StoryWorld floor={6} camera={{ position: [0.3, 1.35, 6.2], target: [0, 0.66, 0], fov: 26 }}>
      <SoftBody {...light} position={[-1.12, 1.25, 0]} rotation={[0.1, 0.3, 0.15]} resolution={6} geometry={love}>
        <Balloon color={palette.coral} />
      </SoftBody>
      <Dog position={[0.16, 0.7, 0.1]} rotation={[0, 0.5, 0.05]} />
      <SoftBody {...light} position={[1.2, 1.5, -0.2]} resolution={5} geometry={round}>
        <Balloon color={palette.butter} pattern="bands" ink="#fbf5ea" scale={3.4} />
      </SoftBody>
      <Ground />
    </StoryWorld>
  )
}

const meta = {
  title: 'Bodies/Balloons',
  component: Scene,
  parameters: {
    docs: {
      description: {
        component:
          'preset="balloon" is a light skin that is pumped up: it weighs 30 kg a cubic metre and bounces.\n\n' +
          'Any closed shape will do. The dog is nine meshes in one SoftBody. Throw them.',
      },
      source: { code: source.trim(), language: 'tsx' },
    },
  },
} satisfies Meta<typeof Scene>

export default meta
type Story = StoryObj<typeof meta>

export const Balloons: Story = { parameters: { shots: { steps: 30 } } }

const BALL = 2

export const BounceAndWeighLittle: Story = {
  tags: ['!dev', '!autodocs'],
  async play() {
    const hook = await run(0)
    const round = bodyOf(hook, BALL)
    // A ball of 0.34 m has 0.165 m^3, so some 5 kg at 30 kg/m^3.
    await expect(round.mass).toBeGreaterThan(4)
    await expect(round.mass).toBeLessThan(6)
    let lowest = Number.POSITIVE_INFINITY
    let back = 0
    for (let step = 0; step < 100; step++) {
      hook.world.step()
      const height = centerOf(round)[1]
      if (height < lowest) {
        lowest = height
        back = height
      } else back = Math.max(back, height)
    }
    // It comes up again by a good part of its fall of more than a metre.
    await expect(back - lowest).toBeGreaterThan(0.2)
    // And none has sunk into the ground.
    for (const k of [0, 1, BALL]) await expect(boundsOf(bodyOf(hook, k))[1]).toBeGreaterThan(-0.02)
  },
}
