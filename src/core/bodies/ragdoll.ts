import { shapeMatching, span } from '../constraints/index.js'
import { turn } from '../math/elementary.js'
import { type Embedding, embed } from '../mesh/embed.js'
import { createSkin, type Skin } from '../mesh/skin.js'
import { runToEnd } from '../mesh/slices.js'
import { weld } from '../mesh/weld.js'
import { type Model, ModelBuilder } from '../model.js'
import { type SettingTable, validateSettings } from '../validation.js'
import type { Vec3 } from '../vectors.js'
import { type FigureJoint, figureJoints, type Limb, limbNames, limbShapes } from './figure.js'
import { type Capsule, capsuleMesh, lengthOf, minus, scaled } from './limb.js'
import { type Part, partOf, pointOf } from './matter.js'

export interface RagdollOptions {
  /** From the floor to the top of the head, 1e-6 to 400 [m]. */
  height: number
  /** Points around each limb that is drawn. */
  sides: number
}

export const ragdollSettings: SettingTable<RagdollOptions> = {
  height: {
    quantity: 'length',
    unit: 'm',
    type: 'number',
    default: 1.75,
    // Its mass goes with the cube: beyond 4e-7 to 420 m no body could have it.
    min: 1e-6,
    max: 400,
    remedy: 'Use 1.75 for a grown-up, 0.4 for a doll.',
  },
  sides: {
    quantity: 'count',
    unit: '1',
    type: 'integer',
    default: 20,
    min: 4,
    max: 64,
    remedy: 'Use 20; 8 is coarse and fast.',
  },
}

export interface RagdollModel {
  readonly model: Model
  readonly skin: Skin
  /** The limbs that are drawn, one mesh. */
  readonly mesh: { readonly positions: Float64Array; readonly uvs: Float64Array; readonly index: Uint32Array }
  /** Vertices of that mesh by limb. */
  readonly limbs: Readonly<Record<Limb, readonly number[]>>
  /** Particles by limb. */
  readonly particles: Readonly<Record<Limb, readonly number[]>>
}

/** Mass of a figure of 1.75 m [kg]; others weigh as the cube of their height. */
const MASS = 70
const TALL = 1.75
/** Distance that the surface keeps, in heights: limbs are this much thinner than they are drawn. */
const THICKNESS = 0.008
/** Particles of a limb's ring. */
const SIDES = 8
/** Rings of each rounded end of a limb that is drawn. */
const ROUNDS = 5
/** Half the length of a hinge, and distance from a joint at which its limits measure, in heights. */
const HINGE = 0.05
const LEVER = 0.1

/**
 * A stick figure of human proportions, standing on y = 0 and looking along z: one body of eleven rigid limbs. Each is a
 * group for shape matching (`limbs`) of the particles of its surface and one within, which has as much of the mass as
 * makes the limb as hard to turn as a solid one. `joints` hold points of two limbs together, one of a ball, two of a
 * hinge; `limits` keep two directions, one of either limb, within an angle, as a least distance of two points (after
 * Jakobsen 2001). Points are means of all particles of a limb, so that a pull moves the whole of it within a substep.
 * @throws SettingError
 */
