import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DurationUnit, Value } from '../../src/engine/content.ts'
import { answerScreen } from '../../src/engine/screens.ts'
import { SealBroken, unseal } from '../../src/store/seal.ts'
import { type Call, callerTo } from '../world/call.ts'
import { type Clinic, newWorld, type World } from '../world/world.ts'

/** Planted wherever the interface takes words. It must never be seen outside an answer to whoever may read it. */
const CANARY = 'kanarie-7f3a-vogel'

let world: World
let call: Call
let clinic: Clinic
const secrets: string[] = []

beforeAll(async () => {
  world = await newWorld({ LOG_LEVEL: 'trace' })
  call = callerTo(world)
  clinic = await world.clinic({ contact: 'optional' })
  await plant()
})
afterAll(() => world.close())

async function plant(): Promise<void> {
  const { key, slug } = clinic
  const full = {
    text: `${CANARY} hurts`,
    extendedData: { [CANARY]: CANARY },
    [CANARY]: CANARY,
    patient: { age: 41, sex: 'Female', reference: CANARY, [CANARY]: CANARY },
  }
  const headers = {
    'Idempotency-Key': CANARY,
    'User-Agent': CANARY,
    traceparent: CANARY,
    Cookie: `a=${CANARY}`,
    Referer: `http://x/${CANARY}`,
  }
  const made = await call('POST', '/api/v1/session', { key, json: full, headers })
  expect(made.status).toBe(201)
  const { sessionId, url } = made.body as { sessionId: string; url: string }
  secrets.push(key, url.slice(url.indexOf('#') + 1))
  for (const rest of ['', '/summary', '/files', '/status', '/contact'])
    await call('GET', `/api/v1/session/${sessionId}${rest}?q=${CANARY}`, { key })
  const link = await call('GET', `/api/v1/session/${sessionId}/decisionSupportLink?auditUserIdentifier=dr`, { key })
  secrets.push((link.body as { token: string }).token)
  const refused = [
    await call('POST', '/api/v1/session', {
      key,
      json: { text: 5, languageCode: CANARY, returnUrl: `https://x/${CANARY}` },
    }),
    await call('POST', '/api/v1/session', {
      key,
      raw: `{"text": "${CANARY}`,
      headers: { 'Content-Type': 'application/json' },
    }),
    await call('POST', '/api/v1/session', { key, raw: CANARY, headers: { 'Content-Type': CANARY } }),
    await call('POST', '/api/v1/session', { key, json: { patient: { birthDate: CANARY.slice(0, 10), sex: CANARY } } }),
    await call('POST', '/api/v1/session', { key, json: { text: CANARY }, headers: { 'Idempotency-Key': CANARY } }),
    await call('POST', '/api/v1/session', { key, json: { issueType: CANARY } }),
    await call('POST', '/api/v1/accessControl/close', { key, json: { closedReason: CANARY } }),
    await call('GET', `/api/v1/session/${CANARY}`, { key }),
    await call('GET', `/api/v1/session/${CANARY}/status`, { key }),
    await call('GET', `/api/v1/${CANARY}?x=${CANARY}`, { key }),
    await call('GET', `/api/v1/session/${sessionId}/summary?language=${CANARY}`, { key }),
    await call('GET', `/api/v1/accessControl/sessionCount?start=${CANARY}`, { key }),
    await call('GET', `/api/v1/sessions?status=${CANARY}&cursor=${CANARY}&limit=${CANARY}`, { key }),
    await call('GET', '/api/v1/accessControl', { key: CANARY }),
    await call('GET', `/${CANARY}`),
    await call('GET', `/problems/${CANARY}`),
  ]
  for (const reply of refused) {
    expect(reply.status).toBeGreaterThanOrEqual(400)
    expect(reply.text).not.toContain(CANARY)
    expect(JSON.stringify(reply.headers)).not.toContain(CANARY)
  }
  await enterAndAnswer(url.slice(url.indexOf('#') + 1), slug)
}

type Question = { id: string; kind: string; options?: { id: string }[]; min?: number; units?: { id: DurationUnit }[] }
type View = { version: number; step: { kind: string; questions?: Question[] } }

/** The same through the triage interface, with the secret it issues: every free text is the planted word. */
async function enterAndAnswer(secret: string, slug: string): Promise<void> {
  const base = '/api/triage/v1'
  const entered = await call('POST', `${base}/enter`, { json: { secret, credential: 'bearer' } })
  expect(entered.status).toBe(200)
  const { secret: issued, session } = entered.body as { secret: string; session: View }
  secrets.push(issued)
  const headers = { Authorization: `Bearer ${issued}` }
  let view = session
  let planted = 0
  for (let step = 0; step < 60 && view.step.questions; step++) {
    const answers = answerScreen(view.step.questions, valueFor)
    const given = { id: crypto.randomUUID(), answers, version: view.version }
    const reply = await call('POST', `${base}/session/answers`, { json: given, headers })
    expect(reply.status).toBe(200)
    if (view.step.questions.some(({ kind }) => kind === 'text')) planted++
    view = reply.body as View
  }
  expect(planted).toBeGreaterThan(0)
  const raw = Buffer.from(`%PDF-1.4\n1 0 obj<</Type/Catalog/Title(${CANARY})>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n`)
  // One that is kept, one of which the end never comes, and one that is refused.
  for (const [bytes, size, status] of [
    [raw, raw.length, 200],
    [raw, raw.length + 10, 200],
    [Buffer.alloc(100, CANARY), 100, 415],
  ] as const) {
    const file = { id: crypto.randomUUID(), name: `${CANARY}.pdf`, size }
    expect((await call('POST', `${base}/session/files`, { json: file, headers })).status).toBe(200)
    const sent = await call('PATCH', `${base}/session/files/${file.id}`, {
      raw: bytes,
      headers: { ...headers, 'Content-Type': 'application/octet-stream', 'Upload-Offset': '0' },
    })
    expect(sent.status).toBe(status)
  }
  for (const contact of [
    { phone: '+358 40 555 0199', when: CANARY },
    { phone: CANARY, when: CANARY },
  ]) {
    const reply = await call('PUT', `${base}/session/contact`, { json: contact, headers })
    expect(reply.status).toBe(contact.phone === CANARY ? 400 : 200)
    if (reply.status === 400) expect(reply.text).not.toContain(CANARY)
  }
  await call('POST', `${base}/session/proposals`, { json: { text: CANARY }, headers })
  await call('POST', `${base}/session/answers`, {
    json: { id: CANARY, answers: [{ question: CANARY, value: CANARY }], version: 1 },
    headers,
  })
  await call('POST', `${base}/configurations/${slug}/sessions`, { json: { [CANARY]: CANARY, credential: 'bearer' } })
  await call('GET', `${base}/configurations/${CANARY}`)
}

