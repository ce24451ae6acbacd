import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { coreOf } from '../../src/events/core.ts'
import { verifyChain } from '../../src/events/verify.ts'
import { sql } from '../../src/store/database/db.ts'
import { openPostgres } from '../../src/store/database/postgres.ts'
import { Keyring } from '../../src/store/sealing/keyring.ts'
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
  const recorders = databases.map((db) => coreOf(db, new Keyring({ given: world.masterKey })).recorder)
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
})

test('what goes into one batch is bounded by its size, not only by its number', async () => {
  const { accountId } = await world.clinic()
  const { db, recorder } = world.app.core
  const { batch } = db
  const sizes: number[] = []
  db.batch = (steps) => {
    sizes.push(JSON.stringify(steps).length)
    return batch(steps)
  }
  const statement = sql('test_weigh', 'select ($2::jsonb -> 0 ->> 0) as nothing where $1::uuid is not null')
  const entry = { accountId, actor: 'test', action: 'test.noted', subject: 'heavy' }
  try {
    const row = { text: 'x'.repeat(1_500_000) }
    await Promise.all(Array.from({ length: 10 }, () => recorder.record({ ...entry, effects: [{ statement, row }] })))
  } finally {
    db.batch = batch
  }
  expect(Math.max(...sizes)).toBeLessThan(5_000_000)
  expect(sizes.length).toBeLessThan(10)
})

test('F26 an audit entry tells the database’s time, also after the node’s clock was set an hour ahead', async () => {
  const { accountId, key } = await world.clinic()
  const call = callerTo(world)
  await call('POST', '/api/v1/session', { key })
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 }) // every way to ask this machine what o'clock it is
  try {
    for (let round = 0; round < 3; round++) await call('POST', '/api/v1/session', { key })
  } finally {
    vi.useRealTimers()
  }
  const [row] = await world.sql(
    `select count(*)::int as made, count(*) filter (where abs(extract(epoch from at - clock_timestamp())) > 60)::int as wrong
     from audit_entries where account_id = $1 and action = 'session.created'`,
    [accountId],
  )
  expect(row).toEqual({ made: 4, wrong: 0 })
})
