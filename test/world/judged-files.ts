import { expect } from 'vitest'
import { Problem } from '../../src/problems.ts'
import { checkUpload } from '../../src/session/uploads/check.ts'
import type { BadFile } from './bad-files.ts'

/** What becomes of each of these when it is checked. */
export async function expectJudged(files: readonly BadFile[]): Promise<void> {
  for (const { name, make, outcome } of files) {
    const judged = await checkUpload(await make()).then(
      ({ flags }) => flags,
      (error) => (error instanceof Problem ? error.code : error),
    )
    expect([name, judged]).toEqual([name, outcome])
  }
}
