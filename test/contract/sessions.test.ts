import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { configurationOf, createConfiguration, issueKey } from '../../src/account/provision.ts'
import { type Call, callerTo, expectProblem, type Reply } from '../world/call.ts'
import { type Clinic, newWorld, type World } from '../world/world.ts'
import { someId } from './endpoints.ts'

let world: World
let call: Call
let clinic: Clinic

beforeAll(async () => {
  world = await newWorld()
  call = callerTo(world)
  clinic = await world.clinic({ defaultLanguage: 'fi', returnUrls: ['https://portal.example.org/back/'] })
})
afterAll(() => world.close())

const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

type Created = { sessionId: string; url: string; sessionCreatedTimestamp: string; expiresTimestamp: string }

const create = (json?: unknown, headers: Record<string, string> = {}): Promise<Reply> =>
  call('POST', '/api/v1/session', { key: clinic.key, headers, ...(json !== undefined && { json }) })

async function created(json?: unknown): Promise<Created> {
  const reply = await create(json)
  expect(reply.status).toBe(201)
  return reply.body as Created
}

const read = (id: string, rest = ''): Promise<Reply> => call('GET', `/api/v1/session/${id}${rest}`, { key: clinic.key })

const EVERYTHING = {
  patient: { age: 34.5, sex: 'Female' },
  languageCode: 'sv',
  text: 'Ont i halsen – sedan i går 🤒',
  userIsPatient: false,
  issueType: 'Regular',
  sessionFlow: 'ExternallyInitiatedByProxy',
  overrideDemandManagement: true,
  extendedData: { queue: 7, tags: ['a', null, { b: true }] },
  returnUrl: 'https://portal.example.org/back/here?x=1',
}

