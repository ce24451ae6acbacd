import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { dump } from 'js-yaml'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { applyPlan, ChangedMeanwhile, planFile } from '../../src/account/file/apply.ts'
import { asFile } from '../../src/account/file/as-file.ts'
import { clinicSchemaText } from '../../src/account/file/clinic-file.ts'
import { readClinicFile } from '../../src/account/file/read-file.ts'
import { DAYS } from '../../src/account/hours.ts'
import { createAccount, createConfiguration } from '../../src/account/provision.ts'
import { planText } from '../../src/cli/file/plan-text.ts'
import type { Guard } from '../../src/events/delivery/guard.ts'
import { verifyChain } from '../../src/events/verify.ts'
import { DEPLOYMENT, listAccounts } from '../../src/store/accounts.ts'
import { FYR } from '../world/bundle.ts'
import { send } from '../world/call.ts'
import { commandLine } from '../world/command.ts'
import { guardWith } from '../world/guard.ts'
import { newWorld, type World } from '../world/world.ts'

const EXAMPLE = readFileSync('examples/clinic.yaml', 'utf8')

let world: World
let guard: Guard

beforeAll(async () => {
  world = await newWorld()
  guard = guardWith({ DATABASE_URL: world.databaseUrl })
})
afterAll(() => world.close())

const { fyr, json } = commandLine(() => world)

const planned = (text: string) => planFile(world.app.core, guard, readClinicFile(text))
async function applied(text: string) {
  const read = readClinicFile(text)
  return applyPlan(world.app.core, read, await planFile(world.app.core, guard, read))
}
async function exported(...names: string[]) {
  const rows = (await listAccounts(world.app.core.db)).filter(({ name }) => names.includes(name))
  return asFile(world.app.core, rows)
}
const actionsOf = async (accountId: string): Promise<unknown[]> =>
  (await world.sql('select action from audit_entries where account_id = $1 order by seq', [accountId])).map(
    ({ action }) => action,
  )

describe('the example', () => {
  test('comes into being as it is written, each change with its audit entry, and a second time changes nothing', async () => {
    const text = planText(await planned(EXAMPLE))
    expect(text).toContain('+ account Harbour Clinic\n  timeZone: Europe/Helsinki')
    expect(text).toContain('\n  monitoredHours.week.wednesday: 08:00–12:00, 12:45–18:00\n')
    expect(text).toContain('  + configuration harbour-invited\n')
    expect(text).toContain('    + key "patient record system"')
    const made = await applied(EXAMPLE)
    expect(made).toEqual([
      { kind: 'key', configuration: 'harbour', note: 'patient record system', key: expect.any(String) },
    ])
    const [one] = made
    const key = one?.kind === 'key' ? one.key : ''
    expect((await send(`${world.url}/api/v1/accessControl`, 'GET', { key })).status).toBe(200)
    const { accounts } = await exported('Harbour Clinic')
    expect(accounts).toMatchObject([
      {
        timeZone: 'Europe/Helsinki',
        cap: { kind: 'daily', most: 200 },
        monitoredHours: { holidays: { country: 'FI', hours: 'closed', eves: true } },
        configurations: [
          { slug: 'harbour', enabled: true, clinicPhone: '09 310 1001', emergencyNumber: '112' },
          { slug: 'harbour-invited', enabled: false, type: 'INVITED', adviceNumber: '02 313 8800' },
        ],
      },
    ])
    expect((await planned(EXAMPLE)).accounts).toEqual([])
    expect(planText(await planned(EXAMPLE))).toMatch(/^Nothing to change/)
    const id = (await listAccounts(world.app.core.db)).find(({ name }) => name === 'Harbour Clinic')?.id ?? ''
    expect(await actionsOf(id)).toEqual([
      'account.created',
      'account.changed',
      'configuration.created',
      'key.issued',
      'configuration.created',
      'configuration.changed',
    ])
    for (const chain of [id, DEPLOYMENT])
      expect(await verifyChain(world.app.core, chain, [])).toMatchObject({ ok: true })
  })

  test('the schema for editors is the one that files are read with', () => {
    expect(readFileSync('docs/clinic.schema.json', 'utf8')).toBe(clinicSchemaText())
  })
})

