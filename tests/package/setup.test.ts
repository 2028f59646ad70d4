// What `npm start` and `npm test` decide on a machine: whether to install, and which browser to take.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { findChromium } from '../../scripts/chromium.mjs'
import { staleReason } from '../../scripts/setup.mjs'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'softbody-setup-'))
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

type Lock = Record<string, { version: string; optional?: boolean }>

/** Writes what is locked and what is installed, with a folder for each installed package. */
function install(wanted: Lock, installed: Lock) {
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages: { '': {}, ...wanted } }))
  for (const path of Object.keys(installed)) mkdirSync(join(folder, path), { recursive: true })
  writeFileSync(join(folder, 'node_modules/.package-lock.json'), JSON.stringify({ packages: installed }))
}

const a = { 'node_modules/a': { version: '1.0.0' } }
const b = { 'node_modules/b': { version: '1.0.0' } }

describe('dependencies', () => {
  it('are fresh when every locked package is there', () => {
    install({ ...a, ...b }, { ...a, ...b })
    expect(staleReason(folder)).toBeUndefined()
  })

  it('are fresh without the optional packages of other platforms', () => {
    install({ ...a, 'node_modules/darwin': { version: '1.0.0', optional: true } }, a)
    expect(staleReason(folder)).toBeUndefined()
  })

  it('are stale when nothing is installed', () => {
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages: a }))
    expect(staleReason(folder)).toContain('node_modules is missing')
  })

  it('are stale when a package is missing, of another version, or was deleted', () => {
    install({ ...a, ...b }, a)
    expect(staleReason(folder)).toBe('node_modules/b is missing')
    install({ 'node_modules/a': { version: '2.0.0' } }, a)
    expect(staleReason(folder)).toBe('node_modules/a is 1.0.0, package-lock.json says 2.0.0')
    install(a, a)
    rmSync(join(folder, 'node_modules/a'), { recursive: true })
    expect(staleReason(folder)).toBe('node_modules/a is missing')
  })
})

describe('the browser', () => {
  function program(name: string) {
    const file = join(folder, name)
    writeFileSync(file, '')
    chmodSync(file, 0o755)
    return file
  }

  it('is the one that CHROMIUM_PATH names, before any on PATH', () => {
    program('chromium')
    vi.stubEnv('PATH', folder)
    vi.stubEnv('CHROMIUM_PATH', program('mine'))
    expect(findChromium()).toEqual({ path: join(folder, 'mine'), source: 'CHROMIUM_PATH' })
  })

  it('is never another one when CHROMIUM_PATH is wrong', () => {
    program('chromium')
    vi.stubEnv('PATH', folder)
    vi.stubEnv('CHROMIUM_PATH', join(folder, 'absent'))
    expect(() => findChromium()).toThrow(/CHROMIUM_PATH=.*absent: no such executable/)
  })

  it('is Chromium on PATH before Chrome, wherever on PATH they lie', () => {
    vi.stubEnv('CHROMIUM_PATH', '')
    mkdirSync(join(folder, 'first'))
    program('first/google-chrome')
    vi.stubEnv('PATH', [join(folder, 'first'), folder].join(delimiter))
    expect(findChromium()?.path).toBe(join(folder, 'first/google-chrome'))
    program('chromium')
    expect(findChromium()).toEqual({ path: join(folder, 'chromium'), source: 'PATH' })
  })
})
