// Makes a fresh clone ready to run, with nothing but Node and npm: dependencies first, then a browser.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

/** Ends the process with a message meant for people; `npm` adds its own trace below. */
export function fail(/** @type {string} */ message) {
  console.error(`\n${message}\n`)
  process.exit(1)
}

/**
 * Runs a command in the repository with our own terminal; gives its exit code, 127 when it could not be started.
 * Signals are handed on, so that a server never outlives the command that started it.
 * @param {string} command
 * @param {readonly string[]} args
 * @returns {Promise<number>}
 */
export function run(command, args) {
  // On Windows npm is a script, which only a shell can start.
  const shell = process.platform === 'win32' && command === 'npm'
  const child = spawn(command, args, { cwd: root, stdio: 'inherit', shell })
  const stop = (/** @type {NodeJS.Signals} */ signal) => child.kill(signal)
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  return new Promise((resolve) => {
    child.on('error', () => resolve(127))
    child.on('close', (code) => resolve(code ?? 1))
  }).finally(() => {
    process.off('SIGINT', stop)
    process.off('SIGTERM', stop)
  })
}

/** Runs the JavaScript entry of an installed package's command, which needs no shell on any system. */
export function runBin(/** @type {string} */ name, /** @type {string} */ bin, /** @type {readonly string[]} */ args) {
  const folder = join(root, 'node_modules', name)
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const entry = typeof manifest.bin === 'string' ? manifest.bin : manifest.bin[bin]
  return run(process.execPath, [join(folder, entry), ...args])
}

function runNpm(/** @type {readonly string[]} */ args) {
  const cli = process.env.npm_execpath
  return cli?.endsWith('.js') ? run(process.execPath, [cli, ...args]) : run('npm', args)
}

function readLock(/** @type {string} */ file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages ?? {}
}

/** Why node_modules in a folder does not match its package-lock.json, or undefined when it does. */
export function staleReason(/** @type {string} */ folder) {
  const record = join(folder, 'node_modules/.package-lock.json')
  if (!existsSync(record)) return 'node_modules is missing or incomplete'
  const wanted = readLock(join(folder, 'package-lock.json'))
  const installed = readLock(record)
  for (const [path, entry] of Object.entries(wanted)) {
    if (path === '') continue
    const found = installed[path]
    if (!found || !existsSync(join(folder, path))) {
      // Optional packages of other platforms are in the lock file and are rightly absent here.
      if (entry.optional || entry.devOptional || entry.peer) continue
      return `${path} is missing`
    }
    if (found.version !== entry.version) return `${path} is ${found.version}, package-lock.json says ${entry.version}`
  }
  return undefined
}

/** Installs the locked dependencies when node_modules is missing or stale. */
export async function ensureDependencies() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major < 20 || (major === 20 && minor < 19)) {
    fail(`This project needs Node 20.19 or newer; this is ${process.version}. See https://nodejs.org`)
  }
  const reason = staleReason(root)
  if (reason === undefined) return
  console.log(`Installing dependencies with npm ci: ${reason}.`)
  const code = await runNpm(['ci', '--no-audit', '--no-fund'])
  if (code !== 0) fail(`npm ci failed (exit code ${code}). The messages above say why; then run this again.`)
}

function isDebianRoot() {
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !existsSync('/etc/os-release')) return false
  return /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'))
}

async function installWithApt() {
  console.log('Chromium: none found, installing it with apt-get.')
  if ((await run('apt-get', ['update', '-qq'])) !== 0) return false
  const packages = ['chromium', 'libegl-mesa0', 'libgl1-mesa-dri']
  return (await run('env', ['DEBIAN_FRONTEND=noninteractive', 'apt-get', 'install', '-y', '-qq', ...packages])) === 0
}

async function installWithPlaywright() {
  console.log('Chromium: none found, downloading the one that Playwright offers.')
  return (await runBin('playwright', 'playwright', ['install', 'chromium'])) === 0
}

/** Finds or installs a Chromium that starts, and says which one. */
export async function ensureChromium() {
  // Imported late: the module needs the dependencies that were perhaps installed a moment ago.
  const { findChromium } = await import('./chromium.mjs')
  let found
  try {
    found = findChromium()
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error))
  }
  if (!found) {
    // A bare Debian lacks the libraries that a downloaded browser needs; its own package brings them along.
    const installers = isDebianRoot() ? [installWithApt, installWithPlaywright] : [installWithPlaywright]
    for (const install of installers) if (!found && (await install())) found = findChromium()
  }
  if (!found) {
    return fail(
      'No Chromium found and none could be installed. Install Chromium or Google Chrome, or set CHROMIUM_PATH to the executable. ' +
        'Tests that need no browser: npm test -- --project node',
    )
  }
  // Chrome on Windows opens a window instead of printing its version.
  if (process.platform === 'win32') return console.log(`Chromium: ${found.path} (${found.source})`)
  const probe = spawnSync(found.path, ['--version'], { encoding: 'utf8' })
  if (probe.status !== 0) {
    const remedy =
      found.source === 'Playwright' ? ' Perhaps libraries are missing: npx playwright install-deps chromium' : ''
    return fail(`Chromium at ${found.path} does not start: ${probe.error?.message ?? probe.stderr}${remedy}`)
  }
  console.log(`Chromium: ${found.path} (${found.source}), ${probe.stdout.trim()}`)
}
