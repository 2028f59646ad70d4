import type { Meta, StoryObj } from '@storybook/react-vite'
import { useEffect, useMemo, useRef } from 'react'
import { expect } from 'storybook/test'
import { Quaternion, Vector3 } from 'three'
import { Bounds, SoftBody, type SoftBodyRef, useBeforeStep, Weld, type WeldRef } from '../../src/index.js'
import { Keys } from '../support/Keys.js'
import { Jelly } from '../support/materials.js'
import { bodyOf, centerOf, run } from '../support/play.js'
import { roundedBox } from '../support/shapes.js'
import { palette } from '../support/themes.js'
import { StoryWorld } from '../support/World.js'

interface Args {
  /** Of each engine [N]. */
  thrust: number
  /** Of a joint [N]; beyond, it breaks. */
  breakForce: number
}

const SIDE = 0.4

interface Module {
  x: number
  y: number
  /** [Pa] */
  youngsModulus: number
  color: string
  /** The key that fires it. */
  key?: 'ArrowLeft' | 'ArrowRight'
}

/** A stiff cabin, soft tanks beside it, and an engine below either tank. */
const modules: readonly Module[] = [
  { x: 0, y: 1, youngsModulus: 5e5, color: palette.butter },
  { x: 0, y: 0, youngsModulus: 2e5, color: palette.mint },
  { x: -1, y: 0, youngsModulus: 4e4, color: palette.azure },
  { x: 1, y: 0, youngsModulus: 4e4, color: palette.azure },
  { x: -1, y: -1, youngsModulus: 3e5, color: palette.coral, key: 'ArrowRight' },
  { x: 1, y: -1, youngsModulus: 3e5, color: palette.coral, key: 'ArrowLeft' },
]

/** Keys that are down: the arrows to the sides fire one engine, the one upwards both. */
const pressed = new Set<string>()

function useKeys() {
  useEffect(() => {
    const down = ({ key }: KeyboardEvent) => void pressed.add(key)
    const up = ({ key }: KeyboardEvent) => void pressed.delete(key)
    window.addEventListener('keydown', down)
    window.addEventListener('keyup', up)
    return () => {
      window.removeEventListener('keydown', down)
      window.removeEventListener('keyup', up)
      pressed.clear()
    }
  }, [])
}

const up = new Vector3()
const turn = new Quaternion()

/** Pushes along the ship: from an engine to the tank above it, wherever that is now. */
function Engine({
  of,
  above,
  fires,
  thrust,
}: Record<'of' | 'above', React.RefObject<SoftBodyRef | null>> & { fires: string; thrust: number }) {
  useBeforeStep(() => {
    if (!of.current || !above.current || !(pressed.has(fires) || pressed.has('ArrowUp'))) return
    const [x, y, z] = of.current.centerOfMass([0, 0, 0])
    const [ax, ay, az] = above.current.centerOfMass([0, 0, 0])
    up.set(ax - x, ay - y, az - z).setLength(thrust)
    of.current.addForce([up.x, up.y, up.z])
  })
  return null
}

/** The one weld of the story, for the test below. */
const held: { weld: WeldRef | null } = { weld: null }

function Ship({ thrust, breakForce }: Args) {
  const geometry = useMemo(() => roundedBox(SIDE, 0.03), [])
  const refs = useRef(modules.map(() => ({ current: null as SoftBodyRef | null })))
  const weld = useRef<WeldRef>(null)
  useKeys()
  useEffect(() => {
    held.weld = weld.current
  })
  return (
    <>
      <Weld ref={weld} gap={0.05} breakForce={breakForce}>
        {modules.map(({ x, y, youngsModulus, color }, k) => (
          <SoftBody
            key={`${x},${y}`}
            ref={refs.current[k]}
            position={[x * SIDE, 1.3 + y * SIDE, 0]}
            quaternion={turn}
            resolution={4}
            density={200}
            youngsModulus={youngsModulus}
            shapeDamping={3}
          >
            <mesh geometry={geometry} castShadow receiveShadow>
              <Jelly color={color} pattern="grid" scale={9} />
            </mesh>
          </SoftBody>
        ))}
      </Weld>
      {modules.map(({ x, key }, k) =>
        key ? <Engine key={x} of={refs.current[k]!} above={refs.current[k - 2]!} fires={key} thrust={thrust} /> : null,
      )}
    </>
  )
}

function Scene(args: Args) {
  return (
    <>
      <StoryWorld
        world={{ gravity: [0, -1, 0], keyboard: false }}
        floor={7}
        camera={{ position: [1.2, 1.9, 7], target: [0, 1.3, 0], fov: 28 }}
      >
        <Bounds args={[6, 4, 3]} position={[0, 2, 0]} />
        <Ship {...args} />
      </StoryWorld>
      <Keys keys={{ '↑': 'both engines', '←': 'the right one', '→': 'the left one' }} />
    </>
  )
}

const meta = {
  title: 'From the texts/Spaceship',
  component: Scene,
  args: { thrust: 90, breakForce: 1500 },
  argTypes: {
    thrust: { control: { type: 'range', min: 10, max: 400, step: 10 } },
    breakForce: { control: { type: 'range', min: 50, max: 5000, step: 50 } },
  },
  parameters: {
    docs: {
      description: {
        component:
          'A `<Weld>` joins modules of different stiffness where they touch. Arrow keys fire the engines: left and right one, ' +
          'up both. What hits a wall too hard breaks off.',
      },
    },
  },
} satisfies Meta<typeof Scene>

export default meta
type Story = StoryObj<typeof meta>

export const Spaceship: Story = { parameters: { shots: { steps: 45 } } }

export const KeysFlyIt: Story = {
  tags: ['!dev', '!autodocs'],
  async play() {
    const hook = await run(1)
    // Cabin to body, body to two tanks, each tank to its engine; and corners that touch: at least these five.
    const welds = held.weld!.joints.length
    await expect(welds).toBeGreaterThanOrEqual(5)
    const cabin = bodyOf(hook, 0)
    const start = centerOf(cabin)
    window.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowUp' }))
    hook.world.step(60)
    window.dispatchEvent(new KeyboardEvent('keyup', { key: 'ArrowUp' }))
    const risen = centerOf(cabin)
    await expect(risen[1]).toBeGreaterThan(start[1] + 0.2)
    await expect(Math.abs(risen[0] - start[0])).toBeLessThan(0.05)
    window.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight' }))
    hook.world.step(20)
    window.dispatchEvent(new KeyboardEvent('keyup', { key: 'ArrowRight' }))
    // The left engine turns it to the right.
    await expect(centerOf(bodyOf(hook, 2))[1]).toBeGreaterThan(centerOf(bodyOf(hook, 3))[1])
    await expect(held.weld!.joints.filter(({ broken }) => !broken).length).toBe(welds)
    for (let k = 0; k < modules.length; k++) {
      const [x, y, z] = centerOf(bodyOf(hook, k))
      const [cx, cy, cz] = centerOf(cabin)
      await expect(Math.hypot(x - cx, y - cy, z - cz)).toBeLessThan(2.6 * SIDE)
    }
  },
}
