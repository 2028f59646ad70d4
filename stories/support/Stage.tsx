import { Environment, Lightformer, OrbitControls } from '@react-three/drei'
import { Canvas, type CanvasProps, useThree } from '@react-three/fiber'
import { type ReactNode, useLayoutEffect } from 'react'
import { Color, NeutralToneMapping, type PerspectiveCamera } from 'three'
import { Backdrop } from './Backdrop.js'
import { prefersReducedMotion } from './controls.js'
import { type Theme, themes } from './themes.js'

type Point = [number, number, number]

export interface StageProps extends Omit<CanvasProps, 'camera' | 'children'> {
  theme?: keyof typeof themes
  /** Side of the square around the origin in which shadows fall [m]: keep it close around the subject. */
  floor?: number
  camera?: { position?: Point; target?: Point; fov?: number }
  /** Soft darkening where bodies touch the floor: one small extra pass a frame. */
  contact?: boolean
  children?: ReactNode
}

/** Points the camera, and widens its view in narrow frames so that the subject keeps its width. */
function Frame({ target: [x, y, z], fov }: { target: Point; fov: number }) {
  const camera = useThree((state) => state.camera) as PerspectiveCamera
  const { width, height } = useThree((state) => state.size)
  useLayoutEffect(() => {
    const widen = Math.max(1, (1.5 * height) / width)
    camera.fov = (360 / Math.PI) * Math.atan(Math.tan((fov * Math.PI) / 360) * widen)
    camera.lookAt(x, y, z)
    camera.updateProjectionMatrix()
  }, [camera, width, height, fov, x, y, z])
  return null
}

/** The key light comes first: the materials read it as `directionalLights[0]`. */
function Lights({ theme, floor }: { theme: Theme; floor: number }) {
  const half = floor * 0.62
  return (
    <>
      <directionalLight
        castShadow
        position={[-floor * 0.45, floor * 0.95, floor * 0.5]}
        intensity={theme.key}
        color="#fff6ea"
        shadow-mapSize={[1024, 1024]}
        shadow-radius={2.2}
        shadow-bias={-0.0004}
        shadow-normalBias={0.02}
      >
        <orthographicCamera attach="shadow-camera" args={[-half, half, half, -half, floor * 0.2, floor * 2.2]} />
      </directionalLight>
      <directionalLight
        position={[floor * 0.6, floor * 0.5, -floor * 0.8]}
        intensity={theme.rim}
        color={theme.rimColor}
      />
    </>
  )
}

/** Panels of light that show as reflections, baked once. No picture is loaded. */
function Panels({ theme }: { theme: Theme }) {
  return (
    <Environment key={theme.glow} resolution={256} frames={1} environmentIntensity={theme.fill}>
      <color attach="background" args={[new Color(theme.glow).multiplyScalar(0.8)]} />
      <Lightformer intensity={7} position={[-0.5, 6, 1.5]} scale={[5, 2.6, 1]} target={[0, 0, 0]} />
      <Lightformer intensity={8} position={[-6, 2.2, 2.5]} scale={[1.3, 5, 1]} target={[0, 0, 0]} color="#fff0dd" />
      <Lightformer intensity={6} position={[6, 2, -1]} scale={[0.9, 6, 1]} target={[0, 0, 0]} color="#dfe9ff" />
      <Lightformer intensity={0.35} position={[0, -3, 0]} scale={[9, 9, 1]} target={[0, 0, 0]} color={theme.glow} />
    </Environment>
  )
}

/** A canvas with light, shadow, a floor at y = 0 and a camera that can be turned. */
export function Stage({ theme: name = 'light', floor = 8, camera, contact = true, ...rest }: StageProps) {
  const { children, ...canvas } = rest
  const theme = themes[name]
  const { position = [0, 2.2, 7.5], target = [0, 0.9, 0], fov = 30 } = camera ?? {}
  return (
    <Canvas
      shadows="percentage"
      dpr={[1, 1.75]}
      style={{ height: '100vh' }}
      camera={{ position, fov, near: 0.1, far: 100 }}
      gl={{ antialias: true, toneMapping: NeutralToneMapping, toneMappingExposure: theme.exposure }}
      {...canvas}
    >
      <Frame target={target} fov={fov} />
      <Lights theme={theme} floor={floor} />
      <Panels theme={theme} />
      <Backdrop theme={theme} size={floor} contact={contact} />
      <fog attach="fog" args={[theme.edge, floor * 1.6, floor * 5]} />
      {children}
      <OrbitControls
        makeDefault
        target={target}
        enablePan={false}
        enableDamping={!prefersReducedMotion()}
        maxPolarAngle={1.52}
        minDistance={1}
        maxDistance={floor * 3}
      />
    </Canvas>
  )
}
