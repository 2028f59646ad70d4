// `npm run references [-- file]`: renews the pictures that the stories are compared with, of every story of the sidebar or
// of those in files whose path contains the filter. A picture that its story still passes stays as it is, and without a
// filter those of stories that are gone are removed. Look at what git says has changed before you commit it.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureChromium, ensureDependencies, root, runBin } from './setup.mjs'

const references = join(root, 'tests/visual/references')

/** Removes the pictures of stories that Vitest's JSON report does not know. */
function removeOrphans(/** @type {string} */ report) {
  /** @type {{ testResults: { assertionResults: { meta: { storyId?: string } }[] }[] }} */
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'))
  const stories = testResults.flatMap((file) => file.assertionResults.map((test) => test.meta.storyId))
  // Vitest writes one hyphen where an id has two.
  const files = new Set(stories.map((id) => `${id?.replace('--', '-')}.png`))
  for (const file of readdirSync(references)) {
    if (files.has(file)) continue
    rmSync(join(references, file))
    console.log(`Removed tests/visual/references/${file}: it has no story.`)
  }
}

await ensureDependencies()
await ensureChromium()

const filters = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'softbody-references-'))
const report = join(folder, 'report.json')
const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
process.env.REFERENCES = 'renew'
process.exitCode = await runBin('vitest', 'vitest', ['run', '--project', 'storybook', ...reporters, ...filters])
if (process.exitCode === 0 && filters.length === 0) removeOrphans(report)
rmSync(folder, { recursive: true })
