import type { Meta, StoryObj } from '@storybook/react-vite'
import { useEffect, useMemo, useRef } from 'react'
import { expect } from 'storybook/test'
import { Color, DoubleSide, type Group } from 'three'
import { Cloth, Ground, Pin, SoftBody, useBeforeStep } from '../../src/index.js'
import { Balloon, Rubber } from '../support/materials.js'
import { paint } from '../support/paint.js'
import { bodyOf, boundsOf, centerOf, run } from '../support/play.js'
import { ball } from '../support/shapes.js'
import { palette, wood } from '../support/themes.js'
import { StoryWorld } from '../support/World.js'

interface Args {
  balls: number
  /** Of the balls [kg/m^3]. */
  density: number
}

const SIZE = 1.8
const SEGMENTS = 20
const HEIGHT = 1.3
const RADIUS = 0.16
/** How far the corners are drawn in, along x and z [m], and in which time [s]. */
const DRAWN = 0.2
const TIME = 0.4
const POST = SIZE / 2 - DRAWN

const colors = [palette.coral, palette.apricot, palette.butter, palette.mint, palette.azure, palette.plum]
const corners = [0, SEGMENTS, SEGMENTS * (SEGMENTS + 1), (SEGMENTS + 1) ** 2 - 1].map((index) => ({
  index,
  x: index % (SEGMENTS + 1) === 0 ? -1 : 1,
  z: index > SEGMENTS ? 1 : -1,
}))

/** Cords with holes between them. */
function Netting({ color, meshes }: { color: string; meshes: number }) {
  const map = useMemo(() => {
    const { r, g, b } = new Color(color)
    const cord = (u: number) => Math.min(u, 1 - u) < 0.13
    const texture = paint(128, (u, v) => ({ r, g, b, a: Number(cord(u) || cord(v)) }))
    texture.repeat.set(meshes, meshes)
    return texture
  }, [color, meshes])
  useEffect(() => () => map.dispose(), [map])
  return <meshStandardMaterial key={map.uuid} map={map} alphaTest={0.4} side={DoubleSide} roughness={0.9} />
}

/** One corner, on top of its post: it is drawn in, so that the net hangs slack. */
function Corner({ index, x, z }: (typeof corners)[number]) {
  const group = useRef<Group>(null)
  const at = useMemo(() => [index], [index])
  useBeforeStep(({ time }) => {
    const share = Math.min(1, time / TIME)
    // The cloth lies: its y is the world's -z.
    group.current?.position.set(-x * DRAWN * share, z * DRAWN * share, 0)
  })
  return <Pin ref={group} at={at} />
}

function Balls({ balls, density }: Args) {
  const geometry = useMemo(() => ball(RADIUS), [])
  return Array.from({ length: balls }, (_, k) => {
    // Four at the corners of a square, and those above them closer together.
    const apart = RADIUS * (k < 4 ? 1.1 : 0.55)
    const x = (k % 2 === 0 ? -apart : apart) + 0.02 * (k % 3)
    return (
      <SoftBody
        key={`ball ${k}`}
        geometry={geometry}
        position={[x, HEIGHT + 0.3 + 1.3 * RADIUS * k, k % 4 > 1 ? apart : -apart]}
        resolution={3}
        density={density}
        youngsModulus={1.5e4}
        shapeDamping={8}
        castShadow
        receiveShadow
      >
        <Balloon color={colors[k % colors.length]} />
      </SoftBody>
    )
  })
}

function Scene(args: Args) {
  return (
    <StoryWorld floor={5} camera={{ position: [1.3, 1.7, 4.6], target: [0, 0.68, 0], fov: 23 }}>
      {corners.map(({ index, x, z }) => (
        <mesh key={index} position={[x * POST, HEIGHT / 2, z * POST]} castShadow receiveShadow>
          <cylinderGeometry args={[0.026, 0.032, HEIGHT + 0.04, 24]} />
          <Rubber color={wood} />
        </mesh>
      ))}
      <Cloth
        args={[SIZE, SIZE, SEGMENTS, SEGMENTS]}
        position={[0, HEIGHT, 0]}
        rotation-x={-Math.PI / 2}
        areaDensity={0.4}
        stretchModulus={4000}
        shearModulus={20}
        thickness={0.01}
        damping={2.5}
        shapeDamping={10}
        drag={0.2}
        lift={0}
        castShadow
        receiveShadow
      >
        <Netting color="#6d5f57" meshes={SEGMENTS} />
        {corners.map((corner) => (
          <Corner key={corner.index} {...corner} />
        ))}
      </Cloth>
      <Balls {...args} />
      <Ground />
    </StoryWorld>
  )
}

const meta = {
  title: 'Contact/Balls in a net',
  component: Scene,
  args: { balls: 7, density: 30 },
  argTypes: {
    balls: { control: { type: 'range', min: 1, max: 12, step: 1 } },
    density: { control: { type: 'range', min: 20, max: 150, step: 10 } },
  },
  parameters: {
    docs: {
      description: {
        component:
          'Soft balls fall into a net: a Cloth without much resistance to shear, held at its corners by Pins. The balls push the ' +
          'net, and each other.\n\nThe holes are drawn: to the balls the net is a cloth.',
      },
    },
  },
} satisfies Meta<typeof Scene>

export default meta
type Story = StoryObj<typeof meta>

export const BallsInANet: Story = { parameters: { shots: { steps: 150 } } }

export const HoldsThemAll: Story = {
  tags: ['!dev', '!autodocs'],
  async play({ args }) {
    const hook = await run(150)
    const net = boundsOf(bodyOf(hook, 0))
    const centers = Array.from({ length: args.balls }, (_, k) => centerOf(bodyOf(hook, k + 1)))
    for (const [k, center] of centers.entries()) {
      const bounds = boundsOf(bodyOf(hook, k + 1))
      // None is below the net or beside it.
      await expect(bounds[1]).toBeGreaterThan(net[1]!)
      await expect(Math.max(Math.abs(center[0]), Math.abs(center[2]))).toBeLessThan(SIZE / 2)
      await expect(center[1]).toBeLessThan(HEIGHT + 3 * RADIUS)
      // And no two are in one place.
      for (const other of centers.slice(0, k)) {
        await expect(Math.hypot(...center.map((value, d) => value - other[d]!))).toBeGreaterThan(1.2 * RADIUS)
      }
    }
  },
}
