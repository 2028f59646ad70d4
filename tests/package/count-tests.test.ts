import { expect, it } from 'vitest'
import { countTests, failures } from '../../scripts/count-tests.mjs'

const passed = { status: 'passed' }
const failed = { status: 'failed' }

it('adds up the tests of every file and leaves skipped ones out', () => {
  const testResults = [
    { status: 'passed', assertionResults: [passed, passed, { status: 'skipped' }] },
    { status: 'failed', assertionResults: [passed, failed, failed] },
  ]
  expect(countTests({ testResults })).toEqual({ passed: 3, failed: 2 })
})

it('counts a file that fails before its tests as one failure', () => {
  expect(countTests({ testResults: [{ status: 'failed', assertionResults: [] }] })).toEqual({ passed: 0, failed: 1 })
  expect(countTests({ testResults: [{ status: 'failed', assertionResults: [passed] }] })).toEqual({
    passed: 1,
    failed: 1,
  })
})

it('counts a missing report as a failure', () => {
  expect(countTests(undefined)).toEqual({ passed: 0, failed: 1 })
})

it('names each failure with the first line of why', () => {
  const why = { fullName: 'a ball falls', failureMessages: ['expected 1 to be 2\n    at ball.ts:3'] }
  const testResults = [
    {
      name: `${process.cwd()}/tests/ball.test.ts`,
      status: 'failed',
      assertionResults: [passed, { ...failed, ...why }],
    },
    { name: `${process.cwd()}/tests/box.test.ts`, status: 'failed', message: 'no such module\n', assertionResults: [] },
    { name: `${process.cwd()}/tests/knot.test.ts`, status: 'passed', assertionResults: [passed] },
  ]
  expect(failures({ testResults })).toEqual([
    'tests/ball.test.ts > a ball falls > expected 1 to be 2',
    'tests/box.test.ts > no such module',
  ])
})
