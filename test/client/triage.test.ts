import { randomBytes, randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FyrClient, FyrProblem, FyrTriage, type FyrUser, newEntryId } from '../../src/client/index.ts'
import { FyrUser as UserClass } from '../../src/client/user.ts'
import type { Value } from '../../src/engine/content.ts'
import { screenAnswers } from '../world/patient.ts'
import { type Clinic, newWorld, type World } from '../world/world.ts'
import { behindTrouble, lost } from './trouble.ts'

let world: World
let clinic: Clinic
let fyr: FyrClient
let triage: FyrTriage
beforeAll(async () => {
  world = await newWorld()
  clinic = await world.clinic({ contact: 'optional' })
  fyr = new FyrClient({ baseUrl: world.url, apiKey: clinic.key })
  triage = new FyrTriage({ baseUrl: world.url })
})
afterAll(() => world.close())

/** Answers screen after screen until nothing is asked. */
async function answerThrough(user: FyrUser, story: Record<string, Value>): Promise<void> {
  for (let { step } = user.session; step.kind === 'ask'; { step } = user.session)
    await user.answerScreen(screenAnswers(step.questions, story))
}

const codeOf = (asked: Promise<unknown>) =>
  asked.then(
    () => 'taken',
    (error) => (error instanceof FyrProblem ? error.code : error),
  )

test('a session is answered from its link to its end, by its user alone', async () => {
  const created = await fyr.createSession({ text: 'A cough', patient: { age: 34, sex: 'Female' } })
  const user = await triage.enterInvited(created.url)
  expect(user.session).toMatchObject({ sessionId: created.sessionId, version: 0, step: { kind: 'ask' } })

  const { step } = user.session
  await user.answerScreen(step.kind === 'ask' ? screenAnswers(step.questions, {}) : [])
  expect(user.session.version).toBe(1)
  expect(await user.getAnsweredQuestion('age')).toMatchObject({ questions: [{ id: 'age', given: 34 }] })
  await user.goBack()
  expect(user.session.ledger).toEqual([])
  expect(await user.changeLanguage('sv')).toMatchObject({ language: 'sv' })
  expect((await user.proposeComplaints('ont i halsen')).complaints.length).toBeGreaterThan(0)
  expect((await user.proposeComplaints('hals', { search: true })).danger).toBe(false)

  await answerThrough(user, { issue_type: 'admin' })
  await user.giveContact({ phone: '+358 40 123 4567', when: 'after four' })
  expect(user.session.contact?.given?.phone).toBe('+358 40 123 4567')
  await user.finishSession()
  expect(user.session).toMatchObject({ status: 'Ended', step: { kind: 'outcome', outcome: { complete: true } } })
  expect(new TextDecoder().decode((await user.getOwnResultPdf()).subarray(0, 5))).toBe('%PDF-')
  expect(await fyr.getSessionContact(created.sessionId)).toMatchObject({ phone: '+358 40 123 4567' })

  await user.signOut()
  expect(await codeOf(user.getOwnSession())).toBe('credential-missing')
})

test('whoever stands at the open door looks, checks for an emergency, and enters', async () => {
  expect(await triage.getConfiguration(clinic.slug)).toMatchObject({ slug: clinic.slug, gate: { open: true } })
  const check = await triage.emergencyCheck(clinic.slug, { language: 'fi' })
  expect(check.alarm).toBe(null)
  const danger = check.questions.map(({ id }) => ({ question: id, value: true }))
  const { alarm } = await triage.emergencyCheck(clinic.slug, { answers: danger })
  expect(alarm).toMatchObject({ level: expect.stringMatching(/^Level[123]$/), callNumber: '112' })

  const user = await triage.enterOpen(clinic.slug, { language: 'no' })
  expect(user.session).toMatchObject({ language: 'no', configuration: clinic.slug })
})

test('an emergency ends the session at its card', async () => {
  const user = await triage.enterOpen(clinic.slug)
  while (!user.session.alarm && user.session.step.kind === 'ask') {
    const { questions } = user.session.step
    const story = Object.fromEntries(questions.filter(({ kind }) => kind === 'sign').map(({ id }) => [id, true]))
    await user.answerScreen(screenAnswers(questions, story))
  }
  await user.stopSession()
  expect(user.session).toMatchObject({ status: 'Ended', step: { outcome: { flag: 'red', complete: false } } })
})

test('who has the secret goes on; who has only the link says how old the patient is', async () => {
  const { url } = await fyr.createSession({ patient: { age: 34 } })
  const first = await triage.enterInvited(url)
  const again = await triage.goOn(first.secret)
  expect(again.session.sessionId).toBe(first.session.sessionId)
  expect(await codeOf(triage.enterInvited(url))).toBe('confirmation-needed')
  expect(await codeOf(triage.enterInvited(url, { age: 35 }))).toBe('confirmation-refused')
  expect((await triage.enterInvited(url, { age: 34 })).session.sessionId).toBe(first.session.sessionId)
})

