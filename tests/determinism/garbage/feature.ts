// Runs by itself in a fresh Node process, `node --expose-gc ... names`: what features in one world do to the heap, as JSON.

import { wave } from '../../../scenes/index.js'
import { plane, World } from '../../../src/headless.js'
import { features } from './features.js'
import { PERIOD, watch } from './watch.js'

const world = new World({ substeps: 4 })
world.addCollider(plane(), { name: 'ground' })
// Read from a table, so that the engine's calls are all that could allocate here.
const swing = Float64Array.from({ length: PERIOD }, (_, k) => wave(k / PERIOD))
// So far apart that what rolls away from one gets to no other.
const drives = process.argv.slice(2).map((name, k) => features[name]!(world, [30 * k, 0, 0], swing))
world.onBeforeStep(({ stepIndex }) => {
  for (const drive of drives) drive(stepIndex % PERIOD)
})
const { timeStep } = world.settings
await watch(() => void world.advance(timeStep), 20)
