import { afterAll, beforeAll, expect, test } from 'vitest'
import { attempted, completedSession, eventually, newScene, type Scene } from '../world/webhook-scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await newScene()
})
afterAll(() => scene.close())

test('an ended session is told: signed, thin, with its extended data, and the id the same in header and body', async () => {
  const clinic = await scene.clinic('hello')
  const extendedData = { booking: 'äö-17', nested: [1, { deep: null }] }
  const sessionId = await completedSession(scene, clinic, { text: 'canary-matter', extendedData })
  const [arrived] = await eventually(
    () => scene.receiver.arrived('hello'),
    (list) => list.length > 0,
  )
  expect(arrived?.verifiedBy).toEqual([clinic.secret])
  const event = JSON.parse(arrived?.body ?? '')
  expect(event).toEqual({
    id: arrived?.headers['webhook-id'],
    type: 'session.completed',
    timestamp: event.data.sessionCompletedTimestamp,
    sessionId,
    extendedData,
    data: { sessionStatus: 'Ended', sessionCompletedTimestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*\.\d{3}Z$/) },
  })
  expect(arrived?.body).not.toContain('canary-matter')
  const delivery = await attempted(scene, clinic, 1)
  expect(delivery.row.state).toBe('delivered')
  expect(delivery.attempts[0]).toMatchObject({ number: 1, status: 200, error: null, answer: 'thank you' })
})
