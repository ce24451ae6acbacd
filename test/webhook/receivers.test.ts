import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Patient } from '../world/patient.ts'
import {
  answeredSession,
  attempted,
  completedSession,
  deliveriesIn,
  eventually,
  newScene,
  type Scene,
} from '../world/webhook-scene.ts'
import type { Clinic } from '../world/world.ts'

let scene: Scene
beforeAll(async () => {
  scene = await newScene()
})
afterAll(() => scene.close())

test('F15, B30: a receiver that hangs and one that drips hold up nobody else; at 15 seconds both are cut off', {
  tags: 'thorough',
}, async () => {
  const hanging = await scene.clinic('hanging', 'hang')
  const dripping = await scene.clinic('dripping', 'drip')
  const healthy = await scene.clinic('healthy')
  const answered = async (count: number, clinic: Clinic) => {
    const patients: Patient[] = []
    while (patients.length < count) patients.push(await answeredSession(scene.world, clinic))
    return patients
  }
  const well = await answered(20, healthy)
  // More than one receiver may have at once, so that its lane is full.
  const stuck = [...(await answered(12, hanging)), ...(await answered(1, dripping))]
  await Promise.all(stuck.map((patient) => patient.finish()))
  await eventually(
    () => scene.receiver.arrived('hanging').length === 10 && scene.receiver.arrived('dripping').length === 1,
  )
  await Promise.all(well.map((patient) => patient.finish()))
  await eventually(
    () => deliveriesIn(scene, healthy),
    (all) => all.length === 20 && all.every(({ row }) => row.state === 'delivered'),
  )
  // All of that happened while the others were still waiting for their answers.
  expect((await deliveriesIn(scene, hanging)).flatMap(({ attempts }) => attempts)).toEqual([])

  const dripped = await attempted(scene, dripping, 1)
  expect(dripped.row.state).toBe('delivered') // it said 200; the body does not matter
  expect(dripped.attempts[0]).toMatchObject({ status: 200, error: null, answer: expect.stringMatching(/^\.+$/) })
  const [, hung] = await eventually(
    async () => (await deliveriesIn(scene, hanging)).filter(({ attempts }) => attempts.length > 0),
    (all) => all.length >= 10,
  )
  expect(hung?.row.state).toBe('pending')
  expect(hung?.attempts[0]).toMatchObject({ status: null, error: 'timeout', answer: null })
  expect(hung?.attempts[0]?.durationMs).toBeGreaterThan(14_000)
})

test('B30: an endless answer is cut at 64 KiB and judged by its status; the first KiB is kept', async () => {
  const clinic = await scene.clinic('endless', 'endless')
  await completedSession(scene, clinic)
  const { row, attempts } = await attempted(scene, clinic, 1)
  expect(row.state).toBe('delivered')
  expect(attempts[0]?.answer).toBe('x'.repeat(1_024))
  const poured = await eventually(() => scene.receiver.poured('endless'))
  expect(poured).toBeLessThan(8 * 1024 * 1024) // what the sockets on the way can hold, and not 10 GB
})

test.each([
  ['a thousand headers', 'headers'],
  ['bytes that are no text', 'garbage'],
])('B30: %s in the answer change nothing', async (words, behaviour) => {
  const clinic = await scene.clinic(`answers-${behaviour}`, behaviour)
  await completedSession(scene, clinic)
  const { row, attempts } = await attempted(scene, clinic, 1)
  expect([words, row.state]).toEqual([words, 'delivered'])
  expect(attempts[0]).toMatchObject({ status: 200, error: null })
})

test('A25: what a receiver says is kept for its owner alone: sealed in the database, absent from log and metrics', async () => {
  const clinic = await scene.clinic('talking', 'say canary-answer-7')
  await completedSession(scene, clinic)
  const { attempts } = await attempted(scene, clinic, 1)
  expect(attempts[0]).toMatchObject({ status: 400, answer: 'canary-answer-7' })
  const stored = await scene.world.sql('select a::text as text from webhook_attempts a')
  expect(stored.map(({ text }) => text).join()).not.toContain(Buffer.from('canary-answer-7').toString('hex'))
  const metrics = await (await fetch(scene.world.metricsUrl)).text()
  expect(scene.world.log() + metrics).not.toContain('canary-answer-7')
})

test('monitoring sees what waits, what failed and how old the oldest is', async () => {
  const clinic = await scene.clinic('watched', 'status 500')
  await completedSession(scene, clinic)
  await attempted(scene, clinic, 1)
  await scene.world.sql(`update webhook_deliveries set created_at = now() - interval '1 hour' where account_id = $1`, [
    clinic.accountId,
  ])
  const page = await eventually(
    async () => (await fetch(scene.world.metricsUrl)).text(),
    (text) => Number(/^fyr_webhook_oldest_pending_seconds (\S+)$/m.exec(text)?.[1]) > 3_500,
  )
  expect(Number(/^fyr_webhook_deliveries_pending (\S+)$/m.exec(page)?.[1])).toBeGreaterThan(0)
  expect(page).toMatch(/^fyr_webhook_deliveries_failed \d/m)
  expect(page).toMatch(/^fyr_webhook_endpoints_failing [1-9]/m)
  expect(page).toMatch(/^fyr_webhook_attempts_total\{outcome="5xx"\} [1-9]/m)
  expect(page).not.toContain(clinic.accountId)
})