describe('1. Create session', () => {
  test('201: without a body, the session and where its user enters', async () => {
    const reply = await create()
    const body = reply.body as Created
    expect(reply.status).toBe(201)
    expect(body).toEqual({
      sessionId: expect.stringMatching(UUID),
      url: expect.stringMatching(new RegExp(`^http://localhost:\\d+/s/${clinic.slug}#[A-Za-z0-9_-]{43}$`)),
      sessionStatus: 'Created',
      sessionCreatedTimestamp: expect.stringMatching(MOMENT),
      expiresTimestamp: expect.stringMatching(MOMENT),
    })
    expect(reply.headers.location).toMatch(new RegExp(`/api/v1/session/${body.sessionId}$`))
    expect(Date.parse(body.expiresTimestamp) - Date.parse(body.sessionCreatedTimestamp)).toBe(24 * 3_600_000)
  })

  test('201: with every field, and with every field null', async () => {
    await created(EVERYTHING)
    const none = Object.fromEntries(Object.keys(EVERYTHING).map((name) => [name, null]))
    await created(none)
    await created({ ...none, patient: { age: null, sex: null, birthDate: null } })
  })

  test('B06 unknown and read-only fields are ignored and have no effect', async () => {
    const { sessionId } = await created({
      status: 'Ended',
      sessionStatus: 'Ended',
      accountId: someId(),
      sessionId: someId(),
      urgency: 'Level1',
      completedAt: '2020-01-01T00:00:00Z',
      patient: { name: 'Somebody' },
    })
    expect((await read(sessionId, '/status')).body).toEqual({ sessionStatus: 'Created' })
    expect((await read(sessionId)).body).toMatchObject({ urgency: 'No urgency set', sessionCompletedTimestamp: null })
    const [row] = await world.sql('select row_to_json(s)::text as text from sessions s where id = $1', [sessionId])
    expect(String(row?.text)).not.toContain('Somebody')
  })

  const faults: [what: string, body: object, pointer: string][] = [
    ['age as text', { patient: { age: '34' } }, '/patient/age'],
    ['age true', { patient: { age: true } }, '/patient/age'],
    ['age -1', { patient: { age: -1 } }, '/patient/age'],
    ['age 131', { patient: { age: 131 } }, '/patient/age'],
    ['age 1e308', { patient: { age: 1e308 } }, '/patient/age'],
    ['patient as a list', { patient: [] }, '/patient'],
    ['sex in small letters', { patient: { sex: 'female' } }, '/patient/sex'],
    ['sex by number', { patient: { sex: 0 } }, '/patient/sex'],
    ['a birth date in the future', { patient: { birthDate: '2999-01-01' } }, '/patient/birthDate'],
    ['a birth date of no calendar', { patient: { birthDate: '2023-02-29' } }, '/patient/birthDate'],
    ['a birth date 200 years ago', { patient: { birthDate: '1800-01-01' } }, '/patient/birthDate'],
    ['a birth date with a time', { patient: { birthDate: '2000-01-01T00:00:00Z' } }, '/patient/birthDate'],
    ['age and birth date that disagree', { patient: { age: 20, birthDate: '1960-01-01' } }, '/patient/age'],
    ['another language', { languageCode: 'de' }, '/languageCode'],
    ['text by number', { text: 5 }, '/text'],
    ['2,001 characters', { text: 'x'.repeat(2_001) }, '/text'],
    ['userIsPatient as text', { userIsPatient: 'true' }, '/userIsPatient'],
    ['another issue type', { issueType: 'regular' }, '/issueType'],
    ['issue type by number', { issueType: 1 }, '/issueType'],
    ['another flow', { sessionFlow: 'Other' }, '/sessionFlow'],
    ['overrideDemandManagement by number', { overrideDemandManagement: 1 }, '/overrideDemandManagement'],
    ['extended data over 4 KiB', { extendedData: 'x'.repeat(4_100) }, '/extendedData'],
    [
      'a sign that the content does not have',
      { signs: { muffled_voice: true, 'no/such~sign': true } },
      '/signs/no~1such~0sign',
    ],
    ['a question that is no sign', { signs: { fever: true } }, '/signs/fever'],
    ['a sign by text', { signs: { muffled_voice: 'yes' } }, '/signs/muffled_voice'],
    ['signs as a list', { signs: ['muffled_voice'] }, '/signs'],
    ['a return address that is not listed', { returnUrl: 'https://evil.example.org/back/' }, '/returnUrl'],
    ['a return address that climbs out', { returnUrl: 'https://portal.example.org/back/../admin' }, '/returnUrl'],
    ['a return address over plain http', { returnUrl: 'http://portal.example.org/back/' }, '/returnUrl'],
  ]
  for (const [what, body, pointer] of faults) {
    test(`B07 400: ${what}, with a pointer to it`, async () => {
      const before = await count()
      expectProblem(await create(body), 400, 'invalid-request', pointer)
      expect(await count()).toBe(before)
    })
  }

  async function count(): Promise<unknown> {
    return (await world.sql('select count(*)::int as n from sessions where account_id = $1', [clinic.accountId]))[0]?.n
  }

  test('2,000 characters are counted as people count them, and come back as they were', async () => {
    const text = '🤒'.repeat(2_000)
    const { sessionId } = await created({ text })
    expect((await read(sessionId)).body).toMatchObject({ descriptionOfMatter: text })
  })

  test('a birth date becomes the age and is not kept', async () => {
    const today = Temporal.Now.plainDateISO('Europe/Helsinki')
    for (const [birthDate, age] of [
      [today.subtract({ years: 40, days: 1 }), 40],
      [today.subtract({ years: 40 }).add({ days: 1 }), 39],
      [today.subtract({ months: 18 }), 1.5],
      [today, 0],
    ] as const) {
      const { sessionId } = await created({ patient: { birthDate: birthDate.toString() } })
      expect((await read(sessionId)).body).toMatchObject({ patientAge: age })
      const [row] = await world.sql('select row_to_json(s)::text as text from sessions s where id = $1', [sessionId])
      if (!birthDate.equals(today)) expect(String(row?.text)).not.toContain(birthDate.toString())
    }
  })

  test('an Idempotency-Key makes one session and repeats its answer', async () => {
    const headers = { 'Idempotency-Key': 'order-1' }
    const first = await create(EVERYTHING, headers)
    const again = await create(EVERYTHING, headers)
    expect([first.status, again.status]).toEqual([201, 201])
    expect(again.body).toEqual(first.body)
    expect(again.headers.location).toBe(first.headers.location)
  })

  test('B18 409: the same Idempotency-Key with another body', async () => {
    const headers = { 'Idempotency-Key': 'order-2' }
    await create({ text: 'one' }, headers)
    expectProblem(await create({ text: 'two' }, headers), 409, 'idempotency-conflict')
    expectProblem(await create(undefined, headers), 409, 'idempotency-conflict')
  })

  test('an Idempotency-Key belongs to its configuration', async () => {
    const headers = { 'Idempotency-Key': 'order-3' }
    const mine = await create({}, headers)
    const slug = `${clinic.slug}-two`
    await createConfiguration(world.app.core, clinic.accountId, slug, {
      name: 'Two',
      type: 'INVITED',
      emergencyNumber: '112',
    })
    const sibling = await issueKey(world.app.core, await configurationOf(world.app.core, slug))
    for (const { key } of [sibling, await world.clinic()]) {
      const theirs = await call('POST', '/api/v1/session', { key, headers, json: {} })
      expect(theirs.status).toBe(201)
      expect((theirs.body as Created).sessionId).not.toBe((mine.body as Created).sessionId)
    }
  })

  test('an Idempotency-Key is free again after a day', async () => {
    const headers = { 'Idempotency-Key': 'order-4' }
    const first = (await create({ text: 'one' }, headers)).body as Created
    await world.sql(`update idempotency_keys set created_at = created_at - interval '24 hours'`)
    const second = await create({ text: 'two' }, headers)
    expect(second.status).toBe(201)
    expect((second.body as Created).sessionId).not.toBe(first.sessionId)
  })

  test('B17 400: an Idempotency-Key that is empty, too long, not ASCII or sent twice', async () => {
    for (const value of ['', ' ', 'x'.repeat(256), 'x'.repeat(300), 'nyckel-\u00e9', 'a b']) {
      expectProblem(await create({}, { 'Idempotency-Key': value }), 400, 'invalid-request', '/headers/idempotency-key')
    }
    const twice = { 'Idempotency-Key': ['a', 'b'] }
    expectProblem(
      await call('POST', '/api/v1/session', { key: clinic.key, headers: twice, json: {} }),
      400,
      'invalid-request',
    )
    expect((await create({}, { 'Idempotency-Key': 'x'.repeat(255) })).status).toBe(201)
  })
})

