import { Rubber } from './materials.js'
import { wood } from './themes.js'

interface RailProps {
  position?: [number, number, number]
  /** Between the posts [m]. */
  width: number
  /** Of the rod above the floor [m]. */
  height: number
}

/** Two posts and a rod, to hang a cloth from. */
export function Rail({ position, width, height }: RailProps) {
  return (
    <group position={position}>
      <mesh castShadow receiveShadow position-y={height} rotation-z={Math.PI / 2}>
        <capsuleGeometry args={[0.032, width + 0.16, 8, 24]} />
        <Rubber color={wood} />
      </mesh>
      {[-width / 2, width / 2].map((x) => (
        <group key={x} position-x={x}>
          <mesh castShadow receiveShadow position-y={height / 2}>
            <cylinderGeometry args={[0.024, 0.024, height, 20]} />
            <Rubber color={wood} />
          </mesh>
          <mesh castShadow receiveShadow position-y={0.025}>
            <cylinderGeometry args={[0.15, 0.165, 0.05, 48]} />
            <Rubber color={wood} />
          </mesh>
        </group>
      ))}
    </group>
  )
}
