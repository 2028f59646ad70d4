import { useEffect, useMemo } from 'react'
import { CanvasTexture, SRGBColorSpace } from 'three'

interface LabelProps {
  position: [number, number, number]
  /** One line, or two with a line break. */
  children: string
  /** Width of the plate [m]. */
  width?: number
}

/** Words that stand on the floor in front of a body. */
export function Label({ position, children, width = 1 }: LabelProps) {
  const texture = useMemo(() => {
    const canvas = document.createElement('canvas')
    canvas.width = 512
    canvas.height = 160
    const pen = canvas.getContext('2d')!
    pen.fillStyle = '#6b5f58'
    pen.textAlign = 'center'
    children.split('\n').forEach((line, k) => {
      pen.font = k === 0 ? '600 54px system-ui, sans-serif' : '52px system-ui, sans-serif'
      pen.fillText(line, 256, 60 + k * 66, 500) // narrower where it would not fit
    })
    const made = new CanvasTexture(canvas)
    made.colorSpace = SRGBColorSpace
    made.anisotropy = 8
    return made
  }, [children])
  useEffect(() => () => texture.dispose(), [texture])
  return (
    <mesh position={position} rotation-x={-0.9} scale={[width, (width * 160) / 512, 1]} renderOrder={1}>
      <planeGeometry />
      <meshBasicMaterial key={texture.uuid} map={texture} transparent toneMapped={false} depthWrite={false} />
    </mesh>
  )
}
