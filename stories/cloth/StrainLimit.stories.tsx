import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect } from 'storybook/test'
import { Cloth, type ClothProps, Ground } from '../../src/index.js'
import { Label } from '../support/Label.js'
import { Fabric } from '../support/materials.js'
import { bodyOf, boundsOf, run } from '../support/play.js'
import { palette } from '../support/themes.js'
import { StoryWorld } from '../support/World.js'

const SIZE = 0.9
const HUNG = 1.75
const CELLS = 40

const cloths: { name: string; ink: string; props: ClothProps }[] = [
  { name: 'Neither', ink: palette.coral, props: {} },
  { name: 'strainLimit 0.05', ink: palette.apricot, props: { strainLimit: 0.05 } },
  { name: 'tether', ink: palette.azure, props: { tether: true } },
]

function Scene() {
  return (
    <StoryWorld floor={6} camera={{ position: [0, 1.45, 5.6], target: [0, 0.9, 0], fov: 25 }}>
      {cloths.map(({ name, ink, props }, k) => (
        <group key={name} position-x={(k - 1) * 1.25}>
          <Cloth
            args={[SIZE, SIZE, CELLS, CELLS]}
            position={[0, HUNG - SIZE / 2, 0]}
            pins={[0, CELLS]}
            areaDensity={0.6}
            stretchModulus={60}
            shearModulus={6}
            damping={2}
            castShadow
            receiveShadow
            {...props}
          >
            <Fabric ink={ink} weave="grid" repeat={[10, 10]} />
          </Cloth>
          <Label position={[0, 0.12, 0.7]} width={1.1}>
            {name}
          </Label>
        </group>
      ))}
      <Ground />
    </StoryWorld>
  )
}

const meta = {
  title: 'Cloth/Strain limit and tether',
  component: Scene,
  parameters: {
    docs: {
      description: {
        component:
          'A soft cloth that hangs from few points is drawn out there.\n\n' +
          'strainLimit bounds the strain of every edge. tether bounds how far a point gets from each pin by the way along the ' +
          'cloth, and leaves nothing to stretch.',
      },
    },
  },
} satisfies Meta<typeof Scene>

export default meta
type Story = StoryObj<typeof meta>

export const StrainLimitAndTether: Story = { parameters: { shots: { steps: 150 } } }

export const StrainIsBounded: Story = {
  tags: ['!dev', '!autodocs'],
  async play() {
    const hook = await run(120)
    const [neither, limited, tethered] = cloths.map((_, k) => bodyOf(hook, k))
    await expect(neither!.maxStrain()).toBeGreaterThan(0.3)
    await expect(limited!.maxStrain()).toBeLessThan(0.12)
    await expect(tethered!.maxStrain()).toBeLessThan(0.06)
    const lowest = [neither, limited, tethered].map((body) => boundsOf(body!)[1]!)
    await expect(lowest[0]).toBeLessThan(lowest[1]!)
    await expect(lowest[1]).toBeLessThan(lowest[2]!)
  },
}
