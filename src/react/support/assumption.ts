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

/** Times off that a count may be without a word: whole cells come out at up to 1.3. */
const FAR = 1.5
const counted = new WeakSet<object>()

/** In development, says once of a geometry that its body has far more or fewer tetrahedra than were wanted. */
export function warnOfCount(component: string, { geometry }: BodySource, { report }: Shape, wanted?: number): void {
  if (!report || wanted === undefined || counted.has(geometry) || !isDevelopment()) return
  const { tetCount } = report
  if (tetCount <= FAR * wanted && wanted <= FAR * tetCount) return
  counted.add(geometry)
  const remedy = `Use tetCount={${tetCount}}, or a resolution: thin parts and whole cells allow no nearer count`
  console.warn(`<${component}> tetCount={${wanted}}: it has ${tetCount} tetrahedra. ${remedy}.`)
}
