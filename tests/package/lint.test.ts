// The rules that keep the engine free of React and alike on every machine are rules only if they catch a breach.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkSource } from '../../scripts/check-imports.mjs'

describe('import directions', () => {
  it.each([
    ['src/core/world.ts', "import { step } from '../backends/reference/step.js'"],
    ['src/core/world.ts', "import type { Group } from 'three'"],
    ['src/core/mesh/weld.ts', "export * from '../../react/props.js'"],
    ['src/core/mesh/weld.ts', "type Props = import('../../react/props.js').Props"],
    ['src/backends/select.ts', "const module = await import('../react/props.js')"],
    ['src/backends/select.ts', "import { readFileSync } from 'node:fs'"],
    ['src/headless.ts', "export { SoftBody } from './react/components/SoftBody.js'"],
    ['src/react/components/SoftBody.tsx', "import { Html } from '@react-three/drei'"],
    ['src/react/components/SoftBody.tsx', "import { useStoryControls } from '../../../stories/support/controls.js'"],
    ['scenes/pile.ts', "import { World } from '../src/core/world.js'"],
    ['scenes/pile.ts', "import { SoftBody } from '../src/index.js'"],
    ['stories/Cloth.stories.tsx', "import { World } from '../src/core/world.js'"],
    ['stories/support/World.tsx', "import { Cloth } from '../../src/react/components/Cloth.js'"],
    ['src/core/world.ts', "import { Clock } from './clock'"],
  ])('%s: refuses %s', (file, source) => {
    expect(checkSource(file, `\n${source}\n`)).toHaveLength(1)
    expect(checkSource(file, `\n${source}\n`)[0]).toContain(`${file}:2: `)
  })

  it.each([
    ['src/core/world.ts', "import { Clock } from './clock.js'"],
    ['src/core/mesh/weld.ts', "import { Vec3 } from '../vectors.js'"],
    ['src/backends/select.ts', "import { World } from '../core/world.js'"],
    ['src/headless.ts', "export { World } from './core/world.js'"],
    [
      'src/react/components/SoftBody.tsx',
      "import { BufferGeometry } from 'three'\nimport { World } from '../../core/world.js'",
    ],
    ['src/react/components/SoftBody.tsx', "import { mergeVertices } from 'three/addons/utils/BufferGeometryUtils.js'"],
    ['scenes/pile.ts', "import { World } from '../src/headless.js'"],
    ['stories/Cloth.stories.tsx', "import { Cloth } from '../src/index.js'\nimport { Html } from '@react-three/drei'"],
    ['tests/core/world.test.ts', "import { World } from '../../src/core/world.js'"],
  ])('%s: allows %s', (file, source) => {
    expect(checkSource(file, source)).toEqual([])
  })
})

describe('powers', () => {
  it.each(['src/core/a.ts', 'src/backends/a.ts', 'scenes/a.ts'])('%s: refuses **', (file) => {
    expect(checkSource(file, 'export const f = (x: number) => x ** 2')).toHaveLength(1)
    expect(checkSource(file, 'export let y = 1; y **= 3')).toHaveLength(1)
  })

  it('leaves React and multiplication alone', () => {
    expect(checkSource('src/react/a.ts', 'export const f = (x: number) => x ** 2')).toEqual([])
    expect(checkSource('src/core/a.ts', 'export const f = (x: number) => x * x')).toEqual([])
  })
})

describe('the linter in the engine', () => {
  const repository = fileURLToPath(new URL('../..', import.meta.url))
  const oxlint = join(repository, 'node_modules/oxlint/bin/oxlint')
  let folder = ''

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'softbody-lint-'))
    cpSync(join(repository, '.oxlintrc.json'), join(folder, '.oxlintrc.json'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const refused = [
    ['no-restricted-properties', 'export const a = (x: number) => Math.sin(x)'],
    ['no-restricted-properties', 'export const a = (x: number) => Math.hypot(x, 1)'],
    ['no-restricted-properties', 'export const a = (x: number) => Math.pow(x, 2)'],
    ['no-restricted-properties', 'const { cos } = Math\nexport const a = (x: number) => cos(x)'],
    ['no-restricted-properties', 'export const a = () => Math.random()'],
    ['no-restricted-globals', 'export const a = () => Date.now()'],
    ['no-restricted-globals', 'export const a = () => performance.now()'],
    ['no-restricted-globals', "export const a = () => console.log('a')"],
    ['no-explicit-any', 'export const a = (x: any) => x'],
  ] as const
  const allowed = [
    ['exactly rounded arithmetic', 'src/core/allowed.ts', 'export const a = (x: number) => Math.sqrt(Math.abs(x))'],
    [
      'a clock and sines outside the engine',
      'src/react/allowed.ts',
      'export const a = () => Math.sin(performance.now())',
    ],
  ] as const
  const plantedAt = (source: string) => `src/core/planted${refused.findIndex((one) => one[1] === source)}.ts`

  // Started once for all: that takes a second.
  const linted = new Map<string, string[]>()
  let read = 0
  beforeAll(() => {
    const sources = [
      ...refused.map(([, source]) => [plantedAt(source), source] as const),
      ...allowed.map(([, ...one]) => one),
    ]
    for (const [file, source] of sources) {
      const path = join(folder, file)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, source)
      linted.set(file, [])
    }
    const args = [oxlint, '--format=json', ...linted.keys()]
    const { stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
    const report: { diagnostics: { code: string; severity: string; filename: string }[]; number_of_files: number } =
      JSON.parse(stdout)
    read = report.number_of_files
    for (const { code, severity, filename } of report.diagnostics) linted.get(filename)!.push(`${severity} ${code}`)
  })

  it('reads all of them', () => {
    expect(read).toBe(refused.length + allowed.length)
  })

  it.each(refused)('%s refuses %s', (rule, source) => {
    const found = linted.get(plantedAt(source))!
    expect(found.filter((one) => one.startsWith('error') && one.includes(rule))).not.toEqual([])
  })

  it.each(allowed)('allows %s', (_, file) => {
    expect(linted.get(file)).toEqual([])
  })
})
