import { Writable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newLogger } from '../../src/log.ts'
import { Recent } from '../../src/session/interview/recent.ts'
import { openUserSession, type UserSession } from '../../src/session/interview/user.ts'
import { Releases } from '../../src/session/releases.ts'
import { eraseSession } from '../../src/session/upkeep/erase.ts'
import { hashOf } from '../../src/store/seal.ts'
import { findUserById, type Proof } from '../../src/store/users.ts'
import { Patient } from '../world/patient.ts'
import { type Clinic, newWorld, type World } from '../world/world.ts'

let world: World
let clinic: Clinic
/** What another node has in memory. */
let elsewhere: Releases
beforeAll(async () => {
  world = await newWorld()
  clinic = await world.clinic()
  const silent = newLogger({ LOG_LEVEL: 'silent' }, new Writable({ write: (_line, _encoding, done) => done() }))
  elsewhere = await Releases.open(world.app.core, silent)
})
afterAll(() => world.close())

/** A session with its user, as that node has opened it. */
async function opened(): Promise<{ user: UserSession; proof: Proof }> {
  const { core } = world.app
  const patient = new Patient(world.url)
  await patient.enterOpen(clinic.slug, { credential: 'bearer' })
  const proof: Proof = { kind: 'bearer', hash: hashOf(patient.bearer ?? '') }
  const door = await findUserById(core.db, clinic.accountId, patient.now.sessionId)
  if (!door) throw new Error('The session is not there.')
  return { user: await openUserSession(core, elsewhere, door, { proof }), proof }
}

test('a session stays in memory for a quarter of an hour after it was last opened, and then its key is gone', async () => {
  const { user, proof } = await opened()
  let now = 0
  const recent = new Recent(() => now)
  const found = () => [recent.of(proof), recent.at(user.row.id, user.row.version, user.content)]
  recent.keep(user)
  now = 15 * 60_000 - 1
  expect(found()).toEqual([user, user])
  recent.forgetOld()
  expect(found()).toEqual([user, user])
  now++
  expect(found()).toEqual([null, null])
  recent.forgetOld()
  now = 0
  expect(found()).toEqual([null, null])
})

test('A51: a session that is erased is forgotten by every node', async () => {
  const [erased, kept] = [await opened(), await opened()]
  expect(elsewhere.recent.of(erased.proof)).not.toBeNull()
  await eraseSession(world.app.core, clinic.accountId, erased.user.row.id, 'operator')
  await expect.poll(() => elsewhere.recent.of(erased.proof), { timeout: 30_000 }).toBeNull()
  expect(elsewhere.recent.of(kept.proof)).not.toBeNull()
})
