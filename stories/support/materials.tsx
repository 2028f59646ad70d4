import { useEffect, useMemo } from 'react'
import { type BufferGeometry, Color, DoubleSide, type WebGLProgramParametersWithUniforms } from 'three'
import { paint } from './paint.js'

/** Keeps the undeformed positions, to which patterns stick: no uv, no seams, and they stretch with the body. */
export function withRest<G extends BufferGeometry>(geometry: G): G {
  if (!geometry.hasAttribute('rest')) geometry.setAttribute('rest', geometry.getAttribute('position').clone())
  return geometry
}

export interface Look {
  color?: string
  /** Drawn in the body's rest space: needs `withRest(geometry)`. */
  pattern?: 'none' | 'bands' | 'grid' | 'dots'
  /** Colour of the pattern. Default: a deeper `color`. */
  ink?: string
  /** Repeats of the pattern per unit of length. */
  scale?: number
}

// q: place in the pattern, w: width of a pixel there, n: normal of the rest shape, l: lines along each axis.
const patterns = {
  bands: 'smoothstep( .25 - w.y, .25 + w.y, abs( fract( q.y ) - .5 ) )',
  grid: 'max( l.x, max( l.y, l.z ) )',
  dots: '1. - smoothstep( .24 - m, .24 + m, length( fract( n.x > max( n.y, n.z ) ? q.yz : n.y > n.z ? q.xz : q.xy ) - .5 ) )',
}

function patternCode(pattern: keyof typeof patterns): string {
  return /* glsl */ `#include <color_fragment>
    vec3 q = vRest * uScale, w = fwidth( q ) * .75 + 1e-4, n = abs( normalize( cross( dFdx( q ), dFdy( q ) ) ) );
    float m = max( w.x, max( w.y, w.z ) );
    vec3 l = ( 1. - smoothstep( .035 - w, .035 + w, abs( fract( q ) - .5 ) ) ) * ( 1. - smoothstep( .75, .95, n ) );
    diffuseColor.rgb = mix( diffuseColor.rgb, uInk, ${patterns[pattern]} );`
}

// Translucency without a second pass: the blurred environment along the refracted ray and the key light leaving on the
// far side, both absorbed with depth (Beer-Lambert, N.V standing in for the thickness).
const jellyCode = /* glsl */ `
  float nv = saturate( dot( normal, geometryViewDir ) ), up = .5 + .5 * dot( normal, viewMatrix[ 1 ].xyz );
  vec3 tint = diffuseColor.rgb, ray = refract( - geometryViewDir, normal, .74 ), inside = vec3( 0. );
  #ifdef USE_ENVMAP
    inside = getIBLRadiance( - ray, normalize( cross( ray, vec3( .3, 1., .2 ) ) ), .3 );
  #endif
  #if NUM_DIR_LIGHTS > 0
    inside += directionalLights[ 0 ].color * .6 * pow( .5 - .5 * dot( normal, directionalLights[ 0 ].direction ), 1.5 );
  #endif
  float rim = pow( 1. - nv, 2.5 ) * ( .3 + .7 * up );
  outgoingLight = totalDiffuse * .4 + totalSpecular + inside * exp( - uDensity * nv * ( 1. - tint ) ) * tint + rim * .4 * tint;
  diffuseColor.a = mix( .8, 1., rim );
  #include <opaque_fragment>`

// Where antialiasing shades beside a silhouette, normals point away from the eye; a coat would be black there.
const coatCode = /* glsl */ `#include <clearcoat_normal_fragment_maps>
  #ifdef USE_CLEARCOAT
    normal = normalize( normal + max( 0., .1 - dot( normal, normalize( vViewPosition ) ) ) * normalize( vViewPosition ) );
    clearcoatNormal = normal;
  #endif`

function useLook({ color = '#888', pattern = 'none', ink, scale = 4 }: Look, density = 0) {
  return useMemo(
    () => ({
      color,
      customProgramCacheKey: () => `look-${pattern}-${density > 0}`,
      onBeforeCompile(shader: WebGLProgramParametersWithUniforms) {
        shader.uniforms.uInk = { value: ink ? new Color(ink) : new Color(color).offsetHSL(0, 0.03, -0.15) }
        shader.uniforms.uScale = { value: scale }
        shader.uniforms.uDensity = { value: density }
        const uniforms = 'uniform vec3 uInk;\nuniform float uScale, uDensity;\nvoid main() {'
        let fragment = shader.fragmentShader
          .replace('void main() {', uniforms)
          .replace('#include <clearcoat_normal_fragment_maps>', coatCode)
        if (pattern !== 'none') {
          const vertex = shader.vertexShader.replace('void main() {', 'void main() {\nvRest = rest;')
          shader.vertexShader = `attribute vec3 rest;\nvarying vec3 vRest;\n${vertex}`
          fragment = `varying vec3 vRest;\n${fragment.replace('#include <color_fragment>', patternCode(pattern))}`
        }
        shader.fragmentShader = density > 0 ? fragment.replace('#include <opaque_fragment>', jellyCode) : fragment
      },
    }),
    [color, pattern, ink, scale, density],
  )
}

