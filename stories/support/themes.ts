// Colours of the stage and of what stands on it.

/** Six colours that sit well together on both backdrops. */
export const palette = {
  coral: '#f0615c',
  apricot: '#f59a4a',
  butter: '#f4c95d',
  mint: '#45b99c',
  azure: '#4381e0',
  plum: '#7d55c7',
} as const

export const wood = '#c79c6e'

export interface Theme {
  /** Backdrop in its centre and at its edge. */
  glow: string
  edge: string
  /** Light on the floor below the subject. */
  pool: string
  poolOpacity: number
  shadow: string
  shadowOpacity: number
  contactOpacity: number
  /** Intensities of the lights; the fill is the environment's. */
  key: number
  rim: number
  rimColor: string
  fill: number
  exposure: number
}

export const themes = {
  light: {
    glow: '#f8f4ee',
    edge: '#ded5c9',
    pool: '#fffdf9',
    poolOpacity: 0.65,
    shadow: '#4a3d3c',
    shadowOpacity: 0.42,
    contactOpacity: 0.8,
    key: 2,
    rim: 1.2,
    rimColor: '#fff1de',
    fill: 0.72,
    exposure: 1,
  },
  dark: {
    glow: '#2b3048',
    edge: '#0d0f17',
    pool: '#5a648f',
    poolOpacity: 0.5,
    shadow: '#05060c',
    shadowOpacity: 0.6,
    contactOpacity: 0.85,
    key: 2.3,
    rim: 2.6,
    rimColor: '#a9c4ff',
    fill: 0.95,
    exposure: 1,
  },
} satisfies Record<string, Theme>
