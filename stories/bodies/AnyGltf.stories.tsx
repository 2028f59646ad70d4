import bunnyUrl from '@pmndrs/assets/models/bunny.glb.js'
import logoUrl from '@pmndrs/assets/models/pmndrs.glb.js'
import suziUrl from '@pmndrs/assets/models/suzi.glb.js'
import { useLoader } from '@react-three/fiber'
import type { Meta, StoryObj } from '@storybook/react-vite'
import { useMemo, useState } from 'react'
import { expect, fireEvent, waitFor } from 'storybook/test'
import {
  Bone,
  Box3,
  BoxGeometry,
  Group,
  Mesh,
  MeshPhysicalMaterial,
  type Object3D,
  SphereGeometry,
  TorusGeometry,
  Vector3,
} from 'three'
import { GLTFExporter } from 'three/addons/exporters/GLTFExporter.js'
import { DRACOLoader } from 'three/addons/loaders/DRACOLoader.js'
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js'
import { Ground, preload, SoftBody, type SoftBodyProps } from '../../src/index.js'
import { bodyOf, boundsOf, run } from '../support/play.js'
import { palette } from '../support/themes.js'
import { StoryWorld } from '../support/World.js'

const files = { bunny: bunnyUrl, suzi: suziUrl, logo: logoUrl } as const

interface Args {
  /** A file that comes with @pmndrs/assets. */
  file: keyof typeof files
  /** What it is made of. */
  preset: NonNullable<SoftBodyProps['preset']>
  /** Cells along its longest side. */
  resolution: number
}

/** Its longest side [m]. */
const SIZE = 1.1
const draco = new DRACOLoader()
const withDraco = (loader: GLTFLoader) => void loader.setDRACOLoader(draco)

/** These files have no colours of their own. */
const colors = { bunny: palette.plum, suzi: palette.apricot, logo: palette.azure } as const

function Loaded({ file, ...props }: Args) {
  const { scene } = useLoader(GLTFLoader, files[file], withDraco)
  const painted = useMemo(() => {
    const copy = scene.clone()
    const material = new MeshPhysicalMaterial({ color: colors[file], roughness: 0.35, clearcoat: 0.6 })
    copy.traverse((object) => {
      if ('isMesh' in object) (object as Mesh).material = material
    })
    return copy
  }, [scene, file])
  return <Soft object={painted} {...props} />
}

/** A size to look at, and a place with its foot above the ground. */
function placed(object: Object3D) {
  object.updateMatrixWorld(true)
  const box = new Box3().setFromObject(object, true)
  const size = box.getSize(new Vector3())
  const scale = SIZE / Math.max(size.x, size.y, size.z, 1e-9)
  const middle = box.getCenter(new Vector3())
  return { scale, position: [-middle.x * scale, 0.25 - box.min.y * scale, -middle.z * scale] as const }
}

/** The scene of a file as one body. */
function Soft({ object, ...props }: { object: Object3D } & Omit<Args, 'file'>) {
  const place = useMemo(() => placed(object), [object])
  return <SoftBody object={object} castShadow receiveShadow {...place} {...props} />
}

function Scene(args: Args) {
  const [own, setOwn] = useState<Object3D | null>(null)
  const [message, setMessage] = useState('')
  async function open(file: File | undefined) {
    if (!file) return
    setMessage('')
    try {
      const loader = new GLTFLoader().setDRACOLoader(draco)
      const { scene } = await loader.parseAsync(await file.arrayBuffer(), '')
      // Throws what the body would, and builds it ahead.
      await preload(scene, { resolution: args.resolution, scale: placed(scene).scale })
      setOwn(scene)
    } catch (error) {
      setMessage(`${file.name}: ${(error as Error).message}`)
    }
  }
  const { file, ...rest } = args
  return (
    <div style={{ position: 'relative' }}>
      <StoryWorld floor={5} camera={{ position: [0.6, 1.1, 4.2], target: [0, 0.38, 0], fov: 20 }}>
        {own ? <Soft object={own} {...rest} /> : <Loaded file={file} {...rest} />}
        <Ground />
      </StoryWorld>
      <div
        style={{
          position: 'absolute',
          inset: 'auto 0 18px',
          textAlign: 'center',
          font: '600 14px/1.4 system-ui, sans-serif',
        }}
      >
        <p role="status" style={{ margin: '0 auto 8px', maxWidth: 560, color: '#8a2b1c' }}>
          {message}
        </p>
        <label style={{ padding: '11px 16px', background: '#fffdf9', border: '1px solid #b9aa9a', borderRadius: 10 }}>
          A .glb of yours:{' '}
          <input type="file" accept=".glb,.gltf" onChange={({ target }) => void open(target.files?.[0])} />
        </label>
      </div>
    </div>
  )
}

