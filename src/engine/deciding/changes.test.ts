import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { filesOf, realContent } from '../../../test/world/content.ts'
import { checkAnswer } from '../answers.ts'
import { negativeAnswer } from '../check/run-case.ts'
import { play, randomPatient } from '../check/simulated-patients.ts'
import { compileContent } from '../compile/release.ts'
import { ABSENT, PENDING } from '../conditions/evaluate.ts'
import type { Answer, Change, Level, Value } from '../content.ts'
import { interview } from '../interview.ts'
import { type Content, loadContent } from '../load.ts'
import { answerScreen } from '../screens.ts'
import { levelOf, whatWouldChange } from './changes.ts'
import { conclude } from './conclude.ts'
import { findingsFrom } from './findings.ts'
import { otherValues } from './other-values.ts'

let content: Content
beforeAll(async () => {
  content = loadContent(compileContent(await filesOf('sore-throat')))
})

/** Every value a question takes: all subsets (of long lists those of one or two), all steps of a number, all amounts up to six hundred of each unit. */
function everyValue(id: string): Value[] {
  const question = content.release.questions[id]
  if (!question) return []
  const options = question.options?.map((option) => option.id).filter((option) => option !== 'none') ?? []
  switch (question.kind) {
    case 'sign':
    case 'yesno':
      return [true, false, null]
    case 'one':
      return [...options, null]
    case 'many': {
      const subsets: Value[] = [['none'], null]
      for (let bits = 1; bits < 1 << options.length; bits++) {
        const subset = options.filter((_, at) => bits & (1 << at))
        if (options.length <= 9 || subset.length <= 2) subsets.push(subset)
      }
      return subsets
    }
    case 'number':
    case 'scale': {
      const { min = 0, max = 10, step = 1 } = question
      const count = Math.round((max - min) / step)
      return [...Array.from({ length: count + 1 }, (_, at) => Math.round((min + at * step) * 1e6) / 1e6), null]
    }
    case 'duration':
      return [
        ...(question.units ?? []).flatMap((unit) => Array.from({ length: 600 }, (_, at) => ({ amount: at + 1, unit }))),
        null,
      ]
    default:
      return []
  }
}

/** Asks the engine about every other value of one answer, the slow way: a fresh interview for each. */
function bruteForce(said: readonly Answer[], id: string): { value: Value; level: Level | null; decided: boolean }[] {
  const present = levelOf(findingsFrom(content, said)).level
  return everyValue(id).flatMap((value) => {
    if (!checkAnswer(content, said, { question: id, value }).ok) return []
    const others = said.map((answer) => (answer.question === id ? { question: id, value } : answer))
    const { level, decided } = levelOf(findingsFrom(content, others))
    return level !== present ? [{ value, level, decided }] : []
  })
}

/** The same search, as simple as possible: every other answer is put after those given, and all is evaluated again. */
function readAllAgain(content: Content, answers: readonly Answer[]): Change[] {
  const findings = findingsFrom(content, answers)
  const present = levelOf(findings).level
  if (present === null) return []
  return findings.answered.flatMap((slot): Change[] => {
    const question = content.questions[slot]?.question
    const standing = findings.standing(slot)
    if (!question || standing === ABSENT || standing === PENDING || content.intake.includes(slot)) return []
    const others = otherValues(content, question, findings.value(slot), findings.offered(slot))
    return others.flatMap((value): Change[] => {
      const other = { question: question.id, value }
      const { level, decided } = levelOf(findingsFrom(content, [...answers, other]))
      return level === present ? [] : [{ ...other, level, decided }]
    })
  })
}

const isNeighbour = (before: Value, after: Value): boolean => {
  const bare = (value: Value) => (Array.isArray(value) ? value.filter((one) => one !== 'none') : [])
  if (!Array.isArray(after)) return true
  const [a, b] = [bare(before), bare(after)]
  const differing = [...a.filter((one) => !b.includes(one)), ...b.filter((one) => !a.includes(one))].length
  return differing <= 1 || b.length === 0
}

