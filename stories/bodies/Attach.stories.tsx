import type { Meta, StoryObj } from '@storybook/react-vite'
import { type RefObject, useImperativeHandle, useMemo, useRef, useState } from 'react'
import { expect } from 'storybook/test'
import type { Mesh } from 'three'
import {
  Attach,
  type AttachRef,
  Ground,
  SoftBody,
  type SoftBodyRef,
  useAfterStep,
  useBeforeStep,
  useSoftBodyWorld,
} from '../../src/index.js'
import { Buttons } from '../support/Buttons.js'
import { prefersReducedMotion } from '../support/controls.js'
import { Label } from '../support/Label.js'
import { Jelly } from '../support/materials.js'
import { bodyOf, boundsOf, centerOf, run } from '../support/play.js'
import { roundedBox } from '../support/shapes.js'
import { palette, wood } from '../support/themes.js'
import { StoryWorld } from '../support/World.js'

interface Args {
  /** What the weak link bears [N]; the others bear whatever comes. */
  breakForce: number
  /** Pulls after a second, without a press. */
  automatic: boolean
}

const SIZE = 0.42
const TOP = 2.5
const DENSITY = 250
const WEIGHT = DENSITY * SIZE ** 3 * 9.81
const colors = [palette.coral, palette.apricot, palette.mint, palette.azure]
/** The link above this cube is the weak one. */
const WEAK = 2
/** Thickness of the half of a clasp that each cube has where it is linked [m]. */
const CLASP = 0.03
/** Of a pull at the lowest cube: how fast it grows [N/s], and for how long it does [s]. */
const PULL = 700
const PULL_TIME = 3

interface Deeds {
  pull(): void
  mend(): void
}

function Chain({ breakForce, automatic, deeds }: Args & { deeds: RefObject<Deeds | null> }) {
  const shape = useMemo(() => roundedBox(SIZE), [])
  const cubes = [
    useRef<SoftBodyRef>(null),
    useRef<SoftBodyRef>(null),
    useRef<SoftBodyRef>(null),
    useRef<SoftBodyRef>(null),
  ]
  const weak = useRef<AttachRef>(null)
  /** Two halves a link: below the one cube, and on top of the next. */
  const clasps = useRef<(Mesh | null)[]>([])
  const bounds = useMemo(() => new Float64Array(6), [])
  const pulled = useRef(Number.POSITIVE_INFINITY)
  const [broken, setBroken] = useState(false)
  const world = useSoftBodyWorld()
  useImperativeHandle(
    deeds,
    () => ({
      pull() {
        pulled.current = 0
        world.invalidate()
      },
      mend() {
        pulled.current = Number.POSITIVE_INFINITY
        world.reset()
      },
    }),
    [world],
  )
  useBeforeStep(({ time }, dt) => {
    if (automatic && Math.abs(time - 1) < dt / 2) pulled.current = 0
    if (pulled.current > PULL_TIME || weak.current?.broken) return
    pulled.current += dt
    cubes[3]!.current?.addForce([0, -PULL * pulled.current, 0])
  })
  // Broken, and whole again after a reset.
  useAfterStep(() => {
    if (weak.current && weak.current.broken !== broken) setBroken(weak.current.broken)
    for (const [k, clasp] of clasps.current.entries()) {
      const at = cubes[(k + 1) >> 1]!.current?.body?.bounds(bounds)
      if (!clasp || !at) continue
      const y = k % 2 === 0 ? at[1]! + CLASP / 2 : at[4]! - CLASP / 2
      clasp.position.set((at[0]! + at[3]!) / 2, y, (at[2]! + at[5]!) / 2)
    }
  })
  return (
    <>
      {cubes.map((cube, k) => (
        <SoftBody
          key={colors[k]}
          ref={cube}
          position={[0, TOP - (k + 0.5) * SIZE, 0]}
          resolution={4}
          density={DENSITY}
          youngsModulus={4e4}
          shapeDamping={4}
        >
          <mesh geometry={shape} castShadow receiveShadow>
            <Jelly color={colors[k]} pattern="grid" scale={9} />
          </mesh>
          {k === 0 && <Attach at="top" />}
        </SoftBody>
      ))}
      {cubes
        .slice(1)
        .map((cube, k) =>
          k + 1 === WEAK ? (
            <Attach key={colors[k]} ref={weak} a={cubes[k]} b={cube} breakForce={breakForce} />
          ) : (
            <Attach key={colors[k]} a={cubes[k]} b={cube} />
          ),
        )}
      {[0, 1, 2, 3, 4, 5].map((k) => (
        <mesh
          key={k}
          ref={(mesh) => {
            clasps.current[k] = mesh
          }}
          position-y={TOP - (1 + (k >> 1)) * SIZE + (k % 2 === 0 ? 0.5 : -0.5) * CLASP}
          castShadow
        >
          <cylinderGeometry args={[0.25, 0.25, CLASP, 48]} />
          <meshStandardMaterial color={k >> 1 === WEAK - 1 ? '#b5563f' : '#6f7680'} metalness={0.5} roughness={0.35} />
        </mesh>
      ))}
      <Label position={[0.75, 0.1, 0.8]} width={0.9}>
        {broken ? 'broken' : `breaks at\n${breakForce} N`}
      </Label>
    </>
  )
}

