// Which Chromium the browser tests and the screenshots run in, and with which flags: the one place that says so.
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium } from 'playwright'

/** Names under which a system's own Chromium is found on PATH, best first. */
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** Quiet, and without the sandbox that root may not use. */
const COMMON_ARGS = [
  '--no-sandbox',
  '--ignore-gpu-blocklist',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]

/** Mesa's software renderer through EGL: far quicker than SwiftShader where there is no GPU. Linux only. */
const LINUX_ARGS = ['--use-gl=angle', '--use-angle=gl-egl', '--enable-unsafe-webgpu']

export const chromiumArgs = process.platform === 'linux' ? [...COMMON_ARGS, ...LINUX_ARGS] : COMMON_ARGS

/** @param {string} file */
function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/**
 * Looks for a Chromium: CHROMIUM_PATH, then the names above on PATH, then the one that Playwright has downloaded.
 * @returns {{ path: string, source: string } | undefined}
 */
export function findChromium() {
  const named = process.env.CHROMIUM_PATH
  if (named) {
    if (!isExecutable(named)) throw new Error(`CHROMIUM_PATH=${named}: no such executable. Correct it or unset it.`)
    return { path: named, source: 'CHROMIUM_PATH' }
  }
  for (const name of NAMES) {
    for (const folder of (process.env.PATH ?? '').split(delimiter)) {
      const file = join(folder, name)
      if (folder !== '' && isExecutable(file)) return { path: file, source: 'PATH' }
    }
  }
  const own = chromium.executablePath()
  return own !== '' && existsSync(own) ? { path: own, source: 'Playwright' } : undefined
}

/** Playwright's launch options; without a found browser Playwright tries, and names, its own. */
export function chromiumLaunchOptions() {
  const found = findChromium()
  return found ? { executablePath: found.path, args: chromiumArgs } : { args: chromiumArgs }
}