describe('2. Get session info', () => {
  test('200: every field, as given at creation and not yet by the interview', async () => {
    const { sessionId, sessionCreatedTimestamp } = await created(EVERYTHING)
    expect((await read(sessionId)).body).toEqual({
      descriptionOfMatter: EVERYTHING.text,
      patientAge: 34.5,
      patientSex: 'Female',
      sessionCompletedTimestamp: null,
      sessionCreatedTimestamp,
      urgency: 'No urgency set',
      userStartedTimestamp: null,
      userWasPatient: null, // nobody has entered
      issueType: 'None',
    })
  })

  test('200: of a session about which nothing is known, every field is there and null', async () => {
    const { sessionId, sessionCreatedTimestamp } = await created()
    expect((await read(sessionId)).body).toEqual({
      descriptionOfMatter: null,
      patientAge: null,
      patientSex: null,
      sessionCompletedTimestamp: null,
      sessionCreatedTimestamp,
      urgency: 'No urgency set',
      userStartedTimestamp: null,
      userWasPatient: null,
      issueType: 'None',
    })
  })

  test('each reading is an audit entry with the key that read', async () => {
    const { sessionId } = await created()
    for (const rest of ['', '/files', '/summary', '/status']) await read(sessionId, rest)
    const rows = await world.sql(
      'select action, actor from audit_entries where account_id = $1 and subject = $2 order by seq',
      [clinic.accountId, sessionId],
    )
    expect(rows.map(({ action }) => action)).toEqual([
      'session.created',
      'session.read',
      'session.files.read',
      'session.summary.read',
    ])
    for (const { actor } of rows) expect(actor).toMatch(/^key:[0-9a-f-]{36}$/)
  })
})

test('D21: a reading by key whose audit entry cannot be written returns no data', async () => {
  const { sessionId } = await created(EVERYTHING)
  await world.sql('alter table audit_entries rename to hidden')
  const refused = await Promise.all(
    ['', '/files', '/summary', '/pdf', '/fhir', '/judgements'].map((rest) => read(sessionId, rest)),
  )
  await world.sql('alter table hidden rename to audit_entries')
  for (const { status, text } of refused) {
    expect(status).toBeGreaterThanOrEqual(500)
    expect(text).not.toContain('halsen')
  }
  expect((await read(sessionId)).text).toContain('halsen')
})

describe('3. Get session status', () => {
  test('200: the status of a new session', async () => {
    const { sessionId } = await created()
    expect((await read(sessionId, '/status')).body).toEqual({ sessionStatus: 'Created' })
  })

  test('400: an id that is no uuid points at the path', async () => {
    expectProblem(await read('nonsense', '/status'), 400, 'invalid-request', '/path/sessionId')
  })
})

