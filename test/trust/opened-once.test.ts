import { afterAll, beforeAll, expect, test } from 'vitest'
import { send } from '../world/call.ts'
import { answered, CHEST_PAIN, type Clinician, visiting } from '../world/clinician.ts'
import { Patient } from '../world/patient.ts'
import { type Clinic, newWorld, type World } from '../world/world.ts'

let world: World
let clinic: Clinic
let sessionId: string
let clinician: Clinician
/** The names of the statements that the app has sent, in order, and when an audit entry was durable. */
const sent: string[] = []
const DURABLE = 'the entry is durable'

beforeAll(async () => {
  world = await newWorld()
  clinic = await world.clinic()
  sessionId = (await answered(world.url, clinic, CHEST_PAIN)).sessionId
  clinician = await visiting(world, clinic, (await answered(world.url, clinic, CHEST_PAIN)).sessionId)
  const { db } = world.app.core
  const { query, batch } = db
  db.query = (statement, values) => {
    sent.push(statement.name)
    return query(statement, values)
  }
  db.batch = async (steps) => {
    const names = steps.map(([{ name }]) => name)
    sent.push(...names)
    const rows = await batch(steps)
    if (names.includes('audit_append')) sent.push(DURABLE)
    return rows
  }
})
afterAll(() => world.close())

/** What was sent for one request. */
async function during(request: () => Promise<{ status: number }>): Promise<string[]> {
  sent.length = 0
  expect((await request()).status).toBe(200)
  return [...sent]
}

/** Statements that answer with a whole session, and those that answer with what the patient or a clinician left in it. */
const FINDS_SESSION = /^(session_find|session_door|user_by_)/
const READS = /^(answer|upload|judgement)_list$/

const DOORS = [
  {
    by: 'key',
    paths: ['', '/files', '/judgements', '/summary', '/pdf', '/fhir'],
    read: (path: string) => send(`${world.url}/api/v1/session/${sessionId}${path}`, 'GET', { key: clinic.key }),
  },
  {
    by: 'visit',
    paths: ['/picture', '/summary', '/pdf', '/fhir'],
    read: (path: string) => clinician.call('GET', path),
  },
]

for (const { by, paths, read } of DOORS)
  for (const path of paths)
    test(`A16: by ${by}, GET …${path} finds its session once, and reads nothing in it before the entry is durable`, async () => {
      const statements = await during(() => read(path))
      expect(statements.filter((name) => FINDS_SESSION.test(name))).toHaveLength(1)
      expect(statements.filter((name) => name === DURABLE)).toHaveLength(1)
      const reads = statements.filter((name) => READS.test(name))
      expect(reads).toEqual([...new Set(reads)])
      expect(statements.slice(0, statements.indexOf(DURABLE)).filter((name) => READS.test(name))).toEqual([])
    })

test('an answer is one statement: this node asked the question, so it reads nothing', async () => {
  const patient = new Patient(world.url)
  await patient.enterOpen(clinic.slug)
  // The first one also queues session.started, for the endpoints that chose it.
  expect(await during(() => patient.answer('for_whom', 'self'))).toEqual(['answers_append', 'webhook_delivery_insert'])
  expect(await during(() => patient.answer('matter', null))).toEqual(['answers_append'])
})
