import { createRef, type ReactNode } from 'react'
import { Box3, BoxGeometry, Group, Mesh, PlaneGeometry, Vector3 } from 'three'
import { describe, expect, it } from 'vitest'
import {
  Attach,
  Attractor,
  Bounds,
  Cloth,
  Collider,
  Cut,
  DebugView,
  Ground,
  Particles,
  Pin,
  Ragdoll,
  Rope,
  SettingError,
  SoftBody,
  type SoftBodyRef,
  SoftBodyStats,
  Spring,
  Weld,
  Wind,
} from '../../src/index.js'
import {
  attachProps,
  attractorProps,
  boundsProps,
  boxColliderProps,
  capsuleColliderProps,
  clothProps,
  compoundColliderProps,
  cutProps,
  cylinderColliderProps,
  debugViewProps,
  groundProps,
  heightfieldColliderProps,
  hullColliderProps,
  meshColliderProps,
  type PropTable,
  particlesProps,
  pinProps,
  planeColliderProps,
  ragdollProps,
  ropeProps,
  softBodyProps,
  softBodyStatsProps,
  sphereColliderProps,
  springProps,
  weldProps,
  windProps,
  worldProps,
} from '../../src/react/props.js'
import { collectWarnings, mount } from './mount.js'

const geometry = new BoxGeometry()
const flat = [
  [0, 0],
  [0, 0],
]
const corners = [
  [0, 0, 0],
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
]
const handlers = { onContactEnter: () => {}, onContactExit: () => {}, onImpact: () => {} }
const collides = {
  ...handlers,
  collisionGroups: [1, 3] as const,
  sensor: true,
}
const bouncy = { friction: 0.2, restitution: 0.4, ...collides }
const surface = { ...bouncy, surfaceVelocity: [1, 0, 0] as const }
const common = {
  ...bouncy,
  mass: 300,
  damping: 0.5,
  shapeDamping: 2,
  rollingFriction: 0.3,
  contactDamping: 3,
  thickness: 0.02,
  gravityScale: 0.5,
  drag: 0.7,
  lift: 0.3,
  pins: 'top',
  grabbable: false,
  pokeForce: 2,
  grabForce: 10,
  canSleep: false,
  selfCollision: true,
  onSleep: () => {},
  onWake: () => {},
}
const tetMesh = { positions: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], tets: [0, 1, 2, 3] }

