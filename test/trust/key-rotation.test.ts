// @module-tag thorough
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { configurationOf, createAccount, createConfiguration, issueKey } from '../../src/account/provision.ts'
import { addAccountKey, useAccountKey } from '../../src/account/sealing/account-key.ts'
import { rotateMasterKey } from '../../src/account/sealing/master-key.ts'
import { verifyAccounts } from '../../src/account/verify.ts'
import { type Checkpoint, isGenuine, takeCheckpoint } from '../../src/events/checkpoint.ts'
import { type Core, coreOf } from '../../src/events/core.ts'
import { verifyChain } from '../../src/events/verify.ts'
import { carryOnResealing } from '../../src/session/upkeep/reseal.ts'
import { verifySessions } from '../../src/session/verify.ts'
import { readSettings } from '../../src/settings.ts'
import { DEPLOYMENT } from '../../src/store/accounts.ts'
import { StaleKey } from '../../src/store/database/db.ts'
import { type OpenStore, openForCommand } from '../../src/store/database/open.ts'
import { listKeyProgress } from '../../src/store/sealing/account-keys.ts'
import { send } from '../world/call.ts'
import { commandLine } from '../world/command.ts'
import { freshDatabase } from '../world/database.ts'
import { type Node, spawnNode } from '../world/nodes.ts'
import { Patient } from '../world/patient.ts'
import { createSessions, lostOf } from './load.ts'

const LONG = 600_000
const [OLD, NEW, STRANGE] = [Buffer.from(inject('masterKey'), 'base64'), randomBytes(32), randomBytes(32)]
const asText = (key: Buffer): string => key.toString('base64')
const BOTH = { MASTER_KEY: asText(NEW), MASTER_KEY_PREVIOUS: asText(OLD) }

let database: { url: string; drop: () => Promise<void> }
let direct: pg.Client
let clinic: { accountId: string; slug: string; key: string }
let before: Checkpoint | null
const nodes = new Map<string, Node>()
const { fyr } = commandLine(() => ({ databaseUrl: database.url, masterKey: NEW }))

const sql = async (text: string, values: unknown[] = []) => (await direct.query(text, values)).rows
const opened = (keys: Record<string, string>): Promise<OpenStore> =>
  openForCommand(readSettings({ DATABASE_URL: database.url, ...keys }))

async function withCore<T>(keys: Record<string, string>, work: (core: Core) => Promise<T>): Promise<T> {
  const store = await opened(keys)
  try {
    return await work(coreOf(store.db, store.keyring))
  } finally {
    await store.db.close()
  }
}

async function start(name: string, keys: Record<string, string>): Promise<Node> {
  const unlimited = { REQUESTS_PER_SECOND_PER_KEY: '0', REQUESTS_PER_SECOND_PER_USER: '0' }
  const node = await spawnNode({ DATABASE_URL: database.url, ...unlimited, ...keys })
  nodes.set(name, node)
  return node
}

const urlOf = (name: string): string => nodes.get(name)?.url ?? ''

/** Every chain, account and session is as recorded, and a checkpoint from before the rotation still counts. */
async function expectWhole(core: Core): Promise<void> {
  for (const id of [DEPLOYMENT, clinic.accountId]) expect(await verifyChain(core, id, [])).toMatchObject({ ok: true })
  expect((await verifySessions(core, clinic.accountId)).notAsRecorded).toEqual([])
  expect((await verifyAccounts(core, [])).map(({ fault }) => fault)).toEqual([null])
  expect(before && isGenuine(core, before)).toBe(true)
}

beforeAll(async () => {
  database = await freshDatabase(inject('serverUrl'), inject('template'))
  direct = new pg.Client({ connectionString: database.url })
  direct.on('error', () => {})
  await direct.connect()
  await withCore({ MASTER_KEY: asText(OLD) }, async (core) => {
    const { id: accountId } = await createAccount(core, 'Clinic', 'Europe/Helsinki')
    const slug = 'rotated'
    await createConfiguration(core, accountId, slug, { name: 'Clinic', type: 'OPEN', emergencyNumber: '112' })
    clinic = { accountId, slug, key: (await issueKey(core, await configurationOf(core, slug))).key }
    before = await takeCheckpoint(core, accountId, new Date())
  })
}, LONG)

