import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { changeAccount, changeConfiguration, configurationOf } from '../../src/account/provision.ts'
import type { Clinic, World } from '../world/world.ts'
import { Patient } from './patient.ts'

/** Where a story happens: one node or several on the same database. */
export type Place = { world: World; urls: readonly string[] }

export type Integrator = {
  get: (path: string) => Promise<Record<string, unknown>>
  post: (path: string, body?: unknown) => Promise<Record<string, unknown>>
}

/** The clinic's own system, speaking the documented interface to any node. */
export function integrator({ urls }: Place, { key }: Clinic): Integrator {
  const call = async (method: string, path: string, body?: unknown) => {
    const url = urls[Math.floor(Math.random() * urls.length)]
    const reply = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { 'x-service-api-key': key, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: reply.status, ...(await reply.json()) }
  }
  return { get: (path) => call('GET', path), post: (path, body) => call('POST', path, body) }
}

const CHEST = { issue_type: 'regular', complaints: ['chest-pain'] }

/** What the interface says of a session, all at once. */
async function told(system: Integrator, id: string) {
  const [info, status, count, summary] = await Promise.all([
    system.get(`/session/${id}`),
    system.get(`/session/${id}/status`),
    system.get('/accessControl/sessionCount'),
    system.get(`/session/${id}/summary?language=en`),
  ])
  return { ...info, ...status, completed: count.completed, active: count.active, summary: String(summary.data) }
}