/** For each component: how it is rendered, and a value other than the default of every prop. */
const components: Record<string, { table: PropTable; render: (props: object) => ReactNode; valid: object }> = {
  SoftBody: {
    table: softBodyProps,
    render: (props) => (
      <SoftBody
        geometry={'object' in props ? undefined : geometry}
        resolution={'tetCount' in props ? undefined : 3}
        {...props}
      />
    ),
    valid: {
      ...common,
      geometry: new BoxGeometry(2, 1, 1),
      object: new Group().add(new Mesh(geometry)),
      preset: 'firm',
      density: 500,
      youngsModulus: 2e5,
      poissonRatio: 0.3,
      edgeCompliance: 1e-4,
      edgeRelaxation: 5,
      volumeCompliance: false,
      shapeMatching: { rate: 20 },
      pressure: 1.2,
      rescue: false,
      plasticity: { yield: 0.1 },
      resolution: 4,
      tetCount: 200,
      tetMesh,
      creaseAngle: 60,
    },
  },
  Cloth: {
    table: clothProps,
    render: (props) => <Cloth args={'geometry' in props ? undefined : [1, 1, 3, 3]} {...props} />,
    valid: {
      ...common,
      geometry: new PlaneGeometry(1, 2, 3, 3),
      args: [2, 1, 4, 4],
      areaDensity: 0.5,
      stretchModulus: 500,
      shearModulus: 0,
      bendRigidity: 1,
      tether: 1.1,
      strainLimit: 0.05,
      tearStrength: 100,
      tearStrain: 0.3,
      tearWeakening: 0.5,
      onTear() {},
    },
  },
  Ragdoll: {
    table: ragdollProps,
    render: (props) => <Ragdoll {...props} />,
    valid: { ...common, height: 1, radialSegments: 8, pins: ['head', 'hips'] },
  },
  Rope: {
    table: ropeProps,
    render: (props) => <Rope segments={6} {...props} />,
    valid: {
      ...common,
      points: [
        [0, 0, 0],
        [1, 0, 0],
      ],
      length: 2,
      segments: 5,
      radius: 0.1,
      radialSegments: 6,
      linearDensity: 1,
      stretchStiffness: 1e3,
      bendRigidity: 0,
      tearStrength: 1e4,
      onTear: () => {},
      pins: 'ends',
    },
  },
  Ground: { table: groundProps, render: (props) => <Ground {...props} />, valid: { ...surface, size: [4, 5] } },
  'Collider.Plane': { table: planeColliderProps, render: (props) => <Collider.Plane {...props} />, valid: surface },
  'Collider.Box': {
    table: boxColliderProps,
    render: (props) => <Collider.Box {...props} />,
    valid: { ...surface, args: [1, 2, 3] },
  },
  'Collider.Sphere': {
    table: sphereColliderProps,
    render: (props) => <Collider.Sphere {...props} />,
    valid: { ...surface, args: [2] },
  },
  'Collider.Capsule': {
    table: capsuleColliderProps,
    render: (props) => <Collider.Capsule {...props} />,
    valid: { ...surface, args: [2, 1] },
  },
  'Collider.Cylinder': {
    table: cylinderColliderProps,
    render: (props) => <Collider.Cylinder {...props} />,
    valid: { ...surface, args: [2, 3] },
  },
  'Collider.Mesh': {
    table: meshColliderProps,
    render: (props) => <Collider.Mesh geometry={geometry} {...props} />,
    valid: { ...surface, geometry: new BoxGeometry(2, 2, 2), solid: false, thickness: 0.01 },
  },
  'Collider.Heightfield': {
    table: heightfieldColliderProps,
    render: (props) => <Collider.Heightfield heights={flat} {...props} />,
    valid: { ...surface, heights: [new Float32Array(3), [0, 1, 2]], args: [4, 5] },
  },
  'Collider.Hull': {
    table: hullColliderProps,
    render: (props) => <Collider.Hull geometry={geometry} {...props} />,
    valid: { ...surface, geometry: new BoxGeometry(2, 2, 2), points: corners },
  },
  'Collider.Compound': {
    table: compoundColliderProps,
    render: (props) => (
      <Collider.Compound {...props}>
        <Collider.Box />
      </Collider.Compound>
    ),
    valid: surface,
  },
  Pin: {
    table: pinProps,
    render: (props) => (
      <Cloth args={[1, 1, 3, 3]}>
        <Pin at="top" {...props} />
      </Cloth>
    ),
    valid: { at: 'corners', target: createRef<Group>() },
  },
  Attach: {
    table: attachProps,
    render: (props) => (
      <Cloth args={[1, 1, 3, 3]}>
        <Attach {...props} />
      </Cloth>
    ),
    valid: {
      a: createRef<SoftBodyRef>(),
      b: createRef<Group>(),
      at: 'top',
      radius: 0.1,
      compliance: 1e-3,
      damping: 1,
      breakForce: 1000,
      onBreak() {},
    },
  },
  Cut: {
    table: cutProps,
    render: (props) => (
      <>
        <Cloth args={[1, 1, 3, 3]} />
        <Cut {...props} />
      </>
    ),
    valid: { length: 2, active: false, collisionGroups: [2, 2] },
  },
  Wind: {
    table: windProps,
    render: (props) => (
      <>
        <Cloth args={[1, 1, 3, 3]} />
        <Wind {...props} />
      </>
    ),
    valid: {
      velocity: [0, 0, 2],
      direction: [0, 1, 0],
      speed: 4,
      turbulence: 0.5,
      turbulenceSize: 2,
      seed: 7,
      region: new Box3(new Vector3(-1, -1, -1), new Vector3(1, 1, 1)),
    },
  },
  Attractor: {
    table: attractorProps,
    render: (props) => (
      <>
        <Cloth args={[1, 1, 3, 3]} />
        <Attractor {...props} />
      </>
    ),
    valid: { strength: -2, falloff: 'newtonian', range: 5, radius: 0.5 },
  },
  Bounds: { table: boundsProps, render: (props) => <Bounds {...props} />, valid: { ...surface, args: [4, 5, 6] } },
  Particles: {
    table: particlesProps,
    render: (props) => <Particles positions={[[0, 1, 0]]} {...props} />,
    valid: {
      ...bouncy,
      positions: [0, 1, 0, 1, 1, 0],
      radius: 0.1,
      masses: [2],
      mass: 3,
      density: 200,
      damping: 0.5,
      contactDamping: 2,
      drag: 0.47,
      gravityScale: 0.5,
      canSleep: false,
      grabbable: false,
      pokeForce: 2,
      grabForce: 10,
      onSleep: () => {},
      onWake: () => {},
    },
  },
  Spring: {
    table: springProps,
    render: (props) => (
      <Cloth args={[1, 1, 3, 3]}>
        <Spring {...props} />
      </Cloth>
    ),
    valid: {
      a: createRef<SoftBodyRef>(),
      b: createRef<Group>(),
      from: [0.1, 0, 0],
      to: new Vector3(0, 1, 0),
      stiffness: 50,
      damping: 1,
      restLength: 0.5,
      maxForce: 20,
      breakForce: 1000,
      onBreak() {},
      line: true,
      coils: 3,
      coilRadius: 0.1,
    },
  },
  Weld: {
    table: weldProps,
    render: (props) => (
      <Weld {...props}>
        <Cloth args={[1, 1, 3, 3]} />
      </Weld>
    ),
    valid: { gap: 0.1, compliance: 1e-3, damping: 1, breakForce: 1000, onBreak() {} },
  },
  DebugView: {
    table: debugViewProps,
    render: (props) => (
      <>
        <Cloth args={[1, 1, 3, 3]} />
        <DebugView {...props} />
      </>
    ),
    valid: { layers: ['bounds'] },
  },
  SoftBodyStats: {
    table: softBodyStatsProps,
    render: (props) => (
      <>
        <Cloth args={[1, 1, 3, 3]} />
        <SoftBodyStats {...props} />
      </>
    ),
    valid: { corner: 'bottom-right', interval: 1 },
  },
}

