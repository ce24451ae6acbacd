// @module-tag thorough
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { interviewsUnderKills } from './killing.ts'

test('F01, F02, F03 (a slice): SIGKILL around some requests on the embedded database loses and doubles nothing, a picture and an emergency stop included', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fyr-kill-'))
  try {
    const { node, kills } = await interviewsUnderKills(
      { DATA_DIR: folder, REQUESTS_PER_SECOND_PER_USER: '0' },
      'demo',
      (step, request) => (request === 'answer' ? step % 16 === 3 : ['last part', 'finish', 'stop'].includes(request)),
    )
    expect(kills).toBeGreaterThan(3)
    await node.stop()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
