import { afterAll, beforeAll, expect, test } from 'vitest'
import { eraseSession } from '../../src/session/upkeep/erase.ts'
import { keepHouse } from '../../src/session/upkeep/housekeeping.ts'
import { send } from '../world/call.ts'
import { answered, CHEST_PAIN, SORE_THROAT, visiting } from '../world/clinician.ts'
import { commandLine } from '../world/command.ts'
import { picture, upload } from '../world/handoff.ts'
import { Patient } from '../world/patient.ts'
import { newWorld, type World } from '../world/world.ts'

let world: World
const { fyr } = commandLine(() => world)
beforeAll(async () => {
  world = await newWorld()
})
afterAll(() => world.close())

test('A57 an account that our own command removes is gone from every table but the audit log, which says so and verifies as whole', async () => {
  const clinic = await world.clinic()
  const { sessionId } = await answered(world.url, clinic, SORE_THROAT)
  await visiting(world, clinic, sessionId)
  expect((await fyr('account', 'remove', clinic.accountId, '--yes')).err).toContain('in service')
  expect((await fyr('account', 'change', clinic.accountId, '--no-active')).code).toBe(0)
  expect(await fyr('account', 'remove', clinic.accountId, '--yes')).toMatchObject({ code: 0 })
  const tables = await world.sql(
    `select table_name from information_schema.columns where table_schema = 'public' and column_name = 'account_id' order by 1`,
  )
  const left: string[] = []
  for (const { table_name: table } of tables)
    if ((await world.sql(`select 1 from ${table} where account_id = $1 limit 1`, [clinic.accountId])).length > 0)
      left.push(String(table))
  expect(left).toEqual(['audit_entries', 'audit_heads'])
  expect(await world.sql('select 1 from accounts where id = $1', [clinic.accountId])).toEqual([])
  expect((await send(`${world.url}/api/v1/session/${sessionId}`, 'GET', { key: clinic.key })).status).toBe(403)
  const { code, out } = await fyr('audit', 'verify', '--json')
  expect(code).toBe(0)
  const checked: { accountId: string }[] = JSON.parse(out)
  expect(checked.find(({ accountId }) => accountId === clinic.accountId)).toMatchObject({ ok: true, fault: null })
  expect((await fyr('audit', 'list', '--account', clinic.accountId)).out).toContain('account.removed')
})

test('what our own commands erase and take away verifies as whole', async () => {
  const clinic = await world.clinic({ retentionDays: 1 })
  const [erased, old, left] = await Promise.all([
    answered(world.url, clinic, CHEST_PAIN),
    answered(world.url, clinic, SORE_THROAT),
    answered(world.url, clinic, SORE_THROAT),
  ])
  const patient = new Patient(world.url)
  await patient.enterOpen(clinic.slug)
  const file = await upload(patient, 'arm.jpg', await picture(40, 40, 1))
  await upload(patient, 'leg.jpg', await picture(40, 40, 9))
  expect((await patient.call('DELETE', `/session/files/${file}`)).status).toBe(204)
  const clinician = await visiting(world, clinic, erased.sessionId)
  const json = { id: crypto.randomUUID(), urgency: 'Level2', reason: 'worse' }
  expect((await clinician.call('POST', '/judgements', { json })).status).toBe(201)

  await eraseSession(world.app.core, clinic.accountId, erased.sessionId, 'operator')
  await world.sql(
    `update sessions set last_active_at = now() - interval '2 days', created_at = created_at - interval '2 days' where id = $1`,
    [old.sessionId],
  )
  expect((await keepHouse(world.app.core))?.erased).toBe(1)
  expect(await fyr('audit', 'verify', '--account', clinic.accountId)).toMatchObject({ code: 0 })
  expect((await send(`${world.url}/api/v1/session/${left.sessionId}`, 'GET', { key: clinic.key })).status).toBe(200)
})
