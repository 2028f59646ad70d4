import type { Meta, StoryObj } from '@storybook/react-vite'
import { useMemo } from 'react'
import { expect } from 'storybook/test'
import { Collider, Ground, SoftBody, type SoftBodyProps } from '../../src/index.js'
import { Label } from '../support/Label.js'
import { Jelly, Rubber } from '../support/materials.js'
import { bodyOf, boundsOf, run } from '../support/play.js'
import { ball } from '../support/shapes.js'
import { palette, wood } from '../support/themes.js'
import { StoryWorld } from '../support/World.js'

interface Args {
  /** Of the springs [m/N]. */
  edgeCompliance: number
  /** No particle is faster [m/s]. */
  maxSpeed: number
  /** Of a load on each [kg]. */
  load: number
}

const RADIUS = 0.42
const cures: readonly { name: string; color: string; props: SoftBodyProps }[] = [
  { name: 'springs', color: palette.coral, props: {} },
  { name: '+ volume', color: palette.apricot, props: { volumeCompliance: 0 } },
  { name: '+ pressure', color: palette.mint, props: { pressure: 1 } },
  { name: '+ shape', color: palette.azure, props: { shapeMatching: { rate: 60 } } },
]

function Scene({ edgeCompliance, maxSpeed, load }: Args) {
  const shape = useMemo(() => ball(RADIUS), [])
  const slab = 0.1
  return (
    <StoryWorld world={{ maxSpeed }} floor={6.5} camera={{ position: [0, 1.7, 6.8], target: [0, 0.5, 0.1], fov: 26 }}>
      {cures.map(({ name, color, props }, k) => {
        const x = (k - 1.5) * 1.15
        return (
          <group key={name}>
            <SoftBody
              position={[x, RADIUS + 0.02, 0]}
              resolution={5}
              density={400}
              youngsModulus={false}
              edgeCompliance={edgeCompliance}
              shapeDamping={6}
              rescue={false}
              {...props}
            >
              <mesh geometry={shape} castShadow receiveShadow>
                <Jelly color={color} pattern="grid" scale={7} />
              </mesh>
            </SoftBody>
            <SoftBody
              position={[x, 2 * RADIUS + 0.1 + slab / 2, 0]}
              resolution={6}
              mass={load}
              preset="firm"
              shapeDamping={6}
            >
              <mesh castShadow receiveShadow>
                <boxGeometry args={[0.5, slab, 0.5]} />
                <Rubber color={wood} />
              </mesh>
            </SoftBody>
            <Label position={[x, 0.1, 1.5]} width={0.95}>
              {name}
            </Label>
          </group>
        )
      })}
      {[-2, -1, 0, 1, 2].map((k) => (
        <Collider.Box key={k} args={[0.02, 3, 1.6]} position={[k * 1.15, 1.5, 0]} friction={0} />
      ))}
      <Ground />
    </StoryWorld>
  )
}

const meta = {
  title: 'From the texts/Collapse',
  component: Scene,
  args: { edgeCompliance: 0.01, maxSpeed: 100, load: 12 },
  argTypes: {
    edgeCompliance: { control: { type: 'range', min: 0, max: 0.05, step: 0.001 } },
    maxSpeed: { control: { type: 'range', min: 1, max: 500, step: 1 } },
    load: { control: { type: 'range', min: 1, max: 60, step: 1 } },
  },
  parameters: {
    docs: {
      description: {
        component:
          'Weak springs alone collapse under a load. Each of three things beside them holds: the volume of the tetrahedra, ' +
          'pressure within the surface, or a pull to the shape. `maxSpeed` bounds what any mistake can do.',
      },
    },
  },
} satisfies Meta<typeof Scene>

export default meta
type Story = StoryObj<typeof meta>

export const Collapse: Story = { parameters: { shots: { steps: 90 } } }

export const EachCureHolds: Story = {
  tags: ['!dev', '!autodocs', 'long'],
  async play({ args }) {
    const hook = await run(0)
    const rest = cures.map((_, k) => bodyOf(hook, 2 * k).volume())
    hook.world.step(240)
    const [springs, volume, pressure, shape] = cures.map((_, k) => bodyOf(hook, 2 * k).volume() / rest[k]!)
    const height = (k: number) => boundsOf(bodyOf(hook, 2 * k))[4]! - boundsOf(bodyOf(hook, 2 * k))[1]!
    await expect(springs).toBeLessThan(0.5)
    await expect(volume).toBeGreaterThan(0.85)
    await expect(pressure).toBeGreaterThan(0.85)
    await expect(shape).toBeGreaterThan(0.85)
    for (const k of [1, 2, 3]) await expect(height(k)).toBeGreaterThan(1.2 * height(0))
    await expect(hook.world.world.settings.maxSpeed).toBe(args.maxSpeed)
  },
}
