import { randomBytes, randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { eraseSession } from '../../src/session/upkeep/erase.ts'
import { pointAt } from '../world/content.ts'
import { ABOUT, Patient } from '../world/patient.ts'
import { integrator, type Stories } from '../world/stage.ts'

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
    expect(one.now.version).toBe(1)
    expect(one.now.ledger.map(({ question }) => question)).toEqual(['for_whom', 'age', 'sex'])
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
    for (const screen of [
      [
        { id: 'for_whom', given: 'other' },
        { id: 'age', given: 8 },
        { id: 'sex', given: 'female' },
      ],
      [{ id: 'matter', given: 'vondt i halsen' }, { id: 'issue_type', given: 'regular' }, { id: 'new_trouble' }],
    ]) {
      expect(patient.now.step).toMatchObject({ kind: 'ask', questions: screen })
      await patient.give(
        screen.flatMap(({ id, given }) => (given === undefined ? [] : [{ question: id, value: given }])),
      )
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
    const left = await system.post('/session', { patient: { age: 50 } })
    const patient = new Patient(place.urls)
    await patient.enter(String(left.url))
    await place.world.sql("update sessions set active_until = now() - interval '1 second' where id = $1", [
      left.sessionId,
    ])
    const reply = await patient.answer('for_whom', 'self')
    expect([reply.status, reply.body.type]).toEqual([410, expect.stringMatching(/session-expired$/)])
    expect(await system.get(`/session/${left.sessionId}/status`)).toMatchObject({ sessionStatus: 'Created' })
    const another = new Patient(place.urls)
    expect((await another.enter(String(left.url), { age: 50 })).status).toBe(200)
    expect((await another.answer('for_whom', 'self')).body.type).toMatch(/session-expired$/)
  },

  'not created: content that cannot be loaded is told, and a later entry tries again': async (place) => {
    const clinic = await place.world.clinic({ type: 'INVITED' })
    await pointAt(place.world, clinic, 'no-such-release')
    const system = integrator(place, clinic)
    const created = await system.post('/session', { text: 'hello' })
    expect(created.sessionStatus).toBe('AiSessionNotCreated')
    expect(await system.get(`/session/${created.sessionId}`)).toMatchObject({ descriptionOfMatter: 'hello' })
    // What is handed over of it meanwhile has no questions; nothing of that may be left when the user comes.
    expect((await system.get(`/session/${created.sessionId}/summary`)).data).toContain('hello')
    expect((await new Patient(place.urls).enter(String(created.url))).status).toBe(503)
    await pointAt(place.world, clinic, null)
    const patient = new Patient(place.urls)
    expect((await patient.enter(String(created.url))).status).toBe(200)
    expect(await system.get(`/session/${created.sessionId}/status`)).toMatchObject({ sessionStatus: 'Created' })
    expect(patient.asked).toBe('for_whom')
    expect((await patient.finish()).body.type).toMatch(/interview-not-complete$/)
  },

  'a headless client uses the secret it got on entering as bearer, without cookie or page': async (place) => {
    const clinic = await place.world.clinic()
    const patient = new Patient(place.urls)
    await patient.enterOpen(clinic.slug, { credential: 'bearer' })
    expect(patient.cookie).toBeNull()
    const reply = await patient.call(
      'POST',
      '/session/answers',
      { id: randomUUID(), answers: ABOUT, version: 0 },
      { 'sec-fetch-site': 'cross-site' },
    )
    expect(reply.status).toBe(200)
  },

  'D9: the secret of a link is nobody’s credential, and a second client confirms the age, cookie or bearer': async (
    place,
  ) => {
    const clinic = await place.world.clinic({ type: 'INVITED' })
    for (const credential of ['cookie', 'bearer']) {
      const created = await integrator(place, clinic).post('/session', { patient: { age: 50 } })
      const first = new Patient(place.urls)
      await first.enter(String(created.url), { credential })
      expect((await first.answer('for_whom', 'self')).status).toBe(200)
      const stranger = new Patient(place.urls)
      stranger.bearer = String(created.url).split('#')[1] ?? ''
      expect((await stranger.look()).status).toBe(401)
      stranger.bearer = null
      for (const kind of ['cookie', 'bearer'])
        expect((await stranger.enter(String(created.url), { credential: kind })).body.type).toMatch(
          /confirmation-needed$/,
        )
      expect((await stranger.enter(String(created.url), { credential, age: 50 })).status).toBe(200)
      expect((await stranger.look()).status).toBe(200)
      expect([first, stranger].map(({ bearer }) => typeof bearer)).toEqual(
        credential === 'bearer' ? ['string', 'string'] : ['object', 'object'],
      )
      expect(stranger.bearer ?? stranger.cookie).not.toBe(first.bearer ?? first.cookie)
    }
  },

  'A13: after signing out, expiry or erasure neither a cookie nor a bearer opens anything, whoever answers elsewhere':
    async (place) => {
      const clinic = await place.world.clinic({ type: 'INVITED' })
      const endings: Record<string, (patient: Patient) => Promise<unknown>> = {
        'signing out': (patient) => patient.call('POST', '/sign-out'),
        expiry: ({ now }) =>
          place.world.sql("update user_cookies set expires_at = now() - interval '1 second' where session_id = $1", [
            now.sessionId,
          ]),
        erasure: ({ now }) => eraseSession(place.world.app.core, clinic.accountId, now.sessionId, 'operator'),
      }
      for (const [what, end] of Object.entries(endings))
        for (const credential of ['cookie', 'bearer']) {
          const created = await integrator(place, clinic).post('/session', { patient: { age: 50 } })
          const patient = new Patient(place.urls)
          await patient.enter(String(created.url), { credential })
          await patient.answer('for_whom', 'self')
          const { cookie } = patient
          await end(patient)
          patient.cookie = cookie
          const other = new Patient(place.urls)
          if (what !== 'erasure') {
            await other.enter(String(created.url), { age: 50 })
            expect((await other.answer('age', 50)).status).toBe(200)
          }
          expect((await patient.look()).status, `${credential}: look after ${what}`).toBe(401)
          expect((await patient.answer('age', 50)).status, `${credential}: answer after ${what}`).toBe(401)
        }
    },

  'D16: answering keeps only the own browser alive': async (place) => {
    const clinic = await place.world.clinic({ type: 'INVITED' })
    const created = await integrator(place, clinic).post('/session', { patient: { age: 50 } })
    const [first, second] = [new Patient(place.urls), new Patient(place.urls)]
    await first.enter(String(created.url))
    await second.enter(String(created.url), { age: 50 })
    await place.world.sql("update user_cookies set expires_at = now() + interval '1 hour' where session_id = $1", [
      created.sessionId,
    ])
    await second.answer('for_whom', 'self')
    const rows = await place.world.sql(
      "select expires_at > now() + interval '2 hours' as renewed from user_cookies where session_id = $1 order by created_at, renewed",
      [created.sessionId],
    )
    expect(rows).toEqual([{ renewed: false }, { renewed: true }])
  },

  'A12: a browser that enters anew leaves its old session: the old cookie opens nothing, and what the page kept goes':
    async (place) => {
      const clinic = await place.world.clinic()
      const created = await integrator(place, clinic).post('/session')
      const patient = new Patient(place.urls)
      const first = await patient.enterOpen(clinic.slug)
      expect(first.headers.get('clear-site-data')).toBeNull()
      await patient.answer('for_whom', 'self')
      for (const enter of [() => patient.enter(String(created.url)), () => patient.enterOpen(clinic.slug)]) {
        const old = new Patient(place.urls)
        old.cookie = patient.cookie
        const before = patient.now.sessionId
        expect((await enter()).headers.get('clear-site-data')).toContain('storage')
        expect(patient.now.sessionId).not.toBe(before)
        expect((await old.look()).status).toBe(401)
        expect((await patient.look()).status).toBe(200)
      }
    },

  'entering again under the same id, as an app does whose first reply got lost, leads into the same session': async (
    place,
  ) => {
    const clinic = await place.world.clinic()
    const newId = () => randomBytes(32).toString('base64url')
    for (const credential of ['cookie', 'bearer'])
      for (const by of ['public address', 'link']) {
        const id = newId()
        const { url } = await integrator(place, clinic).post('/session')
        const enter = (patient: Patient, body: { id: string }) =>
          by === 'link'
            ? patient.enter(String(url), { ...body, credential })
            : patient.enterOpen(clinic.slug, { ...body, credential })
        const taps = Array.from({ length: 4 }, () => new Patient(place.urls))
        const replies = await Promise.all(taps.map((tap) => enter(tap, { id })))
        for (const { status } of replies) expect([200, 201]).toContain(status)
        expect(new Set(taps.map((tap) => tap.now.sessionId)).size).toBe(1)
        expect(new Set(taps.map((tap) => tap.bearer ?? tap.cookie)).size).toBe(4)
        for (const tap of taps) expect((await tap.look()).status).toBe(200)
        const stranger = new Patient(place.urls)
        const guess = await enter(stranger, { id: newId() })
        expect(guess.status === 403 || stranger.now.sessionId !== taps[0]?.now.sessionId).toBe(true)
        await place.world.sql(
          "update user_cookies set created_at = now() - interval '16 minutes' where session_id = $1",
          [taps[0]?.now.sessionId],
        )
        expect([403, 409]).toContain((await enter(new Patient(place.urls), { id })).status)
      }
    expect((await new Patient(place.urls).enterOpen(clinic.slug, { id: 'short' })).status).toBe(400)
  },
}
