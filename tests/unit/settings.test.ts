import { describe, expect, it } from 'vitest'
import {
  attractorSettings,
  type BodySettings,
  bodySettings,
  clothArgs,
  clothModel,
  colliderSettings,
  jointSettings,
  plane,
  SettingError,
  type SettingSpec,
  springSettings,
  World,
  windSettings,
  worldSettings,
} from '../../src/headless.js'
import { cube } from '../support/lattice.js'
import { particle } from '../support/laws.js'

const solid = cube(0.5, 1)
/** A cloth takes every setting of a body that has a range. */
const { model: sheet } = clothModel({ width: 1, height: 1, segmentsX: 1, segmentsY: 1 })

/** Where settings are given: what they are called there, and every way to give one. */
interface Place {
  name: string
  component: string
  table: Record<string, SettingSpec>
  give: Record<string, (settings: Record<string, unknown>) => unknown>
}

const places: Place[] = [
  {
    name: 'World',
    component: 'SoftBodyWorld',
    table: worldSettings,
    give: {
      new: (settings) => new World(settings),
      set: (settings) => new World().set(settings),
    },
  },
  {
    name: 'Body',
    component: 'Body',
    table: bodySettings,
    give: {
      addBody: (settings) => new World().addBody(sheet, settings),
      set: (settings) => new World().addBody(sheet).set(settings),
    },
  },
  {
    name: 'Collider',
    component: 'Collider',
    table: colliderSettings,
    give: { addCollider: (settings) => new World().addCollider(plane(), settings) },
  },
  {
    name: 'Wind',
    component: 'Wind',
    table: windSettings,
    give: {
      addWind: (settings) => new World().addWind(settings),
      set: (settings) => new World().addWind().set(settings),
    },
  },
  {
    name: 'Joint',
    component: 'Body',
    table: jointSettings,
    give: {
      join: (settings) => new World().addBody(solid).join(null, settings),
      set: (settings) => new World().addBody(solid).join(null)!.set(settings),
    },
  },
  {
    name: 'Spring',
    component: 'Body',
    table: springSettings,
    give: {
      spring: (settings) => new World().addBody(solid).spring(null, settings),
      set: (settings) => new World().addBody(solid).spring(null)!.set(settings),
    },
  },
  {
    name: 'Attractor',
    component: 'Attractor',
    table: attractorSettings,
    give: {
      addAttractor: (settings) => new World().addAttractor(settings),
      set: (settings) => new World().addAttractor().set(settings),
    },
  },
  {
    name: 'Cloth',
    component: 'Cloth',
    table: clothArgs,
    give: {
      clothModel: (settings) => clothModel({ width: 1, height: 1, segmentsX: 2, segmentsY: 2, ...settings }),
    },
  },
]

type Named = Exclude<SettingSpec['type'], 'number' | 'integer'>

const wrong: Record<Named, unknown[]> = {
  boolean: [0, 'true', null, Number.NaN],
  string: [5, null, true],
  vec3: [[1, 2], [1, 2, 3, 4], [1, Number.NaN, 3], [1, 2, Number.POSITIVE_INFINITY], ['1', 2, 3], 5, null, 'up'],
  groups: [1, null, 'all', [1], [1, 2, 3], [-1, 1], [1, 4294967296], [1, 0.5], [Number.NaN, 1]],
  quat: [[0, 0, 0, 0], [0, 0, 0, 2], [0, 0, 1], [0, 0, 0, Number.NaN], null, 1],
}

const right: Record<Named, unknown[]> = {
  boolean: [true, false],
  string: ['', 'Any text'],
  vec3: [[0, 0, 0], Float32Array.of(1, 2, 3)],
  groups: [
    [0, 0],
    [1, 0xffffffff],
  ],
  quat: [
    [0, 0, 0, 1],
    [0.5, -0.5, 0.5, 0.5],
    [0, 0, 0, 1.0005],
  ],
}

function invalid({ type, min, max, minExclusive }: SettingSpec): unknown[] {
  if (type !== 'number' && type !== 'integer') return wrong[type]
  return [
    Number.NaN,
    'much',
    null,
    true,
    [1],
    ...(min === undefined ? [] : [min - 1, Number.NEGATIVE_INFINITY]),
    ...(max === undefined || max === Number.POSITIVE_INFINITY ? [] : [max * 1.001 + 1, Number.POSITIVE_INFINITY]),
    ...(minExclusive ? [min] : []),
    ...(min !== undefined && min > 0 ? [min / 2, 0] : []),
    ...(type === 'integer' ? [1.5] : []),
  ]
}

function valid({ type, min, max, minExclusive, ...spec }: SettingSpec): unknown[] {
  const given = [spec.default, undefined]
  if (type === 'vec3' && max !== undefined) given.push([-max, max, 1])
  if (type !== 'number' && type !== 'integer') return [...given, ...right[type]]
  const least = min === undefined ? [] : [minExclusive ? min + 1e-9 : min]
  const most = max === undefined ? [] : [max]
  return [...given, ...least, ...most]
}

