import { afterAll, beforeAll, expect, test } from 'vitest'
import { disableWebhook, enableWebhook, readWebhook, setWebhook } from '../../src/account/webhook.ts'
import { deliveriesOf, replayDelivery, replaySince } from '../../src/account/webhook-deliveries.ts'
import { WAITS_SECONDS } from '../../src/events/delivery/schedule.ts'
import { reviewEndpoints } from '../../src/events/delivery/watch.ts'
import { newLogger } from '../../src/log.ts'
import {
  attempted,
  type ClinicWithWebhook,
  completedSession,
  deliveriesIn,
  eventually,
  newScene,
  passTheWait,
  type Scene,
} from '../world/webhook-scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await newScene()
})
afterAll(() => scene.close())

const silent = newLogger({ LOG_LEVEL: 'silent' })

/** Lets the webhook have failed for longer than it has. */
async function shiftFailure(clinic: ClinicWithWebhook, change: string): Promise<void> {
  const where = 'where account_id = $1 and configuration_id = $2'
  await scene.world.sql(`update webhook_endpoints set ${change} ${where}`, [clinic.accountId, clinic.configurationId])
}

test('F14: a receiver that is down for 76 hours gets fourteen attempts at the planned times, then the event is parked and can be replayed', async () => {
  const clinic = await scene.clinic('down', 'status 500')
  const [minute, hour] = [60, 3_600]
  const attemptsAt = [0]
  for (const seconds of WAITS_SECONDS) attemptsAt.push((attemptsAt.at(-1) ?? 0) + seconds)
  expect(attemptsAt).toEqual([
    ...[0, 5, 20],
    ...[1, 2, 4, 10, 30].map((minutes) => minutes * minute),
    ...[2, 6, 14, 26, 50, 76].map((hours) => hours * hour),
  ])
  await completedSession(scene, clinic)
  for (const [at, planned] of WAITS_SECONDS.entries()) {
    const { row, attempts } = await attempted(scene, clinic, at + 1)
    if (attempts.length > at + 1) continue // on a busy machine the first five seconds may pass by themselves
    const last = attempts.at(-1)
    const waits = (row.next_at.getTime() - (last?.at.getTime() ?? 0) - (last?.durationMs ?? 0)) / 1_000
    expect(row.state).toBe('pending')
    expect(waits).toBeGreaterThanOrEqual(planned * 0.8 - 0.1)
    expect(waits).toBeLessThanOrEqual(planned * 1.2 + 0.1)
    await passTheWait(scene, clinic)
  }
  const { row } = await attempted(scene, clinic, 14)
  expect(row.state).toBe('failed')
  const ids = scene.receiver.arrived('down').map(({ headers }) => headers['webhook-id'])
  expect(ids).toEqual(Array(14).fill(row.id))
  expect(await readWebhook(scene.world.app.core, clinic.configuration)).toMatchObject({ pending: 0, failed: 1 })
  const failed = { state: 'failed', since: null, limit: 10 } as const
  expect((await deliveriesOf(scene.world.app.core, clinic.configuration, failed)).map((one) => one.row.id)).toEqual([
    row.id,
  ])

  await scene.receiver.behave('down', 'ok')
  await replayDelivery(scene.world.app.core, clinic.configuration, row.id)
  expect((await attempted(scene, clinic, 15)).row.state).toBe('delivered')
  expect(scene.receiver.arrived('down').at(-1)?.headers['webhook-id']).toBe(row.id)
})

test('F16: an answer that is lost on the way means the same event again, with its id, a new timestamp and a new signature', async () => {
  const clinic = await scene.clinic('lost', 'reset')
  await completedSession(scene, clinic)
  const first = await attempted(scene, clinic, 1)
  expect(first.attempts[0]).toMatchObject({ status: null, error: 'connection-lost' })
  await scene.receiver.behave('lost', 'ok')
  await new Promise((done) => setTimeout(done, 1_100)) // timestamps are whole seconds
  await passTheWait(scene, clinic)
  await attempted(scene, clinic, 2)
  const [one, two] = scene.receiver.arrived('lost')
  expect(two?.body).toBe(one?.body)
  expect(two?.headers['webhook-id']).toBe(one?.headers['webhook-id'])
  expect(Number(two?.headers['webhook-timestamp'])).toBeGreaterThan(Number(one?.headers['webhook-timestamp']))
  expect(two?.headers['webhook-signature']).not.toBe(one?.headers['webhook-signature'])
  expect(two?.verifiedBy).toEqual([clinic.secret])
})

