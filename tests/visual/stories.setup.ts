// Set up for the stories as tests: each story of the sidebar, once it has been tested, takes its set number of steps and
// is compared with tests/visual/references/<story id>.png. Steps are counted, so no clock has a part in the picture.
import { afterEach, expect } from 'vitest'
import { page } from 'vitest/browser'
// For `window.__softbody`.
import '../../stories/support/World.js'
import { size } from '../../stories/support/picture.js'

/** The longest that a story may take to load or to be resized [ms]. Software rendering is slow. */
const TIMEOUT = 60_000

/** The story that has just been tested, as Storybook leaves it on the context of a test. */
interface StoryUnderTest {
  id: string
  tags: string[]
  parameters: { shots: { steps: number } }
}

// Words are drawn with the fonts that a machine has, so pictures are taken without any: on canvases, and around them.
CanvasRenderingContext2D.prototype.fillText = () => {}
const withoutWords = document.createElement('style')
withoutWords.textContent = 'body *:not(:has(canvas)):not(canvas) { visibility: hidden !important }'

const nextFrame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve))

/** The canvas of the story, once its world stands and it fills the small page. */
async function smallCanvas(): Promise<HTMLCanvasElement> {
  await page.viewport(size.width, size.height)
  const end = performance.now() + TIMEOUT
  while (performance.now() < end) {
    const canvas = document.querySelector('canvas')
    if (window.__softbody?.ready && canvas?.width === size.width && canvas.height === size.height) return canvas
    await nextFrame()
  }
  throw new Error(
    `The story shows no world on a canvas of ${size.width} x ${size.height} px within ${TIMEOUT / 1000} s.`,
  )
}

/** Compares the canvas as it stands. Vitest captures it until it stands still, and has no limit of its own. */
async function expectReference(canvas: HTMLCanvasElement, id: string): Promise<void> {
  let limit: number | undefined
  const moving = new Promise<never>((_, reject) => {
    limit = window.setTimeout(() => reject(new Error('It does not stand still: what moves must go by steps.')), TIMEOUT)
  })
  // Not expect.element: that tries again when it fails.
  await Promise.race([expect(canvas).toMatchScreenshot(id), moving]).finally(() => window.clearTimeout(limit))
}

afterEach(async (context) => {
  const { story } = context as typeof context & { story?: StoryUnderTest }
  if (!story?.tags.includes('dev') || context.task.result?.state === 'fail') return
  const canvas = await smallCanvas()
  await window.__softbody!.run(story.parameters.shots.steps)
  document.head.append(withoutWords)
  try {
    await expectReference(canvas, story.id)
  } catch (error) {
    const file = context.task.file.filepath.split('/').pop()
    const advice =
      `The picture of ${story.id} is not its reference in tests/visual/references. Look at what is named below; ` +
      `if it is meant to look so, or is new: npm run references -- ${file}, and commit the picture.`
    throw Object.assign(error as Error, { message: `${advice}\n\n${(error as Error).message}` })
  } finally {
    withoutWords.remove()
  }
})
