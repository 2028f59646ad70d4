import type { BufferGeometry } from 'three'
import { clothArgs, clothMeshModel, clothModel, SettingError } from '../../headless.js'
import type { ShapeBuilder } from './bodyOptions.js'
import { sameStamp, stampOf } from './identity.js'
import type { Shape } from './modelCache.js'
import type { RestPose } from './restPose.js'
import { triangleMesh } from './triangleMesh.js'

/** Cloths of one geometry by the scale they were baked with, as long as it is as it was. */
interface Entry {
  readonly stamp: readonly unknown[]
  readonly shapes: Map<string, Shape>
}

const entries = new WeakMap<BufferGeometry, Entry>()

function atOnce(key: string, now: (geometry: BufferGeometry, pose: RestPose) => Shape): ShapeBuilder {
  const later = (geometry: BufferGeometry, pose: RestPose) => ({
    done: Promise.resolve(now(geometry, pose)),
    leave: () => {},
  })
  return { key, now, later }
}

/** Makes the cloth of whatever triangles are shown. */
export const meshCloth: ShapeBuilder = atOnce('mesh', (geometry, pose) => {
  const stamp = stampOf(geometry)
  let entry = entries.get(geometry)
  if (!entry || !sameStamp(entry.stamp, stamp)) {
    entry = { stamp, shapes: new Map() }
    entries.set(geometry, entry)
  }
  const known = entry.shapes.get(pose.key)
  if (known) return known
  const shape = clothMeshModel(triangleMesh(geometry, pose))
  entry.shapes.set(pose.key, shape)
  return shape
})

/** Makes a rectangular cloth: its particles are the vertices of the plane that is shown. */
export function planeCloth(width: number, height: number, segmentsX: number, segmentsY: number): ShapeBuilder {
  return atOnce([width, height, segmentsX, segmentsY].join(), (_, pose) => {
    const [x, shear, , , y] = pose.linear as [number, number, number, number, number]
    if (Math.abs(shear) > 1e-6 * x) {
      throw new SettingError('Cloth', 'scale', pose.linear, 'its parents shear the cloth', 'Scale parents evenly.')
    }
    const sides = [width * x, height * y] as const
    const { max = 0 } = clothArgs.width
    if (!sides.every((side) => side > 0 && side <= max)) {
      const problem = `makes its sides ${sides.join(' and ')} m`
      throw new SettingError('Cloth', 'scale', [x, y], problem, `Scale it so that they are above 0, up to ${max} m.`)
    }
    return clothModel({ width: sides[0], height: sides[1], segmentsX, segmentsY })
  })
}
