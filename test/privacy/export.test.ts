import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { configurationOf, createConfiguration, issueKey } from '../../src/account/provision.ts'
import type { SessionExport } from '../../src/client/export-types.ts'
import { accessLogOf } from '../../src/session/export/access-log.ts'
import { LOG_WORDS } from '../../src/session/export/log-words.ts'
import { findSessionPlace } from '../../src/store/export/kept.ts'
import { type Call, callerTo, expectProblem } from '../world/call.ts'
import { CHEST_PAIN, visiting } from '../world/clinician.ts'
import { commandLine } from '../world/command.ts'
import { picture, upload } from '../world/handoff.ts'
import { Patient } from '../world/patient.ts'
import { attempted, type ClinicWithWebhook, newScene, type Scene } from '../world/webhook-scene.ts'

let scene: Scene
let clinic: ClinicWithWebhook
let call: Call
let told: { sessionId: string; fileId: string; removedId: string; photo: Buffer; patient: Patient }
const { fyr, json } = commandLine(() => scene.world)
const folder = mkdtempSync(join(tmpdir(), 'fyr-export-'))

beforeAll(async () => {
  scene = await newScene()
  clinic = await scene.clinic('export')
  call = callerTo(scene.world)
  told = await fullSession()
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await scene.close()
})

const path = (rest = '') => `/api/v1/session/${told.sessionId}${rest}`

/** A session with everything that can be kept of one. */
async function fullSession() {
  const { world } = scene
  await world.sql(
    `update configurations set document = document || '{"contact": "optional"}', revision = revision + 1 where id = $1`,
    [clinic.configurationId],
  )
  const made = await call('POST', '/api/v1/session', {
    key: clinic.key,
    json: {
      text: 'It presses, says the hospital',
      extendedData: { booking: 17 },
      patient: { age: 67, reference: 'visit-4711' },
      signs: { cold_sweat: true },
    },
  })
  const { sessionId, url } = made.body as { sessionId: string; url: string }
  const patient = new Patient(world.url)
  await patient.enter(url)
  const photo = await picture(40, 30, 5)
  const fileId = await upload(patient, 'my chest.jpg', photo)
  const removedId = await upload(patient, 'wrong one.jpg', photo)
  expect((await patient.call('DELETE', `/session/files/${removedId}`)).status).toBe(204)
  await patient.answerThrough(CHEST_PAIN, (asked) => asked === 'anything_else')
  await patient.back()
  await patient.answerThrough(CHEST_PAIN, (asked) => asked === 'anything_else')
  expect((await patient.call('PUT', '/session/contact', { phone: '+358 40 123 4567', when: 'evenings' })).status).toBe(
    200,
  )
  await patient.answerThrough(CHEST_PAIN)
  expect((await patient.finish()).status).toBe(200)
  const clinician = await visiting(world, clinic, sessionId, 'nurse.kari')
  await clinician.picture()
  const judgement = { id: crypto.randomUUID(), urgency: 'Level2', reason: 'Pale and cold' }
  expect((await clinician.call('POST', '/judgements', { json: judgement })).status).toBe(201)
  await attempted(scene, clinic, 1)
  await call('GET', '/api/v1/sessions?include=urgency', { key: clinic.key })
  return { sessionId, fileId, removedId, photo, patient }
}

