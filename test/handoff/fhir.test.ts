import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Call, callerTo, expectProblem } from '../world/call.ts'
import { changeSession } from '../world/changed-session.ts'
import { endedSession, interviewed, picture, THROAT } from '../world/handoff.ts'
import { type Clinic, newWorld, type World } from '../world/world.ts'
import { type BundleJson, type Resource, ruleFaults } from './r4-rules.ts'
import { typeFaults } from './r4-types.ts'

let world: World
let clinic: Clinic
let call: Call
const ids: Record<string, string> = {}
const bundles: Record<string, BundleJson> = {}

const read = async (id: string, language = ''): Promise<BundleJson> => {
  const reply = await call('GET', `/api/v1/session/${id}/fhir${language && `?language=${language}`}`, {
    key: clinic.key,
  })
  expect(reply.status).toBe(200)
  return reply.body as BundleJson
}

/** Sessions of every kind that there is, told once. */
beforeAll(async () => {
  world = await newWorld()
  clinic = await world.clinic({ name: 'Exempelkliniken & “BB”' })
  call = callerTo(world)
  const photo: [string, Buffer] = ['nielu <1>.jpg', await picture(640, 480, 40)]
  ids.throat = await endedSession(world, clinic, { language: 'fi', story: THROAT, files: [photo] })
  ids.infant = await endedSession(world, clinic, {
    language: 'sv',
    story: {
      for_whom: 'other',
      age: 0.1,
      sex: 'male',
      complaints: ['child-fever'],
      fever: 'measured',
      temperature: 38.4,
      matter: 'Дочка не їсть <b>&\u0007 🤒',
    },
  })
  ids.unconfirmed = await endedSession(world, clinic, { story: { matter: 'I want to kill myself, for three days' } })
  ids.prescription = await endedSession(world, clinic, { story: { issue_type: 'prescription' } })
  ids.ongoing = (await interviewed(world, clinic, { story: { complaints: ['chest-pain'] } })).now.sessionId
  const created = await call('POST', '/api/v1/session', { key: clinic.key, json: { text: 'It itches.' } })
  ids.created = (created.body as { sessionId: string }).sessionId
  const failed = await call('POST', '/api/v1/session', { key: clinic.key })
  ids.failed = (failed.body as { sessionId: string }).sessionId
  await changeSession(world, ids.failed, `content_version = null, status = 'AiSessionNotCreated'`)
  for (const [name, id] of Object.entries(ids)) bundles[name] = await read(id)
  for (const language of ['fi', 'no', 'sv']) bundles[`throat in ${language}`] = await read(ids.throat, language)
})
afterAll(() => world.close())

const throat = (): BundleJson => bundles.throat ?? ({ entry: [] } as unknown as BundleJson)
const all = (type: string, { entry } = throat()): Resource[] =>
  entry.map(({ resource }) => resource).filter(({ resourceType }) => resourceType === type)
const one = (type: string, bundle = throat()): Resource => {
  const [found] = all(type, bundle)
  if (!found) throw new Error(`The bundle has no ${type}.`)
  return found
}
const observed = (code: string, bundle = throat()) =>
  all('Observation', bundle).find((each) => JSON.stringify(each.code).includes(`"code":"${code}"`))

