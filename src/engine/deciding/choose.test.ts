import { beforeAll, describe, expect, test } from 'vitest'
import { realContent } from '../../../test/world/content.ts'
import { negativeAnswer } from '../check/run-case.ts'
import type { Answer, Step, Value } from '../content.ts'
import { interview } from '../interview.ts'
import type { Content } from '../load.ts'
import { answerScreen } from '../screens.ts'

let content: Content
beforeAll(async () => {
  content = (await realContent()).content
})

type Asked = Extract<Step, { kind: 'ask' }>

const PATIENT = { for_whom: 'self', age: 34, sex: 'female', issue_type: 'regular', matter: 'x' }
const WELL: Record<string, Value> = {
  fluid_intake: 'normal',
  pain_severity: 2,
  course: 'same',
  belly_strength: 'mild',
  throat_duration: { amount: 4, unit: 'days' },
  belly_duration: { amount: 2, unit: 'days' },
}

/** The screens of someone with this complaint who is otherwise well, in their order. */
function screensOf(complaint: string, said: Record<string, Value> = {}): { screens: Asked[]; end: Step } {
  const story: Record<string, Value> = { ...PATIENT, complaints: [complaint], ...WELL, ...said }
  const answers: Answer[] = []
  const screens: Asked[] = []
  for (let step = interview(content, answers); ; step = interview(content, answers)) {
    if (step.kind !== 'ask') return { screens, end: step }
    screens.push(step)
    answers.push(
      ...answerScreen(step.questions, (question) =>
        question.id in story ? (story[question.id] ?? null) : (negativeAnswer(question) ?? null),
      ),
    )
    if (screens.length > 60) throw new Error('The interview does not end.')
  }
}

const isTelling = ({ questions }: Asked) => questions.every(({ kind }) => kind === 'text' || kind === 'photo')

describe('what is asked when', () => {
  // Fever, which the check asks after a lost spleen, is of these complaints.
  test.each(['sore-throat', 'abdominal-pain', 'chest-pain', 'cough-cold', 'rash'])(
    'the check asks %s its core alone; what it wants beyond comes in the list of the complaint',
    (complaint) => {
      const { screens } = screensOf(complaint)
      const checked = screens.filter(({ stage, because }) => stage === 'emergency' && because.kind !== 'last-look')
      expect(checked).toHaveLength(1)
    },
  )

  test('the last look comes before the words for the clinic, and nothing is asked after them', () => {
    const { screens, end } = screensOf('sore-throat')
    const look = screens.findIndex(({ because }) => because.kind === 'last-look')
    expect(look).toBeGreaterThan(0)
    expect(screens.slice(look + 1).every(isTelling)).toBe(true)
    expect(end.kind).toBe('done')
  })

  test('whoever is not sure of a danger gets the last look as whoever denies it does', () => {
    const looks = (said: Record<string, Value>) =>
      screensOf('sore-throat', said).screens.filter(({ because }) => because.kind === 'last-look')
    expect(looks({ muffled_voice: false })).toHaveLength(1)
    expect(looks({ muffled_voice: null })).toHaveLength(1)
    expect(looks({ muffled_voice: true })).toEqual([])
  })

  test('each sign is told under the heading of the list in which it was asked; lists that follow one another do not read the same', () => {
    for (const complaint of ['sore-throat', 'abdominal-pain', 'general']) {
      const { screens, end } = screensOf(complaint)
      const further = new Map([
        ['screen.further', `complaint.${complaint}.heading`],
        ['screen.further-now', 'complaint.emergency-check.heading'],
      ])
      for (const { title = '', questions } of screens)
        for (const { id, kind } of questions)
          if (kind === 'sign')
            expect(
              end.ledger.find(({ question }) => question === id),
              id,
            ).toMatchObject({ title: further.get(title) ?? title })
      const headings = screens.flatMap(({ title }) => (title?.endsWith('.heading') ? [title] : []))
      expect(headings).toEqual([...new Set(headings)])
    }
  })
})
