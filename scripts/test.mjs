// `npm test`: from a fresh clone to every test in one command. Arguments go to Vitest: `npm test -- tests/mesh`.
import { ensureChromium, ensureDependencies, runBin } from './setup.mjs'

await ensureDependencies()

const args = process.argv.slice(2)
const nodeOnly = /(^| )--project[= ]node( |$)/.test(args.join(' '))
if (!nodeOnly) await ensureChromium()

process.exitCode = await runBin('vitest', 'vitest', ['run', ...args])
