import type { BodySource } from './bodySource.js'
import { isDevelopment } from './development.js'
import type { Shape } from './modelCache.js'

const said = new WeakSet<object>()

/** In development, says once of a geometry what had to be assumed to make a body of it. */
export function warnOfAssumption(component: string, { geometry, meshes }: BodySource, { report }: Shape): void {
  if (!report?.assumption || said.has(geometry) || !isDevelopment()) return
  said.add(geometry)
  const names = meshes.map(({ name, type }) => `'${name || type}'`).join(', ')
  console.warn(`<${component}> ${names}: ${report.assumption}. Mend the mesh if the body is not what you expect.`)
}
