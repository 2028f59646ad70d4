import type { Meta, StoryObj } from '@storybook/react-vite'
import { useMemo } from 'react'
import { expect } from 'storybook/test'
import { Ground, type ShapeMatching, SoftBody } from '../../src/index.js'
import { Label } from '../support/Label.js'
import { Balloon, Rubber } from '../support/materials.js'
import { bodyOf, boundsOf, positionsOf, run } from '../support/play.js'
import { rod } from '../support/shapes.js'
import { palette, wood } from '../support/themes.js'
import { StoryWorld } from '../support/World.js'

const LENGTH = 1.5
const RADIUS = 0.13
/** Of the part that is held [m]. */
const HELD = 0.35
/** Of the foot above the floor [m]. */
const FOOT = 0.5
/** Of the shape matching, in every bar [1/s]. */
const RATE = 75
/** Of the bars against the floor [rad]. */
const LEAN = 1

const bars: { name: string; shapeMatching: ShapeMatching; color: string }[] = [
  { name: 'whole body', shapeMatching: { rate: RATE }, color: palette.azure },
  { name: 'clusters 4', shapeMatching: { rate: RATE, clusters: 4 }, color: palette.mint },
  { name: 'clusters 8\nlinear 0.5', shapeMatching: { rate: RATE, clusters: 8, linear: 0.5 }, color: palette.coral },
]

function Scene() {
  const shape = useMemo(() => rod(LENGTH, RADIUS), [])
  return (
    <StoryWorld floor={6.5} camera={{ position: [0.1, 1.9, 7.8], target: [0.1, 0.72, 0], fov: 24.5 }}>
      {bars.map(({ name, shapeMatching, color }, k) => (
        <group key={name} position-x={(k - 1) * 1.7 - 0.35}>
          <mesh
            position={[(HELD / 2) * Math.cos(LEAN), FOOT + (HELD / 2) * Math.sin(LEAN), 0]}
            rotation-z={LEAN - Math.PI / 2}
            castShadow
            receiveShadow
          >
            <cylinderGeometry args={[RADIUS + 0.05, RADIUS + 0.05, HELD, 48]} />
            <Rubber color={wood} />
          </mesh>
          <mesh position={[0.06, FOOT / 2, 0]} castShadow receiveShadow>
            <cylinderGeometry args={[0.05, 0.05, FOOT, 24]} />
            <Rubber color={wood} />
          </mesh>
          <mesh position={[0.06, 0.025, 0]} castShadow receiveShadow>
            <cylinderGeometry args={[0.24, 0.26, 0.05, 48]} />
            <Rubber color={wood} />
          </mesh>
          <SoftBody
            position={[(LENGTH / 2) * Math.cos(LEAN), FOOT + (LENGTH / 2) * Math.sin(LEAN), 0]}
            rotation-z={LEAN}
            resolution={12}
            youngsModulus={false}
            shapeMatching={shapeMatching}
            shapeDamping={3}
            pins={({ x }) => x < -LENGTH / 2 + HELD}
          >
            <mesh geometry={shape} castShadow receiveShadow rotation-x={0.01}>
              <Balloon color={color} pattern="grid" ink="#fbf5ea" scale={7} />
            </mesh>
          </SoftBody>
          <Label position={[0.2, 0.1, 1.05]}>{name}</Label>
        </group>
      ))}
      <Ground />
    </StoryWorld>
  )
}

const meta = {
  title: 'Bodies/Cluster bar',
  component: Scene,
  parameters: {
    docs: {
      description: {
        component:
          'The same bar, held at its foot, with shapeMatching alone. As a whole body it stays straight.\n\n' +
          'In overlapping clusters it bends; linear lets each of them stretch and shear as well. Pull at the tips.',
      },
    },
  },
} satisfies Meta<typeof Scene>

export default meta
type Story = StoryObj<typeof meta>

export const ClusterBar: Story = { parameters: { shots: { steps: 200 } } }

export const ClustersBend: Story = {
  tags: ['!dev', '!autodocs'],
  async play() {
    const start = await run(0)
    const before = bars.map((_, k) => boundsOf(bodyOf(start, k))[4]!)
    const hook = await run(100)
    const sags = before.map((top, k) => top - boundsOf(bodyOf(hook, k))[4]!)
    for (const [k] of bars.entries()) await expect(positionsOf(bodyOf(hook, k)).every(Number.isFinite)).toBe(true)
    await expect(sags[1]).toBeGreaterThan(sags[0]! + 0.05)
    await expect(sags[2]).toBeGreaterThan(sags[1]!)
  },
}