/** No prop takes this. */
const invalid = Number.NaN

describe.each(Object.entries(components))('%s', (name, { table, render, valid }) => {
  it('has a valid value in this test for every prop of its table', () => {
    expect(Object.keys(valid).sort()).toEqual(Object.keys(table).sort())
  })

  it.each(Object.keys(table))('%s: is taken, and an invalid value throws at mount', async (prop) => {
    const good = (valid as Record<string, unknown>)[prop]
    const scene = await mount(render({ [prop]: good }))
    await scene.frames(2)
    await scene.unmount()
    const error = await mount(render({ [prop]: invalid })).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(SettingError)
    expect(error).toMatchObject({ component: name, prop, value: invalid })
    expect((error as SettingError).remedy).not.toBe('')
  })

  it.each(Object.keys(table))('%s: an invalid value warns once when live, and the last one stays', async (prop) => {
    const warnings = collectWarnings()
    const good = (valid as Record<string, unknown>)[prop]
    const scene = await mount(render({ [prop]: good }))
    const before = scene.world.world.bodies[0]?.settings
    await scene.update(render({ [prop]: invalid }))
    await scene.update(render({ [prop]: invalid }))
    await scene.frames(1)
    expect(scene.world.world.bodies[0]?.settings).toEqual(before)
    expect(warnings.messages).toEqual([expect.stringContaining(`<${name}> ${prop}=`)])
    warnings.stop()
    await scene.unmount()
  })

  it.each(Object.keys(table))('%s: a change keeps the body when the table says live', async (prop) => {
    const scene = await mount(render({}))
    const [before] = scene.world.world.bodies
    await scene.update(render({ [prop]: (valid as Record<string, unknown>)[prop] }))
    await scene.frames(1)
    const [after] = scene.world.world.bodies
    expect(scene.world.world.bodies.length + scene.world.world.colliders.length).toBe(1)
    expect(after === before).toBe(table[prop]!.applies !== 'rebuild')
    await scene.unmount()
  })
})

describe('the defaults of the table', () => {
  it.each(['SoftBody', 'Cloth', 'Rope', 'Ragdoll', 'Particles'])('are those of a plain %s', async (name) => {
    const { table, render } = components[name]!
    const scene = await mount(render({}))
    const body = scene.world.world.bodies[0]!
    // What its settings leave out is the model's own.
    const density = body.settings.density ?? body.model.density
    const settings: Record<string, unknown> = { ...body.settings, density }
    let compared = 0
    for (const [prop, { default: value }] of Object.entries(table)) {
      // Those that are undefined depend on the body, and `false` of a limit is Infinity in the engine.
      if (!(prop in settings) || value === undefined || prop === 'tether' || prop === 'strainLimit') continue
      const set = settings[prop]
      expect({ [prop]: typeof set === 'number' ? Number(set.toPrecision(9)) : set }).toEqual({ [prop]: value })
      compared++
    }
    expect(compared).toBeGreaterThan(8)
    await scene.unmount()
  })
})

