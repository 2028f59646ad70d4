import { type RefObject, useMemo } from 'react'
import type { Object3D } from 'three'
import type { BodyInstance } from '../support/bodyInstance.js'
import type { ShapeBuilder } from '../support/bodyOptions.js'
import type { MeshOrigin } from '../support/bodySource.js'
import { optionsKey, type SolidOptions, solidLater, solidNow, statedResolution } from '../support/modelCache.js'
import { clustersOf, solidSettings } from '../support/settings.js'
import type { BodyRef, SolidProps } from '../types.js'
import { useBodyInstance } from './useBodyInstance.js'

function solidBuilder(options: SolidOptions): ShapeBuilder {
  return {
    key: optionsKey(options),
    tetCount: options.tetMesh ? undefined : options.tetCount,
    now: (geometry, pose) => solidNow(geometry, options, pose),
    later: (geometry, pose) => solidLater(geometry, options, pose),
  }
}

function useSolidBuilder(props: SolidProps): ShapeBuilder {
  const { tetCount, creaseAngle = 30, tetMesh, shapeMatching } = props
  const resolution = statedResolution(props)
  const clusters = clustersOf(shapeMatching)
  return useMemo(
    () => solidBuilder({ resolution, tetCount, creaseAngle, clusters, tetMesh }),
    [resolution, tetCount, creaseAngle, clusters, tetMesh],
  )
}

/** A solid body for the meshes at or below `root`. */
export function useSolid(
  component: string,
  root: RefObject<Object3D | null>,
  props: SolidProps,
  poseKey: string,
  origin: MeshOrigin,
): { instance: BodyInstance; handle: BodyRef } {
  const builder = useSolidBuilder(props)
  return useBodyInstance(component, root, {
    builder,
    origin,
    poseKey,
    settings: (model) => solidSettings(props, model),
    pins: props.pins,
    handlers: props,
    grabbable: props.grabbable ?? true,
    pokeForce: props.pokeForce ?? 1,
    grabForce: props.grabForce,
  })
}