export function ragdollModel(options: Partial<RagdollOptions> = {}): RagdollModel {
  validateSettings('Ragdoll', options, ragdollSettings)
  const { height = 1.75, sides = 20 } = options
  const thickness = THICKNESS * height
  const tall = height / TALL
  const x: number[] = []
  const tets: number[] = []
  const triangles: number[] = []
  const weights: number[] = []
  const drawn = { positions: [] as number[], uvs: [] as number[], index: [] as number[] }
  const particles = {} as Record<Limb, number[]>
  const limbs = {} as Record<Limb, number[]>
  let volume = 0
  for (const name of limbNames) {
    const { from, to, radii, mass } = limbShapes[name]
    const capsule = {
      from: scaled(from, height),
      to: scaled(to, height),
      radii: [radii[0] * height, radii[1] * height] as const,
    }
    volume += volumeOf(capsule)
    particles[name] = addLimb(capsule, thickness, mass, { x, tets, triangles, weights })
    limbs[name] = addDrawn(capsule, sides, drawn)
  }
  const positions = Float64Array.from(x)
  const builder = new ModelBuilder(positions).weights(Float64Array.from(weights)).with({
    measure: volume,
    density: (MASS * tall * tall * tall) / volume,
    thickness,
    tets: Uint32Array.from(tets),
    triangles: Uint32Array.from(triangles),
    elastic: { limits: { compliance: 0 }, joints: { compliance: 0 }, limbs: { compliance: 0 } },
    contactParticles: Uint32Array.from(new Set(triangles)),
  })
  const parts = {} as Record<Limb, Part>
  for (const name of limbNames) parts[name] = partOf(particles[name], positions, weights)
  const pair = (joint: FigureJoint) => ({ parent: parts[joint.parent], child: parts[joint.child] })
  const rows = { limits: new Spans(positions, weights), joints: new Spans(positions, weights) }
  for (const joint of figureJoints) {
    const { parent, child } = pair(joint)
    const at = scaled(joint.at, height)
    for (const { parent: u, child: v, most } of joint.limits) {
      const lever = LEVER * height
      const [a, b] = [along(at, u, -lever), along(at, v, lever)]
      // |a - b|^2 = 2 lever^2 (1 + cos angle): least where the angle is most.
      const least = lever * Math.sqrt(2 + 2 * turn((most / 180) * 3.141592653589793)[0])
      rows.limits.add(parent, a, child, b, least, Number.POSITIVE_INFINITY)
    }
    const places = joint.axis ? [along(at, joint.axis, HINGE * height), along(at, joint.axis, -HINGE * height)] : [at]
    for (const place of places) rows.joints.add(parent, place, child, place, 0, 0)
  }
  for (const name of ['limits', 'joints'] as const) {
    const { indices, offsets, rest } = rows[name]
    builder.constrain(name, span, Uint32Array.from(indices), {
      offsets: Uint32Array.from(offsets),
      rest: Float64Array.from(rest),
    })
  }
  const groups = limbNames.map((name) => particles[name])
  builder.constrain('limbs', shapeMatching, Uint32Array.from(groups.flat()), {
    offsets: Uint32Array.from([0, ...groups.map((_, k) => groups.slice(0, k + 1).flat().length)]),
  })
  const mesh = {
    positions: Float64Array.from(drawn.positions),
    uvs: Float64Array.from(drawn.uvs),
    index: Uint32Array.from(drawn.index),
  }
  return { model: builder.build(), skin: skinOf(mesh, limbs, positions, tets, particles), mesh, limbs, particles }
}

/** Rows of `span`. */
class Spans {
  readonly indices: number[] = []
  readonly offsets: number[] = [0]
  readonly rest: number[] = []

  constructor(
    private readonly x: Float64Array,
    private readonly weights: readonly number[],
  ) {}

  add(one: Part, a: Vec3, other: Part, b: Vec3, least: number, most: number): void {
    const bounds = [least, most, one.particles.length]
    const entry = (particle: number, weight: number) => {
      this.indices.push(particle)
      this.rest.push(weight, bounds.shift() ?? 0)
    }
    pointOf(one, this.x, this.weights, a).forEach((weight, k) => entry(one.particles[k]!, weight))
    pointOf(other, this.x, this.weights, b).forEach((weight, k) => entry(other.particles[k]!, -weight))
    this.offsets.push(this.indices.length)
  }
}

function along(from: Vec3, direction: Vec3, far: number): Vec3 {
  const s = far / lengthOf(direction)
  return [from[0] + s * direction[0], from[1] + s * direction[1], from[2] + s * direction[2]]
}

/** Of a capsule whose ends are as wide as said [m^3]. */
function volumeOf({ from, to, radii: [a, b] }: Capsule): number {
  return (
    3.141592653589793 * ((lengthOf(minus(to, from)) * (a * a + a * b + b * b)) / 3 + (2 * (a * a * a + b * b * b)) / 3)
  )
}

