import { CapsuleGeometry, Group, Mesh, MeshPhysicalMaterial, SphereGeometry, TorusGeometry } from 'three'
import { palette } from './themes.js'

/** A robot as a file would bring it: several meshes of two materials in nested groups, one arm the other's mirror image. */
export function createRobot(): Group {
  const skin = new MeshPhysicalMaterial({ color: palette.apricot, roughness: 0.4, clearcoat: 0.6 })
  const trim = new MeshPhysicalMaterial({ color: palette.plum, roughness: 0.35, clearcoat: 0.6 })
  const add = (parent: Group, name: string, mesh: Mesh, position: [number, number, number]) => {
    mesh.name = name
    mesh.position.set(...position)
    mesh.castShadow = true
    mesh.receiveShadow = true
    parent.add(mesh)
    return mesh
  }
  const robot = new Group()
  add(robot, 'Body', new Mesh(new CapsuleGeometry(0.3, 0.25, 12, 40), skin), [0, 0, 0])
  add(robot, 'Head', new Mesh(new SphereGeometry(0.26, 40, 28), skin), [0, 0.62, 0])
  add(robot, 'Collar', new Mesh(new TorusGeometry(0.17, 0.07, 16, 40), trim), [0, 0.41, 0]).rotation.x = Math.PI / 2
  for (const side of [-1, 1]) {
    const arm = new Group()
    arm.scale.x = side
    add(arm, 'Arm', new Mesh(new CapsuleGeometry(0.1, 0.3, 8, 24), trim), [0.4, 0.05, 0]).rotation.z = 0.7
    add(arm, 'Eye', new Mesh(new SphereGeometry(0.06, 20, 14), trim), [0.1, 0.66, 0.22])
    robot.add(arm)
  }
  return robot
}
