import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { readWebhook } from '../../src/account/webhook.ts'
import { deliveriesOf } from '../../src/account/webhook-deliveries.ts'
import { sealAnswer } from '../../src/events/delivery/body.ts'
import { openEndpoint, sealForEndpoint } from '../../src/events/delivery/endpoint.ts'
import { verifySessions } from '../../src/session/verify.ts'
import { readSettings } from '../../src/settings.ts'
import { findAccount } from '../../src/store/accounts.ts'
import { findConfigurationBySlug } from '../../src/store/configurations.ts'
import { openForCommand } from '../../src/store/database/open.ts'
import { SealBroken } from '../../src/store/seal.ts'
import { endpointOf, FIND_FOR_SENDING, MAIN_ENDPOINT } from '../../src/store/webhooks/endpoints.ts'
import { expectProblem, type Reply, send } from '../world/call.ts'
import { SORE_THROAT, visiting } from '../world/clinician.ts'
import { picture, upload } from '../world/handoff.ts'
import { Patient } from '../world/patient.ts'
import { type Clinic, newWorld, type World } from '../world/world.ts'

/** Where patients answer, and a node on the same database that has seen nothing of them. */
let world: World
let other: World
let mine: Place
let theirs: Place
beforeAll(async () => {
  world = await newWorld()
  other = await newWorld({}, { url: world.databaseUrl, drop: async () => {} })
  mine = await place()
  theirs = await place()
})
afterAll(async () => {
  await other.close()
  await world.close()
})

/** An account with one of everything that is sealed. */
type Place = Clinic & { sessionId: string; fileId: string; deliveryId: string }

const asked = {
  headers: { 'Idempotency-Key': 'the-same' },
  json: {
    text: 'A cough',
    extendedData: { a: 'canary' },
    patient: { reference: 'number 7' },
    signs: { muffled_voice: true },
  },
}

async function place(): Promise<Place> {
  const clinic = await world.clinic({ contact: 'optional' })
  const { key, accountId, configurationId } = clinic
  const made = await send(`${world.url}/api/v1/session`, 'POST', { key, ...asked })
  const { sessionId, url } = made.body as { sessionId: string; url: string }
  const patient = new Patient(world.url)
  await patient.enter(url)
  const fileId = await upload(patient, 'arm.jpg', await picture(40, 40, 1))
  await patient.answerThrough(SORE_THROAT)
  expect((await patient.call('PUT', '/session/contact', { phone: '+358 40 123 4567' })).status).toBe(200)
  await patient.finish()
  const clinician = await visiting(world, clinic, sessionId)
  await clinician.call('POST', '/judgements', {
    json: { id: crypto.randomUUID(), urgency: 'Level2', reason: 'sounds worse' },
  })
  const deliveryId = `evt_${crypto.randomUUID().replaceAll('-', '')}`
  await withWebhook(accountId, configurationId, deliveryId)
  return { ...clinic, sessionId, fileId, deliveryId }
}

/** A webhook that once sent something and got an answer. */
async function withWebhook(accountId: string, configurationId: string, deliveryId: string): Promise<void> {
  const account = await findAccount(world.app.core.db, accountId)
  const accountKey = world.app.core.keyring.openAccountKey(accountId, account?.sealed_key ?? Buffer.alloc(0))
  const keys = { accountId, accountKey }
  const sealed = (owner: string, field: 'url' | 'token' | 'secret', text: string) =>
    Buffer.from(sealForEndpoint(keys, owner, field, text), 'hex')
  const secretId = crypto.randomUUID()
  await world.sql(
    'insert into webhook_endpoints (account_id, configuration_id, sealed_url, sealed_token) values ($1, $2, $3, $4)',
    [
      accountId,
      configurationId,
      sealed(configurationId, 'url', 'https://example.org/hook'),
      sealed(configurationId, 'token', 'a token'),
    ],
  )
  await world.sql(
    'insert into webhook_secrets (account_id, configuration_id, id, sealed_secret) values ($1, $2, $3, $4)',
    [
      accountId,
      configurationId,
      secretId,
      sealed(secretId, 'secret', `whsec_${Buffer.alloc(32, 1).toString('base64')}`),
    ],
  )
  const delivery = { id: deliveryId, session_id: null, sealed_key: null }
  await world.sql(
    `insert into webhook_deliveries (account_id, id, configuration_id, type, state) values ($1, $2, $3, 'webhook.test', 'delivered')`,
    [accountId, deliveryId, configurationId],
  )
  await world.sql(
    'insert into webhook_attempts (account_id, delivery_id, number, at, sealed_answer) values ($1, $2, 1, now(), $3)',
    [accountId, deliveryId, sealAnswer(keys, delivery, Buffer.from('thank you'))],
  )
}

/** Over HTTP nothing is told, and the log has a marked line. */
const refused = (read: (at: Place) => Promise<Reply>) => async (at: Place) => {
  const before = other.log().length
  const reply = await read(at)
  expectProblem(reply, 500, 'internal')
  expect(reply.text).not.toMatch(/throat|cough|arm\.jpg|worse|sealed/i)
  expect(other.log().slice(before)).toContain('"kind":"seal-broken"')
}
const byKey = (path: (at: Place) => string) => (at: Place) =>
  send(`${other.url}/api/v1/session/${path(at)}`, 'GET', { key: at.key })
