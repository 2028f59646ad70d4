// `npm run test:mutations`: makes the mistakes of tests/mutations/table.ts one at a time and demands that a test fails.
// All in one Vitest run: a project a mistake, whose sources are changed as they are compiled, and one without a mistake.
// `-- "part of a name"` makes those alone; `-- --share 16` a sixteenth of them, another from commit to commit.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { runnerImport } from 'vite'
import { createVitest } from 'vitest/node'
import { native } from './native.mjs'

/** @typedef {import('../tests/mutations/table.ts').Mutation} Mutation */

const root = fileURLToPath(new URL('..', import.meta.url))
const CONTROL = 'no mistake'

/** @returns {Promise<readonly Mutation[]>} */
async function readTable() {
  const { module } = await runnerImport(`${root}tests/mutations/table.ts`, { configFile: false, logLevel: 'error' })
  return module.mutations
}

/** What is wrong with the table itself: a mistake that cannot be made. */
function tableFaults(/** @type {readonly Mutation[]} */ mutations) {
  return mutations.flatMap(({ name, file, find }) => {
    const times = readFileSync(root + file, 'utf8').split(find).length - 1
    return times === 1 ? [] : [`${name}: ${JSON.stringify(find)} stands ${times} times in ${file}, not once`]
  })
}

/** Node's loader for src with one mistake in it. */
function nativeWith(/** @type {Mutation} */ { file, find, replace }) {
  return native((code, source) => (source === root + file ? code.replace(find, () => replace) : code))
}

/** @param {string} text */
function literally(text) {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}

/**
 * Runs the tests of `mutations` once without a mistake and once with each; gives what they were found to be, by project.
 * Without a mistake those of the whole `table` are looked up as well, and skipped: a name that no test has is a fault
 * whose ever turn it is.
 */
async function runAll(/** @type {readonly Mutation[]} */ mutations, /** @type {readonly Mutation[]} */ table) {
  const project = (
    /** @type {string} */ name,
    /** @type {readonly Mutation[]} */ of,
    /** @type {any[]} */ plugins,
    /** @type {readonly Mutation[]} */ within = of,
  ) => ({
    root,
    plugins,
    test: {
      name,
      include: [...new Set(within.map(({ test }) => test.file))],
      testNamePattern: new RegExp(of.map(({ test }) => literally(test.name)).join('|')),
      // The files without a mistake in one process a core.
      isolate: false,
      testTimeout: 180_000,
      hookTimeout: 180_000,
    },
  })
  // The table names tests of a long run too.
  process.env.LONG = '1'
  const vitest = await createVitest(
    'test',
    {
      config: false,
      root,
      watch: false,
      reporters: [{}],
      // One a core: the default leaves one for the main thread, which has little to do here.
      maxWorkers: availableParallelism(),
      projects: [
        project(CONTROL, mutations, [native()], table),
        ...mutations.map((mutation) => project(mutation.name, [mutation], [nativeWith(mutation)])),
      ],
    },
    { logLevel: 'error' },
  )
  await vitest.start()
  const tests = vitest.state.getTestModules().flatMap((module) =>
    [...module.children.allTests()].map((test) => ({
      project: module.project.name,
      file: module.moduleId.slice(root.length),
      name: test.fullName.replaceAll(' > ', ' '),
      state: test.result().state,
      seconds: (test.diagnostic()?.duration ?? 0) / 1000,
    })),
  )
  await vitest.close()
  return tests
}

/** @typedef {Awaited<ReturnType<typeof runAll>>} Tests */

/** The tests of a project that a mistake names. */
function testsOf(/** @type {Mutation} */ { test }, /** @type {Tests} */ tests, /** @type {string} */ project) {
  return tests.filter(({ project: of, file, name }) => of === project && file === test.file && name.includes(test.name))
}

/** What is wrong with the names of tests in the table. */
function nameFaults(/** @type {readonly Mutation[]} */ table, /** @type {Tests} */ tests) {
  return table
    .filter((mutation) => testsOf(mutation, tests, CONTROL).length === 0)
    .map(({ name, test }) => `${name}: no test '${test.name}' in ${test.file}`)
}

/**
 * 'noticed', or what is wrong: no test that ran, a test that fails anyway, or nothing that fails with the mistake.
 * @param {Mutation} mutation
 * @param {Tests} tests
 */
function verdict(mutation, tests) {
  const of = (/** @type {string} */ project) =>
    testsOf(mutation, tests, project).filter(({ state }) => state !== 'skipped')
  const control = of(CONTROL)
  if (control.length === 0) return 'the test did not run'
  if (!control.every(({ state }) => state === 'passed')) return 'the test fails without it too'
  // Tests that could not even be loaded have noticed nothing.
  if (of(mutation.name).length === 0) return 'the test did not run with it'
  return of(mutation.name).some(({ state }) => state === 'failed') ? 'noticed' : 'NOT NOTICED by any test'
}

/** Which of `shares` shares falls to the present commit. */
function turn(/** @type {number} */ shares) {
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' })
  return Number.parseInt(commit.slice(0, 8), 16) % shares
}

const { values, positionals } = parseArgs({
  options: { share: { type: 'string', default: '1' } },
  allowPositionals: true,
})
const only = positionals[0] ?? ''
const shares = Number(values.share)
if (!Number.isInteger(shares) || shares < 1)
  throw new RangeError(`--share ${values.share}: give a whole number from 1 on`)
const table = await readTable()
const faults = tableFaults(table)
const own = shares > 1 ? turn(shares) : 0
const mutations = table.filter(({ name }, k) => k % shares === own && name.includes(only))
if (mutations.length === 0) faults.push(`no mistake has ${JSON.stringify(only)} in its name`)
if (faults.length === 0) {
  const tests = await runAll(mutations, table)
  for (const mutation of mutations) {
    const found = verdict(mutation, tests)
    const took = tests.reduce((sum, { project, seconds }) => sum + (project === mutation.name ? seconds : 0), 0)
    console.log(`${found === 'noticed' ? 'noticed' : 'FAILED '} ${took.toFixed(1).padStart(6)} s  ${mutation.name}`)
    if (found !== 'noticed') faults.push(`${mutation.name}: ${found}`)
  }
  console.log(`${mutations.length - faults.length} of ${mutations.length} mistakes noticed`)
  faults.push(...nameFaults(table, tests))
}
for (const fault of faults) console.error(fault)
process.exitCode = faults.length > 0 ? 1 : 0
