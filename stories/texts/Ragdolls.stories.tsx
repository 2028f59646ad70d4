import type { Meta, StoryObj } from '@storybook/react-vite'
import { useRef } from 'react'
import { expect } from 'storybook/test'
import { Cloth, Collider, Ground, Ragdoll, type RagdollRef, useBeforeStep, type Vec3 } from '../../src/index.js'
import { Fabric, Rubber } from '../support/materials.js'
import { bodyOf, boundsOf, centerOf, mouseOn, run } from '../support/play.js'
import { Rail } from '../support/Rail.js'
import { palette, wood } from '../support/themes.js'
import { StoryWorld } from '../support/World.js'

interface Args {
  /** How many tumble. */
  count: number
  /** Friction of the limbs. */
  friction: number
}

const colors = Object.values(palette)
const STEPS = 7
const RISE = 0.17
const TREAD = 0.3
const WIDE = 2.2
/** They are children's size. */
const SMALL = 0.9

function Stairs() {
  return (
    <>
      {Array.from({ length: STEPS }, (_, k) => {
        const height = RISE * (STEPS - k)
        const at: Vec3 = [TREAD * (k - 3.2), height / 2, 0]
        return (
          <Collider.Box key={k} args={[TREAD, height, WIDE]} position={[...at]}>
            <mesh castShadow receiveShadow>
              <boxGeometry args={[TREAD, height, WIDE]} />
              <Rubber color={k % 2 === 0 ? wood : '#d4ae84'} />
            </mesh>
          </Collider.Box>
        )
      })}
    </>
  )
}

function Tumble({ count, friction }: Args) {
  return (
    <StoryWorld floor={6} camera={{ position: [2.6, 2.1, 4.6], target: [0.2, 0.72, 0], fov: 28 }}>
      <Stairs />
      {Array.from({ length: count }, (_, k) => (
        <Ragdoll
          key={k}
          height={SMALL}
          position={[-0.95 + 0.1 * (k % 2), RISE * STEPS + 0.12 + 0.15 * k, (k - (count - 1) / 2) * 0.6]}
          rotation={[0.1 * k, 1.3, 0, 'ZYX']}
          rotation-z={-0.45 - 0.1 * k}
          friction={friction}
          castShadow
          receiveShadow
        >
          <Rubber color={colors[k % colors.length]} />
        </Ragdoll>
      ))}
      <Ground />
    </StoryWorld>
  )
}

const RAIL = 1.7
const CURTAIN: [number, number] = [1.9, 1.55]

function Curtain() {
  return (
    <StoryWorld floor={6} camera={{ position: [2.5, 1.7, 4.6], target: [0, 0.8, 0.1], fov: 27 }}>
      <Rail width={2.1} height={RAIL} />
      <Cloth
        args={[...CURTAIN, 30, 24]}
        position={[0, RAIL - CURTAIN[1] / 2, 0]}
        pins="top"
        tether
        damping={0.4}
        castShadow
        receiveShadow
      >
        <Fabric color="#f7efe0" ink={palette.coral} repeat={[9, 1]} />
      </Cloth>
      <Thrown />
      <Ground />
    </StoryWorld>
  )
}

/** Three that are thrown into the curtain with the first step. */
function Thrown() {
  const dolls = [useRef<RagdollRef>(null), useRef<RagdollRef>(null), useRef<RagdollRef>(null)]
  useBeforeStep(({ stepIndex }) => {
    if (stepIndex > 0) return
    dolls.forEach((doll, k) => doll.current?.setVelocity([0, 1.6, -3.4], [k - 2, 0.4 * k, 0.5 - k]))
  })
  return dolls.map((doll, k) => (
    <Ragdoll
      key={k}
      ref={doll}
      height={SMALL}
      position={[0.55 * (k - 1), 0.2 + 0.12 * k, 0.9 + 0.1 * k]}
      rotation-y={Math.PI}
      castShadow
      receiveShadow
    >
      <Rubber color={colors[k + 2]} />
    </Ragdoll>
  ))
}

const meta = {
  title: 'From the texts/Ragdolls',
  component: Tumble,
  args: { count: 3, friction: 0.4 },
  argTypes: {
    count: { control: { type: 'range', min: 1, max: 6, step: 1 } },
    friction: { control: { type: 'range', min: 0, max: 1, step: 0.05 } },
  },
  parameters: {
    docs: {
      description: {
        component:
          'Ragdoll is one body of eleven rigid limbs with the proportions and masses of a human. Shoulders, hips, neck and waist ' +
          'are balls within a cone, elbows and knees are hinges.\n\nDrag one by a limb, and throw it.',
      },
    },
  },
} satisfies Meta<typeof Tumble>

export default meta
type Story = StoryObj<typeof meta>

export const DownTheStairs: Story = { parameters: { shots: { steps: 62 } } }

export const MeetTheCurtain: Story = { render: () => <Curtain />, parameters: { shots: { steps: 24 } } }

export const TumblesDown: Story = {
  tags: ['!dev', '!autodocs'],
  args: { count: 1 },
  async play() {
    const hook = await run(1)
    const before = centerOf(bodyOf(hook))
    await run(180)
    const doll = bodyOf(hook)
    // It went down the stairs, stays above them and the floor, and is as tall as before at most.
    await expect(centerOf(doll)[0]).toBeGreaterThan(before[0] + 0.2)
    await expect(centerOf(doll)[1]).toBeLessThan(before[1] - 0.2)
    await expect(boundsOf(doll)[1]).toBeGreaterThan(0)
  },
}

export const IsDragged: Story = {
  tags: ['!dev', '!autodocs'],
  render: () => <Curtain />,
  async play({ canvasElement }) {
    const hook = await run(60)
    const doll = bodyOf(hook, 1)
    const [x, y, z] = centerOf(doll)
    const mouse = mouseOn(canvasElement.querySelector('canvas')!)
    const from = hook.screenOf([x, y, z])
    mouse.down(from)
    for (let k = 1; k <= 12; k++) {
      mouse.move([from[0] + 2 * k, from[1] - 9 * k])
      hook.world.step(4)
    }
    await expect(centerOf(doll)[1]).toBeGreaterThan(y + 0.1)
    mouse.up([from[0] + 24, from[1] - 108])
    await run(60)
    // Nobody is in the cloth.
    await expect(hook.world.stats.crossings).toBe(0)
  },
}
