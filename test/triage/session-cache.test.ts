import { Writable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newLogger } from '../../src/log.ts'
import type { InterviewParts } from '../../src/session/interview/interview.ts'
import { SessionCache } from '../../src/session/interview/session-cache.ts'
import { openUser, type User } from '../../src/session/interview/user.ts'
import { Releases } from '../../src/session/releases.ts'
import { eraseSession } from '../../src/session/upkeep/erase.ts'
import { hashOf } from '../../src/store/seal.ts'
import { findSessionDoor, type Proof } from '../../src/store/users.ts'
import { Patient } from '../world/patient.ts'
import { type Clinic, newWorld, type World } from '../world/world.ts'

let world: World
let clinic: Clinic
/** Another node on the same database, with a cache of its own. */
let elsewhere: InterviewParts
beforeAll(async () => {
  world = await newWorld()
  clinic = await world.clinic()
  const silent = newLogger({ LOG_LEVEL: 'silent' }, new Writable({ write: (_line, _encoding, done) => done() }))
  const { core } = world.app
  elsewhere = { core, releases: await Releases.open(core, silent), cache: new SessionCache() }
  await elsewhere.cache.follow(core.db)
})
afterAll(() => world.close())

/** A user in their session, as that node has opened it. */
async function opened(): Promise<User> {
  const { core } = world.app
  const patient = new Patient(world.url)
  await patient.enterOpen(clinic.slug, { credential: 'bearer' })
  const proof: Proof = { kind: 'bearer', hash: hashOf(patient.bearer ?? '') }
  const door = await findSessionDoor(core.db, clinic.accountId, patient.now.sessionId)
  if (!door) throw new Error('The session is not there.')
  return openUser(elsewhere, door, proof)
}

test('a session stays in memory for a quarter of an hour after it was last opened, and then its key is gone', async () => {
  const user = await opened()
  const { session, interview, proof } = user
  let now = 0
  const cache = new SessionCache(() => now)
  const found = () => [cache.userWith(proof), cache.interviewAt(session.row, interview.content)]
  cache.keepUser(user)
  now = 15 * 60_000 - 1
  expect(found()).toEqual([user, interview])
  cache.forgetOld()
  expect(found()).toEqual([user, interview])
  now++
  expect(found()).toEqual([null, null])
  cache.forgetOld()
  now = 0
  expect(found()).toEqual([null, null])
})

test('what is far longer than people write is not kept: somebody may try to fill the memory', async () => {
  const user = await opened()
  const { session, interview, proof } = user
  const cache = new SessionCache()
  const said = (value: string, times: number) =>
    Array.from({ length: times }, () => ({ id: 'x', at: new Date(0), question: 'matter', value, withdrawn: false }))
  for (const history of [said('x', 401), said('x'.repeat(2_000), 26)]) {
    cache.keepUser({ ...user, interview: { ...interview, history } })
    expect([cache.userWith(proof), cache.interviewAt(session.row, interview.content)]).toEqual([null, null])
  }
  cache.keepUser({ ...user, interview: { ...interview, history: said('x'.repeat(2_000), 25) } })
  expect(cache.userWith(proof)).not.toBeNull()
})

test('whoever only looks at a session does not push out the user who answers in it, unless it has moved on', async () => {
  const user = await opened()
  const { session, interview, proof } = user
  const cache = new SessionCache()
  cache.keepInterview(session, interview)
  expect(cache.userWith(proof)).toBeNull()
  expect(cache.interviewAt(session.row, interview.content)).toBe(interview)
  cache.keepUser(user)
  cache.keepInterview(session, { ...interview })
  expect(cache.userWith(proof)).toBe(user)
  const moved = { ...session, row: { ...session.row, version: session.row.version + 1 } }
  cache.keepInterview(moved, { ...interview })
  expect(cache.userWith(proof)).toBeNull()
  expect(cache.interviewAt(session.row, interview.content)).toBeNull()
})

test('A51: a session that is erased is forgotten by every node', async () => {
  const [erased, kept] = [await opened(), await opened()]
  const { cache, core } = elsewhere
  expect(cache.userWith(erased.proof)).not.toBeNull()
  await eraseSession(core, clinic.accountId, erased.session.row.id, 'operator')
  await expect.poll(() => cache.userWith(erased.proof), { timeout: 30_000 }).toBeNull()
  expect(cache.userWith(kept.proof)).not.toBeNull()
})