function Scene(args: Args) {
  const deeds = useRef<Deeds>(null)
  return (
    <div style={{ position: 'relative' }}>
      <StoryWorld floor={5.5} camera={{ position: [1.2, 1.6, 6], target: [0.1, 1.26, 0], fov: 27.5 }}>
        <Chain {...args} deeds={deeds} />
        <mesh position={[0, TOP + 0.06, 0]} castShadow receiveShadow>
          <boxGeometry args={[1.1, 0.12, 0.5]} />
          <meshStandardMaterial color={wood} roughness={0.7} />
        </mesh>
        <Ground />
      </StoryWorld>
      <Buttons actions={{ Pull: () => deeds.current?.pull(), 'Hang up again': () => deeds.current?.mend() }} />
    </div>
  )
}

const meta = {
  title: 'Bodies/Attach',
  component: Scene,
  args: { breakForce: 1200, automatic: !prefersReducedMotion() },
  argTypes: { breakForce: { control: { type: 'range', min: 600, max: 3000, step: 100 } } },
  parameters: {
    docs: {
      description: {
        component:
          'Attach holds a body to another one, or to a place, at the offset that they have. The topmost cube hangs from its own ' +
          'group, the others from each other.\n\n' +
          'The link between apricot and mint gives way at breakForce. Pull by the button, or take hold of a cube.',
      },
    },
  },
} satisfies Meta<typeof Scene>

export default meta
type Story = StoryObj<typeof meta>

export const Chained: Story = { name: 'Attach', parameters: { shots: { steps: 168 } } }

export const Breaks: Story = {
  tags: ['!dev', '!autodocs'],
  args: { automatic: false },
  async play({ canvas, userEvent }) {
    const hook = await run(120)
    const cubes = [0, 1, 2, 3].map((k) => bodyOf(hook, k))
    const hanging = cubes.map((cube) => centerOf(cube)[1])
    // They hang below each other, stretched by what hangs on them.
    for (const k of [1, 2, 3]) await expect(hanging[k - 1]! - hanging[k]!).toBeGreaterThan(SIZE)
    await expect(boundsOf(cubes[0]!)[4]).toBeGreaterThan(TOP - 0.05)
    await userEvent.click(canvas.getByRole('button', { name: 'Pull' }))
    // Before the pull and two cubes' weight come to what the link bears.
    const bears = (1200 - 2 * WEIGHT) / PULL
    await run(Math.floor((bears - 0.25) * 60))
    await expect(centerOf(cubes[2]!)[1]).toBeGreaterThan(hanging[2]! - 0.35)
    await run(60)
    await expect(centerOf(cubes[2]!)[1]).toBeLessThan(0.9)
    // What is left has swung up, and down again.
    await expect(centerOf(cubes[1]!)[1]).toBeGreaterThan(hanging[1]! - 0.2)
    await userEvent.click(canvas.getByRole('button', { name: 'Hang up again' }))
    await run(120)
    await expect(Math.abs(centerOf(cubes[3]!)[1] - hanging[3]!)).toBeLessThan(0.02)
  },
}
