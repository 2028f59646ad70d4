import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { storybookTest } from '@storybook/addon-vitest/vitest-plugin'
import react from '@vitejs/plugin-react'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { chromiumLaunchOptions } from './scripts/chromium.mjs'
import { native } from './scripts/native.mjs'
import { cells, tolerance } from './tests/visual/compare.js'

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url))

function browser() {
  return {
    enabled: true,
    headless: true,
    screenshotFailures: false,
    provider: playwright({ launchOptions: chromiumLaunchOptions() }),
    instances: [{ browser: 'chromium' as const }],
  }
}

/** Pages that test side by side: a story is for the most part the solver at work, on one core. */
const pages = Math.min(4, availableParallelism())

/** A browser on a busy machine can miss a moment. What fails twice is a fault; what passed at the second try is reported. */
const retry = process.env.CI ? 1 : 0

/** Set by `npm run references`. Otherwise no test writes what it is compared with. */
const renewReferences = process.env.REFERENCES === 'renew'

/** How the stories are compared with their pictures; tests/visual/stories.setup.ts takes them. */
const toMatchScreenshot = {
  comparators: { cells },
  comparatorName: 'cells' as const,
  comparatorOptions: tolerance,
  // None: its timer would keep the process alive. tests/visual/stories.setup.ts has one.
  timeout: 0,
  resolveScreenshotPath: ({ arg, ext }: { arg: string; ext: string }) =>
    `${folder('tests/visual/references')}/${arg}${ext}`,
  resolveDiffPath: ({ arg, ext }: { arg: string; ext: string }) => `${folder('shots/visual')}/${arg}${ext}`,
}

export default defineConfig({
  plugins: [react()],
  test: {
    passWithNoTests: false,
    update: renewReferences ? 'all' : 'none',
    attachmentsDir: 'shots/attachments',
    projects: [
      {
        extends: true,
        plugins: [native()],
        test: {
          name: 'node',
          environment: 'node',
          include: ['tests/**/*.test.{ts,tsx}'],
          exclude: ['**/*.browser.test.{ts,tsx}'],
          setupFiles: ['tests/support/act-environment.ts'],
          // Many files in one process: it loads what they test, and compiles the solver, once.
          isolate: false,
          // One a core: the default leaves one for the main thread, which has little to do. Browsers have theirs after it.
          maxWorkers: availableParallelism(),
          // A loop without end is all that it is to stop: how long a law takes is the machine's affair.
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          sequence: { groupOrder: 1 },
          include: ['tests/**/*.browser.test.{ts,tsx}'],
          setupFiles: ['tests/support/act-environment.ts'],
          maxWorkers: pages,
          testTimeout: 60_000,
          retry,
          browser: browser(),
        },
      },
      {
        extends: true,
        plugins: [
          // Stories beside the sidebar have no picture.
          storybookTest({
            configDir: folder('.storybook'),
            tags: { include: [renewReferences ? 'dev' : 'test'], exclude: process.env.LONG ? [] : ['long'] },
          }),
        ],
        test: {
          name: 'storybook',
          sequence: { groupOrder: 1 },
          setupFiles: ['tests/visual/stories.setup.ts'],
          maxWorkers: pages,
          testTimeout: 180_000,
          hookTimeout: 180_000,
          retry,
          // Each page for many: to load three, drei and the stories' stage again takes as long as many a story does.
          isolate: false,
          browser: { ...browser(), isolate: false, expect: { toMatchScreenshot } },
        },
      },
    ],
  },
})
