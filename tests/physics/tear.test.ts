import { CylinderGeometry } from 'three'
import { describe, expect, it } from 'vitest'
import { clothMeshModel, clothModel, plane, SettingError, World } from '../../src/headless.js'
import { Random, seeds } from '../support/draw.js'
import { cube } from '../support/lattice.js'
import { expectHealthy, positionsOf, run } from '../support/laws.js'
import { fromGeometry } from '../support/meshes.js'
import { irregularSheet } from '../support/sheets.js'
import { expectSound, momentumOf, piecesOf } from '../support/torn.js'

const sheet = (width: number, height: number, nx: number, ny: number) =>
  clothModel({ width, height, segmentsX: nx, segmentsY: ny }).model
const row = (nx: number, j: number) => Array.from({ length: nx + 1 }, (_, i) => j * (nx + 1) + i)

/** A strip of 0.4 m that hangs by its upper end, whose weight grows until it breaks: load over width times strength. */
function breakingLoad(nx: number, options: { tearStrength: number; strainLimit?: number }, substeps: number): number {
  const model = sheet(0.4, 0.8, nx, 2 * nx)
  const world = new World({ substeps })
  const body = world.addBody(model, { ...options, shapeDamping: 20 })
  body.pin(row(nx, 0))
  const full = 0.4 * options.tearStrength
  for (let step = 0; world.stats.tears === 0; step++) {
    const load = full * (0.4 + 0.005 * step)
    expect(load).toBeLessThan(2 * full)
    body.set({ gravityScale: load / (body.mass * 9.81) })
    world.step()
  }
  // What hangs below the middle of the second row, where it gives.
  return ((body.settings.gravityScale * body.mass * 9.81) / full) * (1 - 0.75 / (2 * nx))
}

describe('a strip', () => {
  it('breaks at its width times its strength, within 15%, at three resolutions', () => {
    for (const nx of [4, 8, 16]) {
      const load = breakingLoad(nx, { tearStrength: 10 }, 20)
      expect(load).toBeGreaterThan(0.85)
      expect(load).toBeLessThan(1.15)
    }
  })

  it('does so at ten substeps and far more than its weight where its strain is limited', () => {
    for (const nx of [4, 8, 16]) {
      const load = breakingLoad(nx, { tearStrength: 60, strainLimit: 0.02 }, 10)
      expect(load).toBeGreaterThan(0.85)
      expect(load).toBeLessThan(1.15)
    }
  })

  it('may be a shell: a tube that hangs by its rim breaks at its circumference times its strength', () => {
    for (const cells of [12, 24]) {
      const tube = new CylinderGeometry(0.15, 0.15, 0.8, cells, cells, true)
      const { model } = clothMeshModel(fromGeometry(tube))
      const world = new World({ substeps: 20 })
      const body = world.addBody(model, { tearStrength: 10, shapeDamping: 20 })
      const height = (i: number) => model.positions[3 * i + 1]! + 0.4
      body.pin(Array.from({ length: model.particleCount }, (_, i) => i).filter((i) => height(i) > 0.8 - 1e-6))
      const full = 2 * Math.PI * 0.15 * 10
      let load = 0
      for (let step = 0; world.stats.tears === 0; step++) {
        load = 0.4 + 0.005 * step
        expect(load).toBeLessThan(2)
        body.set({ gravityScale: (load * full) / (body.mass * 9.81) })
        world.step()
      }
      // What hangs below the particle that was split.
      load *= height(body.model.torn!.origins[0]!) / 0.8
      expect(load).toBeGreaterThan(0.85)
      expect(load).toBeLessThan(1.15)
      expectSound(body.model)
    }
  })

  it('breaks at its strain, drawn out slowly', () => {
    for (const nx of [4, 8, 16]) {
      const model = sheet(0.4, 0.8, nx, 2 * nx)
      const world = new World({ gravity: [0, 0, 0] })
      const body = world.addBody(model, { tearStrain: 0.2, shapeDamping: 20 })
      const low = row(nx, 2 * nx)
      body.pin([...row(nx, 0), ...low])
      const starts = low.map((i) => body.getPosition(i, [0, 0, 0]).slice())
      let strain = 0
      for (; strain < 0.4 && world.stats.tears === 0; strain += 0.002) {
        low.forEach((i, k) => body.movePin(i, [starts[k]![0]!, starts[k]![1]! - 0.8 * strain, 0]))
        world.step()
      }
      expect(strain).toBeGreaterThan(0.17)
      expect(strain).toBeLessThan(0.23)
    }
  })

  it('is in two pieces then, of which the lower falls freely', () => {
    const world = new World()
    const body = world.addBody(sheet(0.4, 0.8, 8, 16), { tearStrength: 20, strainLimit: 0.02, tearWeakening: 0.5 })
    body.pin(row(8, 0))
    body.set({ gravityScale: 15 })
    for (let k = 0; k < 300 && !(body.model.torn && piecesOf(body.model).length > 1); k++) world.step()
    body.set({ gravityScale: 1, tearStrength: Number.POSITIVE_INFINITY })
    expectSound(body.model)
    const lower = piecesOf(body.model).filter((piece) => !piece.some((i) => body.isPinned(i)))
    expect(lower.length).toBeGreaterThan(0)
    const height = () => {
      const [piece] = lower.sort((a, b) => b.length - a.length)
      let mass = 0
      let sum = 0
      for (const i of piece!) {
        mass += body.model.massShares[i]!
        sum += body.model.massShares[i]! * body.getPosition(i, [0, 0, 0])[1]
      }
      return sum / mass
    }
    const h = world.settings.timeStep
    const [a, b] = [height(), (world.step(), height())]
    run(world, 0.5)
    const c = height()
    // From two places a step apart: the speed then, and g after it. Substeps add g h / 20 to what is found.
    const time = 0.5
    expect(c - b).toBeCloseTo(((b - a) / h) * time - 4.905 * time * time - 4.905 * h * time, 2)
  })
})

