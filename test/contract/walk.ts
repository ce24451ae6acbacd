import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { type Ask, type Reply, send } from '../world/call.ts'
import { CHEST_PAIN, linkTo } from '../world/clinician.ts'
import { Patient } from '../world/patient.ts'
import type { Clinic, World } from '../world/world.ts'

/** One request to a running service, by the template of its path, and what was answered. */
export type Seen = { method: string; template: string; reply: Reply }

/** Makes every request that the OpenAPI document describes at least once, and some that are refused at each door. */
export async function walk(world: World): Promise<Seen[]> {
  const seen: Seen[] = []
  const ask = async (method: string, template: string, place: Record<string, string> = {}, how: Ask = {}) => {
    const path = template.replace(/\{(\w+)\}/g, (_, name: string) => place[name] ?? '')
    const query = new URLSearchParams(Object.entries(place).filter(([name]) => !template.includes(`{${name}}`)))
    const reply = await send(`${world.url}${path}${query.size > 0 ? `?${query}` : ''}`, method, how)
    seen.push({ method: method.toLowerCase(), template, reply })
    return reply
  }
  const clinic = await world.clinic({ contact: 'optional', name: 'Harbour clinic' })
  const sessionId = await asUser(ask, world, clinic)
  await asIntegrator(ask, clinic, sessionId)
  await asClinician(ask, world, clinic, sessionId)
  return seen
}

type Asking = (method: string, template: string, place?: Record<string, string>, how?: Ask) => Promise<Reply>

const TRIAGE = '/api/triage/v1'
const V1 = '/api/v1'
const VISIT = '/api/decision-support/v1'
/** As a browser says that our own page asks. */
const OURS = { 'sec-fetch-site': 'same-origin' }

/** A patient with chest pain, from the invitation to the result, and another who stops at the emergency card. */
async function asUser(ask: Asking, world: World, clinic: Clinic): Promise<string> {
  const { slug, key } = clinic
  await ask('GET', `${TRIAGE}/configurations/{slug}`, { slug })
  await ask('GET', `${TRIAGE}/configurations/{slug}`, { slug: 'nowhere' })
  await ask('POST', `${TRIAGE}/configurations/{slug}/emergency-check`, { slug }, { json: { answers: [] } })
  await ask('POST', `${TRIAGE}/configurations/{slug}/sessions`, { slug }, { headers: OURS }) // a body is not needed
  await ask(
    'POST',
    `${TRIAGE}/configurations/{slug}/sessions`,
    { slug },
    { headers: { 'sec-fetch-site': 'cross-site' } },
  )
  await ask('GET', `${TRIAGE}/session`)
  await ask('PUT', `${TRIAGE}/session`)
  await ask('POST', `${TRIAGE}/enter`, {}, { json: { secret: 'wrong' }, headers: OURS })
  await ask('POST', `${TRIAGE}/enter`, {}, { json: {} })
  await ask('POST', `${TRIAGE}/enter`, {}, { raw: 'text', headers: { 'content-type': 'text/plain' } })
  await ask('POST', `${TRIAGE}/sign-out`)
  await ask('PATCH', `${TRIAGE}/session/files/{fileId}`, { fileId: randomUUID() }, bytes(Buffer.from('x'), 0, null))

  const created = await ask(
    'POST',
    `${V1}/session`,
    {},
    { key, json: { text: CHEST_PAIN.matter, extendedData: { booking: 17 } } },
  )
  const { url, sessionId } = created.body as { url: string; sessionId: string }
  const entered = await ask(
    'POST',
    `${TRIAGE}/enter`,
    {},
    { json: { secret: url.split('#')[1], credential: 'bearer' } },
  )
  await ask('POST', `${TRIAGE}/enter`, {}, { json: { secret: url.split('#')[1], credential: 'bearer' } }) // somebody else
  const patient = new Patient(world.url)
  const { secret } = entered.body as { secret: string }
  patient.bearer = secret
  const as = (how: Ask = {}): Ask => ({ ...how, headers: { ...how.headers, authorization: `Bearer ${secret}` } })
  await patient.look()
  const { version, step } = patient.now
  const first = step.kind === 'ask' ? step.questions : []
  const about: Record<string, unknown> = { for_whom: 'self', age: 67, sex: 'male' }
  const answers = first.map(({ id }) => ({ question: id, value: about[id] ?? null }))
  await ask('POST', `${TRIAGE}/session/answers`, {}, as({ json: { id: randomUUID(), answers, version } }))
  await ask('POST', `${TRIAGE}/session/answers`, {}, as({ json: { id: randomUUID(), answers, version } })) // moved on
  await ask('POST', `${TRIAGE}/session/back`, {}, as({ json: { id: randomUUID(), version: version + 1 } }))
  await patient.look()
  await ask('GET', `${TRIAGE}/session`, {}, as())
  await ask('PUT', `${TRIAGE}/session/language`, {}, as({ json: { language: 'en' } }))
  await ask('POST', `${TRIAGE}/session/proposals`, {}, as({ json: { text: 'chest pain' } }))
  await ask('POST', `${TRIAGE}/session/finish`, {}, as({ json: { version: patient.now.version } })) // not complete yet
  await ask('POST', `${TRIAGE}/session/stop`, {}, as({ json: { version: patient.now.version } })) // nothing to stop at
  await ask('GET', `${TRIAGE}/session/pdf`, {}, as())
  await patient.answerThrough(CHEST_PAIN)
  await ask('GET', `${TRIAGE}/session/questions/{question}`, { question: 'age' }, as())
  await ask('GET', `${TRIAGE}/session/questions/{question}`, { question: 'nothing' }, as())
  await upload(ask, as)
  await ask('PUT', `${TRIAGE}/session/contact`, {}, as({ json: { phone: '+358 40 123 4567', when: 'after four' } }))
  await ask('POST', `${TRIAGE}/session/finish`, {}, as({ json: { version: patient.now.version } }))
  await ask('GET', `${TRIAGE}/session/pdf`, {}, as())

  const other = new Patient(world.url)
  await other.enterOpen(slug, { credential: 'bearer' })
  await other.answerThrough({ ...CHEST_PAIN, age: 67 }, (_asked, { alarm }) => alarm !== null)
  const mine = { headers: { authorization: `Bearer ${other.bearer}` } }
  await ask('POST', `${TRIAGE}/session/stop`, {}, { ...mine, json: { version: other.now.version } })
  await ask('POST', `${TRIAGE}/sign-out`, {}, mine)
  return sessionId
}

