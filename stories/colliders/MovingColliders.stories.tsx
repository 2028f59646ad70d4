import type { Meta, StoryObj } from '@storybook/react-vite'
import { useMemo, useRef } from 'react'
import { expect } from 'storybook/test'
import type { Group } from 'three'
import { type Body, Collider, Ground, SoftBody, useBeforeStep } from '../../src/index.js'
import { Jelly, Rubber } from '../support/materials.js'
import { bodyOf, boundsOf, positionsOf, run } from '../support/play.js'
import { ball } from '../support/shapes.js'
import { palette, wood } from '../support/themes.js'
import { StoryWorld } from '../support/World.js'

/** Half the gap between the plates, open and closed [m], and the time of one press [s]. */
const OPEN = 0.62
const CLOSED = 0.26
const PERIOD = 4

/** `side` is -1 for the left plate and 1 for the right one. */
function Plate({ side }: { side: number }) {
  const group = useRef<Group>(null)
  useBeforeStep(({ time }) => {
    const share = 0.5 - 0.5 * Math.cos((2 * Math.PI * time) / PERIOD)
    const gap = OPEN + (CLOSED - OPEN) * share
    group.current?.position.setX(side * (gap + 0.05))
  })
  return (
    <Collider.Box ref={group} args={[0.1, 0.9, 0.8]} position={[side * (OPEN + 0.05), 0.46, 0]} friction={0.9}>
      <mesh castShadow receiveShadow>
        <boxGeometry args={[0.1, 0.9, 0.8]} />
        <Rubber color={wood} />
      </mesh>
    </Collider.Box>
  )
}

function Scene() {
  const shape = useMemo(() => ball(0.5), [])
  return (
    <StoryWorld floor={5} camera={{ position: [-0.75, 1.15, 4.4], target: [0, 0.48, 0], fov: 21 }}>
      <Plate side={-1} />
      <Plate side={1} />
      <SoftBody position={[0, 0.52, 0]} shapeDamping={4}>
        <mesh geometry={shape} castShadow receiveShadow>
          <Jelly color={palette.coral} pattern="grid" scale={7} />
        </mesh>
      </SoftBody>
      <Ground />
    </StoryWorld>
  )
}

const meta = {
  title: 'Colliders/Moving colliders',
  component: Scene,
  parameters: {
    docs: {
      description: {
        component:
          'A collider follows its Object3D. Two plates press a ball of jelly: it keeps its volume and bulges.\n\n' +
          'They are moved in useBeforeStep as a function of world.time, so that every run is the same.',
      },
    },
  },
} satisfies Meta<typeof Scene>

export default meta
type Story = StoryObj<typeof meta>

export const MovingColliders: Story = { parameters: { shots: { steps: 104 } } }

/** Width of the jelly between the plates [m], without what bulges out beside them. */
function widthBetween(body: Body): number {
  const points = positionsOf(body)
  let most = 0
  for (let k = 0; k < points.length; k += 3) {
    const between = Math.abs(points[k + 1]! - 0.5) < 0.3 && Math.abs(points[k + 2]!) < 0.3
    if (between) most = Math.max(most, Math.abs(points[k]!))
  }
  return 2 * most
}

export const PlatesSquash: Story = {
  tags: ['!dev', '!autodocs', 'long'],
  async play() {
    const hook = await run(2)
    const jelly = bodyOf(hook)
    const volume = jelly.volume()
    const [, , back, , , front] = boundsOf(jelly)
    await run(120)
    // As narrow as the gap between the plates, and wider across: what is pressed together goes elsewhere.
    const narrow = widthBetween(jelly)
    await expect(narrow).toBeGreaterThan(2 * CLOSED - 0.02)
    await expect(narrow).toBeLessThan(2 * CLOSED + 0.02)
    const [, , farther, , , nearer] = boundsOf(jelly)
    await expect(nearer! - farther!).toBeGreaterThan(1.1 * (front! - back!))
    await expect(Math.abs(jelly.volume() / volume - 1)).toBeLessThan(0.1)
    await run(120)
    await expect(widthBetween(jelly)).toBeGreaterThan(0.85)
  },
}
