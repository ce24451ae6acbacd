import { checkAnswer } from '../answers.ts'
import type { Answer, Question, Value } from '../content.ts'
import { interview } from '../interview.ts'
import { KINDS } from '../kinds.ts'
import { type Content, loadContent } from '../load.ts'

/** Values that no question of this kind offers. */
export function foreignValues(question: Question): Value[] {
  const wrong: Value[] = [
    'no-such-option',
    ['no-such-option'],
    -1e9,
    1e9,
    ['none', 'none'],
    { amount: -1, unit: 'days' },
    true,
  ]
  const strangers = wrong.filter((value) => !KINDS[question.kind].takesAny(value))
  return question.dontKnow ? strangers : [...strangers, null]
}

/** Rule 5: along a walk, every value that was not offered is refused. */
export function* takesOnlyWhatIsOffered(content: Content, answers: readonly Answer[]): Generator<string> {
  for (const [at, { question: id }] of answers.entries()) {
    const question = content.release.questions[id]
    if (!question) continue
    for (const value of foreignValues(question)) {
      const checked = checkAnswer(content, answers.slice(0, at), { question: id, value })
      if (checked.ok) yield `The answer ${JSON.stringify(value)} to "${id}" is not refused.`
    }
  }
}

/** Rule 6: the same answers give the same bytes, also from a release that was stored and read back. */
export function* repeatsItself(content: Content, answers: readonly Answer[]): Generator<string> {
  const stored = loadContent(JSON.parse(JSON.stringify(content.release)))
  const first = JSON.stringify(interview(content, answers))
  const again = JSON.stringify(interview(content, answers))
  if (again !== first || JSON.stringify(interview(stored, answers)) !== first) {
    yield 'The same answers do not give the same step again.'
  }
}