describe('4. Get decision support link', () => {
  const link = (id: string, query: string) => read(id, `/decisionSupportLink${query}`)

  test('200: a link with its token in the fragment, and the script', async () => {
    const { sessionId } = await created()
    const { status, body } = await link(sessionId, '?auditUserIdentifier=dr.house@example.org')
    const { token } = body as { token: string }
    expect(status).toBe(200)
    expect(token).toMatch(/^[a-z0-9-]+\.[A-Za-z0-9_-]{43}$/)
    expect(body).toEqual({
      link: expect.stringMatching(new RegExp(`^http://localhost:\\d+/decision-support/${clinic.slug}#token=${token}$`)),
      token,
      managerScriptUrl: expect.stringMatching(/^http:\/\/localhost:\d+\/.*\.js$/),
    })
    const again = (await link(sessionId, '?auditUserIdentifier=dr.house@example.org')).body as { token: string }
    expect(again.token).not.toBe(token)
  })

  test('the token works for 5 minutes by the database’s clock, and only its hash is kept', async () => {
    const { sessionId } = await created()
    const { token } = (await link(sessionId, '?auditUserIdentifier=x')).body as { token: string }
    const rows = await world.sql(
      `select extract(epoch from expires_at - issued_at)::int as seconds, encode(hash, 'hex') as hash from link_tokens where session_id = $1`,
      [sessionId],
    )
    expect(rows).toEqual([{ seconds: 300, hash: expect.stringMatching(/^[0-9a-f]{64}$/) }])
    expect(rows[0]?.hash).not.toContain(Buffer.from(token).toString('hex'))
  })

  test('B29 400: auditUserIdentifier missing, blank, too long, given twice or with a NUL', async () => {
    const { sessionId } = await created()
    const bad = ['', '?auditUserIdentifier=', '?auditUserIdentifier=%20%09', `?auditUserIdentifier=${'x'.repeat(257)}`]
    for (const query of [...bad, '?audituseridentifier=x', '?auditUserIdentifier=a%00b']) {
      expectProblem(await link(sessionId, query), 400, 'invalid-request', '/query/auditUserIdentifier')
    }
    expectProblem(await link(sessionId, '?auditUserIdentifier=a&auditUserIdentifier=b'), 400, 'invalid-request')
    expect((await link(sessionId, `?auditUserIdentifier=${'x'.repeat(7_000)}`)).status).toBe(400)
  })

  test('B29 any other identifier is kept exactly', async () => {
    const { sessionId } = await created()
    const odd = [
      'a\r\nb',
      '<script>alert(1)</script>',
      '👩‍⚕️ Åsa',
      'x'.repeat(256),
      '🤒'.repeat(256),
      ' a ',
      '%00',
      "'; drop table sessions; --",
    ]
    for (const identifier of odd) {
      const reply = await link(sessionId, `?auditUserIdentifier=${encodeURIComponent(identifier)}`)
      expect(reply.status).toBe(200)
    }
    const kept = await world.sql(
      `select detail->>'auditUserIdentifier' as who from audit_entries where subject = $1 and action = 'link.issued' order by seq`,
      [sessionId],
    )
    expect(kept.map(({ who }) => who)).toEqual(odd)
  })
})

describe('5. Get files', () => {
  test('200: an empty list while nothing was uploaded', async () => {
    const { sessionId } = await created()
    const { status, body } = await read(sessionId, '/files')
    expect({ status, body }).toEqual({ status: 200, body: [] })
  })
})

describe('6. Get text summary', () => {
  const summary = async (id: string, query = ''): Promise<string> => {
    const { status, body } = await read(id, `/summary${query}`)
    expect(status).toBe(200)
    return (body as { data: string }).data
  }

  test('200: what creation was told, in each language, the clinic’s when none is asked for', async () => {
    const { sessionId } = await created(EVERYTHING)
    const texts = new Map<string, string>()
    for (const language of ['en', 'fi', 'no', 'sv']) {
      const text = await summary(sessionId, `?language=${language}`)
      expect(text).toContain(EVERYTHING.text)
      expect(text).not.toContain('\r')
      texts.set(language, text)
    }
    expect(new Set(texts.values()).size).toBe(4)
    expect(await summary(sessionId)).toBe(texts.get('fi'))
  })

  test('400: another language, none, or two', async () => {
    const { sessionId } = await created()
    for (const query of ['?language=de', '?language=', '?language=EN', '?language=nb', '?language=en&language=fi']) {
      expectProblem(
        await read(sessionId, `/summary${query}`),
        400,
        'invalid-request',
        query.includes('&') ? undefined : '/query/language',
      )
    }
  })
})
