import { describe, expect, test } from 'vitest'
import { realContent } from '../../../test/world/content.ts'
import { idsOf, NOTHING, writerOf } from '../../../test/world/writing.ts'
import { chance, randomPatient } from '../check/simulated-patients.ts'
import type { Answer, Heard, Language } from '../content.ts'
import { interview } from '../interview.ts'
import { withHearing } from '../own-words/hearing.ts'
import { answerScreen } from '../screens.ts'
import { conclude } from './conclude.ts'

const { content } = await realContent()
const { written, take, denyAll } = writerOf(content)

describe('danger that words surely tell of', () => {
  test.each<[Language, string]>([
    ['en', 'I want to kill myself'],
    ['fi', 'Haluan kuolla, en jaksa enää elää'],
    ['no', 'Jeg orker ikke å leve lenger'],
    ['sv', 'Jag vill inte leva längre'],
  ])('words of suicide lead at once to the questions about it, with a kind word: %s %s', (language, matter) => {
    expect(interview(content, written(matter, undefined, 'regular', language))).toMatchObject({
      kind: 'ask',
      stage: 'emergency',
      title: 'screen.heard',
      note: 'note.suicide',
      because: { kind: 'heard' },
      questions: [{ id: 'suicide_or_violence_now' }, { id: 'suicidal_thoughts' }, { id: 'overdose_or_poisoning' }],
    })
  })

  test('it leads in a practical matter as well, which asks nothing else of the emergency check', () => {
    const said = written('I want to kill myself', undefined, 'prescription')
    expect(idsOf(interview(content, said)).slice(0, 2)).toEqual(['suicide_or_violence_now', 'suicidal_thoughts'])
    const calm = written('renew my prescription', undefined, 'prescription')
    const { screens } = denyAll(said)
    const extra = new Set(screens.flat()).difference(new Set(denyAll(calm).screens.flat()))
    const OF_THE_WORDS = ['suicide_or_violence_now', 'suicidal_thoughts', 'overdose_or_poisoning', 'told_trouble']
    const OF_THE_DENIED = [
      'told_examined',
      'matter_began_today',
      'matter_blackout_or_dozing',
      'matter_bite_or_sore_wound',
    ]
    const OF_ANY_TROUBLE = ['pregnancy_blow_or_fall', 'pregnant_pox_contact', 'confused_or_hard_to_wake']
    expect(extra).toEqual(new Set([...OF_THE_WORDS, ...OF_THE_DENIED, ...OF_ANY_TROUBLE]))
    expect(interview(content, [...said, { question: 'suicide_or_violence_now', value: true }]).alarms).not.toEqual([])
  })

  test('danger of no clear kind brings the core of the emergency check before the menu', () => {
    const step = interview(content, written("I can't breathe"))
    expect(step).toMatchObject({ stage: 'emergency', because: { kind: 'heard' } })
    expect(idsOf(step)).toContain('breathless_no_sentence')
    expect(idsOf(step).length).toBeLessThanOrEqual(8)
    const { screens } = denyAll(written("I can't breathe"))
    expect(screens[1]?.[0]).toBe('complaints')
  })

  test('the level hangs on what is confirmed: words alone raise no alarm and lower nothing', () => {
    const said = written('I want to kill myself')
    expect(interview(content, said).alarms).toEqual([])
    const sure = [...said, { question: 'suicide_or_violence_now', value: true }]
    expect(interview(content, sure).alarms).not.toEqual([])
  })
})