describe('a prop that there is not', () => {
  it.each(Object.entries(components))('is warned of once, by its name: %s', async (name, { render }) => {
    const warnings = collectWarnings()
    for (let k = 0; k < 2; k++) await (await mount(render({ stifness: 1 }))).unmount()
    const known = expect.stringMatching(`^<${name}> stifness: there is no such prop\\. Use one of \\w+`)
    expect(warnings.messages).toEqual([known])
    warnings.stop()
  })

  it('is a place where a component has no object', async () => {
    const warnings = collectWarnings()
    const place = { position: [1, 2, 3], visible: false }
    for (const [name, content] of [
      ['Wind', <Wind key="wind" {...place} />],
      ['Weld', <Weld key="weld" {...place} />],
      ['SoftBodyStats', <SoftBodyStats key="stats" {...place} />],
    ] as const) {
      await (await mount(content)).unmount()
      for (const prop of Object.keys(place)) {
        expect(warnings.messages).toContainEqual(
          expect.stringMatching(`^<${name}> ${prop}: there is no such prop\\. Use one of [\\w, ]+\\.$`),
        )
      }
    }
    expect(warnings.messages).toHaveLength(6)
    warnings.stop()
  })

  it('is none that an element or its object has', async () => {
    const warnings = collectWarnings()
    const event = { onClick() {}, onPointerOver() {} }
    const object = { name: 'Mine', castShadow: true, 'position-y': 1, renderOrder: 2, userData: {}, visible: true }
    for (const Body of [SoftBody, Ragdoll, Rope]) {
      const props = { ...event, ...object, key: 'k', 'data-test': 1, dispose: null }
      const scene = await mount(<Body {...(Body === SoftBody && { geometry, resolution: 3 })} {...props} />)
      await scene.unmount()
    }
    expect(warnings.messages).toEqual([])
    warnings.stop()
  })
})

describe('what is just outside its range', () => {
  it.each([
    ['Cloth', 'stretchModulus', [1]],
    ['Cloth', 'stretchModulus', [1, 2, 3]],
    ['Cut', 'length', 0],
  ] as const)('%s: %s is refused', async (component, prop, value) => {
    const { render } = components[component]!
    await expect(mount(render({ [prop]: value }))).rejects.toMatchObject({ component, prop })
  })

  it.each([Number.NaN, -1, 1.5])('the world takes no %f steps', async (count) => {
    const scene = await mount(null)
    expect(() => scene.world.step(count)).toThrow(/<SoftBodyWorld> step=/)
    expect(scene.world.stats.steps).toBe(0)
    await scene.unmount()
  })

  it('a ref pins nothing that its prop would not', async () => {
    const ref = createRef<SoftBodyRef>()
    const scene = await mount(<Cloth ref={ref} args={[1, 1, 3, 3]} />)
    for (const method of ['pin', 'unpin'] as const) {
      expect(() => ref.current![method]([Number.NaN])).toThrow(new RegExp(`<Cloth> ${method}=`))
    }
    await scene.unmount()
  })
})

describe('layers that there are not', () => {
  const allowed = "['tets', 'edges', 'particles', 'contacts', 'pins', 'bounds']"
  it.each([
    [<DebugView key="d" layers={['edges', 'particle' as 'particles']} />, {}, "has no layer 'particle'"],
    [<DebugView key="d" layers={true as never} />, {}, 'must be a list of layers'],
    [null, { debug: ['foo' as 'pins'] }, "has no layer 'foo'"],
    [null, { debug: 'edges' as never }, 'must be true, false or a list of layers'],
  ])('are named, and those that there are: %#', async (children, world, problem) => {
    const error = await mount(children, world).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ problem, remedy: expect.stringContaining(`some of ${allowed}`) as string })
  })
})

describe('what says the same in two ways', () => {
  const both = { edgeCompliance: 1e-4, edgeRelaxation: 5 }
  const message = '<SoftBody> edgeRelaxation={5}: is given with edgeCompliance. Give one of them.'

  it('is refused at mount by both names, with what to do', async () => {
    await expect(mount(<SoftBody geometry={geometry} resolution={3} {...both} />)).rejects.toThrow(message)
  })

  it('is refused of a cloth whose size and geometry are given', async () => {
    const cloth = <Cloth args={[1, 1, 3, 3]} geometry={new PlaneGeometry()} />
    await expect(mount(cloth)).rejects.toThrow(/<Cloth> geometry=.*is given with args\. Give one of them\./)
  })

  it.each([
    [{ args: [1, 1, 3, 3] }, /<Cloth> args=\{'Extra'\}: is a mesh beside it, among the children\. Give one/],
    [{ geometry: new PlaneGeometry() }, /<Cloth> geometry=\{'Extra'\}: is a mesh beside it/],
  ] as const)('is refused of a cloth of %o that has a mesh as well', async (props, problem) => {
    const cloth = (
      <Cloth {...props}>
        <mesh name="Extra" />
      </Cloth>
    )
    await expect(mount(cloth)).rejects.toThrow(problem)
    const carrying = (
      <Cloth {...props}>
        <Pin at="top">
          <mesh name="Extra" />
        </Pin>
        <meshBasicMaterial />
      </Cloth>
    )
    const scene = await mount(carrying)
    expect(scene.world.world.bodies.length).toBe(1)
    await scene.unmount()
  })

  it('warns once when live, and what was valid stays', async () => {
    const warnings = collectWarnings()
    const body = (props: object) => <SoftBody geometry={geometry} resolution={3} {...props} />
    const scene = await mount(body({ edgeCompliance: 2e-4 }))
    for (let k = 0; k < 2; k++) await scene.update(body(both))
    await scene.frames(1)
    expect(scene.world.world.bodies[0]!.settings.elastic.edges).toEqual({ compliance: 2e-4 })
    expect(warnings.messages).toEqual([expect.stringContaining(message)])
    await scene.update(body({ edgeRelaxation: 5 }))
    await scene.frames(1)
    expect(scene.world.world.bodies[0]!.settings.elastic.edges).toEqual({ relaxation: 5 })
    warnings.stop()
    await scene.unmount()
  })
})

