// A new constraint kind is one file and one line here.
export { distance } from './distance.js'
export { shapeMatching } from './shapeMatching.js'
export { volume } from './volume.js'
