import type { Decorator, Preview } from '@storybook/react-vite'
import { addons } from 'storybook/preview-api'
import {
  debugChoices,
  gravities,
  initialToolbarGlobals,
  prefersReducedMotion,
  SignalStore,
  StoryControlsProvider,
  type ToolbarGlobals,
} from '../stories/support/controls.js'
import { size } from '../stories/support/picture.js'

const signals = new SignalStore(addons.getChannel())

const withControls: Decorator = (Story, { globals }) => (
  <StoryControlsProvider globals={globals as unknown as ToolbarGlobals} signals={signals}>
    <Story />
  </StoryControlsProvider>
)

// As a test, a page as small as its picture: drawing in software is most of what a test costs.
const testViewport = {
  defaultViewport: 'picture',
  options: { picture: { name: 'Picture', styles: { width: `${size.width}px`, height: `${size.height}px` } } },
}

const substepChoices = [1, 2, 4, 6, 8, 10, 15, 20, 30, 40]

const preview: Preview = {
  tags: ['autodocs'],
  decorators: [withControls],
  initialGlobals: { ...initialToolbarGlobals, paused: prefersReducedMotion() },
  globalTypes: {
    // Paused has a button of its own, in manager.ts.
    paused: { description: 'Whether the world stands still' },
    gravity: {
      description: 'Gravity',
      toolbar: {
        icon: 'arrowdown',
        dynamicTitle: true,
        items: Object.entries(gravities).map(([value, [, y]]) => ({
          value,
          title: `Gravity ${value}`,
          right: `${y} m/s²`,
        })),
      },
    },
    substeps: {
      description: 'Substeps a step',
      toolbar: {
        icon: 'timer',
        dynamicTitle: true,
        items: [
          { value: 0, title: 'Substeps: story' },
          ...substepChoices.map((value) => ({ value, title: `Substeps: ${value}` })),
        ],
      },
    },
    debug: {
      description: 'Debug layers',
      toolbar: {
        icon: 'eye',
        dynamicTitle: true,
        items: debugChoices.map((value) => ({ value, title: `Debug ${value}` })),
      },
    },
  },
  parameters: {
    layout: 'fullscreen',
    ...('__vitest_browser__' in globalThis && { viewport: testViewport }),
    // After how many steps a story's picture is taken, unless it says so itself.
    shots: { steps: 180 },
    controls: { expanded: true, sort: 'requiredFirst' },
    a11y: { test: 'error' },
    docs: { story: { inline: false, height: '400px' } },
  },
}

export default preview
