// Prints the total of a Vitest JSON report as one line, 'N passed, N failed'; exits with 1 unless all passed.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * A file that failed before its tests could run counts as one failure, and so does a report that is not there.
 * @param {{ testResults: { status: string, assertionResults: { status: string }[] }[] } | undefined} report
 */
export function countTests(report) {
  if (!report) return { passed: 0, failed: 1 }
  let passed = 0
  let failed = 0
  for (const { status, assertionResults } of report.testResults) {
    const failures = assertionResults.filter((test) => test.status === 'failed').length
    passed += assertionResults.filter((test) => test.status === 'passed').length
    failed += status === 'failed' && failures === 0 ? 1 : failures
  }
  return { passed, failed }
}

const file = process.argv[2]
if (file !== undefined && fileURLToPath(import.meta.url) === process.argv[1]) {
  const { passed, failed } = countTests(existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined)
  console.log(`${passed} passed, ${failed} failed`)
  process.exitCode = failed > 0 || passed === 0 ? 1 : 0
}