describe('danger that words may tell of', () => {
  const asking: Heard = { ...NOTHING, dangers: [{ kind: 'suicide', sureness: 'ask', words: 'so tired of it all' }] }

  test('its signs stand first on the screen of immediate danger, beside all of the core', () => {
    const asked = { complaints: ['sleep-fatigue'] }
    const { screens } = denyAll(written('so tired of it all', asking), asked)
    const calm = denyAll(written('so tired of it all', NOTHING), asked).screens
    expect(screens[0]?.[0]).toBe('complaints')
    expect(screens[1]?.slice(0, 3)).toEqual(['suicide_or_violence_now', 'suicidal_thoughts', 'overdose_or_poisoning'])
    expect(screens[1]?.slice(3)).toEqual(calm[1])
  })

  test('where no complaint calls for them, its signs wait for the last look; without a word of it they are not asked', () => {
    const signs = ['suicidal_thoughts', 'suicide_or_violence_now']
    const { screens } = denyAll(written('so tired of it all', asking))
    expect(screens[1]).not.toEqual(expect.arrayContaining(signs))
    expect(screens.slice(2).find((screen) => screen.includes('suicidal_thoughts'))).toEqual(
      expect.arrayContaining(signs),
    )
    expect(denyAll(written('a sore throat', NOTHING)).screens.flat()).not.toContain('suicidal_thoughts')
  })

  test('whoever ticks thoughts of suicide is asked on at once, whatever the complaint', () => {
    const said = { suicidal_thoughts: true, complaints: ['sleep-fatigue'] }
    const { screens } = denyAll(written('so tired of it all', asking), said)
    const at = screens.findIndex((screen) => screen.includes('suicidal_thoughts'))
    expect(screens[at + 1]).toEqual(['suicide_thoughts'])
  })
})

describe('unconfirmed', () => {
  test('danger that was heard and that no sign confirms is kept with its words; confirmed, it is not there', () => {
    const { said } = denyAll(written('I want to kill myself'))
    expect(conclude(content, said).unconfirmed).toEqual([
      { kind: 'suicide', words: expect.stringContaining('kill myself') },
    ])
    const yes = denyAll(written('I want to kill myself'), { suicidal_thoughts: true }).said
    expect(conclude(content, yes).unconfirmed).toEqual([])
    expect(conclude(content, denyAll(written('my throat hurts')).said).unconfirmed).toEqual([])
  })

  test('what was heard in words that were changed is gone with them', () => {
    const { said } = denyAll(written('I want to kill myself'))
    const changed = [...said, withHearing(content, said, { question: 'matter', value: 'my throat hurts' }, 'en')]
    expect(conclude(content, changed).unconfirmed).toEqual([])
  })
})

test('whatever is heard, no sign is asked twice, and nothing that is heard makes the level less urgent', () => {
  const kinds = content.release.dangers.map(({ id }) => id)
  const complaints = content.release.complaints.filter(({ kind }) => kind === 'complaint').map(({ id }) => id)
  for (let seed = 1; seed <= 60; seed++) {
    const complaint = complaints[seed % complaints.length] ?? ''
    const patient = randomPatient(content, [complaint], seed)
    const dangers = kinds
      .filter((kind) => chance(`${seed} ${kind}`) < 0.7)
      .map((kind) => ({
        kind,
        sureness: chance(`${seed} sure ${kind}`) < 0.5 ? ('lead' as const) : ('ask' as const),
        words: kind,
      }))
    const levels = [undefined, { ...NOTHING, dangers }].map((heard) => {
      const said: Answer[] = []
      const asked: string[] = []
      for (let step = interview(content, said); step.kind === 'ask'; step = interview(content, said)) {
        const told = answerScreen(step.questions, patient)
        asked.push(...told.map(({ question }) => question))
        said.push(...told.map((answer) => (answer.question === 'matter' && heard ? { ...answer, heard } : answer)))
        if (asked.length > 400) throw new Error('The interview does not end.')
      }
      expect(new Set(asked).size).toBe(asked.length)
      const { level } = conclude(content, said)
      return level ?? 'none'
    })
    expect([seed, (levels[1] ?? '') <= (levels[0] ?? '')]).toEqual([seed, true])
  }
}, 60_000)

test('what is asked at once stands in the review under the heading it was asked under, whatever was heard', () => {
  for (const { id: kind } of content.release.dangers) {
    const heard: Heard = { ...NOTHING, dangers: [{ kind, sureness: 'ask', words: 'x' }] }
    const said = take(written('x', heard), { complaints: ['abdominal-pain'] })
    const step = interview(content, said)
    if (step.kind !== 'ask' || step.stage !== 'emergency') continue
    const ids = idsOf(step)
    const { ledger } = interview(content, take(said, Object.fromEntries(ids.map((id) => [id, false]))))
    const titles = ledger.flatMap(({ question, title }) => (ids.includes(question) ? title : []))
    expect([kind, ...new Set(titles)]).toEqual([kind, 'complaint.emergency-check.heading'])
  }
})
