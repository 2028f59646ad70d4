import type { Meta, StoryObj } from '@storybook/react-vite'
import { useMemo } from 'react'
import { expect } from 'storybook/test'
import { TorusKnotGeometry } from 'three'
import { TeapotGeometry } from 'three/addons/geometries/TeapotGeometry.js'
import { DebugView, Ground, SoftBody } from '../../src/index.js'
import { useBunny } from '../support/bunny.js'
import { Balloon, Jelly } from '../support/materials.js'
import { bodyOf, boundsOf, run } from '../support/play.js'
import { palette } from '../support/themes.js'
import { StoryWorld } from '../support/World.js'

interface Args {
  /** Draw the tetrahedra. */
  tets: boolean
}

function Household({ tets }: Args) {
  const bunny = useBunny(0.9)
  const teapot = useMemo(() => new TeapotGeometry(0.36, 14), [])
  return (
    <StoryWorld floor={5} camera={{ position: [0.2, 1.25, 4.9], target: [0.03, 0.42, 0], fov: 24 }}>
      <SoftBody position={[-0.68, 0.1, 0]} rotation={[0, 0.35, 0]} resolution={7}>
        <mesh geometry={bunny} castShadow receiveShadow>
          <Jelly color={palette.plum} />
        </mesh>
      </SoftBody>
      <SoftBody position={[0.66, 0.5, 0.1]} rotation={[0, 0.35, 0]} resolution={6}>
        <mesh geometry={teapot} castShadow receiveShadow>
          <Jelly color={palette.apricot} />
        </mesh>
      </SoftBody>
      <Ground />
      {tets && <DebugView layers={['tets']} />}
    </StoryWorld>
  )
}

/** Radius of the wire [m]: twice that is less than a cell. */
const WIRE = 0.05
const RESOLUTION = 10

function Wire({ tets }: Args) {
  const knot = useMemo(() => new TorusKnotGeometry(0.45, WIRE, 240, 16), [])
  return (
    <StoryWorld floor={4.5} camera={{ position: [0.5, 1.3, 4.3], target: [0, 0.4, 0], fov: 22 }}>
      <SoftBody position={[0, 0.85, 0]} rotation={[0.3, 0.4, 0]} resolution={RESOLUTION} youngsModulus={5e5}>
        <mesh geometry={knot} castShadow receiveShadow>
          <Balloon color={palette.coral} />
        </mesh>
      </SoftBody>
      <Ground />
      {tets && <DebugView layers={['tets']} />}
    </StoryWorld>
  )
}

const meta = {
  title: 'Bodies/Thin parts',
  component: Household,
  args: { tets: false },
  parameters: {
    docs: {
      description: {
        component:
          'Ears, a spout, a handle: parts thinner than a cell of the lattice are filled as well, and move with their body.\n\n' +
          'Switch `tets` on to see what is simulated, coloured by strain. The teapot is open at its lid: a warning says how ' +
          'it was taken.',
      },
    },
  },
} satisfies Meta<typeof Household>

export default meta
type Story = StoryObj<typeof meta>

export const ThinParts: Story = { parameters: { shots: { steps: 24 } } }

export const TheTetrahedra: Story = { args: { tets: true }, parameters: { shots: { steps: 24 } } }

/** A knot of wire at resolution 10. */
export const AsThinAsAWire: Story = {
  render: (args) => <Wire {...args} />,
  parameters: { shots: { steps: 18 } },
}

export const NoPartIsLeftBehind: Story = {
  tags: ['!dev', '!autodocs'],
  async play() {
    const hook = await run(75)
    for (const k of [0, 1]) {
      const [, bottom, , , top] = boundsOf(bodyOf(hook, k))
      await expect(Math.abs(bottom!)).toBeLessThan(0.03)
      // It stands, and has not torn or collapsed.
      await expect(top! - bottom!).toBeGreaterThan(0.4)
      await expect(top! - bottom!).toBeLessThan(1)
    }
  },
}

export const TheWireHolds: Story = {
  tags: ['!dev', '!autodocs'],
  render: (args) => <Wire {...args} />,
  async play() {
    const knot = bodyOf(await run(0))
    const [left, , , right] = boundsOf(knot)
    // The wire is thinner than a cell, and yet there are tetrahedra all the way along it.
    await expect(2 * WIRE).toBeLessThan((right! - left!) / RESOLUTION + 0.05)
    const volume = knot.volume()
    const landed = bodyOf(await run(40))
    await expect(Math.abs(landed.volume() / volume - 1)).toBeLessThan(0.1)
    await expect(boundsOf(landed)[1]).toBeGreaterThan(-0.03)
  },
}
