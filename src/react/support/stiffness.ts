import { type Body, type WorldSettings, worldSettings } from '../../headless.js'
import { isDevelopment } from './development.js'

/** In development, says once of a solid that nothing holds its shape. */
export class LooseWarning {
  private said = false

  check(component: string, { model, settings }: Body): void {
    const given = Object.values(settings.elastic) // none of a ragdoll, whose limbs are rigid
    if (this.said || !isDevelopment() || model.tets.length === 0 || given.length === 0) return
    if (given.some((setting) => setting !== false)) return
    this.said = true
    console.warn(
      `<${component}>: falls to dust, since nothing holds its shape once youngsModulus is false. ` +
        `Give it shapeMatching, edgeCompliance and volumeCompliance, or a youngsModulus.`,
    )
  }
}

/** In development, says once of a body that it is stiffer than its world's substeps can show. */
export class StiffnessWarning {
  private said = false

  check(component: string, body: Body, { timeStep, substeps }: Readonly<WorldSettings>): void {
    if (this.said || !isDevelopment()) return
    const needed = body.substepsNeeded(timeStep)
    if (needed <= substeps) return
    this.said = true
    const more = needed > (worldSettings.substeps.max ?? Number.POSITIVE_INFINITY) ? 'Use' : `Use substeps={${needed}},`
    console.warn(
      `<${component}>: softer than it was set, since ${substeps} substeps do not resolve its stiffness. ` +
        `${more} a lower youngsModulus or a lower resolution.`,
    )
  }
}
