import { afterAll, beforeAll, expect, test } from 'vitest'
import { readWebhook, rotateWebhookSecret, setWebhook } from '../../src/account/webhook.ts'
import { newSecret, secretBytes, signatureOf } from '../../src/events/delivery/signing.ts'
import {
  attempted,
  type ClinicWithWebhook,
  completedSession,
  eventually,
  newScene,
  type Scene,
} from '../world/webhook-scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await newScene()
})
afterAll(() => scene.close())

const rotate = (clinic: ClinicWithWebhook, overlapSeconds: number) =>
  rotateWebhookSecret(scene.world.app.core, clinic.configuration, overlapSeconds)

/** Ends a session and answers what the receiver could verify it with. */
async function verifiedBy(clinic: ClinicWithWebhook, name: string, ...secrets: string[]): Promise<string[]> {
  await scene.receiver.expect(name, ...secrets)
  const before = scene.receiver.arrived(name).length
  await completedSession(scene, clinic)
  await eventually(() => scene.receiver.arrived(name).length > before)
  return scene.receiver.arrived(name).at(-1)?.verifiedBy ?? []
}

test('the published test vector of Standard Webhooks', () => {
  const secret = secretBytes(['whsec', 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'].join('_'))
  const body = Buffer.from('{"test": 2432232314}')
  expect(signatureOf('msg_p5jXN8AQM9LWM0D4loKWxJek', 1_614_265_330, body, [secret])).toBe(
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  )
})

test('a secret is 32 random bytes in the form of the specification', () => {
  expect(newSecret()).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(secretBytes(newSecret())).toHaveLength(32)
  expect(newSecret()).not.toBe(newSecret())
})

test('A28: event ids are made by the server from letters, digits and underscore', async () => {
  const clinic = await scene.clinic('ids')
  await completedSession(scene, clinic, { extendedData: { id: 'evil.id\n', type: 'x.y\n.z' } })
  const { row } = await attempted(scene, clinic, 1)
  expect(row.id).toMatch(/^evt_[0-9a-f]{32}$/)
  const forged = `insert into webhook_deliveries (account_id, id, configuration_id, type) values ($1, 'evt_a.b', $1, 'webhook.test')`
  await expect(scene.world.sql(forged, [clinic.accountId])).rejects.toThrow('check')
})

test('during a rotation both secrets verify; when the overlap is over only the new one does', async () => {
  const clinic = await scene.clinic('rotating')
  const { secret: fresh, oldUntil } = await rotate(clinic, 3_600)
  expect(oldUntil.getTime()).toBeGreaterThan(Date.now() + 3_500_000)
  expect(await verifiedBy(clinic, 'rotating', clinic.secret, fresh)).toEqual([clinic.secret, fresh])
  await scene.world.sql(
    `update webhook_secrets set expires_at = now() where account_id = $1 and expires_at is not null`,
    [clinic.accountId],
  )
  expect(await verifiedBy(clinic, 'rotating', clinic.secret, fresh)).toEqual([fresh])
})

test('A29: without an overlap the old secret stops at once, also one that is still in its overlap', async () => {
  const clinic = await scene.clinic('leaked')
  const { secret: second } = await rotate(clinic, 3_600)
  const { secret: third } = await rotate(clinic, 0)
  expect(await verifiedBy(clinic, 'leaked', clinic.secret, second, third)).toEqual([third])
})

test('A29: twelve rotations in a row are refused with 409 when two secrets are valid, or ten were made in a day', async () => {
  const clinic = await scene.clinic('eager')
  await rotate(clinic, 86_400)
  await expect(rotate(clinic, 86_400)).rejects.toMatchObject({ status: 409, code: 'webhook-secret-limit' })
  expect((await readWebhook(scene.world.app.core, clinic.configuration)).secrets).toHaveLength(2)
  for (let made = 1; made < 10; made++) await rotate(clinic, 0)
  await expect(rotate(clinic, 0)).rejects.toMatchObject({ status: 409 })
  await expect(rotate(clinic, 8 * 86_400)).rejects.toMatchObject({ status: 400 })
  await expect(rotate(clinic, -1)).rejects.toMatchObject({ status: 400 })
})

test('rotations at the same moment leave two secrets at most', async () => {
  const clinic = await scene.clinic('race')
  const results = await Promise.allSettled(Array.from({ length: 5 }, () => rotate(clinic, 60)))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect((await readWebhook(scene.world.app.core, clinic.configuration)).secrets).toHaveLength(2)
})

test('a bearer token goes along until it is taken away, and neither it nor the address nor a secret lies open in the database', async () => {
  const { core } = scene.world.app
  const clinic = await scene.clinic('bearing')
  const token = 'token-canary-93'
  const url = `${clinic.url}?code=address-canary-94`
  await setWebhook(core, scene.guard, clinic.configuration, { url, token })
  await completedSession(scene, clinic)
  const [first] = await eventually(
    () => scene.receiver.arrived('bearing'),
    (list) => list.length === 1,
  )
  expect(first?.headers.authorization).toBe(`Bearer ${token}`)
  expect(first?.url).toBe('/bearing?code=address-canary-94')
  expect(await readWebhook(core, clinic.configuration)).toMatchObject({ url, hasToken: true })

  const rows =
    await scene.world.sql(`select (select string_agg(e::text, ' ') from webhook_endpoints e) || (select string_agg(s::text, ' ') from webhook_secrets s)
    || (select string_agg(a::text, ' ') from audit_entries a) as text`)
  const dump = String(rows[0]?.text)
  for (const canary of [token, 'address-canary-94', clinic.secret, clinic.secret.slice(6)]) {
    expect(dump).not.toContain(canary)
    expect(dump).not.toContain(Buffer.from(canary).toString('hex'))
    expect(scene.world.log()).not.toContain(canary)
  }
  expect(dump).not.toContain(secretBytes(clinic.secret).toString('hex'))

  await setWebhook(core, scene.guard, clinic.configuration, { url: clinic.url, token: null })
  await completedSession(scene, clinic)
  const [, second] = await eventually(
    () => scene.receiver.arrived('bearing'),
    (list) => list.length === 2,
  )
  expect(second?.headers.authorization).toBeUndefined()
  await expect(
    setWebhook(core, scene.guard, clinic.configuration, { url, token: 'two words\r\nx: y' }),
  ).rejects.toMatchObject({ status: 400 })
})

test('A52: an endpoint row moved to another account cannot be opened there, so nothing is sent', async () => {
  const clinic = await scene.clinic('moved-from')
  const other = await scene.clinic('moved-to')
  await scene.world.sql(
    `update webhook_endpoints set sealed_url = (select sealed_url from webhook_endpoints where account_id = $1) where account_id = $2`,
    [clinic.accountId, other.accountId],
  )
  await completedSession(scene, other)
  const { row, attempts } = await attempted(scene, other, 1)
  expect(row.state).toBe('failed')
  expect(attempts[0]).toMatchObject({ status: null, error: 'unreadable' })
  expect(scene.receiver.arrived('moved-from')).toEqual([])
})
