import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { interviewUnderKills } from './killing.ts'

test('F01, F02, F03 (a slice): SIGKILL around some requests of an interview on the embedded database loses and doubles nothing', {
  timeout: 180_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fyr-kill-'))
  try {
    const { node, kills } = await interviewUnderKills(
      { DATA_DIR: folder, REQUESTS_PER_SECOND_PER_USER: '0' },
      'demo',
      (step) => step % 7 === 3,
    )
    expect(kills).toBeGreaterThan(1)
    await node.stop()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
