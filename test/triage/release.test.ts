import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CompiledRelease } from '../../src/engine/content.ts'
import { publishRelease } from '../../src/store/releases.ts'
import { SORE_THROAT, visiting } from '../world/clinician.ts'
import { Patient } from '../world/patient.ts'
import { type Clinic, newWorld, type World } from '../world/world.ts'

const NEWER = 'newer'

let world: World
let clinic: Clinic
beforeAll(async () => {
  world = await newWorld()
  clinic = await world.clinic()
})
afterAll(() => world.close())

/** A release in which every rule is an emergency, and which new sessions of the clinic get from now on. */
async function publishNewer(): Promise<void> {
  const [known] = await world.sql('select compiled from content_releases')
  const release: CompiledRelease = JSON.parse(String(known?.compiled))
  const complaints = release.complaints.map((complaint) => ({
    ...complaint,
    rules: complaint.rules.map((rule) => ({ ...rule, level: 'Level1' as const })),
  }))
  const compiled = JSON.stringify({ ...release, version: NEWER, complaints })
  expect(await publishRelease(world.app.core.db, NEWER, compiled, NEWER)).toBe('published')
  await world.sql('update configurations set document = document || $2::jsonb, revision = revision + 1 where id = $1', [
    clinic.configurationId,
    JSON.stringify({ contentVersion: NEWER }),
  ])
}

async function entered(until?: string): Promise<Patient> {
  const patient = new Patient(world.url)
  await patient.enterOpen(clinic.slug)
  await patient.answerThrough(SORE_THROAT, (asked) => asked === until)
  return patient
}

const levelOf = ({ now }: Patient) => (now.step.kind === 'outcome' ? now.step.outcome.level : now.step.kind)

test('F24: a session goes on and ends with the release it began with, and what was stored at its end is what everyone reads', async () => {
  const [begun, ended] = [await entered('emergency_now'), await entered()]
  await ended.finish()
  const level = levelOf(ended)
  expect(level).not.toBe('Level1')
  await publishNewer()

  const fresh = await entered()
  await fresh.finish()
  expect(levelOf(fresh)).toBe('Level1') // the newer release says otherwise
  await begun.answerThrough(SORE_THROAT)
  await begun.finish()
  expect(levelOf(begun)).toBe(level)

  // Even worked out anew with other rules, the end stays what it was.
  await world.sql('update sessions set content_version = $2 where id = $1', [ended.now.sessionId, NEWER])
  await ended.look()
  expect(levelOf(ended)).toBe(level)
  const clinician = await visiting(world, clinic, ended.now.sessionId)
  expect((await clinician.picture()).urgency).toMatchObject({ level, isFinal: true })
})
