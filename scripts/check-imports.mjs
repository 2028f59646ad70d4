// Holds the import directions of docs/architecture.md, and what no linter rule can say about the engine's arithmetic.
// `node scripts/check-imports.mjs` checks the repository and exits with 1 when something is out of place.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'vite'

/**
 * A folder (or file), the folders it may import from, and the packages it may import.
 * The first layer whose `path` holds a file is the file's layer.
 * @typedef {{ path: string, folders: readonly string[], packages: readonly string[], exact?: boolean }} Layer
 */

const STORY_PACKAGES = [
  'react',
  'react-dom',
  'three',
  '@react-three/fiber',
  '@react-three/drei',
  '@pmndrs/assets',
  'bunny',
  'storybook',
  '@storybook/react-vite',
  '@storybook/addon-docs',
]

/** @type {readonly Layer[]} `exact`: same bits on every machine, so only exactly rounded operators. */
const LAYERS = [
  { path: 'src/core', folders: ['src/core'], packages: [], exact: true },
  { path: 'src/backends', folders: ['src/core', 'src/backends'], packages: [], exact: true },
  { path: 'src/headless.ts', folders: ['src/core', 'src/backends'], packages: [], exact: true },
  { path: 'src', folders: ['src'], packages: ['react', 'three', '@react-three/fiber'] },
  { path: 'scenes', folders: ['scenes', 'src/headless.ts'], packages: [], exact: true },
  { path: 'stories', folders: ['stories', 'scenes', 'src/index.ts', 'src/headless.ts'], packages: STORY_PACKAGES },
  { path: '.storybook', folders: ['.storybook', 'stories'], packages: STORY_PACKAGES },
]

const FOLDERS = ['src', 'scenes', 'stories', '.storybook']

/** @param {string} file @param {string} path */
function within(file, path) {
  return file === path || file.startsWith(`${path}/`)
}

/** @param {string} specifier */
function packageName(specifier) {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}

/** The repository's file behind a relative import: `./world.js` is written in `world.ts` or `world.tsx`. */
function sourceOf(/** @type {string} */ file, /** @type {string} */ specifier) {
  return posix
    .join(posix.dirname(file), specifier)
    .replace(/\.js$/, '.ts')
    .replace(/\.jsx$/, '.tsx')
}

/**
 * What an import of `specifier` from `file` breaks, or undefined.
 * @param {Layer} layer
 * @param {string} file
 * @param {string} specifier
 */
function importFault(layer, file, specifier) {
  if (!specifier.startsWith('.')) {
    if (layer.packages.includes(packageName(specifier))) return undefined
    return `${layer.path} may not import the package '${specifier}' (may: ${layer.packages.join(', ') || 'none'})`
  }
  if (!/\.\w+$/.test(specifier)) return `'${specifier}' needs its extension: '${specifier}.js'`
  const target = sourceOf(file, specifier)
  if (layer.folders.some((folder) => within(target, folder))) return undefined
  return `${layer.path} may not import '${target}' (may: ${layer.folders.join(', ')})`
}

/**
 * Calls `visit` with every node of a syntax tree.
 * @param {unknown} value
 * @param {(node: any) => void} visit
 */
function walk(value, visit) {
  if (value === null || typeof value !== 'object') return
  if ('type' in value) visit(value)
  for (const child of Object.values(value)) walk(child, visit)
}

/**
 * The faults of one file, as `path:line: what`.
 * @param {string} file path relative to the repository, with forward slashes
 * @param {string} source
 * @returns {string[]}
 */
export function checkSource(file, source) {
  const layer = LAYERS.find(({ path }) => within(file, path))
  if (!layer) return []
  const { program, errors } = parseSync(file, source)
  if (errors.length > 0) return [`${file}: ${errors[0]?.message}`]
  /** @type {string[]} */
  const faults = []
  walk(program, (node) => {
    const report = (/** @type {string} */ what) => {
      faults.push(`${file}:${source.slice(0, node.start).split('\n').length}: ${what}`)
    }
    // Every way of naming another module has a `source`: import, export ... from, import() and import('...').Type.
    if (node.source?.type === 'Literal') {
      const fault = importFault(layer, file, String(node.source.value))
      if (fault) report(fault)
    }
    if (layer.exact && (node.operator === '**' || node.operator === '**=')) {
      report('`**` is not rounded alike on every machine: multiply instead')
    }
  })
  return faults
}

/** The files of one folder that can import, relative to the repository. */
function sourceFiles(/** @type {string} */ root, /** @type {string} */ folder) {
  if (!existsSync(`${root}/${folder}`)) return []
  const names = readdirSync(`${root}/${folder}`, { recursive: true, encoding: 'utf8' })
  return names.filter((name) => /\.tsx?$/.test(name)).map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
}

/** The faults of every file under `root`. */
export function checkRepository(/** @type {string} */ root) {
  const files = FOLDERS.flatMap((folder) => sourceFiles(root, folder))
  return files.flatMap((file) => checkSource(file, readFileSync(`${root}/${file}`, 'utf8')))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const faults = checkRepository(fileURLToPath(new URL('..', import.meta.url)))
  for (const fault of faults) console.error(fault)
  process.exitCode = faults.length > 0 ? 1 : 0
}
