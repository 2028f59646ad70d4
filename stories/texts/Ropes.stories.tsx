import type { Meta, StoryObj } from '@storybook/react-vite'
import { useMemo, useRef } from 'react'
import { expect } from 'storybook/test'
import { BoxGeometry } from 'three'
import { Attach, Collider, Ground, Rope, type RopeRef, SoftBody, type SoftBodyRef, type Vec3 } from '../../src/index.js'
import { Rubber, Twine } from '../support/materials.js'
import { bodyOf, centerOf, positionsOf, run } from '../support/play.js'
import { Rail } from '../support/Rail.js'
import { ball } from '../support/shapes.js'
import { palette, wood } from '../support/themes.js'
import { StoryWorld } from '../support/World.js'

interface Args {
  /** Moment over curvature [N m^2]. */
  bendRigidity: number
  /** [m] */
  radius: number
}

const RAIL = 1.9
const HALF = 0.9
/** Of the hanging ropes, from the outermost [m]. */
const LENGTHS = [3.2, 2.5, 1.4]

function Hanging({ bendRigidity, radius }: Args) {
  const across = (half: number): Vec3[] => [
    [-half, 0, 0],
    [half, 0, 0],
  ]
  const rope = { radius, bendRigidity, castShadow: true, receiveShadow: true } as const
  return (
    <StoryWorld floor={5.5} camera={{ position: [0.8, 1.5, 5.2], target: [0, 0.97, 0], fov: 27 }}>
      <Rail width={2 * HALF} height={RAIL} />
      {LENGTHS.map((length, k) => (
        <Rope
          key={length}
          {...rope}
          points={across(HALF - 0.2 * k)}
          length={length}
          pins="ends"
          position={[0, RAIL, 0]}
          damping={0.4}
        >
          <Twine thread={[palette.coral, palette.azure, palette.mint][k]} />
        </Rope>
      ))}
      {/* Laid over a log, and caught on the floor. */}
      <Collider.Capsule args={[0.16, 1]} position={[0, 0.16, 0.4]} rotation={[0, 0, Math.PI / 2]} friction={0.7}>
        <mesh castShadow receiveShadow>
          <capsuleGeometry args={[0.16, 1, 12, 40]} />
          <Rubber color={wood} />
        </mesh>
      </Collider.Capsule>
      <Rope
        {...rope}
        points={[
          [-0.25, 0.7, 1.05],
          [0.3, 0.7, -0.45],
        ]}
        friction={0.7}
      >
        <Twine thread={palette.plum} />
      </Rope>
      <Ground />
    </StoryWorld>
  )
}

const WIDTH = 3.4
const HEIGHT = 1.25
const PLANKS = 13
const DEEP = 0.42

/** Height of the hanging rope over its lowest point, nearly a parabola. */
const sagAt = (x: number, length: number) => WIDTH * Math.sqrt(0.375 * (length / WIDTH - 1)) * ((2 * x) / WIDTH) ** 2

function Plank({ ropes, x, y }: { ropes: readonly { current: RopeRef | null }[]; x: number; y: number }) {
  const geometry = useMemo(() => new BoxGeometry(0.16, 0.04, 2 * DEEP + 0.16), [])
  return (
    <SoftBody
      position={[x, y, 0]}
      resolution={2}
      density={450}
      youngsModulus={false}
      shapeMatching={{ compliance: 0 }}
      collisionGroups={[2, 1]}
    >
      <mesh geometry={geometry} castShadow receiveShadow>
        <Rubber color={wood} />
      </mesh>
      {ropes.map((rope, side) => (
        <Attach key={side} b={rope} radius={0.05} />
      ))}
    </SoftBody>
  )
}

function Bridge() {
  const length = 1.035 * WIDTH
  const ropes = [useRef<RopeRef>(null), useRef<RopeRef>(null)]
  const low = HEIGHT - sagAt(WIDTH / 2, length)
  const shape = useMemo(() => ball(0.2), [])
  return (
    <StoryWorld floor={6} camera={{ position: [1.9, 2, 5.4], target: [0, 0.85, 0], fov: 27 }}>
      {[-1, 1].map((side) => (
        <Collider.Box
          key={side}
          args={[0.5, HEIGHT, 1.3]}
          position={[side * (WIDTH / 2 + 0.25), HEIGHT / 2, 0]}
          collisionGroups={[1, 0xffffffff]}
        >
          <mesh castShadow receiveShadow>
            <boxGeometry args={[0.5, HEIGHT, 1.3]} />
            <Rubber color="#a9a29a" />
          </mesh>
        </Collider.Box>
      ))}
      {ropes.map((ref, side) => (
        <Rope
          key={side}
          ref={ref}
          points={[
            [-WIDTH / 2, 0, 0],
            [WIDTH / 2, 0, 0],
          ]}
          length={length}
          segments={2 * PLANKS + 2}
          radius={0.025}
          position={[0, HEIGHT, (side - 0.5) * 2 * DEEP]}
          linearDensity={1}
          damping={0.5}
          pins="ends"
          collisionGroups={[2, 1]}
          castShadow
          receiveShadow
        >
          <Twine thread="#a07848" />
        </Rope>
      ))}
      {Array.from({ length: PLANKS }, (_, k) => {
        const x = ((k + 1) / (PLANKS + 1) - 0.5) * 0.99 * WIDTH
        return <Plank key={k} ropes={ropes} x={x} y={low + sagAt(x, length)} />
      })}
      <SoftBody
        position={[-1.2, 1.6, 0]}
        preset="rubber"
        density={150}
        youngsModulus={1e5}
        resolution={5}
        friction={0.4}
      >
        <mesh geometry={shape} castShadow receiveShadow>
          <Rubber color={palette.coral} pattern="dots" scale={9} />
        </mesh>
      </SoftBody>
      <Ground />
    </StoryWorld>
  )
}

