// Runs by itself in a fresh Node process, `node --expose-gc ... name`: what a feature does to the heap, as JSON.

import { wave } from '../../../scenes/index.js'
import { plane, World } from '../../../src/headless.js'
import { features } from './features.js'
import { PERIOD, watch } from './watch.js'

const world = new World({ substeps: 4 })
world.addCollider(plane(), { name: 'ground' })
// Read from a table, so that the engine's calls are all that could allocate here.
const swing = Float64Array.from({ length: PERIOD }, (_, k) => wave(k / PERIOD))
const drive = features[process.argv[2]!]!(world, [0, 0, 0], swing)
world.onBeforeStep(({ stepIndex }) => drive(stepIndex % PERIOD))
const { timeStep } = world.settings
// What a strike calls runs too rarely to be compiled, and leaves two numbers. The heap counts them by the chunk that they
// are given room in, some 24 kB, which is let pass there alone.
await watch(() => void world.advance(timeStep), 20, process.argv[2] === 'strikes' ? 64 : undefined)