describe('GET /session/{sessionId}/export', () => {
  test('tells everything that is kept: the words, the answers, the urgency and why, judgements, contact, files, deliveries', async () => {
    const reply = await call('GET', path('/export?language=en'), { key: clinic.key })
    expect(reply.status, reply.text).toBe(200)
    const all = reply.body as SessionExport
    expect(all).toMatchObject({
      format: 'fyr-session-export-1',
      session: { sessionId: told.sessionId, configuration: clinic.slug, sessionStatus: 'Ended', keptDays: 90 },
      patient: {
        age: 67,
        sex: 'Male',
        reference: 'visit-4711',
        contact: { phone: '+358 40 123 4567', when: 'evenings' },
      },
      toldAtCreation: {
        text: 'It presses, says the hospital',
        signs: { cold_sweat: true },
        extendedData: { booking: 17 },
      },
      descriptionOfMatter: CHEST_PAIN.matter,
      judgements: [{ auditUserIdentifier: 'nurse.kari', urgency: 'Level2', reason: 'Pale and cold' }],
      deliveries: [{ type: 'session.completed', endpoint: 'main', attempts: [{ status: 200 }] }],
      signIns: [{ kind: 'cookie' }],
      visits: [{ auditUserIdentifier: 'nurse.kari' }],
    })
    expect(all.urgency.level).toMatch(/^Level[12]$/)
    expect(all.urgency.reasons.length).toBeGreaterThan(0)
    expect(all.outcome).toMatchObject({ level: all.urgency.level, complete: true })
    expect(all.summary).toContain('Bisoprolol 5 mg')
    expect(all.answers.find(({ question, counts }) => question === 'medicine_names' && counts)).toMatchObject({
      value: 'Bisoprolol 5 mg',
      answer: 'Bisoprolol 5 mg',
      words: true,
      asked: expect.stringMatching(/\?$/),
    })
    expect(all.answers.some(({ kind }) => kind === 'withdrawn')).toBe(true)
    expect(all.files).toMatchObject([
      { fileId: told.fileId, name: 'my chest.jpg', mimeType: 'image/jpeg', isKept: true, removedTimestamp: null },
      { fileId: told.removedId, name: 'wrong one.jpg', isKept: false, removedTimestamp: expect.any(String) },
    ])
    expect(all.accessLog.at(-1)).toMatchObject({ action: 'session.exported', kind: 'key' })
  })

  test('tells nothing that opens the session: no key, no secret, no cookie, no hash', async () => {
    const { text } = await call('GET', path('/export'), { key: clinic.key })
    const rows = await scene.world.sql(
      `select encode(s.secret_hash, 'hex') as secret, encode(s.sealed_key, 'hex') as key, encode(u.hash, 'hex') as cookie
       from sessions s join user_cookies u on u.session_id = s.id where s.id = $1`,
      [told.sessionId],
    )
    for (const planted of [...Object.values(rows[0] ?? {}), clinic.key, told.patient.cookie?.split('=')[1]])
      expect(text).not.toContain(String(planted))
  })

  test('the key of another configuration of the same account is told of no such session', async () => {
    const { core } = scene.world.app
    const slug = `beside-${crypto.randomUUID().slice(0, 8)}`
    await createConfiguration(core, clinic.accountId, slug, { name: 'Beside', type: 'OPEN', emergencyNumber: '112' })
    const { key } = await issueKey(core, await configurationOf(core, slug))
    expectProblem(await call('GET', path('/export'), { key }), 404, 'session-not-found')
    expectProblem(await call('DELETE', path(), { key }), 404, 'session-not-found')
    expect((await call('GET', path(), { key: clinic.key })).status).toBe(200)
  })

  test('a session that nobody has entered yet is exported too', async () => {
    const made = await call('POST', '/api/v1/session', { key: clinic.key })
    const { sessionId } = made.body as { sessionId: string }
    const reply = await call('GET', `/api/v1/session/${sessionId}/export`, { key: clinic.key })
    expect(reply.body).toMatchObject({ outcome: null, answers: [], files: [], urgency: { level: null } })
  })
})

describe('the access log', () => {
  test('says who, for which unit, when and what, in words of each language', async () => {
    const { core } = scene.world.app
    const place = (await findSessionPlace(core.db, clinic.accountId, told.sessionId)) ?? expect.fail()
    const log = await accessLogOf(core, clinic.accountId, place, 'en')
    const told1 = log.map(({ who, what }) => `${who}: ${what}`)
    expect(told1).toEqual(
      expect.arrayContaining([
        'nurse.kari: looked at the answers',
        'nurse.kari: judged the urgency differently',
        'whoever answered the questions: sent the answers',
        'whoever answered the questions: left a telephone number',
        'whoever answered the questions: removed a file',
      ]),
    )
    const [listed] = log.filter(({ action }) => action === 'sessions.read')
    expect(listed).toMatchObject({ kind: 'key', what: 'saw it in a list', unit: expect.stringContaining(clinic.slug) })
    expect(log.every(({ action, what }) => what !== action)).toBe(true)
    const times = log.map(({ timestamp }) => timestamp)
    expect(times).toEqual([...times].sort())
    for (const language of ['fi', 'no', 'sv'] as const) {
      const others = await accessLogOf(core, clinic.accountId, place, language)
      expect(others.map(({ what }) => what)).not.toEqual(log.map(({ what }) => what))
      expect(Object.keys(LOG_WORDS[language].did)).toEqual(Object.keys(LOG_WORDS.en.did))
    }
  })

  test('a list that showed other patients too tells nothing of them', async () => {
    const other = await call('POST', '/api/v1/session', { key: clinic.key })
    const { sessionId } = other.body as { sessionId: string }
    const list = await call('GET', '/api/v1/sessions?include=urgency', { key: clinic.key })
    expect(list.text).toContain(told.sessionId)
    expect(list.text).toContain(sessionId)
    const { text } = await call('GET', path('/export'), { key: clinic.key })
    expect(text.split('sessions.read').length).toBeGreaterThan(2)
    expect(text).not.toContain(sessionId)
  })
})

