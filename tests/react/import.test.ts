import { describe, expect, it } from 'vitest'

describe('the package on a server', () => {
  it('imports without a page', async () => {
    expect(typeof window).toBe('undefined')
    expect(typeof document).toBe('undefined')
    const library = await import('../../src/index.js')
    expect(Object.keys(library).sort()).toEqual([
      'Attach',
      'Attractor',
      'Bounds',
      'Cloth',
      'Collider',
      'DebugView',
      'Ground',
      'Particles',
      'Pin',
      'SettingError',
      'SoftBody',
      'SoftBodyStats',
      'SoftBodyWorld',
      'Spring',
      'Weld',
      'Wind',
      'attachProps',
      'attractorProps',
      'boundsProps',
      'boxColliderProps',
      'capsuleColliderProps',
      'clothProps',
      'compoundColliderProps',
      'cylinderColliderProps',
      'debugViewProps',
      'groundProps',
      'heightfieldColliderProps',
      'hullColliderProps',
      'meshColliderProps',
      'particlesProps',
      'pinProps',
      'planeColliderProps',
      'preload',
      'softBodyProps',
      'softBodyStatsProps',
      'sphereColliderProps',
      'springProps',
      'useAfterStep',
      'useBeforeStep',
      'useSoftBody',
      'useSoftBodyWorld',
      'weldProps',
      'windProps',
      'worldProps',
    ])
  })
})
