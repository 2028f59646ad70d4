// Stories stand still for readers who have asked their system for little motion.
import { afterEach, expect, it, vi } from 'vitest'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

/** By a name that TypeScript does not follow: Storybook's own files have a build of their own. */
const previewPath = '../../.storybook/preview.js'

/** What Storybook starts a story with on a system of that setting. */
async function pausedAtStart(reduced: boolean): Promise<unknown> {
  vi.resetModules()
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: reduced && query === '(prefers-reduced-motion: reduce)',
  }))
  const { default: preview } = (await import(previewPath)) as { default: { initialGlobals: { paused: unknown } } }
  return preview.initialGlobals.paused
}

it('a story starts paused where little motion is asked for, and runs elsewhere', async () => {
  expect(await pausedAtStart(true)).toBe(true)
  expect(await pausedAtStart(false)).toBe(false)
})
