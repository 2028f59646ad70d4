// The world of every story: on the stage, wired to the toolbar, and driven by `window.__softbody` from outside.
import { useThree } from '@react-three/fiber'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { Vector3 } from 'three'
import { SoftBodyWorld, type SoftBodyWorldProps, type SoftBodyWorldRef, type Vec3 } from '../../src/index.js'
import { gravities, type StoryControls, useStoryControls } from './controls.js'
import { Stage, type StageProps } from './Stage.js'

/** Drives a story from outside, for pictures and tests. A new one takes its place when the world is mounted anew. */
export interface StoryHook {
  /** True once the world stands with all its bodies. */
  readonly ready: boolean
  readonly world: SoftBodyWorldRef
  /**
   * Takes `steps` fixed steps and resolves when they were drawn. The first call puts a new, paused world in place of
   * the running one: what follows depends on the number of steps alone, never on a clock.
   */
  run(steps: number): Promise<void>
  /** Where a point of the world is on the page: clientX and clientY [px]. */
  screenOf(point: Vec3): [number, number]
}

declare global {
  interface Window {
    __softbody?: StoryHook
  }
}

type WorldProps = Omit<SoftBodyWorldProps, 'children' | 'ref'>

export interface StoryWorldProps extends StageProps {
  /** Props of the world. */
  world?: WorldProps
}

/** `<Stage>` with a `<SoftBodyWorld>` on it. */
export function StoryWorld({ children, world, ...stage }: StoryWorldProps) {
  // Read here: contexts of the page do not reach everything inside a canvas.
  const controls = useStoryControls()
  return (
    <Stage {...stage}>
      <ControlledWorld controls={controls} world={world}>
        {children}
      </ControlledWorld>
    </Stage>
  )
}

function useSignal(signal: number, act: () => void): void {
  const seen = useRef(signal)
  useEffect(() => {
    if (seen.current === signal) return
    seen.current = signal
    act()
  })
}

function ControlledWorld(props: { controls: StoryControls; world: WorldProps | undefined; children: ReactNode }) {
  const { controls, world = {}, children } = props
  const ref = useRef<SoftBodyWorldRef>(null)
  const [held, setHeld] = useState(false)
  const waiting = useRef<(hook: StoryHook) => void>(null)
  const hold = () =>
    new Promise<StoryHook>((resolve) => {
      waiting.current = resolve
      setHeld(true)
    })
  useSignal(controls.stepSignal, () => ref.current?.step())
  useSignal(controls.resetSignal, () => ref.current?.reset())
  return (
    <SoftBodyWorld
      key={held ? 'held' : 'running'}
      {...world}
      ref={ref}
      paused={held || controls.paused || world.paused}
      gravity={controls.gravity === gravities.on ? world.gravity : controls.gravity}
      substeps={controls.substeps ?? world.substeps}
      debug={controls.debug || world.debug}
    >
      {children}
      <Hook world={ref} hold={held ? undefined : hold} onReady={(hook) => waiting.current?.(hook)} />
    </SoftBodyWorld>
  )
}

const nextFrame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve))

/** Stands last in the world, so that the bodies are there when its effect runs. */
function Hook(props: {
  world: RefObject<SoftBodyWorldRef | null>
  hold: (() => Promise<StoryHook>) | undefined
  onReady: (hook: StoryHook) => void
}) {
  const get = useThree((state) => state.get)
  const { world } = props
  const latest = useRef(props)
  useEffect(() => {
    latest.current = props
  })
  useEffect(() => {
    if (!world.current) throw new Error('The hook stands outside of a world.')
    const hook: StoryHook = {
      ready: true,
      world: world.current,
      async run(steps) {
        const { hold } = latest.current
        if (hold) return (await hold()).run(steps)
        hook.world.step(steps)
        get().advance(performance.now())
        // Shadows of contact are those of the frame before.
        get().invalidate(2)
        // Two frames: the first presents what was drawn, the second says that it did.
        await nextFrame()
        await nextFrame()
        // Nothing moves by itself from here on, and drawing it over and over is most of what a story costs.
        if (get().frameloop === 'always') get().setFrameloop('demand')
      },
      screenOf(point) {
        const { camera, gl } = get()
        const { left, top, width, height } = gl.domElement.getBoundingClientRect()
        const { x, y } = new Vector3(...point).project(camera)
        return [left + ((x + 1) / 2) * width, top + ((1 - y) / 2) * height]
      },
    }
    window.__softbody = hook
    latest.current.onReady(hook)
    return () => {
      if (window.__softbody === hook) delete window.__softbody
    }
  }, [world, get])
  return null
}
