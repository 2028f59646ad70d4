// Bundles TypeScript into one module that plain Node runs: what is timed or watched must not carry a test runner.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

/**
 * @param {string} entry path of a .ts file, relative to the repository
 * @returns {Promise<{ file: string, remove: () => void }>} the module, and what deletes it again
 */
export async function bundle(entry) {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const outDir = mkdtempSync(join(tmpdir(), 'softbody-'))
  const name = basename(entry, '.ts')
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    build: {
      ssr: join(root, entry),
      outDir,
      emptyOutDir: false,
      minify: false,
      rolldownOptions: { output: { entryFileNames: `${name}.mjs` } },
    },
  })
  return { file: join(outDir, `${name}.mjs`), remove: () => rmSync(outDir, { recursive: true }) }
}
