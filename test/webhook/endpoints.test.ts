import { afterAll, beforeAll, expect, test } from 'vitest'
import { readWebhook, rotateWebhookSecret, setWebhook } from '../../src/account/webhook.ts'
import { deliveriesOf, replaySince, testWebhook } from '../../src/account/webhook-deliveries.ts'
import { addWebhook, removeWebhook, webhooksOf } from '../../src/account/webhook-endpoints.ts'
import { statusOf } from '../../src/session/status.ts'
import { brokenInvariants } from '../world/invariants.ts'
import { type ClinicWithWebhook, completedSession, eventually, newScene, type Scene } from '../world/webhook-scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await newScene()
})
afterAll(() => scene.close())

/** Adds an endpoint that leads to the receiver's path of this name. Returns its secret. */
async function add(clinic: ClinicWithWebhook, endpoint: string, path: string, events?: string[]): Promise<string> {
  const { core } = scene.world.app
  const url = `https://localhost:${scene.receiver.port}/${path}`
  const given = { url, ...(events && { events }) }
  const { secret } = await addWebhook(core, scene.guard, clinic.configuration, endpoint, given)
  return secret ?? ''
}

const logOf = (clinic: ClinicWithWebhook, endpoint: string) =>
  deliveriesOf(scene.world.app.core, clinic.configuration, { state: null, since: null, limit: 100 }, endpoint)

const arrivedAt = (path: string, count: number) =>
  eventually(
    () => scene.receiver.arrived(path),
    (list) => list.length === count,
  )

test('each endpoint is told what it chose, under its own id and secret', async () => {
  const clinic = await scene.clinic('first')
  const second = await add(clinic, 'ehr', 'second')
  await add(clinic, 'pager', 'third', ['session.started'])
  await scene.receiver.expect('second', clinic.secret, second)
  const sessionId = await completedSession(scene, clinic)
  const [one] = await arrivedAt('first', 1)
  const [two] = await arrivedAt('second', 1)
  const [three] = await arrivedAt('third', 1)
  expect(one?.verifiedBy).toEqual([clinic.secret])
  expect(two?.verifiedBy).toEqual([second])
  expect(new Set([one, two, three].map((arrived) => arrived?.headers['webhook-id'])).size).toBe(3)
  const bodies = [one, two, three].map((arrived) => JSON.parse(arrived?.body ?? ''))
  expect(bodies.map(({ type }) => type)).toEqual(['session.completed', 'session.completed', 'session.started'])
  expect(bodies.map((body) => body.sessionId)).toEqual(Array(3).fill(sessionId))
})

test('an endpoint that is gone stops alone, and is replayed alone', async () => {
  const { core } = scene.world.app
  const clinic = await scene.clinic('well')
  await add(clinic, 'ehr', 'ill')
  await scene.receiver.behave('ill', 'status 410')
  await completedSession(scene, clinic)
  await arrivedAt('well', 1)
  await eventually(
    () => readWebhook(core, clinic.configuration, 'ehr'),
    ({ disabledReason }) => disabledReason === 'gone',
  )
  expect((await readWebhook(core, clinic.configuration)).enabled).toBe(true)
  const { troubles } = (await statusOf(core, '0.1.0', new Date())).webhooks
  // In the order of what is to be done: a stopped one sends nothing again.
  expect(troubles.filter(({ slug }) => slug === clinic.slug)).toEqual(
    ['stopped', 'dead'].map((trouble) => ({ trouble, slug: clinic.slug, endpoint: 'ehr' })),
  )
  await scene.receiver.behave('ill', 'ok')
  const url = `https://localhost:${scene.receiver.port}/ill`
  await setWebhook(core, scene.guard, clinic.configuration, { url }, 'ehr')
  const since = new Date(Date.now() - 3_600_000)
  expect(await replaySince(core, clinic.configuration, { since, missed: true }, 'ehr')).toEqual({ count: 1 })
  await arrivedAt('ill', 2)
  await testWebhook(core, clinic.configuration, 'ehr')
  await arrivedAt('ill', 3)
  expect(scene.receiver.arrived('well')).toHaveLength(1)
  await rotateWebhookSecret(core, clinic.configuration, 60, 'ehr')
  expect((await webhooksOf(core, clinic.configuration)).map(({ secrets }) => secrets.length)).toEqual([1, 2])
})

