import type { Meta, StoryObj } from '@storybook/react-vite'
import { useEffect, useMemo, useRef } from 'react'
import { expect } from 'storybook/test'
import { DoubleSide, PlaneGeometry } from 'three'
import { Collider, Ground, SoftBody, type SoftBodyRef } from '../../src/index.js'
import { Balloon, Rubber } from '../support/materials.js'
import { bodyOf, positionsOf, run } from '../support/play.js'
import { ball } from '../support/shapes.js'
import { palette, wood } from '../support/themes.js'
import { StoryWorld } from '../support/World.js'

const SPEED = 30
const balls = [
  { height: 0.5, color: palette.coral },
  { height: 0.95, color: palette.butter },
  { height: 1.4, color: palette.azure },
]

function Shot({ height, color }: { height: number; color: string }) {
  const ref = useRef<SoftBodyRef>(null)
  const shape = useMemo(() => ball(0.17), [])
  useEffect(() => ref.current?.setVelocity([SPEED, 0, 0]), [])
  return (
    <SoftBody
      ref={ref}
      position={[-2.2, height, 0]}
      resolution={5}
      youngsModulus={1e6}
      restitution={0.5}
      shapeDamping={8}
    >
      <mesh geometry={shape} castShadow receiveShadow>
        <Balloon color={color} pattern="bands" scale={6} ink="#fff6e6" />
      </mesh>
    </SoftBody>
  )
}

function Scene() {
  const pane = useMemo(() => new PlaneGeometry(1.4, 1.7, 6, 6).rotateY(-Math.PI / 2), [])
  return (
    <StoryWorld
      floor={6}
      camera={{ position: [-2.4, 1.5, 5.6], target: [0.15, 0.9, 0], fov: 22 }}
      world={{ timeScale: 0.1 }}
    >
      <Collider.Mesh geometry={pane} position={[0.6, 0.95, 0]}>
        <mesh geometry={pane} receiveShadow>
          <meshPhysicalMaterial color="#bcd9e8" transparent opacity={0.45} roughness={0.1} side={DoubleSide} />
        </mesh>
      </Collider.Mesh>
      {[-1, 1].map((side) => (
        <mesh key={side} position={[0.6, 0.9, side * 0.74]} castShadow>
          <boxGeometry args={[0.08, 1.8, 0.08]} />
          <Rubber color={wood} />
        </mesh>
      ))}
      {balls.map((shot) => (
        <Shot key={shot.height} {...shot} />
      ))}
      <Ground />
    </StoryWorld>
  )
}

const meta = {
  title: 'Colliders/Fast ball',
  component: Scene,
  parameters: {
    docs: {
      description: {
        component:
          'Balls of 30 m/s, half a metre a step, against a pane that has no thickness: a mesh of one sheet. None passes. ' +
          'Shown ten times slower.\n\nThe way of each particle is followed from where the last one ended, so that there is ' +
          'nothing to slip through, however fast.',
      },
    },
  },
} satisfies Meta<typeof Scene>

export default meta
type Story = StoryObj<typeof meta>

export const FastBall: Story = { parameters: { shots: { steps: 6 } } }

export const NonePasses: Story = {
  tags: ['!dev', '!autodocs'],
  async play() {
    const hook = await run(1)
    let nearest = Number.NEGATIVE_INFINITY
    for (let k = 0; k < 20; k++) {
      hook.world.step()
      for (const b of balls.keys()) {
        const x = positionsOf(bodyOf(hook, b))
        for (let p = 0; p < x.length; p += 3) nearest = Math.max(nearest, x[p]!)
      }
    }
    // They have reached the pane, none is beyond, and all are on their way back.
    await expect(nearest).toBeGreaterThan(0.5)
    await expect(nearest).toBeLessThan(0.6)
    for (const b of balls.keys()) await expect(bodyOf(hook, b).velocity([0, 0, 0])[0]).toBeLessThan(-5)
  },
}
