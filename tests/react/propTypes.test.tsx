// Props that say one thing in two ways are refused by their types (`npm run typecheck`), and at mount.
import type { ReactNode } from 'react'
import { BoxGeometry } from 'three'
import { describe, expect, it } from 'vitest'
import { type Pressure, type ShapeMatching, SoftBody, type SoftBodyProps } from '../../src/index.js'
import { mount } from './mount.js'

const geometry = new BoxGeometry()

// What users do with the props of a body.
interface JellyProps extends SoftBodyProps {
  flavour?: string
}
const defaults: Partial<SoftBodyProps> = { resolution: 2, shapeMatching: { rate: 60, clusters: 2 } }
function Jelly({ flavour = 'lime', ...props }: JellyProps): ReactNode {
  return <SoftBody name={flavour} {...defaults} {...props} />
}
function Ball({ rate, ...props }: Omit<SoftBodyProps, 'geometry' | 'shapeMatching'> & { rate: number }): ReactNode {
  return <Jelly geometry={geometry} shapeMatching={{ rate, linear: 0.5 }} {...props} />
}

describe('the types of props', () => {
  it('let a body be wrapped, and its props be spread, left out and extended', async () => {
    const scene = await mount(<Ball rate={20} pressure={{ ratio: 1.1, modulus: 1e5 }} />)
    expect(scene.world.world.bodies.length).toBe(1)
    await scene.unmount()
  })

  it('take one stiffness alone', () => {
    const matched: ShapeMatching[] = [true, {}, { clusters: 4 }, { rate: 20 }, { compliance: 0 }, { relaxation: 5 }]
    const pressed: Pressure[] = [false, 1.5, {}, { ratio: 1.5 }, { modulus: 1e5 }, { ratio: 1, compliance: 0 }]
    expect([matched.length, pressed.length]).toEqual([6, 6])
  })

  const refused: [string, ReactNode][] = [
    // @ts-expect-error a rate and a compliance
    ['shapeMatching', <SoftBody key={0} geometry={geometry} shapeMatching={{ rate: 20, compliance: 1e-6 }} />],
    // @ts-expect-error a rate and a relaxation
    ['shapeMatching', <SoftBody key={0} geometry={geometry} shapeMatching={{ rate: 20, relaxation: 5 }} />],
    // @ts-expect-error a compliance and a relaxation
    ['shapeMatching', <SoftBody key={0} geometry={geometry} shapeMatching={{ compliance: 1e-6, relaxation: 5 }} />],
    // @ts-expect-error a modulus and a compliance
    ['pressure', <SoftBody key={0} geometry={geometry} pressure={{ modulus: 1e5, compliance: 0 }} />],
  ]
  for (const [index, [prop, body]] of refused.entries()) {
    it(`refuse two stiffnesses at once, as does the mount: ${prop}, ${index}`, async () => {
      await expect(mount(body)).rejects.toThrow(new RegExp(`<SoftBody> ${prop}=.*must state`))
    })
  }
})
