import { type RefObject, useMemo } from 'react'
import type { Object3D } from 'three'
import type { BodyInstance } from '../support/bodyInstance.js'
import type { ShapeBuilder } from '../support/bodyOptions.js'
import { optionsKey, type SolidOptions, solidLater, solidNow } from '../support/modelCache.js'
import { solidSettings } from '../support/settings.js'
import type { BodyRef, SolidProps, TetMeshInput } from '../types.js'
import { useBodyInstance } from './useBodyInstance.js'

function solidBuilder(options: SolidOptions): ShapeBuilder {
  return {
    key: optionsKey(options),
    now: (geometry, pose) => solidNow(geometry, options, pose),
    later: (geometry, pose) => solidLater(geometry, options, pose),
  }
}

function useSolidBuilder(resolution: number, creaseAngle: number, tetMesh: TetMeshInput | undefined): ShapeBuilder {
  return useMemo(() => solidBuilder({ resolution, creaseAngle, tetMesh }), [resolution, creaseAngle, tetMesh])
}

/** A solid body for the first mesh at or below `root`. */
export function useSolid(
  component: string,
  root: RefObject<Object3D | null>,
  props: SolidProps,
  poseKey: string,
): { instance: BodyInstance; handle: BodyRef } {
  const builder = useSolidBuilder(props.resolution ?? 10, props.creaseAngle ?? 30, props.tetMesh)
  return useBodyInstance(component, root, {
    builder,
    poseKey,
    settings: (model) => solidSettings(props, model),
    pins: props.pins,
    grabbable: props.grabbable ?? true,
    pokeForce: props.pokeForce ?? 1,
    grabForce: props.grabForce,
  })
}
