import { beforeAll, expect, test } from 'vitest'
import { realContent } from '../../../test/world/content.ts'
import type { Answer, Language, Step, Value } from '../content.ts'
import { interview } from '../interview.ts'
import type { Content } from '../load.ts'
import { withHearing } from '../own-words/hearing.ts'

let content: Content
beforeAll(async () => {
  content = (await realContent()).content
})

const said = (values: Record<string, Value>): Answer[] =>
  Object.entries(values).map(([question, value]): Answer => ({ question, value }))

const PARTNER = { for_whom: 'other', age: 31, sex: 'male' }

/** What is said up to the choice of complaints, with these words for the matter. */
function writing(text: string, language: Language, who: Record<string, Value> = PARTNER): Answer[] {
  const before = said(who)
  const matter = withHearing(content, before, { question: 'matter', value: text }, language)
  return [...before, matter, { question: 'issue_type', value: 'regular' }]
}

const idsOf = (step: Step) => (step.kind === 'ask' ? step.questions.map(({ id }) => id) : [])

test.each([
  ['en', 'My wife gave birth 9 days ago and hardly sleeps'],
  ['fi', 'Vaimoni synnytti 9 päivää sitten eikä nuku'],
  ['no', 'Kjæresten min fødte for 9 dager siden og får ikke sove'],
  ['sv', 'Min sambo födde för 9 dagar sedan och sover inte'],
] as const)('who writes of a birth and said male is asked for the sex once more: %s', (language, text) => {
  const answers = writing(text, language)
  expect(idsOf(interview(content, answers))).toEqual(['sex'])
  const heard = answers.find(({ question }) => question === 'matter')?.heard
  expect(heard?.complaints.map(({ id }) => id)).toContain('after-birth')
  const hers = interview(content, [...answers, { question: 'sex', value: 'female' }])
  expect(idsOf(hers)).not.toContain('sex')
  const his = interview(content, [...answers, { question: 'sex', value: 'male' }])
  expect(idsOf(his)).not.toContain('sex')
})

test.each([
  ['en', 'My wife gave birth 9 days ago and hardly sleeps'],
  ['fi', 'Vaimoni synnytti 9 päivää sitten eikä nuku'],
  ['no', 'Kjæresten min fødte for 9 dager siden og får ikke sove'],
  ['sv', 'Min sambo födde för 9 dagar sedan och sover inte'],
] as const)('who named himself is asked whom it is about: %s', (language, text) => {
  const answers = writing(text, language, { ...PARTNER, for_whom: 'self' })
  expect(idsOf(interview(content, answers))).toEqual(['for_whom', 'age', 'sex'])
  const again = interview(content, [...answers, ...said({ ...PARTNER, for_whom: 'self' })])
  expect(idsOf(again)).not.toContain('for_whom')
})

test.each([
  ['My husband has a cough since Monday', PARTNER],
  ['My wife gave birth 9 days ago, the baby has a rash', { for_whom: 'other', age: 0.02, sex: 'male' }],
  ['I have a sore throat and my wife is pregnant', { for_whom: 'self', age: 31, sex: 'male' }],
  ['I gave birth 9 days ago and hardly sleep', { for_whom: 'self', age: 31, sex: 'female' }],
])('nobody else is: %s', (text, who) => {
  expect(idsOf(interview(content, writing(text, 'en', who)))).not.toContain('sex')
})