test('F19: a receiver that fails and works by turns is never disabled: the first success ends the failing', async () => {
  const clinic = await scene.clinic('moody', 'alternate')
  await completedSession(scene, clinic)
  await attempted(scene, clinic, 1)
  await shiftFailure(clinic, `failing_since = now() - interval '200 hours', warned_at = now() - interval '170 hours'`)
  await passTheWait(scene, clinic)
  await attempted(scene, clinic, 2)
  await reviewEndpoints(scene.world.app.core, silent)
  const webhook = await readWebhook(scene.world.app.core, clinic.configuration)
  expect(webhook).toMatchObject({ enabled: true, failingSince: null, warnedAt: null })
})

test('nothing but failure is warned of after a day and disables the webhook after five, never sooner and never silently', async () => {
  const { core } = scene.world.app
  const clinic = await scene.clinic('failing', 'status 503')
  await completedSession(scene, clinic)
  await attempted(scene, clinic, 1)
  const review = async () => {
    await reviewEndpoints(core, silent)
    return readWebhook(core, clinic.configuration)
  }
  await shiftFailure(clinic, `failing_since = now() - interval '23 hours'`)
  expect((await review()).warnedAt).toBeNull()
  await shiftFailure(clinic, `failing_since = now() - interval '25 hours'`)
  expect(await review()).toMatchObject({ enabled: true, warnedAt: expect.any(Date) })
  await shiftFailure(
    clinic,
    `failing_since = failed_at - interval '119 hours', warned_at = now() - interval '95 hours'`,
  )
  expect((await review()).enabled).toBe(true)
  await shiftFailure(clinic, `failing_since = failed_at - interval '120 hours', warned_at = now() - interval '1 hour'`)
  expect((await review()).enabled).toBe(true) // not without a day's warning
  await shiftFailure(clinic, `warned_at = now() - interval '96 hours'`)
  expect(await review()).toMatchObject({ enabled: false, disabledReason: 'failing' })
  const audit = await scene.world.sql(
    `select action from audit_entries where account_id = $1 and subject = $2 order by seq`,
    [clinic.accountId, clinic.configurationId],
  )
  expect(audit.map(({ action }) => action).slice(-2)).toEqual(['webhook.failing', 'webhook.disabled'])
})

test('F20: a receiver that is gone (410) is disabled at once with the reason; what waits is parked and can be replayed', async () => {
  const { core } = scene.world.app
  const clinic = await scene.clinic('gone', 'status 500')
  await completedSession(scene, clinic)
  await attempted(scene, clinic, 1)
  await scene.receiver.behave('gone', 'status 410')
  const told = await completedSession(scene, clinic)
  await eventually(
    () => readWebhook(core, clinic.configuration),
    ({ enabled, pending }) => !enabled && pending === 0,
  )
  expect(await readWebhook(core, clinic.configuration)).toMatchObject({ disabledReason: 'gone', failed: 2 })
  expect(scene.world.log()).toContain('"event":"webhook-disabled"')
  const missed = await completedSession(scene, clinic) // ends well although nobody is told
  expect((await deliveriesIn(scene, clinic)).some(({ row }) => row.session_id === missed)).toBe(false)

  await expect(
    replaySince(core, clinic.configuration, { since: new Date(Date.now() - 3_600_000) }),
  ).rejects.toMatchObject({ code: 'webhook-disabled' })
  await scene.receiver.behave('gone', 'ok')
  await enableWebhook(core, clinic.configuration)
  const since = new Date(Date.now() - 3_600_000)
  expect(await replaySince(core, clinic.configuration, { since })).toEqual({ count: 2 })
  expect(await replaySince(core, clinic.configuration, { since, missed: true })).toMatchObject({
    count: expect.any(Number),
  })
  await eventually(
    () => deliveriesIn(scene, clinic),
    (all) => all.length === 3 && all.every(({ row }) => row.state === 'delivered'),
  )
  const arrived = scene.receiver.arrived('gone').map(({ body }) => JSON.parse(body).sessionId)
  expect(arrived).toEqual(expect.arrayContaining([told, missed]))
})

