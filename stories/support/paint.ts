import { DataTexture, LinearFilter, LinearMipmapLinearFilter, RepeatWrapping, SRGBColorSpace } from 'three'

interface Linear {
  r: number
  g: number
  b: number
  a?: number
}

/** A linear value between 0 and 1 in sRGB, 0 to 255. */
function encode(x: number): number {
  return 255 * Math.min(1, x <= 0.0031308 ? x * 12.92 : 1.055 * x ** (1 / 2.4) - 0.055)
}

/**
 * A square sRGB texture from linear colours over u and v, 0 to 1. It is made without a 2D canvas, so that every machine
 * gets the same bytes. One that does not tile is dithered: that hides the steps of wide gradients.
 */
export function paint(size: number, at: (u: number, v: number) => Linear, tile = true): DataTexture {
  const data = new Uint8Array(size * size * 4)
  for (let i = 0; i < size * size; i++) {
    const { r, g, b, a = 1 } = at(((i % size) + 0.5) / size, (Math.floor(i / size) + 0.5) / size)
    const dither = tile ? 0.5 : (Math.imul(i ^ (i >>> 7), 0x9e3779b1) >>> 8) / 2 ** 24
    const pixel = [encode(r), encode(g), encode(b), 255 * a]
    for (let k = 0; k < 4; k++) data[i * 4 + k] = Math.min(255, pixel[k]! + dither)
  }
  const texture = new DataTexture(data, size, size)
  texture.colorSpace = SRGBColorSpace
  texture.magFilter = LinearFilter
  texture.minFilter = tile ? LinearMipmapLinearFilter : LinearFilter
  if (tile) {
    texture.generateMipmaps = true
    texture.anisotropy = 8
    texture.wrapS = RepeatWrapping
    texture.wrapT = RepeatWrapping
  }
  texture.needsUpdate = true
  return texture
}
