import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

/** The same tests with the full numbers of the table. */
function again(file: string, environment: Record<string, string>): void {
  const run = spawnSync('vitest', ['run', file], { encoding: 'utf8', env: { ...process.env, ...environment } })
  expect(run.stdout).toMatch(/Tests .*passed/)
  expect(run.status).toBe(0)
}

test('F30 ten thousand interleaved requests', () => again('test/trust/accounts.test.ts', { FYR_ROUNDS: '1000' }))

test('F13 five thousand idle connections', () => again('test/trust/slow.test.ts', { FYR_IDLE: '5000' }))
