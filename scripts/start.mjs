// `npm start`: from a fresh clone to the Storybook in one command. `-- --ci` opens no browser window.
import { ensureDependencies, runBin } from './setup.mjs'

await ensureDependencies()

const args = process.argv.slice(2)
const quiet = process.env.CI && !args.includes('--ci') ? ['--ci'] : []
process.exitCode = await runBin('storybook', 'storybook', [
  'dev',
  '--port',
  '6006',
  '--disable-telemetry',
  ...quiet,
  ...args,
])
