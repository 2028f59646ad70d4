import { type ReactNode, useEffect, useImperativeHandle, useMemo, useRef } from 'react'
import { type Mesh, PlaneGeometry } from 'three'
import { clothModel, SettingError } from '../../headless.js'
import { useBodyInstance } from '../hooks/useBodyInstance.js'
import { clothProps } from '../props.js'
import type { ShapeBuilder } from '../support/bodyOptions.js'
import { BodyContext } from '../support/contexts.js'
import { poseKeyOf } from '../support/poseKey.js'
import { useValidProps } from '../support/propKeeper.js'
import type { RestPose } from '../support/restPose.js'
import { clothSettings } from '../support/settings.js'
import type { BodyProps, ClothProps } from '../types.js'

type ClothSettings = keyof BodyProps | 'args' | 'areaDensity' | 'stretchModulus' | 'shearModulus' | 'bendModulus'

/**
 * A rectangular cloth, upright in the plane z = 0 as `<planeGeometry>`. Its particles are the vertices of the plane.
 * Both sides are drawn if the material says so (`side={DoubleSide}`). Its pose is handled as that of `<SoftBody>`.
 * @throws SettingError at mount for an invalid prop
 */
export function Cloth({ ref, children, ...props }: ClothProps): ReactNode {
  const [cloth, mesh] = useValidProps<ClothSettings, typeof props>('Cloth', clothProps, props)
  const [width = 1, height = 1, segmentsX = 16, segmentsY = 16] = cloth.args ?? []
  const plane = useMemo(
    () => new PlaneGeometry(width, height, segmentsX, segmentsY),
    [width, height, segmentsX, segmentsY],
  )
  useEffect(() => () => plane.dispose(), [plane])
  const builder = useMemo(
    () => clothBuilder(width, height, segmentsX, segmentsY),
    [width, height, segmentsX, segmentsY],
  )
  const root = useRef<Mesh>(null)
  const { instance, handle } = useBodyInstance('Cloth', root, {
    builder,
    poseKey: poseKeyOf(mesh),
    settings: (model) => clothSettings(cloth, model),
    pins: cloth.pins,
    grabbable: cloth.grabbable ?? true,
    pokeForce: cloth.pokeForce ?? 1,
    grabForce: cloth.grabForce,
  })
  useImperativeHandle(ref, () => handle, [handle])
  return (
    <BodyContext value={instance}>
      <mesh {...mesh} ref={root} geometry={plane}>
        {children}
      </mesh>
    </BodyContext>
  )
}

function clothBuilder(width: number, height: number, segmentsX: number, segmentsY: number): ShapeBuilder {
  const now = (_: unknown, pose: RestPose) => {
    const [x, shear, , , y] = pose.linear as [number, number, number, number, number]
    if (Math.abs(shear) > 1e-6 * x) {
      throw new SettingError('Cloth', 'scale', pose.linear, 'its parents shear the cloth', 'Scale parents evenly.')
    }
    return clothModel({ width: width * x, height: height * y, segmentsX, segmentsY })
  }
  return {
    key: [width, height, segmentsX, segmentsY].join(),
    now,
    later: (geometry, pose) => ({ done: Promise.resolve(now(geometry, pose)), leave: () => {} }),
  }
}
