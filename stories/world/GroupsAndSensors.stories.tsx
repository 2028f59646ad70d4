import type { Meta, StoryObj } from '@storybook/react-vite'
import { useMemo, useRef, useState } from 'react'
import { expect } from 'storybook/test'
import { Collider, type CollisionGroups, Ground, SoftBody } from '../../src/index.js'
import { Label } from '../support/Label.js'
import { Jelly } from '../support/materials.js'
import { bodyOf, boundsOf, run } from '../support/play.js'
import { ball } from '../support/shapes.js'
import { palette } from '../support/themes.js'
import { StoryWorld } from '../support/World.js'

const CORAL = 0b01
const AZURE = 0b10
const coral: CollisionGroups = [CORAL, 0xffffffff]
const azure: CollisionGroups = [AZURE, 0xffffffff]
/** The shelf holds what is coral; all else falls through. */
const shelf: CollisionGroups = [0xffffffff, CORAL]

const balls: readonly { x: number; color: string; groups: CollisionGroups }[] = [
  { x: -0.8, color: palette.coral, groups: coral },
  { x: 0, color: palette.azure, groups: azure },
  { x: 0.8, color: palette.coral, groups: coral },
]

/** A hoop of light that counts what goes through. */
function Gate() {
  const [inside, setInside] = useState(0)
  const count = useRef(0)
  return (
    <>
      <Collider.Box
        name="gate"
        sensor
        args={[3, 0.16, 1]}
        position={[0, 0.72, 0]}
        onContactEnter={() => {
          count.current++
          setInside((n) => n + 1)
        }}
        onContactExit={() => setInside((n) => n - 1)}
      >
        <mesh userData={{ counted: count }}>
          <boxGeometry args={[3, 0.16, 1]} />
          <meshBasicMaterial
            color={inside > 0 ? '#ffcf5c' : '#9fd8c4'}
            transparent
            opacity={inside > 0 ? 0.6 : 0.3}
            depthWrite={false}
          />
        </mesh>
      </Collider.Box>
      <Label position={[1.15, 0.12, 0.9]} width={0.9}>{`sensor: stops nothing\ninside: ${inside}`}</Label>
    </>
  )
}

function Scene() {
  const shape = useMemo(() => ball(0.26), [])
  return (
    <StoryWorld floor={7} camera={{ position: [0.4, 1.9, 6.6], target: [0, 0.85, 0], fov: 25 }}>
      {balls.map(({ x, color, groups }) => (
        <SoftBody key={x} position={[x, 2, 0]} resolution={5} density={300} collisionGroups={groups} name={color}>
          <mesh geometry={shape} castShadow receiveShadow>
            <Jelly color={color} pattern="grid" scale={9} />
          </mesh>
        </SoftBody>
      ))}
      <Collider.Box args={[3, 0.06, 1]} position={[0, 1.2, 0]} collisionGroups={shelf}>
        <mesh castShadow receiveShadow>
          <boxGeometry args={[3, 0.06, 1]} />
          <meshStandardMaterial color={palette.coral} transparent opacity={0.45} roughness={0.2} />
        </mesh>
      </Collider.Box>
      <Gate />
      <Label position={[-1.05, 0.12, 0.9]} width={0.9}>
        {'coral shelf:\nholds what is coral'}
      </Label>
      <Ground />
    </StoryWorld>
  )
}

const meta = {
  title: 'World/Groups and sensors',
  component: Scene,
  parameters: {
    docs: {
      description: {
        component:
          'The coral shelf collides with the coral group alone: collisionGroups are two masks, what one is and what one meets. ' +
          'The green gate below is a sensor: it notices what goes through, by onContactEnter and onContactExit, and pushes ' +
          'nothing.\n\nDrag a ball through the gate.',
      },
    },
  },
} satisfies Meta<typeof Scene>

export default meta
type Story = StoryObj<typeof meta>

export const GroupsAndSensors: Story = { parameters: { shots: { steps: 31 } } }

export const CoralStaysAboveTheShelf: Story = {
  tags: ['!dev', '!autodocs'],
  async play() {
    const told: string[] = []
    const start = await run(0)
    start.world.world.onContactEnter(({ otherCollider }) => told.push(`in ${otherCollider === gate}`))
    start.world.world.onContactExit(({ otherCollider }) => told.push(`out ${otherCollider === gate}`))
    const gate = start.world.world.colliders[1]!
    const hook = await run(150)
    const [left, middle, right] = balls.map((_, k) => boundsOf(bodyOf(hook, k)))
    await expect(left![1]!).toBeGreaterThan(1.2)
    await expect(right![1]!).toBeGreaterThan(1.2)
    await expect(middle![4]!).toBeLessThan(0.7)
    await expect(told.filter((what) => what.endsWith('true'))).toEqual(['in true', 'out true'])
  },
}
