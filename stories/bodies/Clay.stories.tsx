import type { Meta, StoryObj } from '@storybook/react-vite'
import { useMemo, useRef } from 'react'
import { expect } from 'storybook/test'
import type { Group } from 'three'
import { type Body, Collider, Ground, type PresetName, SoftBody, useBeforeStep } from '../../src/index.js'
import { Label } from '../support/Label.js'
import { Rubber } from '../support/materials.js'
import { bodyOf, run } from '../support/play.js'
import { fineBox } from '../support/shapes.js'
import { palette } from '../support/themes.js'
import { StoryWorld } from '../support/World.js'

const SIDE = 0.9
const RADIUS = 0.25
/** How deep the ball comes into the block [m]. */
const DEPTH = 0.32
/** Where it comes down, from the middle towards the camera [m]. */
const Z = 0.12
/** How high above the block it begins and ends [m]. */
const LIFT = 0.3
const BLOCKS: { name: string; preset: PresetName; color: string; x: number }[] = [
  { name: "preset 'clay'", preset: 'clay', color: '#b9775a', x: -0.75 },
  { name: "preset 'clay-soft'", preset: 'clay-soft', color: palette.azure, x: 0.75 },
]

/** A ball that is thrown down on a block, and goes up again. */
function Ball({ x }: { x: number }) {
  const group = useRef<Group>(null)
  useBeforeStep(({ time }) => {
    const t = Math.min(1, Math.max(0, (time - 0.2) / 0.8))
    const down = Math.sin(Math.PI * t)
    // Afterwards it moves out of sight of the dent.
    const away = Math.min(1, Math.max(0, (time - 0.7) / 0.6))
    group.current?.position.set(x, SIDE + RADIUS + LIFT - (LIFT + DEPTH) * down * down, Z - 0.9 * away * away)
  })
  return (
    <Collider.Sphere ref={group} args={[RADIUS]} position={[x, SIDE + RADIUS + LIFT, Z]}>
      <mesh castShadow receiveShadow>
        <sphereGeometry args={[RADIUS - 0.004, 48, 32]} />
        <meshStandardMaterial color="#5b6470" roughness={0.3} metalness={0.7} />
      </mesh>
    </Collider.Sphere>
  )
}

function Scene() {
  const box = useMemo(() => fineBox(SIDE, 0.07), [])
  return (
    <StoryWorld floor={6} camera={{ position: [0, 3.7, 4.3], target: [0, 0.62, 0.1], fov: 25 }}>
      {BLOCKS.map(({ name, preset, color, x }) => (
        <group key={name}>
          <SoftBody preset={preset} position={[x, SIDE / 2, 0]} resolution={8}>
            <mesh geometry={box} castShadow receiveShadow>
              <Rubber color={color} pattern="grid" scale={7} />
            </mesh>
          </SoftBody>
          <Ball x={x} />
          <Label position={[x, 0.13, 1.15]}>{name}</Label>
        </group>
      ))}
      <Ground />
    </StoryWorld>
  )
}

const meta = {
  title: 'Bodies/Clay',
  component: Scene,
  parameters: {
    docs: {
      description: {
        component:
          'plasticity lets a shape stay: what is strained beyond yield flows at the rate creep, and keeps its volume. The ' +
          "preset 'clay' keeps the dent; 'clay-soft' is the same material without plasticity.\n\n" +
          'Reset, or a teleport, gives the shape back.',
      },
    },
  },
} satisfies Meta<typeof Scene>

export default meta
type Story = StoryObj<typeof meta>

export const Clay: Story = { parameters: { shots: { steps: 110 } } }

/** Height of the middle of a block's upper side [m]. */
function middleOf(body: Body, x: number): number {
  const positions = body.readPositions(new Float64Array(3 * body.particleCount))
  let top = 0
  for (let p = 0; p < positions.length; p += 3) {
    if (Math.hypot(positions[p]! - x, positions[p + 2]! - Z) < 0.1) top = Math.max(top, positions[p + 1]!)
  }
  return top
}

export const OnlyClayKeepsTheDent: Story = {
  tags: ['!dev', '!autodocs'],
  async play() {
    const start = await run(0)
    const volume = bodyOf(start, 0).volume()
    const hook = await run(120)
    const [clay, soft] = BLOCKS.map(({ x }, k) => middleOf(bodyOf(hook, k), x))
    await expect(clay).toBeLessThan(SIDE - 0.06)
    await expect(soft).toBeGreaterThan(SIDE - 0.04)
    await expect(Math.abs(bodyOf(hook, 0).volume() / volume - 1)).toBeLessThan(0.03)
  },
}
