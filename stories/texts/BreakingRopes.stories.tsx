import type { Meta, StoryObj } from '@storybook/react-vite'
import { type RefObject, useMemo, useRef, useState } from 'react'
import { expect, userEvent, waitFor, within } from 'storybook/test'
import { Attach, Ground, Rope, SoftBody, type SoftBodyRef, useBeforeStep, useSoftBodyWorld } from '../../src/index.js'
import { Buttons } from '../support/Buttons.js'
import { Label } from '../support/Label.js'
import { Log, writeLine } from '../support/Log.js'
import { Rubber, Twine } from '../support/materials.js'
import { bodyOf, boundsOf, run } from '../support/play.js'
import { Rail } from '../support/Rail.js'
import { roundedBox } from '../support/shapes.js'
import { palette, wood } from '../support/themes.js'
import { StoryWorld } from '../support/World.js'

interface Args {
  /** That each crate is filled to [kg]. */
  load: number
  /** Load at which the weakest rope breaks [N]; the others bear two and three times that. */
  tearStrength: number
}

const RAIL = 2
const LONG = 0.9
const SIZE = 0.4
const APART = 0.85
/** What an empty crate weighs [kg], and how fast it is filled [kg/s]. */
const EMPTY = 2
const FILLING = 12
/** What the button adds to each load [kg]. */
const MORE = 15
const LINES = 3

const ropes = [
  { name: 'Coral', thread: palette.coral, turns: 1 },
  { name: 'Azure', thread: palette.azure, turns: 2 },
  { name: 'Mint', thread: palette.mint, turns: 3 },
] as const

interface LoadedProps extends Args {
  name: string
  thread: string
  panel: RefObject<HTMLDivElement | null>
}

/** A crate on a rope, which is filled slowly, as a jolt breaks a rope sooner, and says when that breaks. */
function Loaded({ name, thread, load, tearStrength, panel }: LoadedProps) {
  const crate = useRef<SoftBodyRef>(null)
  const shape = useMemo(() => roundedBox(SIZE), [])
  const { world } = useSoftBodyWorld()
  useBeforeStep(({ time, settings: { timeStep } }) => {
    const body = crate.current?.body
    if (!body) return
    const mass = time === 0 ? EMPTY : body.mass
    const most = FILLING * timeStep
    const change = Math.min(Math.max(load - mass, -most), most)
    if (mass + change !== body.mass) body.set({ mass: mass + change })
  })
  const onTear = () => {
    const mass = crate.current!.body!.mass.toFixed(1)
    writeLine(panel.current, LINES, `${world.time.toFixed(2).padStart(5)} s  ${name} breaks under ${mass} kg`)
  }
  return (
    <>
      <Rope
        points={[
          [0, 0, 0],
          [0, -LONG, 0],
        ]}
        position={[0, RAIL - 0.03, 0]}
        radius={0.018}
        pins="start"
        damping={1}
        tearStrength={tearStrength}
        onTear={onTear}
        castShadow
        receiveShadow
      >
        <Twine thread={thread} />
        <Attach at="end" b={crate} />
      </Rope>
      <SoftBody
        ref={crate}
        position={[0, RAIL - 0.03 - LONG - SIZE / 2 + 0.02, 0]}
        mass={EMPTY}
        resolution={3}
        youngsModulus={false}
        shapeMatching={{ compliance: 0 }}
        friction={0.7}
      >
        <mesh geometry={shape} castShadow receiveShadow>
          <Rubber color={wood} pattern="grid" scale={7} />
        </mesh>
      </SoftBody>
    </>
  )
}

function Scene({ load, tearStrength }: Args) {
  const panel = useRef<HTMLDivElement>(null)
  const [more, setMore] = useState(0)
  return (
    <div style={{ position: 'relative' }}>
      <StoryWorld floor={6} camera={{ position: [0.9, 1.55, 5.3], target: [0, 1.02, 0], fov: 27 }}>
        <Rail width={2 * APART + 0.6} height={RAIL} />
        {ropes.map(({ name, thread, turns }, k) => (
          <group key={name} position-x={(k - 1) * APART}>
            <Loaded name={name} thread={thread} load={load + more} tearStrength={turns * tearStrength} panel={panel} />
            <Label position={[0, 0.1, 0.6]} width={0.7}>
              {`${turns * tearStrength} N`}
            </Label>
          </group>
        ))}
        <Ground />
      </StoryWorld>
      <Log panel={panel} lines={LINES} />
      <Buttons actions={{ [`${MORE} kg more in each`]: () => setMore(more + MORE) }} />
    </div>
  )
}

const meta = {
  title: 'From the texts/Breaking ropes',
  component: Scene,
  args: { load: 18, tearStrength: 150 },
  argTypes: {
    load: { control: { type: 'range', min: 2, max: 60, step: 1 } },
    tearStrength: { control: { type: 'range', min: 50, max: 300, step: 10 } },
  },
  parameters: {
    docs: {
      description: {
        component:
          'tearStrength is the load [N] at which a rope breaks, where it bears most: at its upper end, which bears the rope too. ' +
          'onTear tells of it.\n\nPut more into the crates, or pull at one.',
      },
    },
  },
} satisfies Meta<typeof Scene>

export default meta
type Story = StoryObj<typeof meta>

export const BreakingRopes: Story = { parameters: { shots: { steps: 86 } } }

export const BreaksUnderItsLoad: Story = {
  tags: ['!dev', '!autodocs'],
  args: { load: 8 },
  async play({ canvasElement }) {
    const page = within(canvasElement)
    const hook = await run(90)
    const log = page.getByRole('log')
    const crateOf = (k: number) => bodyOf(hook, 2 * k + 1)
    const height = (k: number) => boundsOf(crateOf(k))[1]!
    const hanging = RAIL - 0.1 - LONG - SIZE
    for (const k of ropes.keys()) await expect(height(k)).toBeGreaterThan(hanging)
    await expect(log).toBeEmptyDOMElement()
    for (const [k, { name, turns }] of ropes.entries()) {
      await userEvent.click(page.getByRole('button'))
      await waitFor(async () => {
        const before = crateOf(k).mass
        hook.world.step(1)
        await expect(crateOf(k).mass).toBeGreaterThan(before)
      })
      // To fill it takes 75 steps; then the rope breaks at its strength, and its crate falls, rocks and lies.
      hook.world.step(150)
      const newest = log.firstElementChild?.textContent ?? ''
      await expect(newest).toContain(`${name} breaks`)
      const broken = Number(/under ([\d.]+) kg/.exec(newest)?.[1]) * 9.81
      await expect(Math.abs(broken / (turns * 150) - 1)).toBeLessThan(0.05)
      for (const other of ropes.keys()) {
        if (other <= k) await expect(height(other)).toBeLessThan(0.02)
        else await expect(height(other)).toBeGreaterThan(hanging) // the stronger ones hold theirs
      }
    }
  },
}
