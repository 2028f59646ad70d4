import { useMemo, useRef } from 'react'
import type { Group } from 'three'
import { Cloth, Pin, useBeforeStep } from '../../src/index.js'
import { Fabric, type FabricLook } from './materials.js'
import { Rail } from './Rail.js'

interface CurtainProps {
  position?: [number, number, number]
  /** Of the flat cloth [m]. */
  width: number
  height: number
  /** Of the rod above the floor [m]. */
  rod: number
  /** Width of the hanging cloth in that of the flat one, 0 to 1. */
  gather?: number
  /** Time in which the rings slide together [s]. */
  closing?: number
  look?: FabricLook
}

const RINGS = 7
/** Segments of the cloth between two rings. */
const SPACING = 6

/** Cloth on rings along a rod. The rings slide together at first, and the cloth falls into folds. */
export function Curtain({ position, width, height, rod, gather = 0.78, closing = 0.35, look }: CurtainProps) {
  const columns = (RINGS - 1) * SPACING
  const rows = Math.round((columns * height) / width)
  return (
    <group position={position}>
      <Rail width={width + 0.2} height={rod} />
      <Cloth
        args={[width, height, columns, rows]}
        position={[0, rod - 0.03 - height / 2, 0]}
        damping={0.8}
        bendRigidity={1e-3}
        castShadow
        receiveShadow
      >
        <Fabric {...look} />
        {Array.from({ length: RINGS }, (_, k) => (
          <Ring key={k} number={k} travel={(0.5 - k / (RINGS - 1)) * width * (1 - gather)} closing={closing} />
        ))}
      </Cloth>
    </group>
  )
}

/** Holds one vertex of the top edge and slides by `travel` [m]; a little forward or back, so that folds can begin. */
function Ring({ number, travel, closing }: { number: number; travel: number; closing: number }) {
  const group = useRef<Group>(null)
  const at = useMemo(() => [number * SPACING], [number])
  useBeforeStep(({ time }) => {
    const t = Math.min(1, time / closing)
    const share = t * t * (3 - 2 * t)
    group.current?.position.set(share * travel, 0, share * (number % 2 ? 0.03 : -0.03))
  })
  return <Pin ref={group} at={at} />
}
