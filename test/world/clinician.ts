import type { Value } from '../../src/engine/content.ts'
import type { PictureBody } from '../../src/http/decision-support/schemas.ts'
import { type Ask, type Reply, send } from './call.ts'
import { Patient } from './patient.ts'
import type { Clinic, World } from './world.ts'

/** A man of 67 with chest pain that is there now: a red flag, answers to edit, something not known. */
export const CHEST_PAIN: Record<string, Value> = {
  age: 67,
  sex: 'male',
  matter: 'It presses on my chest since this morning,\nand my left arm feels heavy. <b>I am worried</b>',
  complaints: ['chest-pain'],
  chest_trouble: 'pain',
  chest_timing: 'now',
  cold_sweat: true,
  nausea_or_vomiting: true,
  chest_where: ['centre', 'arm-or-jaw'],
  chest_feel: ['none'],
  chest_worse: null,
  illnesses: ['high-blood-pressure'],
  medicines: ['heart-pressure'],
  medicine_names: 'Bisoprolol 5 mg',
  chest_duration: { amount: 3, unit: 'hours' },
  anything_else: 'My father had a heart attack at 60.',
}

/** A sore throat that can be looked after at home. */
export const SORE_THROAT: Record<string, Value> = {
  age: 24,
  sex: 'female',
  matter: 'Sore throat since Monday',
  complaints: ['sore-throat'],
}

export type Told = { sessionId: string; patient: Patient }

/** A session answered from its start to its end. */
export async function answered(url: string, clinic: Clinic, story: Record<string, Value>): Promise<Told> {
  const patient = new Patient(url)
  await patient.enterOpen(clinic.slug)
  await patient.answerThrough(story)
  const sent = await patient.finish()
  if (sent.status !== 200) throw new Error(JSON.stringify(sent.body).slice(0, 500))
  return { sessionId: patient.now.sessionId, patient }
}

export type Link = { link: string; token: string; managerScriptUrl: string }

export async function linkTo(url: string, clinic: Clinic, sessionId: string, who = 'nurse.kari'): Promise<Link> {
  const path = `/api/v1/session/${sessionId}/decisionSupportLink?auditUserIdentifier=${encodeURIComponent(who)}`
  const reply = await send(`${url}${path}`, 'GET', { key: clinic.key })
  if (reply.status !== 200) throw new Error(reply.text)
  return reply.body as Link
}

/** A clinician without a browser: exchanges tokens and reads, by cookie like a top-level page or by bearer like a frame. */
export class Clinician {
  readonly #url: string
  readonly slug: string
  cookie = ''
  visitId = ''
  secret: string | null = null

  constructor(url: string, slug: string) {
    this.#url = url
    this.slug = slug
  }

  async open(token: string, { embedded = false, slug = this.slug } = {}): Promise<Reply> {
    const reply = await send(`${this.#url}/api/decision-support/v1/visits`, 'POST', {
      json: { token, configuration: slug, embedded },
      headers: { 'sec-fetch-site': 'same-origin' },
    })
    if (reply.status !== 201) return reply
    const { visitId, secret } = reply.body as { visitId: string; secret: string | null }
    this.visitId = visitId
    this.secret = secret
    this.cookie = String(reply.headers['set-cookie']?.[0] ?? '').split(';')[0] ?? ''
    return reply
  }

  call(method: string, path: string, ask: Ask = {}): Promise<Reply> {
    const credential: Record<string, string> = this.secret
      ? { authorization: `Bearer ${this.secret}` }
      : { cookie: this.cookie, 'x-visit-id': this.visitId }
    return send(`${this.#url}/api/decision-support/v1${path}`, method, {
      ...ask,
      headers: { ...credential, 'sec-fetch-site': 'same-origin', ...ask.headers },
    })
  }

  async picture(language = 'en'): Promise<PictureBody> {
    const reply = await this.call('GET', `/picture?language=${language}`)
    if (reply.status !== 200) throw new Error(reply.text)
    return reply.body as PictureBody
  }
}

/** A clinician whose visit to the session has just begun. */
export async function visiting(
  world: Pick<World, 'url'>,
  clinic: Clinic,
  sessionId: string,
  who?: string,
): Promise<Clinician> {
  const clinician = new Clinician(world.url, clinic.slug)
  const reply = await clinician.open((await linkTo(world.url, clinic, sessionId, who)).token)
  if (reply.status !== 201) throw new Error(reply.text)
  return clinician
}

export type AuditRow = { actor: string; action: string; detail: Record<string, unknown> }

export async function auditOf(world: World, sessionId: string): Promise<AuditRow[]> {
  const rows = await world.sql('select actor, action, detail from audit_entries where subject = $1 order by seq', [
    sessionId,
  ])
  return rows as AuditRow[]
}

/** What one clinician did to a session, as the audit log has it. */
export const clinicianActions = async (world: World, sessionId: string, who: string): Promise<string[]> =>
  (await auditOf(world, sessionId)).filter(({ actor }) => actor === `clinician:${who}`).map(({ action }) => action)
