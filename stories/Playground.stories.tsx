import type { ArgTypes, Meta, StoryObj } from '@storybook/react-vite'
import { expect } from 'storybook/test'
import {
  Ground,
  type PropTable,
  SoftBody,
  type SoftBodyWorldProps,
  type SolidProps,
  softBodyProps,
  worldProps,
} from '../src/index.js'
import { useBunny } from './support/bunny.js'
import { Jelly } from './support/materials.js'
import { bodyOf, run } from './support/play.js'
import { palette } from './support/themes.js'
import { StoryWorld } from './support/World.js'

type Args = Omit<SoftBodyWorldProps, 'children' | 'ref'> & Omit<SolidProps, 'tetMesh'>

/** Props that the toolbar sets, or that no control can hold. */
const withoutControl = new Set(['paused', 'tetMesh', 'updateLoop'])

/** A control and a row of documentation for each prop of a table. */
function argTypesOf(table: PropTable, category: string): Partial<ArgTypes<Args>> {
  const rows = Object.entries(table).map(([name, { type, quantity, unit, range, applies, remedy, default: value }]) => {
    const choices = [...range.matchAll(/'([\w-]+)'/g)].map(([, choice]) => choice)
    const control =
      type === 'boolean' || type === 'number' || type === 'integer' ? type.replace('integer', 'number') : 'object'
    return [
      name,
      {
        control: withoutControl.has(name) ? false : choices.length > 0 ? 'select' : control,
        ...(choices.length > 0 && { options: choices }),
        description: `${quantity}${unit === '1' ? '' : ` [${unit}]`}; ${applies}. ${remedy}`,
        table: { category, type: { summary: range }, defaultValue: { summary: JSON.stringify(value) ?? 'automatic' } },
      },
    ] as const
  })
  return Object.fromEntries(rows)
}

function splitArgs(args: Args) {
  const entries = Object.entries(args)
  return {
    world: Object.fromEntries(entries.filter(([name]) => name in worldProps)) as SoftBodyWorldProps,
    body: Object.fromEntries(entries.filter(([name]) => name in softBodyProps)) as SolidProps,
  }
}

function Scene(args: Args) {
  const { world, body } = splitArgs(args)
  const bunny = useBunny(1)
  return (
    <StoryWorld
      world={world}
      theme="dark"
      floor={4.5}
      camera={{ position: [0.4, 1, 4.2], target: [0, 0.5, 0], fov: 25 }}
    >
      <SoftBody position={[0, 0.6, 0]} rotation={[0, 0.4, 0]} {...body}>
        <mesh geometry={bunny} castShadow receiveShadow>
          <Jelly color={palette.coral} />
        </mesh>
      </SoftBody>
      <Ground />
    </StoryWorld>
  )
}

const meta = {
  title: 'Playground',
  component: Scene,
  argTypes: { ...argTypesOf(softBodyProps, 'SoftBody'), ...argTypesOf(worldProps, 'SoftBodyWorld') },
  args: { preset: 'jelly', shapeDamping: 3 },
  parameters: {
    docs: {
      description: {
        component:
          'Every prop of SoftBody and SoftBodyWorld as a control; a prop that is left alone keeps its default.\n\n' +
          'Live props act at once, others rebuild the body. A value out of range warns and the last valid one stays.',
      },
    },
  },
} satisfies Meta<typeof Scene>

export default meta
type Story = StoryObj<typeof meta>

export const Playground: Story = { parameters: { shots: { steps: 24 } } }

export const PropsReachTheEngine: Story = {
  tags: ['!dev', '!autodocs'],
  args: { preset: 'firm', mass: 12, substeps: 20, timeScale: 0.5 },
  async play({ args }) {
    const { world } = await run(60)
    const body = bodyOf(await run(0))
    await expect(body.mass).toBeCloseTo(args.mass!, 9)
    await expect(world.world.settings.timeScale).toBe(args.timeScale)
    await expect(world.stats.substeps).toBe(60 * args.substeps!)
  },
}
