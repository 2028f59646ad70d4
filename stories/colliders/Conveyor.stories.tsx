import type { Meta, StoryObj } from '@storybook/react-vite'
import { useMemo, useRef } from 'react'
import { expect } from 'storybook/test'
import type { Group } from 'three'
import { Collider, Ground, SoftBody, useBeforeStep } from '../../src/index.js'
import { Jelly, Rubber } from '../support/materials.js'
import { bodyOf, centerOf, run } from '../support/play.js'
import { roundedBox } from '../support/shapes.js'
import { palette, wood } from '../support/themes.js'
import { StoryWorld } from '../support/World.js'

const LENGTH = 3
const RADIUS = 0.12
const belts = [
  { z: -0.55, speed: 0.6, height: 0.5, color: palette.azure },
  { z: 0.55, speed: -0.6, height: 0.5, color: palette.coral },
]

/** A belt of boxes and rollers that turn as fast as it runs. */
function Belt({ z, speed, height }: { z: number; speed: number; height: number }) {
  const rollers = useRef<Group>(null)
  useBeforeStep(({ time }) => {
    for (const roller of rollers.current!.children) roller.rotation.z = (-speed * time) / RADIUS
  })
  return (
    <group position={[0, height, z]}>
      <Collider.Box args={[LENGTH, 2 * RADIUS, 0.7]} surfaceVelocity={[speed, 0, 0]} friction={0.9}>
        <mesh castShadow receiveShadow>
          <boxGeometry args={[LENGTH, 2 * RADIUS, 0.62]} />
          <Rubber color="#5d6470" />
        </mesh>
      </Collider.Box>
      {[-1.2, 1.2].map((x) => (
        <mesh key={x} position={[x, -height / 2, 0]} castShadow>
          <boxGeometry args={[0.08, height, 0.5]} />
          <Rubber color={wood} />
        </mesh>
      ))}
      <group ref={rollers}>
        {[-1, 1].map((side) => (
          <group key={side} position-x={(side * LENGTH) / 2}>
            <mesh rotation-x={Math.PI / 2} castShadow>
              <cylinderGeometry args={[RADIUS, RADIUS, 0.7, 24]} />
              <Rubber color={wood} />
            </mesh>
            <mesh castShadow>
              <boxGeometry args={[2.2 * RADIUS, 0.05, 0.71]} />
              <Rubber color="#8a6a44" />
            </mesh>
          </group>
        ))}
      </group>
    </group>
  )
}

function Scene() {
  const box = useMemo(() => roundedBox(0.34, 0.06), [])
  return (
    <StoryWorld floor={6} camera={{ position: [-1.9, 2.7, 5.4], target: [0, 0.4, 0.05], fov: 25 }}>
      {belts.map((belt) => (
        <Belt key={belt.z} {...belt} />
      ))}
      {belts.map(({ z, speed, height, color }) => (
        <SoftBody
          key={z}
          position={[-Math.sign(speed) * 0.95, height + RADIUS + 0.25, z]}
          resolution={4}
          preset="firm"
          friction={0.9}
        >
          <mesh geometry={box} castShadow receiveShadow>
            <Jelly color={color} pattern="grid" scale={6} />
          </mesh>
        </SoftBody>
      ))}
      <Ground />
    </StoryWorld>
  )
}

const meta = {
  title: 'Colliders/Conveyor',
  component: Scene,
  parameters: {
    docs: {
      description: {
        component:
          'surfaceVelocity makes a belt of any collider: the shape stays, its surface runs, and friction takes along what ' +
          'lies on it.\n\nIt is in the frame of the collider and may change in any frame.',
      },
    },
  },
} satisfies Meta<typeof Scene>

export default meta
type Story = StoryObj<typeof meta>

export const Conveyor: Story = { parameters: { shots: { steps: 80 } } }

export const CarriesAtItsSpeed: Story = {
  tags: ['!dev', '!autodocs'],
  async play() {
    const hook = await run(60)
    const before = belts.map((_, k) => centerOf(bodyOf(hook, k))[0])
    await run(60)
    for (const [k, { speed }] of belts.entries()) {
      await expect(centerOf(bodyOf(hook, k))[0] - before[k]!).toBeGreaterThan(speed - 0.02)
      await expect(centerOf(bodyOf(hook, k))[0] - before[k]!).toBeLessThan(speed + 0.02)
    }
  },
}
