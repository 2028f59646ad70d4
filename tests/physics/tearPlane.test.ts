import { expect, it } from 'vitest'
import { clothMeshModel, clothModel, World } from '../../src/headless.js'
import { Random, seeds } from '../support/draw.js'
import { irregularSheet } from '../support/sheets.js'
import { expectSound } from '../support/torn.js'

it.each(seeds(12))(
  'a sheet that is drawn out evenly is split across the pull, as far as its mesh has edges, seed %i',
  (seed) => {
    const random = new Random(seed)
    const cells = random.integer(5, 9)
    const { model } =
      seed % 2 === 0
        ? clothModel({ width: 1, height: 1, segmentsX: cells, segmentsY: cells })
        : clothMeshModel(irregularSheet(1, 1, cells, cells, 0.3, random))
    const angle = random.uniform(0, Math.PI)
    const pull = [Math.cos(angle), Math.sin(angle), 0]
    const along = (i: number, j: number) =>
      pull.reduce((sum, d, k) => sum + d * (model.positions[3 * j + k]! - model.positions[3 * i + k]!), 0)
    const lengthOf = (i: number, j: number) =>
      Math.hypot(...[0, 1, 2].map((d) => model.positions[3 * j + d]! - model.positions[3 * i + d]!))
    const world = new World({ gravity: [0, 0, 0] })
    const body = world.addBody(model, { tearStrain: 0.05 })
    // Its hem is held where the pull brings it, and so is all within at first: a strain of 0.1, the same everywhere.
    const snapshot = world.snapshot()
    const x = snapshot.bodies[0]!.vectors[0]!
    for (let i = 0; i < model.particleCount; i++) {
      const s = 0.1 * pull.reduce((sum, d, k) => sum + d * model.positions[3 * i + k]!, 0)
      for (let d = 0; d < 3; d++) x[3 * i + d] = model.positions[3 * i + d]! + s * pull[d]!
    }
    world.restore(snapshot)
    const hem = Array.from({ length: model.particleCount }, (_, i) => i).filter((i) =>
      [0, 1].some((d) => Math.abs(model.positions[3 * i + d]!) > 0.5 - 1e-9),
    )
    body.pin(hem)
    while (world.stats.tears === 0) world.step()

    const torn = body.model
    expectSound(torn)
    // An edge that leads to the hem splits that too.
    const split = Array.from(torn.torn!.origins).findIndex((i) => !hem.includes(i))
    const particle = torn.torn!.origins[split]!
    // What the particle has become in the triangles at each of its edges: an edge is open where these are two.
    const sidesOf = new Map<number, Set<number>>()
    for (let c = 0; c < model.triangles.length; c++) {
      if (model.triangles[c] !== particle) continue
      for (const k of [c - (c % 3), c - (c % 3) + 1, c - (c % 3) + 2]) {
        const j = model.triangles[k]!
        if (j !== particle) sidesOf.set(j, (sidesOf.get(j) ?? new Set()).add(torn.triangles[c]!))
      }
    }
    const neighbours = [...sidesOf.keys()]
    const opened = neighbours.filter((j) => sidesOf.get(j)!.size === 2)
    expect(opened).toHaveLength(2)
    const cosine = (j: number) => Math.abs(along(particle, j)) / lengthOf(particle, j)
    const best = Math.min(...neighbours.map(cosine))
    expect(Math.min(...opened.map(cosine))).toBeLessThan(best + 0.03)
    // What goes to the copy is on one side of the pull, what stays is on the other.
    const copy = model.particleCount + split
    const sides = [particle, copy].map((one) => {
      let sum = 0
      for (let c = 0; c < torn.triangles.length; c++) {
        if (torn.triangles[c] !== one) continue
        const t = c - (c % 3)
        for (let k = t; k < t + 3; k++) sum += along(particle, model.triangles[k]!)
      }
      return sum
    })
    expect(sides[0]! * sides[1]!).toBeLessThan(0)
  },
)
