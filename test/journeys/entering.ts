import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { changeConfiguration, configurationOf } from '../../src/account/provision.ts'
import { Patient } from './patient.ts'
import { integrator, type Stories } from './place.ts'

export const ENTERING: Stories = {
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
    // What is handed over of it meanwhile has no questions; nothing of that may be left when the user comes.
    expect((await system.get(`/session/${created.sessionId}/summary`)).data).toContain('hello')
    expect((await new Patient(place.urls).enter(String(created.url))).status).toBe(503)
    await changeConfiguration(place.world.app.core, await configurationOf(place.world.app.core, clinic.slug), {
      document: { contentVersion: null },
    })
    const patient = new Patient(place.urls)
    expect((await patient.enter(String(created.url))).status).toBe(200)
    expect(await system.get(`/session/${created.sessionId}/status`)).toMatchObject({ sessionStatus: 'Created' })
    expect(patient.asked).toBe('for_whom')
    expect((await patient.finish()).body.type).toMatch(/interview-not-complete$/)
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
