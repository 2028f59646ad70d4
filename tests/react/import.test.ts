import { describe, expect, it } from 'vitest'

describe('the package on a server', () => {
  it('imports without a page', async () => {
    expect(typeof window).toBe('undefined')
    expect(typeof document).toBe('undefined')
    const library = await import('../../src/index.js')
    expect(Object.keys(library).sort()).toEqual([
      'Attach',
      'Cloth',
      'Collider',
      'DebugView',
      'Ground',
      'Pin',
      'SettingError',
      'SoftBody',
      'SoftBodyStats',
      'SoftBodyWorld',
      'Wind',
      'attachProps',
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
      'pinProps',
      'planeColliderProps',
      'preload',
      'softBodyProps',
      'softBodyStatsProps',
      'sphereColliderProps',
      'useAfterStep',
      'useBeforeStep',
      'useSoftBody',
      'useSoftBodyWorld',
      'windProps',
      'worldProps',
    ])
  })
})
