// `npm run fuzz`: 10,000 seeded cases; `-- --seed N` plays one, `-- --from N --count M` some, `-- --soak [minutes]` throws
// ten bodies about (30 minutes of theirs, a quarter of an hour of ours), `-- --starts [mesh]` lets bodies find back to their
// shape, `-- --shots [count]` throws things at cloths and meshes, `-- --hits [count]` bodies, cloths, ropes and particles
// at each other, `-- --piles [count]` drops bodies and cloths on each other, `-- --overlaps [count]` puts two bodies into
// each other, `-- --sheets [count]` a cloth through solids that stand, float or are pinned, `-- --pulls [count]` draws one
// solid about another.
import { spawnSync } from 'node:child_process'
import { bundle } from './bundle.mjs'

const { file, remove } = await bundle('tests/fuzz/long.ts')
try {
  const { status } = spawnSync(process.execPath, ['--expose-gc', file, ...process.argv.slice(2)], { stdio: 'inherit' })
  process.exitCode = status ?? 1
} finally {
  remove()
}
