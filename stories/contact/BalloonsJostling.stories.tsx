import type { Meta, StoryObj } from '@storybook/react-vite'
import { useMemo } from 'react'
import { expect } from 'storybook/test'
import { Collider, Ground, SoftBody } from '../../src/index.js'
import { Balloon, Rubber } from '../support/materials.js'
import { bodyOf, boundsOf, centerOf, run } from '../support/play.js'
import { ball } from '../support/shapes.js'
import { palette, wood } from '../support/themes.js'
import { StoryWorld } from '../support/World.js'

interface Args {
  /** Factor on the gravity of the balloons; below 0 they rise. */
  gravityScale: number
}

const RADIUS = 0.25
/** Underside of the ceiling above the floor [m], its size, how far its rim reaches down, and how thick it is. */
const CEILING = 1.85
const WIDTH = 2.2
const DEPTH = 1.15
const RIM = 0.2
const BOARD = 0.05
const TOP = CEILING - RIM / 2 + BOARD / 2

const colors = [palette.coral, palette.butter, palette.azure, palette.mint, palette.plum, palette.apricot]
const COUNT = 6
/** Three before, and three above them a little further back: nothing would push what stands exactly below something else. */
const places = Array.from({ length: COUNT }, (_, k): [number, number, number] => [
  ((k % 3) - 1) * 0.56 + (k < 3 ? 0.1 : -0.06),
  0.32 + 0.62 * Math.floor(k / 3),
  k < 3 ? 0.16 - 0.05 * (k % 2) : -0.14 + 0.05 * (k % 2),
])

function Board({ at, size }: { at: [number, number, number]; size: [number, number, number] }) {
  return (
    <Collider.Box args={size} position={at} friction={0.3}>
      <mesh castShadow receiveShadow>
        <boxGeometry args={size} />
        <Rubber color={wood} />
      </mesh>
    </Collider.Box>
  )
}

/** A tray upside down, on two posts behind. */
function Ceiling() {
  return (
    <>
      <Board at={[0, CEILING + BOARD / 2, 0]} size={[WIDTH, BOARD, DEPTH]} />
      {[-1, 1].map((side) => (
        <group key={side}>
          <Board at={[(side * (WIDTH + BOARD)) / 2, TOP, 0]} size={[BOARD, RIM + BOARD, DEPTH + 2 * BOARD]} />
          <Board at={[0, TOP, (side * (DEPTH + BOARD)) / 2]} size={[WIDTH, RIM + BOARD, BOARD]} />
          <mesh position={[side * (WIDTH / 2), CEILING / 2, -DEPTH / 2 - BOARD]} castShadow receiveShadow>
            <cylinderGeometry args={[0.032, 0.032, CEILING, 24]} />
            <Rubber color={wood} />
          </mesh>
        </group>
      ))}
    </>
  )
}

function Balloons({ gravityScale }: Args) {
  const large = useMemo(() => ball(RADIUS), [])
  const small = useMemo(() => ball(0.8 * RADIUS), [])
  return places.map((position, k) => {
    return (
      <SoftBody
        key={`balloon ${position.join()}`}
        geometry={k % 3 === 2 ? small : large}
        preset="balloon"
        position={position}
        rotation={[0, 0.6 * k - 1, 0.2 * (k % 2)]}
        resolution={3}
        gravityScale={gravityScale}
        damping={0.5}
        friction={0.3}
        castShadow
        receiveShadow
      >
        <Balloon color={colors[k % colors.length]} />
      </SoftBody>
    )
  })
}

function Scene(args: Args) {
  return (
    <StoryWorld floor={6} camera={{ position: [0.5, 0.7, 6.2], target: [0, 1.02, 0], fov: 22 }}>
      <Ceiling />
      <Balloons {...args} />
      <Ground />
    </StoryWorld>
  )
}

const meta = {
  title: 'Contact/Balloons jostling',
  component: Scene,
  args: { gravityScale: -0.15 },
  argTypes: { gravityScale: { control: { type: 'range', min: -0.4, max: 0.4, step: 0.05 } } },
  parameters: {
    docs: {
      description: {
        component:
          'With a gravityScale below 0 balloons rise. Under the ceiling there is just room for all of them side by side, so they ' +
          'push each other aside.\n\nThrow one among them, or let them sink again.',
      },
    },
  },
} satisfies Meta<typeof Scene>

export default meta
type Story = StoryObj<typeof meta>

export const BalloonsJostling: Story = { parameters: { shots: { steps: 100 } } }

export const RiseAndMakeRoom: Story = {
  tags: ['!dev', '!autodocs'],
  async play() {
    const hook = await run(200)
    const centers = places.map((_, k) => centerOf(bodyOf(hook, k)))
    for (const [k, center] of centers.entries()) {
      const [, bottom, , , top] = boundsOf(bodyOf(hook, k))
      // All have risen, none has gone through the ceiling.
      await expect(center[1]).toBeGreaterThan(places[k]![1])
      await expect(bottom).toBeGreaterThan(0.3)
      await expect(top).toBeLessThan(CEILING + 0.01)
      for (const other of centers.slice(0, k)) {
        await expect(Math.hypot(...center.map((value, d) => value - other[d]!))).toBeGreaterThan(1.2 * RADIUS)
      }
    }
  },
}
