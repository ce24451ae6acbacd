import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LANGUAGES, type Language } from '../../src/engine/content.ts'
import { type Call, callerTo } from '../world/call.ts'
import { visiting } from '../world/clinician.ts'
import { interviewed } from '../world/handoff.ts'
import { type Clinic, newWorld, type World } from '../world/world.ts'

const LABELS: Record<Language, string> = {
  en: 'Unconfirmed, from own words',
  fi: 'Vahvistamatta, omista sanoista',
  no: 'Ikke bekreftet, fra egne ord',
  sv: 'Inte bekräftat, ur egna ord',
}

let world: World
let clinic: Clinic
let call: Call
/** Told of suicide in words and denied in the questions; and confirmed. */
let [denied, confirmed] = ['', '']
beforeAll(async () => {
  world = await newWorld()
  clinic = await world.clinic()
  call = callerTo(world)
  const story = { matter: 'I want to kill myself', complaints: ['sore-throat'] }
  const one = await interviewed(world, clinic, { story })
  await one.finish()
  denied = one.now.sessionId
  confirmed = (await interviewed(world, clinic, { story: { ...story, suicidal_thoughts: true } })).now.sessionId
})
afterAll(() => world.close())

const summary = async (id: string, language: Language) =>
  String(
    (
      (await call('GET', `/api/v1/session/${id}/summary?language=${language}`, { key: clinic.key })).body as {
        data: string
      }
    ).data,
  )
type Entry = { resource: { resourceType: string; status?: string; code?: { text?: string }; valueString?: string } }
const observations = async (id: string, language: Language) => {
  const { body } = await call('GET', `/api/v1/session/${id}/fhir?language=${language}`, { key: clinic.key })
  const { entry } = body as { entry: Entry[] }
  return entry.map(({ resource }) => resource).filter(({ code }) => code?.text === LABELS[language])
}

describe.each(LANGUAGES)('danger heard in own words and confirmed by no sign (%s)', (language) => {
  const label = LABELS[language]

  test('stands in the text summary among the red flags, with the words', async () => {
    expect(await summary(denied, language)).toMatch(new RegExp(`\\n[A-ZÅÄÖØÆ ]+\\n${label}: [^\\n]*kill myself`))
    expect(await summary(confirmed, language)).not.toContain(label)
  })

  test('is in FHIR as a preliminary observation, with the words', async () => {
    expect(await observations(denied, language)).toMatchObject([
      { resourceType: 'Observation', status: 'preliminary', valueString: expect.stringContaining('kill myself') },
    ])
    expect(await observations(confirmed, language)).toEqual([])
  })
})

test('it is in the clinician’s picture, and goes when a sign confirms it', async () => {
  const picture = await (await visiting(world, clinic, denied)).picture('en')
  expect(picture.unconfirmed).toEqual([{ kind: 'suicide', words: expect.stringContaining('kill myself') }])
  expect(picture.redFlags).toContainEqual(
    expect.objectContaining({ state: 'denied', label: expect.stringMatching(/suicid/i) }),
  )
  expect((await (await visiting(world, clinic, confirmed)).picture('en')).unconfirmed).toEqual([])
})