function valueFor({ kind, options = [], min = 0, units = [] }: Question): Value {
  const first = options[0]?.id ?? 'none'
  switch (kind) {
    case 'text':
      return `${CANARY} and more`
    case 'sign':
    case 'yesno':
      return false
    case 'number':
      return Math.max(min, 41)
    case 'scale':
      return 2
    case 'duration':
      return { amount: 2, unit: units[0]?.id ?? 'days' }
    case 'date':
      return '2026-01-01'
    case 'photo':
      return []
    case 'many':
    case 'complaints':
      return [first]
    default:
      return first
  }
}

/** Every row of every table, as the bytes that are in it. */
async function dump(): Promise<Buffer> {
  const tables = await world.sql(`select tablename from pg_tables where schemaname = 'public'`)
  const parts: Buffer[] = []
  for (const { tablename } of tables) {
    if (tablename === 'content_texts') continue
    for (const row of await world.sql(`select * from "${tablename}"`))
      for (const value of Object.values(row))
        parts.push(Buffer.isBuffer(value) ? value : Buffer.from(JSON.stringify(value)), Buffer.from('\n'))
  }
  return Buffer.concat(parts)
}

test('A10 a dump of the database holds no planted word and nothing that opens a door', async () => {
  const bytes = await dump()
  const holds = (what: string | Buffer): boolean => {
    const plain = Buffer.from(what)
    const written = [plain, plain.toString('hex'), plain.toString('base64').slice(0, 20), plain.toString('base64url')]
    return written.some((form) => bytes.includes(form))
  }
  expect(holds(clinic.accountId)).toBe(true) // the dump is one
  const [account] = await world.sql('select sealed_key from accounts where id = $1', [clinic.accountId])
  expect(holds(account?.sealed_key as Buffer)).toBe(true) // and bytes are seen in it
  expect(holds(CANARY)).toBe(false)
  expect(secrets).toHaveLength(4)
  for (const secret of secrets) expect(holds(secret)).toBe(false)
  expect(holds(world.masterKey)).toBe(false)
})

test('A10 nothing that is kept of an account or a session is a key by itself', async () => {
  const [row] = await world.sql(
    `select s.id, s.sealed_given_matter as sealed, a.sealed_key as of_account, s.sealed_key as of_session
     from sessions s join accounts a on a.id = s.account_id where s.sealed_given_matter is not null`,
  )
  const place = [clinic.accountId, String(row?.id), 'givenMatter'] as const
  for (const kept of [row?.of_account, row?.of_session].map((bytes) => Buffer.from(bytes as Buffer))) {
    expect(kept.length).toBeGreaterThan(32)
    for (let at = 0; at + 32 <= kept.length; at++)
      expect(() => unseal(kept.subarray(at, at + 32), place, Buffer.from(row?.sealed as Buffer))).toThrow(SealBroken)
  }
})

test('the log, at its most talkative, holds no planted word, key, secret or token', () => {
  const log = world.log()
  expect(log.length).toBeGreaterThan(500)
  expect(log).not.toContain(CANARY)
  for (const secret of secrets) expect(log).not.toContain(secret)
})

test('the metrics hold no planted word, id or secret', async () => {
  const text = await fetch(world.metricsUrl).then((reply) => reply.text())
  expect(text).toContain('fyr_http_request_seconds')
  expect(text).not.toContain(CANARY)
  expect(text).not.toContain(clinic.accountId)
  for (const secret of secrets) expect(text).not.toContain(secret)
})

test('the statements that the database remembers hold no planted word', async () => {
  const rows = await world.sql('select query from pg_stat_activity where datname = current_database()')
  expect(JSON.stringify(rows)).not.toContain(CANARY)
})

test('A54: the scanner finds nothing in the log of a run, and would find what was planted', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fyr-log-'))
  const scan = (log: string) => {
    writeFileSync(join(folder, 'service.log'), log)
    return spawnSync('node', ['scripts/check-secrets.ts', folder], { encoding: 'utf8' }).status
  }
  expect(scan(world.log())).toBe(0)
  expect(scan(`${world.log()}{"msg":"started","key":"${clinic.key}"}\n`)).toBe(1)
  rmSync(folder, { recursive: true })
})
