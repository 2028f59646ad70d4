// What play functions use: the story's hook, and a pointer that is made of events.
import { expect, waitFor } from 'storybook/test'
import { type Body, isHealthy, type MutableVec3 } from '../../src/headless.js'
import type { StoryHook } from './World.js'

/** The hook of the story, once its world stands. */
export async function storyHook(): Promise<StoryHook> {
  await waitFor(() => expect(window.__softbody?.ready).toBe(true), { timeout: 20_000 })
  return window.__softbody!
}

/**
 * Holds the story, takes `steps` steps and returns the hook as it is then, with no guard of the engine fired. From then on
 * `hook.world.step` takes steps without drawing each.
 */
export async function run(steps: number): Promise<StoryHook> {
  const hook = await runGuarded(steps)
  await expect(isHealthy(hook.world.stats)).toBe(true)
  return hook
}

/** `run` for a story whose point it is that a guard of the engine acts. */
export async function runGuarded(steps: number): Promise<StoryHook> {
  await (await storyHook()).run(steps)
  return storyHook()
}

/** Takes steps, ten at a time, until all bodies sleep, or `most` of them. */
export function runUntilAsleep({ world }: StoryHook, most: number): void {
  for (let step = 0; step < most && world.stats.sleeping < world.world.bodies.length; step += 10) world.step(10)
}

/** Body number `k` in the order of mounting. */
export function bodyOf(hook: StoryHook, k = 0): Body {
  const body = hook.world.world.bodies[k]
  if (!body) throw new Error(`The story has no body ${k}.`)
  return body
}

export const centerOf = (body: Body): MutableVec3 => body.centerOfMass([0, 0, 0])
export const boundsOf = (body: Body): Float64Array => body.bounds(new Float64Array(6))

/** Speed of the centre of mass [m/s]. */
export const speedOf = (body: Body): number => Math.hypot(...body.velocity([0, 0, 0]))

/**
 * Largest change of the distance between two particles since `before` [m]; each is paired with one half the list away.
 * A body that has moved or turned as a whole has none. Particles that were at `height` [m] or above do not count.
 */
export function deformation(body: Body, before: Float64Array, height = Number.POSITIVE_INFINITY): number {
  const now = positionsOf(body)
  const half = 3 * Math.floor(body.particleCount / 2)
  const distance = (points: Float64Array, k: number) =>
    Math.hypot(...[0, 1, 2].map((d) => points[k + d]! - points[k + half + d]!))
  let most = 0
  for (let k = 0; k < half; k += 3) {
    if (Math.max(before[k + 1]!, before[k + half + 1]!) >= height) continue
    most = Math.max(most, Math.abs(distance(now, k) - distance(before, k)))
  }
  return most
}

export function positionsOf(body: Body): Float64Array {
  return body.readPositions(new Float64Array(3 * body.particleCount))
}

/** A mouse of synthetic events on the canvas, at places of the page [px]. */
export function mouseOn(canvas: Element) {
  const send = (type: string, [clientX, clientY]: readonly [number, number], buttons: number) =>
    canvas.dispatchEvent(
      new PointerEvent(type, {
        bubbles: true,
        cancelable: true,
        pointerId: 7,
        pointerType: 'mouse',
        button: type === 'pointermove' ? -1 : 0,
        buttons,
        clientX,
        clientY,
      }),
    )
  return {
    down: (at: readonly [number, number]) => send('pointerdown', at, 1),
    move: (at: readonly [number, number]) => send('pointermove', at, 1),
    up: (at: readonly [number, number]) => send('pointerup', at, 0),
  }
}
