// @module-tag thorough
import { execFile } from 'node:child_process'
import { expect, inject, test } from 'vitest'
import { sliceOf } from '../world/sweep.ts'

const SENTENCE = /no Chromium that starts was found; on Debian: apt-get install chromium/g

/** A command of the project on a machine where no browser can be found. */
function withoutBrowser(...command: string[]): Promise<{ code: unknown; said: string }> {
  // A clean machine may leave none of them out; somebody's own may.
  const env = {
    ...process.env,
    CI: '',
    CHROMIUM: '/nonexistent',
    TEST_DATABASE_URL: inject('serverUrl'),
    NO_COLOR: '1',
  }
  return new Promise((done) => {
    execFile(process.execPath, command, { env }, (error, out, err) =>
      done({ code: error?.code ?? 0, said: `${out}${err}` }),
    )
  })
}

test.each(
  sliceOf([
    ['of clinicians', ['test/web/clinician/', 'test/web/counted'], /Test Files +1 passed \| 4 skipped/],
    ['all', ['test/web/'], /Test Files +\d passed \| [1-9]\d skipped/],
  ] as const),
)(
  'without a browser the tests pass, and how many were left out is said at the start and at the end (%s)',
  async (_which, files, sum) => {
    const { code, said } = await withoutBrowser('node_modules/vitest/vitest.mjs', 'run', ...files)
    expect([code, said]).toEqual([0, expect.stringMatching(sum)])
    expect(said.match(SENTENCE)).toHaveLength(2)
    expect(said.trimEnd().split('\n').at(-1)).toMatch(/^[1-9]\d browser test files were not run: /)
  },
)

test('without a browser the check of a clean machine stops before its tests', { tags: 'slice' }, async () => {
  const { code, said } = await withoutBrowser('scripts/browser.mjs', '--install')
  expect([code, said]).toEqual([1, expect.stringMatching(SENTENCE)])
})