describe('which single other answer would change the level', () => {
  const isComplete = (seeds: readonly number[]) => {
    for (const seed of seeds) {
      const { answers } = play(content, randomPatient(content, ['sore-throat'], seed))
      const found = whatWouldChange(content, answers)
      for (const { question, value: current } of answers) {
        if (content.release.intake.includes(question)) continue
        const slow = bruteForce(answers, question)
        const quick = found.filter((change) => change.question === question)
        // Nothing is invented, and every level that one answer can reach is reported.
        for (const { question: _, ...change } of quick) expect(slow, `${seed} ${question}`).toContainEqual(change)
        const near = slow.filter(({ value }) => isNeighbour(current, value))
        expect(new Set(quick.map(({ level }) => level)), `${seed} ${question} ${JSON.stringify(current)}`).toEqual(
          new Set(near.map(({ level }) => level)),
        )
        for (const change of near.filter(
          ({ value }) => value === null || Array.isArray(value) || typeof value === 'boolean',
        )) {
          expect(quick, `${seed} ${question}`).toContainEqual({ question, ...change })
        }
      }
    }
  }

  test('says what brute force over every value of every answer finds', () => isComplete([1, 2]))

  test('says that of more patients', { tags: 'thorough' }, () => isComplete([3, 4, 5, 6]))

  test('says what reading all answers again for every other answer says, wherever an interview of the real content stands', {
    tags: 'thorough',
  }, async () => {
    const { content } = await realContent()
    let found = 0
    let undecided = 0
    const patients = fc.record({
      seed: fc.nat(),
      complaints: fc.uniqueArray(fc.constantFrom(...content.complaints.keys()), { minLength: 1, maxLength: 3 }),
      cut: fc.constantFrom(1, 1, 0.7, 0.4),
    })
    fc.assert(
      fc.property(patients, ({ seed, complaints, cut }) => {
        const { answers } = play(content, randomPatient(content, complaints, seed))
        const said = answers.slice(0, Math.ceil(answers.length * cut))
        const changes = whatWouldChange(content, said)
        found += changes.length
        undecided += changes.filter(({ decided }) => !decided).length
        expect(JSON.stringify(changes)).toBe(JSON.stringify(readAllAgain(content, said)))
      }),
      { numRuns: 150 },
    )
    expect(found).toBeGreaterThan(300)
    expect(undecided).toBeGreaterThan(100)
  })

  test('an interview without any urgency yet says nothing', () => {
    expect(whatWouldChange(content, [{ question: 'for_whom', value: 'self' }])).toEqual([])
  })

  test('who the patient is stays as it is', () => {
    for (let seed = 1; seed <= 5; seed++) {
      const { answers } = play(content, randomPatient(content, ['sore-throat'], seed))
      for (const { question } of whatWouldChange(content, answers))
        expect(content.release.intake).not.toContain(question)
    }
  })
})

describe('reasons', () => {
  const said = (more: Record<string, Value>): Answer[] => {
    const all: Record<string, Value> = {
      for_whom: 'self',
      age: 30,
      sex: 'male',
      issue_type: 'regular',
      matter: '',
      complaints: ['sore-throat'],
      fever: 'no',
      fluid_intake: 'normal',
      immune: ['none'],
      medicines: ['none'],
      tropics: false,
      throat_look: ['none'],
      pain_severity: 3,
      illnesses: ['none'],
      course: 'same',
      throat_duration: { amount: 4, unit: 'days' },
      throat_cough: true,
      allergies: ['none'],
      anything_else: '',
      ...more,
    }
    const given: Answer[] = []
    for (let step = interview(content, given); step.kind === 'ask'; step = interview(content, given)) {
      for (const { question, value } of answerScreen(step.questions, (one) =>
        one.id in all ? all[one.id] : negativeAnswer(one),
      ))
        given.push({ question, value: value ?? null })
    }
    return given
  }

  test('a reason names the rule, the answers that made it true and its sources', () => {
    const outcome = conclude(content, said({ mouth_hardly_opens: true }))
    expect(outcome.reasons).toEqual([
      {
        complaint: 'sore-throat',
        rule: 'deep-infection',
        level: 'Level2',
        unsure: false,
        answers: [{ question: 'mouth_hardly_opens', value: true, state: 'present' }],
        sources: [
          expect.objectContaining({ title: expect.stringContaining('NG84') }),
          expect.objectContaining({ title: expect.any(String) }),
        ],
      },
    ])
    expect(outcome.changes).toContainEqual({
      question: 'mouth_hardly_opens',
      value: false,
      level: null,
      decided: false,
    })
    expect(outcome.changes).toContainEqual({
      question: 'saliva_not_swallowed',
      value: true,
      level: 'Level1',
      decided: true,
    })
  })

  test('a rule that holds because of "don’t know" says so', () => {
    const outcome = conclude(content, said({ stiff_neck: true, fever: null }))
    expect(outcome.reasons[0]).toMatchObject({ rule: 'meningitis', unsure: true })
    expect(outcome.reasons[0]?.answers).toContainEqual({ question: 'fever', value: null, state: 'unsure' })
  })

  test('conditions to consider carry what speaks for and against them', () => {
    const outcome = conclude(content, said({ mouth_hardly_opens: true, throat_look: ['coating'] }))
    const abscess = outcome.considerations.find(({ differential: condition }) => condition === 'peritonsillar-abscess')
    expect(abscess?.for).toContainEqual(expect.objectContaining({ question: 'mouth_hardly_opens', state: 'present' }))
    expect(abscess?.against).toContainEqual(expect.objectContaining({ question: 'fever', value: 'no' }))
  })

  test('advice and safety net are those of the level and of this patient', () => {
    const outcome = conclude(content, said({}))
    expect(outcome.level).toBe('Level8')
    expect(outcome.advice).toContain('advice.sore-throat.no-antibiotics')
    expect(outcome.advice).not.toContain('advice.sore-throat.ibuprofen-pregnancy')
    expect(outcome.safetyNet).toContain('safetyNet.sore-throat.emergency-signs')
  })
})