test('numbers to call may be written without quotes, and keep their zeros', async () => {
  await applied(`accounts:
  - name: Numbers
    timeZone: Europe/Oslo
    configurations:
      - { slug: numbers, emergencyNumber: 113, adviceNumber: 0800123, crisisLine: { default: 022, sv: 112 }, poisonLine: null }`)
  expect((await exported('Numbers')).accounts[0]?.configurations).toMatchObject([
    { emergencyNumber: '113', adviceNumber: '0800123', crisisLine: { default: '022', sv: '112' }, poisonLine: null },
  ])
})

test('what the file does not mention is told and stays, fields as well as whole things', async () => {
  const { core } = world.app
  await world.clinic()
  const { id } = await createAccount(core, 'Kept', 'Europe/Stockholm')
  const given = { name: 'Kept', type: 'OPEN', emergencyNumber: '112', clinicPhone: '08 123' } as const
  await createConfiguration(core, id, 'kept-one', given)
  await createConfiguration(core, id, 'kept-two', given)
  const text = 'accounts:\n  - name: Kept\n    configurations:\n      - { slug: kept-one, retentionDays: 7 }'
  const plan = await planned(text)
  expect(plan.unmentioned).toContain('configuration kept-two of Kept')
  expect(plan.unmentioned).toContain('account Test clinic')
  expect(planText(plan)).toContain('~ account Kept\n  ~ configuration kept-one\n    retentionDays: 90 → 7')
  await applied(text)
  expect((await exported('Kept')).accounts).toMatchObject([
    {
      timeZone: 'Europe/Stockholm',
      configurations: [{ slug: 'kept-one', retentionDays: 7, clinicPhone: '08 123' }, { slug: 'kept-two' }],
    },
  ])
})

test('webhooks: a secret is shown once and is in no file; one that is off stays off when its address changes', async () => {
  const file = (url: string, more = '') => `accounts:
  - name: Hooked
    timeZone: Europe/Oslo
    configurations:
      - slug: hooked
        country: NO
        webhooks:
          - { endpoint: main, url: '${url}' ${more} }
          - { endpoint: night, url: 'http://localhost:9/night', events: [session.alarm, session.completed], enabled: false }`
  const made = await applied(file('http://localhost:9'))
  expect(made.map((one) => (one.kind === 'webhook-secret' ? one.endpoint : one.kind))).toEqual(['main', 'night'])
  const told = JSON.stringify(await exported('Hooked'))
  for (const one of made) if (one.kind === 'webhook-secret') expect(told).not.toContain(one.secret)
  expect((await planned(file('http://localhost:9'))).accounts).toEqual([])
  expect(await applied(file('http://localhost:9/other', ', enabled: false'))).toEqual([])
  await applied(file('http://localhost:9/third'))
  expect((await exported('Hooked')).accounts[0]?.configurations?.[0]?.webhooks).toEqual([
    { endpoint: 'main', url: 'http://localhost:9/third', events: ['session.completed'], enabled: false },
    {
      endpoint: 'night',
      url: 'http://localhost:9/night',
      events: ['session.completed', 'session.alarm'],
      enabled: false,
    },
  ])
})

describe('all of it or nothing', () => {
  const TWO = `accounts:
  - { name: First of two, timeZone: Europe/Oslo, configurations: [{ slug: first-of-two, country: NO }] }
  - { name: Second of two, timeZone: Europe/Oslo, configurations: [{ slug: second-of-two, country: NO }] }`
  const names = async () => (await listAccounts(world.app.core.db)).map(({ name }) => name)

  test('a fault in the middle undoes what came before it, and the chains go on whole', async () => {
    await world.sql(
      `create function explode() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`,
    )
    await world.sql(
      `create trigger explodes before insert on configurations for each row when (new.slug = 'second-of-two') execute function explode()`,
    )
    await expect(applied(TWO)).rejects.toThrow('no')
    expect(await names()).not.toContain('First of two')
    await world.sql('drop trigger explodes on configurations')
    await applied(TWO)
    expect(await names()).toEqual(expect.arrayContaining(['First of two', 'Second of two']))
    expect(await verifyChain(world.app.core, DEPLOYMENT, [])).toMatchObject({ ok: true })
  })

  test('what was changed since it was shown is not applied', async () => {
    const read = readClinicFile('accounts:\n  - { name: First of two, cap: { kind: daily, most: 5 } }')
    const plan = await planFile(world.app.core, guard, read)
    await applied('accounts:\n  - { name: First of two, cap: { kind: daily, most: 9 } }')
    await expect(applyPlan(world.app.core, read, plan)).rejects.toThrow(ChangedMeanwhile)
    expect((await exported('First of two')).accounts).toMatchObject([{ cap: { most: 9 } }])
  })

  test('patients’ entries written at the same time are not lost from the chain', async () => {
    const { key, accountId } = await world.clinic()
    await world.sql(`update accounts set name = 'Busy' where id = $1`, [accountId])
    const create = () => send(`${world.url}/api/v1/session`, 'POST', { key, json: {} })
    const change = (most: number) => applied(`accounts:\n  - { name: Busy, cap: { kind: daily, most: ${most} } }`)
    const created = Promise.all(Array.from({ length: 20 }, create))
    for (let most = 1; most <= 5; most++) await change(most)
    expect((await created).map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 201))
    expect(await verifyChain(world.app.core, accountId, [])).toMatchObject({ ok: true })
    expect((await actionsOf(accountId)).filter((action) => action === 'account.changed')).toHaveLength(5)
  })
})

