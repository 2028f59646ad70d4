// Objects of which the matrix is written by hand, with matrixAutoUpdate false, and what lies below them.
import { createRef, type ReactNode, type RefObject } from 'react'
import { Box3, BoxGeometry, Group, Matrix4, Mesh, Object3D, PerspectiveCamera, SphereGeometry, Vector3 } from 'three'
import { describe, expect, it } from 'vitest'
import { Collider, Pin, SoftBody, type SoftBodyRef } from '../../src/index.js'
import { refreshWorldMatrix } from '../../src/react/support/worldMatrix.js'
import { type Mounted, mount } from './mount.js'
import { coarse, red, weightless } from './scenes.js'

function still<T extends Object3D>(object: T, x: number): T {
  object.matrixAutoUpdate = false
  object.matrix.makeTranslation(x, 0, 0)
  return object
}

/** Where an object's world matrix has its origin, x [m]. */
function worldX({ matrixWorld }: Object3D): number {
  return matrixWorld.elements[12]
}

/** What the renderer shows of a mesh: the middle of its vertices, x [m]. */
function shownX({ state }: Mounted, mesh: Mesh): number {
  state.scene.updateMatrixWorld()
  mesh.geometry.computeBoundingBox()
  return new Box3().copy(mesh.geometry.boundingBox!).applyMatrix4(mesh.matrixWorld).getCenter(new Vector3()).x
}

describe('the world matrix', () => {
  it.each(['auto', 'static'])('of a static object below an %s one follows what moves above', (kind) => {
    const top = new Group()
    const middle = kind === 'static' ? still(new Group(), 20) : new Group().translateX(20)
    const object = still(new Object3D(), 3)
    top.add(middle.add(object))
    for (const x of [100, 200, 300]) {
      top.position.x = x
      refreshWorldMatrix(object)
      expect(worldX(object)).toBe(x + 23)
    }
  })

  it('is of the matrix that has been written, whoever has said that it needs an update', () => {
    const object = still(new Object3D(), 3)
    for (const isSaid of [false, true]) {
      object.matrix.makeTranslation(isSaid ? 5 : 4, 0, 0)
      object.matrixWorldNeedsUpdate = isSaid
      refreshWorldMatrix(object)
      expect(worldX(object)).toBe(isSaid ? 5 : 4)
    }
  })

  it('leaves the renderer to move what else is below an object that is to be updated', () => {
    const top = still(new Group(), 1)
    const object = still(new Object3D(), 3)
    const sibling = still(new Object3D(), 5)
    top.add(object, sibling).updateMatrixWorld(true)
    top.matrix.makeTranslation(2, 0, 0)
    top.matrixWorldNeedsUpdate = true
    refreshWorldMatrix(object)
    top.updateMatrixWorld()
    expect([worldX(object), worldX(sibling)]).toEqual([5, 7])
    top.matrix.makeTranslation(9, 0, 0) // nobody says so: the renderer leaves all of it alone
    refreshWorldMatrix(object)
    top.updateMatrixWorld()
    expect([worldX(object), worldX(sibling)]).toEqual([12, 7])
  })

  it('is left to those who write it themselves, and what is below goes by it', () => {
    const top = new Group().translateX(1)
    const own = new Group().translateX(10)
    const object = still(new Object3D(), 3)
    top.add(own.add(object))
    own.matrixWorldAutoUpdate = false
    own.matrixWorld.makeTranslation(50, 0, 0)
    refreshWorldMatrix(object)
    expect([worldX(own), worldX(object)]).toEqual([50, 53])
  })

  it('of a camera has its inverse', () => {
    const rig = new Group()
    const camera = still(new PerspectiveCamera(), 3)
    rig.add(camera)
    rig.position.x = 4
    refreshWorldMatrix(camera)
    expect(camera.matrixWorldInverse.elements[12]).toBe(-7)
  })
})

