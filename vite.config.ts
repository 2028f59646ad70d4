import { fileURLToPath } from 'node:url'
import { storybookTest } from '@storybook/addon-vitest/vitest-plugin'
import react from '@vitejs/plugin-react'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { chromiumLaunchOptions } from './scripts/chromium.mjs'

const configDir = fileURLToPath(new URL('.storybook', import.meta.url))

function browser() {
  return {
    enabled: true,
    headless: true,
    screenshotFailures: false,
    provider: playwright({ launchOptions: chromiumLaunchOptions() }),
    instances: [{ browser: 'chromium' as const }],
  }
}

export default defineConfig({
  plugins: [react()],
  test: {
    passWithNoTests: false,
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          environment: 'node',
          include: ['tests/**/*.test.{ts,tsx}'],
          exclude: ['**/*.browser.test.{ts,tsx}'],
          setupFiles: ['tests/support/act-environment.ts'],
          testTimeout: 30_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['tests/**/*.browser.test.{ts,tsx}'],
          setupFiles: ['tests/support/act-environment.ts'],
          testTimeout: 30_000,
          browser: browser(),
        },
      },
      {
        extends: true,
        plugins: [storybookTest({ configDir })],
        test: { name: 'storybook', testTimeout: 90_000, browser: browser() },
      },
    ],
  },
})