describe('a tear', () => {
  it.each(seeds(6))('keeps mass, momentum and the laws of its mesh, seed %i', (seed) => {
    const random = new Random(seed)
    const world = new World({ gravity: [0, 0, 0] })
    const model =
      seed % 2 === 0 ? sheet(1, 1, 12, 10) : clothMeshModel(irregularSheet(1, 1.2, 11, 12, 0.3, random)).model
    const body = world.addBody(model)
    const push = () => ({ x: random.uniform(-1, 1), y: random.uniform(-1, 1), z: random.uniform(-1, 1) })
    for (let cut = 0; cut < 6; cut++) {
      const [p, n, v] = [push(), push(), push()]
      body.applyRadialImpulse([p.x, p.y, p.z], 0.02, 3)
      body.setVelocity([v.x, v.y, v.z], [v.z, v.x, v.y])
      run(world, 0.1)
      const before = momentumOf(body)
      const rest = body.model
      if (cut % 2 === 0) body.cut({ point: [p.x / 3, p.y / 3, 0], normal: [n.x, n.y, 0.1 * n.z] })
      else
        body.cut({
          from: [
            [p.x, p.y, -2],
            [p.x, p.y, 2],
          ],
          to: [
            [n.x, n.y, -2],
            [n.x, n.y, 2],
          ],
        })
      const after = momentumOf(body)
      after.forEach((value, k) => {
        expect(Math.abs(value - before[k]!)).toBeLessThan(1e-12)
      })
      expectSound(body.model)
      expect(body.model.particleCount).toBeGreaterThanOrEqual(rest.particleCount)
    }
    expect(piecesOf(body.model).length).toBeGreaterThan(3)
    expect((body.model.torn?.pieceStarts.length ?? 0) - 1).toBe(piecesOf(body.model).length)
    run(world, 0.2)
    expectHealthy(world)
  })

  it('by a plane leaves nothing between the two sides', () => {
    for (const [nx, ny] of [
      [7, 9],
      [16, 16],
    ] as const) {
      for (let k = 0; k < 8; k++) {
        const world = new World({ gravity: [0, 0, 0] })
        const body = world.addBody(sheet(1, 1, nx, ny))
        const normal = [Math.cos(k), Math.sin(k), 0.3] as const
        body.cut({ point: [0.11 * Math.cos(2 * k), 0.2 * Math.sin(k), 0], normal })
        expect(piecesOf(body.model).length).toBe(2)
        expectSound(body.model)
        run(world, 0.3)
        expectHealthy(world)
      }
    }
  })

  it('by a blade that is led on from step to step goes through, as at once', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const bodies = [0, 1].map(() => world.addBody(sheet(1, 1, 13, 11), { collisionGroups: [1, 0] }))
    const at = (t: number): [[number, number, number], [number, number, number]] => [
      [-1 + 2 * t, 0.21 - 0.5 * t, -1],
      [-1 + 2 * t, 0.21 - 0.5 * t, 1],
    ]
    bodies[0]!.cut({ from: at(0), to: at(1) })
    for (let k = 0; k < 37; k++) bodies[1]!.cut({ from: at(k / 37), to: at((k + 1) / 37) })
    expect(piecesOf(bodies[0]!.model).length).toBe(2)
    expect(piecesOf(bodies[1]!.model).length).toBe(2)
    // A way over an edge that is crossed twice is open for good where a step ends between.
    expect(Math.abs(bodies[1]!.particleCount - bodies[0]!.particleCount)).toBeLessThan(4)
  })

  it('is undone by a reset, of the body and of the world, and by a snapshot of before; one of after brings it back', () => {
    const world = new World()
    const body = world.addBody(sheet(1, 1, 10, 10), { tearStrength: 15, strainLimit: 0.05, selfCollision: true })
    body.pin(row(10, 0))
    const whole = body.model
    const start = world.snapshot()
    body.set({ gravityScale: 30 })
    for (let k = 0; k < 200 && world.stats.tears < 12; k++) world.step()
    const torn = body.model
    expectSound(torn)
    expect(torn).not.toBe(whole)
    const middle = world.snapshot()
    const goOn = () => {
      run(world, 0.2)
      return { model: body.model, x: body.readPositions(new Float64Array(3 * body.particleCount)) }
    }
    const first = goOn()
    expect(first.model.particleCount).toBeGreaterThan(torn.particleCount)
    world.restore(middle)
    expect(body.model).toBe(torn)
    const second = goOn()
    expect(second.model.triangles).toEqual(first.model.triangles)
    expect(second.x).toEqual(first.x)
    world.restore(start)
    expect(body.model).toBe(whole)
    world.restore(middle)
    expect(goOn().x).toEqual(first.x)
    body.reset()
    expect(body.model).toBe(whole)
    expect(body.particleCount).toBe(121)
    expect(body.isPinned(3)).toBe(true)
    world.restore(middle)
    world.reset()
    expect(body.model).toBe(whole)
    expect(body.mass).toBeCloseTo(0.2, 12)
    run(world, 0.1)
    expectHealthy(world)
  })

  it('leaves other bodies of its model whole, and pins where they are', () => {
    const world = new World()
    const model = sheet(1, 1, 8, 8)
    const [one, two] = [
      world.addBody(model, { collisionGroups: [1, 0] }),
      world.addBody(model, { collisionGroups: [1, 0] }),
    ]
    one.pin(row(8, 0))
    one.cut({ point: [0.03, 0, 0], normal: [1, 0.05, 0] })
    expect(two.model).toBe(model)
    const copies = Array.from({ length: one.particleCount }, (_, i) => i).filter((i) => i >= 81 && one.isPinned(i))
    expect(copies.length).toBe(1)
    run(world, 1)
    expect(Math.abs(one.getPosition(copies[0]!, [0, 0, 0])[1] - 0.5)).toBeLessThan(1e-9)
    one.movePin(one.model.torn!.origins[copies[0]! - 81]!, [0, 0.51, 0])
    world.step()
    expect(one.getPosition(copies[0]!, [0, 0, 0])[1]).toBeCloseTo(0.51, 9)
    one.unpin(row(8, 0))
    expect(one.isPinned(copies[0]!)).toBe(false)
    run(world, 0.2)
    expectHealthy(world)
  })

  it('lets go of what held a copy only to hold what it was split off, when it is mended', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const body = world.addBody(sheet(1, 1, 8, 8))
    body.cut({ point: [0.03, 0, 0], normal: [1, 0, 0] })
    const copy = body.particleCount - 1
    const region = { particles: Uint32Array.of(copy), weights: Float64Array.of(1) }
    const held = body.attach(region, { target: [1, 1, 1] })
    run(world, 0.2)
    const origin = body.model.torn!.origins[copy - 81]!
    body.reset()
    run(world, 0.5)
    expect(body.getPosition(origin, [0, 0, 0])[0]).toBeCloseTo(1, 1)
    expect(region.particles[0]).toBe(copy)
    held.remove()
    expectHealthy(world)
  })

  it('goes on until every triangle is alone, past the room of its body and beside others', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const [before, body, after] = [0, 1, 2].map(() => world.addBody(sheet(1, 1, 4, 4), { collisionGroups: [1, 0] }))
    const places = [before, after].map((one) => positionsOf(one!))
    body!.pin([12])
    const at = body!.getPosition(12, [0, 0, 0])
    for (let k = 0; k < 60; k++) {
      body!.cut({ point: [Math.cos(9 * k) / 2, Math.sin(7 * k) / 2, 0], normal: [Math.cos(k), Math.sin(k), 0] })
      expectSound(body!.model)
      world.step()
    }
    const { model } = body!
    expect(body!.particleCount).toBe(model.triangles.length)
    expect(piecesOf(model).length).toBe(32)
    for (let i = 0; i < body!.particleCount; i++) {
      const origin = i < 25 ? i : model.torn!.origins[i - 25]!
      for (let d = 0; d < 3; d++) expect(model.positions[3 * i + d]).toBe(sheet(1, 1, 4, 4).positions[3 * origin + d])
      expect(body!.isPinned(i)).toBe(origin === 12)
      expect(origin === 12 ? body!.getPosition(i, [0, 0, 0]) : at).toEqual(at)
    }
    expect([before, after].map((one) => positionsOf(one!))).toEqual(places)
    expect(world.stats.particles).toBe(25 + 96 + 25)
    expect(world.stats.tears).toBe(71)
    body!.remove()
    const next = world.addBody(sheet(1, 1, 4, 4))
    world.step()
    expect(next.particleCount).toBe(25)
    expectHealthy(world)
  })

  it('frees what tethers and limits of strain held, and leaves what is held at its length', () => {
    for (const held of [{ tether: 1 }, { strainLimit: 0.02 }]) {
      const world = new World()
      const body = world.addBody(sheet(1, 1, 8, 8), { ...held, density: 2, tearStrength: 1e6 })
      body.pin(row(8, 0))
      run(world, 0.2)
      body.cut({ point: [0, 0.03, 0], normal: [0.05, 1, 0] })
      run(world, 0.5)
      const [upper, lower] = piecesOf(body.model).map((piece) =>
        Math.min(...piece.map((i) => body.getPosition(i, [0, 0, 0])[1])),
      )
      expect(upper).toBeGreaterThan(-0.15)
      expect(lower).toBeLessThan(-1.5)
      expect(body.maxStrain()).toBeLessThan(0.1)
      expectHealthy(world)
    }
  })

  it('leaves pieces that come to rest on the ground, fall asleep, and are woken by a tear', () => {
    const world = new World()
    world.addCollider(plane())
    const body = world.addBody(sheet(1, 1, 8, 8), {
      position: [0, 0.3, 0],
      rotation: [-Math.SQRT1_2, 0, 0, Math.SQRT1_2],
      drag: 1,
      damping: 1,
      shapeDamping: 5,
    })
    body.cut({ point: [0.03, 0, 0], normal: [1, 0.1, 0] })
    run(world, 6)
    expect(piecesOf(body.model).length).toBe(2)
    expect(body.asleep).toBe(true)
    body.cut({ point: [0, 1, 0], normal: [0, 1, 0] }) // over it
    expect(body.asleep).toBe(true)
    body.cut({ point: [0, 0, 0.03], normal: [0, 0.1, 1] })
    expect(body.asleep).toBe(false)
    expect(piecesOf(body.model).length).toBeGreaterThan(2)
    run(world, 4)
    expect(body.asleep).toBe(true)
    expectHealthy(world)
  })
})