describe('SoftBodyWorld', () => {
  const valid: Record<string, unknown> = {
    gravity: [0, 1, 0],
    timeStep: 1 / 120,
    substeps: 4,
    iterations: 2,
    maxSteps: 2,
    timeScale: 0.5,
    paused: true,
    maxSpeed: 10,
    sleeping: false,
    wind: [1, 0, 0],
    airDensity: 2,
    interpolate: false,
    pauseWhenHidden: false,
    updateLoop: 'manual',
    keyboard: false,
    updatePriority: -1,
    debug: ['particles'],
    onUnstable: () => {},
  }

  it('has a valid value in this test for every prop of its table', () => {
    expect(Object.keys(valid).sort()).toEqual(Object.keys(worldProps).sort())
  })

  it.each(Object.keys(worldProps))('%s: live, throws at mount and warns when live', async (prop) => {
    const warnings = collectWarnings()
    const scene = await mount(null)
    const { world } = scene.world
    await scene.update(null, { [prop]: valid[prop] })
    const changed = world.settings
    // What is not the engine's own is seen in frame.test.tsx.
    expect({ ...valid, ...changed }[prop]).toEqual(valid[prop])
    await scene.update(null, { [prop]: invalid })
    expect(world.settings).toEqual(changed)
    expect(scene.world.world).toBe(world)
    expect(warnings.messages).toEqual([expect.stringContaining(`<SoftBodyWorld> ${prop}=`)])
    warnings.stop()
    await scene.unmount()
    await expect(mount(null, { [prop]: invalid })).rejects.toMatchObject({ component: 'SoftBodyWorld', prop })
  })

  it('falls back to the default when a prop is taken away', async () => {
    const scene = await mount(null, { gravity: [0, 0, 0] })
    await scene.update(null, {})
    expect(scene.world.world.settings.gravity).toEqual([0, -9.81, 0])
    await scene.unmount()
  })
})

describe('pose props', () => {
  it('teleport for position, rebuild for scale', async () => {
    const ref = createRef<SoftBodyRef>()
    const body = (props: object) => <SoftBody ref={ref} geometry={geometry} resolution={3} {...props} />
    const scene = await mount(body({ position: [0, 1, 0] }), { gravity: [0, 0, 0] })
    const engine = ref.current!.body
    await scene.update(body({ position: [2, 1, 0] }))
    expect(ref.current!.body).toBe(engine)
    expect(ref.current!.centerOfMass([0, 0, 0])[0]).toBeCloseTo(2, 9)
    ref.current!.setVelocity([1, 0, 0])
    await scene.frames(60)
    await scene.update(body({ position: [2, 1, 0] }))
    expect(ref.current!.centerOfMass([0, 0, 0])[0]).toBeCloseTo(3, 6)
    await scene.update(body({ position: [2, 1, 0], scale: 2 }))
    expect(ref.current!.body).not.toBe(engine)
    expect(ref.current!.volume()).toBeCloseTo(8, 1)
    await scene.unmount()
  })

  it('takes an equal pose in a new array, or as another render, for no change', async () => {
    const ref = createRef<SoftBodyRef>()
    const body = () => <SoftBody ref={ref} geometry={geometry} resolution={3} position={[0, 5, 0]} />
    const scene = await mount(body())
    await scene.frames(10)
    const height = ref.current!.centerOfMass([0, 0, 0])[1]
    await scene.update(body())
    expect(ref.current!.centerOfMass([0, 0, 0])[1]).toBe(height)
    await scene.unmount()
  })
})
