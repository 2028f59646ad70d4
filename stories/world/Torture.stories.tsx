import type { Meta, StoryObj } from '@storybook/react-vite'
import { type RefObject, useImperativeHandle, useMemo, useRef } from 'react'
import { expect } from 'storybook/test'
import type { Group } from 'three'
import {
  type BodyRef,
  Collider,
  Ground,
  SoftBody,
  type SoftBodyRef,
  useBeforeStep,
  useSoftBodyWorld,
} from '../../src/index.js'
import { type Arrangement, arrange } from '../support/arrange.js'
import { Buttons } from '../support/Buttons.js'
import { Jelly, Rubber } from '../support/materials.js'
import { bodyOf, boundsOf, runGuarded, speedOf } from '../support/play.js'
import { roundedBox } from '../support/shapes.js'
import { palette, wood } from '../support/themes.js'
import { StoryWorld } from '../support/World.js'

const SIZE = 0.8
const PRESSED = 0.6
const PLATE = [1.4, 0.1, 1.3] as const
/** Height of the gap between the plates, open and closed [m], and the time of one press [s]. */
const OPEN = 0.85
const CLOSED = 0.1
const PERIOD = 4
const BOTTOM = PLATE[1]

/** Where the jelly is put together [m]. */
const PLACE = [-0.75, 0.8, 0] as const

/** Numbers from 0 to 1 that are the same in every run. */
function scattered(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

const arrangements = {
  Random: (from) => {
    const next = scattered(1)
    return from.map((_, p) => PLACE[p % 3]! + SIZE * (next() - 0.5))
  },
  Flat: (from) => from.map((x, p) => (p % 3 === 1 ? PLACE[1] : x)),
  'One point': (from) => from.map((_, p) => PLACE[p % 3]!),
  Mirrored: (from) => from.map((x, p) => (p % 3 === 0 ? 2 * PLACE[0] - x : x)),
} satisfies Record<string, Arrangement>

type Act = (arrangement: Arrangement) => void

function Jellies({ act }: { act: RefObject<Act | null> }) {
  const large = useMemo(() => roundedBox(SIZE), [])
  const small = useMemo(() => roundedBox(PRESSED), [])
  const jelly = useRef<BodyRef>(null)
  const pressed = useRef<SoftBodyRef>(null)
  const { world } = useSoftBodyWorld()
  useImperativeHandle(
    act,
    () => (arrangement) => {
      const body = jelly.current?.body
      if (body) arrange(world, body, arrangement)
    },
    [world],
  )
  return (
    <>
      <SoftBody ref={jelly} position={[PLACE[0], 0.42, 0]} rotation-y={0.4} resolution={3}>
        <mesh geometry={large} castShadow receiveShadow>
          <Jelly color={palette.coral} pattern="grid" scale={7} />
        </mesh>
      </SoftBody>
      <SoftBody ref={pressed} position={[0.75, BOTTOM + PRESSED / 2 + 0.01, 0]} rotation-y={0.4} resolution={3}>
        <mesh geometry={small} castShadow receiveShadow>
          <Jelly color={palette.azure} pattern="grid" scale={7} />
        </mesh>
      </SoftBody>
    </>
  )
}

/** One of the two plates: -1 lies on the floor and rises a little, 1 comes down upon it. */
function Plate({ side }: { side: 1 | -1 }) {
  const group = useRef<Group>(null)
  const open = side === 1 ? BOTTOM + OPEN + PLATE[1] / 2 : BOTTOM - PLATE[1] / 2
  const closed = side === 1 ? open + 0.2 - (OPEN - CLOSED) : open + 0.2
  useBeforeStep(({ time }) => {
    const share = (0.5 - 0.5 * Math.cos((2 * Math.PI * time) / PERIOD)) ** 2
    group.current?.position.setY(open + (closed - open) * share)
  })
  return (
    <Collider.Box ref={group} args={PLATE} position={[0.75, open, 0]}>
      <mesh castShadow receiveShadow>
        <boxGeometry args={[...PLATE]} />
        <Rubber color={wood} />
      </mesh>
    </Collider.Box>
  )
}

function Scene() {
  const act = useRef<Act>(null)
  const actions = Object.entries(arrangements).map(([name, to]) => [name, () => act.current?.(to)] as const)
  return (
    <div style={{ position: 'relative' }}>
      <StoryWorld floor={5} camera={{ position: [0, 1.5, 5.6], target: [0.12, 0.46, 0], fov: 22.5 }}>
        {[-0.6, 0.6].map((x) => (
          <mesh key={x} position={[0.75 + x, 0.62, -0.5]} castShadow receiveShadow>
            <cylinderGeometry args={[0.035, 0.035, 1.24, 20]} />
            <Rubber color={wood} />
          </mesh>
        ))}
        <Plate side={-1} />
        <Plate side={1} />
        <Jellies act={act} />
        <Ground />
      </StoryWorld>
      <Buttons actions={Object.fromEntries(actions)} />
    </div>
  )
}

const meta = {
  title: 'World/Torture',
  component: Scene,
  parameters: {
    docs: {
      description: {
        component:
          'The buttons throw the particles of the left jelly to random places, into a plane, onto one point, or mirror it. ' +
          'It comes back.\n\nAt the right one is pressed to a sixth of its height, again and again.',
      },
    },
  },
} satisfies Meta<typeof Scene>

export default meta
type Story = StoryObj<typeof meta>

export const Torture: Story = { parameters: { shots: { steps: 110 } } }

export const ComesBack: Story = {
  tags: ['!dev', '!autodocs', 'long'],
  async play({ canvas, userEvent }) {
    const hook = await runGuarded(5)
    const jelly = bodyOf(hook)
    const volume = jelly.volume()
    for (const name of Object.keys(arrangements)) {
      await userEvent.click(canvas.getByRole('button', { name }))
      // Flat and on a point it has no volume, mirrored a negative one, at random places hardly any.
      await expect(jelly.volume()).toBeLessThan(0.5 * volume)
      await runGuarded(120)
      await expect(Math.abs(jelly.volume() / volume - 1)).toBeLessThan(0.1)
      const [, bottom, , , top] = boundsOf(jelly)
      await expect(top! - bottom!).toBeGreaterThan(0.7 * SIZE)
      await expect(jelly.maxStrain()).toBeLessThan(0.4)
    }
    await expect(hook.world.stats.nonFiniteRescues).toBe(0)
  },
}

export const SurvivesThePress: Story = {
  tags: ['!dev', '!autodocs'],
  async play() {
    const hook = await runGuarded(0)
    const pressed = bodyOf(hook, 1)
    const volume = pressed.volume()
    await runGuarded((60 * PERIOD) / 2)
    const [, bottom, , , top] = boundsOf(pressed)
    await expect(top! - bottom!).toBeLessThan(CLOSED + 0.02)
    await runGuarded((60 * PERIOD) / 2)
    await expect(Math.abs(pressed.volume() / volume - 1)).toBeLessThan(0.1)
    await expect(pressed.maxStrain()).toBeLessThan(0.4)
    await expect(speedOf(pressed)).toBeLessThan(0.3)
  },
}
