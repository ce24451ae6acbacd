import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { changeAccount } from '../../src/account/provision.ts'
import { statusText } from '../../src/cli/status/status-text.ts'
import { attentionTo, type Status, statusOf } from '../../src/session/status.ts'
import { beat } from '../../src/store/deployment/nodes.ts'
import { VERSION } from '../../src/version.ts'
import { commandLine } from '../world/command.ts'
import { type Clinic, newWorld, type World } from '../world/world.ts'

let world: World
let open: Clinic
let closed: Clinic

beforeAll(async () => {
  world = await newWorld({ WEBHOOK_CONCURRENCY: '0' })
  open = await world.clinic()
  closed = await world.clinic()
  const week = { monday: [], tuesday: [], wednesday: [], thursday: [], friday: [], saturday: [], sunday: [] }
  await changeAccount(world.app.core, closed.accountId, {
    name: 'Night clinic',
    monitoredHours: { week, exceptions: [] },
  })
})
afterAll(() => world.close())

const look = (at = new Date()): Promise<Status> => statusOf(world.app.core, VERSION, at)
const { fyr } = commandLine(() => world)

test('all is well: nodes, database, webhooks, content, backup and every account, in one screen of eighty columns', async () => {
  await expect.poll(async () => (await look()).nodes.length).toBe(1)
  const status = await look()
  expect(status).toMatchObject({
    attention: [],
    nodes: [{ pid: process.pid, version: VERSION, alive: true }],
    database: { isStandby: false, behindSeconds: null, standbys: [] },
    webhooks: { waiting: 0, dead: 0, failing: 0, stopped: 0 },
    backups: { made: null, failed: null },
  })
  expect(status.releases.filter(({ everywhere }) => everywhere)).toHaveLength(1)
  expect(status.accounts).toContainEqual(
    expect.objectContaining({ id: open.accountId, open: true, closedReason: null }),
  )
  expect(status.accounts).toContainEqual(
    expect.objectContaining({ id: closed.accountId, open: false, closedReason: 'OutsideMonitoredHours' }),
  )
  const text = stripVTControlCharacters(statusText(status, false))
  expect(text).toMatch(/^All is well\.$/m)
  expect(text).toMatch(/^ +Night clinic +outside hours$/m)
  expect(text).toMatch(/^backup +none yet$/m)
  expect(text.split('\n').length).toBeLessThanOrEqual(24)
})

test('the command says what needs attention, as text and JSON, and ends with 1', async () => {
  await world.sql(
    `insert into webhook_deliveries (account_id, configuration_id, endpoint, type, state, settled_at) values ($1, $2, 'main', 'session.completed', 'failed', now())`,
    [open.accountId, open.configurationId],
  )
  await beat(world.app.core.db, { id: crypto.randomUUID(), host: 'lost-host', pid: 77, version: '0.0.9' })
  await world.sql(`update nodes set seen_at = now() - interval '2 minutes' where host = 'lost-host'`)
  const [words, json] = [await fyr('status'), await fyr('status', '--json')]
  expect([words.code, json.code]).toEqual([1, 1])
  expect(words.out).toContain(`! webhook deliveries of ${open.slug} were given up:`)
  expect(words.out).toContain(`fyr webhook replay --configuration ${open.slug} --since 30d\n`)
  expect(words.out).toContain('! nodes that fell silent: lost-host (77)')
  for (const line of words.out.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80)
  expect(JSON.parse(json.out)).toMatchObject({ webhooks: { dead: 1 }, attention: expect.arrayContaining([]) })
  expect(JSON.parse(json.out).attention).toHaveLength(2)
})

test('a node that was killed a moment ago is told with the moment it was last heard', async () => {
  await world.sql(`update nodes set seen_at = now() - interval '20 seconds' where host = 'lost-host'`)
  const status = await look()
  const lost = status.nodes.find(({ host }) => host === 'lost-host')
  expect(lost).toMatchObject({ alive: true, seenAt: expect.any(Date) })
  const text = stripVTControlCharacters(statusText(status, false))
  expect(text).toMatch(
    new RegExp(`lost-host 77  not heard since ${lost?.seenAt.toISOString().slice(0, 19).replace('T', ' ')}Z$`, 'm'),
  )
  expect(text).toMatch(new RegExp(` ${process.pid}  ${RegExp.escape(VERSION)}  since .*  seen \\d+ s ago$`, 'm'))
})

