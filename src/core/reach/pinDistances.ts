import type { BodySettings } from '../bodySettings.js'
import { type NearSources, nearSources } from '../mesh/geodesics.js'
import type { Model } from '../model.js'
import type { BodyRecord } from '../records.js'
import type { State } from '../state.js'
import { isRope } from '../tear/snap.js'
import { isTearable, wholeOf } from '../tear/weave.js'
import { SettingError } from '../validation.js'
import type { Holds } from './holds.js'

/** Pins, or rows of neighbouring pins, whose distance a particle knows. */
const MOST = 4

interface Known {
  readonly model: Model
  readonly pins: readonly number[]
  readonly near: NearSources
}

/** How far particles of cloths are from what is pinned or held, along the surface at rest; found anew where that changes. */
export class PinDistances {
  private readonly known = new WeakMap<BodyRecord, Known>()
  private readonly ofWholes = new WeakMap<BodyRecord, Known>()

  constructor(private readonly holds: Holds) {}

  /** In the body's own particle numbers. */
  of(state: State, body: BodyRecord): NearSources {
    return this.find(state, body, body.model, this.known)
  }

  /** The same as if the body were whole. */
  ofWhole(state: State, body: BodyRecord): NearSources {
    return this.find(state, body, wholeOf(body.model), this.ofWholes)
  }

  private find(state: State, body: BodyRecord, model: Model, found: WeakMap<BodyRecord, Known>): NearSources {
    const { start } = body
    const pins: number[] = []
    for (let i = 0; i < model.particleCount; i++) if (this.holds.isStill(state, start + i)) pins.push(i)
    const known = found.get(body)
    if (known?.model === model && known.pins.length === pins.length && known.pins.every((pin, k) => pin === pins[k]))
      return known.near
    const near = nearSources(model.positions, model.triangles, pins, MOST)
    found.set(body, { model, pins, near })
    return near
  }
}

/** True for a sheet: a solid has tetrahedra to hold it. */
export function isSheet({ model }: { readonly model: Model }): boolean {
  return model.tets.length === 0 && model.triangles.length > 0
}

/** @throws SettingError for a tether, a limit of strain or a strength of what is no cloth */
export function checkCloth(name: string, model: Model, settings: Readonly<BodySettings>): void {
  if (isSheet({ model }) && isTearable(model)) return
  const ofSheets = isSheet({ model }) ? [] : (['tether', 'strainLimit'] as const)
  for (const prop of [...ofSheets, 'tearStrength', 'tearStrain'] as const) {
    if (settings[prop] === Number.POSITIVE_INFINITY || (prop === 'tearStrength' && isRope(model))) continue
    throw new SettingError(name, prop, settings[prop], 'is of a cloth', 'Leave it out of what is none.')
  }
}
