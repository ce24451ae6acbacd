import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { brokenInvariants } from '../world/invariants.ts'
import { newWorld } from '../world/world.ts'
import { interviewsUnderKills } from './killing.ts'

test('F03: SIGKILL around every request of two interviews, embedded', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fyr-kill-'))
  try {
    const { node, kills } = await interviewsUnderKills(
      { DATA_DIR: folder, REQUESTS_PER_SECOND_PER_USER: '0' },
      'demo',
      () => true,
    )
    expect(kills).toBeGreaterThan(20)
    await node.stop()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('F03: SIGKILL around every request of two interviews, on a server database', async () => {
  const world = await newWorld()
  const { slug, accountId } = await world.clinic()
  const environment = {
    DATABASE_URL: world.databaseUrl,
    MASTER_KEY: world.masterKey.toString('base64'),
    REQUESTS_PER_SECOND_PER_USER: '0',
  }
  const { node } = await interviewsUnderKills(environment, slug, () => true)
  const once = await world.sql(
    `select action, count(*)::int as n from audit_entries
     where account_id = $1 and action in ('session.created', 'file.added', 'session.finished', 'session.stopped') group by action order by action`,
    [accountId],
  )
  expect(once).toEqual([
    { action: 'file.added', n: 1 },
    { action: 'session.created', n: 2 },
    { action: 'session.finished', n: 1 },
    { action: 'session.stopped', n: 1 },
  ])
  await node.stop()
  expect(await brokenInvariants(world)).toEqual([])
  await world.close()
})
