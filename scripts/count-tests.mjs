// Prints what failed in a Vitest JSON report, and its total as the last line, 'N passed, N failed'.
// Exits with 1 unless all passed.
import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * @typedef {{ status: string, fullName?: string, failureMessages?: string[] }} Test
 * @typedef {{ testResults: { name?: string, status: string, message?: string, assertionResults: Test[] }[] }} Report
 */

const isFailed = (/** @type {{ status: string }} */ { status }) => status === 'failed'

/**
 * A file that failed before its tests could run counts as one failure, and so does a report that is not there.
 * @param {Report | undefined} report
 */
export function countTests(report) {
  if (!report) return { passed: 0, failed: 1 }
  let passed = 0
  let failed = 0
  for (const file of report.testResults) {
    passed += file.assertionResults.filter(({ status }) => status === 'passed').length
    failed += Math.max(file.assertionResults.filter(isFailed).length, isFailed(file) ? 1 : 0)
  }
  return { passed, failed }
}

/** A line for each failure: its file, its name and the first line of why. @param {Report | undefined} report */
export function failures(report) {
  if (!report) return ['there is no report: the tests did not run to their end']
  return report.testResults.filter(isFailed).flatMap(({ name = '', message = '', assertionResults }) => {
    const line = (/** @type {string | undefined} */ test, why = '') =>
      [relative(process.cwd(), name), test, why.trim().split('\n')[0]].filter(Boolean).join(' > ')
    const tests = assertionResults.filter(isFailed)
    return tests.length > 0
      ? tests.map(({ fullName, failureMessages }) => line(fullName, failureMessages?.[0]))
      : [line(undefined, message)]
  })
}

const file = process.argv[2]
if (file !== undefined && fileURLToPath(import.meta.url) === process.argv[1]) {
  const report = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
  const { passed, failed } = countTests(report)
  if (failed > 0) for (const failure of failures(report)) console.log(`failed: ${failure}`)
  console.log(`${passed} passed, ${failed} failed`)
  process.exitCode = failed > 0 || passed === 0 ? 1 : 0
}
