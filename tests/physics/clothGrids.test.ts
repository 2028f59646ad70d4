import { describe, expect, it } from 'vitest'
import { box, clothModel, type Quat, World } from '../../src/headless.js'
import { Random } from '../support/draw.js'
import { expectHealthy, positionsOf, run } from '../support/laws.js'
import { long } from '../support/long.js'

const onItsBack: Quat = [-Math.SQRT1_2, 0, 0, Math.SQRT1_2]
const square = (grid: number) => clothModel({ width: 1, height: 1, segmentsX: grid, segmentsY: grid }).model

/** How far the values of several grids lie apart, as a part of that on the finest. */
const spread = (values: readonly number[]) => (Math.max(...values) - Math.min(...values)) / values.at(-1)!

interface Material {
  /** [N/m] */
  readonly stretch: number
  /** [kg/m^2] */
  readonly density: number
}

const settingsOf = ({ stretch, density }: Material) => ({
  density,
  elastic: { membrane: { stretchModulus: stretch, shearModulus: stretch / 10 } },
})

/** The points of a grid that are so near to a corner, along its two sides together [m]. */
const cornersOf = (grid: number, near: number): number[] => {
  const fromSide = (k: number) => Math.min(k, grid - k) / grid
  const points = Array.from({ length: (grid + 1) ** 2 }, (_, point) => point)
  return points.filter((k) => fromSide(k % (grid + 1)) + fromSide(Math.floor(k / (grid + 1))) <= near + 1e-9)
}

/** How deep its centre lies that is held level by its four corners, and what is `near` to them, at their own distance [m]. */
function sagOf(grid: number, material: Material, near = 0): number {
  const world = new World()
  const body = world.addBody(square(grid), { damping: 3, rotation: onItsBack, ...settingsOf(material) })
  body.pin(cornersOf(grid, near))
  run(world, 4)
  expectHealthy(world)
  return -body.bounds(new Float64Array(6))[1]!
}

/**
 * How deep the cloth lies below the top of a box of 0.4 m over which it is laid, turned anyhow by a few degrees: the mean of
 * all of it, by mass [m].
 */
function drapeOf(grid: number, material: Material, seed: number): number {
  const random = new Random(seed)
  const half = 0.2
  const turn = random.uniform(-0.05, 0.05)
  const world = new World()
  world.addCollider(box([half, half, half]), { friction: 1, rotation: [0, Math.sin(turn), 0, Math.cos(turn)] })
  const body = world.addBody(square(grid), {
    position: [random.uniform(-0.01, 0.01), half + 0.03, random.uniform(-0.01, 0.01)],
    rotation: onItsBack,
    damping: 3,
    friction: 1,
    thickness: 0.005,
    ...settingsOf(material),
  })
  run(world, 3)
  expectHealthy(world)
  const x = positionsOf(body)
  return body.model.massShares.reduce((sum, share, i) => sum + share * (half - x[i * 3 + 1]!), 0)
}

describe('one square of cloth, level between its corners, of which a twelfth of its width is held, sags as deep', () => {
  for (const [stretch, density] of [
    [10000, 0.2],
    ...long([2000, 0.05], [1000, 0.2], [500, 0.2], [10000, 1]),
  ] as const) {
    it(`at 12, 24 and 48 cells, ${stretch} N/m, ${density} kg/m^2: within 5%`, () => {
      expect(spread([12, 24, 48].map((grid) => sagOf(grid, { stretch, density }, 1 / 12)))).toBeLessThan(0.05)
    })
  }
})

/**
 * Ten substeps resolve what hangs from single points up to a stretch modulus of 10,000 m^2/s^2 times the density. Beyond
 * that one sweep leaves a corner too long, finer grids by more; and the more cells, the more a point gives way, without end.
 */
describe('one square of cloth, level between its four corners, sags as deep at three grids', () => {
  for (const [stretch, density, within] of [[500, 0.2, 0.05], ...long([10000, 1, 0.05], [10000, 0.2, 0.1])] as const) {
    it(`${stretch} N/m, ${density} kg/m^2: within ${100 * within}%`, () => {
      expect(spread([12, 24, 48].map((grid) => sagOf(grid, { stretch, density })))).toBeLessThan(within)
    })
  }
})

/**
 * What the four flaps do at the corners of a box has several ends, in which the lowest point differs by 8 cm at one grid. All
 * of them have nearly the same energy, which is what a cloth seeks: that is told by the mean depth. Nor may edges of the box
 * lie exactly along rows of points, where a symmetric fall stays on the ridge between two ends.
 */
describe('one square of cloth, laid over a box, lies as deep at three grids', () => {
  const SEEDS = [1, 2]
  const GRIDS = [10, 20, 40]
  for (const [stretch, density] of [[2000, 0.05], ...long([10000, 0.2])] as const) {
    it(`${stretch} N/m, ${density} kg/m^2, ${GRIDS.join(', ')} cells, mean of seeds ${SEEDS.join(', ')}: within 5%`, () => {
      const depths = GRIDS.map((grid) =>
        SEEDS.reduce((sum, seed) => sum + drapeOf(grid, { stretch, density }, seed) / SEEDS.length, 0),
      )
      expect(spread(depths)).toBeLessThan(0.05)
    })
  }
})