describe('validity', () => {
  test('every resource of every kind of session fits the R4 definitions', () => {
    const resources = Object.values(bundles).flatMap((bundle) => [
      bundle,
      ...bundle.entry.map(({ resource }) => resource),
    ])
    expect(resources.length).toBeGreaterThan(400)
    expect(typeFaults(resources).flat()).toEqual([])
  })

  test('every bundle keeps the rules of R4 and hangs together as a document', () => {
    for (const [name, bundle] of Object.entries(bundles))
      expect({ name, faults: ruleFaults(bundle) }).toEqual({ name, faults: [] })
  })

  /** One way to break each thing that R4 is strict about. The validator must object to every single one. */
  type Broken = (resource: Record<string, unknown>) => void
  const BREAKS: [type: string, what: string, break_: Broken][] = [
    ['Bundle', 'an unknown type', (bundle) => (bundle.type = 'parcel')],
    ['Bundle', 'no timestamp', (bundle) => delete bundle.timestamp],
    ['Bundle', 'no identifier', (bundle) => delete bundle.identifier],
    ['Bundle', 'an entry that is not first', (bundle) => (bundle.entry as unknown[]).reverse()],
    ['Bundle', 'the same address twice', (bundle) => (bundle.entry as unknown[]).push((bundle.entry as unknown[])[1])],
    ['Composition', 'no title', (it) => delete it.title],
    ['Composition', 'a status of its own', (it) => (it.status = 'done')],
    ['Composition', 'a day for a moment', (it) => (it.date = '15.11.2026')],
    ['Composition', 'a section that says nothing', (it) => (it.section as unknown[]).push({ title: 'Empty' })],
    [
      'Composition',
      'a script in its page',
      (it) => (((it.section as { text: { div: string } }[])[0] as { text: { div: string } }).text.div += '<script/>'),
    ],
    ['Composition', 'a wrong subject', (it) => (it.subject = it.custodian)],
    ['Patient', 'a gender of its own', (it) => (it.gender = 'woman')],
    ['Patient', 'an element that R4 does not have', (it) => (it.age = 34)],
    ['Organization', 'an empty name', (it) => (it.name = '')],
    ['Device', 'a name without a type', (it) => (it.deviceName = [{ name: 'Fyr' }])],
    ['Encounter', 'no class', (it) => delete it.class],
    ['Encounter', 'a status of its own', (it) => (it.status = 'ended')],
    [
      'Encounter',
      'an end before its beginning',
      (it) => (it.period = { start: '2026-11-15T03:00:00.000Z', end: '2026-11-14T03:00:00.000Z' }),
    ],
    ['RiskAssessment', 'no subject', (it) => delete it.subject],
    ['RiskAssessment', 'a status of its own', (it) => (it.status = 'certain')],
    [
      'RiskAssessment',
      'a basis that is not there',
      (it) => (it.basis = [{ reference: 'urn:uuid:00000000-0000-4000-8000-000000000000' }]),
    ],
    ['Questionnaire', 'no status', (it) => delete it.status],
    [
      'Questionnaire',
      'an item of no known type',
      (it) => (((it.item as { type: string }[])[0] as { type: string }).type = 'page'),
    ],
    ['Questionnaire', 'the same question twice', (it) => (it.item as unknown[]).push((it.item as unknown[])[0])],
    ['QuestionnaireResponse', 'no status', (it) => delete it.status],
    [
      'QuestionnaireResponse',
      'an answer nobody asked for',
      (it) => (it.item as unknown[]).push({ linkId: 'weather', answer: [{ valueString: 'rain' }] }),
    ],
    ['QuestionnaireResponse', 'another questionnaire', (it) => (it.questionnaire = 'https://example.org/other')],
    ['Observation', 'no code', (it) => delete it.code],
    ['Observation', 'no status', (it) => delete it.status],
    ['Observation', 'a value and the reason for having none', (it) => (it.dataAbsentReason = { text: 'unknown' })],
    ['Observation', 'no value at all', (it) => delete it.valueQuantity],
    ['Observation', 'a moment without a zone', (it) => (it.effectiveDateTime = '2026-11-15T03:00')],
    ['DocumentReference', 'no content', (it) => delete it.content],
    ['DocumentReference', 'a status of its own', (it) => (it.status = 'fresh')],
    [
      'DocumentReference',
      'an unreadable type',
      (it) =>
        ((
          (it.content as { attachment: { contentType: string } }[])[0] as { attachment: { contentType: string } }
        ).attachment.contentType = 'a picture'),
    ],
    ['Provenance', 'nothing it is about', (it) => (it.target = [])],
    ['Provenance', 'no agent', (it) => delete it.agent],
    ['Provenance', 'a day for an instant', (it) => (it.recorded = '2026-11-15')],
    [
      'Provenance',
      'a role of its own',
      (it) => (((it.entity as { role: string }[])[0] as { role: string }).role = 'basis'),
    ],
    ['RelatedPerson', 'nobody to be related to', (it) => delete it.patient],
  ]

  test('the validator objects to each resource when it is broken', () => {
    const broken = BREAKS.map(([type, what, break_]) => {
      const bundle: BundleJson = structuredClone(type === 'RelatedPerson' ? (bundles.infant as BundleJson) : throat())
      const target = type === 'Bundle' ? bundle : one(type, bundle)
      break_(target)
      return { type, what, bundle, target }
    })
    const byTypes = typeFaults(broken.map(({ target }) => target))
    const silent = broken.filter(({ bundle }, at) => byTypes[at]?.length === 0 && ruleFaults(bundle).length === 0)
    expect(silent.map(({ type, what }) => `${type}: ${what}`)).toEqual([])
    const types = new Set(throat().entry.map(({ resource }) => resource.resourceType))
    expect([...types].filter((type) => !BREAKS.some(([each]) => each === type))).toEqual([])
  })

  test('each code of a required value set is caught by itself when it is another', () => {
    const codes: [type: string, path: string][] = [
      ['Composition', 'status'],
      ['Patient', 'gender'],
      ['Device', 'status'],
      ['Encounter', 'status'],
      ['RiskAssessment', 'status'],
      ['Questionnaire', 'status'],
      ['QuestionnaireResponse', 'status'],
      ['Observation', 'status'],
      ['DocumentReference', 'status'],
    ]
    const wrong = codes.map(([type, path]) => ({ ...one(type), [path]: 'elsewhere' }))
    expect(typeFaults(wrong).map((faults) => faults.length > 0)).toEqual(codes.map(() => true))
  })

  test('codes come from our own systems, from FHIR’s own terminology, from LOINC and from UCUM only', () => {
    const systems = new Set(
      Object.values(bundles).flatMap((bundle) =>
        [...JSON.stringify(bundle).matchAll(/"system":"([^"]+)"/g)].map(([, system]) => system),
      ),
    )
    const own = 'https://w3id.org/fyr/fhir/CodeSystem/'
    const others = [...systems].filter((system) => !system?.startsWith(own)).sort()
    expect(others).toEqual([
      'http://loinc.org',
      'http://terminology.hl7.org/CodeSystem/data-absent-reason',
      'http://terminology.hl7.org/CodeSystem/observation-category',
      'http://terminology.hl7.org/CodeSystem/provenance-participant-type',
      'http://terminology.hl7.org/CodeSystem/v3-ActCode',
      'http://terminology.hl7.org/CodeSystem/v3-ActPriority',
      'http://terminology.hl7.org/CodeSystem/v3-DataOperation',
      'http://unitsofmeasure.org',
      'urn:ietf:rfc:3986',
    ])
  })
})

