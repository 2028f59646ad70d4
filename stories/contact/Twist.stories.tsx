import type { Meta, StoryObj } from '@storybook/react-vite'
import { useRef, useState } from 'react'
import { expect } from 'storybook/test'
import type { Group } from 'three'
import { Cloth, Ground, Pin, useBeforeStep } from '../../src/index.js'
import { Buttons } from '../support/Buttons.js'
import { layerDistance } from '../support/layers.js'
import { Fabric, Rubber } from '../support/materials.js'
import { bodyOf, boundsOf, run } from '../support/play.js'
import { Rail } from '../support/Rail.js'
import { palette, wood } from '../support/themes.js'
import { StoryWorld } from '../support/World.js'

interface Args {
  /** Of one end against the other. */
  turns: number
}

const WIDTH = 0.7
const LENGTH = 1.2
const COLUMNS = 14
const ROWS = 24
const RAIL = 1.5
const THICKNESS = 0.012
/** How fast each end turns [rad/s]. */
const SPEED = 2.5
/** How much the ends come together at each turn [m]. */
const SHORTENING = 0.1

const upper = Array.from({ length: COLUMNS + 1 }, (_, k) => k)
const lower = upper.map((k) => ROWS * (COLUMNS + 1) + k)

/** Holds one end, above (1) or below (-1), and turns it. */
function End({ side, turns }: Args & { side: 1 | -1 }) {
  const group = useRef<Group>(null)
  useBeforeStep((_, dt) => {
    if (!group.current) return
    const { rotation, position } = group.current
    const wanted = side * Math.PI * turns
    rotation.y += Math.max(-SPEED * dt, Math.min(SPEED * dt, wanted - rotation.y))
    position.y = (-side * SHORTENING * Math.abs(rotation.y)) / (2 * Math.PI)
  })
  return (
    <Pin ref={group} at={side === 1 ? upper : lower}>
      <mesh position-y={(side * LENGTH) / 2} rotation-z={Math.PI / 2} castShadow receiveShadow>
        <capsuleGeometry args={[0.022, WIDTH + 0.04, 8, 20]} />
        <Rubber color={wood} />
      </mesh>
      {side === 1 && (
        <mesh position-y={LENGTH / 2 + 0.13} castShadow>
          <cylinderGeometry args={[0.014, 0.014, 0.26, 16]} />
          <Rubber color={wood} />
        </mesh>
      )}
    </Pin>
  )
}

function Scene({ turns }: Args) {
  const [held, setHeld] = useState(true)
  return (
    <div style={{ position: 'relative' }}>
      <StoryWorld floor={4.5} camera={{ position: [0.5, 1.1, 4.8], target: [0, 0.82, 0], fov: 24 }}>
        <Rail width={1.1} height={RAIL + 0.06} />
        <Cloth
          args={[WIDTH, LENGTH, COLUMNS, ROWS]}
          position={[0, RAIL - LENGTH / 2, 0]}
          selfCollision
          thickness={THICKNESS}
          stretchModulus={60}
          shearModulus={20}
          damping={0.8}
          castShadow
          receiveShadow
        >
          <Fabric color="#f7efe0" ink={palette.plum} weave="stripes" repeat={[6, 1]} />
          <End side={1} turns={turns} />
          {held && <End side={-1} turns={turns} />}
        </Cloth>
        <Ground />
      </StoryWorld>
      <Buttons actions={{ [held ? 'Let go' : 'Hold']: () => setHeld((before) => !before) }} />
    </div>
  )
}

const meta = {
  title: 'Contact/Twist',
  component: Scene,
  args: { turns: 2 },
  argTypes: { turns: { control: { type: 'range', min: -5, max: 5, step: 0.25 } } },
  parameters: {
    docs: {
      description: {
        component:
          'Both ends of a cloth are held by a Pin that turns; with selfCollision it becomes a rope.\n\n' +
          'Turn it further, or let the lower end go: it unwinds.',
      },
    },
  },
} satisfies Meta<typeof Scene>

export default meta
type Story = StoryObj<typeof meta>

export const Twist: Story = { parameters: { shots: { steps: 160 } } }

/** Width of the box around it, across [m]. */
const widthOf = (bounds: Float64Array) => Math.max(bounds[3]! - bounds[0]!, bounds[5]! - bounds[2]!)

export const UnwindsWithoutAKnot: Story = {
  tags: ['!dev', '!autodocs'],
  args: { turns: 1.25 },
  async play({ canvas, userEvent, args }) {
    const turning = Math.ceil((60 * Math.PI * args.turns) / SPEED)
    const hook = await run(turning + 10)
    const cloth = bodyOf(hook)
    await expect(layerDistance(cloth, COLUMNS, 5)).toBeGreaterThan(1.5 * THICKNESS)
    await userEvent.click(canvas.getByRole('button', { name: 'Let go' }))
    await run(100)
    // It hangs as long as it was, the lower end below the upper one, and no layer has gone through another one.
    const bounds = boundsOf(cloth)
    await expect(bounds[4]! - bounds[1]!).toBeGreaterThan(0.85 * LENGTH)
    await expect(widthOf(bounds)).toBeGreaterThan(0.6 * WIDTH)
    await expect(layerDistance(cloth, COLUMNS, 5)).toBeGreaterThan(1.5 * THICKNESS)
    await expect(cloth.maxStrain()).toBeLessThan(0.3)
  },
}