export const STORIES: Record<string, (place: Place) => Promise<void>> = {
  'an adult with a level-1 alarm stops at the card, and the clinic learns of it at once': async (place) => {
    const clinic = await place.world.clinic()
    const system = integrator(place, clinic)
    const patient = new Patient(place.urls)
    expect((await patient.enterOpen(clinic.slug)).status).toBe(201)
    const { sessionId } = patient.now
    expect(await told(system, sessionId)).toMatchObject({
      sessionStatus: 'Created',
      issueType: 'None',
      urgency: 'No urgency set',
      active: 1,
      completed: 0,
    })
    await patient.answerThrough({ ...CHEST, matter: 'pressure on my chest' }, (asked) => asked === 'emergency_now')
    expect(await told(system, sessionId)).toMatchObject({
      sessionStatus: 'StartedChat',
      issueType: 'Regular',
      descriptionOfMatter: 'pressure on my chest',
      patientAge: 34,
      patientSex: 'Female',
      userWasPatient: true,
    })
    await patient.answer('emergency_now', ['heavy-bleeding'])
    expect(patient.now.alarm).toMatchObject({ level: 'Level1', callNumber: '112' })
    expect(await told(system, sessionId)).toMatchObject({
      urgency: 'Level1',
      sessionStatus: 'StartedChat',
      sessionCompletedTimestamp: null,
    })
    const stopped = await patient.stop()
    expect(stopped.status).toBe(200)
    expect(patient.now.step).toMatchObject({
      kind: 'outcome',
      outcome: { level: 'Level1', flag: 'red', complete: false },
    })
    expect(await told(system, sessionId)).toMatchObject({
      urgency: 'Level1',
      sessionStatus: 'Ended',
      active: 0,
      completed: 1,
    })
    expect((await patient.answer('emergency_now', ['none'])).body.type).toMatch(/session-finished$/)
  },

  'an adult with a level-1 alarm goes on to the end': async (place) => {
    const clinic = await place.world.clinic()
    const patient = new Patient(place.urls)
    await patient.enterOpen(clinic.slug)
    await patient.answerThrough({ ...CHEST, emergency_signs: ['breathless'] })
    expect(patient.now.alarm?.level).toBe('Level1')
    expect(patient.now.step.kind).toBe('review')
    await patient.finish()
    expect(patient.now.step).toMatchObject({ kind: 'outcome', outcome: { level: 'Level1', complete: true } })
    const again = await patient.finish()
    expect(again.status).toBe(200)
    expect(await told(integrator(place, clinic), patient.now.sessionId)).toMatchObject({
      urgency: 'Level1',
      completed: 1,
    })
  },

  'a parent answers for an infant with fever': async (place) => {
    const clinic = await place.world.clinic()
    const patient = new Patient(place.urls)
    await patient.enterOpen(clinic.slug, { language: 'fi' })
    await patient.answerThrough({
      for_whom: 'other',
      age: 0.1,
      sex: 'male',
      complaints: ['child-fever'],
      fever: 'measured',
      temperature: 38.4,
    })
    expect(patient.now.alarm?.level).toMatch(/Level[12]/)
    await patient.finish()
    const facts = await told(integrator(place, clinic), patient.now.sessionId)
    expect(facts).toMatchObject({ userWasPatient: false, patientAge: 0.1, sessionStatus: 'Ended' })
  },

  'someone of Sex Other goes all the way': async (place) => {
    const clinic = await place.world.clinic()
    const patient = new Patient(place.urls)
    await patient.enterOpen(clinic.slug, { language: 'sv' })
    await patient.answerThrough({ sex: 'other', age: 28, complaints: ['abdominal-pain'], anatomy: ['womb'] })
    await patient.finish()
    expect(await told(integrator(place, clinic), patient.now.sessionId)).toMatchObject({
      patientSex: 'Other',
      sessionStatus: 'Ended',
    })
    expect(patient.now.ledger.map(({ question }) => question)).toContain('anatomy')
  },

  'prescription, certificate and administrative matters keep “No urgency set”': async (place) => {
    const clinic = await place.world.clinic()
    for (const [type, name] of [
      ['prescription', 'Prescription'],
      ['certificate', 'Certificate'],
      ['admin', 'Admin'],
    ] as const) {
      const patient = new Patient(place.urls)
      await patient.enterOpen(clinic.slug)
      await patient.answerThrough({ issue_type: type })
      await patient.finish()
      expect(await told(integrator(place, clinic), patient.now.sessionId)).toMatchObject({
        issueType: name,
        urgency: 'No urgency set',
        sessionStatus: 'Ended',
      })
    }
  },

  'two complaints are asked together, shared questions once, and the more urgent level wins': async (place) => {
    const clinic = await place.world.clinic()
    const patient = new Patient(place.urls)
    await patient.enterOpen(clinic.slug)
    await patient.answerThrough({ complaints: ['sore-throat', 'abdominal-pain'] })
    const asked = patient.now.ledger.map(({ question }) => question)
    expect(new Set(asked).size).toBe(asked.length)
    expect(asked.some((id) => id.startsWith('throat_'))).toBe(true)
    expect(asked.some((id) => id.startsWith('belly_'))).toBe(true)
    await patient.finish()
    expect(patient.now.step.kind).toBe('outcome')
  },

  'changing an early answer keeps the later ones that still hold and tells which do not': async (place) => {
    const clinic = await place.world.clinic()
    const patient = new Patient(place.urls)
    await patient.enterOpen(clinic.slug)
    await patient.answerThrough(
      { complaints: ['sore-throat'], fever: 'measured', temperature: 38.2 },
      (asked) => asked === 'anything_else',
    )
    const before = patient.now.ledger
    expect(before.map(({ question }) => question)).toContain('temperature')
    const changed = await patient.answer('fever', 'no')
    expect(changed.status).toBe(200)
    expect(patient.now.ledger.map(({ question }) => question)).not.toContain('temperature')
    expect(patient.now.dropped.length).toBe(1)
    const kept = patient.now.ledger.filter(({ question }) => !['fever', 'temperature'].includes(question))
    expect(kept).toEqual(before.filter(({ question }) => !['fever', 'temperature'].includes(question)))
    await patient.answer('fever', 'measured')
    expect(patient.now.ledger.find(({ question }) => question === 'temperature')?.value).toBe(38.2)
  },

  'an app that sends everything twice has one of everything': async (place) => {
    const clinic = await place.world.clinic()
    const patient = new Patient(place.urls)
    await patient.enterOpen(clinic.slug)
    patient.sendsTwice = true
    await patient.answerThrough({ complaints: ['sore-throat'] })
    await patient.finish()
    expect(patient.now.step.kind).toBe('outcome')
    const [rows] = await place.world.sql(
      'select count(*)::int as answers, max(seq) as last from answers where session_id = $1',
      [patient.now.sessionId],
    )
    expect(rows).toEqual({ answers: patient.now.ledger.length, last: patient.now.ledger.length })
    expect(await told(integrator(place, clinic), patient.now.sessionId)).toMatchObject({ completed: 1 })
  },

  'F25: two tabs answer the same question differently: one wins, the other is shown the session as it is': async (
    place,
  ) => {
    const clinic = await place.world.clinic()
    const [one, other] = [new Patient(place.urls), new Patient(place.urls)]
    await one.enterOpen(clinic.slug)
    other.cookie = one.cookie
    await other.look()
    const replies = await Promise.all([one.answer('for_whom', 'self'), other.answer('for_whom', 'other')])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
    const lost = replies.find(({ status }) => status === 409)
    expect(lost?.body.type).toMatch(/stale-version$/)
    expect(lost?.body.current?.version).toBe(1)
    await one.look()
    expect(one.now.ledger).toHaveLength(1)
  },

  'a second device takes over after confirming the age, and only then': async (place) => {
    const clinic = await place.world.clinic({ type: 'INVITED' })
    const system = integrator(place, clinic)
    const created = await system.post('/session', {
      patient: { age: 71, sex: 'Male' },
      text: 'short of breath on stairs',
    })
    const [first, second] = [new Patient(place.urls), new Patient(place.urls)]
    expect((await first.enter(String(created.url))).status).toBe(200)
    await first.answer('for_whom', 'self')
    expect((await second.enter(String(created.url))).body.type).toMatch(/confirmation-needed$/)
    expect((await second.enter(String(created.url), { age: 45 })).body.type).toMatch(/confirmation-refused$/)
    expect((await second.enter(String(created.url), { birthYear: new Date().getUTCFullYear() - 71 })).status).toBe(200)
    expect(second.now.ledger).toEqual(first.now.ledger)
    const third = new Patient(place.urls)
    for (let guess = 0; guess < 5; guess++) await third.enter(String(created.url), { age: 20 + guess })
    expect((await third.enter(String(created.url), { age: 71 })).body.type).toMatch(/confirmation-refused$/)
  },

  'while neither age nor birth year is known, nobody else can take over': async (place) => {
    const clinic = await place.world.clinic()
    const created = await integrator(place, clinic).post('/session')
    await new Patient(place.urls).enter(String(created.url))
    expect((await new Patient(place.urls).enter(String(created.url), { age: 34 })).body.type).toMatch(
      /confirmation-refused$/,
    )
  },

  'A13: signing out ends what the browser may do, on every node at once': async (place) => {
    const clinic = await place.world.clinic()
    const patient = new Patient(place.urls)
    await patient.enterOpen(clinic.slug)
    const cookie = patient.cookie
    const out = await patient.call('POST', '/sign-out')
    expect(out.status).toBe(204)
    expect(out.headers.get('clear-site-data')).toContain('storage')
    patient.cookie = cookie
    for (const url of place.urls)
      expect((await fetch(`${url}/api/triage/v1/session`, { headers: { cookie: cookie ?? '' } })).status).toBe(401)
  },

  'what create was given is offered for confirmation, not asked blankly': async (place) => {
    const clinic = await place.world.clinic({ type: 'INVITED' })
    const created = await integrator(place, clinic).post('/session', {
      patient: { age: 8, sex: 'Female' },
      userIsPatient: false,
      languageCode: 'no',
      text: 'vondt i halsen',
      issueType: 'Regular',
    })
    const patient = new Patient(place.urls)
    await patient.enter(String(created.url))
    expect(patient.now.language).toBe('no')
    for (const [question, given] of [
      ['for_whom', 'other'],
      ['age', 8],
      ['sex', 'female'],
      ['issue_type', 'regular'],
      ['matter', 'vondt i halsen'],
    ] as const) {
      expect(patient.now.step).toMatchObject({ kind: 'ask', question: { id: question, given } })
      await patient.answer(question, given)
    }
  },

  'closed: new users meet the gate, who has started goes on, an overridden session gets in': async (place) => {
    const clinic = await place.world.clinic()
    const system = integrator(place, clinic)
    const started = new Patient(place.urls)
    await started.enterOpen(clinic.slug)
    await system.post('/accessControl/close', { closedReason: 'Other' })
    const late = await new Patient(place.urls).enterOpen(clinic.slug)
    expect(late.status).toBe(403)
    expect(late.body).toMatchObject({ gate: { open: false, closedReason: 'Other' } })
    expect((await started.answer('for_whom', 'self')).status).toBe(200)
    const plain = await system.post('/session')
    expect((await new Patient(place.urls).enter(String(plain.url))).body.type).toMatch(/service-closed$/)
    const allowed = await system.post('/session', { overrideDemandManagement: true })
    expect((await new Patient(place.urls).enter(String(allowed.url))).status).toBe(200)
    await system.post('/accessControl/open')
    expect((await new Patient(place.urls).enterOpen(clinic.slug)).status).toBe(201)
  },

  'the emergency check works when closed and stores nothing': async (place) => {
    const clinic = await place.world.clinic()
    await integrator(place, clinic).post('/accessControl/close', { closedReason: 'OutsideMonitoredHours' })
    const answers: { question: string; value: unknown }[] = []
    const patient = new Patient(place.urls)
    for (const [question, value] of [
      ['for_whom', 'self'],
      ['age', 60],
      ['sex', 'male'],
      ['emergency_now', ['none']],
      ['emergency_signs', ['stroke']],
    ] as const) {
      const reply = await patient.call('POST', `/configurations/${clinic.slug}/emergency-check`, {
        language: 'en',
        answers,
      })
      expect(reply.body).toMatchObject({ question: { id: question }, alarm: null })
      answers.push({ question, value })
    }
    const last = await patient.call('POST', `/configurations/${clinic.slug}/emergency-check`, {
      language: 'en',
      answers,
    })
    expect(last.body).toMatchObject({ question: null, alarm: { level: 'Level1' } })
    expect(await place.world.sql('select 1 from sessions where account_id = $1', [clinic.accountId])).toEqual([])
  },

  'capped: the daily cap closes with its reason until midnight, and a manual open holds against it': async (place) => {
    const clinic = await place.world.clinic()
    const system = integrator(place, clinic)
    await changeAccount(place.world.app.core, clinic.accountId, { cap: { kind: 'daily', most: 2 } })
    for (let count = 0; count < 2; count++)
      expect((await new Patient(place.urls).enterOpen(clinic.slug)).status).toBe(201)
    const refused = await new Patient(place.urls).enterOpen(clinic.slug)
    expect(refused.body).toMatchObject({ gate: { closedReason: 'CapLimitReached' } })
    expect(await system.get('/accessControl')).toMatchObject({ open: false, closedReason: 'CapLimitReached' })
    await system.post('/accessControl/open')
    expect((await new Patient(place.urls).enterOpen(clinic.slug)).status).toBe(201)
  },

  'capped: an ongoing cap opens again when a session ends, and closes again after a manual open once it was below':
    async (place) => {
      const clinic = await place.world.clinic()
      const system = integrator(place, clinic)
      await changeAccount(place.world.app.core, clinic.accountId, { cap: { kind: 'ongoing', most: 1 } })
      const first = new Patient(place.urls)
      await first.enterOpen(clinic.slug)
      expect(await system.get('/accessControl')).toMatchObject({ open: false, closedReason: 'CapLimitReached' })
      await system.post('/accessControl/open')
      const second = new Patient(place.urls)
      expect((await second.enterOpen(clinic.slug)).status).toBe(201)
      expect(await system.get('/accessControl')).toMatchObject({ open: true })
      for (const patient of [first, second]) {
        await patient.answerThrough({ issue_type: 'admin' })
        await patient.finish()
      }
      expect(await system.get('/accessControl')).toMatchObject({ open: true })
      await new Patient(place.urls).enterOpen(clinic.slug)
      expect(await system.get('/accessControl')).toMatchObject({ open: false, closedReason: 'CapLimitReached' })
    },

  'hours: outside them it is closed and says when it opens; under INVITED nobody is gated': async (place) => {
    const clinic = await place.world.clinic()
    const system = integrator(place, clinic)
    const never = { monday: [], tuesday: [], wednesday: [], thursday: [], friday: [], saturday: [], sunday: [] }
    const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)
    await changeAccount(place.world.app.core, clinic.accountId, {
      monitoredHours: { week: never, exceptions: [{ date: day, spans: [{ from: '08:00', to: '16:00' }] }] },
    })
    expect(await system.get('/accessControl')).toMatchObject({ open: false, closedReason: 'OutsideMonitoredHours' })
    const refused = await new Patient(place.urls).enterOpen(clinic.slug)
    const { gate } = refused.body as { gate?: { opensAt: string; timeZone: string } }
    const opens = new Intl.DateTimeFormat('sv', {
      timeZone: gate?.timeZone,
      dateStyle: 'short',
      timeStyle: 'short',
    }).format(new Date(gate?.opensAt ?? 0))
    expect(opens).toBe(`${day} 08:00`)
    await changeConfiguration(place.world.app.core, await configurationOf(place.world.app.core, clinic.slug), {
      document: { type: 'INVITED' },
    })
    const created = await system.post('/session')
    expect((await new Patient(place.urls).enter(String(created.url))).status).toBe(200)
  },

  'inactive: everyone is gated under every type, overridden or not, and the interface works': async (place) => {
    const clinic = await place.world.clinic({ type: 'INVITED' })
    const system = integrator(place, clinic)
    const created = await system.post('/session', { overrideDemandManagement: true })
    await changeAccount(place.world.app.core, clinic.accountId, { active: false })
    expect((await new Patient(place.urls).enter(String(created.url))).body).toMatchObject({
      gate: { open: false, active: false },
    })
    expect(await system.get('/accessControl')).toMatchObject({ active: false, open: true })
  },

  'expired: neither a late first entry nor an abandoned session goes on, and it is not active any more': async (
    place,
  ) => {
    const clinic = await place.world.clinic({ type: 'INVITED' })
    const system = integrator(place, clinic)
    const late = await system.post('/session')
    await place.world.sql("update sessions set enter_until = now() - interval '1 second' where id = $1", [
      late.sessionId,
    ])
    expect((await new Patient(place.urls).enter(String(late.url))).body.type).toMatch(/session-expired$/)
    const left = await system.post('/session')
    const patient = new Patient(place.urls)
    await patient.enter(String(left.url))
    await place.world.sql("update sessions set active_until = now() - interval '1 second' where id = $1", [
      left.sessionId,
    ])
    const reply = await patient.answer('for_whom', 'self')
    expect([reply.status, reply.body.type]).toEqual([410, expect.stringMatching(/session-expired$/)])
    expect(await system.get(`/session/${left.sessionId}/status`)).toMatchObject({ sessionStatus: 'Created' })
  },

  'not created: content that cannot be loaded is told, and a later entry tries again': async (place) => {
    const clinic = await place.world.clinic({ type: 'INVITED', contentVersion: 'no-such-release' })
    const system = integrator(place, clinic)
    const created = await system.post('/session', { text: 'hello' })
    expect(created.sessionStatus).toBe('AiSessionNotCreated')
    expect(await system.get(`/session/${created.sessionId}`)).toMatchObject({ descriptionOfMatter: 'hello' })
    expect((await new Patient(place.urls).enter(String(created.url))).status).toBe(503)
    await changeConfiguration(place.world.app.core, await configurationOf(place.world.app.core, clinic.slug), {
      document: { contentVersion: null },
    })
    const patient = new Patient(place.urls)
    expect((await patient.enter(String(created.url))).status).toBe(200)
    expect(await system.get(`/session/${created.sessionId}/status`)).toMatchObject({ sessionStatus: 'Created' })
  },

  'a session left with a standing alarm is ended at its level, once': async (place) => {
    const clinic = await place.world.clinic()
    const patient = new Patient(place.urls)
    await patient.enterOpen(clinic.slug)
    await patient.answerThrough({ emergency_now: ['overdose'] }, (_asked, view) => view.alarm !== null)
    await place.world.sql("update sessions set last_active_at = now() - interval '31 minutes' where id = $1", [
      patient.now.sessionId,
    ])
    await place.world.endLeft()
    expect(await told(integrator(place, clinic), patient.now.sessionId)).toMatchObject({
      sessionStatus: 'Ended',
      urgency: 'Level1',
      completed: 1,
    })
  },

  'a headless client uses the session’s secret as bearer, without cookie or page': async (place) => {
    const clinic = await place.world.clinic()
    const patient = new Patient(place.urls)
    await patient.enterOpen(clinic.slug, { credential: 'bearer' })
    expect(patient.cookie).toBeNull()
    const reply = await patient.call(
      'POST',
      '/session/answers',
      { id: randomUUID(), question: 'for_whom', value: 'self', version: 0 },
      { 'sec-fetch-site': 'cross-site' },
    )
    expect(reply.status).toBe(200)
  },

  'the secret of a link that a browser has used is no bearer credential': async (place) => {
    const clinic = await place.world.clinic({ type: 'INVITED' })
    const created = await integrator(place, clinic).post('/session', { patient: { age: 50 } })
    await new Patient(place.urls).enter(String(created.url))
    const stranger = new Patient(place.urls)
    stranger.bearer = String(created.url).split('#')[1] ?? ''
    expect((await stranger.call('GET', '/session')).status).toBe(401)
  },
}