describe('what it says', () => {
  test('age and sex are all that it tells of the patient', () => {
    expect(Object.keys(one('Patient')).sort()).toEqual(['gender', 'managingOrganization', 'resourceType'])
    expect(one('Patient')).toMatchObject({ gender: 'female' })
    expect(observed('age')).toMatchObject({ valueQuantity: { value: 34, code: 'a' } })
    expect(one('Patient', bundles.created)).toMatchObject({ gender: 'unknown' })
    expect(observed('age', bundles.infant)).toMatchObject({ valueQuantity: { value: 0.1, code: 'a' } })
  })

  test('the encounter has the priority and the patient’s own words, untouched', () => {
    expect(one('Encounter')).toMatchObject({
      status: 'finished',
      priority: {
        coding: [{ code: 'Level2' }, { code: 'EM' }],
        text: 'Emergency care without delay, within 10 minutes',
      },
      reasonCode: [{ coding: [{ code: 'sore-throat' }], text: 'Sore throat' }, { text: THROAT.matter }],
    })
    expect(one('Encounter', bundles.prescription)).not.toHaveProperty('priority')
    expect(one('Encounter', bundles.ongoing)).toMatchObject({ status: 'in-progress' })
    expect(one('Encounter', bundles.created)).toMatchObject({ status: 'planned', reasonCode: [{ text: 'It itches.' }] })
    expect(one('Encounter', bundles.infant).reasonCode).toContainEqual({ text: 'Дочка не їсть <b>& 🤒' })
  })

  test('findings are present, absent, unknown or not asked', () => {
    expect(observed('mouth_hardly_opens')).toMatchObject({ valueBoolean: true, status: 'final' })
    expect(observed('stridor_at_rest')).toMatchObject({ valueBoolean: false })
    expect(observed('medicines.anticoagulant')).toMatchObject({
      dataAbsentReason: { coding: [{ code: 'asked-unknown' }] },
    })
    expect(observed('neck_lump_weeks')).toMatchObject({ dataAbsentReason: { coding: [{ code: 'not-asked' }] } })
    expect(observed('temperature')).toMatchObject({ valueQuantity: { value: 39.2, code: 'Cel' } })
    expect(observed('throat_duration')).toMatchObject({ valueQuantity: { value: 3, code: 'd' } })
    expect(observed('course')).toMatchObject({ valueCodeableConcept: { text: 'Worsening' } })
    expect(observed('anything_else')).toMatchObject({ valueString: THROAT.anything_else })
    expect(observed('anything_else', bundles.ongoing)).toBeUndefined()
  })

  test('the level stands with each rule that gave it and the answers behind', () => {
    const [urgency, conditions] = all('RiskAssessment')
    const predictions = urgency?.prediction as {
      outcome: { text: string }
      qualitativeRisk: { coding: { code: string }[] }
      rationale: string
    }[]
    expect(predictions[0]).toMatchObject({
      outcome: { coding: [{ code: 'sore-throat.deep-infection' }] },
      qualitativeRisk: { coding: [{ code: 'Level2' }] },
    })
    expect(predictions[0]?.rationale).toContain('NICE NG84')
    const urls = new Map(throat().entry.map(({ fullUrl, resource }) => [fullUrl, resource]))
    const basis = ((urgency?.basis ?? []) as { reference: string }[]).map(({ reference }) =>
      JSON.stringify(urls.get(reference)?.code),
    )
    expect(basis.join()).toContain('mouth_hardly_opens')
    expect(JSON.stringify(conditions?.prediction)).toContain('sore-throat.peritonsillar-abscess')
    expect(JSON.stringify(conditions)).not.toContain('probability')
    expect(JSON.stringify(urgency?.note)).toContain('have not been reviewed by clinicians')
  })

  test('the questionnaire response has every answer, and says of “don’t know” that it was said', () => {
    const text = JSON.stringify(one('QuestionnaireResponse'))
    expect(one('QuestionnaireResponse')).toMatchObject({ status: 'completed' })
    expect(text).toMatch(/"linkId":"medicines","text":"[^"]+","extension":\[\{[^}]*"valueCode":"asked-unknown"/)
    expect(text).toContain(`"valueString":"${THROAT.anything_else}"`)
    expect(one('QuestionnaireResponse', bundles.ongoing)).toMatchObject({ status: 'in-progress' })
  })

  test('files are referred to by the address that the interface gives', async () => {
    const files = await call('GET', `/api/v1/session/${ids.throat}/files`, { key: clinic.key })
    const [{ downloadUrl = '' } = {}] = files.body as { downloadUrl: string }[]
    expect(one('DocumentReference')).toMatchObject({
      content: [{ attachment: { url: downloadUrl, contentType: 'image/jpeg', title: 'nielu <1>.jpg' } }],
    })
  })

  test('someone who answered for the patient is the source, and nothing more is told of them', () => {
    expect(Object.keys(one('RelatedPerson', bundles.infant)).sort()).toEqual([
      'patient',
      'relationship',
      'resourceType',
    ])
    expect(all('RelatedPerson')).toEqual([])
  })

  test('a session without an interview has no questionnaire, and says why', () => {
    expect(all('Questionnaire', bundles.failed)).toEqual([])
    expect(one('Encounter', bundles.failed)).toMatchObject({ status: 'unknown' })
    expect(JSON.stringify(one('Composition', bundles.failed))).toContain('could not be set up')
  })

  test('four languages; the same session and language give the same bytes', async () => {
    const titles = ['throat', 'throat in fi', 'throat in no', 'throat in sv'].map(
      (name) => one('Composition', bundles[name]).title,
    )
    expect(new Set(titles).size).toBe(4)
    expect(bundles['throat in no']?.language).toBe('nb')
    expect(await read(ids.throat ?? '')).toEqual(throat())
  })
})

