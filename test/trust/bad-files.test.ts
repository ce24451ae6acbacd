// @module-tag thorough
import { randomUUID } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { BAD_FILES, packed } from '../world/bad-files.ts'
import { expectJudged } from '../world/judged-files.ts'
import { Patient, type Reply } from '../world/patient.ts'
import { type Clinic, newWorld, type World } from '../world/world.ts'

/** As many checks run at once as leave a core to those who answer, three at most. */
const ONE_CORE_LEFT = Math.min(3, Math.max(1, availableParallelism() - 1))

let world: World
let clinic: Clinic
beforeAll(async () => {
  world = await newWorld()
  clinic = await world.clinic()
})
afterAll(() => world.close())

async function entered(): Promise<Patient> {
  const patient = new Patient(world.url)
  await patient.enterOpen(clinic.slug)
  return patient
}

async function upload(patient: Patient, bytes: Buffer, id = randomUUID()): Promise<Reply> {
  const announced = await patient.call('POST', '/session/files', { id, name: 'a.pdf', size: bytes.length })
  expect(announced.status).toBe(200)
  return patient.call('PATCH', `/session/files/${id}`, bytes, { 'upload-offset': '0' })
}

/** As a patient's app does it: what is told to come back, as it may be on a busy machine, comes back where it stopped. */
async function surelyUpload(patient: Patient, bytes: Buffer): Promise<Reply> {
  const id = randomUUID()
  let reply = await upload(patient, bytes, id)
  for (let tries = 0; reply.status === 503 && tries < 20; tries++) {
    await wait(1_000)
    await patient.look()
    const { received = 0 } = patient.now.files.find((file) => file.id === id) ?? {}
    const start = received === bytes.length ? 0 : received
    reply = await patient.call('PATCH', `/session/files/${id}`, bytes.subarray(start), { 'upload-offset': `${start}` })
  }
  return reply
}

const codeOf = (reply: { body: { type?: string } }) => reply.body.type?.split('/').at(-1)
const keptFlags = async ({ now }: Patient) =>
  (await world.sql('select flags from uploads where session_id = $1 and ready_at is not null', [now.sessionId])).map(
    ({ flags }) => flags,
  )

const measured = async (name: string) =>
  Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(await (await fetch(world.metricsUrl)).text())?.[1])

const SLICE = BAD_FILES.filter(({ isInSlice }) => isInSlice)

test('A55: files made to be slow are refused or told apart, one of each kind', () => expectJudged(SLICE))

test('A55: a patient who sends one is told, and nothing else of the session is lost', async () => {
  for (const { name, make, outcome } of SLICE) {
    const bytes = await make()
    const patient = await entered()
    await patient.answerThrough({}, (asked) => asked === 'age')
    const reply = await surelyUpload(patient, bytes)
    if (typeof outcome === 'string') expect([name, reply.status, codeOf(reply)]).toEqual([name, 400, outcome])
    else expect([name, reply.status, reply.body.ready]).toEqual([name, 200, true])
    expect([name, await keptFlags(patient)]).toEqual([name, typeof outcome === 'string' ? [] : [outcome]])
    expect([name, (await patient.answer('age', 40)).status]).toEqual([name, 200])
  }
})

test('A55: while such files are being checked, health, pages and answers are served before the checks end', {
  tags: 'slice',
}, async () => {
  const bytes = Buffer.from((await BAD_FILES[0]?.make()) ?? '')
  const [answering, ...senders] = await Promise.all(Array.from({ length: 9 }, entered))
  await answering?.answerThrough({}, (asked) => asked === 'age')
  let ended = 0
  const replies = senders.map((sender) => upload(sender, bytes).finally(() => ended++))
  await vi.waitFor(async () => expect(await measured('fyr_file_checks_running')).toBe(ONE_CORE_LEFT), 40_000)
  const endedBefore = ended
  expect((await fetch(`${world.url}/healthz`)).status).toBe(200)
  expect((await fetch(`${world.url}/emergency.html`)).status).toBe(200)
  expect((await answering?.answer('age', 40))?.status).toBe(200)
  expect(ended - endedBefore).toBeLessThan(senders.length - endedBefore)
  for (const reply of await Promise.all(replies)) expect([200, 503]).toContain(reply.status)
})

test('A55: more files at once than can wait are told to come back; nothing is lost, and sending the last part again finishes each', async () => {
  const bytes = Buffer.from((await BAD_FILES[0]?.make()) ?? '')
  const patient = await entered()
  const ids = Array.from({ length: 8 }, () => randomUUID())
  const replies = await Promise.all(ids.map((id) => upload(patient, bytes, id)))
  const refused = replies.filter(({ status }) => status !== 200)
  expect(refused.length).toBeGreaterThan(0)
  for (const reply of refused) {
    expect([reply.status, codeOf(reply)]).toEqual([503, 'overloaded'])
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
  }
  await patient.look()
  expect(patient.now.files.map(({ received }) => received)).toEqual(ids.map(() => bytes.length))
  for (const id of ids) {
    const again = await patient.call('PATCH', `/session/files/${id}`, bytes, { 'upload-offset': '0' })
    expect(again.body).toMatchObject({ id, ready: true })
  }
})

test('A35: what acts cannot be hidden by how it is packed, and compressed bytes that look like it are not taken for it', {
  tags: 'slice',
}, async () => {
  const pdf = (...parts: (string | Buffer)[]) =>
    Buffer.concat(['%PDF-1.7\n', ...parts, '\n%%EOF\n'].map((part) => Buffer.from(part as string)))
  const launch = Buffer.from('6 0 <</S/Launch/F(calc.exe)>>')
  const many = Array.from({ length: 300 }, () => packed(Buffer.from('6 0 <</Type/Page>>')))
  for (const [bytes, flags] of [
    [pdf(...many, packed(launch)), ['active-content']],
    [pdf(packed(Buffer.concat([Buffer.alloc(2_000_000, ' '), launch]))), ['active-content']],
    [pdf('% stream\n', packed(launch)), ['active-content']],
    [pdf(packed(launch, '/Filter 9 0 R')), ['active-content']],
    [pdf(packed(launch, '/Filter[/ASCIIHexDecode/FlateDecode]')), ['active-content']],
    [pdf('5 0 obj<</Type/ObjStm>>stream\n', launch, '\nendstream'), ['active-content']],
    [pdf('5 0 obj<</Length 9>>stream\n\x01/JS /AA \x02\nendstream'), []],
    [pdf(packed(Buffer.from('6 0 <</Type/Page>>'))), []],
  ] as const) {
    const patient = await entered()
    expect((await surelyUpload(patient, bytes)).status).toBe(200)
    expect(await keptFlags(patient)).toEqual([flags])
  }
})
