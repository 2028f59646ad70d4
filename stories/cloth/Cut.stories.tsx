import type { Meta, StoryObj } from '@storybook/react-vite'
import { useRef } from 'react'
import { expect } from 'storybook/test'
import type { Group } from 'three'
import { Cloth, Cut, Ground, useBeforeStep } from '../../src/index.js'
import { Fabric, Rubber } from '../support/materials.js'
import { bodyOf, boundsOf, run } from '../support/play.js'
import { Rail } from '../support/Rail.js'
import { palette } from '../support/themes.js'
import { StoryWorld } from '../support/World.js'

interface Args {
  /** Whether the blade cuts. */
  active: boolean
}

const [WIDTH, HEIGHT, ROD] = [1.8, 1.3, 1.8]
const LENGTH = 0.5

/** A knife that goes to and fro through the sheet, lower each time. */
function Knife({ active }: Args) {
  const knife = useRef<Group>(null)
  useBeforeStep(({ time }) => {
    const way = time / 2
    const stroke = Math.min(2, Math.floor(way))
    const share = Math.min(1, way - stroke)
    const x = (1 - Math.cos(Math.PI * share)) / 2
    const side = stroke % 2 === 0 ? 1 : -1
    knife.current?.position.set(side * (1.2 - 2.4 * x), 1.42 - 0.3 * (stroke + 0.3 * x), 0)
  })
  return (
    <Cut ref={knife} length={LENGTH} rotation-y={Math.PI / 2} active={active} position={[1.2, 1.42, 0]}>
      <mesh castShadow scale={[LENGTH, 0.05, 0.008]}>
        <boxGeometry />
        <meshStandardMaterial color="#c9ced6" metalness={0.9} roughness={0.25} />
      </mesh>
      <mesh castShadow position-x={-LENGTH / 2 - 0.1} rotation-z={Math.PI / 2}>
        <capsuleGeometry args={[0.026, 0.16, 8, 20]} />
        <Rubber color="#5d4638" />
      </mesh>
    </Cut>
  )
}

function Scene({ active }: Args) {
  return (
    <StoryWorld floor={5} camera={{ position: [1.5, 1.5, 4.6], target: [0, 0.92, 0], fov: 27 }}>
      <Rail width={WIDTH + 0.2} height={ROD} />
      <Cloth
        args={[WIDTH, HEIGHT, 36, 26]}
        position={[0, ROD - 0.03 - HEIGHT / 2, 0]}
        pins="top"
        strainLimit={0.05}
        damping={0.5}
        castShadow
        receiveShadow
      >
        <Fabric ink={palette.mint} weave="check" repeat={[9, 6]} />
      </Cloth>
      <Knife active={active} />
      <Ground />
    </StoryWorld>
  )
}

const meta = {
  title: 'Cloth/Cut',
  component: Scene,
  args: { active: true },
  parameters: {
    docs: {
      description: {
        component:
          'Cut is a blade: a line along the x axis of its group, which cuts every cloth that it is led through, along the mesh.\n\n' +
          'What is cut off falls, and can be picked up. A reset mends.',
      },
    },
  },
} satisfies Meta<typeof Scene>

export default meta
type Story = StoryObj<typeof meta>

export const CutThrough: Story = { name: 'Cut', parameters: { shots: { steps: 116 } } }

export const FallsOff: Story = {
  tags: ['!dev', '!autodocs'],
  async play() {
    const hook = await run(180)
    const sheet = bodyOf(hook)
    await expect(sheet.model.torn!.pieceStarts.length).toBeGreaterThan(2)
    await expect(boundsOf(sheet)[1]).toBeLessThan(0.2)
    await expect(boundsOf(sheet)[4]).toBeCloseTo(ROD - 0.03, 2)
  },
}
