import { afterAll, beforeAll, expect, test } from 'vitest'
import { send } from '../world/call.ts'
import { answered, SORE_THROAT, visiting } from '../world/clinician.ts'
import { commandLine } from '../world/command.ts'
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
}, 60_000)