describe('the command', () => {
  test('writes everything into a folder of its own, files too, and is itself on record under a name', async () => {
    const to = join(folder, 'one')
    const run = await fyr('session', 'export', told.sessionId, '--to', to, '--language', 'fi', '--as', 'Anna')
    expect({ code: run.code, err: run.err }).toEqual({ code: 0, err: '' })
    expect(readdirSync(to).sort()).toEqual(['access-log.txt', 'files', 'session.json', 'summary.txt'])
    expect(readdirSync(join(to, 'files'))).toEqual([`${told.fileId}.jpg`])
    expect(
      readFileSync(join(to, 'files', `${told.fileId}.jpg`))
        .subarray(0, 3)
        .toString('hex'),
    ).toBe('ffd8ff')
    expect(statSync(join(to, 'session.json')).mode & 0o077).toBe(0)
    expect(readFileSync(join(to, 'access-log.txt'), 'utf8')).toContain('| katsoi vastaukset\n')
    const written: SessionExport = JSON.parse(readFileSync(join(to, 'session.json'), 'utf8'))
    expect(written).toMatchObject({ language: 'fi', descriptionOfMatter: CHEST_PAIN.matter })
    expect(written.accessLog.at(-1)).toMatchObject({ kind: 'operator', who: 'palvelun ylläpitäjä: Anna', unit: null })
    const again = await fyr('session', 'export', told.sessionId, '--to', to)
    expect(again.code).toBe(1)
    expect(again.err).toContain('holds something already')
  })

  test('prints the log as a table and as JSON', async () => {
    const { out } = await fyr('session', 'log', told.sessionId.slice(0, 8))
    expect(out).toMatch(/^when +who +for +what$/m)
    expect(out).toMatch(/nurse\.kari +.*looked at the answers/)
    expect((await json<object[]>('session', 'log', told.sessionId)).at(-1)).toMatchObject({ what: expect.any(String) })
  })
})

test('DELETE erases for good, says by which key, and is 404 the second time; the log of what was done stays', async () => {
  const { world } = scene
  const log = async () =>
    (await json<{ action: string }[]>('session', 'log', told.sessionId)).map(({ action }) => action)
  const before = await log()
  const erased = await call('DELETE', path(), { key: clinic.key })
  expect({ status: erased.status, text: erased.text }).toEqual({ status: 204, text: '' })
  expectProblem(await call('DELETE', path(), { key: clinic.key }), 404, 'session-not-found')
  expectProblem(await call('GET', path('/export'), { key: clinic.key }), 404, 'session-not-found')
  expect((await told.patient.look()).status).toBe(401)
  const [kept] = await world.sql('select sealed_key, sealed_outcome from sessions where id = $1', [told.sessionId])
  expect(kept).toEqual({ sealed_key: null, sealed_outcome: null })
  const [left] = await world.sql(
    'select count(*)::int as n from uploads where session_id = $1 and sealed_bytes is not null',
    [told.sessionId],
  )
  expect(left).toEqual({ n: 0 })
  const [entry] = await world.sql(
    `select e.actor from audit_entries e where subject = $1 and action = 'session.erased'`,
    [told.sessionId],
  )
  expect(entry?.actor).toMatch(/^key:[0-9a-f-]{36}$/)
  expect(await log()).toEqual([...before, 'session.erased'])
})

test('DELETE wants the key and a known id, in this order', async () => {
  expectProblem(await call('DELETE', '/api/v1/session/no-uuid'), 401, 'key-missing')
  expectProblem(await call('DELETE', '/api/v1/session/no-uuid', { key: 'wrong' }), 403, 'key-invalid')
  expectProblem(await call('DELETE', '/api/v1/session/no-uuid', { key: clinic.key }), 404, 'session-not-found')
  expectProblem(
    await call('DELETE', `/api/v1/session/${crypto.randomUUID()}`, { key: clinic.key }),
    404,
    'session-not-found',
  )
})