// A material is made anew when its look changes, because its uniforms are set once, at compilation.
const keyOf = (look: object) => Object.values(look).join()

/** Translucent; `density` is how fast the body swallows light. */
export function Jelly({ density = 2.4, ...look }: Look & { density?: number }) {
  const shading = useLook(look, density)
  return <meshPhysicalMaterial key={keyOf({ ...look, density })} roughness={0.14} ior={1.4} transparent {...shading} />
}

/** Rubber or clay: matte, with a soft bloom towards the edges. */
export function Rubber(look: Look) {
  const shading = useLook(look)
  return (
    <meshPhysicalMaterial
      key={keyOf(look)}
      roughness={0.72}
      sheen={0.5}
      sheenRoughness={0.45}
      sheenColor={look.color}
      {...shading}
    />
  )
}

/** Balloon or vinyl: a saturated body under a glossy coat. */
export function Balloon(look: Look) {
  const shading = useLook(look)
  return (
    <meshPhysicalMaterial key={keyOf(look)} roughness={0.42} clearcoat={1} clearcoatRoughness={0.06} {...shading} />
  )
}

// Thin cloth also shows the light that falls on its other side.
function seeThrough(shader: WebGLProgramParametersWithUniforms): void {
  shader.fragmentShader = shader.fragmentShader.replace(
    '#include <lights_fragment_end>',
    /* glsl */ `#include <lights_fragment_end>
    #if NUM_DIR_LIGHTS > 0
      reflectedLight.directDiffuse += diffuseColor.rgb * directionalLights[ 0 ].color * .16
        * saturate( - dot( normal, directionalLights[ 0 ].direction ) );
    #endif`,
  )
}

export interface FabricLook {
  color?: string
  ink?: string
  weave?: 'plain' | 'stripes' | 'check' | 'grid'
  /** Repeats of the pattern over the whole cloth, across and down. */
  repeat?: [number, number]
}

/** Cloth: a pattern in two colours over a fine over-and-under weave, on the mesh's uv. */
export function Fabric({ color = '#f6efe2', ink = '#4381e0', weave = 'stripes', repeat }: FabricLook) {
  const [x, y] = repeat ?? [6, 6]
  const map = useMemo(() => {
    const ground = new Color(color)
    const dye = new Color(ink)
    const mixed = new Color()
    const threads = 24
    const texture = paint(256, (u, v) => {
      const share = {
        plain: 0,
        stripes: Number(u < 0.4),
        check: (Number(u < 0.5) + Number(v < 0.5)) / 2,
        grid: Number(u < 0.08 || v < 0.08),
      }[weave]
      const over = (Math.floor(u * threads) + Math.floor(v * threads)) % 2 ? u : v
      return mixed
        .copy(ground)
        .lerp(dye, share)
        .multiplyScalar(0.8 + 0.2 * Math.abs(Math.sin(over * threads * Math.PI)))
    })
    texture.repeat.set(x, y)
    return texture
  }, [weave, color, ink, x, y])
  useEffect(() => () => map.dispose(), [map])
  return (
    <meshPhysicalMaterial
      key={map.uuid}
      map={map}
      side={DoubleSide}
      roughness={0.9}
      sheen={0.6}
      sheenRoughness={0.6}
      sheenColor={color}
      onBeforeCompile={seeThrough}
    />
  )
}

/** Rope: strands that wind about each other, on the uv of a `<Rope>`; `thread` runs along one of them. */
export function Twine({ color = '#d9c09a', thread }: { color?: string; thread?: string }) {
  const map = useMemo(() => {
    const ground = new Color(color)
    const dye = new Color(thread ?? color)
    const mixed = new Color()
    return paint(128, (u, v) => {
      const strand = (3 * (u + v)) % 3
      const round = Math.sin((strand % 1) * Math.PI)
      const fibre = Math.sin((strand + 4 * (u - v)) * 6 * Math.PI)
      return mixed.copy(strand < 1 ? dye : ground).multiplyScalar(0.45 + 0.5 * Math.sqrt(round) + 0.05 * fibre)
    })
  }, [color, thread])
  useEffect(() => () => map.dispose(), [map])
  return <meshPhysicalMaterial key={map.uuid} map={map} roughness={0.9} sheen={0.4} sheenColor={color} />
}
