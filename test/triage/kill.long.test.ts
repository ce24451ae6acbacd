import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newWorld } from '../world/world.ts'
import { interviewUnderKills } from './killing.ts'

test('F03: SIGKILL around every request of an interview, embedded', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fyr-kill-'))
  try {
    const { node, kills } = await interviewUnderKills(
      { DATA_DIR: folder, REQUESTS_PER_SECOND_PER_USER: '0' },
      'demo',
      () => true,
    )
    expect(kills).toBeGreaterThan(10)
    await node.stop()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('F03: SIGKILL around every request of an interview, on a server database', async () => {
  const world = await newWorld()
  const { slug, accountId } = await world.clinic()
  const environment = {
    DATABASE_URL: world.databaseUrl,
    MASTER_KEY: world.masterKey.toString('base64'),
    REQUESTS_PER_SECOND_PER_USER: '0',
  }
  const { node } = await interviewUnderKills(environment, slug, () => true)
  const [ended] = await world.sql(
    "select count(*)::int as n from audit_entries where account_id = $1 and action = 'session.finished'",
    [accountId],
  )
  expect(ended).toEqual({ n: 1 })
  await node.stop()
  await world.close()
})
