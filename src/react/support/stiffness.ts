import type { Body, WorldSettings } from '../../headless.js'
import { isDevelopment } from './development.js'

/** In development, says once of a body that it is stiffer than its world's substeps can show. */
export class StiffnessWarning {
  private said = false

  check(component: string, body: Body, { timeStep, substeps }: Readonly<WorldSettings>): void {
    if (this.said || !isDevelopment()) return
    const needed = body.substepsNeeded(timeStep)
    if (needed <= substeps) return
    this.said = true
    console.warn(
      `<${component}>: softer than it was set, since ${substeps} substeps do not resolve its stiffness. ` +
        `Use substeps={${needed}}, a lower youngsModulus or a lower resolution.`,
    )
  }
}