afterAll(async () => {
  await Promise.all([...nodes.values()].map((node) => node.stop('SIGKILL')))
  await direct.end()
  await database.drop()
}, LONG)

test(
  'the master key is replaced while patients answer on two nodes: nothing is refused, everything stays readable and whole',
  async () => {
    await start('first', { MASTER_KEY: asText(OLD) })
    const patient = new Patient(urlOf('first'))
    await patient.enterOpen(clinic.slug)
    const headers = { 'idempotency-key': 'rotation' }
    const asked = () =>
      send(`${urlOf('second')}/api/v1/session`, 'POST', { key: clinic.key, json: { text: 'A cough' }, headers })

    // A node that holds the old key alone would be left behind.
    const refused = await withCore(BOTH, (core) => rotateMasterKey(core, 'test'))
    expect(refused).toMatchObject({ kind: 'not-held', nodes: [{ process: nodes.get('first')?.process.pid }] })

    await start('second', BOTH)
    const first = await asked()
    expect(first.status).toBe(201)
    await nodes.get('first')?.stop()
    await start('first', BOTH)
    const loads = ['first', 'second'].map((name) =>
      createSessions(urlOf(name), clinic.key, { clients: 2, pauseMs: 50 }),
    )
    const traveller = new Patient(urlOf('second'))
    await traveller.enterOpen(clinic.slug)

    process.env.MASTER_KEY_PREVIOUS = asText(OLD)
    const run = await fyr('master-key', 'rotate')
    delete process.env.MASTER_KEY_PREVIOUS
    expect(run).toMatchObject({ code: 0, out: expect.stringContaining('the keys of one account') })
    const until = loads.map(({ acknowledged }) => acknowledged.length + 10)
    await traveller.answerThrough({}, (_asked, { ledger }) => ledger.length >= 3)
    await expect
      .poll(() => loads.every(({ acknowledged }, at) => acknowledged.length > (until[at] ?? 0)), { timeout: LONG })
      .toBe(true)

    // Then the previous key is taken away, one node after another.
    for (const load of loads) await load.stop()
    await nodes.get('first')?.stop()
    await start('first', { MASTER_KEY: asText(NEW) })
    for (const load of loads) {
      expect(load.failures).toEqual([])
      expect([...load.statuses.keys()]).toEqual([201])
      expect(await lostOf(urlOf('first'), clinic.key, load.acknowledged)).toEqual([])
    }
    expect((await asked()).body).toEqual(first.body)
    const resumed = Object.assign(new Patient(urlOf('first')), { cookie: patient.cookie, bearer: patient.bearer })
    expect((await resumed.look()).status).toBe(200)
    await resumed.answerThrough({}, (_asked, { ledger }) => ledger.length >= 2)
    await withCore({ MASTER_KEY: asText(NEW) }, async (core) => {
      await expectWhole(core)
      expect(await rotateMasterKey(core, 'test')).toMatchObject({ kind: 'in-use' })
    })
  },
  LONG,
)

test('after it the old key is refused with the day it was replaced, and wrong keys as they were', async () => {
  const today = new Date().toISOString().slice(0, 10)
  const refusal = (keys: Record<string, string>) =>
    opened(keys).then(
      () => 'It was opened.',
      (error: unknown) => String(error),
    )
  expect(await refusal({ MASTER_KEY: asText(OLD) })).toContain(
    `The key in MASTER_KEY was replaced by another on ${today}`,
  )
  expect(await refusal({ MASTER_KEY: asText(STRANGE) })).toContain('another key than the one in MASTER_KEY')
  expect(await refusal({ MASTER_KEY: asText(STRANGE), MASTER_KEY_PREVIOUS: asText(OLD) })).toContain(
    'another key than those in MASTER_KEY and MASTER_KEY_PREVIOUS',
  )
  expect(await refusal({ MASTER_KEY: asText(NEW), MASTER_KEY_PREVIOUS: asText(STRANGE) })).toContain(
    'MASTER_KEY_PREVIOUS was never one of this database',
  )
  await (await opened(BOTH)).db.close()
})

