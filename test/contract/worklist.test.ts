import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eraseSession } from '../../src/session/upkeep/erase.ts'
import { listAuditEntries } from '../../src/store/audit.ts'
import { type Call, callerTo, expectProblem } from '../world/call.ts'
import { answered, CHEST_PAIN, SORE_THROAT, visiting } from '../world/clinician.ts'
import { interviewed } from '../world/handoff.ts'
import { Patient } from '../world/patient.ts'
import { type Clinic, newWorld, type World } from '../world/world.ts'

type Listed = { sessionId: string } & Record<string, unknown>
type Page = { sessions: Listed[]; nextCursor: string | null }

const PHONE = '+358 40 555 0177'
const REASON = 'The colour of the skin worried me'

let world: World
let call: Call
let clinic: Clinic
/** Newest last: a chest pain that was judged, a sore throat with a number, an alarm that stands, a prescription, one that nobody entered. */
let [chest, throat, alarm, prescription, created] = ['', '', '', '', '']

beforeAll(async () => {
  world = await newWorld()
  call = callerTo(world)
  clinic = await world.clinic({ contact: 'optional' })
  chest = (await answered(world.url, clinic, CHEST_PAIN)).sessionId
  const judgement = { id: randomUUID(), urgency: 'Level2', reason: REASON }
  const clinician = await visiting(world, clinic, chest, 'dr.judge')
  expect((await clinician.call('POST', '/judgements', { json: judgement })).status).toBe(201)
  const sore = await interviewed(world, clinic, { story: SORE_THROAT })
  expect((await sore.call('PUT', '/session/contact', { phone: PHONE, when: 'after four' })).status).toBe(200)
  await sore.finish()
  throat = sore.now.sessionId
  const alarmed = new Patient(world.url)
  await alarmed.enterOpen(clinic.slug)
  await alarmed.answerThrough({ ...SORE_THROAT, major_bleeding: true }, (_asked, view) => view.alarm !== null)
  alarm = alarmed.now.sessionId
  prescription = (await answered(world.url, clinic, { issue_type: 'prescription' })).sessionId
  const { body } = await call('POST', '/api/v1/session', {
    key: clinic.key,
    json: { text: 'a matter', patient: { reference: 'ref-1' } },
  })
  created = (body as Listed).sessionId
})
afterAll(() => world.close())

const list = (query: string, key = clinic.key) => call('GET', `/api/v1/sessions${query}`, { key })
const page = async (query: string): Promise<Page> => {
  const reply = await list(query)
  expect(reply.status, reply.text).toBe(200)
  return reply.body as Page
}
const ids = async (query: string): Promise<string[]> => (await page(query)).sessions.map(({ sessionId }) => sessionId)
const readings = async (): Promise<Record<string, unknown>[]> => {
  const rows = await world.sql(
    `select actor, subject, detail from audit_entries where account_id = $1 and action = 'sessions.read' order by seq`,
    [clinic.accountId],
  )
  return rows
}