test.each([
  ['seconds', 'after 503 120', 120],
  ['a date', () => `after 429 ${new Date(Date.now() + 120_000).toUTCString()}`, 120],
  ['for ever', 'after 503 1000000000', 3_600],
])('F21: Retry-After in %s is honoured, for an hour at most', async (words, behaviour, seconds) => {
  const name = `patience-${words.replace(' ', '-')}`
  const clinic = await scene.clinic(name, typeof behaviour === 'string' ? behaviour : behaviour())
  await completedSession(scene, clinic)
  const { row, attempts } = await attempted(scene, clinic, 1)
  const waits = (row.next_at.getTime() - (attempts[0]?.at.getTime() ?? 0)) / 1_000
  expect(waits).toBeGreaterThanOrEqual(Math.min(seconds, 3_600) - 10)
  expect(waits).toBeLessThanOrEqual(Math.min(seconds * 1.2, 3_600) + 20)
})

test('F22: an address corrected between attempts is where the next one goes', async () => {
  const clinic = await scene.clinic('old-place', 'status 404')
  await completedSession(scene, clinic)
  await attempted(scene, clinic, 1)
  await scene.receiver.expect('new-place', clinic.secret)
  const url = `https://localhost:${scene.receiver.port}/new-place`
  const { secret } = await setWebhook(scene.world.app.core, scene.guard, clinic.configuration, { url })
  expect(secret).toBeNull() // the address changes, the secret stays
  await passTheWait(scene, clinic)
  expect((await attempted(scene, clinic, 2)).row.state).toBe('delivered')
  expect(scene.receiver.arrived('new-place')[0]?.verifiedBy).toEqual([clinic.secret])
})

test('F17: an event that takes its node down every time is parked after fourteen tries', async () => {
  const clinic = await scene.clinic('poison', 'status 500')
  await completedSession(scene, clinic)
  await attempted(scene, clinic, 1)
  // As fourteen nodes would leave it that died while sending: claimed, counted, never settled.
  await scene.world.sql(
    `update webhook_deliveries set tries = 14, attempts = 14, claim = gen_random_uuid() where account_id = $1`,
    [clinic.accountId],
  )
  await passTheWait(scene, clinic)
  const { row, attempts } = await eventually(
    async () => (await deliveriesIn(scene, clinic))[0] ?? Promise.reject(new Error('gone')),
    (delivery) => delivery.row.state === 'failed',
  )
  expect(row.attempts).toBe(14)
  expect(attempts.at(-1)).toMatchObject({ number: 14, error: 'interrupted' })
  expect(scene.receiver.arrived('poison')).toHaveLength(1)
})

test('a session that ends without an enabled webhook ends all the same, and nothing is queued', async () => {
  const plain = await scene.world.clinic()
  const sessionId = await completedSession(scene, plain)
  const clinic = await scene.clinic('switched-off')
  await disableWebhook(scene.world.app.core, clinic.configuration)
  await completedSession(scene, clinic)
  const rows = await scene.world.sql(`select 1 from webhook_deliveries where account_id = any($1)`, [
    [plain.accountId, clinic.accountId],
  ])
  expect(rows).toEqual([])
  expect(await scene.world.sql(`select status from sessions where id = $1`, [sessionId])).toEqual([{ status: 'Ended' }])
})

test('A51: nothing is told of an erased session, not even by a replay', async () => {
  const clinic = await scene.clinic('erased', 'status 500')
  const sessionId = await completedSession(scene, clinic, { extendedData: 'canary' })
  const { row } = await attempted(scene, clinic, 1)
  await scene.world.sql(
    `update sessions set erased_at = now(), sealed_key = null, sealed_extended_data = null where id = $1`,
    [sessionId],
  )
  await passTheWait(scene, clinic)
  const after = await attempted(scene, clinic, 2)
  expect(after.row.state).toBe('failed')
  expect(after.attempts[1]).toMatchObject({ status: null, error: 'session-erased' })
  expect(after.attempts[0]?.answer).toBeNull() // what the receiver said went with the session
  await expect(replayDelivery(scene.world.app.core, clinic.configuration, row.id)).rejects.toMatchObject({
    code: 'session-not-found',
  })
  expect(scene.receiver.arrived('erased')).toHaveLength(1)
})
