import { type Body, clothModel, type Elastic, World } from '../../src/headless.js'

const { PI, cos, sin } = Math

/** A sheet of 0.7 by 1.2 m whose upper and lower rows are held; `wind` turns each about its length, and brings them nearer. */
export function woundCloth(
  nx: number,
  ny: number,
  elastic: Elastic = {},
): { world: World; body: Body; wind: (turns: number) => void } {
  const world = new World({ gravity: [0, 0, 0] })
  const { model } = clothModel({ width: 0.7, height: 1.2, segmentsX: nx, segmentsY: ny })
  const body = world.addBody(model, { selfCollision: true, damping: 0.8, elastic })
  const upper = Array.from({ length: nx + 1 }, (_, i) => i)
  const held = [...upper, ...upper.map((i) => ny * (nx + 1) + i)]
  body.pin(held)
  const wind = (turns: number) => {
    for (const i of held) {
      const [x, y] = [model.positions[i * 3]!, model.positions[i * 3 + 1]!]
      const angle = Math.sign(y) * PI * turns
      body.movePin(i, [x * cos(angle), y - Math.sign(y) * 0.05 * turns, -x * sin(angle)])
    }
  }
  return { world, body, wind }
}
