// @module-tag thorough
import { execFile } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { FYR } from '../world/bundle.ts'
import {
  attempted,
  type ClinicWithWebhook,
  completedSession,
  eventually,
  newScene,
  type Scene,
} from '../world/webhook-scene.ts'

vi.setConfig({ testTimeout: 180_000 }) // each command is a process of its own

let scene: Scene
beforeAll(async () => {
  scene = await newScene()
})
afterAll(() => scene.close())

type Ran = { code: number; out: string; err: string }

/** `fyr webhook …` beside the running service. */
function webhook(slug: string, ...words: string[]): Promise<Ran> {
  const [command = '', ...rest] = words
  const args = [FYR, '--json', 'webhook', command, '--configuration', slug, ...rest]
  return new Promise((done) => {
    execFile(process.execPath, args, { env: { ...process.env, ...scene.environment } }, (error, out, err) =>
      done({ code: error ? Number(error.code) : 0, out, err }),
    )
  })
}

test('a webhook is set, shown, tested, rotated, stopped and started from the command line, beside the running service', async () => {
  const { slug } = await scene.world.clinic()
  const url = `https://localhost:${scene.receiver.port}/command`
  const tokenFile = join(mkdtempSync(join(tmpdir(), 'fyr-token-')), 'token')
  writeFileSync(tokenFile, 'token-in-a-file\n')
  const set = await webhook(slug, 'set', '--url', url, '--token-file', tokenFile)
  expect([set.code, set.err]).toEqual([0, ''])
  const { secret, ...made } = JSON.parse(set.out)
  expect(secret).toMatch(/^whsec_/)
  expect(made).toMatchObject({ url, enabled: true, hasToken: true, pending: 0, failed: 0 })
  expect((await webhook(slug, 'show')).out).not.toContain(secret)

  await scene.receiver.expect('command', secret)
  const tested = JSON.parse((await webhook(slug, 'test')).out)
  expect(tested).toMatchObject({
    type: 'webhook.test',
    state: 'delivered',
    attempts: [{ status: 200, answer: 'thank you' }],
  })
  const [arrived] = scene.receiver.arrived('command')
  expect(arrived?.verifiedBy).toEqual([secret])
  expect(arrived?.headers.authorization).toBe('Bearer token-in-a-file')
  expect(JSON.parse(arrived?.body ?? '')).toMatchObject({ id: tested.id, type: 'webhook.test', sessionId: null })

  expect(JSON.parse((await webhook(slug, 'rotate', '--overlap', '2h')).out).secret).toMatch(/^whsec_/)
  expect(JSON.parse((await webhook(slug, 'show')).out).secrets).toHaveLength(2)
  const again = await webhook(slug, 'rotate')
  expect([again.code, again.out]).toEqual([1, ''])
  expect(JSON.parse(again.err).error).toContain('cannot be rotated')

  const disabled = JSON.parse((await webhook(slug, 'disable')).out)
  expect(disabled).toMatchObject({ enabled: false, disabledReason: 'operator' })
  expect((await webhook(slug, 'test')).code).toBe(1)
  const enabled = await webhook(slug, 'enable')
  expect(JSON.parse(enabled.out)).toMatchObject({ enabled: true, disabledReason: null })
  const missed = `fyr webhook replay --configuration ${slug} --endpoint main --since ${disabled.disabledAt} --missed`
  expect(enabled.err).toContain(missed)
  const [, ...args] = missed.split(' ').slice(1)
  expect((await webhook(slug, ...args)).code).toBe(0)
  expect((await webhook(slug, 'enable')).err).toBe('')
})

test('a second endpoint is added, listed, tested and removed from the command line', async () => {
  const clinic = await scene.clinic('one-of-two')
  const url = `https://localhost:${scene.receiver.port}/two-of-two`
  const choice = ['--events', 'session.completed, session.alarm']
  const added = JSON.parse((await webhook(clinic.slug, 'add', '--endpoint', 'ehr', '--url', url, ...choice)).out)
  expect(added).toMatchObject({ endpoint: 'ehr', url, events: ['session.completed', 'session.alarm'] })
  await scene.receiver.expect('two-of-two', added.secret)
  const listed = JSON.parse((await webhook(clinic.slug, 'list')).out)
  expect(listed.map((one: { endpoint: string; url: string }) => [one.endpoint, one.url])).toEqual([
    ['main', clinic.url],
    ['ehr', url],
  ])
  expect(JSON.parse((await webhook(clinic.slug, 'test', '--endpoint', 'ehr')).out)).toMatchObject({
    state: 'delivered',
  })
  expect(scene.receiver.arrived('two-of-two')[0]?.verifiedBy).toEqual([added.secret])
  expect(JSON.parse((await webhook(clinic.slug, 'remove', '--endpoint', 'ehr')).out)).toEqual({ removed: 'ehr' })
  expect((await webhook(clinic.slug, 'show', '--endpoint', 'ehr')).code).toBe(1)
  expect(JSON.parse((await webhook(clinic.slug, 'show')).out)).toMatchObject({ endpoint: 'main', enabled: true })
})

test('the delivery log is listed, looked into and replayed from the command line', async () => {
  const clinic: ClinicWithWebhook = await scene.clinic('listed', 'status 500')
  const sessionId = await completedSession(scene, clinic)
  await attempted(scene, clinic, 1)
  await scene.world.sql(`update webhook_deliveries set next_at = now() + interval '1 hour' where session_id = $1`, [
    sessionId,
  ])
  const [listed] = JSON.parse((await webhook(clinic.slug, 'deliveries', '--state', 'pending', '--since', '1h')).out)
  expect(listed).toMatchObject({ sessionId, state: 'pending' })
  const one = JSON.parse((await webhook(clinic.slug, 'deliveries', listed.id)).out)
  expect(one.attempts[0]).toMatchObject({
    number: 1,
    status: 500,
    answer: 'status 500',
    durationMs: expect.any(Number),
  })
  await scene.receiver.behave('listed', 'ok')
  expect(JSON.parse((await webhook(clinic.slug, 'replay', '--since', '1h')).out)).toEqual({ queued: 1 })
  await eventually(
    async () => JSON.parse((await webhook(clinic.slug, 'show')).out),
    ({ pending }) => pending === 0,
  )
  expect(JSON.parse((await webhook(clinic.slug, 'replay', listed.id)).out)).toEqual({ queued: 1 })
  await eventually(
    () => scene.receiver.arrived('listed').filter(({ headers }) => headers['webhook-id'] === listed.id).length >= 3,
  )
  expect((await webhook(clinic.slug, 'replay')).code).toBe(1)
  expect((await webhook(clinic.slug, 'deliveries', 'evt_unknown')).code).toBe(1)
})

test.each([
  ['an address inside', ['set', '--url', 'https://10.0.0.1/'], '/url'],
  ['an address without https', ['set', '--url', 'http://example.org/'], '/url'],
  ['an overlap of eight days', ['rotate', '--overlap', '8d'], '/overlap'],
])('%s is refused with the place of the fault', { tags: 'slice' }, async (_words, words, pointer) => {
  const clinic = await scene.clinic('refusing')
  const { code, err } = await webhook(clinic.slug, ...words)
  expect(code).toBe(1)
  expect(JSON.parse(err).errors[0].pointer).toBe(pointer)
})
