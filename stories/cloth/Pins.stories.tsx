import type { Meta, StoryObj } from '@storybook/react-vite'
import { useMemo } from 'react'
import { expect } from 'storybook/test'
import { Box3, Float32BufferAttribute, PlaneGeometry, Vector3 } from 'three'
import { Cloth, Ground, type PinSelector } from '../../src/index.js'
import { Label } from '../support/Label.js'
import { Fabric } from '../support/materials.js'
import { bodyOf, boundsOf, run } from '../support/play.js'
import { palette } from '../support/themes.js'
import { StoryWorld } from '../support/World.js'

const SEGMENTS = 24
const SIZE = 0.95

const selectors: { name: string; pins: PinSelector; ink: string; tilt: number }[] = [
  { name: "'top'", pins: 'top', ink: palette.azure, tilt: -0.5 },
  { name: "'corners'", pins: 'corners', ink: palette.coral, tilt: Math.PI / 2 },
  { name: '[vertex indices]', pins: [0, SEGMENTS], ink: palette.mint, tilt: -0.5 },
  {
    name: 'Box3',
    pins: new Box3(new Vector3(-SIZE, SIZE / 4, -1), new Vector3(-SIZE / 4, SIZE, 1)),
    ink: palette.apricot,
    tilt: -0.5,
  },
  { name: '{ attribute }', pins: { attribute: 'held' }, ink: palette.butter, tilt: Math.PI / 2 },
  { name: 'predicate', pins: ({ x, y }) => Math.hypot(x, y) < 0.1, ink: palette.plum, tilt: Math.PI / 2 },
]

/** A plane with the attribute `held`: 1 along a diagonal, else 0. */
function markedPlane(): PlaneGeometry {
  const plane = new PlaneGeometry(SIZE, SIZE, SEGMENTS, SEGMENTS)
  const { array, count } = plane.getAttribute('position')
  const held = Array.from({ length: count }, (_, i) => Number(Math.abs(array[3 * i]! - array[3 * i + 1]!) < 1e-6))
  plane.setAttribute('held', new Float32BufferAttribute(held, 1))
  return plane
}

function Scene() {
  const plane = useMemo(() => markedPlane(), [])
  return (
    <StoryWorld floor={8} camera={{ position: [0, 2.3, 9], target: [0, 0.68, 0.2], fov: 28 }}>
      {selectors.map(({ name, pins, ink, tilt }, k) => (
        <group key={name} position-x={(k - 2.5) * 1.12}>
          <Cloth
            geometry={plane}
            position={[0, 1.2, 0]}
            rotation-x={-tilt}
            pins={pins}
            damping={1}
            stretchModulus={300}
            castShadow
            receiveShadow
          >
            <Fabric ink={ink} weave="check" repeat={[5, 5]} />
          </Cloth>
          <Label position={[0, 0.12, 0.9]}>{name}</Label>
        </group>
      ))}
      <Ground />
    </StoryWorld>
  )
}

const meta = {
  title: 'Cloth/Pins',
  component: Scene,
  parameters: {
    docs: {
      description: {
        component:
          'pins says which vertices are held: by name, by index, in a Box3, by an attribute of the geometry (here along a diagonal) or with a function ' +
          'of the position.\n\n' +
          'The same selectors work on SoftBody, and in Pin, whose vertices follow an object.',
      },
    },
  },
} satisfies Meta<typeof Scene>

export default meta
type Story = StoryObj<typeof meta>

export const Pins: Story = { parameters: { shots: { steps: 40 } } }

export const Hold: Story = {
  tags: ['!dev', '!autodocs'],
  async play() {
    const start = await run(0)
    const tops = selectors.map((_, k) => boundsOf(bodyOf(start, k))[4]!)
    const hook = await run(90)
    // What is held stays at its height; the rest hangs below it.
    for (const [k, top] of tops.entries()) {
      const now = boundsOf(bodyOf(hook, k))
      await expect(now[4]).toBeGreaterThan(top - 0.01)
      await expect(now[1]).toBeLessThan(top - 0.1)
    }
  },
}