test('a silent node is forgotten by the next beat of another, and a node that stops takes its row along', async () => {
  await world.sql(`update nodes set seen_at = now() - interval '6 minutes' where host = 'lost-host'`)
  const other = await newWorld({ WEBHOOK_CONCURRENCY: '0' }, { url: world.databaseUrl, drop: async () => {} })
  await expect.poll(async () => (await look()).nodes.length).toBe(2) // the world's own and the other
  await other.close()
  const { nodes } = await look()
  expect(nodes.map(({ host, alive }) => [host === 'lost-host', alive])).toEqual([[false, true]])
})

test('each thing that can be wrong is told; of many accounts only those that are not open are listed', async () => {
  const status = await look()
  const wrong = attentionTo(
    {
      nodes: [],
      database: { ...status.database, isStandby: true, connections: status.database.mostConnections },
      webhooks: {
        waiting: 1,
        oldestWaitingSeconds: 1_000,
        dead: 0,
        failing: 1,
        stopped: 1,
        troubles: [
          { trouble: 'failing', slug: 'north', endpoint: 'main' },
          ...(['failing', 'stopped', 'waiting', 'dead'] as const).map((trouble) => ({
            trouble,
            slug: 'north',
            endpoint: 'crm',
          })),
        ],
      },
      hasRoom: false,
      leftAlarmOverdueSeconds: 200,
      releases: [{ version: '1.0.0', fault: 'changed', everywhere: false, configurations: ['here'] }],
      backups: { made: { at: new Date(0), place: null, bytes: null }, failed: { at: new Date(1), reason: null } },
    },
    new Date(),
  )
  expect(wrong).toHaveLength(14)
  expect(wrong.filter((sentence) => sentence.includes('north'))).toEqual([
    'webhook receivers of north are failing: fyr webhook show --configuration north',
    'webhook receivers of north (crm) are failing: fyr webhook show --configuration north --endpoint crm',
    'webhooks of north (crm) were stopped, as their receivers failed or are gone: fyr webhook enable --configuration north --endpoint crm',
    'a webhook delivery of north (crm) has waited for long: fyr webhook deliveries --configuration north --endpoint crm --state pending',
    'webhook deliveries of north (crm) were given up: fyr webhook replay --configuration north --endpoint crm --since 30d',
  ])
  const long = `nodes that fell silent, whose names go on and on ${'and on '.repeat(10)}: node-1 (1)`
  const longer = `of one piece ${'and on '.repeat(10)}to the end`
  const told = stripVTControlCharacters(statusText({ ...status, attention: [long, longer] }, false))
  expect(told).toContain(`  ! ${long.slice(0, 75)}…\n      node-1 (1)\n  ! ${longer}\n\n`)
  const failed = { at: new Date(1), reason: `There is no folder ${'/of/backups'.repeat(9)}` }
  const untold = stripVTControlCharacters(statusText({ ...status, backups: { made: null, failed } }, false))
  expect(untold).toMatch(
    /^backup {5}none yet; failed 1970-01-01 00:00:00Z\n {11}There is no folder [/a-z]+…\naccounts/m,
  )
  for (const line of untold.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80)
  const [account] = status.accounts
  if (!account) throw new Error('there is an account')
  const many = Array.from({ length: 200 }, (_, at) => ({
    ...account,
    name: `Clinic ${at}`,
    open: at !== 7,
    active: true,
  }))
  const text = stripVTControlCharacters(statusText({ ...status, accounts: many }, false))
  expect(text).toContain('199 of 200 open (the others:)')
  expect(text).toContain('Clinic 7 ')
  expect(text).not.toContain('Clinic 8 ')
  expect(stripVTControlCharacters(statusText({ ...status, accounts: many }, true))).toContain('Clinic 8 ')
})
