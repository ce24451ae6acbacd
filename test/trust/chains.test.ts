import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { coreOf } from '../../src/events/core.ts'
import { verifyChain } from '../../src/events/verify.ts'
import { openPostgres } from '../../src/store/database/postgres.ts'
import { callerTo } from '../world/call.ts'
import { newWorld, type World } from '../world/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})
afterAll(() => world.close())

test('six nodes that write to one account’s chain at once lose nothing and fail nobody', async () => {
  const { accountId } = await world.clinic()
  const databases = await Promise.all(Array.from({ length: 6 }, () => openPostgres(world.databaseUrl, 4)))
  const recorders = databases.map((db) => coreOf(db, world.masterKey).recorder)
  try {
    const subjects: string[] = []
    const failures: unknown[] = []
    await Promise.all(
      recorders.flatMap((recorder) =>
        Array.from({ length: 8 }, async () => {
          for (let round = 0; round < 40; round++) {
            const subject = crypto.randomUUID()
            await recorder.record({ accountId, actor: 'test', action: 'test.noted', subject }).then(
              () => subjects.push(subject),
              (error) => failures.push(error),
            )
          }
        }),
      ),
    )
    expect(failures).toEqual([])
    const [row] = await world.sql(
      'select count(*)::int as n from audit_entries where account_id = $1 and subject = any($2)',
      [accountId, subjects],
    )
    expect(row?.n).toBe(6 * 8 * 40)
    expect(await verifyChain(world.app.core, accountId, [])).toMatchObject({ ok: true })
  } finally {
    await Promise.all(databases.map((db) => db.close()))
  }
}, 120_000)

test('F26 an audit entry tells the database’s time, also after the node’s clock was set an hour ahead', async () => {
  const { accountId, key } = await world.clinic()
  const call = callerTo(world)
  await call('POST', '/api/v1/session', { key })
  const now = Date.now
  const shifted = vi.spyOn(Date, 'now').mockImplementation(() => now() + 3_600_000)
  try {
    for (let round = 0; round < 3; round++) await call('POST', '/api/v1/session', { key })
  } finally {
    shifted.mockRestore()
  }
  const [row] = await world.sql(
    `select count(*)::int as n from audit_entries where account_id = $1 and abs(extract(epoch from at - clock_timestamp())) > 60`,
    [accountId],
  )
  expect(row?.n).toBe(0)
})
