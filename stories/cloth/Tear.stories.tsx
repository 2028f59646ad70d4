import type { Meta, StoryObj } from '@storybook/react-vite'
import { useRef } from 'react'
import { expect } from 'storybook/test'
import type { Group } from 'three'
import { Cloth, Ground, Pin, useBeforeStep } from '../../src/index.js'
import { Label } from '../support/Label.js'
import { Fabric, Rubber } from '../support/materials.js'
import { bodyOf, boundsOf, run } from '../support/play.js'
import { palette, wood } from '../support/themes.js'
import { StoryWorld } from '../support/World.js'

interface Args {
  /** Tension per width at which the strips tear [N/m]. */
  tearStrength: number
  /** Share of it that is lost beside a tear. */
  tearWeakening: number
}

const [WIDTH, HEIGHT, TOP] = [0.5, 1, 1.75]
const strips = [
  { name: '4 cells', cells: 4, ink: palette.azure },
  { name: '8 cells', cells: 8, ink: palette.coral },
  { name: '16 cells', cells: 16, ink: palette.apricot },
]

/** Both ends of a strip, the lower of which is drawn down at an even speed [m/s], then let be. */
function Strip({ cells, ink, ...tear }: Args & { cells: number; ink: string }) {
  const bar = useRef<Group>(null)
  useBeforeStep(({ time }) => bar.current?.position.setY(-0.06 * Math.min(time, 8)))
  const row = (j: number) => Array.from({ length: cells + 1 }, (_, i) => j * (cells + 1) + i)
  return (
    <Cloth
      args={[WIDTH, HEIGHT, cells, 2 * cells]}
      position={[0, TOP - HEIGHT / 2, 0]}
      areaDensity={1}
      stretchModulus={500}
      strainLimit={0.1}
      shapeDamping={10}
      castShadow
      receiveShadow
      {...tear}
    >
      <Fabric ink={ink} weave="grid" repeat={[8, 16]} />
      <Pin at={row(0)}>
        <Bar y={HEIGHT / 2} />
      </Pin>
      <Pin ref={bar} at={row(2 * cells)}>
        <Bar y={-HEIGHT / 2} />
      </Pin>
    </Cloth>
  )
}

function Bar({ y }: { y: number }) {
  return (
    <mesh position-y={y} rotation-z={Math.PI / 2} castShadow>
      <capsuleGeometry args={[0.022, WIDTH + 0.04, 6, 18]} />
      <Rubber color={wood} />
    </mesh>
  )
}

function Scene(args: Args) {
  return (
    <StoryWorld
      floor={5}
      camera={{ position: [0.5, 1.35, 4.9], target: [0, 0.96, 0], fov: 26 }}
      world={{ substeps: 20 }}
    >
      {strips.map(({ name, ...strip }, k) => (
        <group key={name} position-x={(k - 1) * 0.85}>
          <Strip {...args} {...strip} />
          <Label position={[0, 0.12, 0.55]} width={0.8}>
            {name}
          </Label>
        </group>
      ))}
      <Ground />
    </StoryWorld>
  )
}

const meta = {
  title: 'Cloth/Tear',
  component: Scene,
  args: { tearStrength: 60, tearWeakening: 0.5 },
  argTypes: {
    tearStrength: { control: { type: 'range', min: 20, max: 150, step: 5 } },
    tearWeakening: { control: { type: 'range', min: 0, max: 1, step: 0.05 } },
  },
  parameters: {
    docs: {
      description: {
        component:
          'tearStrength is the tension per width at which a cloth tears, along its mesh, and the same however fine that is.\n\n' +
          'tearWeakening is what it loses of that beside a tear, so that rips run. Pull at what is left.',
      },
    },
  },
} satisfies Meta<typeof Scene>

export default meta
type Story = StoryObj<typeof meta>

export const Tear: Story = { parameters: { shots: { steps: 112 } } }

export const Breaks: Story = {
  tags: ['!dev', '!autodocs'],
  async play() {
    const hook = await run(200)
    for (const [k, { cells }] of strips.entries()) {
      const strip = bodyOf(hook, k)
      await expect(strip.particleCount).toBeGreaterThan((cells + 1) * (2 * cells + 1) + cells / 2)
      await expect(strip.model.torn!.pieceStarts.length).toBeGreaterThan(2)
      await expect(boundsOf(strip)[4]).toBeCloseTo(TOP, 2)
    }
  },
}