const bytes = (raw: Buffer, offset: number, secret: string | null): Ask => ({
  raw,
  headers: {
    'content-type': 'application/octet-stream',
    'upload-offset': String(offset),
    ...(secret && { authorization: secret }),
  },
})

/** A photo in two parts, one of which is sent twice; and a file that is taken back. */
async function upload(ask: Asking, as: (how?: Ask) => Ask): Promise<void> {
  const photo = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#a33' } })
    .jpeg()
    .toBuffer()
  const fileId = randomUUID()
  const part = (from: number, to: number) => as(bytes(photo.subarray(from, to), from, null))
  await ask('POST', `${TRIAGE}/session/files`, {}, as({ json: { id: fileId, name: 'rash.jpg', size: photo.length } }))
  await ask('POST', `${TRIAGE}/session/files`, {}, as({ json: { id: randomUUID(), name: 'x.jpg', size: 90_000_000 } }))
  await ask('PATCH', `${TRIAGE}/session/files/{fileId}`, { fileId }, part(0, 100))
  await ask('PATCH', `${TRIAGE}/session/files/{fileId}`, { fileId }, part(20, 120)) // not where the last one ended
  await ask('PATCH', `${TRIAGE}/session/files/{fileId}`, { fileId }, part(100, photo.length))
  const second = randomUUID()
  await ask('POST', `${TRIAGE}/session/files`, {}, as({ json: { id: second, name: 'wrong.pdf', size: 500 } }))
  await ask('DELETE', `${TRIAGE}/session/files/{fileId}`, { fileId: second }, as())
  await ask('DELETE', `${TRIAGE}/session/files/{fileId}`, { fileId: randomUUID() }, as())
  await ask('GET', `${TRIAGE}/session/files`, {}, as())
}

