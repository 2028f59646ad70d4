import type { Scene } from '../../scenes/index.js'
import { World } from '../../src/headless.js'

/** FNV-1a (Fowler, Noll, Vo) over 32-bit words, two lanes of different start. */
class Hash {
  private low = 0x811c9dc5
  private high = 0x01000193

  add(values: Float64Array): void {
    for (const word of new Uint32Array(values.buffer, values.byteOffset, values.length * 2)) {
      this.low = Math.imul(this.low ^ word, 0x01000193)
      // A second lane sees the words turned, so that a change in high bits reaches low ones too.
      this.high = Math.imul(this.high ^ ((word << 16) | (word >>> 16)), 0x01000193)
    }
  }

  toString(): string {
    return [this.high, this.low].map((lane) => (lane >>> 0).toString(16).padStart(8, '0')).join('')
  }
}

/** Hash of the bits of every position and velocity, `steps` steps into a scene. */
export function sceneHash(scene: Scene, steps: number): string {
  const world = new World()
  scene(world)
  for (let k = 0; k < steps; k++) world.step()
  const hash = new Hash()
  for (const body of world.bodies) {
    const column = new Float64Array(body.particleCount * 3)
    hash.add(body.readPositions(column))
    hash.add(body.readVelocities(column))
  }
  world.dispose()
  return hash.toString()
}
