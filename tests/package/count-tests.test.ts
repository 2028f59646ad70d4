import { expect, it } from 'vitest'
import { countTests } from '../../scripts/count-tests.mjs'

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