describe('who may read it', () => {
  test('the order of the ten: key, form of the id, language, then the session', async () => {
    const other = await world.clinic()
    const get = (path: string, key?: string) => call('GET', `/api/v1/session/${path}`, key === undefined ? {} : { key })
    for (const part of ['fhir', 'pdf']) {
      expectProblem(await get(`nonsense/${part}?language=xx`), 401, 'key-missing')
      expectProblem(await get(`nonsense/${part}?language=xx`, 'nonsense'), 403, 'key-invalid')
      expectProblem(await get(`nonsense/${part}?language=xx`, clinic.key), 404, 'session-not-found')
      expectProblem(
        await get(`00000000-0000-4000-8000-000000000000/${part}?language=xx`, clinic.key),
        400,
        'invalid-request',
        '/query/language',
      )
      expectProblem(await get(`00000000-0000-4000-8000-000000000000/${part}`, clinic.key), 404, 'session-not-found')
      expectProblem(await get(`${ids.throat}/${part}`, other.key), 404, 'session-not-found')
      expectProblem(
        await call('POST', `/api/v1/session/${ids.throat}/${part}`, { key: clinic.key }),
        405,
        'method-not-allowed',
      )
    }
  })

  test('each reading is an audit entry, and without one nothing is told', async () => {
    const noted = async () =>
      (
        await world.sql(`select action from audit_entries where account_id = $1 and subject = $2`, [
          clinic.accountId,
          ids.prescription,
        ])
      ).map(({ action }) => action)
    const before = await noted()
    await read(ids.prescription ?? '')
    await call('GET', `/api/v1/session/${ids.prescription}/pdf`, { key: clinic.key })
    expect((await noted()).slice(before.length).sort()).toEqual(['session.fhir.read', 'session.pdf.read'])
    await world.sql(`alter table audit_entries rename to audit_entries_away`)
    try {
      for (const part of ['fhir', 'pdf']) {
        const reply = await call('GET', `/api/v1/session/${ids.prescription}/${part}`, { key: clinic.key })
        expect(reply.status).toBeGreaterThanOrEqual(500)
        expect(reply.text).not.toContain('Bundle')
      }
    } finally {
      await world.sql(`alter table audit_entries_away rename to audit_entries`)
    }
  })
})