test('an answer that comes too late is refused, and the session is seen as it is now', async () => {
  const quick = await triage.enterOpen(clinic.slug)
  const slow = await triage.goOn(quick.secret)
  const { step } = quick.session
  const answers = step.kind === 'ask' ? screenAnswers(step.questions, {}) : []
  await quick.answerScreen(answers)
  expect(await codeOf(slow.answerScreen(answers))).toBe('stale-version')
  expect(slow.session).toEqual(quick.session)
})

test('lost replies change nothing: one session, every answer once, the file whole', async () => {
  const picture = await sharp(randomBytes(1_000 * 700 * 3), { raw: { width: 1_000, height: 700, channels: 3 } })
    .png()
    .toBuffer()
  expect(picture.length).toBeGreaterThan(2 * 1024 * 1024 - 1_000) // several parts
  const { url, requests, stop } = await behindTrouble(world.url, lost, null, lost, null, lost, null, lost)
  const before = await world.sql('select count(*)::int as count from sessions')
  const user = await new FyrTriage({ baseUrl: url }).enterOpen(clinic.slug)
  const after = await world.sql('select count(*)::int as count from sessions')
  expect(Number(after[0]?.count) - Number(before[0]?.count)).toBe(1)

  const { step } = user.session
  await user.answerScreen(step.kind === 'ask' ? screenAnswers(step.questions, {}) : [])
  expect(user.session.version).toBe(1)

  const sent: number[] = []
  const file = await user.uploadFile(new File([picture], 'arm.png'), { onSent: (bytes) => sent.push(bytes) })
  expect(file).toMatchObject({ name: 'arm.png', mimeType: 'image/png', ready: true, size: picture.length })
  expect(sent).toEqual([...sent].sort((one, other) => one - other))
  expect(sent.at(-1)).toBe(picture.length)
  expect(requests.filter(({ method }) => method === 'PATCH').length).toBeGreaterThan(2)
  expect((await user.listOwnFiles()).map(({ id }) => id)).toEqual([file.id])
  const kept = await fyr.getSessionFile(user.session.sessionId, file.id)
  expect(await sharp(kept).metadata()).toMatchObject({ format: 'png', width: 1_000, height: 700 })

  await user.removeFile(file.id)
  expect(await user.listOwnFiles()).toEqual([])
  stop()
})

test('an entering that is repeated with its id leads into the same session', async () => {
  const id = newEntryId()
  const first = await triage.enterOpen(clinic.slug, { id })
  const again = await triage.enterOpen(clinic.slug, { id })
  expect(again.session.sessionId).toBe(first.session.sessionId)
  expect((await triage.enterOpen(clinic.slug)).session.sessionId).not.toBe(first.session.sessionId)
})

test('signing out whose reply was lost is done, and no refusal', async () => {
  const { url, requests, stop } = await behindTrouble(world.url, null, lost)
  const user = await new FyrTriage({ baseUrl: url }).enterOpen(clinic.slug)
  await user.signOut()
  stop()
  expect(requests).toHaveLength(3)
  expect(await codeOf(triage.goOn(user.secret))).toBe('credential-missing')
})

test('a file that is shorter than the one announced under its id is refused, not sent for ever', async () => {
  const user = await triage.enterOpen(clinic.slug)
  const picture = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  const id = randomUUID()
  await user.announceFile({ id, name: 'a.png', size: picture.length + 1 })
  await expect(user.uploadFile(new File([picture], 'a.png'), { id })).rejects.toThrow('shorter than the one')
})

test('a file that is no picture and no document is refused once, not tried for ever', async () => {
  const user = await triage.enterOpen(clinic.slug)
  expect(await codeOf(user.uploadFile(new Blob(['<script>'.repeat(10)])))).toBe('file-type-not-supported')
  const file = new Blob([randomBytes(100)])
  const announced = await user.announceFile({ id: crypto.randomUUID(), name: 'a', size: 50 })
  expect(await codeOf(user.uploadFile(file, { id: announced.id }))).toBe('file-offset')
})

test('every operation of the triage API has its method', async () => {
  const document = await (await fetch(`${world.url}/api/openapi.json`)).json()
  const operations = Object.entries(document.paths as Record<string, Record<string, { operationId: string }>>)
    .filter(([path]) => path.startsWith('/api/triage/v1/'))
    .flatMap(([, methods]) => Object.values(methods).map(({ operationId }) => operationId))
  expect(operations.length).toBeGreaterThanOrEqual(18)
  const methods = [FyrTriage, UserClass].flatMap(({ prototype }) => Object.getOwnPropertyNames(prototype))
  expect(operations.filter((operation) => !methods.includes(operation))).toEqual([])
})
