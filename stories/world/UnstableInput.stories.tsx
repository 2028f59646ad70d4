import type { Meta, StoryObj } from '@storybook/react-vite'
import { type RefObject, useImperativeHandle, useMemo, useRef } from 'react'
import { expect } from 'storybook/test'
import {
  type CollisionGroups,
  Ground,
  SettingError,
  SoftBody,
  type SoftBodyRef,
  SoftBodyStats,
  useBeforeStep,
  useSoftBodyWorld,
} from '../../src/index.js'
import { arrange } from '../support/arrange.js'
import { Buttons } from '../support/Buttons.js'
import { prefersReducedMotion } from '../support/controls.js'
import { Label } from '../support/Label.js'
import { Jelly } from '../support/materials.js'
import { bodyOf, positionsOf, runGuarded, speedOf } from '../support/play.js'
import { roundedBox } from '../support/shapes.js'
import { palette } from '../support/themes.js'
import { StoryWorld } from '../support/World.js'

interface Args {
  /** Do one of them every two seconds. */
  automatic: boolean
}

interface Mischief {
  /** An impulse that is not a number: refused with an error that says so. */
  impulse(): void
  /** Positions that are not numbers: refused, and counted. */
  positions(): void
  /** A force beyond all bounds: the body goes back to where it last was. */
  force(): void
  /** A push to ten times the speed of sound in jelly: cut to `maxSpeed`. */
  speed(): void
}

const EVERY = 2
/** They do not meet each other: what the one is fed with flings it about, also into its neighbour. */
const ALONE: CollisionGroups = [0b10, 0b01]
const NAMES = ['impulse', 'positions', 'force', 'speed'] as const

function Victims({ automatic, mischief }: Args & { mischief: RefObject<Mischief | null> }) {
  const shape = useMemo(() => roundedBox(0.8), [])
  const fed = useRef<SoftBodyRef>(null)
  const { world } = useSoftBodyWorld()
  useImperativeHandle(
    mischief,
    () => ({
      impulse() {
        try {
          fed.current?.applyImpulse([Number.NaN, 0, 0])
        } catch (error) {
          if (!(error instanceof SettingError)) throw error
        }
      },
      positions() {
        const body = fed.current?.body
        if (body) arrange(world, body, (from) => from.fill(Number.NaN))
      },
      force() {
        fed.current?.addForce([1e300, 1e300, 0])
        fed.current?.addForce([1e300, 1e300, 0])
      },
      speed() {
        fed.current?.setVelocity([0, 100, 0], [0, 0, 100])
      },
    }),
    [world],
  )
  useBeforeStep(({ stepIndex }, dt) => {
    const period = Math.round(EVERY / dt)
    if (!automatic || stepIndex === 0 || stepIndex % period !== 0) return
    mischief.current?.[NAMES[(stepIndex / period - 1) % NAMES.length]!]()
  })
  return (
    <>
      <SoftBody ref={fed} position={[-0.75, 0.45, 0]} rotation-y={0.5} resolution={4} collisionGroups={ALONE}>
        <mesh geometry={shape} castShadow receiveShadow>
          <Jelly color={palette.coral} pattern="grid" scale={7} />
        </mesh>
      </SoftBody>
      <SoftBody position={[0.75, 0.45, 0]} rotation-y={0.5} resolution={4} collisionGroups={ALONE}>
        <mesh geometry={shape} castShadow receiveShadow>
          <Jelly color={palette.azure} pattern="grid" scale={7} />
        </mesh>
      </SoftBody>
    </>
  )
}

function Scene(args: Args) {
  const mischief = useRef<Mischief>(null)
  return (
    <div style={{ position: 'relative' }}>
      <StoryWorld
        world={{ maxSpeed: 50 }}
        floor={5}
        camera={{ position: [0, 1.45, 5.4], target: [0, 0.4, 0.1], fov: 25 }}
      >
        <Victims {...args} mischief={mischief} />
        <Label position={[-0.75, 0.1, 1.4]}>gets nonsense</Label>
        <Label position={[0.75, 0.1, 1.4]}>gets none</Label>
        <Ground />
        <SoftBodyStats />
      </StoryWorld>
      <Buttons
        actions={{
          'NaN impulse': () => mischief.current?.impulse(),
          'NaN positions': () => mischief.current?.positions(),
          'Endless force': () => mischief.current?.force(),
          'Absurd speed': () => mischief.current?.speed(),
        }}
      />
    </div>
  )
}

const meta = {
  title: 'World/Unstable input',
  component: Scene,
  args: { automatic: !prefersReducedMotion() },
  parameters: {
    docs: {
      description: {
        component:
          'The body at the left is fed with NaN, endless forces and absurd speeds. It stays whole, and its neighbour does not ' +
          'notice.\n\nWhat can be refused is refused, with an error that says what to mend; what gets through is put back ' +
          'to the last state that made sense. SoftBodyStats counts both.',
      },
    },
  },
} satisfies Meta<typeof Scene>

export default meta
type Story = StoryObj<typeof meta>

/** All of it has been done, the last one step ago: the others leave no trace, this one is still to be seen. */
export const UnstableInput: Story = { parameters: { shots: { steps: 481 } } }

export const StaysWhole: Story = {
  tags: ['!dev', '!autodocs'],
  args: { automatic: false },
  async play({ canvas, userEvent }) {
    const hook = await runGuarded(90)
    const [fed, other] = [bodyOf(hook, 0), bodyOf(hook, 1)]
    const volume = other.volume()
    const press = async (name: string) => {
      await userEvent.click(canvas.getByRole('button', { name }))
      await runGuarded(3)
      await expect(positionsOf(fed).every(Number.isFinite)).toBe(true)
    }
    const { stats } = hook.world
    await press('NaN impulse')
    await expect(stats.nonFiniteRescues).toBe(0)
    await press('NaN positions')
    await expect(stats.nonFiniteRescues).toBe(1)
    await press('Endless force')
    await expect(stats.nonFiniteRescues + stats.speedClamps).toBeGreaterThan(1)
    const { speedClamps } = stats
    await press('Absurd speed')
    await expect(stats.speedClamps).toBeGreaterThan(speedClamps)
    // The other one has not noticed.
    await expect(speedOf(other)).toBeLessThan(0.1)
    await expect(Math.abs(other.volume() / volume - 1)).toBeLessThan(0.02)
  },
}
