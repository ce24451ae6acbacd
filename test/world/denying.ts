import { negativeAnswer } from '../../src/engine/check/run-case.ts'
import type { Answer, Value } from '../../src/engine/content.ts'
import { interview } from '../../src/engine/interview.ts'
import type { Content } from '../../src/engine/load.ts'
import { answerScreen } from '../../src/engine/screens.ts'

const MOST_SCREENS = 60

/** Goes on from what was said to the end, denying whatever is not told here; which screens were asked, and all that was said. */
export function denyAll(
  content: Content,
  said: readonly Answer[],
  told: Readonly<Record<string, Value>> = {},
): { screens: string[][]; said: Answer[] } {
  const all = [...said]
  const screens: string[][] = []
  for (let step = interview(content, all); step.kind === 'ask'; step = interview(content, all)) {
    screens.push(step.questions.map(({ id }) => id))
    const answers = answerScreen(step.questions, (question): Value => {
      const { [question.id]: given = negativeAnswer(question) ?? null } = told
      return given
    })
    all.push(...answers)
    if (screens.length > MOST_SCREENS) throw new Error('The interview does not end.')
  }
  return { screens, said: all }
}
