// Removes the build outputs named on the command line, so that no file of an earlier build is shipped.
import { rmSync } from 'node:fs'

for (const folder of process.argv.slice(2)) rmSync(folder, { recursive: true, force: true })
