import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Call, callerTo, expectProblem } from '../world/call.ts'
import { visiting } from '../world/clinician.ts'
import { interviewed } from '../world/handoff.ts'
import { Patient, type Reply } from '../world/patient.ts'
import { type Clinic, newWorld, type World } from '../world/world.ts'

/** Care within a week: the clinic is the one to act. */
const WEEK = {
  age: 40,
  sex: 'female',
  complaints: ['sore-throat'],
  pain_severity: 7,
  throat_cough: true,
  throat_duration: { amount: 4, unit: 'days' },
} as const
/** Nothing that the clinic has to do anything about. */
const HOME = { ...WEEK, pain_severity: 2, course: 'better' } as const
const EMERGENCY = { ...WEEK, stroke_signs_last_day: true }

const PHONE = '+358 40 555 0199'
const REFERENCE = 'patient-77/ÅÄÖ'

let world: World
let call: Call
beforeAll(async () => {
  world = await newWorld({ LOG_LEVEL: 'trace' })
  call = callerTo(world)
})
afterAll(() => world.close())

type Wish = { asked: string; given: { phone: string; when: string | null } | null } | null
const wishOf = ({ view }: Patient): Wish => (view as unknown as { contact: Wish }).contact
const put = (patient: Patient, body: unknown): Promise<Reply> => patient.call('PUT', '/session/contact', body)
const code = ({ status, body }: Reply) => [status, String(body.type).replace(/.*\//, '')]

async function created(clinic: Clinic, json: object): Promise<{ sessionId: string; url: string }> {
  return (await call('POST', '/api/v1/session', { key: clinic.key, json })).body as { sessionId: string; url: string }
}

describe('D30: asking how the patient can be reached', () => {
  test('a configuration that does not ask says nothing of it and takes nothing', async () => {
    for (const document of [{}, { contact: 'none' as const }]) {
      const patient = await interviewed(world, await world.clinic(document), { story: WEEK })
      expect(wishOf(patient)).toBeNull()
      expect(code(await put(patient, { phone: PHONE }))).toEqual([409, 'contact-not-asked'])
      expect((await patient.finish()).status).toBe(200)
    }
  })

  test('it is asked on the last screen and at no time before', async () => {
    const clinic = await world.clinic({ contact: 'required' })
    const patient = new Patient(world.url)
    await patient.enterOpen(clinic.slug)
    const early: string[] = []
    await patient.answerThrough(WEEK, (asked, view) => {
      const { contact } = view as unknown as { contact: Wish }
      if (contact !== null) early.push(asked)
      return false
    })
    // Its last words stand on one screen with pictures: the review is the last.
    expect(early).toEqual([])
    expect(wishOf(patient)).toEqual({ asked: 'required', given: null })
  })

  test('what is required holds nobody up in an emergency or at home, and everybody where the clinic has to act', async () => {
    const clinic = await world.clinic({ contact: 'required' })
    for (const story of [EMERGENCY, HOME]) {
      const patient = await interviewed(world, clinic, { story })
      expect(wishOf(patient)).toEqual({ asked: 'optional', given: null })
      expect((await patient.finish()).status).toBe(200)
    }
    const patient = await interviewed(world, clinic, { story: WEEK })
    const { version } = patient.now
    expect(code(await patient.finish())).toEqual([409, 'contact-required'])
    await patient.look()
    expect(patient.now).toMatchObject({ status: 'StartedChat', version }) // nothing is lost
    expect((await put(patient, { phone: PHONE, when: 'after four' })).status).toBe(200)
    await patient.look()
    expect(wishOf(patient)).toEqual({ asked: 'required', given: { phone: PHONE, when: 'after four' } })
    expect((await patient.finish()).status).toBe(200)
    expect(patient.now.step).toMatchObject({ kind: 'outcome', outcome: { level: 'Level6' } })
  })

  test('an emergency can be stopped at its card whatever is required', async () => {
    const patient = new Patient(world.url)
    await patient.enterOpen((await world.clinic({ contact: 'required' })).slug)
    await patient.answerThrough(EMERGENCY, (_asked, { alarm }) => alarm !== null)
    expect((await patient.stop()).status).toBe(200)
  })

  test('what is optional can be given, changed and taken back, and stays with the session on another answer', async () => {
    const patient = await interviewed(world, await world.clinic({ contact: 'optional' }), { story: WEEK })
    expect(wishOf(patient)).toEqual({ asked: 'optional', given: null })
    await put(patient, { phone: ` ${PHONE} `, when: ' ' })
    await patient.answer('anything_else', 'One thing more')
    expect(wishOf(patient)?.given).toEqual({ phone: PHONE, when: null })
    await put(patient, { phone: null })
    await patient.look()
    expect(wishOf(patient)?.given).toBeNull()
    expect((await patient.finish()).status).toBe(200)
    expect(code(await put(patient, { phone: PHONE }))).toEqual([409, 'session-finished'])
  })

  test('what is no telephone number is refused with a pointer, and what was given before stands', async () => {
    const patient = await interviewed(world, await world.clinic({ contact: 'optional' }), { story: WEEK })
    await put(patient, { phone: PHONE })
    for (const phone of [
      'call me',
      '12',
      '+',
      '00000000000000000000000000000000000',
      'a@b.fi',
      '++35840555',
      7,
      undefined,
    ]) {
      const reply = await put(patient, { phone })
      expect([reply.status, JSON.stringify(reply.body.errors)], String(phone)).toEqual([
        400,
        expect.stringContaining('/phone'),
      ])
    }
    expect((await put(patient, { phone: PHONE, when: 'x'.repeat(201) })).status).toBe(400)
    await patient.look()
    expect(wishOf(patient)?.given).toEqual({ phone: PHONE, when: null })
  })
})

describe('D30: who reads it', () => {
  const contact = (key: string, sessionId: string) => call('GET', `/api/v1/session/${sessionId}/contact`, { key })

  test('by key, with an audit entry; a reference given at creation comes back as it was', async () => {
    const clinic = await world.clinic({ contact: 'optional' })
    const { sessionId, url } = await created(clinic, { patient: { age: 40, reference: REFERENCE } })
    expect((await contact(clinic.key, sessionId)).body).toEqual({ phone: null, when: null, reference: REFERENCE })
    const patient = new Patient(world.url)
    await patient.enter(url)
    await patient.answerThrough(WEEK)
    await put(patient, { phone: PHONE, when: 'mornings' })
    await patient.finish()
    expect((await contact(clinic.key, sessionId)).body).toEqual({
      phone: PHONE,
      when: 'mornings',
      reference: REFERENCE,
    })
    expectProblem(await contact((await world.clinic()).key, sessionId), 404, 'session-not-found')
    const entries = await world.sql(
      `select action, actor, detail from audit_entries where account_id = $1 and subject = $2 and action like '%contact%' order by seq`,
      [clinic.accountId, sessionId],
    )
    expect(entries.map(({ action }) => action)).toEqual([
      'session.contact.read',
      'session.contact.given',
      'session.contact.read',
    ])
    for (const told of [PHONE, REFERENCE]) expect(JSON.stringify(entries)).not.toContain(told)
  })

  test('400: a reference that is too long or none', async () => {
    const { key } = await world.clinic()
    for (const reference of ['x'.repeat(201), 5, {}])
      expectProblem(
        await call('POST', '/api/v1/session', { key, json: { patient: { reference } } }),
        400,
        'invalid-request',
        '/patient/reference',
      )
    const blank = await created({ key } as Clinic, { patient: { reference: '  ' } })
    expect((await contact(key, blank.sessionId)).body).toEqual({ phone: null, when: null, reference: null })
  })

  test('the clinician’s picture, PDF and FHIR have it; the ten endpoints and the log do not', async () => {
    const clinic = await world.clinic({ contact: 'optional' })
    const { sessionId, url } = await created(clinic, { patient: { reference: REFERENCE } })
    const patient = new Patient(world.url)
    await patient.enter(url)
    await patient.answerThrough(WEEK)
    await put(patient, { phone: PHONE, when: 'mornings' })
    await patient.finish()
    const picture = await (await visiting(world, clinic, sessionId)).picture('en')
    expect(picture.contact).toEqual({ phone: PHONE, when: 'mornings', reference: REFERENCE })
    const fhir = (await call('GET', `/api/v1/session/${sessionId}/fhir`, { key: clinic.key })).body as {
      entry: { resource: Record<string, unknown> }[]
    }
    expect(
      fhir.entry.map(({ resource }) => resource).find(({ resourceType }) => resourceType === 'Patient'),
    ).toMatchObject({
      identifier: [{ value: REFERENCE }],
      telecom: [{ system: 'phone', value: PHONE, extension: [{ valueString: 'mornings' }] }],
    })
    const ten = ['', '/status', '/files', '/summary', '/decisionSupportLink?auditUserIdentifier=dr']
    const told = [
      ...(await Promise.all(
        ten.map((rest) => call('GET', `/api/v1/session/${sessionId}${rest}`, { key: clinic.key })),
      )),
      await call('GET', '/api/v1/sessions', { key: clinic.key }),
      await call('GET', '/api/v1/accessControl/sessionCount', { key: clinic.key }),
    ]
    for (const { text } of told) expect(text).not.toMatch(/555 ?0199|patient-77|mornings/)
    expect(world.log()).not.toMatch(/555 ?0199|patient-77|mornings/)
    const [row] = await world.sql(`select row_to_json(s)::text as text from sessions s where id = $1`, [sessionId])
    expect(String(row?.text)).not.toMatch(/555 ?0199|patient-77|mornings/)
  })

  test('A51: erasing takes it along', async () => {
    const clinic = await world.clinic({ contact: 'optional' })
    const patient = await interviewed(world, clinic, { story: WEEK })
    await put(patient, { phone: PHONE })
    const { eraseSession } = await import('../../src/session/upkeep/erase.ts')
    await eraseSession(world.app.core, clinic.accountId, patient.now.sessionId, 'operator')
    const [row] = await world.sql('select sealed_contact, sealed_reference from sessions where id = $1', [
      patient.now.sessionId,
    ])
    expect(row).toEqual({ sealed_contact: null, sealed_reference: null })
    expectProblem(await contact(clinic.key, patient.now.sessionId), 404, 'session-not-found')
  })
})

describe('D30: what promises contact is said only when there is a way', () => {
  const outcomeText = ({ now: { step } }: Patient) =>
    step.kind === 'outcome' ? (step.outcome as unknown as { text: string }).text : ''

  test('with nothing given the text says whom to call; with a number or a reference it does not', async () => {
    const clinic = await world.clinic({ contact: 'optional', clinicPhone: null, adviceNumber: '116 117' })
    const silent = await interviewed(world, clinic, { story: WEEK })
    await silent.finish()
    expect(outcomeText(silent)).toContain('Book it with your clinic, or call 116 117.')
    expect(silent.now).toMatchObject({ reachable: false })

    const told = await interviewed(world, clinic, { story: WEEK })
    await put(told, { phone: PHONE })
    await told.finish()
    expect(outcomeText(told)).toBe('An appointment within a week is soon enough.')
    expect(told.now).toMatchObject({ reachable: true })

    const { url } = await created(clinic, { patient: { reference: REFERENCE } })
    const known = new Patient(world.url)
    await known.enter(url)
    await known.answerThrough(WEEK)
    await known.finish()
    expect(known.now).toMatchObject({ reachable: true })
  })
})

describe('the reference that a patient reads from the page', () => {
  test('the clinic finds the session by it, however it is written, and no other', async () => {
    const clinic = await world.clinic()
    const { sessionId } = await created(clinic, {})
    await created(clinic, {})
    const list = async (query: string, key = clinic.key) =>
      call('GET', `/api/v1/sessions?shortReference=${query}`, { key })
    const short = sessionId.slice(0, 8)
    for (const written of [short, short.toUpperCase(), `${short.slice(0, 4)}%20${short.slice(4)}`]) {
      const { body } = await list(written)
      expect(body).toMatchObject({ sessions: [{ sessionId }], nextCursor: null })
    }
    expect((await list(`${short}&status=Ended`)).body).toEqual({ sessions: [], nextCursor: null })
    expect((await list(short, (await world.clinic()).key)).body).toEqual({ sessions: [], nextCursor: null })
    for (const bad of ['', 'zz', `${short}0`, sessionId])
      expectProblem(await list(bad), 400, 'invalid-request', '/query/shortReference')
  })
})
