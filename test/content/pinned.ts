import { expect } from 'vitest'
import type { CompiledRelease, Rule } from '../../src/engine/content.ts'
import { activate, EVERYWHERE } from '../../src/session/content/activate.ts'
import { activeRelease, publishChanged } from '../world/content.ts'
import { Patient } from '../world/patient.ts'
import { newWorld, type World } from '../world/world.ts'

const AT_ONCE = 10
/** Some have only entered when the release changes, some are anywhere in between, some are ready to send. */
const PLACES = 8

const STORY = { issue_type: 'regular', complaints: ['sore-throat'], matter: 'My throat hurts' }

const raised = (rules: readonly Rule[]): Rule[] =>
  rules.map((rule) => (rule.level === 'Level6' ? { ...rule, level: 'Level5' } : rule))

/** The same complaints, judged and worded otherwise: what was Level6 is Level5, and every title reads differently. */
const changed = (release: CompiledRelease): CompiledRelease => ({
  ...release,
  complaints: release.complaints.map((complaint) => ({
    ...complaint,
    otherwise: complaint.otherwise === 'Level6' ? 'Level5' : complaint.otherwise,
    rules: raised(complaint.rules),
    reassuring: raised(complaint.reassuring),
  })),
  words: {
    ...release.words,
    en: Object.fromEntries(
      Object.entries(release.words.en).map(([path, text]) => [path, path.endsWith('.title') ? `New: ${text}` : text]),
    ),
  },
})

async function beginIn({ url }: World, slug: string, answers: number): Promise<Patient> {
  const patient = new Patient(url)
  await patient.enterOpen(slug, { credential: 'bearer' })
  let left = answers
  await patient.answerThrough(STORY, () => left-- <= 0)
  return patient
}

async function finished(patient: Patient): Promise<unknown> {
  await patient.answerThrough(STORY)
  await patient.finish()
  const { step, ledger } = patient.now
  if (step.kind !== 'outcome') throw new Error('The session did not end.')
  return { outcome: step.outcome, ledger }
}

async function inTurns<T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (let at = 0; at < all.length; at += AT_ONCE)
    results.push(...(await Promise.all(all.slice(at, at + AT_ONCE).map(work))))
  return results
}

const versionsIn = async ({ sql }: World, patients: readonly Patient[]) => {
  const rows = await sql('select distinct content_version from sessions where id = any($1)', [
    patients.map(({ now }) => now.sessionId),
  ])
  return rows.map((row) => row.content_version)
}

/** A release is activated while so many sessions are open: none of them notices, and new ones begin with it. */
export async function activateWhileOpen(count: number): Promise<void> {
  const world = await newWorld()
  try {
    const { slug } = await world.clinic()
    const before = await activeRelease(world)
    const begun = (answers: number) => beginIn(world, slug, answers)
    const versionsOf = (patients: readonly Patient[]) => versionsIn(world, patients)
    const expected = await finished(await begun(0))
    const open = await inTurns(
      Array.from({ length: count }, (_, at) => (at % PLACES) * 3),
      begun,
    )

    await publishChanged(world, '2031.1.0', changed)
    await activate(world.app.core, EVERYWHERE, '2031.1.0', 'test')
    await expect.poll(async () => versionsOf([await begun(0)]), { timeout: 60_000 }).toEqual(['2031.1.0'])

    const outcomes = await inTurns(open, finished)
    for (const outcome of outcomes) expect(outcome).toEqual(expected)
    expect(await versionsOf(open)).toEqual([before.version])

    const fresh = await begun(0)
    const other = await finished(fresh)
    expect(other).not.toEqual(expected)
    expect(other).toMatchObject({ outcome: { level: 'Level5', title: expect.stringMatching(/^New: /) } })

    await activate(world.app.core, EVERYWHERE, before.version, 'test')
    await expect.poll(async () => versionsOf([await begun(0)]), { timeout: 60_000 }).toEqual([before.version])
    await fresh.look()
    expect(fresh.now.step).toMatchObject({ outcome: { title: expect.stringMatching(/^New: /) } })
  } finally {
    await world.close()
  }
}