describe('D14: a worklist is one request', () => {
  test('200: urgency and flag, complaints, contact and judgement are shown when they are asked for', async () => {
    const { sessions } = await page('?include=judgement,urgency,contact,complaints')
    const told = new Map(sessions.map((session) => [session.sessionId, session]))
    const nobody = { phone: null, when: null, reference: null }
    const judged = {
      auditUserIdentifier: 'dr.judge',
      judgedTimestamp: expect.any(String),
      judgementId: expect.any(String),
      reason: REASON,
      urgency: 'Level2',
    }
    expect(told.get(chest)).toMatchObject({
      flag: 'red',
      complaints: ['chest-pain'],
      contact: nobody,
      judgement: judged,
    })
    expect(told.get(throat)).toMatchObject({
      urgency: 'Level6',
      flag: null,
      complaints: ['sore-throat'],
      contact: { phone: PHONE, when: 'after four', reference: null },
      judgement: null,
    })
    expect(told.get(alarm)).toMatchObject({
      urgency: 'Level1',
      flag: 'red',
      complaints: null,
      sessionStatus: 'StartedChat',
    })
    expect(told.get(prescription)).toMatchObject({
      urgency: 'No urgency set',
      flag: null,
      complaints: ['prescription'],
    })
    expect(told.get(created)).toMatchObject({ urgency: 'No urgency set', contact: { ...nobody, reference: 'ref-1' } })
    for (const { sessionId, urgency } of sessions)
      expect((await call('GET', `/api/v1/session/${sessionId}`, { key: clinic.key })).body).toMatchObject({ urgency })
    const [plain] = (await page('?include=urgency&limit=1')).sessions
    expect(Object.keys(plain ?? {}).filter((name) => /urgency|flag|compl.*s$|contact|judg/.test(name))).toEqual([
      'urgency',
      'flag',
    ])
  })

  test('200: filtered by each of them, alone and together, with status and ranges', async () => {
    expect(await ids('?urgency=Level1')).toEqual([alarm, chest])
    expect((await ids('?flag=red')).toSorted()).toEqual([chest, alarm].toSorted())
    expect(await ids('?flag=warning')).toEqual([])
    expect(await ids('?flag=red&urgency=Level6')).toEqual([])
    expect(await ids('?urgency=Level6,Level7')).toEqual([throat])
    expect((await ids('?urgency=No%20urgency%20set')).toSorted()).toEqual([prescription, created].toSorted())
    expect(await ids('?complaint=chest-pain')).toEqual([chest])
    expect(await ids('?complaint=chest-pain&judgement=false')).toEqual([])
    expect(await ids('?complaint=nothing-like-it')).toEqual([])
    expect(await ids('?contact=true')).toEqual([throat])
    expect(await ids('?judgement=true')).toEqual([chest])
    expect(await ids('?judgement=true&complaint=chest-pain&flag=red&contact=false&status=Ended')).toEqual([chest])
    expect((await ids('?status=Ended&judgement=false')).toSorted()).toEqual([throat, prescription].toSorted())
    expect((await ids('?contact=false&judgement=false')).toSorted()).toEqual([alarm, prescription, created].toSorted())
    const later = '2999-01-01T00:00:00Z'
    const at = (await page('?status=Ended')).sessions.find(
      ({ sessionId }) => sessionId === throat,
    )?.sessionCompletedTimestamp
    expect(await ids(`?completedStart=${at}&judgement=false`)).toEqual([prescription, throat])
    expect(await ids(`?completedEnd=${at}&flag=red`)).toEqual([chest])
    expect(await ids(`?createdStart=${later}&flag=red`)).toEqual([])
    expect(await ids(`?createdEnd=${later}&flag=red&limit=1`)).toEqual([alarm])
  })

  test('200: pages of a filtered list hold every session once, in the order of the list', async () => {
    const all = await ids('')
    for (const query of ['?contact=false', '?completedStart=2020-01-01T00:00:00Z&judgement=false', '?flag=red']) {
      const seen: string[] = []
      let cursor: string | null = null
      do {
        const next: Page = await page(`${query}&limit=1${cursor ? `&cursor=${cursor}` : ''}`)
        seen.push(...next.sessions.map(({ sessionId }) => sessionId))
        cursor = next.nextCursor
      } while (cursor)
      expect(seen).toEqual(await ids(query))
      expect(seen).toEqual(all.filter((id) => seen.includes(id)))
    }
  })

  test('D21: it is one audited reading that names every session shown and no value looked for', async () => {
    const before = (await readings()).length
    await ids('?status=Ended')
    expect(await readings()).toHaveLength(before)
    await ids('?complaint=sore-throat&include=contact')
    await ids('?flag=warning')
    const [one, other] = (await readings()).slice(before)
    expect(one).toMatchObject({
      actor: expect.stringMatching(/^key:/),
      subject: clinic.configurationId,
      detail: { include: ['contact'], filters: ['complaint'], sessions: [throat] },
    })
    expect(other).toMatchObject({ detail: { include: [], filters: ['flag'], sessions: [] } })
    expect(JSON.stringify([one, other])).not.toMatch(/throat|warning|555 ?0177/)
    const seenOf = async (subject: string) => {
      const entries = await listAuditEntries(world.app.core.db, clinic.accountId, { afterSeq: 0, subject, limit: 100 })
      return entries.filter(({ action }) => action === 'sessions.read').length
    }
    const seen = [await seenOf(throat), await seenOf(created)] as const
    await ids('?complaint=sore-throat')
    expect([await seenOf(throat), await seenOf(created)]).toEqual([seen[0] + 1, seen[1]])
    await world.sql('alter table audit_entries rename to hidden')
    const refused = await list('?include=contact')
    await world.sql('alter table hidden rename to audit_entries')
    expect(refused.status).toBeGreaterThanOrEqual(500)
    expect(refused.text).not.toContain(PHONE)
  })

  test('a session that was changed outside the program shows nothing more, and does not hide the others', async () => {
    const own = await world.clinic()
    const [first, second] = [await answered(world.url, own, SORE_THROAT), await answered(world.url, own, SORE_THROAT)]
    await world.sql('update sessions set urgency = 1 where id = $1', [first.sessionId])
    const { status, body } = await list('?include=urgency', own.key)
    expect(status).toBe(200)
    const shown = new Map((body as Page).sessions.map((session) => [session.sessionId, session]))
    expect(shown.get(first.sessionId)).not.toHaveProperty('urgency')
    expect(shown.get(second.sessionId)).toHaveProperty('urgency', expect.stringMatching(/^Level/))
  })

  test('B16 400: a filter or a part that is none, with a pointer to it', async () => {
    const bad: [string, string][] = [
      ['urgency=level1', 'urgency'],
      ['urgency=Level1,,Level2', 'urgency'],
      ['flag=Red', 'flag'],
      ['complaint=Chest%20pain', 'complaint'],
      ['complaint=', 'complaint'],
      ['contact=yes', 'contact'],
      ['judgement=1', 'judgement'],
      ['include=', 'include'],
      ['include=urgency,summary', 'include'],
      ['includes=urgency', 'includes'],
      ['shortReference=3F2A9C01&flag=red', 'flag'],
    ]
    for (const [query, name] of bad) expectProblem(await list(`?${query}`), 400, 'invalid-request', `/query/${name}`)
  })

  test('A04: another configuration finds and shows none of them', async () => {
    const { key } = await world.clinic()
    for (const query of ['?complaint=chest-pain', '?flag=red&include=urgency', '?judgement=true', '?contact=true'])
      expect((await list(query, key)).body).toEqual({ sessions: [], nextCursor: null })
  })

  test('what a complaint is found by tells it to nobody without the key, and goes with the session', async () => {
    const rows = await world.sql(`select encode(mark, 'escape') as text from session_marks where account_id = $1`, [
      clinic.accountId,
    ])
    expect(rows.length).toBe(4) // three complaints and a judgement
    for (const { text } of rows) expect(String(text)).not.toMatch(/chest|throat|prescription|judged/)
    const other = await world.clinic()
    const { sessionId } = await answered(world.url, other, CHEST_PAIN)
    const of = (id: string) => world.sql('select mark from session_marks where session_id = $1', [id])
    const [own] = await of(sessionId)
    expect((await of(chest)).some(({ mark }) => (mark as Buffer).equals(own?.mark as Buffer))).toBe(false)
    await eraseSession(world.app.core, other.accountId, sessionId, 'operator')
    expect(await of(sessionId)).toEqual([])
    expect((await list('?complaint=chest-pain', other.key)).body).toEqual({ sessions: [], nextCursor: null })
  })
})
