import { type RootState, useThree } from '@react-three/fiber'
import { act, create } from '@react-three/test-renderer'
import { createRef, type ReactNode, type RefObject, StrictMode } from 'react'
import type { BufferGeometry, Mesh } from 'three'
import { vi } from 'vitest'
import type { SoftBodyWorldProps, SoftBodyWorldRef } from '../../src/index.js'
import { SoftBodyWorld } from '../../src/index.js'

/** A canvas that takes listeners and says how many it has. */
export class TestCanvas extends EventTarget {
  readonly style = {}
  width = 1280
  height = 800
  clientWidth = 1280
  clientHeight = 800
  listenerCount = 0

  override addEventListener(...args: Parameters<EventTarget['addEventListener']>): void {
    this.listenerCount++
    super.addEventListener(...args)
  }

  override removeEventListener(...args: Parameters<EventTarget['removeEventListener']>): void {
    this.listenerCount--
    super.removeEventListener(...args)
  }

  getBoundingClientRect() {
    return { left: 0, top: 0, width: this.width, height: this.height }
  }

  setPointerCapture(): void {
    throw new DOMException('a synthetic pointer', 'NotFoundError')
  }
}

/** Stands for the renderer: draws nothing and counts its frames. */
function createRenderer(canvas: unknown) {
  return {
    domElement: canvas,
    xr: { enabled: false, isPresenting: false, addEventListener() {}, removeEventListener() {} },
    shadowMap: {},
    setPixelRatio() {},
    setSize() {},
    render() {},
  }
}

export interface Mounted {
  readonly world: SoftBodyWorldRef
  readonly canvas: TestCanvas
  readonly state: RootState
  /** Runs whole frames of the canvas. */
  frames(count: number, seconds?: number): Promise<void>
  update(children: ReactNode, world?: SoftBodyWorldProps): Promise<void>
  unmount(): Promise<void>
}

/** Renders `children` in a world, in StrictMode, as an application in development does. */
export async function mount(children: ReactNode, world: SoftBodyWorldProps = {}): Promise<Mounted> {
  const ref = createRef<SoftBodyWorldRef>() as RefObject<SoftBodyWorldRef>
  const canvas = new TestCanvas()
  let state: (() => RootState) | undefined
  function Probe() {
    state = useThree((current) => current.get)
    return null
  }
  const scene = (content: ReactNode, props: SoftBodyWorldProps) => (
    <StrictMode>
      <Probe />
      <SoftBodyWorld {...props} ref={ref}>
        {content}
      </SoftBodyWorld>
    </StrictMode>
  )
  const root = await create(scene(children, world), {
    gl: () => createRenderer(canvas),
    camera: { position: [0, 0, 5], fov: 50 },
  })
  let clock = 0
  return {
    world: ref.current,
    canvas,
    get state() {
      return state!()
    },
    async frames(count, seconds = 1 / 60) {
      await act(async () => {
        for (let k = 0; k < count; k++) {
          clock += seconds
          state!().advance(clock)
        }
      })
    },
    update: (content, props = world) => root.update(scene(content, props)),
    unmount: () => root.unmount(),
  }
}

/** The first mesh of the canvas's scene. */
export function firstMeshOf(mounted: Mounted): Mesh {
  let found: Mesh | undefined
  mounted.state.scene.traverse((object) => {
    if ('isMesh' in object) found ??= object as Mesh
  })
  return found!
}

/** A geometry's numbers, to see that nobody has written them. */
export function contentOf(geometry: BufferGeometry): unknown {
  const attributes: Record<string, unknown> = {}
  for (const [name, attribute] of Object.entries(geometry.attributes)) {
    attributes[name] = [Array.from(attribute.array), (attribute as { version?: number }).version]
  }
  return { attributes, index: geometry.index && Array.from(geometry.index.array), groups: geometry.groups }
}

/** Collects what the library warns of; other packages' warnings are left out. */
export function collectWarnings(): { readonly messages: string[]; stop(): void } {
  const spy = vi.spyOn(console, 'warn').mockImplementation(() => {})
  return {
    get messages() {
      return spy.mock.calls.map(([message]) => String(message)).filter((message) => message.startsWith('<'))
    },
    stop: () => spy.mockRestore(),
  }
}
