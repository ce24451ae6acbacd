import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { changeConfiguration } from '../../src/account/provision.ts'
import { brokenInvariants } from '../world/invariants.ts'
import { type Node, spawnNode } from '../world/nodes.ts'
import { Patient } from '../world/patient.ts'
import { integrator } from '../world/stage.ts'
import {
  answeredSession,
  type ClinicWithWebhook,
  deliveriesIn,
  eventually,
  newScene,
  type Scene,
} from '../world/webhook-scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await newScene()
})
afterAll(() => scene.close())

/** The one event of a session, as it reached the receiver. */
async function toldOf(name: string, sessionId: string): Promise<unknown> {
  const mine = () => scene.receiver.arrived(name).filter(({ body }) => JSON.parse(body).sessionId === sessionId)
  const [arrived] = await eventually(mine, (list) => list.length > 0)
  return JSON.parse(arrived?.body ?? '').data
}

async function completedIn(clinic: ClinicWithWebhook): Promise<unknown> {
  const system = integrator({ world: scene.world, urls: [scene.world.url] }, clinic)
  return (await system.get('/accessControl/sessionCount')).completed
}

/** A user in front of the emergency card. */
async function alarmed(clinic: ClinicWithWebhook): Promise<Patient> {
  const patient = new Patient(scene.world.url)
  await patient.enterOpen(clinic.slug)
  await patient.answerThrough({ stroke_signs_last_day: true }, (_asked, { alarm }) => alarm !== null)
  expect(patient.now.alarm).toMatchObject({ level: 'Level1' })
  return patient
}

describe('every way a session can end tells the clinic, once', () => {
  test('sent by its user', async () => {
    const clinic = await scene.clinic('finished')
    const patient = await answeredSession(scene.world, clinic)
    expect(await deliveriesIn(scene, clinic)).toEqual([])
    expect((await patient.finish()).status).toBe(200)
    expect((await patient.finish()).status).toBe(200)
    expect(await toldOf('finished', patient.now.sessionId)).toMatchObject({ sessionStatus: 'Ended' })
    expect(await deliveriesIn(scene, clinic)).toHaveLength(1)
    expect(await completedIn(clinic)).toBe(1)
  })

  test('stopped at the emergency card', async () => {
    const clinic = await scene.clinic('stopped')
    const patient = await alarmed(clinic)
    expect((await patient.stop()).status).toBe(200)
    expect((await patient.stop()).status).toBe(200)
    expect(await toldOf('stopped', patient.now.sessionId)).toMatchObject({ sessionStatus: 'Ended' })
    expect(await deliveriesIn(scene, clinic)).toHaveLength(1)
    expect(await completedIn(clinic)).toBe(1)
  })

  test('left while the emergency card stood, whichever node looks first', async () => {
    const clinic = await scene.clinic('left')
    const patient = await alarmed(clinic)
    const { sessionId } = patient.now
    await scene.world.sql(`update sessions set last_active_at = now() - interval '2 hours' where id = $1`, [sessionId])
    await Promise.all([scene.world.endLeft(), scene.world.endLeft(), scene.world.endLeft()])
    expect(await toldOf('left', sessionId)).toMatchObject({ sessionStatus: 'Ended' })
    expect(await deliveriesIn(scene, clinic)).toHaveLength(1)
    expect(await completedIn(clinic)).toBe(1)
  })

  test('one that was not sent, or could not be, tells nothing', async () => {
    const clinic = await scene.clinic('going-on')
    const patient = new Patient(scene.world.url)
    await patient.enterOpen(clinic.slug)
    expect((await patient.finish()).status).toBe(409)
    expect((await patient.stop()).status).toBe(409)
    await scene.world.endLeft()
    expect(await deliveriesIn(scene, clinic)).toEqual([])
    expect(await completedIn(clinic)).toBe(0)
  })
})

test('D30: how the patient can be reached is never in an event', async () => {
  const clinic = await scene.clinic('reached')
  await changeConfiguration(scene.world.app.core, clinic.configuration, { document: { contact: 'optional' } })
  const patient = await answeredSession(scene.world, clinic, { patient: { reference: 'patient-77' } })
  const given = await patient.call('PUT', '/session/contact', { phone: '+358 40 555 0199', when: 'mornings' })
  expect(given.status).toBe(200)
  await patient.finish()
  await toldOf('reached', patient.now.sessionId)
  const told = scene.receiver.arrived('reached').map(({ body, headers }) => body + JSON.stringify(headers))
  expect(told.join()).toContain(patient.now.sessionId)
  expect(told.join()).not.toMatch(/555 ?0199|patient-77|mornings/)
})

describe('F23: 200 parallel finishes', () => {
  const nodes: Node[] = []
  beforeAll(async () => {
    for (let at = 0; at < 3; at++)
      nodes.push(await spawnNode({ ...scene.environment, REQUESTS_PER_SECOND_PER_USER: '0' }))
  })
  afterAll(() => Promise.all(nodes.map((node) => node.stop())))

  test.each(['one node', 'three nodes'] as const)(
    'on %s end the session once: one event, one more in the count',
    { tags: 'thorough' },
    async (where) => {
      const name = `f23-${randomUUID()}`
      const clinic = await scene.clinic(name)
      const { cookie, now } = await answeredSession(scene.world, clinic)
      const patient = new Patient(where === 'one node' ? scene.world.url : nodes.map(({ url }) => url))
      patient.cookie = cookie
      const replies = await Promise.all(
        Array.from({ length: 200 }, () => patient.call('POST', '/session/finish', { version: now.version })),
      )
      for (const { status } of replies) expect([200, 409]).toContain(status)
      expect(replies.some(({ status }) => status === 200)).toBe(true)
      const entries = await scene.world.sql(
        `select 1 from audit_entries where subject = $1 and action = 'session.finished'`,
        [now.sessionId],
      )
      expect(entries).toHaveLength(1)
      expect(await completedIn(clinic)).toBe(1)
      await toldOf(name, now.sessionId)
      expect(await deliveriesIn(scene, clinic)).toHaveLength(1)
      expect(scene.receiver.arrived(name)).toHaveLength(1)
      await patient.look()
      expect(patient.now.status).toBe('Ended')
    },
  )
})

test('I2, I3, I4, I5 and I6 hold after all of these endings', async () => {
  expect(await brokenInvariants(scene.world)).toEqual([])
})
