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

/** A woman with heartburn who wrote this, up to the choice of complaints. */
function writing(text: string, language: Language): Answer[] {
  const who = said({ for_whom: 'self', age: 31, sex: 'female' })
  const matter = withHearing(content, who, { question: 'matter', value: text }, language)
  return [...who, matter, ...said({ issue_type: 'regular', complaints: ['heartburn-swallowing'] })]
}

const screenOf = (step: Step) =>
  step.kind === 'ask'
    ? { title: step.title, note: step.note, ids: step.questions.map(({ id }) => id) }
    : { title: step.kind, ids: [] }

/** What is asked after a no to the dangers that were heard. */
const afterDangers = (answers: readonly Answer[]) => {
  const step = interview(content, answers)
  const dangers =
    step.kind === 'ask' && step.because.kind === 'heard' ? step.questions.map(({ id }) => [id, false]) : []
  return [...answers, ...said(Object.fromEntries(dangers))]
}

test.each([
  ['en', 'I gave birth 6 days ago and have heartburn'],
  ['fi', 'Synnytin 6 päivää sitten ja nyt on närästystä'],
  ['no', 'Jeg fødte for 6 dager siden og har halsbrann'],
  ['sv', 'Jag födde för 6 dagar sedan och har halsbränna'],
] as const)('who wrote of a birth and denies it is asked once more, and then believed: %s', (language, text) => {
  const denied = [...afterDangers(writing(text, language)), ...said({ pregnancy: 'no' })]
  expect(screenOf(interview(content, denied))).toEqual({ title: undefined, note: 'note.doubted', ids: ['pregnancy'] })
  const believed = [...denied, ...said({ pregnancy: 'no' })]
  expect(screenOf(interview(content, believed)).ids).not.toContain('pregnancy')
  const corrected = interview(content, [...denied, ...said({ pregnancy: 'recent' })])
  expect(corrected.ledger).toContainEqual(expect.objectContaining({ question: 'pregnancy', value: 'recent' }))
})

test('who wrote of none is believed at once, and so is who told of another’s', () => {
  for (const text of ['I have heartburn after coffee', 'Heartburn. My sister is pregnant']) {
    const denied = [...afterDangers(writing(text, 'en')), ...said({ pregnancy: 'no' })]
    expect(screenOf(interview(content, denied)).ids, text).not.toContain('pregnancy')
  }
})

test('so is who denied it first and writes of it then', () => {
  const who = said({ for_whom: 'self', age: 31, sex: 'female' })
  const matter = { question: 'matter', value: 'I gave birth 6 days ago and have heartburn' }
  const before = [...writing('I have heartburn', 'en'), ...said({ pregnancy: 'no' })]
  const after = afterDangers([...before, withHearing(content, who, matter, 'en')])
  expect(screenOf(interview(content, after))).toMatchObject({ note: 'note.doubted', ids: ['pregnancy'] })
  expect(screenOf(interview(content, [...after, ...said({ pregnancy: 'no' })])).ids).not.toContain('pregnancy')
})

test('who takes the words of a birth back is believed at once, and asked once more when they write of it again', () => {
  const who = said({ for_whom: 'self', age: 31, sex: 'female' })
  const matter = (value: string) => withHearing(content, who, { question: 'matter', value }, 'en')
  const denied = [
    ...afterDangers(writing('I gave birth 6 days ago and have heartburn', 'en')),
    ...said({ pregnancy: 'no' }),
  ]
  for (const changed of [matter('I have heartburn since yesterday'), { question: 'matter', value: null }]) {
    const after = afterDangers([...denied, changed])
    expect(screenOf(interview(content, after)).ids).not.toContain('pregnancy')
    expect(interview(content, after).ledger).toContainEqual(
      expect.objectContaining({ question: 'pregnancy', value: 'no' }),
    )
    const again = afterDangers([...after, matter('Heartburn. I gave birth last week')])
    expect(screenOf(interview(content, again))).toMatchObject({ note: 'note.doubted', ids: ['pregnancy'] })
  }
})
