// `npm run shots [-- filter]`: a picture of every story of the sidebar whose id contains the filter, into shots/<story id>.png, and
// shots/contact-sheet.png with all of them. A story stands still, takes a set number of steps and is captured, so that
// a picture depends on no clock. The number is the story's parameter `shots: { steps }`.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright'
import { preview } from 'vite'
import { chromiumLaunchOptions } from './chromium.mjs'
import { fail, root, runBin } from './setup.mjs'

const VIEWPORT = { width: 960, height: 600 }
/** The longest that a story may take to load, or to run its steps [ms]. Software rendering is slow. */
const TIMEOUT = 120_000

const args = process.argv.slice(2)
const reuse = args.includes('--no-build')
const filter = args.find((argument) => !argument.startsWith('--')) ?? ''
const built = join(root, 'storybook-static')
const out = join(root, 'shots')

async function buildStorybook() {
  if (reuse && existsSync(join(built, 'index.json'))) return
  const code = await runBin('storybook', 'storybook', [
    'build',
    '--output-dir',
    built,
    '--disable-telemetry',
    '--quiet',
  ])
  if (code !== 0) fail('The Storybook did not build: see above.')
}

/** Ids of the stories to capture, in Storybook's own order. */
function storyIds() {
  /** @type {{ id: string, type: string, tags: string[] }[]} */
  const entries = Object.values(JSON.parse(readFileSync(join(built, 'index.json'), 'utf8')).entries)
  return entries
    .filter(({ id, type, tags }) => type === 'story' && tags.includes('dev') && id.includes(filter))
    .map(({ id }) => id)
}

/**
 * @typedef {{ ready: boolean, run(steps: number): Promise<void> }} StoryHook what stories/support/World.tsx offers
 * @typedef {{ story?: { parameters: { shots: { steps: number } } } }} StoryRender Storybook's own, one per mounted story
 * @typedef {Window & { __softbody?: StoryHook, __STORYBOOK_PREVIEW__?: { storyRenders: StoryRender[] } }} StoryWindow
 */

/**
 * Opens a story, steps it and captures its canvas.
 * @param {import('playwright').Page} page
 * @param {string} url
 * @param {string} file
 */
async function capture(page, url, file) {
  await page.goto(url, { waitUntil: 'load' })
  const failed = page.locator('.sb-show-errordisplay #error-message')
  const ready = page.waitForFunction(() => /** @type {StoryWindow} */ (window).__softbody?.ready, undefined, {
    timeout: TIMEOUT,
  })
  const broken = failed.waitFor({ state: 'visible', timeout: TIMEOUT }).then(async () => {
    throw new Error(await failed.innerText())
  })
  broken.catch(() => {})
  await Promise.race([ready, broken])
  await page.evaluate(async () => {
    const { __softbody, __STORYBOOK_PREVIEW__ } = /** @type {StoryWindow} */ (window)
    const story = __STORYBOOK_PREVIEW__?.storyRenders[0]?.story
    if (!story) throw new Error('Storybook shows no story.')
    await __softbody?.run(story.parameters.shots.steps)
  })
  await page.locator('canvas').first().screenshot({ path: file, timeout: TIMEOUT })
}

/**
 * Lays the pictures out on one page and captures that.
 * @param {import('playwright').Browser} browser
 * @param {readonly string[]} ids
 */
async function contactSheet(browser, ids) {
  const cells = ids.map((id) => {
    const picture = readFileSync(join(out, `${id}.png`)).toString('base64')
    return `<figure><img src="data:image/png;base64,${picture}"><figcaption>${id}</figcaption></figure>`
  })
  const page = await browser.newPage({ viewport: { width: 1480, height: 400 } })
  await page.setContent(`<style>
    body { margin: 16px; display: grid; grid-template-columns: repeat(3, 1fr); gap: 16px; font: 14px sans-serif }
    figure { margin: 0 } img { width: 100%; display: block } figcaption { padding: 4px 0 }
  </style>${cells.join('')}`)
  await page.screenshot({ path: join(out, 'contact-sheet.png'), fullPage: true })
  await page.close()
}

await buildStorybook()
const ids = storyIds()
if (ids.length === 0) fail(`No story's id contains '${filter}'.`)

if (filter === '') rmSync(out, { recursive: true, force: true })
mkdirSync(out, { recursive: true })
const server = await preview({
  root,
  configFile: false,
  build: { outDir: built },
  preview: { port: 6107, strictPort: false },
  logLevel: 'error',
})
const browser = await chromium.launch(chromiumLaunchOptions())
/** @type {string[]} */
const done = []
/** @type {string[]} */
const failures = []
try {
  for (const id of ids) {
    // A page of its own: WebGL contexts and the hook of one story never meet the next.
    const page = await browser.newPage({ viewport: VIEWPORT, deviceScaleFactor: 1 })
    page.setDefaultTimeout(TIMEOUT)
    try {
      await capture(page, `${server.resolvedUrls?.local[0]}iframe.html?id=${id}&viewMode=story`, join(out, `${id}.png`))
      done.push(id)
      console.log(`shots/${id}.png`)
    } catch (error) {
      failures.push(id)
      console.error(`${id}: ${error instanceof Error ? error.message : String(error)}`)
    } finally {
      await page.close()
    }
  }
  if (done.length > 0) await contactSheet(browser, done)
} finally {
  await browser.close()
  await server.close()
}
console.log(
  `${done.length} captured, ${failures.length} failed${failures.length > 0 ? `: ${failures.join(', ')}` : ''}`,
)
process.exitCode = failures.length > 0 ? 1 : 0