describe('a body of several meshes', () => {
  /** A static sphere about x = 0.2 beside a box about 0.8 that moves itself, in a static group. */
  function pair(): Group {
    const box = new Mesh(new BoxGeometry(), red)
    box.position.x = 0.8
    return still(new Group(), 0).add(still(new Mesh(new SphereGeometry(0.5, 12, 8), red), 0.2), box)
  }

  it.each([true, false])('is drawn where it is, static meshes too, while a parent moves: paused %s', async (paused) => {
    const ref = createRef<SoftBodyRef>()
    const over = createRef<Group>()
    const content = (
      <group ref={over} position-x={1}>
        <SoftBody ref={ref} object={pair()} {...coarse} />
      </group>
    )
    const scene = await mount(content, { ...weightless, paused })
    const [sphere, box] = ref.current!.meshes as [Mesh, Mesh]
    for (let frame = 0; frame < 4; frame++) {
      over.current!.position.x = 1 + frame
      await scene.frames(1)
      expect(shownX(scene, sphere)).toBeCloseTo(1.2, 5)
      expect(shownX(scene, box)).toBeCloseTo(1.8, 5)
    }
    ref.current!.teleport([5, 0, 0])
    await scene.frames(2)
    expect(shownX(scene, box) - shownX(scene, sphere)).toBeCloseTo(0.6, 5)
    expect(shownX(scene, sphere)).toBeCloseTo(5.2, 5)
    await scene.unmount()
  })
})

describe('below a static group that is carried', () => {
  const hand = new Matrix4().makeTranslation(0, 2, 0)

  async function carried(
    content: ReactNode,
    beside?: ReactNode,
  ): Promise<{ scene: Mounted; move: () => Promise<void> }> {
    const over = createRef<Group>() as RefObject<Group>
    const scene = await mount(
      <>
        <group ref={over}>
          <group matrixAutoUpdate={false} matrix={hand}>
            {content}
          </group>
        </group>
        {beside}
      </>,
      weightless,
    )
    await scene.frames(2)
    return {
      scene,
      move: async () => {
        over.current.position.x += 0.05
        await scene.frames(2) // a frame's steps lead there what it has read
      },
    }
  }

  it('a collider goes along', async () => {
    const { scene, move } = await carried(<Collider.Sphere args={[0.1]} position={[1, 0, 0]} />)
    const { target } = (scene.world.world.colliders[0] as unknown as { record: { target: Float64Array } }).record
    for (const x of [1.05, 1.1, 1.15]) {
      await move()
      expect(target[0]).toBeCloseTo(x, 12)
      expect(target[1]).toBe(2)
    }
    await scene.unmount()
  })

  it('the target of a Pin takes along what it holds', async () => {
    const held = createRef<Object3D>()
    const ref = createRef<SoftBodyRef>()
    const { scene, move } = await carried(
      <object3D ref={held} />,
      <SoftBody ref={ref} geometry={new BoxGeometry()} {...coarse}>
        <Pin at="top" target={held} />
      </SoftBody>,
    )
    const body = ref.current!.body!
    const particle = Array.from({ length: body.particleCount }, (_, i) => i).find((i) => body.isPinned(i))!
    const [start] = body.getPosition(particle, [0, 0, 0])
    for (const by of [0.05, 0.1, 0.15]) {
      await move()
      expect(body.getPosition(particle, [0, 0, 0])[0]).toBeCloseTo(start + by, 12)
    }
    await scene.unmount()
  })

  it('a body that is mounted later starts there', async () => {
    const ref = createRef<SoftBodyRef>()
    const over = createRef<Group>() as RefObject<Group>
    const world = (isThere: boolean) => (
      <group ref={over}>
        <group matrixAutoUpdate={false} matrix={hand}>
          {isThere && <SoftBody ref={ref} geometry={new BoxGeometry()} {...coarse} />}
        </group>
      </group>
    )
    const scene = await mount(world(false), weightless)
    over.current.position.x = 7
    await scene.update(world(true))
    expect(ref.current!.body!.centerOfMass([0, 0, 0])[0]).toBeCloseTo(7, 9)
    await scene.unmount()
  })
})