const session = refused(byKey(({ sessionId }) => `${sessionId}/fhir`))
const info = refused(byKey(({ sessionId }) => sessionId))
const file = refused(byKey(({ sessionId, fileId }) => `${sessionId}/files/${fileId}`))
const contact = refused(byKey(({ sessionId }) => `${sessionId}/contact`))
const judgements = refused(byKey(({ sessionId }) => `${sessionId}/judgements`))
const repeated = refused(({ key }) => send(`${other.url}/api/v1/session`, 'POST', { key, ...asked }))
const withConfiguration =
  (read: (row: NonNullable<Awaited<ReturnType<typeof configuration>>>) => Promise<unknown>) =>
  async ({ slug }: Place) => {
    const row = await configuration(slug)
    await expect(row && read(row)).rejects.toBeInstanceOf(SealBroken)
  }
const configuration = (slug: string) => findConfigurationBySlug(world.app.core.db, slug)
/** What sending opens; the deliverer then says that it cannot be read, and sends nothing. */
const sending = withConfiguration(async ({ account_id: accountId, id }) => {
  const { db, keyring } = world.app.core
  const endpoint = endpointOf((await db.query(FIND_FOR_SENDING, [accountId, id, MAIN_ENDPOINT]))[0])
  if (!endpoint) throw new Error('There is no endpoint.')
  openEndpoint({ accountId, accountKey: keyring.openAccountKey(accountId, endpoint.sealed_account_key) }, endpoint)
})

const OF_SESSION = ({ sessionId }: Place) => `session_id = '${sessionId}'`
const OF_ACCOUNT = ({ accountId }: Place) => `account_id = '${accountId}'`
const THE_SESSION = ({ sessionId }: Place) => `id = '${sessionId}'`

/** Every sealed column, which row of it, and what is refused when it does not open. */
const SEALED: Record<string, readonly [row: (at: Place) => string, refusal: (at: Place) => Promise<void>]> = {
  'sessions.sealed_key': [THE_SESSION, info],
  'sessions.sealed_matter': [THE_SESSION, info],
  'sessions.sealed_given_matter': [THE_SESSION, session],
  'sessions.sealed_given_signs': [THE_SESSION, session],
  'sessions.sealed_outcome': [THE_SESSION, session],
  'sessions.sealed_contact': [THE_SESSION, contact],
  'sessions.sealed_reference': [THE_SESSION, contact],
  'sessions.state_seal': [THE_SESSION, info],
  'answers.sealed': [(at) => `${OF_SESSION(at)} and seq = 3`, session],
  'uploads.sealed_name': [OF_SESSION, session],
  'uploads.sealed_bytes': [OF_SESSION, file],
  'judgements.sealed_reason': [OF_SESSION, judgements],
  'idempotency_keys.sealed_response': [OF_ACCOUNT, repeated],
  'webhook_endpoints.sealed_url': [OF_ACCOUNT, withConfiguration((row) => readWebhook(world.app.core, row))],
  'webhook_endpoints.sealed_token': [OF_ACCOUNT, sending],
  'webhook_secrets.sealed_secret': [OF_ACCOUNT, sending],
  'webhook_attempts.sealed_answer': [
    OF_ACCOUNT,
    withConfiguration((row) => deliveriesOf(world.app.core, row, { state: null, since: null, limit: 5 })),
  ],
}
/** Those that nobody reads by a request of their own; each has a test below. */
const APART = [
  'accounts.sealed_key',
  'master_key_checks.sealed_root',
  'sessions.sealed_extended_data',
  'upload_parts.sealed',
]

test('every sealed column is tried here', async () => {
  const rows = await world.sql(
    `select table_name || '.' || column_name as name from information_schema.columns
     where table_schema = 'public' and data_type = 'bytea' and (column_name like 'sealed%' or column_name = 'state_seal')`,
  )
  expect(rows.map(({ name }) => name).toSorted()).toEqual([...Object.keys(SEALED), ...APART].toSorted())
})

/** Puts another value into a sealed column while the work is done. */
async function instead(name: string, value: string, work: () => Promise<void>): Promise<void> {
  const [table = '', column = ''] = name.split('.')
  const where = SEALED[name]?.[0](mine)
  const [before] = await world.sql(`select ${column} as value from ${table} where ${where}`)
  await world.sql(`update ${table} set ${column} = ${value} where ${where}`)
  try {
    // A node that has read the interview remembers it: that is forgotten, or there would be nothing to refuse.
    const anew = async () => {
      await world.sql(`select pg_notify('fyr_erased', $1)`, [mine.sessionId])
      await work()
    }
    await vi.waitFor(anew, { timeout: 40_000, interval: 200 })
  } finally {
    await world.sql(`update ${table} set ${column} = $1 where ${where}`, [before?.value])
  }
}

