import bunnyUrl from '@pmndrs/assets/models/bunny.glb.js'
import { useLoader } from '@react-three/fiber'
import type { Meta, StoryObj } from '@storybook/react-vite'
import { useMemo } from 'react'
import { expect } from 'storybook/test'
import type { Mesh } from 'three'
import { DRACOLoader } from 'three/addons/loaders/DRACOLoader.js'
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js'
import { Ground, SoftBody } from '../../src/index.js'
import { Balloon, Rubber } from '../support/materials.js'
import { bodyOf, boundsOf, run } from '../support/play.js'
import { createRobot } from '../support/robot.js'
import { palette } from '../support/themes.js'
import { StoryWorld } from '../support/World.js'

const source = `
const { scene } = useGLTF('/bunny.glb')

<SoftBody object={scene} position={[0, 1, 0]} />`

const draco = new DRACOLoader()

/** The first mesh of the file: its geometry is shared by all that show it. */
function useBunnyFile() {
  // drei's useGLTF would do, but it fetches its Draco decoder from elsewhere.
  const { scene } = useLoader(GLTFLoader, bunnyUrl, (loader) => loader.setDRACOLoader(draco))
  return useMemo(() => {
    const meshes: Mesh[] = []
    scene.traverse((object) => {
      if ('isMesh' in object) meshes.push(object as Mesh)
    })
    return meshes[0]!.geometry
  }, [scene])
}

function Bunnies() {
  const geometry = useBunnyFile()
  return (
    <>
      <SoftBody position={[-0.62, 0.95, 0]} rotation={[0, 0.5, -0.1]} resolution={16} shapeDamping={3}>
        <mesh geometry={geometry} scale={0.5} castShadow receiveShadow>
          <Balloon color={palette.apricot} />
        </mesh>
      </SoftBody>
      <SoftBody position={[0.66, 0.86, 0.05]} rotation={[0, -0.6, 0]} resolution={14} preset="rubber">
        <mesh geometry={geometry} scale={0.4} castShadow receiveShadow>
          <Rubber color={palette.plum} />
        </mesh>
      </SoftBody>
    </>
  )
}

function Scene() {
  return (
    <StoryWorld floor={5} camera={{ position: [0.2, 1, 4.4], target: [0, 0.38, 0], fov: 23 }}>
      <Bunnies />
      <Ground />
    </StoryWorld>
  )
}

/** Stands for the scene of a file: both bodies show a clone of it. */
const robot = createRobot()

function Robots() {
  return (
    <StoryWorld floor={5} camera={{ position: [0.2, 1.2, 4.6], target: [0, 0.5, 0], fov: 25 }}>
      <SoftBody object={robot} position={[-0.7, 0.85, 0]} rotation={[0, 0.4, 0.1]} resolution={16} />
      <SoftBody object={robot} position={[0.75, 1.1, 0]} rotation={[0, -0.5, -0.2]} scale={0.8} preset="rubber" />
      <Ground />
    </StoryWorld>
  )
}

const meta = {
  title: 'Bodies/From a glTF file',
  component: Scene,
  parameters: {
    docs: {
      description: {
        component:
          'Two bodies on one geometry from useGLTF: soft jelly at the left, firmer rubber at the right.\n\n' +
          'The file stays as it is: each body deforms a copy of its own.',
      },
      source: { code: source.trim(), language: 'tsx' },
    },
  },
} satisfies Meta<typeof Scene>

export default meta
type Story = StoryObj<typeof meta>

export const FromAGltfFile: Story = { parameters: { shots: { steps: 22 } } }

export const BothFall: Story = {
  tags: ['!dev', '!autodocs'],
  async play() {
    const hook = await run(100)
    for (const k of [0, 1]) {
      const [, bottom] = boundsOf(bodyOf(hook, k))
      await expect(bottom).toBeGreaterThan(-0.02)
      await expect(bottom).toBeLessThan(0.02)
    }
  },
}

/** All meshes of a scene are one body: nested groups, two materials, arms that are each other's mirror image. */
export const AWholeScene: Story = { render: () => <Robots />, parameters: { shots: { steps: 22 } } }

export const TheSceneFalls: Story = {
  tags: ['!dev', '!autodocs'],
  render: () => <Robots />,
  async play() {
    const hook = await run(100)
    await expect(hook.world.world.bodies.length).toBe(2)
    for (const k of [0, 1]) {
      const [, bottom] = boundsOf(bodyOf(hook, k))
      await expect(bottom).toBeGreaterThan(-0.03)
      await expect(bottom).toBeLessThan(0.03)
    }
  },
}
