// What the toolbar says, for stories: globals from Storybook, and presses of its step and reset buttons.
import { createContext, type ReactNode, useContext, useMemo, useSyncExternalStore } from 'react'
import type { DebugLayer } from '../../src/index.js'

/** Events on Storybook's channel which the toolbar's buttons send. */
export const STEP_EVENT = 'softbody/step'
export const RESET_EVENT = 'softbody/reset'

/** Acceleration of free fall for each choice of the toolbar [m/s^2]. */
export const gravities = {
  on: [0, -9.81, 0],
  off: [0, 0, 0],
  moon: [0, -1.62, 0],
  up: [0, 9.81, 0],
} as const satisfies Record<string, readonly [number, number, number]>

/** Choices of the toolbar for the debug layers; 'off' and 'all' are no layers of their own. */
export const debugChoices = [
  'off',
  'all',
  'tets',
  'edges',
  'particles',
  'contacts',
  'pins',
  'bounds',
] as const satisfies readonly ('off' | 'all' | DebugLayer)[]

/** The toolbar's state as Storybook keeps it: plain values, because they travel in the address. */
export interface ToolbarGlobals {
  paused: boolean
  gravity: keyof typeof gravities
  debug: (typeof debugChoices)[number]
  /** 0: the story's own. */
  substeps: number
}

/** True where the reader has asked their system for little motion: stories then stand still until they are told to play. */
export function prefersReducedMotion(): boolean {
  return globalThis.matchMedia?.('(prefers-reduced-motion: reduce)').matches ?? false
}

export const initialToolbarGlobals: ToolbarGlobals = { paused: false, gravity: 'on', debug: 'off', substeps: 0 }

export interface StoryControls {
  paused: boolean
  /** [m/s^2] */
  gravity: readonly [number, number, number]
  /** 1 to 40; undefined when the toolbar leaves it to the story. */
  substeps: number | undefined
  /** True for all layers, or the names of those to show. */
  debug: boolean | readonly DebugLayer[]
  /** Presses of "step" so far. Act when it changes: a story may mount after presses that were meant for another. */
  stepSignal: number
  /** Presses of "reset" so far. Act when it changes. */
  resetSignal: number
}

type Signals = Pick<StoryControls, 'stepSignal' | 'resetSignal'>

interface Channel {
  on(event: string, listener: () => void): void
}

/** Counts the presses of the toolbar's buttons; shared by every story on the page. */
export class SignalStore {
  private signals: Signals = { stepSignal: 0, resetSignal: 0 }
  private readonly listeners = new Set<() => void>()

  constructor(channel: Channel) {
    channel.on(STEP_EVENT, () => this.count('stepSignal'))
    channel.on(RESET_EVENT, () => this.count('resetSignal'))
  }

  readonly read = (): Signals => this.signals

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  private count(name: keyof Signals): void {
    this.signals = { ...this.signals, [name]: this.signals[name] + 1 }
    for (const listener of this.listeners) listener()
  }
}

function controlsFrom(globals: ToolbarGlobals, signals: Signals): StoryControls {
  const { paused, gravity, debug, substeps } = globals
  return {
    paused,
    gravity: gravities[gravity],
    substeps: substeps > 0 ? substeps : undefined,
    debug: debug === 'off' ? false : debug === 'all' ? true : [debug],
    ...signals,
  }
}

const Controls = createContext<StoryControls>(controlsFrom(initialToolbarGlobals, { stepSignal: 0, resetSignal: 0 }))

/** Hands the toolbar's state to a story; the decorator in `.storybook/preview.tsx` wraps every story with it. */
export function StoryControlsProvider(props: { globals: ToolbarGlobals; signals: SignalStore; children: ReactNode }) {
  const { children } = props
  const { paused, gravity, debug, substeps } = props.globals
  const signals = useSyncExternalStore(props.signals.subscribe, props.signals.read)
  const controls = useMemo(
    () => controlsFrom({ paused, gravity, debug, substeps }, signals),
    [paused, gravity, debug, substeps, signals],
  )
  return <Controls value={controls}>{children}</Controls>
}

/** The toolbar's state; neutral values where a story is rendered without Storybook. */
export function useStoryControls(): StoryControls {
  return useContext(Controls)
}
