import type { ThreeEvent } from '@react-three/fiber'
import type { Meta, StoryObj } from '@storybook/react-vite'
import { type RefObject, useImperativeHandle, useMemo, useRef } from 'react'
import { expect } from 'storybook/test'
import { BackSide, type Mesh, type MeshBasicMaterial } from 'three'
import {
  type Falloff,
  Ground,
  SoftBody,
  useAfterStep,
  useBeforeStep,
  useSoftBodyWorld,
  type Vec3,
} from '../../src/index.js'
import { Buttons } from '../support/Buttons.js'
import { prefersReducedMotion } from '../support/controls.js'
import { Jelly } from '../support/materials.js'
import { bodyOf, centerOf, mouseOn, run } from '../support/play.js'
import { roundedBox } from '../support/shapes.js'
import { palette } from '../support/themes.js'
import { StoryWorld } from '../support/World.js'

interface Args {
  /** What a body right there would get [N s]. */
  strength: number
  /** [m] */
  radius: number
  falloff: Falloff
  /** One blast after a second, without a press. */
  automatic: boolean
}

const SIZE = 0.36
const SPACE = 0.56
const colors = Object.values(palette)
const places = [-1, 0, 1].flatMap((i) => [-1, 0, 1].map((j): [number, number] => [i * SPACE, j * SPACE]))
/** How long the flash lasts [s]. */
const FLASH = 0.3

function Field({
  strength,
  radius,
  falloff,
  automatic,
  blast,
}: Args & { blast: RefObject<((at: Vec3, sign?: number) => void) | null> }) {
  const shape = useMemo(() => roundedBox(SIZE), [])
  const flash = useRef<Mesh>(null)
  const lit = useRef(Number.NEGATIVE_INFINITY)
  const world = useSoftBodyWorld()
  useImperativeHandle(
    blast,
    () =>
      (at, sign = 1) => {
        world.applyRadialImpulse(at, sign * strength, radius, falloff)
        flash.current?.position.set(...at)
        lit.current = world.world.time
      },
    [world, strength, radius, falloff],
  )
  useBeforeStep(({ time }, dt) => {
    if (automatic && Math.abs(time - 1) < dt / 2) blast.current?.([0.1, 0.05, 0.1])
  })
  useAfterStep(({ time }) => {
    const share = (time - lit.current) / FLASH
    if (!flash.current) return
    flash.current.visible = share >= 0 && share < 1
    flash.current.scale.setScalar(radius * (0.3 + 0.7 * share))
    ;(flash.current.material as MeshBasicMaterial).opacity = 0.5 * (1 - share)
  })
  const onPress = ({ ray }: ThreeEvent<PointerEvent>) => {
    // What the ray meets first, as it is deformed: a cube before the ground behind it.
    const hit = world.raycast(ray.origin.toArray(), ray.direction.toArray())
    if (hit) blast.current?.([...hit.point])
  }
  return (
    <>
      {places.map(([x, z], k) => (
        <SoftBody
          key={`${x} ${z}`}
          position={[x, SIZE / 2 + 0.01, z]}
          resolution={3}
          density={200}
          youngsModulus={3e4}
          shapeDamping={6}
          grabbable={false}
        >
          <mesh geometry={shape} castShadow receiveShadow>
            <Jelly color={colors[k % colors.length]} pattern="grid" scale={10} />
          </mesh>
        </SoftBody>
      ))}
      <mesh ref={flash} visible={false}>
        <sphereGeometry args={[1, 48, 24]} />
        <meshBasicMaterial color="#ffb45c" transparent depthWrite={false} side={BackSide} />
      </mesh>
      <Ground onPointerDown={onPress} size={30}>
        <meshBasicMaterial transparent opacity={0} depthWrite={false} />
      </Ground>
    </>
  )
}

function Scene(args: Args) {
  const blast = useRef<(at: Vec3, sign?: number) => void>(null)
  return (
    <div style={{ position: 'relative' }}>
      <StoryWorld floor={7} camera={{ position: [0.5, 2.3, 5.2], target: [0, 0.55, 0], fov: 27 }}>
        <Field {...args} blast={blast} />
      </StoryWorld>
      <Buttons
        actions={{
          'From below': () => blast.current?.([0, -0.2, 0]),
          'From the left': () => blast.current?.([-1.2, 0.1, 0]),
          'Draw together': () => blast.current?.([0, 0.6, 0], -1),
        }}
      />
    </div>
  )
}

const meta = {
  title: 'World/Blast',
  component: Scene,
  args: { strength: 60, radius: 2.2, falloff: 'linear', automatic: !prefersReducedMotion() },
  argTypes: {
    strength: { control: { type: 'range', min: -100, max: 150, step: 5 } },
    radius: { control: { type: 'range', min: 0.5, max: 4, step: 0.1 } },
    falloff: { control: 'inline-radio', options: ['smooth', 'linear', 'constant'] },
  },
  parameters: {
    docs: {
      description: {
        component:
          'Press anywhere. The ray of the press meets a cube or the ground, and applyRadialImpulse pushes what is around away ' +
          'from there: each particle by its mass, less the farther it is.\n\nA strength below zero draws in.',
      },
    },
  },
} satisfies Meta<typeof Scene>

export default meta
type Story = StoryObj<typeof meta>

export const Blast: Story = { parameters: { shots: { steps: 68 } } }

export const ThrowsApart: Story = {
  tags: ['!dev', '!autodocs'],
  args: { automatic: false },
  async play({ canvasElement }) {
    const hook = await run(60)
    const before = places.map((_, k) => centerOf(bodyOf(hook, k)))
    const canvas = canvasElement.querySelector('canvas')!
    // On the ground between four cubes, where no cube hides it.
    const at: Vec3 = [SPACE / 2, 0, SPACE / 2]
    mouseOn(canvas).down(hook.screenOf(at))
    await run(12)
    const distance = ([x, , z]: readonly number[]) => Math.hypot(x! - at[0], z! - at[2])
    const after = places.map((_, k) => centerOf(bodyOf(hook, k)))
    for (const [k, start] of before.entries()) {
      if (distance(start) > 1.5) continue
      await expect(distance(after[k]!)).toBeGreaterThan(distance(start) + 0.02)
    }
    // Places that mirror each other go mirrored ways.
    for (const [one, two] of [
      [1, 3],
      [2, 6],
      [5, 7],
    ] as const) {
      await expect(Math.abs(after[one]![0] - after[two]![2])).toBeLessThan(0.05)
      await expect(Math.abs(after[one]![2] - after[two]![0])).toBeLessThan(0.05)
    }
    await run(40)
  },
}