describe('the commands', () => {
  let folder: string
  const piped = async (line: string): Promise<string> => {
    const env = { ...process.env, DATABASE_URL: world.databaseUrl, MASTER_KEY: world.masterKey.toString('base64') }
    return (await promisify(execFile)('sh', ['-c', line], { env })).stdout
  }
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'fyr-apply-'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('apply looks, asks and does; export-config and apply are each other’s inverse', async () => {
    const file = join(folder, 'clinic.yaml')
    const read = (name: string) => listAccounts(world.app.core.db).then((rows) => rows.find((row) => row.name === name))
    writeFileSync(file, dump({ accounts: [{ name: 'By command', timeZone: 'Europe/Oslo' }] }))
    const looked = await fyr('apply', file, '--dry-run')
    expect(looked).toMatchObject({ code: 0, out: expect.stringContaining('+ account By command') })
    const unasked = await fyr('apply', file)
    expect(unasked).toMatchObject({ code: 1, err: expect.stringContaining('Say --yes') })
    expect(await read('By command')).toBeUndefined()
    expect(await json('apply', file, '--yes')).toMatchObject({
      applied: true,
      changes: [{ account: 'By command', isNew: true }],
    })
    expect(await read('By command')).toBeDefined()
    const { out, code } = await fyr('export-config', '--account', 'Harbour Clinic')
    expect(code).toBe(0)
    expect(readClinicFile(out).file).toEqual(await exported('Harbour Clinic'))
    expect(Object.keys(readClinicFile(out).file.accounts[0]?.monitoredHours?.week ?? {})).toEqual([...DAYS])
    expect(await piped('node bin/fyr.mjs export-config | node bin/fyr.mjs apply -')).toMatch(/^Nothing to change/)
    writeFileSync(file, 'accounts:\n  - name: Wrong\n    timezone: x\n')
    const wrong = 'line 3: accounts[0].timezone: is no field; did you mean timeZone?'
    expect(await fyr('apply', file)).toMatchObject({ code: 1, err: expect.stringContaining(wrong) })
    // Without a database too, and none is begun for it.
    const data = join(folder, 'no-data')
    const env = { ...process.env, DATABASE_URL: '', DATA_DIR: data }
    await expect(promisify(execFile)('node', [FYR, 'apply', file, '--yes'], { env })).rejects.toMatchObject({
      stderr: expect.stringContaining(wrong),
    })
    expect(existsSync(data)).toBe(false)
  })

  test('access shows, opens, closes and previews', async () => {
    const account = 'Harbour Clinic'
    expect(await json('access', 'close', account, '--until', '2d', '--reason', 'CapLimitReached')).toMatchObject({
      open: false,
      because: 'closed-by-hand',
      closedReason: 'CapLimitReached',
      closedUntil: expect.any(String),
    })
    const opened = await fyr('access', 'open', account, '--as', 'Ida')
    expect(opened).toMatchObject({ code: 0, out: expect.stringMatching(/state +open\n/) })
    expect(opened.out).toMatch(/holds +against the hours until \w{3} \d{4}-/)
    expect(opened.out).toMatch(/holds +against the daily cap until/)
    const entries = await world.sql(`select actor, action from audit_entries where action like 'access.%' order by seq`)
    expect(entries.slice(-1)).toEqual([{ actor: 'operator:Ida', action: 'access.opened' }])
    const { days } = await json<{ days: { date: string; open: unknown[] }[] }>('access', 'preview', account)
    expect(days).toHaveLength(14)
    expect((await fyr('access', 'preview', account, '--days', '400')).code).toBe(1)
  })
})