/** The error that a call throws; fails where it throws none, or another. */
function errorOf(call: () => unknown): SettingError {
  try {
    call()
  } catch (error) {
    if (error instanceof SettingError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

for (const { name, component, table, give } of places) {
  describe(`settings of ${name}`, () => {
    for (const [prop, spec] of Object.entries(table)) {
      for (const [way, call] of Object.entries(give)) {
        it(`${prop} by ${way}: what is outside throws, naming component, prop, value and remedy`, () => {
          for (const value of invalid(spec)) {
            const error = errorOf(() => call({ [prop]: value }))
            // Where the name itself is wrong there is none to call the component by.
            const called = prop === 'name' ? error.component : component
            expect(error.component).toBe(called)
            expect(error.prop).toBe(prop)
            expect(error.value).toBe(value)
            expect(error.remedy).toBe(spec.remedy)
            expect(error.name).toBe('SettingError')
            expect(Object.keys(error)).not.toContain('value') // a console would print all of a model
            for (const part of [`<${called}> ${prop}={`, spec.remedy]) expect(error.message).toContain(part)
          }
        })

        it(`${prop} by ${way}: the default and the edges of the range are accepted`, () => {
          for (const value of valid(spec)) {
            if (value === undefined && name === 'Cloth') continue // all are needed
            expect(() => call({ [prop]: value }), String(value)).not.toThrow()
          }
        })
      }

      it(`${prop} says what it measures, in which unit, and what to do`, () => {
        for (const text of [spec.quantity, spec.unit, spec.remedy]) expect(text.length).toBeGreaterThan(0)
      })
    }

    it('an unknown one throws and lists the known', () => {
      for (const call of Object.values(give)) {
        const error = errorOf(() => call({ gravitas: 1 }))
        expect([error.component, error.prop, error.value]).toEqual([component, 'gravitas', 1])
        for (const prop of Object.keys(table)) expect(error.remedy).toContain(prop)
      }
    })
  })
}

describe('a setting that fails', () => {
  it('changes nothing, neither itself nor its companions', () => {
    const world = new World()
    expect(() => world.set({ substeps: 20, timeStep: -1 })).toThrow(SettingError)
    expect(world.settings.substeps).toBe(10)
    const body = world.addBody(particle())
    expect(() => body.set({ friction: 1, damping: Number.NaN })).toThrow(SettingError)
    expect([body.settings.friction, body.settings.damping]).toEqual([0.5, 0])
    expect(() => world.addBody(particle(), { mass: 0 })).toThrow(SettingError)
    expect(world.bodies.length).toBe(1)
  })

  it('names the body that it was given to', () => {
    expect(errorOf(() => new World().addBody(particle(), { name: 'Teapot', friction: -1 })).message).toBe(
      '<Teapot> friction={-1}: must be between 0 and 10. Use 0 for ice, 0.5 for rubber on wood.',
    )
    expect(errorOf(() => new World().addCollider(plane(), { name: 'Floor', friction: -1 })).component).toBe('Floor')
  })
})

describe('elastic', () => {
  const give = (elastic: unknown) => () => new World().addBody(solid, { elastic: elastic as BodySettings['elastic'] })

  it('takes one stiffness a set, or false', () => {
    for (const edges of [{ compliance: 0 }, { compliance: 1e-3 }, { modulus: 1e5 }, false])
      expect(give({ edges })).not.toThrow()
    expect(give({ shape: { rate: 10 } })).not.toThrow()
    expect(give({})).not.toThrow()
  })

  it('throws for anything else, naming the set', () => {
    const bad: [unknown, string][] = [
      [{ springs: { modulus: 1 } }, 'elastic.springs'],
      [{ edges: {} }, 'elastic.edges'],
      [{ edges: { modulus: 1, compliance: 1 } }, 'elastic.edges'],
      [{ edges: { stiffness: 1 } }, 'elastic.edges'],
      [{ edges: null }, 'elastic.edges'],
      [{ edges: true }, 'elastic.edges'],
      [{ edges: { modulus: 0 } }, 'elastic.edges.modulus'],
      [{ edges: { modulus: -1 } }, 'elastic.edges.modulus'],
      [{ edges: { compliance: -1 } }, 'elastic.edges.compliance'],
      [{ edges: { compliance: Number.NaN } }, 'elastic.edges.compliance'],
      [{ shape: { rate: 0 } }, 'elastic.shape.rate'],
      [{ volumes: { modulus: '5' } }, 'elastic.volumes.modulus'],
    ]
    for (const [elastic, prop] of bad) {
      const error = errorOf(give(elastic))
      expect([error.component, error.prop]).toEqual(['Body', prop])
      expect(error.remedy.length).toBeGreaterThan(0)
    }
  })
})

describe('calls of a body', () => {
  const body = () => new World().addBody(solid)
  it('refuse what is not finite, or not there', () => {
    const bad = [Number.NaN, 0, 0] as const
    expect(() => body().applyImpulse(bad)).toThrow(SettingError)
    expect(() => body().addForce(bad)).toThrow(SettingError)
    expect(() => body().setVelocity(bad)).toThrow(SettingError)
    expect(() => body().setVelocity([0, 0, 0], bad)).toThrow(SettingError)
    expect(() => body().teleport(bad)).toThrow(SettingError)
    expect(() => body().teleport([0, 0, 0], [0, 0, 0, 0])).toThrow(SettingError)
    for (const i of [-1, 1.5, solid.particleCount, Number.NaN]) {
      expect(() => body().pin([i])).toThrow(SettingError)
      expect(() => body().unpin([i])).toThrow(SettingError)
    }
    const region = { particles: Uint32Array.of(0), weights: Float64Array.of(1) }
    for (const options of [
      { compliance: -1 },
      { damping: -1 },
      { maxForce: -1 },
      { maxForce: Number.NaN },
      { target: bad },
    ]) {
      expect(() => body().attach(region, options)).toThrow(SettingError)
    }
    expect(() => body().attach({ particles: Uint32Array.of(), weights: Float64Array.of() })).toThrow(SettingError)
    expect(() =>
      body().attach({ particles: Uint32Array.of(solid.particleCount), weights: Float64Array.of(1) }),
    ).toThrow(SettingError)
  })
})
