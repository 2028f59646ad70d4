import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { bundle } from '../../scripts/bundle.mjs'

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
