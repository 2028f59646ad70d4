import type { Meta, StoryObj } from '@storybook/react-vite'
import { useMemo } from 'react'
import { expect } from 'storybook/test'
import { BufferGeometry, Float32BufferAttribute, PlaneGeometry } from 'three'
import { Collider, SoftBody } from '../../src/index.js'
import { Jelly, Rubber, withRest } from '../support/materials.js'
import { bodyOf, centerOf, positionsOf, run } from '../support/play.js'
import { ball } from '../support/shapes.js'
import { palette } from '../support/themes.js'
import { StoryWorld } from '../support/World.js'

const SIDE = 4
const CELLS = 48

/** A hill between valleys, and a rim about them, all above the floor. */
function heightAt(x: number, z: number): number {
  const rim = (2 * Math.max(Math.abs(x), Math.abs(z))) / SIDE
  const hills = 0.4 * Math.cos(2.2 * x) * Math.cos(2.6 * z) + 0.06 * Math.sin(5 * x + 1) * Math.sin(4 * z)
  return 0.5 + hills * (1 - rim ** 4) + 0.3 * rim ** 4
}

const rows = Array.from({ length: CELLS + 1 }, (_, r) =>
  Array.from({ length: CELLS + 1 }, (_, c) => heightAt(SIDE * (c / CELLS - 0.5), SIDE * (r / CELLS - 0.5))),
)

/** The same heights, drawn: rows of a plane run from its upper edge, which is -z once it is laid down. */
function landscape(): PlaneGeometry {
  const geometry = new PlaneGeometry(SIDE, SIDE, CELLS, CELLS)
  const position = geometry.getAttribute('position')
  for (let k = 0; k < position.count; k++) position.setZ(k, rows.flat()[k]!)
  geometry.rotateX(-Math.PI / 2)
  geometry.computeVertexNormals()
  return withRest(geometry)
}

/** The sides of the block that it is the top of, down to the floor. */
function sides(): BufferGeometry {
  const corner = (k: number, side: number): [number, number] =>
    side === 0 ? [k, CELLS] : side === 1 ? [CELLS, CELLS - k] : side === 2 ? [CELLS - k, 0] : [0, k]
  const points: number[] = []
  for (let side = 0; side < 4; side++) {
    for (let k = 0; k < CELLS; k++) {
      const [a, b] = [corner(k, side), corner(k + 1, side)].map(([c, r]) => {
        const [x, z] = [SIDE * (c / CELLS - 0.5), SIDE * (r / CELLS - 0.5)]
        return { low: [x, 0, z], high: [x, heightAt(x, z), z] }
      }) as [{ low: number[]; high: number[] }, { low: number[]; high: number[] }]
      points.push(...[a.low, b.low, b.high, a.low, b.high, a.high].flat())
    }
  }
  const geometry = new BufferGeometry().setAttribute('position', new Float32BufferAttribute(points, 3))
  geometry.computeVertexNormals()
  return geometry
}

const starts: { at: [number, number, number]; color: string }[] = [
  { at: [0.25, 1.4, 0.1], color: palette.coral },
  { at: [-0.3, 1.5, -0.15], color: palette.azure },
  { at: [0.1, 1.6, -1], color: palette.butter },
  { at: [-0.1, 1.8, 0.9], color: palette.plum },
]

function Scene() {
  const drawn = useMemo(() => landscape(), [])
  const walls = useMemo(() => sides(), [])
  const jelly = useMemo(() => ball(0.2), [])
  return (
    <StoryWorld floor={6} camera={{ position: [1.6, 5.8, 6], target: [0.1, -0.05, 0.3], fov: 31 }}>
      <Collider.Heightfield heights={rows} args={[SIDE, SIDE]} friction={0.6}>
        <mesh geometry={drawn} castShadow receiveShadow>
          <Rubber color="#8fb37a" pattern="grid" ink="#6f9160" scale={3} />
        </mesh>
      </Collider.Heightfield>
      <mesh geometry={walls} castShadow receiveShadow>
        <meshStandardMaterial color="#a98a66" roughness={0.9} />
      </mesh>
      {starts.map(({ at, color }) => (
        <SoftBody key={color} position={at} resolution={5} youngsModulus={4e4} shapeDamping={2}>
          <mesh geometry={jelly} castShadow receiveShadow>
            <Jelly color={color} pattern="grid" scale={7} />
          </mesh>
        </SoftBody>
      ))}
    </StoryWorld>
  )
}

const meta = {
  title: 'Colliders/Heightfield',
  component: Scene,
  parameters: {
    docs: {
      description: {
        component:
          'A landscape from rows of heights, solid below. Jelly rolls off the hill and comes to rest in the valleys.\n\n' +
          'The rows and columns are those of a planeGeometry laid down, so that the same numbers draw it.',
      },
    },
  },
} satisfies Meta<typeof Scene>

export default meta
type Story = StoryObj<typeof meta>

export const Heightfield: Story = { parameters: { shots: { steps: 80 } } }

export const RollsIntoValleys: Story = {
  tags: ['!dev', '!autodocs', 'long'],
  async play() {
    const hook = await run(100)
    for (const k of starts.keys()) {
      const body = bodyOf(hook, k)
      const x = positionsOf(body)
      let least = Number.POSITIVE_INFINITY
      for (let p = 0; p < x.length; p += 3) least = Math.min(least, x[p + 1]! - heightAt(x[p]!, x[p + 2]!))
      // Nothing sinks in: cells of 8 cm follow the hills to 3 mm.
      await expect(least).toBeGreaterThan(-0.008)
    }
    // From the top of the hill it has gone down, one way and the other.
    for (const k of [0, 1]) {
      const [x, y] = centerOf(bodyOf(hook, k))
      await expect(y).toBeLessThan(0.8)
      await expect(Math.abs(x)).toBeGreaterThan(0.4)
    }
  },
}
