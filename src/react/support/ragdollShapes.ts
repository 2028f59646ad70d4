import { type RagdollModel, type RagdollOptions, ragdollModel } from '../../headless.js'
import { evenScale, type MadeShape, madeShape } from './madeShapes.js'

/** Ragdolls by height and sides: all of one size share a model. They are few and small. */
const models = new Map<string, RagdollModel>()

function modelOf(options: RagdollOptions): RagdollModel {
  const key = `${options.height},${options.sides}`
  const known = models.get(key)
  if (known) return known
  if (models.size >= MOST) models.clear()
  const made = ragdollModel(options)
  models.set(key, made)
  return made
}

/** Sizes that are kept at most. */
const MOST = 32

/** Makes the figure that is drawn, and its body. */
export function ragdollShape(options: RagdollOptions): MadeShape {
  return madeShape(JSON.stringify(options), modelOf(options).mesh, (pose) => {
    const { model, skin, limbs } = modelOf({ ...options, height: options.height * evenScale('Ragdoll', pose) })
    return { model, skin, named: { names: limbs } }
  })
}
