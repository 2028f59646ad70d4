// Mistakes that someone could make, and the test that must notice each. `npm run test:mutations` makes them one by one.

/** One mistake: `find`, which stands in `file` exactly once, becomes `replace`, and `test` must then fail. */
export interface Mutation {
  readonly name: string
  /** Path in the repository. */
  readonly file: string
  readonly find: string
  readonly replace: string
  /** A test file, and a part of the full names of the tests in it of which at least one must fail. */
  readonly test: { readonly file: string; readonly name: string }
}

const kinds = (name: string) => ({ file: 'tests/conformance/kinds.test.ts', name })
const physics = (file: string, name: string) => ({ file: `tests/physics/${file}.test.ts`, name })

export const mutations: readonly Mutation[] = [
  {
    name: 'distance pushes one end the wrong way',
    file: 'src/core/constraints/distance.ts',
    find: 'x[a] = x[a]! + si * dx',
    replace: 'x[a] = x[a]! - si * dx',
    test: kinds('projects as XPBD of its own evaluate does'),
  },
  {
    name: 'distance moves a pinned particle',
    file: 'src/core/constraints/distance.ts',
    find: 'const wj = w[j]!',
    replace: 'const wj = w[j]! || 1',
    test: kinds('moves nothing that is pinned'),
  },
  {
    name: 'volume has a gradient of the wrong sign',
    file: 'src/core/constraints/volume.ts',
    find: 'const g2x = cy * az - cz * ay',
    replace: 'const g2x = cz * ay - cy * az',
    test: kinds('projects as XPBD of its own evaluate does'),
  },
  {
    name: 'volume counts in sixths',
    file: 'src/core/constraints/volume.ts',
    find: '        36\n',
    replace: '        6\n',
    test: kinds('projects as XPBD of its own evaluate does'),
  },
  {
    name: 'shape matching forgets the mass in its compliance',
    file: 'src/core/constraints/shapeMatching.ts',
    find: 'const ai = alpha * wi',
    replace: 'const ai = alpha',
    test: kinds('makes compliant moves, mass by mass'),
  },
  {
    name: 'shape matching takes the geometric centre',
    file: 'src/core/constraints/shapeMatching.ts',
    find: '    const mass = m[i]!\n    total',
    replace: '    const mass = 1\n    total',
    test: kinds('has goals that are a proper rigid placement'),
  },
  {
    name: 'a mirrored shape is matched by its largest eigenvalue, whatever the sign',
    file: 'src/core/math/rotation.ts',
    find: 'if (N[k * 5]! > N[best * 5]!) best = k',
    replace: 'if (Math.abs(N[k * 5]!) > Math.abs(N[best * 5]!)) best = k',
    test: { file: 'tests/conformance/rotation.test.ts', name: 'seeds 1 to 60' },
  },
  {
    name: 'compliance is divided by h once',
    file: 'src/core/constraints/kind.ts',
    find: 'return compliance / (h * h)',
    replace: 'return compliance / h',
    test: physics('extension', 'stays at compliance x force'),
  },
  {
    name: 'lambda survives the substep',
    file: 'src/backends/reference/step.ts',
    find: '      this.resetLambda()\n',
    replace: '',
    test: physics('extension', 'stays at compliance x force'),
  },
  {
    name: 'lambda is reset in every iteration',
    file: 'src/backends/reference/step.ts',
    find: '        this.projectConstraints(state)\n',
    replace: '        this.resetLambda()\n        this.projectConstraints(state)\n',
    test: physics('extension', 'stays at compliance x force'),
  },
  {
    name: 'velocities are not taken from positions',
    file: 'src/backends/reference/step.ts',
    find: '      updateVelocities(state, this.h)\n',
    replace: '',
    test: physics('extension', 'comes to rest at compliance x force'),
  },
  {
    name: 'contacts come before constraints',
    file: 'src/backends/reference/step.ts',
    find: '        this.projectConstraints(state)\n        this.contacts.project(state)',
    replace: '        this.contacts.project(state)\n        this.projectConstraints(state)\n',
    test: physics('friction', 'creeps under 0.1 mm/s'),
  },
  {
    name: 'gravityScale is ignored',
    file: 'src/backends/reference/step.ts',
    find: 'const scale = body.settings.gravityScale * h',
    replace: 'const scale = h',
    test: physics('fall', 'falls by its share of gravity'),
  },
  {
    name: 'forces act on after their step',
    file: 'src/backends/reference/step.ts',
    find: '        forces[p] = 0\n',
    replace: '',
    test: physics('fall', 'moves by F t^2 / (2 m) under a force'),
  },
  {
    name: 'a moved pin stops short of its target',
    file: 'src/backends/reference/step.ts',
    find: 'if (w[i] === 0) x[p] = targets[p]!',
    replace: 'if (w[i] === 0) x[p] = 0.999999 * targets[p]!',
    test: physics('attachments', 'arrive exactly at the end of the step'),
  },
  {
    name: 'the friction cone is 5% too wide',
    file: 'src/core/collision/contacts.ts',
    find: 'const hold = this.friction[pair]! * this.push[pair]',
    replace: 'const hold = 1.05 * this.friction[pair]! * this.push[pair]',
    test: physics('friction', 'sticks 0.2 degrees below atan mu'),
  },
  {
    name: 'friction takes a moving collider for a fixed one',
    file: 'src/core/collision/contacts.ts',
    find: '- before[0]! - frame[3]!',
    replace: '- before[0]!',
    test: physics('contacts', 'takes along what rubs on it'),
  },
  {
    name: 'restitution is squared',
    file: 'src/core/collision/contacts.ts',
    find: 'const gain = -e * approach - now',
    replace: 'const gain = -e * e * approach - now',
    test: physics('restitution', 'bounces to e^2 of the drop'),
  },
  {
    name: 'the first contact wins, not the deepest',
    file: 'src/core/collision/contacts.ts',
    find: 'if (d < depth) {',
    replace: 'if (deepest < 0) {',
    test: physics('contacts', 'the deepest is resolved first'),
  },
  {
    name: 'thickness is ignored',
    file: 'src/core/collision/contacts.ts',
    find: 'let depth = Math.max(this.thickness[pair]! - query[3]!, -this.push[pair]!)',
    replace: 'let depth = Math.max(-query[3]!, -this.push[pair]!)',
    test: physics('contacts', 'm off a plane, a box and a ball'),
  },
  {
    name: 'a point inside a box leaves by a farther face',
    file: 'src/core/collision/box.ts',
    find: 'const byX = overY && overZ',
    replace: 'const byX = overY',
    test: {
      file: 'tests/conformance/colliders.test.ts',
      name: 'has the distance and the normal of its nearest surface',
    },
  },
  {
    name: 'shape damping slows the whole body',
    file: 'src/core/damping.ts',
    find: 'k * (u[0]! + spin',
    replace: 'k * (spin',
    test: physics('damping', 'keeps linear and angular momentum'),
  },
  {
    name: 'shape damping takes the spin away',
    file: 'src/core/damping.ts',
    find: '  return solveInertia()\n',
    replace: '  const solved = solveInertia()\n  spin.fill(0)\n  return solved\n',
    test: physics('damping', 'keeps linear and angular momentum'),
  },
  {
    name: 'exp is cut off after three terms',
    file: 'src/core/math/elementary.ts',
    find: 'n <= 15',
    replace: 'n <= 2',
    test: physics('damping', 'slows as exp(-k t)'),
  },
  {
    name: 'an attachment pulls beyond its limit',
    file: 'src/core/attachments.ts',
    find: 'const scale = size > limit ? limit / size : 1',
    replace: 'const scale = 1',
    test: physics('attachments', 'never pulls harder than its limit'),
  },
  {
    name: 'an attachment far from its target is no softer',
    file: 'src/core/attachments.ts',
    find: 'Math.max(compliance, far / maxForce)',
    replace: 'compliance',
    test: physics('attachments', 'arrives from anywhere without shooting past'),
  },
  {
    name: 'an attachment is not damped',
    file: 'src/core/attachments.ts',
    find: 'const gamma = (Math.sqrt(softness * compliance) * damping) / h',
    replace: 'const gamma = 0',
    test: physics('attachments', 'damps at damping / (2 mass)'),
  },
  {
    name: 'cloth has the same springs at its hem as within',
    file: 'src/core/bodies/cloth.ts',
    find: 'dy / (dx * half(i, nx))',
    replace: 'dy / dx',
    test: physics('cloth', 'stretches by load x length / (modulus x width)'),
  },
  {
    name: 'the clock loses what is left of a frame',
    file: 'src/core/clock.ts',
    find: 'Math.max(0, total - steps * timeStep)',
    replace: '0',
    test: physics('clock', 'gives the same bits at every step at'),
  },
  {
    name: 'a frame shows the last step alone',
    file: 'src/core/body.ts',
    find: 'const t = interpolation[0]!',
    replace: 'const t = 1',
    test: physics('clock', 'interpolates positions between the last two steps'),
  },
  {
    name: 'a snapshot forgets the rotations',
    file: 'src/core/snapshot.ts',
    find: '    state.rotations.set(saved.rotations, body.rotationStart * 4)\n',
    replace: '',
    test: { file: 'tests/unit/snapshot.test.ts', name: 'shape matching' },
  },
  {
    name: 'two rows of a colour share a particle',
    file: 'src/core/coloring.ts',
    find: 'mask |= used[',
    replace: 'mask = used[',
    test: { file: 'tests/unit/coloring.test.ts', name: 'share no particle' },
  },
  {
    name: 'every row has a colour of its own',
    file: 'src/core/coloring.ts',
    find: 'const free = ~mask & (mask + 1)',
    replace: 'const free = row < 32 ? 1 << row : ~mask & (mask + 1)',
    test: { file: 'tests/unit/coloring.test.ts', name: 'takes no more colours than' },
  },
]