test('a removed endpoint leaves nothing behind and the others as they are', async () => {
  const { core } = scene.world.app
  const clinic = await scene.clinic('staying')
  const first = await add(clinic, 'ehr', 'leaving')
  await scene.receiver.behave('leaving', 'status 500')
  await completedSession(scene, clinic)
  await arrivedAt('staying', 1)
  await eventually(
    () => logOf(clinic, 'ehr'),
    ([delivery]) => delivery?.attempts.length === 1,
  )
  await removeWebhook(core, clinic.configuration, 'ehr')
  const left = await scene.world.sql(
    `select endpoint from webhook_endpoints where configuration_id = $1 union all select endpoint from webhook_secrets where configuration_id = $1
     union all select endpoint from webhook_deliveries where configuration_id = $1`,
    [clinic.configurationId],
  )
  expect(left).toEqual(Array(3).fill({ endpoint: 'main' }))
  await expect(removeWebhook(core, clinic.configuration, 'ehr')).rejects.toMatchObject({ code: 'webhook-not-found' })
  expect(await add(clinic, 'ehr', 'leaving')).not.toBe(first)
  expect(await logOf(clinic, 'ehr')).toEqual([])
  const since = new Date(Date.now() - 3_600_000)
  expect(await replaySince(core, clinic.configuration, { since, missed: true }, 'ehr')).toEqual({ count: 1 })
})

test('what was queued while its endpoint was being removed goes to nobody, nor to a later one of that name', async () => {
  const clinic = await scene.clinic('stays')
  const of = [clinic.accountId, clinic.configurationId, 'pager']
  await scene.world.sql(
    `insert into webhook_deliveries (account_id, id, configuration_id, endpoint, type) values ($1, 'evt_0123456789abcdef0123456789abcdef', $2, $3, 'webhook.test')`,
    of,
  )
  await scene.world.sql(`select pg_notify('fyr_webhook', $1 || ' ' || $2 || ' ' || $3)`, of)
  await eventually(
    () => scene.world.sql(`select 1 from webhook_deliveries where id = 'evt_0123456789abcdef0123456789abcdef'`),
    (rows) => rows.length === 0,
  )
  await add(clinic, 'pager', 'later')
  await completedSession(scene, clinic)
  expect((await arrivedAt('later', 1)).map(({ body }) => JSON.parse(body).type)).toEqual(['session.completed'])
})

test('A52: an endpoint’s address moved to another of the same configuration cannot be opened there', async () => {
  const clinic = await scene.clinic('own')
  await add(clinic, 'ehr', 'swapped')
  await scene.world.sql(
    `update webhook_endpoints set sealed_url = (select sealed_url from webhook_endpoints where configuration_id = $1 and endpoint = 'main')
     where configuration_id = $1 and endpoint = 'ehr'`,
    [clinic.configurationId],
  )
  await completedSession(scene, clinic)
  const [delivery] = await eventually(
    () => logOf(clinic, 'ehr'),
    ([first]) => first?.row.state === 'failed',
  )
  expect(delivery?.attempts[0]).toMatchObject({ status: null, error: 'unreadable' })
})

test('a name is taken once, is plain, and there are ten at most; only main is made by setting it', async () => {
  const { core } = scene.world.app
  const clinic = await scene.clinic('many')
  const refused = { status: 400, extra: { errors: [{ pointer: '/endpoint' }] } }
  for (const name of ['main', 'Upper', 'a b', '', '-x', 'x'.repeat(41)])
    await expect(add(clinic, name, 'many'), name).rejects.toMatchObject(refused)
  for (let more = 1; more < 10; more++) await add(clinic, `e${more}`, 'many')
  await expect(add(clinic, 'e10', 'many')).rejects.toMatchObject(refused)
  await expect(
    setWebhook(core, scene.guard, clinic.configuration, { url: clinic.url }, 'unknown'),
  ).rejects.toMatchObject({ code: 'webhook-not-found' })
  expect(await brokenInvariants(scene.world)).toEqual([])
})
