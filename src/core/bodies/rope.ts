import { chain, curvature } from '../constraints/index.js'
import { type Skin, tubeSkin } from '../mesh/skin.js'
import { createTube, type TubeMesh, tubeMesh } from '../mesh/tube.js'
import { largestSide, type Model, ModelBuilder, sealed } from '../model.js'
import { checkGroup, SettingError, type SettingTable, validateSettings } from '../validation.js'
import type { Vec3 } from '../vectors.js'
import { evenChords, laidThrough, wayAlong } from './curve.js'

export interface RopeOptions {
  /** Places that the rope leads through at the start [m], two or more; its ends are the first and the last. */
  points: readonly Vec3[]
  /** Length at rest [m]; default that of the way. A longer rope hangs between its points, a shorter one is drawn taut. */
  length: number | undefined
  /** Straight pieces of which it is made; default as long as the rope is thick, 8 to 96. */
  segments: number | undefined
  /** [m] */
  radius: number
  /** Points around the tube that is drawn. */
  sides: number
}

export const ropeSettings: SettingTable<Omit<RopeOptions, 'points'>> = {
  length: {
    quantity: 'length at rest',
    unit: 'm',
    type: 'number',
    default: undefined,
    optional: true,
    min: 0,
    max: 1e4,
    minExclusive: true,
    remedy: 'Leave it out for the length of the way, or use metres.',
  },
  segments: {
    quantity: 'count',
    unit: '1',
    type: 'integer',
    default: undefined,
    optional: true,
    min: 1,
    max: 1024,
    remedy: 'Leave it out for pieces as long as the rope is thick, or use 24; more for tight bends.',
  },
  radius: {
    quantity: 'length',
    unit: 'm',
    type: 'number',
    default: 0.02,
    min: 0,
    max: 100,
    minExclusive: true,
    remedy: 'Use 0.02 for a rope, 0.1 for a hawser.',
  },
  sides: {
    quantity: 'count',
    unit: '1',
    type: 'integer',
    default: 10,
    min: 3,
    max: 64,
    remedy: 'Use 10; 3 is a wedge.',
  },
}

/** Where a rope leads unless told otherwise: down, a metre or as long as it is. */
const pointsDown = (length = 1): readonly Vec3[] => [
  [0, 0, 0],
  [0, -length, 0],
]
export const ropePoints = pointsDown()

export interface RopeModel {
  readonly model: Model
  readonly skin: Skin
  /** The tube that is drawn, as it lies at the start. */
  readonly mesh: TubeMesh
}

/** Rings of the tube from particle to particle: bends look round. */
const RINGS = 3
/** Pieces that a rope has unless told otherwise: as long as it is thick, in these bounds. */
const FEWEST = 8
const MOST = 96

/**
 * A rope or a rod: particles in a row that resist being stretched (`stretch`) and bent (`bend`), solved along its whole
 * length at once. It is straight at rest, whatever way it takes at the start, and has the mass of its segments at their
 * ends. A stretchStiffness S [N] is its tension over strain, a bendRigidity B [N m^2] its moment over curvature, so that
 * more segments are the same rope. Bodies and cloths meet it as a tube of its radius, colliders as a row of balls: an edge
 * gets between two of them that are farther apart than the rope is thick.
 * @throws SettingError
 */
export function ropeModel(options: Partial<RopeOptions> = {}): RopeModel {
  if (Array.isArray(options)) {
    throw new SettingError(
      'Rope',
      'settings',
      options,
      'must be an object that has the points',
      'Use ropeModel({ points }).',
    )
  }
  checkGroup('Rope', 'settings', options)
  const { points: given, ...settings } = options
  validateSettings('Rope', settings, ropeSettings)
  const points = given === undefined ? pointsDown(settings.length) : given
  checkRopePoints(points)
  const { length, radius = 0.02, sides = 10 } = settings
  const pieces = Math.round((length ?? wayAlong(points)) / (2 * radius))
  const { segments = Math.min(MOST, Math.max(FEWEST, pieces)) } = settings
  const laid = evenChords(laidThrough(points, length), segments)
  const chord = wayAlong([0, 1].map((k) => [laid[k * 3]!, laid[k * 3 + 1]!, laid[k * 3 + 2]!] as const))
  const segment = length === undefined ? chord : length / segments
  const count = segments + 1
  // Rest values are measured on a straight line: a rope has no shape of its own.
  const straight = new Float64Array(count * 3)
  for (let k = 0; k < count; k++) straight[k * 3] = k * segment
  const row = Uint32Array.from({ length: count }, (_, k) => k)
  const builder = new ModelBuilder(straight)
    .weights(Float64Array.from({ length: count }, (_, k) => (k === 0 || k === segments ? 0.5 : 1)))
    .with({
      measure: segments * segment,
      density: 0.2,
      thickness: radius,
      edges: Uint32Array.from({ length: segments * 2 }, (_, k) => (k + 1) >> 1),
      elastic: { stretch: { modulus: 1e5 }, bend: { modulus: 1e-3 } },
    })
    .constrain('stretch', chain, row, { offsets: Uint32Array.of(0, count), unitCompliance: () => segment })
    .constrain('bend', curvature, row, { offsets: Uint32Array.of(0, count), unitCompliance: () => segment })
  const model = sealed({ ...builder.build(), positions: laid, size: largestSide(laid) })
  const tube = createTube(count, radius, sides, RINGS)
  const mesh = tubeMesh(tube, laid, segment)
  return { model, skin: tubeSkin(mesh, mesh.vertexToPoint, tube), mesh }
}

/** @throws SettingError for points between which no rope can be laid */
function checkRopePoints(points: readonly Vec3[]): void {
  const problem = problemOfPoints(points)
  if (problem) throw new SettingError('Rope', 'points', points, problem, 'Use [[0, 2, 0], [2, 2, 0]].')
}

/** What is wrong with a rope's points; undefined when nothing is. */
export function problemOfPoints(points: unknown): string | undefined {
  if (!Array.isArray(points) || points.length < 2) return 'must hold two points or more'
  const isPoint = (p: unknown) => Array.isArray(p) && p.length === 3 && p.every(Number.isFinite)
  if (!points.every(isPoint)) return 'must hold points of three finite numbers'
  const way = wayAlong(points as Vec3[])
  if (!(way > 0 && way < 1e6)) return 'must lead somewhere, and not beyond 1e6 m'
  const twice = points.some((p: number[], k) => k > 0 && p.every((x, d) => x === (points[k - 1] as number[])[d]))
  return twice ? 'must not name a place twice in a row' : undefined
}
