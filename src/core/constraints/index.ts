// A new constraint kind is one file and one line here.
export { bending } from './bending.js'
export { distance } from './distance.js'
export { membrane } from './membrane.js'
export { neoHookean } from './neoHookean.js'
export { pressure } from './pressure.js'
export { shapeMatching } from './shapeMatching.js'
export { volume } from './volume.js'