async function asIntegrator(ask: Asking, { key }: Clinic, sessionId: string): Promise<void> {
  const here = { sessionId }
  const { body: spare } = await ask('POST', `${V1}/session`, {}, { key }) // a body is not needed
  await ask('POST', `${V1}/session`, {}, { key, json: { patient: { age: 200 } } })
  const once = { 'idempotency-key': randomUUID() }
  await ask('POST', `${V1}/session`, {}, { key, headers: once, json: { text: 'one' } })
  await ask('POST', `${V1}/session`, {}, { key, headers: once, json: { text: 'another' } })
  await ask('GET', `${V1}/session/{sessionId}`, here, { key })
  await ask('GET', `${V1}/session/{sessionId}`, here)
  await ask('GET', `${V1}/session/{sessionId}`, here, { key: 'wrong' })
  await ask('GET', `${V1}/session/{sessionId}`, { sessionId: randomUUID() }, { key })
  await ask('PUT', `${V1}/session/{sessionId}`, here, { key })
  const unwanted = { sessionId: (spare as { sessionId: string }).sessionId }
  await ask('DELETE', `${V1}/session/{sessionId}`, unwanted)
  await ask('DELETE', `${V1}/session/{sessionId}`, unwanted, { key })
  await ask('DELETE', `${V1}/session/{sessionId}`, unwanted, { key })
  await ask('GET', `${V1}/session/{sessionId}/status`, here, { key })
  await ask('GET', `${V1}/session/{sessionId}/status`, { sessionId: 'no-uuid' }, { key })
  await ask('GET', `${V1}/session/{sessionId}/decisionSupportLink`, here, { key })
  await ask(
    'GET',
    `${V1}/session/{sessionId}/decisionSupportLink`,
    { ...here, auditUserIdentifier: 'nurse-17' },
    { key },
  )
  await ask('GET', `${V1}/session/{sessionId}/summary`, { ...here, language: 'en' }, { key })
  const { body } = await ask('GET', `${V1}/session/{sessionId}/files`, here, { key })
  expectFiles(body)
  for (const part of ['pdf', 'fhir', 'judgements', 'contact', 'export'])
    await ask('GET', `${V1}/session/{sessionId}/${part}`, here, { key })
  await ask('GET', `${V1}/sessions`, { limit: '2' }, { key })
  await ask('GET', `${V1}/sessions`, { limit: '0' }, { key })
  await ask('GET', `${V1}/accessControl`, {}, { key })
  await ask('GET', `${V1}/accessControl/sessionCount`, {}, { key })
  await ask('GET', `${V1}/statistics`, {}, { key })
  await ask('POST', `${V1}/accessControl/close`, {}, { key, json: { closedReason: 'OutsideMonitoredHours' } })
  await ask('POST', `${V1}/accessControl/close`, {}, { key })
  await ask('POST', `${V1}/accessControl/open`, {}, { key })
}

function expectFiles(body: unknown): void {
  if (!Array.isArray(body) || body.length !== 1) throw new Error('The session has not the one file that was uploaded.')
}

async function asClinician(ask: Asking, world: World, clinic: Clinic, sessionId: string): Promise<void> {
  const { token } = await linkTo(world.url, clinic, sessionId, 'nurse-17')
  const opening = (given: string) => ({
    json: { token: given, configuration: clinic.slug, embedded: true },
    headers: OURS,
  })
  const begun = await ask('POST', `${VISIT}/visits`, {}, opening(token))
  await ask('POST', `${VISIT}/visits`, {}, opening('wrong'))
  await ask('GET', `${VISIT}/picture`)
  const { secret } = begun.body as { secret: string }
  const as = (how: Ask = {}): Ask => ({ ...how, headers: { authorization: `Bearer ${secret}` } })
  await ask('POST', `${VISIT}/alive`, {}, as()) // a body is not needed
  const { body } = await ask('GET', `${VISIT}/picture`, { language: 'en' }, as())
  const fileId = (body as { files: { id: string }[] }).files[0]?.id ?? ''
  await ask('GET', `${VISIT}/summary`, { language: 'en' }, as())
  await ask('GET', `${VISIT}/files/{fileId}`, { fileId, size: 'small' }, as())
  await ask('GET', `${VISIT}/files/{fileId}`, { fileId: randomUUID() }, as())
  await ask(
    'POST',
    `${VISIT}/judgements`,
    {},
    as({ json: { id: randomUUID(), urgency: 'Level2', reason: 'ECG is normal.' } }),
  )
  await ask('GET', `${VISIT}/pdf`, {}, as())
  await ask('GET', `${VISIT}/fhir`, {}, as())
  await ask('POST', `${VISIT}/close`, {}, as())
  const { key } = clinic
  await ask('GET', `${V1}/session/{sessionId}/judgements`, { sessionId }, { key })
  await ask('GET', `${V1}/session/{sessionId}/files/{fileId}`, { sessionId, fileId }, { key })
  await ask('GET', `${V1}/session/{sessionId}/files/{fileId}`, { sessionId, fileId: randomUUID() }, { key })
}
