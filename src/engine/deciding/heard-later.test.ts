import { beforeAll, describe, expect, test } from 'vitest'
import { realContent } from '../../../test/world/content.ts'
import { denyAll } from '../../../test/world/denying.ts'
import type { Answer, Language, Step } from '../content.ts'
import { interview } from '../interview.ts'
import type { Content } from '../load.ts'
import { withHearing } from '../own-words/hearing.ts'
import { conclude } from './conclude.ts'

let content: Content
beforeAll(async () => {
  content = (await realContent()).content
})

const WOMAN: readonly Answer[] = [
  { question: 'for_whom', value: 'self' },
  { question: 'age', value: 30 },
  { question: 'sex', value: 'female' },
  { question: 'matter', value: null },
]

const idsOf = (step: Step) => (step.kind === 'ask' ? step.questions.map(({ id }) => id) : [])

/** Who has a sore throat and denies everything else. */
const THROAT = { issue_type: 'regular', complaints: ['sore-throat'] }

describe('danger in words that come later', () => {
  const LATER: [Language, string][] = [
    ['en', 'Also I want to kill myself'],
    ['fi', 'Haluan myös kuolla, en jaksa enää elää'],
    ['no', 'Jeg orker ikke å leve lenger'],
    ['sv', 'Jag vill inte leva längre'],
  ]

  /** Everything denied, and this written where something else may be said. */
  function endingWith(text: string, language: Language) {
    const { said } = denyAll(content, WOMAN, THROAT)
    return [...said, withHearing(content, said, { question: 'anything_else', value: text }, language)]
  }

  test.each(LATER)('is asked about before anything is said: %s %s', (language, text) => {
    const step = interview(content, endingWith(text, language))
    expect(step).toMatchObject({ kind: 'ask', because: { kind: 'heard' }, note: 'note.suicide' })
    expect(idsOf(step)).toContain('suicidal_thoughts')
  })

  test('is asked about once more where it was denied before, and not a third time', () => {
    const said = endingWith('Sorry, I have had crushing chest pain for an hour now', 'en')
    expect(said.find(({ question }) => question === 'chest_pressure_5_minutes')?.value).toBe(false)
    expect(idsOf(interview(content, said))).toContain('chest_pressure_5_minutes')
    const again = denyAll(content, said, THROAT)
    expect(again.screens.flat().filter((id) => id === 'chest_pressure_5_minutes')).toHaveLength(1)
    const { unconfirmed } = conclude(content, again.said)
    expect(unconfirmed.map(({ kind }) => kind)).toContain('heart')
  })

  test('goes with the words when they are changed', () => {
    const said = endingWith('Also I want to kill myself', 'en')
    const changed = withHearing(content, said, { question: 'anything_else', value: 'Thank you' }, 'en')
    expect(interview(content, [...said, changed]).kind).toBe('done')
  })

  test.each(['certificate_reason', 'admin_details'])('is heard in a request too: %s', (question) => {
    const type = question.split('_')[0] ?? ''
    const before = [...WOMAN, { question: 'issue_type', value: type }, { question: 'new_trouble', value: false }]
    const answer = withHearing(content, before, { question, value: 'I want to kill myself' }, 'en')
    expect(interview(content, [...before, answer])).toMatchObject({ because: { kind: 'heard' } })
  })

  test('is asked about also where a request has a wider row for it, which was denied', () => {
    const { said } = denyAll(content, [
      ...WOMAN,
      { question: 'issue_type', value: 'admin' },
      { question: 'new_trouble', value: false },
    ])
    expect(said.find(({ question }) => question === 'matter_chest_breath_or_faint')?.value).toBe(false)
    const words = { question: 'admin_details', value: 'And I have had crushing chest pain for an hour' }
    const step = interview(content, [...said, withHearing(content, said, words, 'en')])
    expect(idsOf(step)).toContain('chest_pressure_5_minutes')
  })

  test('nothing harmless asks on', () => {
    for (const text of [
      'No, thank you',
      'I would like an appointment in the morning',
      'My sister had the same last week',
    ])
      expect(interview(content, endingWith(text, 'en')).kind, text).toBe('done')
  })
})
