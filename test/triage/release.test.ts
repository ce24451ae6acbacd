import { afterAll, beforeAll, expect, test } from 'vitest'
import { activate, EVERYWHERE } from '../../src/session/content/activate.ts'
import { changeSession } from '../world/changed-session.ts'
import { SORE_THROAT, visiting } from '../world/clinician.ts'
import { publishChanged } from '../world/content.ts'
import { Patient } from '../world/patient.ts'
import { type Clinic, newWorld, type World } from '../world/world.ts'

const NEWER = '2050.1.0'

let world: World
let clinic: Clinic
beforeAll(async () => {
  world = await newWorld()
  clinic = await world.clinic()
})
afterAll(() => world.close())

/** A release in which every rule is an emergency, and which new sessions get from now on. */
async function publishNewer(): Promise<void> {
  await publishChanged(world, NEWER, (release) => ({
    ...release,
    complaints: release.complaints.map((complaint) => ({
      ...complaint,
      otherwise: complaint.otherwise && ('Level1' as const),
      rules: complaint.rules.map((rule) => ({ ...rule, level: 'Level1' as const })),
    })),
  }))
  await activate(world.app.core, EVERYWHERE, NEWER, 'test')
}

async function entered(until?: string): Promise<Patient> {
  const patient = new Patient(world.url)
  await patient.enterOpen(clinic.slug)
  await patient.answerThrough(SORE_THROAT, (asked) => asked === until)
  return patient
}

const levelOf = ({ now }: Patient) => (now.step.kind === 'outcome' ? now.step.outcome.level : now.step.kind)

test('F24: a session goes on and ends with the release it began with, and what was stored at its end is what everyone reads', async () => {
  const [begun, ended] = [await entered('major_bleeding'), await entered()]
  await ended.finish()
  const level = levelOf(ended)
  expect(level).not.toBe('Level1')
  await publishNewer()

  const beginsWith = async () => {
    const { now } = await entered('age')
    const [row] = await world.sql('select content_version from sessions where id = $1', [now.sessionId])
    return row?.content_version
  }
  await expect.poll(beginsWith, { timeout: 20_000 }).toBe(NEWER)
  const fresh = await entered()
  await fresh.finish()
  expect(levelOf(fresh)).toBe('Level1') // the newer release says otherwise
  await begun.answerThrough(SORE_THROAT)
  await begun.finish()
  expect(levelOf(begun)).toBe(level)

  // Even worked out anew with other rules, the end stays what it was.
  await changeSession(world, ended.now.sessionId, 'content_version = $2', [NEWER])
  await ended.look()
  expect(levelOf(ended)).toBe(level)
  const clinician = await visiting(world, clinic, ended.now.sessionId)
  expect((await clinician.picture()).urgency).toMatchObject({ level, isFinal: true })
})
