// Written without JSX: the manager's bundler compiles that to a global `React`, which is not there.
import { createElement, Fragment } from 'react'
import { Button, ToggleButton } from 'storybook/internal/components'
import { addons, types, useChannel, useGlobals } from 'storybook/manager-api'
import { create } from 'storybook/theming/create'
import { RESET_EVENT, STEP_EVENT } from '../stories/support/controls.js'

const look = { padding: 'small', variant: 'ghost' } as const

function WorldTools() {
  const [globals, updateGlobals] = useGlobals()
  const emit = useChannel({})
  const paused = Boolean(globals.paused)
  const toggle = {
    ...look,
    pressed: paused,
    ariaLabel: 'Pause the world',
    onClick: () => updateGlobals({ paused: !paused }),
  }
  const step = { ...look, ariaLabel: 'Take one fixed step', onClick: () => emit(STEP_EVENT) }
  const reset = { ...look, ariaLabel: 'Reset the world', onClick: () => emit(RESET_EVENT) }
  return createElement(
    Fragment,
    null,
    createElement(ToggleButton, toggle, 'Pause'),
    createElement(Button, step, 'Step'),
    createElement(Button, reset, 'Reset'),
  )
}

addons.register('softbody', () => {
  addons.add('softbody/tools', {
    type: types.TOOL,
    title: 'World',
    match: ({ viewMode, tabId }) => viewMode === 'story' && !tabId,
    render: () => createElement(WorldTools),
  })
})

addons.setConfig({ theme: create({ base: 'light', brandTitle: 'react-three-softbody', brandTarget: '_self' }) })
