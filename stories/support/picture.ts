/** Size of a story's picture, and of the page that it is tested on [px]. */
export const size = { width: 480, height: 300 }
