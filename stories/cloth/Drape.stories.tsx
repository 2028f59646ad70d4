import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect } from 'storybook/test'
import { Cloth, Collider, Ground } from '../../src/index.js'
import { Fabric, Rubber } from '../support/materials.js'
import { bodyOf, positionsOf, run } from '../support/play.js'
import { palette } from '../support/themes.js'
import { StoryWorld } from '../support/World.js'

const RADIUS = 0.62

function Scene() {
  return (
    <StoryWorld floor={5.5} camera={{ position: [1.6, 1.9, 4.6], target: [0, 0.56, 0], fov: 25 }}>
      <Collider.Sphere args={[RADIUS]} position={[0, RADIUS, 0]} friction={0.4}>
        <mesh castShadow receiveShadow>
          <sphereGeometry args={[RADIUS - 0.01, 64, 48]} />
          <Rubber color={palette.plum} />
        </mesh>
      </Collider.Sphere>
      <Cloth
        args={[2.2, 2.2, 48, 48]}
        position={[0.05, 1.47, 0.03]}
        rotation={[-Math.PI / 2, 0, 0.45]}
        damping={0.5}
        bendRigidity={5e-4}
        thickness={0.012}
        castShadow
        receiveShadow
      >
        <Fabric color="#f7efe0" ink={palette.coral} weave="check" repeat={[7, 7]} />
      </Cloth>
      <Ground />
    </StoryWorld>
  )
}

const meta = {
  title: 'Cloth/Drape over a sphere',
  component: Scene,
  parameters: {
    docs: {
      description: {
        component:
          'A cloth falls over a Collider.Sphere and hangs in folds; friction keeps it from sliding off.\n\n' +
          'Drag a corner to pull it away.',
      },
    },
  },
} satisfies Meta<typeof Scene>

export default meta
type Story = StoryObj<typeof meta>

export const DrapeOverASphere: Story = { parameters: { shots: { steps: 95 } } }

export const StaysOutside: Story = {
  tags: ['!dev', '!autodocs'],
  async play() {
    const cloth = bodyOf(await run(90))
    const points = positionsOf(cloth)
    let nearest = Number.POSITIVE_INFINITY
    for (let k = 0; k < points.length; k += 3) {
      nearest = Math.min(nearest, Math.hypot(points[k]!, points[k + 1]! - RADIUS, points[k + 2]!))
    }
    // It lies on the ball, and no vertex is inside.
    await expect(nearest).toBeGreaterThan(RADIUS)
    await expect(nearest).toBeLessThan(RADIUS + 0.02)
  },
}
