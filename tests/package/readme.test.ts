import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { bundle } from '../../scripts/bundle.mjs'
import { presets } from '../../src/headless.js'
import {
  attachProps,
  attractorProps,
  boundsProps,
  boxColliderProps,
  capsuleColliderProps,
  clothProps,
  compoundColliderProps,
  cutProps,
  cylinderColliderProps,
  debugViewProps,
  groundProps,
  heightfieldColliderProps,
  hullColliderProps,
  meshColliderProps,
  type PropTable,
  particlesProps,
  pinProps,
  planeColliderProps,
  ragdollProps,
  ropeProps,
  softBodyProps,
  softBodyStatsProps,
  sphereColliderProps,
  springProps,
  weldProps,
  windProps,
  worldProps,
} from '../../src/react/props.js'

const root = resolve(import.meta.dirname, '../..')
const readme = readFileSync(join(root, 'README.md'), 'utf8')
const snippets = [...readme.matchAll(/```(tsx?)\n([\s\S]*?)```/g)].map(([, kind, text]) => ({ kind, text: text! }))

it('has a snippet for each way of use', () => {
  expect(snippets.length).toBeGreaterThanOrEqual(4)
  expect(snippets.some(({ kind }) => kind === 'ts')).toBe(true)
})

it('shows pictures that are there', () => {
  const pictures = [...readme.matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map(([, path]) => path!)
  expect(pictures.length).toBeGreaterThan(0)
  for (const path of pictures) expect(existsSync(join(root, path)), path).toBe(true)
})

/** Rows of the README's tables: what stands in their first cell, and the others together. */
const rows = [...readme.matchAll(/^\| (`.*?|every.*?) \| (.*) \|$/gm)].map(
  ([, name, cells]) => [name!, cells!] as const,
)
const rowOf = (name: string) => rows.find(([label]) => label.includes(name))?.[1] ?? ''

/** What a row says of the defaults: `name` and the value right after it. */
function defaultsIn(row: string): [prop: string, value: unknown][] {
  const stated = /`(\w+)` (true|false|Infinity|'[\w-]+'|\[[\d., [\]-]+\]|-?\d[\d.]*(?: \d{3})*(?:\/\d+)?)(?![\w-])/g
  return [...row.matchAll(stated)].map(([, prop, text]) => {
    const [above, below = 1] = text!
      .replaceAll(/(\d) (?=\d{3})/g, '$1')
      .split('/')
      .map(Number)
    const number = above! / below
    return [prop!, Number.isNaN(number) ? JSON.parse(text!.replaceAll("'", '"')) : number]
  })
}

const everyBody = rowOf('every body')
const everyCollider = rowOf('every collider')
/** For each component: its table, what its row begins with, and the row that holds for it beside its own. */
const components: [label: string, table: PropTable, others?: string][] = [
  ['`SoftBodyWorld`', worldProps],
  ['`SoftBody`', softBodyProps, everyBody],
  ['`Cloth`', clothProps, everyBody],
  ['`Rope`', ropeProps, everyBody],
  ['`Ragdoll`', ragdollProps, everyBody],
  ['`Particles`', particlesProps, everyBody],
  ['`Wind`', windProps],
  ['`Cut`', cutProps],
  ['`Ground`', groundProps, everyCollider],
  ['`Collider.Plane`', planeColliderProps, everyCollider],
  ['`.Box`', boxColliderProps, everyCollider],
  ['`.Sphere`', sphereColliderProps, everyCollider],
  ['`.Capsule`', capsuleColliderProps, everyCollider],
  ['`.Cylinder`', cylinderColliderProps, everyCollider],
  ['`Collider.Mesh`', meshColliderProps, everyCollider],
  ['`Collider.Heightfield`', heightfieldColliderProps, everyCollider],
  ['`Collider.Hull`', hullColliderProps, everyCollider],
  ['`Collider.Compound`', compoundColliderProps, everyCollider],
  ['`Bounds`', boundsProps, everyCollider],
  ['`Pin`', pinProps],
  ['`Attach`', attachProps],
  ['`Spring`', springProps],
  ['`Weld`', weldProps],
  ['`Attractor`', attractorProps],
  ['`DebugView`', debugViewProps],
  ['`SoftBodyStats`', softBodyStatsProps],
]

it.each(components)('names every prop of %s, with the defaults that it has', (label, table, others = '') => {
  const own = rowOf(label)
  const missing = Object.keys(table).filter((prop) => !new RegExp(`\\b${prop}\\b`).test(`${own} ${others}`))
  expect(missing).toEqual([])
  const stated = new Map([...defaultsIn(others), ...defaultsIn(own)])
  for (const [prop, value] of stated) {
    if (others.includes(`\`${prop}\``) && !(prop in table)) continue // not every body has every prop of bodies
    expect({ [prop]: table[prop]?.default }).toEqual({ [prop]: value })
  }
})

it('tells what the presets set', () => {
  const header = readme.match(/^\| preset \|.*$/m)![0].split(' | ')
  for (const [name, preset] of Object.entries(presets)) {
    const cells = readme.match(new RegExp(`^\\| \`${name}\` \\|.*$`, 'm'))![0].split(' | ')
    for (const prop of ['density', 'friction', 'rollingFriction', 'restitution', 'shapeDamping'] as const) {
      expect({ [name]: { [prop]: Number(cells[header.indexOf(`\`${prop}\``)]) } }).toEqual({
        [name]: { [prop]: preset[prop] },
      })
    }
  }
})

// A folder inside the checkout, so that the snippets find its packages.
it('compiles every snippet of the README as a user would', () => {
  const folder = mkdtempSync(join(root, 'node_modules/.readme-'))
  try {
    snippets.forEach(({ kind, text }, k) => writeFileSync(join(folder, `snippet${k}.${kind}`), text))
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        extends: join(root, 'tsconfig.base.json'),
        compilerOptions: {
          jsx: 'react-jsx',
          lib: ['ES2023', 'DOM', 'DOM.Iterable'],
          typeRoots: [join(root, 'node_modules/@types')],
          types: ['node'],
          paths: {
            'react-three-softbody': [join(root, 'src/index.ts')],
            'react-three-softbody/core': [join(root, 'src/headless.ts')],
          },
        },
        include: ['*.ts', '*.tsx'],
      }),
    )
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    expect(() => execFileSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' })).not.toThrow()
  } finally {
    rmSync(folder, { recursive: true })
  }
})

it('runs the headless snippet in plain Node and finds the cube on the ground', async () => {
  const { text } = snippets.find(({ kind }) => kind === 'ts')!
  const folder = mkdtempSync(join(root, 'node_modules/.readme-'))
  try {
    const report = 'console.log(JSON.stringify({ out: [...out], volume: body.volume() }))'
    const program = text
      .replace("'react-three-softbody/core'", JSON.stringify(join(root, 'src/headless.ts')))
      .replace(/console\.log.*$/m, report)
    expect(program).toContain(report)
    writeFileSync(join(folder, 'snippet.ts'), program)
    const bundled = await bundle(relative(root, join(folder, 'snippet.ts')))
    const printed = execFileSync(process.execPath, [bundled.file], { encoding: 'utf8' })
    bundled.remove()
    const { out, volume } = JSON.parse(printed) as { out: number[]; volume: number }
    expect(out.every(Number.isFinite)).toBe(true)
    expect(Math.min(...out.filter((_, k) => k % 3 === 1))).toBeGreaterThanOrEqual(0)
    expect(Math.abs(volume - 1)).toBeLessThan(0.05)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
