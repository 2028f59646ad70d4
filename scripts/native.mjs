import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { transformWithOxc } from 'vite'

const root = fileURLToPath(new URL('..', import.meta.url))
const src = join(root, 'src/')

/**
 * Tests in Node load src by Node's own loader, rid of its types. Vitest's turns each use of an import into a call, which
 * costs the solver a quarter of its time. Not while tests are watched, or covered: then they need the sources themselves.
 *
 * @param {(code: string, file: string) => string} [change] what to do to a source first, and to what a test loads beside src
 * @returns {import('vite').Plugin}
 */
export function native(change = (code) => code) {
  /** @type {Promise<string> | undefined} */
  let folder
  return {
    name: 'native',
    enforce: 'pre',
    configureVitest({ vitest }) {
      if (!vitest.config.watch && !vitest.config.coverage.enabled) folder = compile(change)
    },
    async resolveId(source, importer) {
      if (!folder || !importer || !source.startsWith('.')) return null
      const file = resolve(dirname(importer), source)
      return file.startsWith(src) ? join(await folder, file.slice(src.length)) : null
    },
    transform(code, id) {
      const changed = change(code, id)
      return changed === code ? null : changed
    },
  }
}

/** @type {Map<string, ReturnType<typeof transformWithOxc>>} */
const compiled = new Map()

/** A source as JavaScript: what is compiled with many changes is compiled once where it is the same. */
async function compileOne(/** @type {string} */ code, /** @type {string} */ file) {
  const work = compiled.get(code) ?? transformWithOxc(code, file, { sourcemap: false })
  compiled.set(code, work)
  return (await work).code
}

/** All of src as JavaScript; below node_modules, from where it finds what it imports. It goes when the process does. */
async function compile(/** @type {(code: string, file: string) => string} */ change) {
  const folder = mkdtempSync(join(root, 'node_modules/.native-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  const sources = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file))
  await Promise.all(
    sources.map(async (source) => {
      const file = join(src, source)
      const out = join(folder, source.replace(/tsx?$/, 'js'))
      mkdirSync(dirname(out), { recursive: true })
      writeFileSync(out, await compileOne(change(readFileSync(file, 'utf8'), file), file))
    }),
  )
  return folder
}
