import type { Meta, StoryObj } from '@storybook/react-vite'
import { useMemo, useRef } from 'react'
import { expect } from 'storybook/test'
import { Ground, SoftBody, type SoftBodyRef, Spring } from '../../src/index.js'
import { Label } from '../support/Label.js'
import { Jelly, Rubber } from '../support/materials.js'
import { bodyOf, centerOf, run } from '../support/play.js'
import { ball } from '../support/shapes.js'
import { palette, wood } from '../support/themes.js'
import { StoryWorld } from '../support/World.js'

interface Args {
  /** [N/m] */
  stiffness: number
  /** Of critical, in the middle one. */
  damping: number
  /** [N] */
  maxForce: number
}

const MASS = 4
const HEIGHT = 2.3
const REST = 0.7
const bobs = [
  { x: -1.4, name: 'undamped', color: palette.coral, share: () => 0 },
  { x: -0.35, name: 'damped', color: palette.apricot, share: (damping: number) => damping },
  { x: 0.7, name: 'overdamped', color: palette.mint, share: () => 2.5 },
]

/** Two balls on one spring, which hang from another. */
function Pair({ stiffness, geometry }: { stiffness: number; geometry: ReturnType<typeof ball> }) {
  const [upper, lower] = [useRef<SoftBodyRef>(null), useRef<SoftBodyRef>(null)]
  return (
    <>
      {[upper, lower].map((ref, k) => (
        <SoftBody
          key={k === 0 ? 'upper' : 'lower'}
          ref={ref}
          position={[1.75, HEIGHT - 0.6 - 0.75 * k, 0]}
          resolution={4}
          mass={MASS / 2}
          youngsModulus={1e5}
        >
          <mesh geometry={geometry} castShadow receiveShadow>
            <Jelly color={k === 0 ? palette.azure : palette.plum} pattern="dots" scale={9} />
          </mesh>
        </SoftBody>
      ))}
      <Spring
        a={upper}
        position={[1.75, HEIGHT, 0]}
        stiffness={stiffness}
        damping={5}
        restLength={0.5}
        line
        coils={5}
      />
      <Spring a={upper} b={lower} stiffness={stiffness} damping={2} restLength={0.6} line coils={6} />
    </>
  )
}

function Scene({ stiffness, damping, maxForce }: Args) {
  const geometry = useMemo(() => ball(0.2), [])
  const critical = 2 * Math.sqrt(stiffness * MASS)
  return (
    <StoryWorld floor={6} camera={{ position: [0, 1.7, 6.6], target: [0.15, 1.15, 0], fov: 26 }}>
      <mesh position={[0.15, HEIGHT + 0.05, 0]} castShadow receiveShadow>
        <boxGeometry args={[4, 0.1, 0.3]} />
        <Rubber color={wood} />
      </mesh>
      {bobs.map(({ x, name, color, share }) => (
        <group key={name}>
          <SoftBody position={[x, HEIGHT - REST, 0]} resolution={4} mass={MASS} youngsModulus={1e5}>
            <mesh geometry={geometry} castShadow receiveShadow>
              <Jelly color={color} pattern="grid" scale={9} />
            </mesh>
            <Spring
              position={[0, REST, 0]}
              stiffness={stiffness}
              damping={share(damping) * critical}
              restLength={REST}
              maxForce={maxForce}
              line
              coils={8}
            />
          </SoftBody>
          <Label position={[x, 0.1, 0.7]} width={0.9}>
            {name}
          </Label>
        </group>
      ))}
      <Pair stiffness={stiffness} geometry={geometry} />
      <Ground />
    </StoryWorld>
  )
}

const meta = {
  title: 'From the texts/Springs',
  component: Scene,
  args: { stiffness: 150, damping: 0.15, maxForce: 1e6 },
  argTypes: {
    stiffness: { control: { type: 'range', min: 40, max: 5000, step: 10 } },
    damping: { control: { type: 'range', min: 0, max: 2, step: 0.05 } },
    maxForce: { control: { type: 'range', min: 40, max: 1000, step: 10 } },
  },
  parameters: {
    docs: {
      description: {
        component:
          'Damped springs in N/m and N s/m: they swing with the period and the decay of the textbook, and no stiffness makes ' +
          'them explode. Drag the balls.',
      },
    },
  },
} satisfies Meta<typeof Scene>

export default meta
type Story = StoryObj<typeof meta>

export const Springs: Story = { parameters: { shots: { steps: 40 } } }

export const TheySwingAsTheTextbookSays: Story = {
  tags: ['!dev', '!autodocs'],
  async play({ args }) {
    const hook = await run(0)
    const period = 2 * Math.PI * Math.sqrt(MASS / args.stiffness)
    const rest = HEIGHT - REST - (MASS * 9.81) / args.stiffness
    const swing = bodyOf(hook, 0)
    let lowest = Number.POSITIVE_INFINITY
    let time = 0
    for (let step = 1; step <= period * 60; step++) {
      hook.world.step()
      const y = centerOf(swing)[1]
      if (y >= lowest) continue
      lowest = y
      time = step / 60
    }
    // Let go at its length it falls to twice the sag, in half a period.
    await expect(time).toBeGreaterThan(0.45 * period)
    await expect(time).toBeLessThan(0.55 * period)
    await expect(Math.abs(rest - lowest - (HEIGHT - REST - rest))).toBeLessThan(0.02)
    hook.world.step(240)
    await expect(Math.abs(centerOf(bodyOf(hook, 2))[1] - rest)).toBeLessThan(0.02)
  },
}
