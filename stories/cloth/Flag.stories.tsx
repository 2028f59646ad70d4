import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect } from 'storybook/test'
import { Cloth, Wind } from '../../src/index.js'
import { Fabric } from '../support/materials.js'
import { bodyOf, boundsOf, run } from '../support/play.js'
import { palette } from '../support/themes.js'
import { StoryWorld } from '../support/World.js'

const WIDTH = 1.5
const HEIGHT = 0.9
const MAST = 2.3

interface Args {
  /** Of the air [m/s]. */
  speed: number
  /** 0 is an even wind. */
  turbulence: number
  /** From along x to towards the camera [degrees]. */
  heading: number
}

function Scene({ speed, turbulence, heading }: Args) {
  const angle = (heading * Math.PI) / 180
  return (
    <StoryWorld floor={7} camera={{ position: [0.9, 1.5, 5.6], target: [0.1, 1.22, 0], fov: 27 }}>
      <Cloth
        args={[WIDTH, HEIGHT, 35, 21]}
        position={[WIDTH / 2 - 0.7, MAST - HEIGHT / 2 - 0.08, 0]}
        pins={({ x }) => x < -WIDTH / 2 + 0.01}
        areaDensity={0.12}
        tether
        castShadow
        receiveShadow
      >
        <Fabric color={palette.butter} ink={palette.coral} weave="stripes" repeat={[1, 5]} />
      </Cloth>
      <mesh position={[-0.72, MAST / 2, 0]} castShadow receiveShadow>
        <cylinderGeometry args={[0.022, 0.028, MAST, 24]} />
        <meshStandardMaterial color="#8a7766" roughness={0.5} />
      </mesh>
      <mesh position={[-0.72, MAST, 0]} castShadow>
        <sphereGeometry args={[0.045, 24, 16]} />
        <meshStandardMaterial color={palette.apricot} roughness={0.25} metalness={0.4} />
      </mesh>
      <Wind
        direction={[Math.cos(angle), 0, Math.sin(angle)]}
        speed={speed}
        turbulence={turbulence}
        turbulenceSize={0.8}
        seed={3}
      />
    </StoryWorld>
  )
}

const meta = {
  title: 'Cloth/Flag',
  component: Scene,
  args: { speed: 7, turbulence: 0.5, heading: 12 },
  argTypes: {
    speed: { control: { type: 'range', min: 0, max: 30, step: 0.5 } },
    turbulence: { control: { type: 'range', min: 0, max: 1.5, step: 0.05 } },
    heading: { control: { type: 'range', min: -180, max: 180, step: 1 } },
  },
  parameters: {
    docs: {
      description: {
        component:
          'Wind blows on every Cloth of its world: drag along its way, lift across it. Gusts are carried along by the wind, ' +
          'and the same seed gives the same ones.\n\n' +
          'tether keeps the flag from being drawn out by a storm: no point gets farther from the mast than along the cloth.',
      },
    },
  },
} satisfies Meta<typeof Scene>

export default meta
type Story = StoryObj<typeof meta>

export const Flag: Story = { parameters: { shots: { steps: 150 } } }

export const Storm: Story = { args: { speed: 24, turbulence: 0.8 }, parameters: { shots: { steps: 120 } } }

export const FliesWithTheWind: Story = {
  tags: ['!dev', '!autodocs'],
  async play({ mount, args }) {
    await mount(<Scene {...args} />)
    const flag = bodyOf(await run(90))
    const [left, , , right] = boundsOf(flag)
    await expect(right! - left!).toBeGreaterThan(0.7 * WIDTH)
    await expect(flag.maxStrain()).toBeLessThan(0.2)
    // A wind from the side turns it.
    await mount(<Scene {...args} heading={90} />)
    const turned = boundsOf(bodyOf(await run(120)))
    await expect(turned[5]! - turned[2]!).toBeGreaterThan(0.7 * WIDTH)
    await expect(turned[3]! - turned[0]!).toBeLessThan(0.7 * WIDTH)
  },
}