describe('settings of tears', () => {
  it('are refused where they cannot be', () => {
    const world = new World()
    const cloth = sheet(1, 1, 2, 2)
    for (const wrong of [
      { tearStrength: 0 },
      { tearStrength: -1 },
      { tearStrain: Number.NaN },
      { tearWeakening: 1.1 },
    ]) {
      expect(() => world.addBody(cloth, wrong)).toThrow(SettingError)
    }
    const solid = world.addBody(cube(1, 1))
    const { model } = solid
    expect(() => solid.set({ tearStrength: 10 })).toThrow(/is of a cloth/)
    solid.cut({ point: [0, 0, 0], normal: [0, 1, 0] }) // what is no cloth stays as it is
    expect(solid.model).toBe(model)
    const body = world.addBody(cloth)
    expect(() => body.cut({ point: [0, 0, Number.NaN], normal: [0, 1, 0] })).toThrow(SettingError)
    expect(() => body.cut({ point: [0, 0, 0], normal: [0, 0, 0] })).toThrow(SettingError)
    for (const wrong of [null, {}, { point: [0, 0, 0] }]) expect(() => body.cut(wrong as never)).toThrow(SettingError)
    body.remove()
    body.cut({ point: [0, 0, 0], normal: [0, 1, 0] })
    world.step()
  })

  it('are live: a cloth that is given a strength tears, one that loses it does not', () => {
    const world = new World()
    const body = world.addBody(sheet(1, 1, 8, 8), { gravityScale: 40, strainLimit: 0.05 })
    body.pin(row(8, 0))
    run(world, 0.5)
    expect(world.stats.tears).toBe(0)
    body.set({ tearStrength: 20 })
    run(world, 0.1)
    expect(world.stats.tears).toBeGreaterThan(0)
    const { tears } = world.stats
    body.set({ tearStrength: Number.POSITIVE_INFINITY })
    run(world, 0.2)
    expect(world.stats.tears).toBe(tears)
  })

  it('make rips run: beside a tear a weakened cloth comes apart at a load that a whole one bears', () => {
    const notched = (tearWeakening: number) => {
      const world = new World()
      const body = world.addBody(sheet(0.8, 0.8, 16, 16), { tearStrength: 20, tearWeakening, strainLimit: 0.05 })
      body.pin(row(16, 0))
      body.set({ gravityScale: 6 / (body.mass * 9.81) })
      body.cut({
        from: [
          [-1, 0.2, -1],
          [-1, 0.2, 1],
        ],
        to: [
          [-0.26, 0.2, -1],
          [-0.26, 0.2, 1],
        ],
      })
      const { particleCount } = body
      run(world, 1)
      return body.particleCount - particleCount
    }
    expect(notched(0)).toBe(0)
    expect(notched(0.8)).toBeGreaterThan(8)
  })
})

describe('cloth of different threads', () => {
  it('stretches by the modulus of the thread that is pulled', () => {
    for (const [along, modulus] of [
      ['warp', 1000],
      ['weft', 250],
    ] as const) {
      const world = new World({ gravity: along === 'warp' ? [0, -9.81, 0] : [9.81, 0, 0], substeps: 40 })
      const elastic = { membrane: { stretchModulus: 1000, weftModulus: 250, shearModulus: 200 } }
      const body = world.addBody(sheet(1, 1, 6, 6), { elastic, shapeDamping: 10, gravityScale: 10 })
      body.pin(along === 'warp' ? row(6, 0) : Array.from({ length: 7 }, (_, j) => j * 7))
      run(world, 2)
      // Its own weight per width draws it out by m g / 2 over the modulus.
      const bounds = body.bounds(new Float64Array(6))
      const length = along === 'warp' ? bounds[4]! - bounds[1]! : bounds[3]! - bounds[0]!
      expect((length - 1) / ((0.2 * 98.1) / 2 / modulus)).toBeCloseTo(1, 1)
    }
  })
})