interface Particles {
  readonly x: number[]
  readonly tets: number[]
  readonly triangles: number[]
  readonly weights: number[]
}

/** Adds the particles of a limb, its tetrahedra about the one within, and its surface; returns their numbers. */
function addLimb(capsule: Capsule, thickness: number, mass: number, to: Particles): number[] {
  const { from, to: end, radii } = capsule
  const inner = { ...capsule, radii: [radii[0] - thickness, radii[1] - thickness] as const }
  const { positions, triangles } = capsuleMesh(inner, SIDES, 1, false)
  const first = to.x.length / 3
  const count = positions.length / 3
  const center = scaled([from[0] + end[0], from[1] + end[1], from[2] + end[2]], 0.5)
  to.x.push(...positions, ...center)
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [first + triangles[t]!, first + triangles[t + 1]!, first + triangles[t + 2]!]
    to.triangles.push(a, b, c)
    to.tets.push(first + count, a, b, c)
  }
  // The inertia across of a rod with round ends, against that of its surface alone.
  const whole = lengthOf(minus(end, from)) + radii[0] + radii[1]
  const radius = (radii[0] + radii[1]) / 2
  const solid = (whole * whole) / 13 + (radius * radius) / 5
  const [axis] = [scaled(minus(end, from), 1 / lengthOf(minus(end, from)))]
  let hollow = 0
  for (let p = 0; p < positions.length; p += 3) {
    const q = minus([positions[p]!, positions[p + 1]!, positions[p + 2]!], center)
    const far = q[0] * axis[0] + q[1] * axis[1] + q[2] * axis[2]
    hollow += (far * far + (lengthOf(q) * lengthOf(q) - far * far) / 2) / count
  }
  const share = Math.min(0.75, Math.max(0.1, 1 - solid / hollow))
  for (let k = 0; k < count; k++) to.weights.push((mass * (1 - share)) / count)
  to.weights.push(mass * share)
  return Array.from({ length: count + 1 }, (_, k) => first + k)
}

/** Adds what is drawn of a limb; returns its vertices. */
function addDrawn(
  capsule: Capsule,
  sides: number,
  to: { positions: number[]; uvs: number[]; index: number[] },
): number[] {
  const first = to.positions.length / 3
  const { positions, triangles, uvs } = capsuleMesh(capsule, sides, ROUNDS, true)
  to.positions.push(...positions)
  to.uvs.push(...uvs)
  to.index.push(...triangles.map((vertex) => first + vertex))
  return Array.from({ length: positions.length / 3 }, (_, k) => first + k)
}

/** Ties each limb's vertices to its own tetrahedra: where limbs overlap at a joint, none is drawn along by the other. */
function skinOf(
  mesh: RagdollModel['mesh'],
  limbs: RagdollModel['limbs'],
  positions: Float64Array,
  tets: readonly number[],
  particles: RagdollModel['particles'],
): Skin {
  const surface = runToEnd(weld(mesh))
  const points = surface.positions.length / 3
  const all: Embedding = {
    particles: new Uint32Array(4 * points),
    weights: new Float64Array(4 * points),
    outside: new Float64Array(points),
  }
  for (const name of limbNames) {
    const own = new Set(particles[name])
    const ownTets = Uint32Array.from(tets.filter((_, k) => own.has(tets[k - (k % 4)]!)))
    const ownPoints = [...new Set(limbs[name].map((vertex) => surface.vertexToPoint[vertex]!))]
    const places = Float64Array.from(ownPoints.flatMap((p) => Array.from(surface.positions.subarray(p * 3, p * 3 + 3))))
    const { particles: ties, weights, outside } = runToEnd(embed({ positions, tets: ownTets }, places))
    ownPoints.forEach((point, k) => {
      all.outside[point] = outside[k]!
      for (let c = 0; c < 4; c++) {
        all.particles[4 * point + c] = ties[4 * k + c]!
        all.weights[4 * point + c] = weights[4 * k + c]!
      }
    })
  }
  return runToEnd(createSkin(mesh, surface, all, { creaseAngle: 60 }))
}
