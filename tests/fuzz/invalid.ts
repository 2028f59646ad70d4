import {
  bodySettings,
  clothModel,
  colliderSettings,
  type Model,
  SettingError,
  type SettingSpec,
  sphere,
  tetMeshModel,
  World,
  worldSettings,
} from '../../src/headless.js'
import { Random } from '../support/draw.js'
import { boxLattice } from '../support/lattice.js'

const models: readonly Model[] = [
  tetMeshModel(boxLattice([1, 1, 1], [1, 1, 1])).model,
  clothModel({ width: 1, height: 1, segmentsX: 2, segmentsY: 2 }).model,
]

/** Sets one prop outside its range; throws unless the engine refused it, by its name, and nothing has changed. */
export function playInvalid(seed: number): void {
  const random = new Random(seed)
  const world = new World()
  const model = models[random.integer(0, models.length - 1)]!
  const body = world.addBody(model)
  const set = model.sets[random.integer(0, model.sets.length - 1)]!
  const { prop: elasticProp, value: elasticValue } = pick(random, set.kind.parameters)
  const way = set.kind.ways.find((one) => one.includes(elasticProp))!
  const elastic = Object.fromEntries(
    way.map((key) => [key, key === elasticProp ? elasticValue : set.kind.parameters[key]!.default]),
  ) as Record<string, number>
  const ways: readonly (() => [prop: string, act: () => unknown])[] = [
    () => from(random, worldSettings, (bad) => new World(bad)),
    () => from(random, worldSettings, (bad) => world.set(bad)),
    () => from(random, bodySettings, (bad) => world.addBody(model, bad)),
    () => from(random, bodySettings, (bad) => body.set(bad)),
    () => from(random, colliderSettings, (bad) => world.addCollider(sphere(1), bad)),
    () => [`elastic.${set.name}.${elasticProp}`, () => body.set({ elastic: { [set.name]: elastic } })],
    () => ['elastic.nothing', () => body.set({ elastic: { nothing: false } })],
    () => ['nothing', () => world.set({ nothing: 1 } as never)],
    () => {
      const bad = outside(random, bodySettings.position)
      return ['position', () => body.teleport(bad as never)]
    },
  ]
  const [prop, act] = ways[random.integer(0, ways.length - 1)]!()
  const before = JSON.stringify(world.snapshot())
  let thrown: unknown
  try {
    act()
  } catch (error) {
    thrown = error
  }
  if (!(thrown instanceof SettingError) || thrown.prop !== prop || !thrown.message.includes(prop)) {
    throw new Error(`fuzz seed ${seed} (invalid ${prop}): ${thrown instanceof Error ? thrown.message : 'was taken'}`)
  }
  if (JSON.stringify(world.snapshot()) !== before) throw new Error(`fuzz seed ${seed} (invalid ${prop}): left a trace`)
}

function from(
  random: Random,
  table: Readonly<Record<string, SettingSpec>>,
  act: (bad: object) => unknown,
): [string, () => unknown] {
  const { prop, value } = pick(random, table)
  return [prop, () => act({ [prop]: value })]
}

function pick(random: Random, table: Readonly<Record<string, SettingSpec>>): { prop: string; value: unknown } {
  const props = Object.keys(table)
  const prop = props[random.integer(0, props.length - 1)]!
  return { prop, value: outside(random, table[prop]!) }
}

/** A value that the spec does not allow. */
function outside(random: Random, spec: SettingSpec): unknown {
  const wrong: unknown[] = [Number.NaN, null, {}]
  const { min, max } = spec
  switch (spec.type) {
    case 'number':
    case 'integer':
      wrong.push('1', [1], true)
      if (min !== undefined) wrong.push(min - random.scale(1e-3, 1e6), Number.NEGATIVE_INFINITY)
      if (spec.minExclusive) wrong.push(min)
      if (max !== undefined && max < Number.POSITIVE_INFINITY) {
        wrong.push(max + max * random.scale(1e-6, 1e3), Number.POSITIVE_INFINITY)
      }
      if (spec.type === 'integer') wrong.push(min! + 0.5)
      break
    case 'boolean':
      wrong.push(0, 1, 'true')
      break
    case 'string':
      wrong.push(7, ['name'])
      break
    case 'vec3':
      wrong.push([0, 1], [0, Number.NaN, 0], [0, 0, 0, 0], 1, '0,0,0')
      if (max !== undefined) wrong.push([0, -2 * max, 0])
      break
    case 'groups':
      wrong.push(1, [1], [1, 2, 3], [-1, 1], [1, 2 ** 32], [1, 0.5], [1, Number.NaN])
      break
    case 'quat':
      wrong.push([0, 0, 0, 0], [0, 0, 0], [0, 0, 0, 2], [Number.NaN, 0, 0, 1])
  }
  return wrong[random.integer(0, wrong.length - 1)]
}
