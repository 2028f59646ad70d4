import type { Meta, StoryObj } from '@storybook/react-vite'
import { type RefObject, useMemo, useRef } from 'react'
import { expect } from 'storybook/test'
import type { Mesh, MeshBasicMaterial } from 'three'
import { Ground, type SceneContact, SoftBody, useAfterStep, useSoftBodyWorld } from '../../src/index.js'
import { Log, writeLine } from '../support/Log.js'
import { Rubber } from '../support/materials.js'
import { bodyOf, run, runUntilAsleep } from '../support/play.js'
import { roundedBox } from '../support/shapes.js'
import { palette } from '../support/themes.js'
import { StoryWorld } from '../support/World.js'

const SIZE = 0.5
/** Lines that the panel shows. */
const LINES = 9
/** How long a ring is seen [s]. */
const RING = 0.5

interface Blow {
  name: string
  /** [N s] */
  impulse: number
}

/** Every blow since the start, for the test below. */
const blows: Blow[] = []

interface Faller {
  name: string
  color: string
  x: number
  height: number
  turn: number
}

const fallers: readonly Faller[] = [
  { name: 'Coral', color: palette.coral, x: -0.9, height: 0.7, turn: 0.3 },
  { name: 'Mint', color: palette.mint, x: 0, height: 1.3, turn: 0.8 },
  { name: 'Azure', color: palette.azure, x: 0.9, height: 1.9, turn: -0.4 },
]

/** A body that says what happens to it, with a ring on the ground as large as the blow. */
function Talking({ faller, panel }: { faller: Faller; panel: RefObject<HTMLDivElement | null> }) {
  const { name, color, x, height, turn } = faller
  const shape = useMemo(() => roundedBox(SIZE), [])
  const ring = useRef<Mesh>(null)
  const struck = useRef(Number.NEGATIVE_INFINITY)
  const { world } = useSoftBodyWorld()
  const say = (what: string) =>
    writeLine(panel.current, LINES, `${world.time.toFixed(2).padStart(5)} s  ${name} ${what}`)
  useAfterStep(({ time }) => {
    if (!ring.current) return
    const share = (time - struck.current) / RING
    ring.current.visible = share >= 0 && share < 1
    ;(ring.current.material as MeshBasicMaterial).opacity = 0.8 * (1 - share)
  })
  const onImpact = ({ impulse, point, object }: SceneContact) => {
    blows.push({ name, impulse })
    say(`strikes ${object?.name || 'something'}: ${impulse.toFixed(0)} N s`)
    struck.current = world.time
    ring.current?.position.set(point[0], 0.012, point[2])
    ring.current?.scale.setScalar(0.15 + 0.025 * Math.sqrt(impulse))
  }
  return (
    <>
      <SoftBody
        position={[x, height, 0]}
        rotation={[0.04, turn, 0]}
        resolution={5}
        preset="rubber"
        density={300}
        shapeDamping={8}
        onContactEnter={({ object }) => say(`touches ${object?.name || 'something'}`)}
        onContactExit={() => say('lifts off')}
        onImpact={onImpact}
        onSleep={() => say('sleeps')}
        onWake={() => say('wakes')}
      >
        <mesh geometry={shape} name={name} castShadow receiveShadow>
          <Rubber color={color} pattern="grid" scale={9} />
        </mesh>
      </SoftBody>
      <mesh ref={ring} rotation-x={-Math.PI / 2} visible={false}>
        <ringGeometry args={[0.85, 1, 64]} />
        <meshBasicMaterial color={color} transparent depthWrite={false} />
      </mesh>
    </>
  )
}

function Scene() {
  const panel = useRef<HTMLDivElement>(null)
  return (
    <div style={{ position: 'relative' }}>
      <StoryWorld
        world={{ substeps: 14 }}
        floor={6.5}
        camera={{ position: [0.3, 1.9, 6.2], target: [0, 0.75, 0], fov: 25 }}
      >
        {fallers.map((faller) => (
          <Talking key={faller.name} faller={faller} panel={panel} />
        ))}
        <Ground name="the ground" />
      </StoryWorld>
      <Log panel={panel} lines={LINES} />
    </div>
  )
}

const meta = {
  title: 'World/Events',
  component: Scene,
  parameters: {
    docs: {
      description: {
        component:
          'onContactEnter, onContactExit, onImpact, onSleep and onWake, written down as they come; the ring on the ground is as ' +
          'large as the blow.\n\nPick one up and drop it. Once all lie still they sleep, and nothing more is told.',
      },
    },
  },
} satisfies Meta<typeof Scene>

export default meta
type Story = StoryObj<typeof meta>

export const Events: Story = { parameters: { shots: { steps: 42 } } }

export const TheBlowIsTheMomentum: Story = {
  tags: ['!dev', '!autodocs'],
  async play({ canvasElement }) {
    await run(0)
    blows.length = 0
    const hook = await run(60)
    for (const [k, { name, height }] of fallers.entries()) {
      const first = blows.find((blow) => blow.name === name)!
      // It fell by its height above the ground, and rubber gives half of the speed back.
      const drop = height - SIZE / 2
      const momentum = 1.5 * bodyOf(hook, k).mass * Math.sqrt(2 * 9.81 * drop)
      await expect(first.impulse / momentum).toBeGreaterThan(0.75)
      await expect(first.impulse / momentum).toBeLessThan(1.25)
    }
    await expect(canvasElement.querySelector('[role=log]')!.textContent).toContain('strikes the ground')
    runUntilAsleep(hook, 600)
    await run(0)
    await expect(hook.world.stats.sleeping).toBe(3)
    await expect(canvasElement.querySelector('[role=log]')!.firstElementChild!.textContent).toContain('sleeps')
  },
}
