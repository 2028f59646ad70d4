import type { Meta, StoryObj } from '@storybook/react-vite'
import { Cloth, Ground, SoftBody } from '../../src/index.js'
import { useBunny } from '../support/bunny.js'
import { Fabric, Jelly } from '../support/materials.js'
import { Rail } from '../support/Rail.js'
import { palette } from '../support/themes.js'
import { StoryWorld } from '../support/World.js'

const source = `
<SoftBodyWorld>
  <SoftBody position={[-0.8, 0.6, 0]} resolution={14}>
    <primitive object={useGLTF('/bunny.glb').scene} />
  </SoftBody>
  <Cloth args={[1.3, 1.4, 40, 40]} position={[1.2, 1, -0.2]} pins="top">
    <meshStandardMaterial map={fabric} side={DoubleSide} />
  </Cloth>
  <Ground />
</SoftBodyWorld>`

function Scene() {
  const bunny = useBunny(1.5)
  return (
    <StoryWorld floor={6} camera={{ position: [0.3, 1.3, 6.6], target: [0.15, 0.82, 0], fov: 26 }}>
      <SoftBody position={[-0.75, 0.75, 0]} rotation={[0, 0.3, 0.12]} resolution={14}>
        <mesh geometry={bunny} castShadow receiveShadow>
          <Jelly color={palette.mint} />
        </mesh>
      </SoftBody>
      <Rail position={[1.25, 0, -0.35]} width={1.5} height={1.85} />
      <Cloth
        args={[1.3, 1.5, 36, 42]}
        position={[1.25, 1.06, -0.35]}
        pins="top"
        damping={0.3}
        castShadow
        receiveShadow
      >
        <Fabric color="#f6efe2" ink={palette.coral} weave="stripes" repeat={[9, 10]} />
      </Cloth>
      <Ground />
    </StoryWorld>
  )
}

const meta = {
  title: 'Start/Bunny',
  component: Scene,
  parameters: {
    docs: {
      description: {
        component:
          'Any mesh, with its own material: this one is a scan of a rabbit. Poke it, drag it by the ears, throw it.\n\n' +
          'Beside it hangs a cloth that can be pulled.',
      },
      source: { code: source.trim(), language: 'tsx' },
    },
  },
} satisfies Meta<typeof Scene>

export default meta
type Story = StoryObj<typeof meta>

export const Bunny: Story = { parameters: { shots: { steps: 40 } } }