const meta = {
  title: 'Bodies/Any glTF',
  component: Scene,
  args: { file: 'suzi', preset: 'jelly', resolution: 12 },
  argTypes: {
    file: { control: 'select', options: Object.keys(files) },
    preset: { control: 'select', options: ['jelly', 'muscle', 'clay-soft', 'clay', 'rubber', 'firm', 'balloon'] },
    resolution: { control: { type: 'range', min: 4, max: 20, step: 1 } },
  },
  parameters: {
    docs: {
      description: {
        component:
          'Any file: one that comes along, or a .glb of yours. All its meshes become one body, whatever they are nested in ' +
          'and however they are scaled, and keep their materials.\n\nOpen meshes, as of suzi, are filled all the same, with ' +
          'a warning on the console. What cannot be a body, as a skinned mesh, says so.',
      },
      source: {
        code: `const { scene } = useGLTF(url)\n\n<SoftBody object={scene} preset="jelly" resolution={12} />`,
        language: 'tsx',
      },
    },
  },
} satisfies Meta<typeof Scene>

export default meta
type Story = StoryObj<typeof meta>

export const AnyGltf: Story = { parameters: { shots: { steps: 18 } } }

/** A busy machine takes long to read a file. */
const PATIENCE = { timeout: 30_000 }

/** A file as a user has it: nested and scaled groups, two meshes. */
async function written(object: Object3D): Promise<File> {
  const bytes = (await new GLTFExporter().parseAsync(object, { binary: true })) as ArrayBuffer
  return new File([bytes], 'own.glb', { type: 'model/gltf-binary' })
}

async function choose(input: HTMLElement, file: File): Promise<void> {
  await fireEvent.change(input, { target: { files: [file] } })
}

export const EachFileStands: Story = {
  tags: ['!dev', '!autodocs'],
  args: { file: 'logo', resolution: 8 },
  async play() {
    const hook = await run(90)
    const [, bottom, , , top] = boundsOf(bodyOf(hook))
    await expect(Math.abs(bottom!)).toBeLessThan(0.03)
    await expect(top! - bottom!).toBeGreaterThan(0.1)
  },
}

export const OpensAFile: Story = {
  tags: ['!dev', '!autodocs'],
  args: { file: 'bunny', resolution: 6 },
  async play({ canvas }) {
    await run(1)
    const ring = new Mesh(new TorusGeometry(20, 8, 12, 32))
    const cube = new Mesh(new BoxGeometry(10, 10, 10))
    cube.position.set(30, 0, 0)
    const inner = new Group().add(ring, cube)
    inner.scale.setScalar(3)
    inner.rotation.x = Math.PI / 2
    await choose(canvas.getByLabelText(/of yours/), await written(new Group().add(inner)))
    await waitFor(async () => {
      const [left, bottom, , right, top] = boundsOf(bodyOf(await run(0)))
      // 63 wide and 16 high, of which a coarse lattice takes the corners.
      await expect((top! - bottom!) / (right! - left!)).toBeLessThan(0.35)
      await expect(right! - left!).toBeGreaterThan(0.9 * SIZE)
    }, PATIENCE)
    const hook = await run(60)
    const [, bottom, , , top] = boundsOf(bodyOf(hook))
    await expect(Math.abs(bottom!)).toBeLessThan(0.03)
    await expect(top!).toBeLessThan(0.5)
    await expect(canvas.getByRole('status').textContent).toBe('')
  },
}

export const SaysWhatItRefuses: Story = {
  tags: ['!dev', '!autodocs'],
  args: { file: 'bunny', resolution: 6 },
  async play({ canvas }) {
    await run(1)
    const morphed = new Mesh(new SphereGeometry(1, 8, 6))
    morphed.geometry.morphAttributes.position = [morphed.geometry.getAttribute('position').clone()]
    morphed.updateMorphTargets()
    morphed.name = 'Face'
    const input = canvas.getByLabelText(/of yours/)
    await choose(input, await written(new Group().add(new Bone(), morphed)))
    await waitFor(
      () => expect(canvas.getByRole('status').textContent).toMatch(/^own.glb: .*'Face'.*morph targets/),
      PATIENCE,
    )
    await choose(input, new File(['no file of that kind'], 'note.glb'))
    await waitFor(() => expect(canvas.getByRole('status').textContent).toMatch(/^note.glb: /), PATIENCE)
  },
}