const TOP = 2.3
const LONG = 1.5

function BallOnARope() {
  const weight = useRef<SoftBodyRef>(null)
  const shape = useMemo(() => ball(0.24), [])
  const towers = useMemo(() => new BoxGeometry(0.28, 0.28, 0.28, 4, 4, 4), [])
  // It starts held back, at sixty degrees.
  const [x, y] = [-LONG * Math.sin(Math.PI / 3), -LONG * Math.cos(Math.PI / 3)]
  const reach = (LONG + 0.22) / LONG
  return (
    <StoryWorld floor={6} camera={{ position: [0.6, 1.7, 6], target: [0, 1.1, 0], fov: 27 }}>
      <mesh position={[0, TOP + 0.05, 0]} castShadow receiveShadow>
        <boxGeometry args={[0.7, 0.1, 0.4]} />
        <Rubber color={wood} />
      </mesh>
      <Rope
        points={[
          [0, 0, 0],
          [x, y, 0],
        ]}
        position={[0, TOP, 0]}
        pins="start"
        castShadow
      >
        <Twine thread={palette.azure} />
        <Attach at="end" b={weight} />
      </Rope>
      <SoftBody
        ref={weight}
        position={[x * reach, TOP + y * reach, 0]}
        preset="rubber"
        density={400}
        youngsModulus={4e5}
        resolution={5}
      >
        <mesh geometry={shape} castShadow receiveShadow>
          <Rubber color={palette.azure} pattern="bands" scale={6} />
        </mesh>
      </SoftBody>
      {[0, 1, 2].map((k) => (
        <SoftBody
          key={k}
          position={[0.62, 0.145 + 0.285 * k, 0]}
          resolution={3}
          density={60}
          youngsModulus={1e5}
          shapeDamping={4}
        >
          <mesh geometry={towers} castShadow receiveShadow>
            <Rubber color={[palette.mint, palette.butter, palette.coral][k]} />
          </mesh>
        </SoftBody>
      ))}
      <Ground />
    </StoryWorld>
  )
}

const meta = {
  title: 'From the texts/Ropes',
  component: Hanging,
  args: { bendRigidity: 1e-3, radius: 0.022 },
  argTypes: {
    bendRigidity: { control: { type: 'range', min: 0, max: 0.5, step: 0.005 } },
    radius: { control: { type: 'range', min: 0.01, max: 0.06, step: 0.002 } },
  },
  parameters: {
    docs: {
      description: {
        component:
          'Rope leads through points and hangs between them where it is longer. All of it is solved at once, so that it does not ' +
          'stretch more than its stiffness says; bendRigidity makes a cable of it, or a rod.\n\n' +
          'Drag a rope, a plank, the ball.',
      },
    },
  },
} satisfies Meta<typeof Hanging>

export default meta
type Story = StoryObj<typeof meta>

export const Ropes: Story = { parameters: { shots: { steps: 90 } } }

export const PlankBridge: Story = { render: () => <Bridge />, parameters: { shots: { steps: 75 } } }

export const OnARope: Story = {
  name: 'Ball on a rope',
  render: () => <BallOnARope />,
  parameters: { shots: { steps: 40 } },
}

export const Hangs: Story = {
  tags: ['!dev', '!autodocs'],
  async play() {
    const hook = await run(180)
    for (const [k, length] of LENGTHS.entries()) {
      const points = positionsOf(bodyOf(hook, k))
      let way = 0
      for (let p = 3; p < points.length; p += 3) {
        way += Math.hypot(points[p]! - points[p - 3]!, points[p + 1]! - points[p - 2]!, points[p + 2]! - points[p - 1]!)
      }
      await expect(Math.abs(way / length - 1)).toBeLessThan(0.01)
    }
    // The last one lies over the log: it touches the floor on both sides, and is on top of the log between.
    const laid = positionsOf(bodyOf(hook, 3))
    const heights = Array.from(laid).filter((_, k) => k % 3 === 1)
    await expect(Math.max(...heights)).toBeGreaterThan(0.32)
    await expect(Math.max(...heights)).toBeLessThan(0.4)
    await expect(heights[0]).toBeLessThan(0.1)
  },
}

export const BearsABall: Story = {
  tags: ['!dev', '!autodocs'],
  render: () => <Bridge />,
  async play() {
    const hook = await run(80)
    const weight = bodyOf(hook, 2 + PLANKS)
    // It came down on the bridge, not through it, and every plank hangs where it was tied.
    await expect(centerOf(weight)[1]).toBeGreaterThan(0.7)
    for (let k = 0; k < PLANKS; k++) {
      const [x, y] = centerOf(bodyOf(hook, 2 + k))
      await expect(Math.abs(x)).toBeLessThan(WIDTH / 2)
      await expect(y).toBeGreaterThan(0.4)
    }
  },
}

export const KnocksATower: Story = {
  tags: ['!dev', '!autodocs'],
  render: () => <BallOnARope />,
  async play() {
    const hook = await run(20)
    const before = centerOf(bodyOf(hook, 3))
    await run(70)
    const [rope, weight] = [bodyOf(hook, 0), bodyOf(hook, 1)]
    // It swings on a rope that is as long as before, and has pushed the tower.
    await expect(Math.abs(Math.hypot(centerOf(weight)[0], centerOf(weight)[1] - TOP) - LONG - 0.22)).toBeLessThan(0.08)
    await expect(rope.maxStrain()).toBeLessThan(0.25)
    await expect(centerOf(bodyOf(hook, 3))[0]).toBeGreaterThan(before[0] + 0.05)
  },
}