test(
  'an account’s key is replaced under load and after kill -9 in the middle: new data at once, the rest in the background, and the old key goes',
  async () => {
    const keys = { MASTER_KEY: asText(NEW) }
    const numbers = async () =>
      await sql(
        `select account_key_number(sealed_key) as number, count(*)::int as n from sessions where account_id = $1 group by 1 order by 1`,
        [clinic.accountId],
      )
    const loads = ['first', 'second'].map((name) =>
      createSessions(urlOf(name), clinic.key, { clients: 1, pauseMs: 50 }),
    )
    const blocker = new pg.Client({ connectionString: database.url })
    await blocker.connect()
    try {
      await withCore(keys, async (core) => {
        expect(await addAccountKey(core, clinic.accountId, 'test')).toBe(2)
        expect(await addAccountKey(core, clinic.accountId, 'test')).toBeNull() // one at a time
        await sql(`select pg_sleep(5)`) // nodes keep what they know of an account for four seconds
        await useAccountKey(core, clinic.accountId, 2, 'test')
      })
      await expect.poll(numbers, { timeout: LONG }).toMatchObject([{ number: 1 }, { number: 2 }])
      for (const load of loads) {
        const many = load.acknowledged.length + 5
        await expect.poll(() => load.acknowledged.length > many, { timeout: LONG }).toBe(true)
      }
      // A session that somebody holds is left for later, so it cannot be finished before the nodes are killed.
      await blocker.query('begin')
      await blocker.query(
        'select from sessions where account_id = $1 and account_key_number(sealed_key) = 1 limit 1 for update',
        [clinic.accountId],
      )
      await sql(`update account_keys set used_since = used_since - interval '1 minute' where number = 2`)
      await expect.poll(numbers, { timeout: LONG }).toMatchObject([{ number: 1, n: 1 }, { number: 2 }])
      for (const load of loads) await load.stop()
      for (const load of loads)
        expect({ failures: load.failures, refusals: load.refusals }).toEqual({ failures: [], refusals: [] })
      for (const node of nodes.values()) await node.stop('SIGKILL')
      await blocker.query('commit')
      await withCore(keys, async (core) => {
        await expectWhole(core)
        const [halfway] = await listKeyProgress(core.db)
        expect(halfway).toMatchObject({ number: 2, resealed_at: null, resealed: expect.any(Number) })
        expect(halfway?.resealed).toBeGreaterThan(10)

        // Whoever still comes with the old key is refused, and nothing is lost.
        await expect(
          core.db.transaction((tx) =>
            tx.query(
              {
                name: 'late',
                text: `update sessions set sealed_key = '\\x01'::bytea || substr(sealed_key, 5) where account_id = $1`,
              },
              [clinic.accountId],
            ),
          ),
        ).rejects.toThrow(StaleKey)

        await expect
          .poll(
            async () => {
              await carryOnResealing(core, AbortSignal.timeout(LONG))
              return (await listKeyProgress(core.db))[0]?.resealed_at
            },
            { timeout: LONG },
          )
          .toBeInstanceOf(Date)
        expect(await numbers()).toMatchObject([{ number: 2 }])
        expect(await sql('select number from account_keys where account_id = $1', [clinic.accountId])).toEqual([
          { number: 2 },
        ])
        await expectWhole(core)
      })
      await start('first', keys)
      for (const load of loads) expect(await lostOf(urlOf('first'), clinic.key, load.acknowledged)).toEqual([])
      const progress = await fyr('account-key', 'progress')
      expect(progress).toMatchObject({ code: 0, out: expect.stringMatching(/Clinic +2 .*the old key is deleted/) })
    } finally {
      for (const load of loads) await load.stop()
      await blocker.end()
    }
  },
  LONG,
)
