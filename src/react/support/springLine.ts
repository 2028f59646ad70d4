import {
  BufferAttribute,
  BufferGeometry,
  DynamicDrawUsage,
  Line,
  LineBasicMaterial,
  type Matrix4,
  Vector3,
} from 'three'
import type { Vec3 } from '../../headless.js'

/** Points of one turn. */
const TURN = 16
/** Share of the length that is straight at either end of a coil. */
const STRAIGHT = 0.1

const start = new Vector3()
const end = new Vector3()
const along = new Vector3()
const u = new Vector3()
const v = new Vector3()

/** The line of a spring: straight, or wound about its axis. */
export class SpringLine {
  readonly object: Line
  private points = 0

  constructor() {
    this.object = new Line(new BufferGeometry(), new LineBasicMaterial({ color: 0x334155 }))
    this.object.frustumCulled = false
    this.object.visible = false
  }

  hide(): void {
    this.object.visible = false
  }

  /** Writes the line between two points of the world. @param toLocal from the world into the line's own frame */
  draw(from: Vec3, to: Vec3, toLocal: Matrix4, coils: number, radius: number): void {
    const count = coils === 0 ? 2 : coils * TURN + 3
    if (this.points !== count) this.resize(count)
    this.object.visible = true
    const position = this.object.geometry.attributes.position as BufferAttribute
    start.set(from[0], from[1], from[2])
    end.set(to[0], to[1], to[2])
    along.subVectors(end, start)
    // Two directions across: the second along that axis which the spring is least along.
    const [x, y, z] = [Math.abs(along.x), Math.abs(along.y), Math.abs(along.z)]
    u.set(x <= y && x <= z ? 1 : 0, y < x && y <= z ? 1 : 0, z < x && z < y ? 1 : 0)
    v.crossVectors(along, u).normalize()
    u.crossVectors(v, along).normalize()
    for (let k = 0; k < count; k++) {
      // The first and the last point are the ends; between them the coil, from one to the other straight part.
      const isEnd = k === 0 || k === count - 1
      const t = isEnd ? 0 : (k - 1) / (count - 3)
      const share = isEnd ? k / (count - 1) : STRAIGHT + (1 - 2 * STRAIGHT) * t
      start.set(from[0], from[1], from[2]).addScaledVector(along, share)
      if (!isEnd) {
        const turn = 2 * Math.PI * coils * t
        start.addScaledVector(u, radius * Math.cos(turn)).addScaledVector(v, radius * Math.sin(turn))
      }
      start.applyMatrix4(toLocal)
      position.setXYZ(k, start.x, start.y, start.z)
    }
    position.needsUpdate = true
  }

  private resize(count: number): void {
    this.points = count
    const { geometry } = this.object
    geometry.dispose()
    const position = new BufferAttribute(new Float32Array(count * 3), 3).setUsage(DynamicDrawUsage)
    this.object.geometry = new BufferGeometry().setAttribute('position', position)
  }

  dispose(): void {
    this.object.geometry.dispose()
    ;(this.object.material as LineBasicMaterial).dispose()
  }
}
