import {
  Children,
  Fragment,
  isValidElement,
  type ReactNode,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
} from 'react'
import { type Group, type Mesh, PlaneGeometry } from 'three'
import { useBodyInstance } from '../hooks/useBodyInstance.js'
import { clothProps } from '../props.js'
import { meshCloth, planeCloth } from '../support/clothShapes.js'
import { BodyContext } from '../support/contexts.js'
import { poseKeyOf } from '../support/poseProps.js'
import { useValidProps } from '../support/propKeeper.js'
import { clothSettings } from '../support/settings.js'
import type { ClothProps, ClothSettings } from '../types.js'
import { Attach } from './Attach.js'
import { DebugView } from './DebugView.js'
import { Pin } from './Pin.js'
import { SoftBodyStats } from './SoftBodyStats.js'
import { Spring } from './Spring.js'

/**
 * A cloth: the mesh among its children, one of its own for `geometry`, or a rectangle of `args`, upright in the plane
 * z = 0 as `<planeGeometry>`. Any triangle mesh will do, open or closed; its seams of uv hold together, and its geometry
 * is not written to. Both sides are drawn if the material says so (`side={DoubleSide}`). Its pose is handled as that of
 * `<SoftBody>`.
 * @throws SettingError at mount for an invalid prop, Error for a mesh that cannot be simulated
 */
export function Cloth({ ref, children, ...props }: ClothProps): ReactNode {
  const [{ geometry, ...cloth }, rest] = useValidProps<keyof ClothSettings | 'geometry', typeof props>(
    'Cloth',
    clothProps,
    props,
  )
  const [width = 1, height = 1, segmentsX = 16, segmentsY = 16] = cloth.args ?? []
  const ofChildren = !geometry && !cloth.args && holdMesh(children)
  const isPlane = !geometry && !ofChildren
  const plane = useMemo(
    () => (isPlane ? new PlaneGeometry(width, height, segmentsX, segmentsY) : undefined),
    [isPlane, width, height, segmentsX, segmentsY],
  )
  useEffect(() => () => plane?.dispose(), [plane])
  const builder = useMemo(
    () => (isPlane ? planeCloth(width, height, segmentsX, segmentsY) : meshCloth),
    [isPlane, width, height, segmentsX, segmentsY],
  )
  const root = useRef<Group & Mesh>(null)
  const { instance, handle } = useBodyInstance('Cloth', root, {
    builder,
    origin: { prop: geometry ? 'geometry' : ofChildren ? 'children' : 'args' },
    poseKey: poseKeyOf(rest),
    settings: (model) => clothSettings(cloth, model),
    pins: cloth.pins,
    handlers: cloth,
    grabbable: cloth.grabbable ?? true,
    pokeForce: cloth.pokeForce ?? 1,
    grabForce: cloth.grabForce,
  })
  useImperativeHandle(ref, () => handle, [handle])
  return (
    <BodyContext value={instance}>
      {ofChildren ? (
        <group {...rest} ref={root}>
          {children}
        </group>
      ) : (
        <mesh {...rest} ref={root} geometry={geometry ?? plane}>
          {children}
        </mesh>
      )}
    </BodyContext>
  )
}

const beside = new Set<unknown>([Pin, Attach, Spring, DebugView, SoftBodyStats])

/** Whether there is more among the children than what goes into a mesh: its materials, and what holds or shows it. */
function holdMesh(children: ReactNode): boolean {
  return Children.toArray(children).some((child) => {
    if (!isValidElement<{ children?: ReactNode }>(child)) return false
    if (child.type === Fragment) return holdMesh(child.props.children)
    return !beside.has(child.type) && !(typeof child.type === 'string' && child.type.endsWith('Material'))
  })
}
