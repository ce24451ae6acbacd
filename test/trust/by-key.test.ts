import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Patient } from '../world/patient.ts'
import { newWorld } from '../world/world.ts'

const OTHERS = 3_000

test('an answer, an entering and an ending look their session up by key, however many the account has', async () => {
  const world = await newWorld()
  const clinic = await world.clinic()
  const first = new Patient(world.url)
  await first.enterOpen(clinic.slug)
  await world.sql(
    `insert into sessions select r.* from sessions s, generate_series(1, ${OTHERS}) n,
       lateral jsonb_populate_record(s, jsonb_build_object('id', '00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))) r where s.id = $1`,
    [first.now.sessionId],
  )
  await world.sql('analyze')
  const before = await counted()

  const patient = new Patient(world.url)
  await patient.enterOpen(clinic.slug)
  await patient.answerThrough({ overdose_or_poisoning: true }, (_asked, { alarm }) => alarm !== null)
  const answers = patient.now.version
  expect((await patient.stop()).status).toBe(200)

  let after = await counted()
  for (let tries = 0; tries < 100 && after.changed - before.changed < answers + 2; tries++) {
    await wait(200) // the database counts a moment later
    after = await counted()
  }
  expect(after.changed - before.changed).toBeGreaterThanOrEqual(answers + 2)
  expect(answers).toBeGreaterThan(4)
  expect(after.read - before.read).toBeLessThan(OTHERS)
  await world.close()

  async function counted(): Promise<{ read: number; changed: number }> {
    const [row] = await world.sql(
      `select (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as read, n_tup_upd::int as changed
       from pg_stat_user_tables where relname = 'sessions'`,
    )
    return { read: Number(row?.read), changed: Number(row?.changed) }
  }
})
