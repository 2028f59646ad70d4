import suziUrl from '@pmndrs/assets/models/suzi.glb.js'
import { useLoader } from '@react-three/fiber'
import type { Meta, StoryObj } from '@storybook/react-vite'
import { useMemo } from 'react'
import { expect } from 'storybook/test'
import { type BufferGeometry, type Mesh, TorusKnotGeometry } from 'three'
import { DRACOLoader } from 'three/addons/loaders/DRACOLoader.js'
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js'
import { Collider, Ground, type PresetName, SoftBody } from '../../src/index.js'
import { Balloon, Rubber } from '../support/materials.js'
import { bodyOf, boundsOf, centerOf, run } from '../support/play.js'
import { ball, heart, roundedBox } from '../support/shapes.js'
import { palette, wood } from '../support/themes.js'
import { StoryWorld } from '../support/World.js'

interface Args {
  preset: PresetName
}

/** Inside of the box [m]: width, height, depth; and how thick its boards are. */
const WIDTH = 1.05
const HEIGHT = 0.42
const DEPTH = 0.85
const BOARD = 0.06

const draco = new DRACOLoader()

/** The monkey's head of a file, 0.42 m wide around the origin. */
function useSuzi(): BufferGeometry {
  const { scene } = useLoader(GLTFLoader, suziUrl, (loader) => loader.setDRACOLoader(draco))
  return useMemo(() => {
    const meshes: Mesh[] = []
    scene.traverse((object) => {
      if ('isMesh' in object) meshes.push(object as Mesh)
    })
    const geometry = meshes[0]!.geometry.clone().center()
    geometry.computeBoundingBox()
    const { min, max } = geometry.boundingBox!
    const scale = 0.42 / (max.x - min.x)
    return geometry.scale(scale, scale, scale)
  }, [scene])
}

/** How finely each shape is cut: enough for it to be itself. */
const resolutions = { ball: 3, cube: 2, heart: 3, knot: 5, suzi: 4 }
type Shape = keyof typeof resolutions
const poured: [Shape, string][] = [
  ['cube', palette.azure],
  ['ball', palette.coral],
  ['knot', palette.butter],
  ['cube', palette.mint],
  ['heart', palette.plum],
  ['ball', palette.apricot],
  ['suzi', palette.mint],
  ['heart', palette.coral],
  ['cube', palette.plum],
  ['heart', palette.azure],
  ['cube', palette.apricot],
  ['heart', palette.butter],
]

function Poured({ preset }: Args) {
  const suzi = useSuzi()
  const shapes = useMemo<Record<Shape, BufferGeometry>>(
    () => ({
      ball: ball(0.15),
      cube: roundedBox(0.26, 0.04),
      heart: heart(0.36),
      knot: new TorusKnotGeometry(0.14, 0.058, 128, 24),
      suzi,
    }),
    [suzi],
  )
  return poured.map(([shape, color], k) => {
    const Look = shape === 'cube' || shape === 'suzi' ? Rubber : Balloon
    return (
      <SoftBody
        key={`${shape} ${color}`}
        preset={preset}
        density={300}
        shapeDamping={8}
        geometry={shapes[shape]}
        position={[((k % 3) - 1) * 0.2, 0.35 + 0.18 * k, ((k % 2) - 0.5) * 0.24]}
        rotation={[0.4 * k, 0.7 * k, 0.2 * k]}
        resolution={resolutions[shape]}
        castShadow
        receiveShadow
      >
        <Look color={color} />
      </SoftBody>
    )
  })
}

function Board({ at, size }: { at: [number, number, number]; size: [number, number, number] }) {
  return (
    <Collider.Box args={size} position={at} friction={0.4}>
      <mesh castShadow receiveShadow>
        <boxGeometry args={size} />
        <Rubber color={wood} />
      </mesh>
    </Collider.Box>
  )
}

function Scene(args: Args) {
  return (
    <StoryWorld floor={5} camera={{ position: [0.6, 3.3, 3.4], target: [0, 0.22, 0], fov: 21 }}>
      {[-1, 1].map((side) => (
        <group key={side}>
          <Board at={[(side * (WIDTH + BOARD)) / 2, HEIGHT / 2, 0]} size={[BOARD, HEIGHT, DEPTH]} />
          <Board at={[0, HEIGHT / 2, (side * (DEPTH + BOARD)) / 2]} size={[WIDTH + 2 * BOARD, HEIGHT, BOARD]} />
        </group>
      ))}
      <Poured {...args} />
      <Ground />
    </StoryWorld>
  )
}

const meta = {
  title: 'Contact/Soft pile',
  component: Scene,
  args: { preset: 'jelly' },
  argTypes: { preset: { control: 'select', options: ['jelly', 'rubber', 'clay-soft', 'firm'] } },
  parameters: {
    docs: {
      description: {
        component:
          'Balls, cubes, hearts, a knot and a monkey are poured into a box and give way to each other. Dig in it.\n\n' +
          'All of them have fewer than 2500 tetrahedra together: a coarse body still shows its fine mesh.',
      },
    },
  },
} satisfies Meta<typeof Scene>

export default meta
type Story = StoryObj<typeof meta>

export const SoftPile: Story = { parameters: { shots: { steps: 170 } } }

export const StaysInTheBox: Story = {
  tags: ['!dev', '!autodocs', 'long'],
  async play() {
    const hook = await run(200)
    const { bodies } = hook.world.world
    await expect(bodies.length).toBe(poured.length)
    await expect(bodies.reduce((sum, { model }) => sum + model.tets.length / 4, 0)).toBeLessThan(2500)
    for (const [k, body] of bodies.entries()) {
      const [left, bottom, back, right, , front] = boundsOf(body)
      await expect(bottom).toBeGreaterThan(-0.01)
      const [x, , z] = centerOf(body)
      await expect(Math.max(Math.abs(x) - WIDTH / 2, Math.abs(z) - DEPTH / 2)).toBeLessThan(0)
      // They keep their volume, and no two of them are in one place.
      await expect(Math.abs(body.volume() / body.model.volume - 1)).toBeLessThan(0.1)
      const reach = Math.min(right! - left!, front! - back!)
      for (let other = 0; other < k; other++) {
        const there = centerOf(bodyOf(hook, other))
        const distance = Math.hypot(...centerOf(body).map((value, d) => value - there[d]!))
        await expect(distance).toBeGreaterThan(0.4 * reach)
      }
    }
  },
}
