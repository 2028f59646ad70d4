import { ContactShadows } from '@react-three/drei'
import { useThree } from '@react-three/fiber'
import { useEffect, useMemo } from 'react'
import { Color, MathUtils, type WebGLProgramParametersWithUniforms } from 'three'
import { paint } from './paint.js'
import type { Theme } from './themes.js'

// The shadow takes 5 taps and, only where they disagree (a penumbra), 20 more.
const floorShadow = /* glsl */ `
  float floorShadow() {
    #if NUM_DIR_LIGHT_SHADOWS > 0 && defined( SHADOWMAP_TYPE_PCF )
      vec3 c = vDirectionalShadowCoord[ 0 ].xyz / vDirectionalShadowCoord[ 0 ].w;
      if ( any( lessThan( c, vec3( 0. ) ) ) || any( greaterThan( c, vec3( 1. ) ) ) ) return 0.;
      vec2 r = 3. * directionalLightShadows[ 0 ].shadowRadius / directionalLightShadows[ 0 ].shadowMapSize;
      float phi = interleavedGradientNoise( gl_FragCoord.xy ) * PI2, lit = 0.;
      for ( int i = 0; i < 5; i ++ )
        lit += .2 * texture( directionalShadowMap[ 0 ], vec3( c.xy + r * vogelDiskSample( i, 5, phi ), c.z ) );
      if ( lit < .01 || lit > .99 ) return 1. - lit;
      lit = 0.;
      for ( int i = 0; i < 20; i ++ )
        lit += .05 * texture( directionalShadowMap[ 0 ], vec3( c.xy + r * vogelDiskSample( i, 20, phi ), c.z ) );
      return 1. - lit;
    #else
      return 1. - getShadowMask();
    #endif
  }
  void main() {`

function softShadow(shader: WebGLProgramParametersWithUniforms): void {
  shader.fragmentShader = shader.fragmentShader
    .replace('void main() {', floorShadow)
    .replace('1.0 - getShadowMask()', 'floorShadow()')
}

function useTextures(theme: Theme) {
  const { glow, edge, pool } = theme
  const textures = useMemo(() => {
    const centre = new Color(glow)
    const rim = new Color(edge)
    const { r, g, b } = new Color(pool)
    const mixed = new Color()
    const away = (u: number, v: number) => MathUtils.smoothstep(Math.hypot(u - 0.5, (v - 0.5) * 0.9), 0.05, 0.85)
    const inside = (u: number, v: number) => 1 - MathUtils.smoothstep(Math.hypot(u - 0.5, v - 0.5), 0, 0.5)
    return {
      wall: paint(512, (u, v) => mixed.copy(centre).lerp(rim, away(u, v)), false),
      pool: paint(128, (u, v) => ({ r, g, b, a: inside(u, v) }), false),
    }
  }, [glow, edge, pool])
  useEffect(
    () => () => {
      textures.wall.dispose()
      textures.pool.dispose()
    },
    [textures],
  )
  return textures
}

/**
 * What stands behind and below everything. The floor has no colour of its own, only a pool of light and a tinted shadow
 * over the backdrop, so there is no horizon to hide. `size` is the side of the square in which shadows fall [m].
 */
export function Backdrop({ theme, size, contact }: { theme: Theme; size: number; contact: boolean }) {
  const scene = useThree((state) => state.scene)
  const { wall, pool } = useTextures(theme)
  useEffect(() => {
    scene.background = wall
    return () => {
      scene.background = null
    }
  }, [scene, wall])
  return (
    <group rotation-x={-Math.PI / 2}>
      {/* Depth alone: what dips a hair below the floor is hidden. */}
      <mesh position-z={-0.006} renderOrder={-9} scale={size * 6}>
        <planeGeometry />
        <meshBasicMaterial colorWrite={false} />
      </mesh>
      <mesh position-z={-0.004} renderOrder={-3} scale={size * 1.5}>
        <planeGeometry />
        <meshBasicMaterial
          key={pool.uuid}
          map={pool}
          transparent
          opacity={theme.poolOpacity}
          toneMapped={false}
          depthWrite={false}
          fog={false}
        />
      </mesh>
      <mesh position-z={-0.002} renderOrder={-2} receiveShadow scale={size * 1.4}>
        <planeGeometry />
        <shadowMaterial
          color={theme.shadow}
          opacity={theme.shadowOpacity}
          toneMapped={false}
          depthWrite={false}
          onBeforeCompile={softShadow}
        />
      </mesh>
      {contact && (
        <ContactShadows
          rotation-x={Math.PI}
          renderOrder={-1}
          scale={size}
          resolution={256}
          far={size * 0.12}
          blur={1.6}
          opacity={theme.contactOpacity}
          color={theme.shadow}
        />
      )}
    </group>
  )
}