describe('F35 a changed byte is refused and no data is told', () => {
  for (const [name, [, refusal]] of Object.entries(SEALED))
    test(name, async () => {
      const column = name.split('.')[1]
      const last = `octet_length(${column}) - 1`
      await instead(name, `set_byte(${column}, ${last}, 255 - get_byte(${column}, ${last}))`, () => refusal(mine))
    })
})

describe('A52 what was sealed for another account is refused in its place', () => {
  for (const [name, [row, refusal]] of Object.entries(SEALED))
    test(name, async () => {
      const [table, column] = name.split('.')
      await instead(name, `(select ${column} from ${table} where ${row(theirs)})`, () => refusal(mine))
    })

  test('accounts.sealed_key, also with a byte changed', async () => {
    const [before] = await world.sql('select sealed_key from accounts where id = $1', [mine.accountId])
    for (const value of [
      `(select sealed_key from accounts where id = '${theirs.accountId}')`,
      `set_byte(sealed_key, 40, 255 - get_byte(sealed_key, 40))`,
    ]) {
      await world.sql(`update accounts set sealed_key = ${value} where id = $1`, [mine.accountId])
      await world.sql(`select pg_notify('fyr_changed', '')`) // nodes keep a caller for some seconds
      await vi.waitFor(() => info(mine), { timeout: 40_000, interval: 200 })
    }
    await world.sql('update accounts set sealed_key = $2 where id = $1', [mine.accountId, before?.sealed_key])
    await world.sql(`select pg_notify('fyr_changed', '')`)
  })
})

test('F35 A52 external data that was changed or put there is not told, and is named by verifying', async () => {
  const [before] = await world.sql('select sealed_extended_data as value from sessions where id = $1', [mine.sessionId])
  for (const value of [
    `set_byte(sealed_extended_data, 35, 255 - get_byte(sealed_extended_data, 35))`,
    `(select sealed_extended_data from sessions where id = '${theirs.sessionId}')`,
  ]) {
    await world.sql(`update sessions set sealed_extended_data = ${value} where id = $1`, [mine.sessionId])
    const { notAsRecorded } = await verifySessions(world.app.core, mine.accountId)
    expect(notAsRecorded).toContainEqual({ session: mine.sessionId, what: 'its extendedData was changed' })
  }
  await world.sql('update sessions set sealed_extended_data = $2 where id = $1', [mine.sessionId, before?.value])
})

test('F35 a root key that was changed lets nobody start', async () => {
  const settings = readSettings({ DATABASE_URL: world.databaseUrl, MASTER_KEY: world.masterKey.toString('base64') })
  const change = `update master_key_checks set sealed_root = set_byte(sealed_root, 40, 255 - get_byte(sealed_root, 40))`
  await (await openForCommand(settings)).db.close() // from then on it is there
  await world.sql(change)
  await expect(openForCommand(settings)).rejects.toThrow('The root key of this database was changed')
  await world.sql(change)
  await (await openForCommand(settings)).db.close()
})

test('F35 parts of a file in another order, of another file or changed, make no file', async () => {
  const bytes = await picture(400, 400, 7)
  const half = Math.floor(bytes.length / 2)
  for (const change of [
    'update upload_parts set sealed = set_byte(sealed, 40, 255 - get_byte(sealed, 40)) where upload_id = $1 and start = 0 and $2::uuid is not null',
    'update upload_parts p set sealed = q.sealed from upload_parts q where p.upload_id = $1 and q.upload_id = $2 and p.start = 0 and q.start = 0',
    'update upload_parts p set sealed = q.sealed from upload_parts q where p.upload_id = $1 and q.upload_id = $1 and p.start < q.start and $2::uuid is not null',
  ]) {
    const patient = new Patient(other.url)
    await patient.enterOpen(mine.slug)
    const [one, two] = [crypto.randomUUID(), crypto.randomUUID()]
    const part = (id: string, start: number, end: number) =>
      patient.call('PATCH', `/session/files/${id}`, new Uint8Array(bytes.subarray(start, end)), {
        'upload-offset': String(start),
      })
    for (const id of [one, two]) {
      await patient.call('POST', '/session/files', { id, name: 'arm.jpg', size: bytes.length })
      expect((await part(id, 0, half)).status).toBe(200)
      expect((await part(id, half, half + 10)).status).toBe(200)
    }
    await world.sql(change, [one, two])
    expect((await part(one, half + 10, bytes.length)).status).toBe(500)
    expect((await part(two, half + 10, bytes.length)).status).toBe(200)
    expect((await patient.look()).body.files).toMatchObject([{ ready: false }, { id: two, ready: true }])
  }
})

test('monitoring counts what was refused so', async () => {
  expect(await (await fetch(other.metricsUrl)).text()).toMatch(/fyr_refusals_total\{reason="seal broken"\} [1-9]/)
})

test('after all that was put back, everything is read as before', async () => {
  for (const path of ['', '/fhir', '/judgements', `/files/${mine.fileId}`])
    expect((await byKey(({ sessionId }) => `${sessionId}${path}`)(mine)).status).toBe(200)
  expect(await verifySessions(world.app.core, mine.accountId)).toMatchObject({ notAsRecorded: [] })
})
