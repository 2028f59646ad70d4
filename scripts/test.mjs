// `npm test`: from a fresh clone to a test of every law in one command; `npm test -- --long` plays more cases of many.
// Other arguments go to Vitest: `npm test -- tests/mesh`.
import { ensureChromium, ensureDependencies, runBin } from './setup.mjs'

await ensureDependencies()

const given = process.argv.slice(2)
// For tests/support/long.ts.
if (given.includes('--long')) process.env.LONG = '1'
const args = given.filter((arg) => arg !== '--long')
const nodeOnly = /(^| )--project[= ]node( |$)/.test(args.join(' '))
if (!nodeOnly) await ensureChromium()

process.exitCode = await runBin('vitest', 'vitest', ['run', ...args])
